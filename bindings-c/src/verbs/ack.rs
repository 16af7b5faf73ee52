//! `ack` and `ack_many`.

use crate::args::{given, handles};
use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::job::delayq_job;
use crate::out::{Out, OutArray};
use crate::outcome::delayq_ack_outcome;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Reports a job as done: it is removed, and its done marker is written.
///
/// Acknowledging again under the same receipt gives `DELAYQ_ACK_ALREADY` while the done marker lives. `outcome`
/// may be NULL. The job object stays valid until its list is freed.
///
/// Errors: `DELAYQ_ERR_LEASE_LOST` if the job is not held under this receipt any more (nothing changes);
/// `DELAYQ_ERR_INVALID_ARGUMENT` if it is of another topic; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`,
/// `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_ack(
    queue: Option<&delayq_queue>,
    job: Option<&delayq_job>,
    outcome: *mut delayq_ack_outcome,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let (outcome, err) =
        unsafe { (Out::new(outcome, delayq_ack_outcome::DELAYQ_ACK_NONE), Out::object(err)) };
    guard_verb(err, "ack", queue, |queue| {
        outcome.set(delayq_ack_outcome::of(queue.ack(&*given(job, "job")?.job)?)?);
        Ok(())
    })
}

/// Reports many jobs as done in few round trips, 500 jobs at a time. A lost lease is an outcome here, not an
/// error.
///
/// `jobs` are `jobs_len` pointers to jobs of this queue; it may be NULL if `jobs_len` is 0. `outcomes` is NULL
/// or the address of the first of `jobs_len` outcomes, which receive those of the jobs, in their order.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` if a job is of another topic, before anything is sent;
/// `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
/// `DELAYQ_ERR_CLOSED`. After these the first jobs may have been handled, although there are no outcomes; to
/// call again does no harm.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_ack_many(
    queue: Option<&delayq_queue>,
    jobs: *const *const delayq_job,
    jobs_len: usize,
    outcomes: *mut delayq_ack_outcome,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or that many writable outcomes, by the documentation above.
    let outcomes = unsafe { OutArray::new(outcomes, jobs_len, delayq_ack_outcome::DELAYQ_ACK_NONE) };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "ack_many", queue, |queue| {
        // SAFETY: NULL or that many pointers, each NULL or valid, by the header's rules.
        let jobs = unsafe { handles(jobs, jobs_len, "jobs") }?;
        for (place, outcome) in queue.ack_many(jobs.iter().map(|job| &*job.job))?.into_iter().enumerate() {
            outcomes.set(place, delayq_ack_outcome::of(outcome)?);
        }
        Ok(())
    })
}
