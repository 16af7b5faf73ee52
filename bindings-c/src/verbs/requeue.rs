//! `requeue`.

use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::status::delayq_status;

/// Makes up to `limit` jobs whose lease has ended due again; no failure is counted. A job delivered as often as
/// the queue handle's `max_deliveries` goes to the dead letter set instead. Any number of processes may sweep at
/// once.
///
/// `limit` is 1 to `DELAYQ_MAX_SLICE`; `DELAYQ_DEFAULT_SLICE` is what the other languages take. `requeued`
/// receives the number of jobs that are due again, `dead` of those delivered too often, `orphaned` of ids whose
/// body was missing; each may be NULL. If the three together equal the limit, there may be more.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad limit; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`,
/// `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_requeue(
    queue: Option<&delayq_queue>,
    limit: usize,
    requeued: *mut u64,
    dead: *mut u64,
    orphaned: *mut u64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or writable, by the header's rules.
    let (requeued, dead, orphaned) =
        unsafe { (Out::new(requeued, 0), Out::new(dead, 0), Out::new(orphaned, 0)) };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "requeue", queue, |queue| {
        let done = queue.requeue(limit)?;
        requeued.set(done.requeued);
        dead.set(done.dead);
        orphaned.set(done.orphaned);
        Ok(())
    })
}
