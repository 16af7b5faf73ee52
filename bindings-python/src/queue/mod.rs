//! `delayq.Queue`: each verb converts, calls the core, converts back.
//!
//! * `produce.rs`: what fills a queue.
//! * `consume.rs`: what takes jobs and reports on them.
//! * `operate.rs`: what looks after a topic.

mod consume;
mod operate;
mod produce;

use pyo3::prelude::*;

use crate::call::{Handle, call};
use crate::error::Failure;
use crate::job::quoted;

/// A handle on one topic, made by ``Client.queue``. May be used from any number of threads at once.
#[pyclass(frozen, module = "delayq")]
pub(crate) struct Queue {
    core: Handle<delayq::Queue>,
}

impl Queue {
    pub(crate) fn new(core: delayq::Queue) -> Self {
        Queue { core: Handle::new(core) }
    }

    /// Another handle of the core on the same topic, for a worker.
    pub(crate) fn core(&self) -> delayq::Queue {
        self.core.clone()
    }

    /// One verb: what cannot be converted is refused in the same words as what the core refuses.
    fn verb<A: Send, T: Send>(
        &self,
        py: Python<'_>,
        verb: &'static str,
        convert: impl FnOnce() -> Result<A, Failure>,
        run: impl FnOnce(&delayq::Queue, A) -> delayq::Result<T> + Send,
    ) -> PyResult<T> {
        let arguments = self.arguments(py, verb, convert)?;
        let queue: &delayq::Queue = &self.core;
        call(py, || run(queue, arguments))
    }

    /// The same for arguments that hold Python objects, which are dropped only after the call.
    fn verb_on<A: Sync, T: Send>(
        &self,
        py: Python<'_>,
        verb: &'static str,
        convert: impl FnOnce() -> Result<A, Failure>,
        run: impl FnOnce(&delayq::Queue, &A) -> delayq::Result<T> + Send,
    ) -> PyResult<T> {
        let arguments = self.arguments(py, verb, convert)?;
        let (queue, arguments): (&delayq::Queue, _) = (&self.core, &arguments);
        call(py, || run(queue, arguments))
    }

    /// The first half of a verb.
    fn arguments<A>(
        &self,
        py: Python<'_>,
        verb: &'static str,
        convert: impl FnOnce() -> Result<A, Failure>,
    ) -> PyResult<A> {
        convert()
            .map_err(|failure| failure.map(|e| e.with_verb(verb).with_topic(self.core.topic())).raise(py))
    }
}

#[pymethods]
impl Queue {
    /// The topic.
    #[getter]
    fn topic(&self) -> &str {
        self.core.topic()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<delayq.Queue {}>", quoted(py, self.core.topic())?))
    }
}

/// Results of the core as those of Python.
fn all<T, P: From<T>>(results: Vec<T>) -> Vec<P> {
    results.into_iter().map(P::from).collect()
}
