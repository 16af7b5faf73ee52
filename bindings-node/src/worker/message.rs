//! What JavaScript is told: a job to run, one that is revoked, or an event. Each is an array; `lib/worker.js` reads it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use delayq::{Delivery, Event, EventKind};
use napi::bindgen_prelude::*;
use napi::threadsafe_function::ThreadsafeFunction;

use super::lent::Serial;
use crate::convert::count;
use crate::error;

/// JavaScript's ear.
pub(super) type Callback = ThreadsafeFunction<Message, (), Message, Status, false, true>;

/// `['job', serial, topic, its fields …]`, `['revoked', serial]`, or an event's name and its fields.
pub struct Message(Body);

enum Body {
    Job(Serial, Delivery),
    Revoked(Serial),
    Event(Told),
}

impl Message {
    pub(super) fn job(serial: Serial, delivery: Delivery) -> Self {
        Message(Body::Job(serial, delivery))
    }

    pub(super) fn revoked(serial: Serial) -> Self {
        Message(Body::Revoked(serial))
    }
}

/// An event on its way.
struct Told {
    kind: EventKind,
    topic: String,
    id: Option<String>,
    detail: Detail,
}

enum Detail {
    None,
    Number(i64),
    Failure(&'static str, String),
    Error(delayq::Error),
}

/// Which events JavaScript listens to: what nobody hears is not sent.
#[derive(Clone, Default)]
pub(super) struct Wanted(Arc<AtomicU32>);

impl Wanted {
    pub(super) fn set(&self, events: u32) {
        self.0.store(events, Ordering::Relaxed);
    }

    fn has(&self, kind: EventKind) -> bool {
        let place = EventKind::ALL.iter().position(|known| *known == kind);
        place.is_some_and(|place| self.0.load(Ordering::Relaxed) & (1 << place) != 0)
    }

    /// The event as a message, if it is wanted.
    pub(super) fn message(&self, event: &Event<'_>) -> Option<Message> {
        let kind = event.kind();
        if !self.has(kind) {
            return None;
        }
        let (topic, id, detail) = match event {
            Event::Started { topic, id, deliveries } => {
                (topic, Some(id), Detail::Number((*deliveries).into()))
            }
            Event::Done { topic, id, took } => {
                let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
                (topic, Some(id), Detail::Number(count(ms)))
            }
            Event::Failed { topic, id, outcome, error } => {
                (topic, Some(id), Detail::Failure(outcome.as_str(), (*error).to_owned()))
            }
            Event::LeaseLost { topic, id } | Event::Released { topic, id } => (topic, Some(id), Detail::None),
            Event::Lost { topic, error } => (topic, None, Detail::Error((*error).clone())),
            Event::Back { topic } => (topic, None, Detail::None),
            _ => return None,
        };
        let id = id.map(|id| (*id).to_owned());
        Some(Message(Body::Event(Told { kind, topic: (*topic).to_owned(), id, detail })))
    }
}

impl ToNapiValue for Message {
    unsafe fn to_napi_value(env: sys::napi_env, message: Self) -> Result<sys::napi_value> {
        let env = Env::from_raw(env);
        let mut fields = env.create_array(0)?;
        match message.0 {
            Body::Job(serial, job) => {
                fields.insert("job")?;
                fields.insert(serial)?;
                fields.insert(job.topic())?;
                crate::jobs::insert(&env, &mut fields, &job)?;
            }
            Body::Revoked(serial) => {
                fields.insert("revoked")?;
                fields.insert(serial)?;
            }
            Body::Event(Told { kind, topic, id, detail }) => {
                fields.insert(kind.as_str())?;
                fields.insert(topic)?;
                fields.insert(id)?;
                match detail {
                    Detail::None => {}
                    Detail::Number(number) => fields.insert(number)?,
                    Detail::Failure(outcome, text) => {
                        fields.insert(outcome)?;
                        fields.insert(text)?;
                    }
                    Detail::Error(error) => fields.insert(error::object(&env, &error)?)?,
                }
            }
        }
        // SAFETY: the array was just made in this environment, on its thread.
        unsafe { Array::to_napi_value(env.raw(), fields) }
    }
}
