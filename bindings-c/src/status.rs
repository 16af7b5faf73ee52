//! Status codes: the core's table of error kinds, with zero for success.

use std::ffi::{c_char, c_int};

use delayq_core::ErrorKind;

use crate::guard::guard_or;
use crate::words::word;

/// What a call answers. A number is never given a second meaning; later versions may add some.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum delayq_status {
    /// Success.
    DELAYQ_OK = 0,
    /// A value was refused before anything was sent to Redis.
    DELAYQ_ERR_INVALID_ARGUMENT = 1,
    /// There is no such job.
    DELAYQ_ERR_NOT_FOUND = 2,
    /// The job is no longer held under this receipt: expired, replaced, cancelled or taken by another.
    DELAYQ_ERR_LEASE_LOST = 3,
    /// Redis could not be reached; nothing was done.
    DELAYQ_ERR_UNAVAILABLE = 4,
    /// No reply in time: the outcome is unknown, the call may have taken effect.
    DELAYQ_ERR_TIMEOUT = 5,
    /// Redis answered with an error.
    DELAYQ_ERR_SERVER = 6,
    /// The keyspace or a reply is of a version that this library does not know.
    DELAYQ_ERR_INCOMPATIBLE = 7,
    /// The client was closed.
    DELAYQ_ERR_CLOSED = 8,
    /// A bug in delayq, including a caught panic.
    DELAYQ_ERR_INTERNAL = 9,
}

use delayq_status::*;

impl delayq_status {
    const ERRORS: &[delayq_status] = &[
        DELAYQ_ERR_INVALID_ARGUMENT,
        DELAYQ_ERR_NOT_FOUND,
        DELAYQ_ERR_LEASE_LOST,
        DELAYQ_ERR_UNAVAILABLE,
        DELAYQ_ERR_TIMEOUT,
        DELAYQ_ERR_SERVER,
        DELAYQ_ERR_INCOMPATIBLE,
        DELAYQ_ERR_CLOSED,
        DELAYQ_ERR_INTERNAL,
    ];

    /// The status of a kind. A test proves that every kind has its own.
    pub(crate) fn of(kind: ErrorKind) -> Self {
        let of = Self::ERRORS.iter().copied().find(|status| *status as i32 == kind.code());
        of.unwrap_or(DELAYQ_ERR_INTERNAL)
    }
}

/// A status as a plain number, since C may pass any.
pub type status_number = c_int;

/// The kinds of errors, to be listed: from index 0 until the answer is `DELAYQ_OK`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_kind_at(index: usize) -> delayq_status {
    guard_or(DELAYQ_OK, || ErrorKind::ALL.get(index).map_or(DELAYQ_OK, |kind| delayq_status::of(*kind)))
}

/// The name of a kind of errors, the same in every language, e.g. `lease_lost`. NULL for `DELAYQ_OK` and for
/// numbers that this version does not know.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_kind_slug(kind: status_number) -> *const c_char {
    guard_or(std::ptr::null(), || word(ErrorKind::ALL.iter().find(|k| k.code() == kind).map(|k| k.slug())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_status() {
        let ours: Vec<i32> = delayq_status::ERRORS.iter().map(|s| *s as i32).collect();
        let cores: Vec<i32> = ErrorKind::ALL.iter().map(|k| k.code()).collect();
        assert_eq!(ours, cores);
        for (status, kind) in delayq_status::ERRORS.iter().zip(ErrorKind::ALL) {
            assert_eq!(format!("{status:?}"), format!("DELAYQ_ERR_{}", kind.slug().to_uppercase()));
        }
    }
}
