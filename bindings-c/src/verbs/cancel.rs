//! `cancel`.

use std::ffi::c_char;

use crate::args::text;
use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::out::Out;
use crate::outcome::delayq_cancel_outcome;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Removes a job in any live state and says which it was. A running consumer's later ack is refused. `outcome`
/// may be NULL.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad id; `DELAYQ_ERR_TIMEOUT` if the outcome is unknown;
/// `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_cancel(
    queue: Option<&delayq_queue>,
    id: *const c_char,
    outcome: *mut delayq_cancel_outcome,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let (outcome, err) =
        unsafe { (Out::new(outcome, delayq_cancel_outcome::DELAYQ_CANCEL_NONE), Out::object(err)) };
    guard_verb(err, "cancel", queue, |queue| {
        // SAFETY: NULL or a NUL-terminated text, by the header's rules.
        let id = unsafe { text(id, "id") }?;
        outcome.set(delayq_cancel_outcome::of(queue.cancel(id)?)?);
        Ok(())
    })
}
