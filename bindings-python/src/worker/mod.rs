//! `_delayq._Worker`: the core's worker, of which `delayq.Worker` takes jobs for threads made by Python.
//!
//! * `delivery.rs`: a job as its handler sees it.
//! * `verdict.rs`: how a delivery ends.
//! * `event.rs`: what happened, kept until a Python thread asks; no thread of the core ever enters Python.

mod delivery;
mod event;
mod verdict;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use delayq::{Error, ErrorKind, WorkerBuilder};
use pyo3::prelude::*;

pub(crate) use delivery::Delivery;
pub(crate) use event::Event;
use event::Events;
pub(crate) use verdict::Verdict;

use crate::call::{Handle, call};
use crate::convert::{each, type_name, whole};
use crate::error::{Failure, invalid, raise};
use crate::job::Job;
use crate::queue::Queue;
use crate::time::duration;

/// Looks for signals, and for the end of the program, this often.
const SLICE: Duration = Duration::from_millis(50);

/// A handler's thread waits so long for a job before it looks whether it is still wanted; a stop wakes it.
const TAKE: Duration = Duration::from_secs(1);

/// The native half of a worker.
#[pyclass(frozen, name = "_Worker", module = "delayq._delayq")]
pub(crate) struct Worker {
    builder: Mutex<Option<WorkerBuilder>>,
    core: OnceLock<Running>,
    events: Arc<Events>,
}

struct Running {
    worker: Handle<Arc<delayq::Worker>>,
    pid: u32,
    /// Given to the thread of the first stop, and dropped at its end.
    over: Mutex<Option<Sender<()>>>,
    stopped: Mutex<Receiver<()>>,
}

impl Running {
    fn new(worker: delayq::Worker) -> Self {
        let (over, stopped) = channel();
        Running {
            worker: Handle::new(Arc::new(worker)),
            pid: std::process::id(),
            over: Mutex::new(Some(over)),
            stopped: Mutex::new(stopped),
        }
    }

    /// Begins to stop, or brings the deadline forward.
    fn stop(&self, deadline: Duration) {
        let Some(over) = self.over.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return self.worker.stop(deadline); // at once, since it is not the first
        };
        let worker = Arc::clone(&self.worker);
        let stop = move || {
            worker.stop(deadline);
            drop(over);
        };
        // Without a thread, which is as good as impossible, the jobs come back when their leases end.
        let _ = thread::Builder::new().name("delayq-stop".to_owned()).spawn(stop);
    }

    /// Whether the stop is over, after waiting up to so long for it.
    fn is_over_within(&self, wait: Duration) -> bool {
        let stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout)
    }
}

/// What ``health`` tells, in the order of the fields of ``delayq.Health``.
type Health = (bool, Option<f64>, usize, Option<f64>, usize, bool);

impl Worker {
    /// The running worker; `None` before it is started. A child has none of its parent's threads, and maybe a lock
    /// that one of them held.
    fn running(&self, py: Python<'_>) -> PyResult<Option<&delayq::Worker>> {
        match self.core.get() {
            Some(running) if running.pid != std::process::id() => Err(raise(py, &forked())),
            Some(running) => Ok(Some(&running.worker)),
            None => Ok(None),
        }
    }
}

