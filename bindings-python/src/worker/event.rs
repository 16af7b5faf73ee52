//! `delayq.Event`, and the place where events wait for the thread that tells them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use delayq::EventKind;
use pyo3::prelude::*;

use crate::job::quoted;

/// So many events wait for a slow listener; more are counted, not kept.
const MOST: usize = 100_000;

/// Something that happened in a ``Worker``. What does not apply is None.
#[pyclass(frozen, eq, get_all, module = "delayq")]
#[derive(PartialEq)]
pub(crate) struct Event {
    /// ``started`` (a handler begins), ``done`` (a job was acknowledged), ``failed`` (a failure was recorded),
    /// ``lease_lost`` (what its handler says will not count), ``released`` (handed back without a failure), ``lost``
    /// (Redis does not answer as it should; the worker goes on trying) or ``back``.
    kind: &'static str,
    /// The topic.
    topic: String,
    /// The job's id.
    id: Option<String>,
    /// Of ``started``: times popped, this time included.
    deliveries: Option<u32>,
    /// Of ``done``: seconds that the handler took.
    took: Option<f64>,
    /// Of ``failed``: ``scheduled`` (it will run again), ``dead`` or ``done``.
    outcome: Option<&'static str>,
    /// Of ``failed`` and ``lost``: what went wrong.
    error: Option<String>,
}

impl Event {
    fn from_core(event: &delayq::Event<'_>) -> Option<Self> {
        let of = |topic: &str, id: Option<&str>| Event {
            kind: event.kind().as_str(),
            topic: topic.to_owned(),
            id: id.map(str::to_owned),
            deliveries: None,
            took: None,
            outcome: None,
            error: None,
        };
        Some(match event {
            delayq::Event::Started { topic, id, deliveries } => {
                Event { deliveries: Some(*deliveries), ..of(topic, Some(id)) }
            }
            delayq::Event::Done { topic, id, took } => {
                Event { took: Some(took.as_secs_f64()), ..of(topic, Some(id)) }
            }
            delayq::Event::Failed { topic, id, outcome, error } => Event {
                outcome: Some(outcome.as_str()),
                error: Some((*error).to_owned()),
                ..of(topic, Some(id))
            },
            delayq::Event::LeaseLost { topic, id } | delayq::Event::Released { topic, id } => {
                of(topic, Some(id))
            }
            delayq::Event::Lost { topic, error } => {
                Event { error: Some(error.to_string()), ..of(topic, None) }
            }
            delayq::Event::Back { topic } => of(topic, None),
            _ => return None, // none today; the compiler wants it of an enum that may grow
        })
    }
}

#[pymethods]
impl Event {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = format!("<delayq.Event {} topic={}", self.kind, quoted(py, &self.topic)?);
        if let Some(id) = &self.id {
            text += &format!(" id={}", quoted(py, id)?);
        }
        if let Some(outcome) = self.outcome {
            text += &format!(" outcome={outcome}");
        }
        if let Some(error) = &self.error {
            text += &format!(" error={}", quoted(py, error)?);
        }
        Ok(text + ">")
    }
}

#[derive(Default)]
struct State {
    events: VecDeque<Event>,
    missed: u64,
    verbose: bool,
    ended: bool,
}

/// Events on their way from the core's threads to one of Python's.
#[derive(Default)]
pub(super) struct Events {
    state: Mutex<State>,
    changed: Condvar,
}

impl Events {
    /// Before the first event.
    pub(super) fn begin(&self, verbose: bool) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).verbose = verbose;
    }

    pub(super) fn put(&self, event: &delayq::Event<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.ended || (!state.verbose && matches!(event.kind(), EventKind::Started | EventKind::Done)) {
            return;
        }
        if state.events.len() < MOST {
            state.events.extend(Event::from_core(event));
        } else {
            state.missed += 1;
        }
        drop(state);
        self.changed.notify_one();
    }

    /// Waits for events; none if there were none, `None` at the end.
    pub(super) fn take(&self, verbose: bool, wait: Duration) -> Option<(Vec<Event>, u64)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.verbose = verbose;
        let quiet = |state: &mut State| state.events.is_empty() && !state.ended;
        let waited = self.changed.wait_timeout_while(state, wait, quiet);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.events.is_empty() && state.ended {
            return None;
        }
        Some((std::mem::take(&mut state.events).into(), std::mem::take(&mut state.missed)))
    }

    pub(super) fn end(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).ended = true;
        self.changed.notify_all();
    }
}
