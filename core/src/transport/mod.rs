//! The only place that owns sockets: a pool of connections, and the rule for when a request may be repeated.
//!
//! | outcome of an attempt | was it run? | what happens |
//! |---|---|---|
//! | connect or send failed | no | back off, again on a new connection until `retry_for` is over |
//! | LOADING, READONLY, TRYAGAIN … | no | the same |
//! | NOSCRIPT | no | EVAL with the full text on the same connection |
//! | no answer, connection broken | unknown | connection thrown away; again only if the script says it is safe |
//! | any other answer | – | returned |
//!
//! One node is one pool. A cluster will choose the pool by the slot of the call's first key; the table stays.

mod connect;
mod failure;
mod signals;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use backon::{BackoffBuilder, ExponentialBuilder};
use redis::{Cmd, Value};

use crate::cancel_token::CancelToken;
use crate::embedded::Embedded;
use crate::error::{Error, ErrorKind, Result};
use crate::fork::{Abandon, ForkCell};
use crate::options::ClientOptions;
use crate::script::{Call, Repeat};

use connect::{Connection, Target};
use failure::Failure;
pub(crate) use failure::is_wrong_type;
use signals::SignalsHeld;

/// Connections kept for later; more are opened when more threads call at once, and closed afterwards.
const MAX_IDLE: usize = 16;

/// A connection that was not used for this long is asked for a sign of life first, so that a restart of the
/// server in a quiet time does not turn into an unknown outcome.
const SUSPECT_AFTER: Duration = Duration::from_secs(1);

pub(crate) struct Transport {
    target: Target,
    prefix: String,
    retry_for: Duration,
    closed: AtomicBool,
    state: ForkCell<State>,
    embedded: Option<Embedded>,
}

/// What one process holds.
#[derive(Default)]
struct State {
    idle: Mutex<Vec<Connection>>,
    sleepers: Mutex<Vec<CancelToken>>,
    /// Steps that are taken once; see [`Transport::once`].
    taken: Mutex<HashSet<String>>,
}

impl Abandon for State {
    fn abandon(&self) {
        // `try_lock`, since a thread of the parent may have held it; dropping a connection only closes it.
        if let Ok(mut idle) = self.idle.try_lock() {
            idle.clear();
        }
    }
}

impl Transport {
    pub(crate) fn open(options: &ClientOptions) -> Result<Self> {
        let embedded = match options.url.strip_prefix("embedded:") {
            Some(dir) => Some(Embedded::open(dir, options.server_fallback.as_deref())?),
            None => None,
        };
        let target = match &embedded {
            Some(embedded) => Target::socket(embedded.socket(), options)?,
            None => Target::url(options)?,
        };
        Ok(Transport {
            target,
            prefix: options.prefix.clone(),
            retry_for: options.retry_for,
            closed: AtomicBool::new(false),
            state: ForkCell::new(),
            embedded,
        })
    }

    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    pub(crate) fn address(&self) -> String {
        self.target.address()
    }

    pub(crate) fn check_open(&self) -> Result<()> {
        if self.closed.load(Ordering::Acquire) {
            return Err(Error::new(ErrorKind::Closed, "the client was closed; open a new one"));
        }
        Ok(())
    }

    pub(crate) fn close(&self) {
        if self.closed.swap(true, Ordering::AcqRel) {
            return;
        }
        let state = self.state.get();
        lock(&state.idle).clear();
        lock(&state.sleepers).iter().for_each(CancelToken::ring);
        if let Some(embedded) = &self.embedded {
            embedded.release();
        }
    }

    pub(crate) fn ping(&self) -> Result<()> {
        self.command("", &redis::cmd("PING")).map(|_| ())
    }

    /// Runs a script by its hash, and by its text where the hash is not known.
    pub(crate) fn call(&self, call: &Call<'_>) -> Result<Value> {
        self.repeat(call.repeat, |connection| match self.exchange(connection, &call.evalsha())? {
            Value::ServerError(e) if e.code() == "NOSCRIPT" => self.exchange(connection, &call.eval()),
            value => Ok(value),
        })
    }

    /// Runs one plain command, which must be safe to repeat.
    pub(crate) fn command(&self, _key: &str, command: &Cmd) -> Result<Value> {
        let request = command.get_packed_command();
        self.repeat(Repeat::Safe, |connection| self.exchange(connection, &request))
    }

