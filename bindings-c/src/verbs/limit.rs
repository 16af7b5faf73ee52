//! `limit`, and taking it away.

use crate::args::count_or_default;
use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Gives all consumers of the topic together, in any language, at most `rate` jobs per second, and at most
/// `burst` at once after a quiet time. In any time t they are given at most burst + rate * t.
///
/// `rate` is over 0 and at most 1e9; it need not be whole. `burst` is 1 or more, or `DELAYQ_DEFAULT` for the
/// jobs of one second. See `delayq_queue_unlimit()` for no limit.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad rate or burst; `DELAYQ_ERR_UNAVAILABLE`,
/// `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_limit(
    queue: Option<&delayq_queue>,
    rate: f64,
    burst: i64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "limit", queue, |queue| queue.limit(rate, count_or_default(burst, "burst")?))
}

/// Takes the `delayq_queue_limit()` of the topic away. To call it without a limit does no harm.
///
/// Errors: `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
/// `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_unlimit(
    queue: Option<&delayq_queue>,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "limit", queue, |queue| queue.unlimit())
}
