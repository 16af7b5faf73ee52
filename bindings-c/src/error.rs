//! The error object: everything the core's error says, as C strings.

use std::ffi::{CString, c_char};
use std::ptr;

use delayq_core::{Error, ErrorKind};

use crate::guard::{guard, guard_or, guard_unit};
use crate::out::Out;
use crate::status::delayq_status;
use crate::words::{owned, pointer, word};

/// What went wrong in one call: its kind, a sentence for people, and which verb on which topic and job it was.
/// Never contains a password. Owned by the caller, see `delayq_error_free()`.
pub struct delayq_error {
    kind: ErrorKind,
    message: CString,
    text: CString,
    verb: Option<CString>,
    topic: Option<CString>,
    id: Option<CString>,
    retryable: bool,
}

impl delayq_error {
    pub(crate) fn new(error: &Error) -> Self {
        delayq_error {
            kind: error.kind(),
            message: owned(error.message()),
            text: owned(&error.to_string()),
            verb: error.verb().map(owned),
            topic: error.topic().map(owned),
            id: error.id().map(owned),
            retryable: error.is_retryable(),
        }
    }
}

/// Frees the error and every text read from it. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_free(error: Option<Box<delayq_error>>) {
    guard_unit(|| drop(error));
}

/// The kind, the same as the status that the call returned; `DELAYQ_OK` for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_kind(error: Option<&delayq_error>) -> delayq_status {
    guard_or(delayq_status::DELAYQ_OK, || {
        error.map_or(delayq_status::DELAYQ_OK, |error| delayq_status::of(error.kind))
    })
}

/// The name of the kind, e.g. `lease_lost`, as `delayq_error_kind_slug()` gives it; NULL for NULL.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_slug(error: Option<&delayq_error>) -> *const c_char {
    guard_or(ptr::null(), || word(error.map(|error| error.kind.slug())))
}

/// What went wrong and what to do about it, as one sentence; NULL for NULL.
///
/// Valid until the error is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_message(error: Option<&delayq_error>) -> *const c_char {
    guard_or(ptr::null(), || pointer(error.map(|error| error.message.as_c_str())))
}

/// Kind, verb, topic, id and message as one line, for a log; NULL for NULL.
///
/// Valid until the error is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_text(error: Option<&delayq_error>) -> *const c_char {
    guard_or(ptr::null(), || pointer(error.map(|error| error.text.as_c_str())))
}

/// The verb that failed, e.g. `enqueue`; NULL if it was none.
///
/// Valid until the error is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_verb(error: Option<&delayq_error>) -> *const c_char {
    guard_or(ptr::null(), || pointer(error.and_then(|error| error.verb.as_deref())))
}

/// The topic; NULL if the call had none.
///
/// Valid until the error is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_topic(error: Option<&delayq_error>) -> *const c_char {
    guard_or(ptr::null(), || pointer(error.and_then(|error| error.topic.as_deref())))
}

/// The job's id; NULL if the call was not about one job.
///
/// Valid until the error is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_id(error: Option<&delayq_error>) -> *const c_char {
    guard_or(ptr::null(), || pointer(error.and_then(|error| error.id.as_deref())))
}

/// Whether the same call may succeed later without a change by the caller; false for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_error_retryable(error: Option<&delayq_error>) -> bool {
    guard_or(false, || error.is_some_and(|error| error.retryable))
}

/// A panic inside the library. Not in the header; tests prove with it that a panic ends as an `internal` error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_panic_on_purpose(err: *mut *mut delayq_error) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard(err, || {
        delayq_core::panic_on_purpose();
        Ok(())
    })
}
