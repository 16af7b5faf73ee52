//! Milliseconds since the epoch, and the ways a caller may say when a job is due.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::{Error, Result};

/// 9999-12-31T23:59:59.999Z, the last due time there is. Below 2^53, so a sorted-set score holds it exactly.
pub const MAX_MS: i64 = 253_402_300_799_999;

/// When a job is due. Relative delays are added to the Redis server's clock, inside the script.
///
/// The floating-point forms exist for languages whose natural unit they are; every form is validated in one
/// place, before anything is sent, and rounded to the nearest millisecond.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum When {
    /// As soon as possible.
    Now,
    /// After this delay.
    Delay(Duration),
    /// After this many milliseconds.
    DelayMs(i64),
    /// After this many milliseconds, as a float (JavaScript).
    DelayMsF64(f64),
    /// After this many seconds, as a float (Python).
    DelaySecsF64(f64),
    /// At this time; a time in the past means now.
    At(SystemTime),
    /// At this many milliseconds since the epoch; the past means now.
    AtMs(i64),
    /// At this many milliseconds since the epoch, as a float (JavaScript).
    AtMsF64(f64),
}

/// A validated [`When`], in the two forms that the script knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    DelayMs(i64),
    AtMs(i64),
}

impl When {
    pub(crate) fn validate(self) -> Result<Due> {
        match self {
            When::Now => Ok(Due::DelayMs(0)),
            When::Delay(d) => delay_ms(round_ms(d)).map(Due::DelayMs),
            When::DelayMs(ms) => delay_ms(i128::from(ms)).map(Due::DelayMs),
            When::DelayMsF64(ms) => float_ms(ms, "delay").and_then(delay_ms).map(Due::DelayMs),
            When::DelaySecsF64(s) => float_ms(s * 1000.0, "delay").and_then(delay_ms).map(Due::DelayMs),
            When::At(t) => at_ms(system_time_ms(t)).map(Due::AtMs),
            When::AtMs(ms) => at_ms(i128::from(ms)).map(Due::AtMs),
            When::AtMsF64(ms) => float_ms(ms, "at").and_then(at_ms).map(Due::AtMs),
        }
    }
}

/// A duration given as float seconds, as whole ms. `name` is the argument, for the sentence.
pub fn ms_from_secs_f64(name: &str, secs: f64) -> Result<i64> {
    ms_from_ms_f64(name, secs * 1000.0)
}

/// A duration given as float milliseconds, as whole ms. `name` is the argument, for the sentence.
pub fn ms_from_ms_f64(name: &str, ms: f64) -> Result<i64> {
    let ms = float_ms(ms, name)?;
    if ms < 0 {
        return Err(Error::invalid(format!("{name} is negative; give zero or more")));
    }
    i64::try_from(ms.min(i128::from(MAX_MS))).map_err(|_| Error::internal("a clamped duration overflowed"))
}

/// A delay in ms, refused if it cannot but end after the year 9999; the script looks again by its own clock.
pub(crate) fn checked_delay(delay: Duration) -> Result<i64> {
    // Bindings clamp a longer one to MAX_MS, which no clock after 1970 can reach.
    delay_ms(round_ms(delay)).and_then(|ms| if ms == MAX_MS { Err(after_year_9999()) } else { Ok(ms) })
}

pub(crate) fn from_ms(ms: i64) -> SystemTime {
    let magnitude = Duration::from_millis(ms.unsigned_abs());
    if ms < 0 { UNIX_EPOCH - magnitude } else { UNIX_EPOCH + magnitude }
}

/// Whole milliseconds of a configured duration, at most [`MAX_MS`].
pub(crate) fn duration_ms(d: Duration) -> i64 {
    i64::try_from(round_ms(d)).unwrap_or(MAX_MS).min(MAX_MS)
}

fn round_ms(d: Duration) -> i128 {
    i128::from(d.as_secs()) * 1000 + i128::from((d.subsec_nanos() + 500_000) / 1_000_000)
}

fn system_time_ms(t: SystemTime) -> i128 {
    match t.duration_since(UNIX_EPOCH) {
        Ok(after) => round_ms(after),
        Err(before) => -round_ms(before.duration()),
    }
}

fn float_ms(ms: f64, name: &str) -> Result<i128> {
    if ms.is_nan() || ms.is_infinite() {
        return Err(Error::invalid(format!("{name} is {ms}; give a finite number")));
    }
    Ok(ms.round() as i128) // saturates; the range is checked next
}

fn delay_ms(ms: i128) -> Result<i64> {
    if ms < 0 {
        return Err(Error::invalid(format!(
            "delay is negative ({ms} ms); give zero or more, or an absolute time"
        )));
    }
    in_range(ms)
}

fn at_ms(ms: i128) -> Result<i64> {
    in_range(ms.max(0)) // anything before 1970 is simply the past: due now
}

fn in_range(ms: i128) -> Result<i64> {
    i64::try_from(ms).ok().filter(|ms| *ms <= MAX_MS).ok_or_else(after_year_9999)
}

pub(crate) fn after_year_9999() -> Error {
    Error::invalid("the due time lies after the year 9999; give an earlier one")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn every_unit_gives_the_same_milliseconds() {
        for when in [
            When::Delay(Duration::from_micros(1_500_000)),
            When::DelayMs(1500),
            When::DelayMsF64(1500.2),
            When::DelaySecsF64(1.5),
        ] {
            assert_eq!(when.validate().unwrap(), Due::DelayMs(1500), "{when:?}");
        }
        let t = UNIX_EPOCH + Duration::from_millis(1_796_000_000_123);
        for when in [When::At(t), When::AtMs(1_796_000_000_123), When::AtMsF64(1_796_000_000_123.0)] {
            assert_eq!(when.validate().unwrap(), Due::AtMs(1_796_000_000_123), "{when:?}");
        }
    }

    #[test]
    fn the_last_millisecond_of_year_9999_is_exact_and_the_next_is_refused() {
        assert_eq!(When::AtMs(MAX_MS).validate().unwrap(), Due::AtMs(MAX_MS));
        assert_eq!(When::AtMsF64(MAX_MS as f64).validate().unwrap(), Due::AtMs(MAX_MS));
        assert!(When::AtMs(MAX_MS + 1).validate().is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        for when in [
            When::DelaySecsF64(f64::NAN),
            When::DelaySecsF64(f64::INFINITY),
            When::DelaySecsF64(-1.0),
            When::DelaySecsF64(f64::MAX),
            When::DelayMsF64(f64::NEG_INFINITY),
            When::DelayMs(-1),
            When::DelayMs(i64::MIN),
            When::DelayMs(i64::MAX),
            When::Delay(Duration::MAX),
            When::AtMs(i64::MAX),
            When::AtMsF64(f64::NAN),
        ] {
            assert_eq!(when.validate().unwrap_err().kind(), ErrorKind::InvalidArgument, "{when:?}");
        }
    }

    #[test]
    fn times_before_the_epoch_are_the_past() {
        for when in [When::AtMs(i64::MIN), When::AtMs(-5), When::At(UNIX_EPOCH - Duration::from_secs(9))] {
            assert_eq!(when.validate().unwrap(), Due::AtMs(0), "{when:?}");
        }
    }
}
