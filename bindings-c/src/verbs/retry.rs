//! `retry` and `retry_many`.

use std::ffi::c_char;
use std::ptr;

use delayq_core::{Result, Retry};

use crate::args::{DEFAULT, duration_or_default, given, handles, lossy_text, optional_items};
use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::job::delayq_job;
use crate::out::{Out, OutArray};
use crate::outcome::delayq_retry_outcome;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Reports a job as failed: its `retry_count` grows by one, and it is scheduled again as its policy says, or
/// goes to the dead letter set. A job that has a done marker is not run again (`DELAYQ_RETRY_DONE`).
///
/// `error` is what went wrong, kept as the job's last error up to `DELAYQ_MAX_ERROR` bytes; what is not UTF-8 in
/// it is replaced, and NULL is none. `delay_ms` is when to run it again instead of what the policy says;
/// `DELAYQ_DEFAULT` leaves that to the policy. `outcome`, `due_at_ms` (when the job will run again; -1 if it
/// will not) and `retry_count` (failures reported, this one included) may each be NULL.
///
/// Errors: `DELAYQ_ERR_LEASE_LOST` if the job is not held under this receipt any more (nothing changes);
/// `DELAYQ_ERR_INVALID_ARGUMENT` for a bad delay or a job of another topic; `DELAYQ_ERR_TIMEOUT` if the outcome
/// is unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_retry(
    queue: Option<&delayq_queue>,
    job: Option<&delayq_job>,
    error: *const c_char,
    delay_ms: i64,
    outcome: *mut delayq_retry_outcome,
    due_at_ms: *mut i64,
    retry_count: *mut u32,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or writable, by the header's rules.
    let (outcome, due_at_ms, retry_count) = unsafe {
        let outcome = Out::new(outcome, delayq_retry_outcome::DELAYQ_RETRY_NONE);
        (outcome, Out::new(due_at_ms, -1), Out::new(retry_count, 0))
    };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "retry", queue, |queue| {
        let job = given(job, "job")?;
        // SAFETY: NULL or a NUL-terminated text, by the header's rules.
        let retried = queue.retry(unsafe { to_core(job, error, delay_ms, "delay_ms") }?)?;
        outcome.set(delayq_retry_outcome::of(retried.outcome)?);
        due_at_ms.set(retried.due_at_ms.unwrap_or(-1));
        retry_count.set(retried.retry_count);
        Ok(())
    })
}

/// Reports many jobs as failed in few round trips, 500 jobs at a time. A lost lease is an outcome here, not an
/// error.
///
/// `jobs` are `jobs_len` pointers to jobs of this queue; it may be NULL if `jobs_len` is 0. The other arrays are
/// NULL or have as many items, in the same order: `errors` as the `error` of `delayq_queue_retry()`, each of
/// which may be NULL; `delays_ms` as its `delay_ms`, each of which may be `DELAYQ_DEFAULT`; `outcomes`,
/// `due_at_ms` and `retry_counts` receive what became of the jobs.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad delay or a job of another topic, before anything is sent;
/// `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
/// `DELAYQ_ERR_CLOSED`. After these the first jobs may have been handled, although there are no outcomes; if
/// called again, they give `DELAYQ_RETRY_LEASE_LOST`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_retry_many(
    queue: Option<&delayq_queue>,
    jobs: *const *const delayq_job,
    jobs_len: usize,
    errors: *const *const c_char,
    delays_ms: *const i64,
    outcomes: *mut delayq_retry_outcome,
    due_at_ms: *mut i64,
    retry_counts: *mut u32,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or that many writable items, by the documentation above.
    let (outcomes, due_at_ms, retry_counts) = unsafe {
        let outcomes = OutArray::new(outcomes, jobs_len, delayq_retry_outcome::DELAYQ_RETRY_NONE);
        (outcomes, OutArray::new(due_at_ms, jobs_len, -1), OutArray::new(retry_counts, jobs_len, 0))
    };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "retry_many", queue, |queue| {
        // SAFETY: each NULL or that many items, each pointer NULL or valid, by the header's rules.
        let (jobs, errors, delays) = unsafe {
            let jobs = handles(jobs, jobs_len, "jobs")?;
            let errors = optional_items(errors, jobs_len, "errors")?;
            (jobs, errors, optional_items(delays_ms, jobs_len, "delays_ms")?)
        };
        let retries = jobs.into_iter().enumerate().map(|(place, job)| {
            let error = errors.and_then(|errors| errors.get(place)).map_or(ptr::null(), |error| *error);
            let delay_ms = delays.and_then(|delays| delays.get(place)).map_or(DEFAULT, |delay_ms| *delay_ms);
            // SAFETY: NULL or a NUL-terminated text, by the header's rules.
            unsafe { to_core(job, error, delay_ms, &format!("delays_ms[{place}]")) }
        });
        let retries = retries.collect::<Result<Vec<_>>>()?;
        for (place, retried) in queue.retry_many(retries)?.into_iter().enumerate() {
            outcomes.set(place, delayq_retry_outcome::of(retried.outcome)?);
            due_at_ms.set(place, retried.due_at_ms.unwrap_or(-1));
            retry_counts.set(place, retried.retry_count);
        }
        Ok(())
    })
}

/// The core's report of one failed job.
///
/// # Safety
/// `error` is NULL or NUL-terminated and unchanged until the call returns.
unsafe fn to_core<'a>(
    job: &'a delayq_job,
    error: *const c_char,
    delay_ms: i64,
    name: &str,
) -> Result<Retry<'a>> {
    let delay = duration_or_default(delay_ms, name).map_err(|e| e.with_id(job.job.id()))?;
    // SAFETY: by this function's own promise.
    let retry = Retry::new(&*job.job).error(unsafe { lossy_text(error) });
    Ok(match delay {
        Some(delay) => retry.delay(delay),
        None => retry,
    })
}
