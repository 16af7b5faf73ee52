//! `stats`.

use crate::args::duration_or_default;
use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::stats::delayq_stats;
use crate::status::delayq_status;

/// Looks up the numbers of the topic.
///
/// `overdue_ms` is for how long a job must have been due to count as overdue, or `DELAYQ_DEFAULT` for 30 s.
/// `*stats` is owned by the caller, see `delayq_stats_free()`.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad threshold; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`,
/// `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_stats(
    queue: Option<&delayq_queue>,
    overdue_ms: i64,
    stats: *mut *mut delayq_stats,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let (stats, err) = unsafe { (Out::object(stats), Out::object(err)) };
    guard_verb(err, "stats", queue, |queue| {
        stats.required("stats")?;
        stats.give(delayq_stats::new(match duration_or_default(overdue_ms, "overdue_ms")? {
            Some(overdue) => queue.stats_with(overdue)?,
            None => queue.stats()?,
        }));
        Ok(())
    })
}
