//! What to do with a known id, as numbers and words.

use std::ffi::{c_char, c_int};
use std::ptr;

use delayq_core::Mode;

use crate::guard::guard_or;
use crate::pairs::pairs;
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

pairs!(delayq_mode, Mode:
    DELAYQ_MODE_REPLACE = Replace, DELAYQ_MODE_KEEP = Keep, DELAYQ_MODE_RESCHEDULE = Reschedule);

/// A mode as a plain number, since C may pass any.
pub type mode_number = c_int;

/// The word for a mode, the same in every language, e.g. `keep`; NULL for a number that is none.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_mode_str(mode: mode_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_mode::to_core(mode).map(|m| m.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_of_the_core_has_its_number() {
        crate::pairs::assert_complete!(delayq_mode, Mode, "DELAYQ_MODE_");
    }
}
