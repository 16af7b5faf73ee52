//! The core's words as C strings that live as long as the process.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::sync::LazyLock;

use delayq_core::{AckOutcome, CancelOutcome, EnqueueOutcome, ErrorKind, Mode, VERBS};

static WORDS: LazyLock<BTreeMap<&'static str, CString>> = LazyLock::new(|| {
    let kinds = ErrorKind::ALL.iter().map(|k| k.slug());
    let modes = Mode::ALL.iter().map(|o| o.as_str());
    let enqueue = EnqueueOutcome::ALL.iter().map(|o| o.as_str());
    let ack = AckOutcome::ALL.iter().map(|o| o.as_str());
    let cancel = CancelOutcome::ALL.iter().map(|o| o.as_str());
    let verbs = VERBS.iter().copied();
    let words = kinds.chain(modes).chain(enqueue).chain(ack).chain(cancel).chain(verbs);
    words.map(|word| (word, owned(word))).collect()
});

/// One of the core's words, or NULL.
pub(crate) fn word(word: Option<&str>) -> *const c_char {
    word.and_then(|word| WORDS.get(word)).map_or(ptr::null(), |word| word.as_ptr())
}

/// A text as a C string. Ids and topics hold no NUL; in anything else, such as a server's message, it would
/// cut the text short, so it is replaced.
pub(crate) fn owned(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

/// The pointer to a text that may be absent.
pub(crate) fn pointer(text: Option<&CStr>) -> *const c_char {
    text.map_or(ptr::null(), CStr::as_ptr)
}
