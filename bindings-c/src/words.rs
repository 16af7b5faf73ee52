//! The core's words as C strings that live as long as the process.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::ptr;

use delayq_core::{
    AckOutcome, COUNTERS, CancelOutcome, EnqueueOutcome, ErrorKind, EventKind, ExtendOutcome, Mode,
    ReleaseOutcome, RetryOutcome, State, VERBS,
};
use once_cell::race::OnceBox;

/// Made at first use without a lock, for which a child forked meanwhile would wait for ever.
static WORDS: OnceBox<BTreeMap<&'static str, CString>> = OnceBox::new();

fn words() -> BTreeMap<&'static str, CString> {
    let kinds = ErrorKind::ALL.iter().map(|k| k.slug());
    let modes = Mode::ALL.iter().map(|o| o.as_str());
    let states = State::ALL.iter().map(|o| o.as_str());
    let enqueue = EnqueueOutcome::ALL.iter().map(|o| o.as_str());
    let ack = AckOutcome::ALL.iter().map(|o| o.as_str());
    let retry = RetryOutcome::ALL.iter().map(|o| o.as_str());
    let release = ReleaseOutcome::ALL.iter().map(|o| o.as_str());
    let extend = ExtendOutcome::ALL.iter().map(|o| o.as_str());
    let cancel = CancelOutcome::ALL.iter().map(|o| o.as_str());
    let outcomes = enqueue.chain(ack).chain(retry).chain(release).chain(extend).chain(cancel);
    let events = EventKind::ALL.iter().map(|o| o.as_str());
    let lists = VERBS.iter().chain(COUNTERS).copied();
    let words = kinds.chain(modes).chain(states).chain(outcomes).chain(events).chain(lists);
    words.map(|word| (word, owned(word))).collect()
}

/// One of the core's words, or NULL.
pub(crate) fn word(word: Option<&str>) -> *const c_char {
    let words = WORDS.get_or_init(|| Box::new(words()));
    word.and_then(|word| words.get(word)).map_or(ptr::null(), |word| word.as_ptr())
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
