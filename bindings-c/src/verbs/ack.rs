//! `ack`.

use crate::args::given;
use crate::error::delayq_error;
use crate::guard::guard;
use crate::job::delayq_job;
use crate::out::Out;
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
    guard(err, || {
        let queue = &given(queue, "queue")?.queue;
        let job = given(job, "job").map_err(|e| e.with_verb("ack").with_topic(queue.topic()))?;
        outcome.set(delayq_ack_outcome::of(queue.ack(&job.job)?)?);
        Ok(())
    })
}
