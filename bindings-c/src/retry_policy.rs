//! Retry policies.

use std::time::Duration;

use delayq_core::{Result, RetryPolicy};

use crate::args::{Setting, apply, count_setting, duration, duration_setting};
use crate::guard::{guard_or, guard_unit};

/// How failed jobs are retried: how long the n-th retry waits, and after how many failures a job is dead. Given
/// to `delayq_queue_options_set_retry_policy()` or `delayq_new_job_set_retry_policy()`, which copy it.
pub struct delayq_retry_policy {
    /// With the core's defaults for what the setters set.
    policy: Result<RetryPolicy>,
    cap: Setting<Duration>,
    jitter: Option<f64>,
    max_retries: Setting<u32>,
}

impl delayq_retry_policy {
    fn new(policy: impl FnOnce() -> Result<RetryPolicy>) -> Option<Box<Self>> {
        let fresh =
            |policy| delayq_retry_policy { policy, cap: Ok(None), jitter: None, max_retries: Ok(None) };
        guard_or(None, || Some(Box::new(fresh(policy()))))
    }

    /// The core's policy, or the first refusal.
    pub(crate) fn to_core(&self) -> Result<RetryPolicy> {
        let policy = apply(self.policy.clone()?, &self.cap, |p, v| p.cap(v))?;
        let policy = apply(policy, &Ok(self.jitter), |p, v| p.jitter(v))?;
        apply(policy, &self.max_retries, |p, v| p.max_retries(v))
    }
}

/// An hour, as in the policy that a queue has by itself.
const EXPONENTIAL_CAP: Duration = Duration::from_secs(3600);

/// A policy by which the n-th retry waits `base_ms` times `factor` to the power of n, at most the cap, which is
/// an hour unless set. `factor` is 1 to 1000000. The policy of a queue that is given none is that of 60000 and
/// 2. Owned by the caller, see `delayq_retry_policy_free()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_retry_policy_new_exponential(
    base_ms: i64,
    factor: f64,
) -> Option<Box<delayq_retry_policy>> {
    delayq_retry_policy::new(|| {
        Ok(RetryPolicy::exponential(duration(base_ms, "base_ms")?, factor, EXPONENTIAL_CAP))
    })
}

/// A policy by which the n-th retry waits n times `step_ms`. Owned by the caller, see
/// `delayq_retry_policy_free()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_retry_policy_new_linear(step_ms: i64) -> Option<Box<delayq_retry_policy>> {
    delayq_retry_policy::new(|| duration(step_ms, "step_ms").map(RetryPolicy::linear))
}

/// A policy by which every retry waits `delay_ms`. Owned by the caller, see `delayq_retry_policy_free()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_retry_policy_new_fixed(delay_ms: i64) -> Option<Box<delayq_retry_policy>> {
    delayq_retry_policy::new(|| duration(delay_ms, "delay_ms").map(RetryPolicy::fixed))
}

/// Frees the policy; what was given a copy of it is not affected. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_retry_policy_free(policy: Option<Box<delayq_retry_policy>>) {
    guard_unit(|| drop(policy));
}

/// No wait is longer than this. Default 3600000 (an hour) for an exponential policy, none for the others.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_retry_policy_set_cap_ms(policy: Option<&mut delayq_retry_policy>, cap_ms: i64) {
    guard_unit(|| {
        if let Some(policy) = policy {
            policy.cap = duration_setting(cap_ms, "cap_ms");
        }
    });
}

/// Spreads each wait evenly over plus and minus this share of itself, 0 to 1. Default 0.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_retry_policy_set_jitter(policy: Option<&mut delayq_retry_policy>, jitter: f64) {
    guard_unit(|| {
        if let Some(policy) = policy {
            policy.jitter = Some(jitter);
        }
    });
}

/// How many retries a job gets. Default 5; 0 means that its first failure is its last.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_retry_policy_set_max_retries(
    policy: Option<&mut delayq_retry_policy>,
    max_retries: i64,
) {
    guard_unit(|| {
        if let Some(policy) = policy {
            policy.max_retries = count_setting(max_retries, "max_retries", 0);
        }
    });
}
