//! What a verb did, as numbers and words.

use std::ffi::{c_char, c_int};
use std::ptr;

use delayq_core::{AckOutcome, CancelOutcome, EnqueueOutcome, ExtendOutcome, ReleaseOutcome, RetryOutcome};

use crate::guard::guard_or;
use crate::pairs::pairs;
use crate::words::word;

/// What `delayq_queue_enqueue()` did.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum delayq_enqueue_outcome {
    /// No outcome, since the call failed.
    DELAYQ_ENQUEUE_NONE = 0,
    /// A new job was stored.
    DELAYQ_ENQUEUE_CREATED = 1,
    /// A job of this id was replaced by the new one.
    DELAYQ_ENQUEUE_REPLACED = 2,
    /// A job of this id was there and stays as it is (`DELAYQ_MODE_KEEP`).
    DELAYQ_ENQUEUE_KEPT = 3,
    /// The due time was moved (`DELAYQ_MODE_RESCHEDULE`).
    DELAYQ_ENQUEUE_MOVED = 4,
    /// A job of this id was done not long ago, so nothing was stored.
    DELAYQ_ENQUEUE_DONE = 5,
    /// There is no scheduled job of this id to move (`DELAYQ_MODE_RESCHEDULE`).
    DELAYQ_ENQUEUE_MISSING = 6,
}

/// What `delayq_queue_ack()` did.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum delayq_ack_outcome {
    /// No outcome, since the call failed.
    DELAYQ_ACK_NONE = 0,
    /// The job is done and gone.
    DELAYQ_ACK_ACKED = 1,
    /// The job had been acknowledged under this receipt before; nothing changed.
    DELAYQ_ACK_ALREADY = 2,
    /// The job is not held under this receipt any more; nothing changed. A single ack reports this as
    /// `DELAYQ_ERR_LEASE_LOST`.
    DELAYQ_ACK_LEASE_LOST = 3,
}

/// What `delayq_queue_retry()` did.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum delayq_retry_outcome {
    /// No outcome, since the call failed.
    DELAYQ_RETRY_NONE = 0,
    /// The job will run again, when its policy says.
    DELAYQ_RETRY_SCHEDULED = 1,
    /// That was one failure too many; the job is in the dead letter set.
    DELAYQ_RETRY_DEAD = 2,
    /// The job has a done marker, so it succeeded before; it will not run again.
    DELAYQ_RETRY_DONE = 3,
    /// The job is not held under this receipt any more; nothing changed. A single retry reports this as
    /// `DELAYQ_ERR_LEASE_LOST`.
    DELAYQ_RETRY_LEASE_LOST = 4,
}

/// What `delayq_queue_release()` did.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum delayq_release_outcome {
    /// No outcome, since the call failed.
    DELAYQ_RELEASE_NONE = 0,
    /// The job is scheduled again, without a failure.
    DELAYQ_RELEASE_RELEASED = 1,
    /// The job had been acknowledged under this receipt; nothing changed.
    DELAYQ_RELEASE_DONE = 2,
    /// The job is not held under this receipt any more; nothing changed. A single release reports this as
    /// `DELAYQ_ERR_LEASE_LOST`.
    DELAYQ_RELEASE_LEASE_LOST = 3,
}

/// What `delayq_queue_extend()` did.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum delayq_extend_outcome {
    /// No outcome, since the call failed.
    DELAYQ_EXTEND_NONE = 0,
    /// The lease ends later now.
    DELAYQ_EXTEND_EXTENDED = 1,
    /// The job is not held under this receipt any more; nothing changed. A single extend reports this as
    /// `DELAYQ_ERR_LEASE_LOST`.
    DELAYQ_EXTEND_LEASE_LOST = 2,
}

/// Where `delayq_queue_cancel()` found the job that it removed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum delayq_cancel_outcome {
    /// No outcome, since the call failed.
    DELAYQ_CANCEL_NONE = 0,
    /// It was waiting for its due time.
    DELAYQ_CANCEL_SCHEDULED = 1,
    /// It was leased; the consumer's later ack is refused.
    DELAYQ_CANCEL_PROCESSING = 2,
    /// It was in the dead letter set.
    DELAYQ_CANCEL_DEAD = 3,
    /// Only one half of it was there (index or body); that half is gone now.
    DELAYQ_CANCEL_ORPHAN = 4,
    /// It had been acknowledged already; there was nothing to remove.
    DELAYQ_CANCEL_DONE = 5,
    /// Nothing is known under this id.
    DELAYQ_CANCEL_MISSING = 6,
}

