//! `pop`.

use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::job::{delayq_job, delayq_jobs};
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::status::delayq_status;
use crate::verbs::pop_options::delayq_pop_options;

/// Takes up to `max` due jobs, the oldest due time first (equal times by id), and leases each to this caller.
/// The list is empty if nothing is due, with `delayq_pop_options_set_wait_ms()` after waiting that long, and if
/// the wait was cancelled.
///
/// `max` is 1 to `DELAYQ_MAX_POP`. `options` may be NULL for the defaults. `*jobs` is owned by the caller, see
/// `delayq_jobs_free()`, and is never NULL after success.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad `max`, lease or wait; `DELAYQ_ERR_TIMEOUT` (jobs may be
/// leased to nobody until their lease ends); `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`,
/// `DELAYQ_ERR_INCOMPATIBLE`; `DELAYQ_ERR_CLOSED`, also if the client is closed during the wait.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_pop(
    queue: Option<&delayq_queue>,
    max: usize,
    options: Option<&delayq_pop_options>,
    jobs: *mut *mut delayq_jobs,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let (jobs, err) = unsafe { (Out::object(jobs), Out::object(err)) };
    guard_verb(err, "pop", queue, |queue| {
        jobs.required("jobs")?;
        let popped = queue.pop(delayq_pop_options::to_core(options, max)?)?;
        jobs.give(delayq_jobs { jobs: popped.into_iter().map(delayq_job::new).collect() });
        Ok(())
    })
}
