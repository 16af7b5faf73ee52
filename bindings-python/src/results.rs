//! What the verbs answer besides jobs. All are immutable and may be shared between threads.

use pyo3::prelude::*;

use crate::job::quoted;
use crate::time::{self, Twin};

/// What became of an enqueued job.
#[pyclass(frozen, eq, get_all, module = "delayq")]
#[derive(PartialEq)]
pub(crate) struct Enqueued {
    /// The job's id, given or generated.
    id: String,
    /// When the job of this id is due, ms since the epoch; None if there is none (``done``, ``missing``).
    due_at_ms: Option<i64>,
    /// ``created``, ``replaced``, ``kept``, ``moved``, ``done`` or ``missing``.
    outcome: &'static str,
}

impl From<delayq::Enqueued> for Enqueued {
    fn from(enqueued: delayq::Enqueued) -> Self {
        let delayq::Enqueued { id, due_at_ms, outcome } = enqueued;
        Enqueued { id, due_at_ms, outcome: outcome.as_str() }
    }
}

#[pymethods]
impl Enqueued {
    /// When the job of this id is due, as an aware UTC datetime; None if there is none.
    #[getter]
    fn due_at<'py>(&self, py: Python<'py>) -> Twin<'py> {
        time::twin(py, self.due_at_ms)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (id, due) = (quoted(py, &self.id)?, shown(self.due_at_ms));
        Ok(format!("<delayq.Enqueued id={id} outcome={} due_at_ms={due}>", self.outcome))
    }
}

/// What became of a failed job.
#[pyclass(frozen, eq, get_all, module = "delayq")]
#[derive(PartialEq)]
pub(crate) struct Retried {
    /// ``scheduled``, ``dead``, ``done`` or, from ``retry_many``, ``lease_lost``.
    outcome: &'static str,
    /// When it will run again, ms since the epoch; None if it will not.
    due_at_ms: Option<i64>,
    /// Failures reported, this one included.
    retry_count: u32,
}

impl From<delayq::Retried> for Retried {
    fn from(retried: delayq::Retried) -> Self {
        let delayq::Retried { outcome, due_at_ms, retry_count } = retried;
        Retried { outcome: outcome.as_str(), due_at_ms, retry_count }
    }
}

#[pymethods]
impl Retried {
    /// When it will run again, as an aware UTC datetime; None if it will not.
    #[getter]
    fn due_at<'py>(&self, py: Python<'py>) -> Twin<'py> {
        time::twin(py, self.due_at_ms)
    }

    fn __repr__(&self) -> String {
        let (Retried { outcome, retry_count, .. }, due) = (self, shown(self.due_at_ms));
        format!("<delayq.Retried outcome={outcome} retry_count={retry_count} due_at_ms={due}>")
    }
}

/// What became of a job that was handed back.
#[pyclass(frozen, eq, get_all, module = "delayq")]
#[derive(PartialEq)]
pub(crate) struct Released {
    /// ``released``, ``done`` or, from ``release_many``, ``lease_lost``.
    outcome: &'static str,
    /// When it is due again, ms since the epoch; None if it is not.
    due_at_ms: Option<i64>,
}

impl From<delayq::Released> for Released {
    fn from(released: delayq::Released) -> Self {
        Released { outcome: released.outcome.as_str(), due_at_ms: released.due_at_ms }
    }
}

#[pymethods]
impl Released {
    /// When it is due again, as an aware UTC datetime; None if it is not.
    #[getter]
    fn due_at<'py>(&self, py: Python<'py>) -> Twin<'py> {
        time::twin(py, self.due_at_ms)
    }

    fn __repr__(&self) -> String {
        format!("<delayq.Released outcome={} due_at_ms={}>", self.outcome, shown(self.due_at_ms))
    }
}

/// What became of a lease.
#[pyclass(frozen, eq, get_all, module = "delayq")]
#[derive(PartialEq)]
pub(crate) struct Extended {
    /// ``extended`` or, from ``extend_many``, ``lease_lost``.
    outcome: &'static str,
    /// When the lease ends, ms since the epoch by the Redis server's clock; None if it is lost.
    lease_until_ms: Option<i64>,
}

impl From<delayq::Extended> for Extended {
    fn from(extended: delayq::Extended) -> Self {
        Extended { outcome: extended.outcome.as_str(), lease_until_ms: extended.lease_until_ms }
    }
}

#[pymethods]
impl Extended {
    /// When the lease ends, as an aware UTC datetime by the Redis server's clock; None if it is lost.
    #[getter]
    fn lease_until<'py>(&self, py: Python<'py>) -> Twin<'py> {
        time::twin(py, self.lease_until_ms)
    }

    fn __repr__(&self) -> String {
        format!("<delayq.Extended outcome={} lease_until_ms={}>", self.outcome, shown(self.lease_until_ms))
    }
}

/// Answers that are counts and nothing else.
macro_rules! counts {
    ($( $(#[doc = $doc:literal])+ $name:ident { $( $(#[doc = $fdoc:literal])+ $field:ident, )+ } )+) => { $(
        $(#[doc = $doc])+
        #[pyclass(frozen, eq, get_all, module = "delayq")]
        #[derive(PartialEq)]
        pub(crate) struct $name { $( $(#[doc = $fdoc])+ $field: u64, )+ }

        impl From<delayq::$name> for $name {
            fn from(done: delayq::$name) -> Self {
                $name { $( $field: done.$field, )+ }
            }
        }

        #[pymethods]
        impl $name {
            fn __repr__(&self) -> String {
                let fields = [$( format!(" {}={}", stringify!($field), self.$field) ),+];
                format!("<delayq.{}{}>", stringify!($name), fields.concat())
            }
        }
    )+ };
}

counts! {
    /// What a sweep for expired leases did.
    Requeued {
        /// Jobs that are due again.
        requeued,
        /// Jobs delivered too often, now in the dead letter set.
        dead,
        /// Ids whose body was missing, now in the orphan set.
        orphaned,
    }

    /// What ``redrive`` did.
    Redriven {
        /// Dead jobs that are scheduled again.
        redriven,
        /// Dead ids whose body was missing, now in the orphan set.
        orphaned,
        /// Given ids that were not dead; nothing changed for them.
        not_dead,
    }

    /// What ``purge`` did.
    Purged {
        /// Jobs that were deleted.
        purged,
        /// Jobs left in that state; call again until it is zero.
        remaining,
    }

    /// What ``repair`` did.
    Repaired {
        /// Ids and bodies looked at.
        checked,
        /// Bodies that no index held, now scheduled.
        rescheduled,
        /// Ids whose body is missing, now in the orphan set.
        orphaned,
        /// Bodies that no index held and whose job was done, now deleted.
        removed,
    }
}

/// A number or nothing as Python writes it.
pub(crate) fn shown<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(|| "None".to_owned(), |number| number.to_string())
}
