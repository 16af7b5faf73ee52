//! `enqueue` and `enqueue_many`.

use std::ffi::{CString, c_char};
use std::ptr;

use delayq_core::{Enqueued, Result};

use crate::args::{given, handles};
use crate::error::delayq_error;
use crate::guard::{guard_or, guard_unit, guard_verb};
use crate::new_job::delayq_new_job;
use crate::out::Out;
use crate::outcome::delayq_enqueue_outcome;
use crate::queue::delayq_queue;
use crate::status::delayq_status;
use crate::words::{owned, pointer};

/// What became of an enqueued job.
pub struct delayq_enqueued {
    id: CString,
    due_at_ms: i64,
    outcome: delayq_enqueue_outcome,
}

impl delayq_enqueued {
    fn new(enqueued: Enqueued) -> Result<Self> {
        Ok(delayq_enqueued {
            id: owned(&enqueued.id),
            due_at_ms: enqueued.due_at_ms.unwrap_or(-1),
            outcome: delayq_enqueue_outcome::of(enqueued.outcome)?,
        })
    }
}

/// What became of many enqueued jobs, in their order. Owned by the caller, see `delayq_enqueued_list_free()`.
pub struct delayq_enqueued_list {
    items: Vec<delayq_enqueued>,
}

/// Stores a job, to be due at its time. Body and index are written in one piece.
///
/// Without an id it gets a generated one. If the id is known, the mode decides; if a job of this id was
/// acknowledged not long ago, the outcome is `DELAYQ_ENQUEUE_DONE` and nothing is stored. `enqueued` may be
/// NULL; `*enqueued` is owned by the caller, see `delayq_enqueued_free()`.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad id, time, mode or payload; `DELAYQ_ERR_TIMEOUT` if the
/// outcome is unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
/// `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_enqueue(
    queue: Option<&delayq_queue>,
    job: Option<&delayq_new_job>,
    enqueued: *mut *mut delayq_enqueued,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let (enqueued, err) = unsafe { (Out::object(enqueued), Out::object(err)) };
    guard_verb(err, "enqueue", queue, |queue| {
        let job = given(job, "job")?.to_core()?;
        enqueued.give(delayq_enqueued::new(queue.enqueue(job)?)?);
        Ok(())
    })
}

/// Stores many jobs in few round trips. Each chunk (up to 500 jobs or 1 MiB of payload) is stored in one piece;
/// a job that repeats an id of its chunk begins a new one.
///
/// `jobs` are `jobs_len` pointers to jobs, which stay the caller's; it may be NULL if `jobs_len` is 0. `list`
/// may be NULL; `*list` is owned by the caller, see `delayq_enqueued_list_free()`.
///
/// Errors: as `delayq_queue_enqueue()`. A value that is refused is refused before anything is sent, except a
/// delay that passes the year 9999 only by the server's clock, which refuses its chunk. After any other error
/// the earlier chunks are stored.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_enqueue_many(
    queue: Option<&delayq_queue>,
    jobs: *const *const delayq_new_job,
    jobs_len: usize,
    list: *mut *mut delayq_enqueued_list,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let (list, err) = unsafe { (Out::object(list), Out::object(err)) };
    guard_verb(err, "enqueue_many", queue, |queue| {
        // SAFETY: NULL or that many pointers, each NULL or valid, by the header's rules.
        let jobs = unsafe { handles(jobs, jobs_len, "jobs") }?;
        let jobs = jobs.into_iter().map(delayq_new_job::to_core).collect::<Result<_>>()?;
        let stored = queue.enqueue_many(jobs)?;
        let items = stored.into_iter().map(delayq_enqueued::new).collect::<Result<_>>()?;
        list.give(delayq_enqueued_list { items });
        Ok(())
    })
}

/// The number of jobs; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_enqueued_list_len(list: Option<&delayq_enqueued_list>) -> usize {
    guard_or(0, || list.map_or(0, |list| list.items.len()))
}

/// What became of the job at this place; NULL past the end and for NULL. It belongs to the list and must not be
/// freed on its own.
///
/// Valid until the list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_enqueued_list_get(
    list: Option<&delayq_enqueued_list>,
    index: usize,
) -> Option<&delayq_enqueued> {
    guard_or(None, || list.and_then(|list| list.items.get(index)))
}

/// Frees the list and what was read from it. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_enqueued_list_free(list: Option<Box<delayq_enqueued_list>>) {
    guard_unit(|| drop(list));
}

/// The job's id, given or generated; NULL for NULL.
///
/// Valid until the result or its list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_enqueued_id(enqueued: Option<&delayq_enqueued>) -> *const c_char {
    guard_or(ptr::null(), || pointer(enqueued.map(|enqueued| enqueued.id.as_c_str())))
}

/// When the job of this id is due, ms since the epoch; -1 if there is none (`DELAYQ_ENQUEUE_DONE`,
/// `DELAYQ_ENQUEUE_MISSING`) and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_enqueued_due_at_ms(enqueued: Option<&delayq_enqueued>) -> i64 {
    guard_or(-1, || enqueued.map_or(-1, |enqueued| enqueued.due_at_ms))
}

/// What was done; `DELAYQ_ENQUEUE_NONE` for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_enqueued_outcome(enqueued: Option<&delayq_enqueued>) -> delayq_enqueue_outcome {
    let none = delayq_enqueue_outcome::DELAYQ_ENQUEUE_NONE;
    guard_or(none, || enqueued.map_or(none, |enqueued| enqueued.outcome))
}

/// Frees the result of one enqueue. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_enqueued_free(enqueued: Option<Box<delayq_enqueued>>) {
    guard_unit(|| drop(enqueued));
}
