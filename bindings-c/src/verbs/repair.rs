//! `repair`.

use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Looks for ids without a body and bodies without an id, e.g. after an eviction or an edit by hand, and puts
/// them right: a lost body makes its id an orphan, a body that no index holds is scheduled again. One pass in
/// small steps that never block Redis. Healthy jobs are left alone, so producers and consumers may go on.
///
/// `limit` is 1 or more: the pass ends early once so many things were put right; `DELAYQ_MAX_SLICE` is what the
/// other languages take. `checked` receives the number of ids and bodies that were looked at, `rescheduled` of
/// bodies that no index held and that are scheduled now, `orphaned` of ids whose body is missing, `removed` of
/// bodies that no index held and whose job was done; each may be NULL.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a limit of 0; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`,
/// `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`. To call again does no harm.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_repair(
    queue: Option<&delayq_queue>,
    limit: usize,
    checked: *mut u64,
    rescheduled: *mut u64,
    orphaned: *mut u64,
    removed: *mut u64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or writable, by the header's rules.
    let (checked, rescheduled) = unsafe { (Out::new(checked, 0), Out::new(rescheduled, 0)) };
    // SAFETY: each NULL or writable, by the header's rules.
    let (orphaned, removed) = unsafe { (Out::new(orphaned, 0), Out::new(removed, 0)) };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "repair", queue, |queue| {
        let done = queue.repair(limit)?;
        checked.set(done.checked);
        rescheduled.set(done.rescheduled);
        orphaned.set(done.orphaned);
        removed.set(done.removed);
        Ok(())
    })
}
