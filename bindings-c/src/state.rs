//! Where a job is, as numbers and words.

use std::ffi::{c_char, c_int};
use std::ptr;

use delayq_core::{Result, State};

use crate::args::invalid;
use crate::guard::guard_or;
use crate::pairs::pairs;
use crate::words::word;

/// Where a job is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum delayq_state {
    /// No state; the answer for NULL.
    DELAYQ_STATE_NONE = 0,
    /// Waiting for its due time.
    DELAYQ_STATE_SCHEDULED = 1,
    /// Leased to a consumer.
    DELAYQ_STATE_PROCESSING = 2,
    /// In the dead letter set, after too many failures or deliveries.
    DELAYQ_STATE_DEAD = 3,
    /// Only one half of it is there: an id whose body was lost, or a body that no index holds.
    DELAYQ_STATE_ORPHAN = 4,
    /// Acknowledged; only the done marker is left. Not a state to list or purge.
    DELAYQ_STATE_DONE = 5,
}

pairs!(delayq_state, State:
    DELAYQ_STATE_SCHEDULED = Scheduled, DELAYQ_STATE_PROCESSING = Processing, DELAYQ_STATE_DEAD = Dead,
    DELAYQ_STATE_ORPHAN = Orphan, DELAYQ_STATE_DONE = Done);

impl delayq_state {
    /// The core's state of a number that must have one.
    pub(crate) fn given(state: state_number) -> Result<State> {
        Self::to_core(state).ok_or_else(|| invalid(format!("state is {state}; give one of delayq_state")))
    }
}

/// A state as a plain number, since C may pass any.
pub type state_number = c_int;

/// The word for a state, the same in every language, e.g. `dead`; NULL for a number that is none.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_state_str(state: state_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_state::to_core(state).map(|s| s.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_of_the_core_has_its_number() {
        crate::pairs::assert_complete!(delayq_state, State, "DELAYQ_STATE_");
    }
}
