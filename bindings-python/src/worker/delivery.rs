//! `delayq.Delivery`.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::{SLICE, Verdict, Worker};
use crate::call::call;
use crate::error::{Failure, invalid};
use crate::job::Job;
use crate::time::duration;

/// A job in the hands of a handler of a ``Worker``: a ``Job``, and whether it is still the handler's.
///
/// Its lease is renewed while the handler runs. May be used from any number of threads at once.
#[pyclass(frozen, extends = Job, module = "delayq")]
pub(crate) struct Delivery {
    core: delayq::Delivery,
    task: Mutex<Option<delayq::Task>>,
    /// The `asyncio.Event` of a coroutine handler.
    signal: PyOnceLock<Py<PyAny>>,
    /// Last, so that the queue's last handle is never dropped here, but with the worker.
    _worker: Py<Worker>,
}

impl Delivery {
    pub(super) fn new(task: delayq::Task, worker: Py<Worker>) -> Self {
        let core = task.delivery().clone();
        Delivery { core, task: Mutex::new(Some(task)), signal: PyOnceLock::new(), _worker: worker }
    }
}

#[pymethods]
impl Delivery {
    /// Asks Redis whether the job is still this handler's, for a moment before a side effect; if so the lease is
    /// extended. It blocks for a round trip; in a coroutine use ``asyncio.to_thread``.
    ///
    /// Raises UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError, ClosedError.
    fn is_mine(&self, py: Python<'_>) -> PyResult<bool> {
        call(py, || self.core.is_mine())
    }

    /// Whether the handler may give up: the lease was lost, the job was cancelled, or the worker is past the
    /// deadline of its stop. Costs nothing.
    #[getter]
    fn is_revoked(&self) -> bool {
        self.core.is_revoked()
    }

    /// Whether the worker has begun to stop. The handler has until the deadline of the stop; one that would take
    /// longer may hand its job back before (``Release``). Costs nothing.
    #[getter]
    fn is_stopping(&self) -> bool {
        self.core.is_stopping()
    }

    /// Sleeps up to ``timeout`` (seconds or a timedelta; None: without limit); True as soon as the delivery is
    /// revoked. Blocks its thread; in a coroutine await ``revoked()``.
    ///
    /// Raises InvalidArgumentError.
    #[pyo3(signature = (timeout=None))]
    fn wait_revoked(&self, py: Python<'_>, timeout: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let timeout = timeout.map(|value| duration("timeout", value)).transpose();
        let until = timeout.map_err(|failure| failure.raise(py))?.map(|timeout| Instant::now() + timeout);
        loop {
            let left = until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
            if call(py, || Ok(self.core.sleep(left.min(SLICE))))? {
                return Ok(true);
            }
            if left.is_zero() {
                return Ok(false);
            }
            py.check_signals()?;
        }
    }

    /// For coroutine handlers: an awaitable that ends as soon as the delivery is revoked.
    ///
    /// Raises InvalidArgumentError in a handler that is no coroutine function.
    fn revoked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Some(signal) = self.signal.get(py) else {
            let failure: Failure =
                invalid("this handler is no coroutine function; use wait_revoked or is_revoked");
            return Err(failure.raise(py));
        };
        signal.bind(py).call_method0("wait")
    }

    /// Gives the asyncio.Event of ``revoked``.
    fn _signal(&self, py: Python<'_>, event: Py<PyAny>) {
        let _ = self.signal.set(py, event); // the worker does it once
    }

    /// Ends the delivery. Once; later calls do nothing.
    fn _finish(&self, py: Python<'_>, verdict: &Verdict) -> PyResult<()> {
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        let verdict = verdict.0.clone();
        call(py, || {
            task.into_iter().for_each(|task| task.finish(verdict.clone()));
            Ok(())
        })
    }
}
