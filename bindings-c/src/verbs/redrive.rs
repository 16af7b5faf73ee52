//! `redrive`, of the oldest or of named jobs.

use std::ffi::c_char;

use crate::args::{duration, texts};
use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Schedules up to `limit` dead jobs again, the longest dead first, with fresh counters, due after `delay_ms`; 0
/// is at once.
///
/// `limit` is 1 to `DELAYQ_MAX_SLICE`; `DELAYQ_DEFAULT_SLICE` is what the other languages take. `redriven`
/// receives the number of jobs that are scheduled again, `orphaned` of ids whose body was missing; each may be
/// NULL. If the two together equal the limit, there may be more.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad limit or delay; `DELAYQ_ERR_TIMEOUT` if the outcome is
/// unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_redrive(
    queue: Option<&delayq_queue>,
    limit: usize,
    delay_ms: i64,
    redriven: *mut u64,
    orphaned: *mut u64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or writable, by the header's rules.
    let (redriven, orphaned) = unsafe { (Out::new(redriven, 0), Out::new(orphaned, 0)) };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "redrive", queue, |queue| {
        let done = queue.redrive(limit, duration(delay_ms, "delay_ms")?)?;
        redriven.set(done.redriven);
        orphaned.set(done.orphaned);
        Ok(())
    })
}

/// Schedules these dead jobs again, with fresh counters, due after `delay_ms`; 0 is at once. Ids that are not
/// dead are counted and left alone.
///
/// `ids` are `ids_len` texts; it may be NULL if `ids_len` is 0. `redriven` receives the number of jobs that are
/// scheduled again, `orphaned` of ids whose body was missing, `not_dead` of ids that were not dead; each may be
/// NULL.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad id or delay, before anything is sent; `DELAYQ_ERR_TIMEOUT` if
/// the outcome is unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
/// `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_redrive_ids(
    queue: Option<&delayq_queue>,
    ids: *const *const c_char,
    ids_len: usize,
    delay_ms: i64,
    redriven: *mut u64,
    orphaned: *mut u64,
    not_dead: *mut u64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or writable, by the header's rules.
    let (redriven, orphaned, not_dead) =
        unsafe { (Out::new(redriven, 0), Out::new(orphaned, 0), Out::new(not_dead, 0)) };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "redrive", queue, |queue| {
        // SAFETY: NULL or that many pointers, each NULL or a NUL-terminated text, by the header's rules.
        let ids = unsafe { texts(ids, ids_len, "ids") }?;
        let done = queue.redrive_ids(&ids, duration(delay_ms, "delay_ms")?)?;
        redriven.set(done.redriven);
        orphaned.set(done.orphaned);
        not_dead.set(done.not_dead);
        Ok(())
    })
}