#[pymethods]
impl Worker {
    #[new]
    fn new(
        queues: &Bound<'_, PyAny>,
        concurrency: &Bound<'_, PyAny>,
        fetch_ahead: &Bound<'_, PyAny>,
        sweep_every: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let py = queues.py();
        let events = Arc::new(Events::default());
        let builder = || -> Result<WorkerBuilder, Failure> {
            let mut builder = delayq::Worker::builder()
                .concurrency(whole("concurrency", concurrency)?)
                .sweep_every(duration("sweep_every", sweep_every)?);
            if !fetch_ahead.is_none() {
                builder = builder.fetch_ahead(whole("fetch_ahead", fetch_ahead)?);
            }
            for queue in each("queues", "queues", queues)? {
                let queue = queue?;
                let Ok(queue) = queue.cast::<Queue>() else {
                    let of = type_name(&queue);
                    return Err(invalid(format!("a queue is of type {of}; give one of Client.queue")));
                };
                builder = builder.queue(queue.get().core());
            }
            let events = Arc::clone(&events);
            builder = builder.on_event(move |event| events.put(event));
            builder.check()?;
            Ok(builder)
        };
        let builder = builder().map_err(|failure| failure.raise(py))?;
        Ok(Worker { builder: Mutex::new(Some(builder)), core: OnceLock::new(), events })
    }

    /// Starts the threads of the core. Once. ``verbose`` is as in ``events``.
    fn start(&self, py: Python<'_>, verbose: bool) -> PyResult<()> {
        let Some(builder) = self.builder.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return Ok(());
        };
        self.events.begin(verbose);
        let worker = call(py, || builder.start())?;
        let _ = self.core.set(Running::new(worker)); // there was one builder
        Ok(())
    }

    /// The next job; None if there is none for a while, or the worker stops.
    fn take(slf: &Bound<'_, Self>) -> PyResult<Option<Py<Delivery>>> {
        let py = slf.py();
        let Some(worker) = slf.get().running(py)? else { return Ok(None) };
        let Some(task) = call(py, || Ok(worker.take(TAKE)))? else { return Ok(None) };
        let job = Job::from_core(py, task.delivery());
        let delivery = PyClassInitializer::from(job).add_subclass(Delivery::new(task, slf.clone().unbind()));
        Py::new(py, delivery).map(Some)
    }

    /// Whether ``stop`` was called.
    fn is_stopping(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.running(py)?.is_some_and(delayq::Worker::is_stopping))
    }

    /// Stops, or brings the deadline of a stop forward, and returns when it is over. If a signal's handler raises
    /// meanwhile, the stop goes on without its caller.
    fn stop(&self, py: Python<'_>, deadline: &Bound<'_, PyAny>) -> PyResult<()> {
        let deadline = duration("deadline", deadline).map_err(|failure| failure.raise(py))?;
        if self.running(py)?.is_none() {
            return Ok(());
        }
        let Some(running) = self.core.get() else { return Ok(()) };
        running.stop(deadline);
        while !call(py, || Ok(running.is_over_within(SLICE)))? {
            py.check_signals()?;
        }
        Ok(())
    }

    /// What ``health`` tells, in the order of the fields of ``delayq.Health``.
    fn health(&self, py: Python<'_>) -> PyResult<Health> {
        let Some(worker) = self.running(py)? else { return Ok((false, None, 0, None, 0, false)) };
        let health = worker.health();
        let secs = |duration: Option<Duration>| duration.map(|d| d.as_secs_f64());
        Ok((
            health.connected,
            secs(health.last_pop),
            health.running,
            secs(health.oldest_running),
            health.waiting,
            health.stopping,
        ))
    }

    /// What happened since the last call, after waiting a while for it, and how much more did but was not kept;
    /// None at the end. Without ``verbose`` the beginning and the good end of jobs are left out from now on.
    fn events(&self, py: Python<'_>, verbose: bool) -> PyResult<Option<(Vec<Event>, u64)>> {
        self.running(py)?;
        call(py, || Ok(self.events.take(verbose, TAKE)))
    }

    /// Ends ``events`` after what there is.
    fn end_events(&self) {
        self.events.end();
    }
}

fn forked() -> Error {
    Error::new(ErrorKind::Closed, "the worker runs in the parent of this process; make one of your own")
}

/// A duration as seconds, refused like every wrong one.
#[pyfunction(name = "_seconds")]
pub(crate) fn seconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    duration(name, value).map(|d| d.as_secs_f64()).map_err(|failure| failure.raise(value.py()))
}
