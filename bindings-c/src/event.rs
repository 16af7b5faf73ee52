//! What a worker tells its program.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::time::Duration;

use delayq_core::{Event, EventKind, Result};

use crate::guard::guard_or;
use crate::outcome::delayq_retry_outcome;
use crate::pairs::pairs;
use crate::words::{owned, pointer, word};

/// What a worker tells. Later versions may add some.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum delayq_event_kind {
    /// No event, since the handle was NULL.
    DELAYQ_EVENT_NONE = 0,
    /// A handler begins.
    DELAYQ_EVENT_STARTED = 1,
    /// A job was acknowledged.
    DELAYQ_EVENT_DONE = 2,
    /// A failure was recorded; `delayq_event_outcome()` says whether the job will run again.
    DELAYQ_EVENT_FAILED = 3,
    /// The job is not this worker's any more: its lease ended, or it was replaced or cancelled. What its handler
    /// says will not count.
    DELAYQ_EVENT_LEASE_LOST = 4,
    /// A job was handed back without a failure.
    DELAYQ_EVENT_RELEASED = 5,
    /// Redis does not answer as it should; the worker goes on trying.
    DELAYQ_EVENT_LOST = 6,
    /// Redis answers again.
    DELAYQ_EVENT_BACK = 7,
}

pairs!(delayq_event_kind, EventKind:
    DELAYQ_EVENT_STARTED = Started, DELAYQ_EVENT_DONE = Done, DELAYQ_EVENT_FAILED = Failed,
    DELAYQ_EVENT_LEASE_LOST = LeaseLost, DELAYQ_EVENT_RELEASED = Released, DELAYQ_EVENT_LOST = Lost,
    DELAYQ_EVENT_BACK = Back);

/// A kind as a plain number, since C may pass any.
pub type event_kind_number = c_int;

/// Something that happened in a worker. Owned by the worker: valid until the callback returns.
pub struct delayq_event {
    kind: delayq_event_kind,
    topic: CString,
    id: Option<CString>,
    text: Option<CString>,
    took: Option<Duration>,
    deliveries: u32,
    outcome: delayq_retry_outcome,
}

/// Is told what happens in a worker, with the `user` that was given to `delayq_worker_options_set_event_callback()`.
///
/// It is called on the worker's threads, several at once, and while a stop is under way on the thread that stops too;
/// it holds up the worker, so it must be quick. It must return, as a `delayq_handler` must.
pub type delayq_event_callback = Option<unsafe extern "C" fn(event: *const delayq_event, user: *mut c_void)>;

impl delayq_event {
    pub(crate) fn new(event: &Event<'_>) -> Result<Self> {
        let nothing = |topic: &str| -> Result<Self> {
            Ok(delayq_event {
                kind: delayq_event_kind::of(event.kind())?,
                topic: owned(topic),
                id: None,
                text: None,
                took: None,
                deliveries: 0,
                outcome: delayq_retry_outcome::DELAYQ_RETRY_NONE,
            })
        };
        let about = |topic: &str, id: &str| Ok(delayq_event { id: Some(owned(id)), ..nothing(topic)? });
        match event {
            Event::Started { topic, id, deliveries } => {
                Ok(delayq_event { deliveries: *deliveries, ..about(topic, id)? })
            }
            Event::Done { topic, id, took } => Ok(delayq_event { took: Some(*took), ..about(topic, id)? }),
            Event::Failed { topic, id, outcome, error } => {
                let outcome = delayq_retry_outcome::of(*outcome)?;
                Ok(delayq_event { text: Some(owned(error)), outcome, ..about(topic, id)? })
            }
            Event::LeaseLost { topic, id } | Event::Released { topic, id } => about(topic, id),
            Event::Lost { topic, error } => {
                Ok(delayq_event { text: Some(owned(&error.to_string())), ..nothing(topic)? })
            }
            Event::Back { topic } => nothing(topic),
            _ => nothing(""), // one of a later core, which has no number either
        }
    }
}

/// The word for a kind of event, the same in every language, e.g. `lease_lost`; NULL for a number that is none.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_event_kind_str(kind: event_kind_number) -> *const c_char {
    guard_or(ptr::null(), || word(delayq_event_kind::to_core(kind).map(|k| k.as_str())))
}

/// What happened; `DELAYQ_EVENT_NONE` for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_event_get_kind(event: Option<&delayq_event>) -> delayq_event_kind {
    let none = delayq_event_kind::DELAYQ_EVENT_NONE;
    guard_or(none, || event.map_or(none, |event| event.kind))
}

/// The topic; NULL for NULL.
///
/// Valid until the callback returns. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_event_topic(event: Option<&delayq_event>) -> *const c_char {
    guard_or(ptr::null(), || pointer(event.map(|event| event.topic.as_c_str())))
}

/// The job's id; NULL if the event is not about one job.
///
/// Valid until the callback returns. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_event_id(event: Option<&delayq_event>) -> *const c_char {
    guard_or(ptr::null(), || pointer(event.and_then(|event| event.id.as_deref())))
}

/// What went wrong, of `DELAYQ_EVENT_FAILED` and `DELAYQ_EVENT_LOST`; NULL for the others.
///
/// Valid until the callback returns. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_event_text(event: Option<&delayq_event>) -> *const c_char {
    guard_or(ptr::null(), || pointer(event.and_then(|event| event.text.as_deref())))
}

/// How long the handler took, of `DELAYQ_EVENT_DONE`; -1 for the others.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_event_took_ms(event: Option<&delayq_event>) -> i64 {
    let ms = |took: Duration| i64::try_from(took.as_millis()).unwrap_or(i64::MAX);
    guard_or(-1, || event.and_then(|event| event.took).map_or(-1, ms))
}

/// How often the job was popped, this time included, of `DELAYQ_EVENT_STARTED`; 0 for the others.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_event_deliveries(event: Option<&delayq_event>) -> u32 {
    guard_or(0, || event.map_or(0, |event| event.deliveries))
}

/// What became of the job, of `DELAYQ_EVENT_FAILED`; `DELAYQ_RETRY_NONE` for the others.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_event_outcome(event: Option<&delayq_event>) -> delayq_retry_outcome {
    let none = delayq_retry_outcome::DELAYQ_RETRY_NONE;
    guard_or(none, || event.map_or(none, |event| event.outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_core_has_its_number() {
        crate::pairs::assert_complete!(delayq_event_kind, EventKind, "DELAYQ_EVENT_");
    }
}
