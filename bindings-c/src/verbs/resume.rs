//! `resume`.

use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Ends a `delayq_queue_pause()` of the topic, whoever began it. To call it twice does no harm.
///
/// Errors: `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
/// `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_resume(
    queue: Option<&delayq_queue>,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "resume", queue, |queue| queue.resume())
}
