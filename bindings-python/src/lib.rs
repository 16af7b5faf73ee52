//! `delayq._delayq`: the native half of the Python package `delayq`.
//!
//! * `client.rs`, `queue/`: the handles and their verbs.
//! * `new_job.rs`, `policy.rs`, `retry.rs`: what goes in.
//! * `job.rs`, `info.rs`, `results.rs`, `numbers.rs`: what comes out.
//! * `worker/`: the native half of `delayq.Worker`.
//! * `cancel_token.rs`: how `delayq.aio` ends a waiting pop.
//! * `call.rs`: the funnel, the only way into the core.
//! * `convert.rs`, `time.rs`: Python values to the core's; nothing here decides what a value means.
//! * `error.rs`: the core's errors as Python exceptions.
//! * `python.rs`: the Python objects that this half uses.

mod call;
mod cancel_token;
mod client;
mod convert;
mod error;
mod info;
mod job;
mod new_job;
mod numbers;
mod policy;
mod python;
mod queue;
mod results;
mod retry;
mod time;
mod worker;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _delayq {
    use super::*;

    #[pymodule_export]
    use cancel_token::CancelToken;
    #[pymodule_export]
    use client::Client;
    #[pymodule_export]
    use info::JobInfo;
    #[pymodule_export]
    use job::{Job, restore_job};
    #[pymodule_export]
    use new_job::NewJob;
    #[pymodule_export]
    use numbers::{Histogram, Stats};
    #[pymodule_export]
    use policy::RetryPolicy;
    #[pymodule_export]
    use queue::Queue;
    #[pymodule_export]
    use results::{Enqueued, Extended, Purged, Redriven, Released, Repaired, Requeued, Retried};
    #[pymodule_export]
    use retry::Retry;
    #[pymodule_export]
    use worker::{Delivery, Event, Verdict, Worker, seconds};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        python::load(module.py())?;
        module.add("__version__", delayq::VERSION)?;
        // What the package must agree with; its tests compare.
        let kinds: Vec<_> = delayq::ErrorKind::ALL.iter().map(|k| (k.code(), k.slug())).collect();
        module.add("_CORE_ERROR_KINDS", kinds)?;
        module.add("_CORE_VERBS", delayq::VERBS.to_vec())?;
        module.add("_CORE_COUNTERS", delayq::COUNTERS.to_vec())?;
        let client = delayq::ClientOptions::new("redis://");
        module.add("_CORE_DEFAULTS", format!("{client:?} {:?}", delayq::QueueOptions::new()))
    }

    /// The text of an error as it is kept with a job, for ``delayq.aio``.
    #[pyfunction]
    fn _describe(error: &Bound<'_, PyAny>) -> PyResult<String> {
        convert::described(error).map_err(|failure| failure.raise(error.py()))
    }

    /// Panics inside the library, to prove that a panic becomes an InternalError.
    #[pyfunction]
    fn _panic_on_purpose(py: Python<'_>) -> PyResult<()> {
        call::call(py, || {
            delayq::panic_on_purpose();
            Ok(())
        })
    }
}
