//! `get`.

use std::ffi::c_char;

use crate::args::text;
use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::job_info::delayq_job_info;
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Looks up everything that Redis knows about a job. `*info` is owned by the caller, see
/// `delayq_job_info_free()`.
///
/// Errors: `DELAYQ_ERR_NOT_FOUND` if nothing is known under the id; `DELAYQ_ERR_INVALID_ARGUMENT` for a bad id;
/// `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
/// `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_get(
    queue: Option<&delayq_queue>,
    id: *const c_char,
    info: *mut *mut delayq_job_info,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let (info, err) = unsafe { (Out::object(info), Out::object(err)) };
    guard_verb(err, "get", queue, |queue| {
        info.required("info")?;
        // SAFETY: NULL or a NUL-terminated text, by the header's rules.
        let id = unsafe { text(id, "id") }?;
        info.give(delayq_job_info::new(queue.get(id)?)?);
        Ok(())
    })
}
