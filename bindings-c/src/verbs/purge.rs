//! `purge`.

use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::state::{delayq_state, state_number};
use crate::status::delayq_status;

/// Deletes up to `limit` jobs of one state, the lowest due time, deadline or age first. Purging running jobs
/// revokes their leases.
///
/// `state` is any but `DELAYQ_STATE_DONE`. `limit` is 1 to `DELAYQ_MAX_SLICE`, which is what the other languages
/// take. `purged` receives the number of jobs that were deleted, `remaining` of those left in that state; each
/// may be NULL. Call again until none remain.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad state or limit; `DELAYQ_ERR_TIMEOUT` if the outcome is
/// unknown; `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_purge(
    queue: Option<&delayq_queue>,
    state: state_number,
    limit: usize,
    purged: *mut u64,
    remaining: *mut u64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or writable, by the header's rules.
    let (purged, remaining) = unsafe { (Out::new(purged, 0), Out::new(remaining, 0)) };
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard_verb(err, "purge", queue, |queue| {
        let done = queue.purge(delayq_state::given(state)?, limit)?;
        purged.set(done.purged);
        remaining.set(done.remaining);
        Ok(())
    })
}
