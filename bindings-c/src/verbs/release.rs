//! `release` and `release_many`.

use crate::args::{duration, given, handles};
use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::job::delayq_job;
use crate::out::{Out, OutArray};
use crate::outcome::delayq_release_outcome;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Hands a job back without counting a failure, to be due after `delay_ms`; 0 is at once. `outcome` and
/// `due_at_ms` (when it is due again; -1 if it is not) may each be NULL.
///
/// Errors: `DELAYQ_ERR_LEASE_LOST` if the job is not held under this receipt any more (nothing changes);
/// `DELAYQ_ERR_INVALID_ARGUMENT` for a bad delay or a job of another topic; `DELAYQ_ERR_TIMEOUT` if the outcome
/// is unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_release(
    queue: Option<&delayq_queue>,
    job: Option<&delayq_job>,
    delay_ms: i64,
    outcome: *mut delayq_release_outcome,
    due_at_ms: *mut i64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or writable, by the header's rules.
    let (outcome, due_at_ms) =
        unsafe { (Out::new(outcome, delayq_release_outcome::DELAYQ_RELEASE_NONE), Out::new(due_at_ms, -1)) };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "release", queue, |queue| {
        let job = &*given(job, "job")?.job;
        let delay = duration(delay_ms, "delay_ms").map_err(|e| e.with_id(job.id()))?;
        let released = queue.release(job, delay)?;
        outcome.set(delayq_release_outcome::of(released.outcome)?);
        due_at_ms.set(released.due_at_ms.unwrap_or(-1));
        Ok(())
    })
}

/// Hands many jobs back in few round trips, 500 jobs at a time, to be due after `delay_ms`; 0 is at once. A lost
/// lease is an outcome here, not an error.
///
/// `jobs` are `jobs_len` pointers to jobs of this queue; it may be NULL if `jobs_len` is 0. `outcomes` and
/// `due_at_ms` are NULL or arrays of as many items, which receive what became of the jobs, in their order.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad delay or a job of another topic, before anything is sent;
/// `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
/// `DELAYQ_ERR_CLOSED`. After these the first jobs may have been handled, although there are no outcomes; if
/// called again, they give `DELAYQ_RELEASE_LEASE_LOST`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_release_many(
    queue: Option<&delayq_queue>,
    jobs: *const *const delayq_job,
    jobs_len: usize,
    delay_ms: i64,
    outcomes: *mut delayq_release_outcome,
    due_at_ms: *mut i64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or that many writable items, by the documentation above.
    let (outcomes, due_at_ms) = unsafe {
        let outcomes = OutArray::new(outcomes, jobs_len, delayq_release_outcome::DELAYQ_RELEASE_NONE);
        (outcomes, OutArray::new(due_at_ms, jobs_len, -1))
    };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "release_many", queue, |queue| {
        // SAFETY: NULL or that many pointers, each NULL or valid, by the header's rules.
        let jobs = unsafe { handles(jobs, jobs_len, "jobs") }?;
        let done = queue.release_many(jobs.iter().map(|job| &*job.job), duration(delay_ms, "delay_ms")?)?;
        for (place, released) in done.into_iter().enumerate() {
            outcomes.set(place, delayq_release_outcome::of(released.outcome)?);
            due_at_ms.set(place, released.due_at_ms.unwrap_or(-1));
        }
        Ok(())
    })
}