    /// Takes a named step unless this process has taken it. Two threads may both take it.
    pub(crate) fn once(&self, name: &str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        let state = self.state.get();
        if !lock(&state.taken).contains(name) {
            step()?;
            lock(&state.taken).insert(name.to_owned());
        }
        Ok(())
    }

    /// Sleeps until the time is over or the token is cancelled; `closed` if the client is closed meanwhile.
    pub(crate) fn sleep(&self, duration: Duration, token: &CancelToken) -> Result<()> {
        let state = self.state.get();
        lock(&state.sleepers).push(token.clone());
        token.sleep(duration, || self.closed.load(Ordering::Acquire));
        let mut sleepers = lock(&state.sleepers);
        if let Some(place) = sleepers.iter().position(|other| other.is(token)) {
            sleepers.swap_remove(place);
        }
        drop(sleepers);
        self.check_open()
    }

    /// The rule of the table above.
    fn repeat(
        &self,
        repeat: Repeat,
        attempt: impl Fn(&mut Connection) -> std::result::Result<Value, Failure>,
    ) -> Result<Value> {
        let started = Instant::now();
        let mut pauses = ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(10))
            .with_max_delay(Duration::from_millis(500))
            .without_max_times()
            .with_jitter()
            .build();
        loop {
            self.check_open()?;
            let error = match self.attempt(&attempt) {
                Ok(value) => return Ok(value),
                Err(Failure::Final(e)) => return Err(e),
                Err(Failure::Unknown(e)) if repeat == Repeat::Never => return Err(e),
                Err(Failure::Unknown(e) | Failure::NotRun(e)) => e,
            };
            let pause = pauses.next().unwrap_or(Duration::from_millis(500));
            if started.elapsed() + pause > self.retry_for {
                return Err(error);
            }
            self.sleep(pause, &CancelToken::new())?;
        }
    }

    fn attempt(
        &self,
        attempt: &impl Fn(&mut Connection) -> std::result::Result<Value, Failure>,
    ) -> std::result::Result<Value, Failure> {
        let _held = SignalsHeld::hold();
        let mut connection = self.check_out()?;
        let answer = attempt(&mut connection).inspect_err(|_| self.drop_idle());
        let value = match answer? {
            Value::ServerError(e) => match failure::answered(e.into()) {
                // The server is in the wrong state for us: look it up again.
                failure @ Failure::NotRun(_) => {
                    self.drop_idle();
                    return Err(failure);
                }
                failure => Err(failure),
            },
            value => Ok(value),
        };
        self.check_in(connection);
        value
    }

    fn exchange(&self, connection: &mut Connection, request: &[u8]) -> std::result::Result<Value, Failure> {
        connection.send(request).map_err(|e| failure::sending(e, &self.address()))?;
        connection.receive().map_err(failure::receiving)
    }

    fn check_out(&self) -> std::result::Result<Connection, Failure> {
        let idle = lock(&self.state.get().idle).pop();
        if let Some(mut connection) = idle {
            if connection.last_used.elapsed() < SUSPECT_AFTER || self.is_alive(&mut connection) {
                return Ok(connection);
            }
            self.drop_idle();
        }
        match self.target.connect() {
            Ok(connection) => Ok(connection),
            Err(e) => {
                if let Some(embedded) = &self.embedded {
                    embedded.ensure_running().map_err(Failure::NotRun)?;
                }
                Err(failure::connecting(e, &self.address()))
            }
        }
    }

    fn is_alive(&self, connection: &mut Connection) -> bool {
        let ping = redis::cmd("PING").get_packed_command();
        matches!(self.exchange(connection, &ping), Ok(value) if !matches!(value, Value::ServerError(_)))
    }

    fn check_in(&self, mut connection: Connection) {
        connection.last_used = Instant::now();
        let mut idle = lock(&self.state.get().idle);
        if idle.len() < MAX_IDLE && !self.closed.load(Ordering::Acquire) {
            idle.push(connection);
        }
    }

    /// One connection broke, so the others are likely to be broken too.
    fn drop_idle(&self) {
        lock(&self.state.get().idle).clear();
    }
}

impl Drop for Transport {
    fn drop(&mut self) {
        self.close();
    }
}

/// A panic elsewhere leaves these lists in order, so a poisoned lock is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
