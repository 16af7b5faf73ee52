//! Retry policies: how long the n-th retry waits, and after how many failures a job is dead.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::time::{MAX_MS, duration_ms};

/// How failed jobs are retried. With n failures reported, the wait before the n-th retry is
///
/// * exponential: min(base · factorⁿ, cap)
/// * linear: min(n · step, cap)
/// * fixed: delay
///
/// spread evenly over ± `jitter` of itself, at most the cap. A job with more than `max_retries` failures is dead.
/// The arithmetic saturates and is done inside the script, from the time of each failure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetryPolicy {
    kind: Kind,
    base: Duration,
    factor: f64,
    cap: Duration,
    jitter: f64,
    max_retries: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Exponential,
    Linear,
    Fixed,
}

const NO_CAP: Duration = Duration::from_millis(MAX_MS as u64);
const DEFAULT_MAX_RETRIES: u32 = 5;

impl Default for RetryPolicy {
    /// Exponential from 60 s by 2 up to an hour: retries wait 2, 4, 8, 16, 32 minutes; the sixth failure is the end.
    fn default() -> Self {
        RetryPolicy::exponential(Self::DEFAULT_BASE, Self::DEFAULT_FACTOR, Self::DEFAULT_CAP)
    }
}

impl RetryPolicy {
    /// The base of [`default`](Self::default), for languages that have default arguments.
    pub const DEFAULT_BASE: Duration = Duration::from_secs(60);

    /// The factor of [`default`](Self::default).
    pub const DEFAULT_FACTOR: f64 = 2.0;

    /// The cap of [`default`](Self::default).
    pub const DEFAULT_CAP: Duration = Duration::from_secs(3600);

    /// Waits min(base · factorⁿ, cap) before the n-th retry.
    pub fn exponential(base: Duration, factor: f64, cap: Duration) -> Self {
        RetryPolicy {
            kind: Kind::Exponential,
            base,
            factor,
            cap,
            jitter: 0.0,
            max_retries: DEFAULT_MAX_RETRIES,
        }
    }

    /// Waits n · step before the n-th retry.
    pub fn linear(step: Duration) -> Self {
        RetryPolicy { kind: Kind::Linear, base: step, cap: NO_CAP, factor: 1.0, ..RetryPolicy::default() }
    }

    /// Waits the same before every retry.
    pub fn fixed(delay: Duration) -> Self {
        RetryPolicy { kind: Kind::Fixed, base: delay, cap: NO_CAP, factor: 1.0, ..RetryPolicy::default() }
    }

    /// No wait is longer than this.
    pub fn cap(mut self, cap: Duration) -> Self {
        self.cap = cap;
        self
    }

    /// Spreads each wait evenly over ± this share of itself, 0 to 1. Default 0.
    pub fn jitter(mut self, jitter: f64) -> Self {
        self.jitter = jitter;
        self
    }

    /// How many retries a job gets. Default 5; 0 means that its first failure is its last.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = retries;
        self
    }

    pub(crate) fn validate(&self) -> Result<()> {
        if !(self.factor.is_finite() && (1.0..=1e6).contains(&self.factor)) {
            return Err(Error::invalid(format!("factor is {}; give 1 to 1000000", self.factor)));
        }
        if !(0.0..=1.0).contains(&self.jitter) {
            return Err(Error::invalid(format!("jitter is {}; give 0 to 1", self.jitter)));
        }
        Ok(())
    }

    /// The form that the scripts read and bodies keep; see `policy_delay` in `lua/prelude.lua`.
    pub(crate) fn text(&self) -> String {
        let kind = match self.kind {
            Kind::Exponential => "exponential",
            Kind::Linear => "linear",
            Kind::Fixed => "fixed",
        };
        let (base, cap) = (duration_ms(self.base), duration_ms(self.cap));
        format!("{kind} {base} {} {cap} {} {}", self.factor, self.jitter, self.max_retries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_documented_formula() {
        assert_eq!(RetryPolicy::default().text(), "exponential 60000 2 3600000 0 5");
        let policy = RetryPolicy::linear(Duration::from_secs(60)).jitter(0.5).max_retries(2);
        assert_eq!(policy.text(), format!("linear 60000 1 {MAX_MS} 0.5 2"));
    }

    #[test]
    fn nonsense_is_refused() {
        let second = Duration::from_secs(1);
        for factor in [f64::NAN, f64::INFINITY, 0.5, -1.0, 1e7] {
            assert!(RetryPolicy::exponential(second, factor, second).validate().is_err(), "{factor}");
        }
        for jitter in [f64::NAN, -0.1, 1.1] {
            assert!(RetryPolicy::fixed(second).jitter(jitter).validate().is_err(), "{jitter}");
        }
    }
}
