//! The numbers of a topic.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::number;
use crate::job::quoted;
use crate::results::shown;

/// The numbers of a topic at one moment.
#[pyclass(frozen, eq, module = "delayq")]
#[derive(PartialEq)]
pub(crate) struct Stats {
    /// The topic.
    #[pyo3(get)]
    topic: String,
    /// Scheduled jobs.
    #[pyo3(get)]
    backlog: u64,
    /// Scheduled jobs that are due.
    #[pyo3(get)]
    due: u64,
    /// Scheduled jobs that have been due for longer than the threshold.
    #[pyo3(get)]
    overdue: u64,
    /// For how long the oldest due job has been due, ms; 0 if none is.
    #[pyo3(get)]
    oldest_due_ms: u64,
    /// Leased jobs, the expired ones included.
    #[pyo3(get)]
    processing: u64,
    /// Leases that have ended and were not swept yet.
    #[pyo3(get)]
    expired: u64,
    /// Dead jobs.
    #[pyo3(get)]
    dead: u64,
    /// Ids whose body was missing.
    #[pyo3(get)]
    orphans: u64,
    /// Whether consumers are given nothing (``pause``).
    #[pyo3(get)]
    paused: bool,
    /// Jobs per second that consumers are given at most; None if not limited.
    #[pyo3(get)]
    rate: Option<f64>,
    /// Jobs that may be given at once after a quiet time; None if not limited.
    #[pyo3(get)]
    burst: Option<u64>,
    counters: Vec<(&'static str, u64)>,
    /// From the due time to the pop.
    #[pyo3(get)]
    lateness: Histogram,
    /// From the pop to the ack.
    #[pyo3(get)]
    processing_time: Histogram,
}

impl From<delayq::Stats> for Stats {
    fn from(stats: delayq::Stats) -> Self {
        Stats {
            topic: stats.topic,
            backlog: stats.backlog,
            due: stats.due,
            overdue: stats.overdue,
            oldest_due_ms: stats.oldest_due_ms,
            processing: stats.processing,
            expired: stats.expired,
            dead: stats.dead,
            orphans: stats.orphans,
            paused: stats.paused,
            rate: stats.rate,
            burst: stats.burst,
            counters: stats.counters,
            lateness: Histogram(stats.lateness),
            processing_time: Histogram(stats.processing_time),
        }
    }
}

#[pymethods]
impl Stats {
    /// Lifetime counters by name, a new dict each time.
    #[getter]
    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = PyDict::new(py);
        self.counters.iter().try_for_each(|(name, count)| counters.set_item(name, count))?;
        Ok(counters)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Stats { backlog, due, overdue, processing, dead, .. } = self;
        let topic = quoted(py, &self.topic)?;
        Ok(format!(
            "<delayq.Stats topic={topic} backlog={backlog} due={due} overdue={overdue} processing={processing} dead={dead}>"
        ))
    }
}

/// How long something took, over the life of the topic and all consumers in all languages.
///
/// Durations are exact below 16 ms and fall into eight steps to each doubling above, so a quantile is at most an
/// eighth too high.
#[pyclass(frozen, eq, module = "delayq")]
#[derive(Clone, PartialEq)]
pub(crate) struct Histogram(delayq::Histogram);

#[pymethods]
impl Histogram {
    /// How many durations there are.
    #[getter]
    fn count(&self) -> u64 {
        self.0.count()
    }

    /// The median in ms; None while there are no durations.
    #[getter]
    fn p50_ms(&self) -> Option<u64> {
        self.0.p50()
    }

    /// The 95th percentile in ms; None while there are no durations.
    #[getter]
    fn p95_ms(&self) -> Option<u64> {
        self.0.p95()
    }

    /// The 99th percentile in ms; None while there are no durations.
    #[getter]
    fn p99_ms(&self) -> Option<u64> {
        self.0.p99()
    }

    /// The duration in ms that this share (0 to 1) of all durations does not exceed, by the upper edge of its step;
    /// None while there are no durations.
    ///
    /// Raises InvalidArgumentError for a share that is no number.
    fn quantile(&self, share: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        let share = number("share", share).map_err(|failure| failure.raise(share.py()))?;
        Ok(self.0.quantile(share))
    }

    /// Upper edge in ms and count of every step that occurs, ascending; for metrics.
    fn buckets(&self) -> Vec<(u64, u64)> {
        self.0.buckets().collect()
    }

    fn __repr__(&self) -> String {
        let (p50, p99) = (shown(self.0.p50()), shown(self.0.p99()));
        format!("<delayq.Histogram count={} p50_ms={p50} p99_ms={p99}>", self.0.count())
    }
}
