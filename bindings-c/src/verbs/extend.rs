//! `extend` and `extend_many`.

use crate::args::{duration_or_default, given, handles};
use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::job::delayq_job;
use crate::out::{Out, OutArray};
use crate::outcome::delayq_extend_outcome;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Gives a job a new lease from now, under the same receipt. Also the cheap question "is it still mine?" before
/// a side effect.
///
/// `lease_ms` is 1 or more, or `DELAYQ_DEFAULT` for the queue handle's. `outcome` and `lease_until_ms` (when the
/// lease ends; -1 after a failure) may each be NULL. `delayq_job_lease_until_ms()` goes on to give the lease of
/// the pop.
///
/// Errors: `DELAYQ_ERR_LEASE_LOST` if the job is not held under this receipt any more (nothing changes);
/// `DELAYQ_ERR_INVALID_ARGUMENT` for a bad lease or a job of another topic; `DELAYQ_ERR_UNAVAILABLE`,
/// `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_extend(
    queue: Option<&delayq_queue>,
    job: Option<&delayq_job>,
    lease_ms: i64,
    outcome: *mut delayq_extend_outcome,
    lease_until_ms: *mut i64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or writable, by the header's rules.
    let (outcome, lease_until_ms) = unsafe {
        (Out::new(outcome, delayq_extend_outcome::DELAYQ_EXTEND_NONE), Out::new(lease_until_ms, -1))
    };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "extend", queue, |queue| {
        let job = &*given(job, "job")?.job;
        let lease = duration_or_default(lease_ms, "lease_ms").map_err(|e| e.with_id(job.id()))?;
        let extended = queue.extend(job, lease)?;
        outcome.set(delayq_extend_outcome::of(extended.outcome)?);
        lease_until_ms.set(extended.lease_until_ms.unwrap_or(-1));
        Ok(())
    })
}

/// Gives many jobs new leases in few round trips, 500 jobs at a time. A lost lease is an outcome here, not an
/// error.
///
/// `jobs` are `jobs_len` pointers to jobs of this queue; it may be NULL if `jobs_len` is 0. `lease_ms` is as for
/// `delayq_queue_extend()`. `outcomes` and `lease_until_ms` are NULL or arrays of as many items, which receive
/// what became of the leases, in the order of the jobs; -1 for a lost one.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad lease or a job of another topic, before anything is sent;
/// `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
/// `DELAYQ_ERR_CLOSED`. After these the first jobs may have been handled, although there are no outcomes; to
/// call again does no harm.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_extend_many(
    queue: Option<&delayq_queue>,
    jobs: *const *const delayq_job,
    jobs_len: usize,
    lease_ms: i64,
    outcomes: *mut delayq_extend_outcome,
    lease_until_ms: *mut i64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or that many writable items, by the documentation above.
    let (outcomes, lease_until_ms) = unsafe {
        let outcomes = OutArray::new(outcomes, jobs_len, delayq_extend_outcome::DELAYQ_EXTEND_NONE);
        (outcomes, OutArray::new(lease_until_ms, jobs_len, -1))
    };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "extend_many", queue, |queue| {
        // SAFETY: NULL or that many pointers, each NULL or valid, by the header's rules.
        let jobs = unsafe { handles(jobs, jobs_len, "jobs") }?;
        let lease = duration_or_default(lease_ms, "lease_ms")?;
        let done = queue.extend_many(jobs.iter().map(|job| &*job.job), lease)?;
        for (place, extended) in done.into_iter().enumerate() {
            outcomes.set(place, delayq_extend_outcome::of(extended.outcome)?);
            lease_until_ms.set(place, extended.lease_until_ms.unwrap_or(-1));
        }
        Ok(())
    })
}