pairs!(delayq_enqueue_outcome, EnqueueOutcome:
    DELAYQ_ENQUEUE_CREATED = Created, DELAYQ_ENQUEUE_REPLACED = Replaced, DELAYQ_ENQUEUE_KEPT = Kept,
    DELAYQ_ENQUEUE_MOVED = Moved, DELAYQ_ENQUEUE_DONE = Done, DELAYQ_ENQUEUE_MISSING = Missing);

pairs!(delayq_ack_outcome, AckOutcome:
    DELAYQ_ACK_ACKED = Acked, DELAYQ_ACK_ALREADY = Already, DELAYQ_ACK_LEASE_LOST = LeaseLost);

pairs!(delayq_retry_outcome, RetryOutcome:
    DELAYQ_RETRY_SCHEDULED = Scheduled, DELAYQ_RETRY_DEAD = Dead, DELAYQ_RETRY_DONE = Done,
    DELAYQ_RETRY_LEASE_LOST = LeaseLost);

pairs!(delayq_release_outcome, ReleaseOutcome:
    DELAYQ_RELEASE_RELEASED = Released, DELAYQ_RELEASE_DONE = Done,
    DELAYQ_RELEASE_LEASE_LOST = LeaseLost);

pairs!(delayq_extend_outcome, ExtendOutcome:
    DELAYQ_EXTEND_EXTENDED = Extended, DELAYQ_EXTEND_LEASE_LOST = LeaseLost);

pairs!(delayq_cancel_outcome, CancelOutcome:
    DELAYQ_CANCEL_SCHEDULED = Scheduled, DELAYQ_CANCEL_PROCESSING = Processing, DELAYQ_CANCEL_DEAD = Dead,
    DELAYQ_CANCEL_ORPHAN = Orphan, DELAYQ_CANCEL_DONE = Done, DELAYQ_CANCEL_MISSING = Missing);

/// An outcome as a plain number, since C may pass any.
pub type enqueue_outcome_number = c_int;
/// An outcome as a plain number, since C may pass any.
pub type ack_outcome_number = c_int;
/// An outcome as a plain number, since C may pass any.
pub type retry_outcome_number = c_int;
/// An outcome as a plain number, since C may pass any.
pub type release_outcome_number = c_int;
/// An outcome as a plain number, since C may pass any.
pub type extend_outcome_number = c_int;
/// An outcome as a plain number, since C may pass any.
pub type cancel_outcome_number = c_int;

/// The word for an outcome, the same in every language, e.g. `created`; NULL for a number that is none.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_enqueue_outcome_str(outcome: enqueue_outcome_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_enqueue_outcome::to_core(outcome).map(|o| o.as_str())))
}

/// The word for an outcome, the same in every language, e.g. `acked`; NULL for a number that is none.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_ack_outcome_str(outcome: ack_outcome_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_ack_outcome::to_core(outcome).map(|o| o.as_str())))
}

/// The word for an outcome, the same in every language, e.g. `scheduled`; NULL for a number that is none.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_retry_outcome_str(outcome: retry_outcome_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_retry_outcome::to_core(outcome).map(|o| o.as_str())))
}

/// The word for an outcome, the same in every language, e.g. `released`; NULL for a number that is none.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_release_outcome_str(outcome: release_outcome_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_release_outcome::to_core(outcome).map(|o| o.as_str())))
}

/// The word for an outcome, the same in every language, e.g. `extended`; NULL for a number that is none.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_extend_outcome_str(outcome: extend_outcome_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_extend_outcome::to_core(outcome).map(|o| o.as_str())))
}

/// The word for an outcome, the same in every language, e.g. `scheduled`; NULL for a number that is none.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_cancel_outcome_str(outcome: cancel_outcome_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_cancel_outcome::to_core(outcome).map(|o| o.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::assert_complete;

    #[test]
    fn every_outcome_of_the_core_has_its_number() {
        assert_complete!(delayq_enqueue_outcome, EnqueueOutcome, "DELAYQ_ENQUEUE_");
        assert_complete!(delayq_ack_outcome, AckOutcome, "DELAYQ_ACK_");
        assert_complete!(delayq_retry_outcome, RetryOutcome, "DELAYQ_RETRY_");
        assert_complete!(delayq_release_outcome, ReleaseOutcome, "DELAYQ_RELEASE_");
        assert_complete!(delayq_extend_outcome, ExtendOutcome, "DELAYQ_EXTEND_");
        assert_complete!(delayq_cancel_outcome, CancelOutcome, "DELAYQ_CANCEL_");
    }
}
