//! Options of a client and of a queue handle, with their defaults and their validation.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::policy::RetryPolicy;
use crate::time::{MAX_MS, duration_ms};

/// How to reach Redis.
///
/// ```no_run
/// # fn main() -> delayq::Result<()> {
/// use std::time::Duration;
/// let client = delayq::ClientOptions::new("redis://127.0.0.1:6379/0").timeout(Duration::from_secs(2)).open()?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct ClientOptions {
    pub(crate) url: String,
    pub(crate) prefix: String,
    pub(crate) username: Option<String>,
    pub(crate) password: Option<String>,
    pub(crate) connect_timeout: Duration,
    pub(crate) timeout: Duration,
    pub(crate) retry_for: Duration,
    pub(crate) client_name: String,
    pub(crate) server_fallback: Option<PathBuf>,
}

impl ClientOptions {
    /// Options for this URL: `redis://[user:password@]host:port/db`, `rediss://` (TLS), `unix:///path?db=0`,
    /// `redis-cluster://host:port,host:port` or `rediss-cluster://` for a cluster by some of its nodes, or
    /// `embedded:<dir>` for a private server in that folder. `?protocol=resp3` selects RESP3.
    pub fn new(url: impl Into<String>) -> Self {
        ClientOptions {
            url: url.into(),
            prefix: "delay".to_owned(),
            username: None,
            password: None,
            connect_timeout: Duration::from_secs(2),
            timeout: Duration::from_secs(5),
            retry_for: Duration::from_secs(5),
            client_name: "delayq-rust".to_owned(),
            server_fallback: None,
        }
    }

    /// First part of every key. Default `delay`.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// ACL user; an alternative to the URL that needs no percent-encoding.
    pub fn username(mut self, username: impl Into<String>) -> Self {
        self.username = Some(username.into());
        self
    }

    /// Password; an alternative to the URL that needs no percent-encoding.
    pub fn password(mut self, password: impl Into<String>) -> Self {
        self.password = Some(password.into());
        self
    }

    /// Limit for one attempt to connect, log in included. Default 2 s.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Limit for the answer to one command; past it the call fails with `timeout` and its connection is
    /// thrown away. Default 5 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long a call goes on trying while Redis cannot take it (down, loading, failing over) before it
    /// fails with `unavailable`. Only attempts that had no effect are repeated. Default 5 s; zero tries once.
    pub fn retry_for(mut self, budget: Duration) -> Self {
        self.retry_for = budget;
        self
    }

    /// Name shown by `CLIENT LIST`. Default `delayq-<language>`.
    pub fn client_name(mut self, name: impl Into<String>) -> Self {
        self.client_name = name.into();
        self
    }

    /// Server binary for `embedded:` URLs if `DELAYQ_SERVER` is not set and none is on `PATH`.
    pub fn server_fallback(mut self, path: impl Into<PathBuf>) -> Self {
        self.server_fallback = Some(path.into());
        self
    }

    /// Checks the options and makes a client. No connection is opened before the first call, except that
    /// `embedded:` starts its server.
    ///
    /// # Errors
    /// `invalid_argument` for a URL or an option that cannot be right; `unavailable` if an embedded server
    /// cannot be started.
    pub fn open(self) -> Result<Client> {
        Client::open_with(self)
    }

    pub(crate) fn validate(&self) -> Result<()> {
        let prefix_ok = (1..=64).contains(&self.prefix.len())
            && !self.prefix.chars().any(|c| c == '{' || c == '}' || c.is_control());
        if !prefix_ok {
            return Err(Error::invalid("prefix must be 1 to 64 bytes without braces and control characters"));
        }
        for (name, value) in [("connect_timeout", self.connect_timeout), ("timeout", self.timeout)] {
            if value.is_zero() {
                return Err(Error::invalid(format!("{name} is zero; give a positive duration")));
            }
        }
        if self.client_name.is_empty() || self.client_name.bytes().any(|b| !(b'!'..=b'~').contains(&b)) {
            return Err(Error::invalid("client_name must be printable ASCII without spaces"));
        }
        Ok(())
    }
}

impl fmt::Debug for ClientOptions {
    /// Without the URL's credentials and without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientOptions")
            .field("prefix", &self.prefix)
            .field("connect_timeout", &self.connect_timeout)
            .field("timeout", &self.timeout)
            .field("retry_for", &self.retry_for)
            .field("client_name", &self.client_name)
            .finish_non_exhaustive()
    }
}

/// Options of a queue handle. Handles of one topic may differ; what must bind every consumer is kept in Redis.
#[derive(Clone, Debug)]
pub struct QueueOptions {
    pub(crate) lease: Duration,
    pub(crate) done_ttl: Duration,
    pub(crate) job_ttl: Duration,
    pub(crate) max_payload: usize,
    pub(crate) max_deliveries: u32,
    pub(crate) retry_policy: RetryPolicy,
}

impl Default for QueueOptions {
    fn default() -> Self {
        QueueOptions {
            lease: Duration::from_secs(30),
            done_ttl: Duration::from_secs(24 * 3600),
            job_ttl: Duration::from_secs(7 * 24 * 3600),
            max_payload: 256 * 1024,
            max_deliveries: 20,
            retry_policy: RetryPolicy::default(),
        }
    }
}

impl QueueOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// How long a popped job belongs to its consumer. Default 30 s.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// How long the done marker of an acknowledged job is kept. Default 24 h; zero writes none.
    pub fn done_ttl(mut self, ttl: Duration) -> Self {
        self.done_ttl = ttl;
        self
    }

    /// How long a body outlives its job's due time or lease. Default 7 days, refreshed at every move; zero
    /// keeps bodies without limit.
    pub fn job_ttl(mut self, ttl: Duration) -> Self {
        self.job_ttl = ttl;
        self
    }

    /// Largest payload in bytes. Default 256 KiB; 10 KiB or less is advised.
    pub fn max_payload(mut self, bytes: usize) -> Self {
        self.max_payload = bytes;
        self
    }

    /// How often a job may be delivered before `requeue` moves it to the dead letter set. Default 20.
    pub fn max_deliveries(mut self, deliveries: u32) -> Self {
        self.max_deliveries = deliveries;
        self
    }

    /// How failed jobs are retried, unless a job says otherwise. Default [`RetryPolicy::default`].
    pub fn retry_policy(mut self, policy: RetryPolicy) -> Self {
        self.retry_policy = policy;
        self
    }

    pub(crate) fn validate(&self) -> Result<()> {
        lease_ms(self.lease)?;
        self.retry_policy.validate()?;
        if self.max_deliveries == 0 {
            return Err(Error::invalid("max_deliveries is zero; give one or more"));
        }
        if self.max_payload > 512 * 1024 * 1024 {
            return Err(Error::invalid(
                "max_payload is over 512 MiB, the most that Redis stores in one value",
            ));
        }
        Ok(())
    }
}

/// A lease in ms, refused if it is no time at all.
pub(crate) fn lease_ms(lease: Duration) -> Result<i64> {
    match duration_ms(lease) {
        0 => Err(Error::invalid("lease is zero; give one millisecond or more")),
        MAX_MS => Err(Error::invalid("lease ends after the year 9999; give a shorter one")),
        ms => Ok(ms),
    }
}
