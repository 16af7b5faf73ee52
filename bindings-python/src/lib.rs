//! `delayq._delayq`: the native half of the Python package `delayq`.
//!
//! * `client.rs`, `queue.rs`: the handles and their verbs.
//! * `new_job.rs`, `job.rs`: what goes in and what comes out.
//! * `call.rs`: the funnel, the only way into the core.
//! * `convert.rs`, `time.rs`: Python values to the core's; nothing here decides what a value means.
//! * `error.rs`: the core's errors as Python exceptions.
//! * `python.rs`: the Python objects that this half uses.

mod call;
mod client;
mod convert;
mod error;
mod job;
mod new_job;
mod python;
mod queue;
mod time;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _delayq {
    use super::*;

    #[pymodule_export]
    use client::Client;
    #[pymodule_export]
    use job::{Enqueued, Job, Requeued, restore_job};
    #[pymodule_export]
    use new_job::NewJob;
    #[pymodule_export]
    use queue::Queue;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        python::load(module.py())?;
        module.add("__version__", delayq::VERSION)?;
        // What the package must agree with; its tests compare.
        let kinds: Vec<_> = delayq::ErrorKind::ALL.iter().map(|k| (k.code(), k.slug())).collect();
        module.add("_CORE_ERROR_KINDS", kinds)?;
        module.add("_CORE_VERBS", delayq::VERBS.to_vec())?;
        let client = delayq::ClientOptions::new("redis://");
        module.add("_CORE_DEFAULTS", format!("{client:?} {:?}", delayq::QueueOptions::new()))
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
