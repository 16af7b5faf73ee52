//! What a verb did, as numbers and words.

use std::ffi::{c_char, c_int};
use std::ptr;

use delayq_core::{AckOutcome, CancelOutcome, EnqueueOutcome, Error, ErrorKind, Mode, Result, VERBS};

use crate::guard::guard_or;
use crate::words::word;

/// What to do when the id is already known.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum delayq_mode {
    /// The last one wins, in any live state; a running lease is revoked. The default.
    DELAYQ_MODE_REPLACE = 0,
    /// The first one wins, whatever its state.
    DELAYQ_MODE_KEEP = 1,
    /// Only move the due time of a scheduled job; its payload stays.
    DELAYQ_MODE_RESCHEDULE = 2,
}

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

/// Ties a C enum to the core's, in the order of the core's list.
macro_rules! pairs {
    ($c:ident, $core:ident: $( $name:ident = $variant:ident ),+ $(,)?) => {
        impl $c {
            const PAIRS: &[($c, $core)] = &[ $( ($c::$name, $core::$variant) ),+ ];

            /// The C name of the core's value. A test proves that every one has its own.
            #[allow(dead_code)] // a mode only goes in
            pub(crate) fn of(core: $core) -> Result<Self> {
                let pair = Self::PAIRS.iter().find(|(_, other)| *other == core);
                pair.map(|(c, _)| *c).ok_or_else(|| {
                    Error::new(ErrorKind::Internal, format!("the C library has no number for {core}"))
                })
            }

            /// The core's value of a number, if it has one.
            pub(crate) fn to_core(number: c_int) -> Option<$core> {
                Self::PAIRS.iter().find(|(c, _)| *c as c_int == number).map(|(_, core)| *core)
            }
        }
    };
}

pairs!(delayq_mode, Mode:
    DELAYQ_MODE_REPLACE = Replace, DELAYQ_MODE_KEEP = Keep, DELAYQ_MODE_RESCHEDULE = Reschedule);

pairs!(delayq_enqueue_outcome, EnqueueOutcome:
    DELAYQ_ENQUEUE_CREATED = Created, DELAYQ_ENQUEUE_REPLACED = Replaced, DELAYQ_ENQUEUE_KEPT = Kept,
    DELAYQ_ENQUEUE_MOVED = Moved, DELAYQ_ENQUEUE_DONE = Done, DELAYQ_ENQUEUE_MISSING = Missing);

pairs!(delayq_ack_outcome, AckOutcome:
    DELAYQ_ACK_ACKED = Acked, DELAYQ_ACK_ALREADY = Already, DELAYQ_ACK_LEASE_LOST = LeaseLost);

pairs!(delayq_cancel_outcome, CancelOutcome:
    DELAYQ_CANCEL_SCHEDULED = Scheduled, DELAYQ_CANCEL_PROCESSING = Processing, DELAYQ_CANCEL_DEAD = Dead,
    DELAYQ_CANCEL_ORPHAN = Orphan, DELAYQ_CANCEL_DONE = Done, DELAYQ_CANCEL_MISSING = Missing);

/// A mode as a plain number, since C may pass any.
pub type mode_number = c_int;
/// An outcome as a plain number, since C may pass any.
pub type enqueue_outcome_number = c_int;
/// An outcome as a plain number, since C may pass any.
pub type ack_outcome_number = c_int;
/// An outcome as a plain number, since C may pass any.
pub type cancel_outcome_number = c_int;

/// The word for a mode, the same in every language, e.g. `keep`; NULL for a number that is none.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_mode_str(mode: mode_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_mode::to_core(mode).map(|m| m.as_str())))
}

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
pub extern "C" fn delayq_cancel_outcome_str(outcome: cancel_outcome_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_cancel_outcome::to_core(outcome).map(|o| o.as_str())))
}

/// The verbs, to be listed: from index 0 until the answer is NULL. The function of the verb `x` is
/// `delayq_queue_x()`.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_verb_at(index: usize) -> *const c_char {
    guard_or(ptr::null(), || word(VERBS.get(index).copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! assert_complete {
        ($c:ident, $core:ident, $prefix:literal) => {
            let cores: Vec<_> = $c::PAIRS.iter().map(|(_, core)| *core).collect();
            assert_eq!(cores, $core::ALL);
            for (c, core) in $c::PAIRS {
                assert_eq!(format!("{c:?}"), format!("{}{}", $prefix, core.as_str().to_uppercase()));
                assert_eq!($c::to_core(*c as c_int), Some(*core));
                assert_eq!($c::of(*core).unwrap(), *c);
            }
        };
    }

    #[test]
    fn every_word_of_the_core_has_its_number() {
        assert_complete!(delayq_mode, Mode, "DELAYQ_MODE_");
        assert_complete!(delayq_enqueue_outcome, EnqueueOutcome, "DELAYQ_ENQUEUE_");
        assert_complete!(delayq_ack_outcome, AckOutcome, "DELAYQ_ACK_");
        assert_complete!(delayq_cancel_outcome, CancelOutcome, "DELAYQ_CANCEL_");
    }
}
