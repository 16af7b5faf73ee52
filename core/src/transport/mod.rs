//! The only place that owns sockets: connections to one server or to the nodes of a cluster, and the rule for
//! when a request may be repeated.
//!
//! | outcome of an attempt | was it run? | what happens |
//! |---|---|---|
//! | connect or send failed | no | back off, learn the slots anew, again until `retry_for` is over |
//! | LOADING, READONLY, TRYAGAIN, CLUSTERDOWN, MASTERDOWN | no | the same |
//! | MOVED | no | the slot belongs to that node from now on; to that node at once |
//! | ASK | no | ASKING and the request to that node |
//! | NOSCRIPT | no | EVAL with the full text on the same connection |
//! | no answer, connection broken | unknown | connection thrown away; again only if the script says it is safe |
//! | any other answer | – | returned |
//!
//! In a cluster the slot of the call's first key chooses the node (`router`), and no node but that one has to be
//! up. redis-rs has a cluster connection too; it is not used because it repeats requests whose outcome is
//! unknown, and stays with a primary that is gone.

mod connect;
mod failure;
mod listener;
mod pool;
mod router;
mod signals;
mod sleepers;
mod slot;
mod topology;
mod url;
mod watchers;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use backon::{BackoffBuilder, ExponentialBuilder};
use redis::{Cmd, Value};

use crate::cancel_token::CancelToken;
use crate::embedded::Embedded;
use crate::error::{Error, ErrorKind, Result};
use crate::fork::{Abandon, ForkCell};
use crate::options::ClientOptions;
use crate::script::{Call, Repeat};

use connect::Target;
use failure::Failure;
pub(crate) use failure::is_wrong_type;
use listener::Listener;
use pool::{Node, Visit};
use router::Router;
use signals::SignalsHeld;
pub(crate) use sleepers::Sleeper;
use sleepers::Sleepers;
use url::Endpoint;
use watchers::Watchers;
pub(crate) use watchers::{Watch, Watcher};

/// So often a call follows MOVED and ASK from node to node before it backs off as after a failure.
const MAX_REDIRECTS: u32 = 5;

pub(crate) struct Transport {
    endpoint: Endpoint,
    prefix: String,
    retry_for: Duration,
    /// No call takes longer: the last attempt begins before `retry_for` is over.
    longest_call: Duration,
    closed: AtomicBool,
    state: ForkCell<State>,
    embedded: Option<Embedded>,
}

/// What one process holds.
#[derive(Default)]
struct State {
    router: Router,
    sleepers: Sleepers,
    watchers: Watchers,
    listener: Arc<Listener>,
    /// Steps that are taken once; see [`Transport::once`].
    taken: Mutex<HashSet<String>>,
}

impl Abandon for State {
    fn abandon(&self) {
        self.router.abandon();
    }
}

impl Transport {
    pub(crate) fn open(options: &ClientOptions) -> Result<Self> {
        let embedded = match options.url.strip_prefix("embedded:") {
            Some(dir) => Some(Embedded::open(dir, options.server_fallback.as_deref())?),
            None => None,
        };
        let endpoint = match &embedded {
            Some(embedded) => Endpoint::One(Box::new(Target::socket(embedded.socket(), options)?)),
            None => Endpoint::new(options)?,
        };
        Ok(Transport {
            endpoint,
            prefix: options.prefix.clone(),
            retry_for: options.retry_for,
            longest_call: options
                .retry_for
                .saturating_add(options.connect_timeout)
                .saturating_add(options.timeout),
            closed: AtomicBool::new(false),
            state: ForkCell::new(),
            embedded,
        })
    }

    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    pub(crate) fn longest_call(&self) -> Duration {
        self.longest_call
    }

    pub(crate) fn address(&self) -> String {
        self.endpoint.address()
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
        state.router.close();
        state.sleepers.ring_all();
        state.listener.end();
        if let Some(embedded) = &self.embedded {
            embedded.release();
        }
    }

    /// Asks any node for a sign of life.
    pub(crate) fn ping(&self) -> Result<()> {
        let ping = redis::cmd("PING").get_packed_command();
        self.repeat(Repeat::Safe, None, None, |visit| visit.exchange(&ping)).map(|_| ())
    }

    /// Runs a script by its hash, and by its text where the hash is not known.
    pub(crate) fn call(&self, call: &Call<'_>) -> Result<Value> {
        self.repeat(call.repeat, call.keys().next(), call.cancel, |visit| {
            match visit.exchange(&call.evalsha())? {
                Value::ServerError(e) if e.code() == "NOSCRIPT" => visit.exchange(&call.eval()),
                value => Ok(value),
            }
        })
    }

    /// Runs one plain command, which must be safe to repeat, where this key is (or would be).
    pub(crate) fn command(&self, key: &str, command: &Cmd) -> Result<Value> {
        let request = command.get_packed_command();
        self.repeat(Repeat::Safe, Some(key), None, |visit| visit.exchange(&request))
    }

    /// Makes this process take the named step again.
    pub(crate) fn forget(&self, name: &str) {
        lock(&self.state.get().taken).remove(name);
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

    /// Makes a waiting `pop` known, so that hints for its channel, a cancel and a close wake it.
    pub(crate) fn sleeper(self: &Arc<Self>, channel: &str, token: CancelToken) -> Arc<Sleeper> {
        let state = self.state.get();
        let sleeper = Sleeper::new(Some(channel.to_owned()), token);
        state.sleepers.add(&sleeper);
        state.listener.want(channel, self);
        sleeper
    }

    /// The `pop` has ended.
    pub(crate) fn leave(&self, sleeper: &Arc<Sleeper>) {
        self.state.get().sleepers.remove(sleeper);
    }

    /// Calls this with the id of each job of the channel's topic whose lease is said to be revoked, from the listener's
    /// thread, until the watch is dropped.
    pub(crate) fn watch(self: &Arc<Self>, channel: &str, watcher: Watcher) -> Watch {
        let state = self.state.get();
        state.listener.want(channel, self);
        state.watchers.add(channel, watcher)
    }

    /// Sleeps until the time is over, or the sleeper is told something or cancelled; `closed` if the client is
    /// closed meanwhile.
    pub(crate) fn sleep(&self, duration: Duration, sleeper: &Sleeper) -> Result<()> {
        sleeper.token.sleep(duration, || self.closed.load(Ordering::Acquire) || sleeper.was_told());
        self.check_open()
    }

    /// Whether hints of this channel are heard at this moment.
    pub(crate) fn hears(&self, channel: &str) -> bool {
        self.state.get().listener.hears(channel)
    }

    /// How long after a due time this process looks for jobs of this channel's topic.
    pub(crate) fn behind(&self, channel: &str) -> Duration {
        self.state.get().sleepers.behind(channel)
    }

    /// A look at the due time of a job found it, or found that another process was faster.
    pub(crate) fn raced(&self, channel: &str, won: bool) {
        let sleepers = &self.state.get().sleepers;
        if won { sleepers.won(channel) } else { sleepers.lost(channel) }
    }

    fn tell(&self, channel: &str, due: Option<Instant>) {
        self.state.get().sleepers.tell(channel, due);
    }

    /// A connection of its own for the listener.
    fn subscriber(&self) -> std::result::Result<(Arc<Node>, redis::Connection), Failure> {
        let node = self.state.get().router.route(&self.endpoint, None, &self.closed)?;
        let connection = node.subscriber().map_err(|e| failure::connecting(e, &node.address))?;
        Ok((node, connection))
    }

    /// A pause between attempts, which a cancel ends; `closed` if the client is closed meanwhile.
    fn pause(&self, duration: Duration, cancel: Option<&CancelToken>) -> Result<()> {
        let token = cancel.cloned().unwrap_or_default();
        let (sleepers, sleeper) = (&self.state.get().sleepers, Sleeper::new(None, token));
        sleepers.add(&sleeper);
        let slept = self.sleep(duration, &sleeper);
        sleepers.remove(&sleeper);
        slept
    }

    /// The rule of the table above.
    fn repeat(
        &self,
        repeat: Repeat,
        key: Option<&str>,
        cancel: Option<&CancelToken>,
        request: impl Fn(&mut Visit) -> std::result::Result<Value, Failure>,
    ) -> Result<Value> {
        let started = Instant::now();
        let mut pauses = ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(10))
            .with_max_delay(Duration::from_millis(500))
            .without_max_times()
            .with_jitter()
            .build();
        let mut redirects = 0;
        let mut next = Next::Owner;
        loop {
            self.check_open()?;
            let error = match self.attempt(std::mem::take(&mut next), key, &request) {
                Ok(value) => return Ok(value),
                Err(Failure::Final(e)) => return Err(e),
                Err(Failure::Elsewhere(to)) => match &self.endpoint {
                    Endpoint::Cluster(seeds) if redirects < MAX_REDIRECTS => {
                        redirects += 1;
                        let node = self.state.get().router.follow(seeds, &to, &self.closed);
                        next = node.map_or(Next::Owner, |node| Next::Node { node, asking: to.asking });
                        continue;
                    }
                    Endpoint::Cluster(_) => to.error.with_retryable(true),
                    Endpoint::One(_) => return Err(to.error),
                },
                Err(Failure::Unknown(e)) if repeat == Repeat::Never => return Err(e),
                Err(Failure::Unknown(e) | Failure::NotRun(e)) => e,
            };
            let pause = pauses.next().unwrap_or(Duration::from_millis(500));
            if started.elapsed() + pause > self.retry_for {
                return Err(error);
            }
            self.pause(pause, cancel)?;
            if cancel.is_some_and(CancelToken::is_cancelled) {
                return Err(error);
            }
            redirects = 0;
            if let Endpoint::Cluster(seeds) = &self.endpoint {
                // If nobody answers, the next attempt says so.
                let _ = self.state.get().router.refresh(seeds, key, &self.closed);
            }
        }
    }

    fn attempt(
        &self,
        next: Next,
        key: Option<&str>,
        request: &impl Fn(&mut Visit) -> std::result::Result<Value, Failure>,
    ) -> std::result::Result<Value, Failure> {
        let _held = SignalsHeld::hold();
        let (node, asking) = match next {
            Next::Owner => (self.state.get().router.route(&self.endpoint, key, &self.closed)?, false),
            Next::Node { node, asking } => (node, asking),
        };
        let mut visit = self.visit(&node)?;
        visit.asking = asking;
        let answer = request(&mut visit).inspect_err(|_| node.drop_idle())?;
        if let Value::ServerError(e) = answer {
            let failure = failure::answered(e.into(), &node.address);
            if matches!((&failure, &self.endpoint), (Failure::NotRun(_), Endpoint::One(_))) {
                node.drop_idle(); // the server is in the wrong state for us: look its address up again
            } else {
                visit.end(&self.closed);
            }
            return Err(failure);
        }
        visit.end(&self.closed);
        Ok(answer)
    }

    fn visit(&self, node: &Arc<Node>) -> std::result::Result<Visit, Failure> {
        node.visit().map_err(|e| {
            let started = self.embedded.as_ref().map(Embedded::ensure_running);
            match started {
                Some(Err(e)) => Failure::NotRun(e),
                _ => failure::connecting(e, &node.address),
            }
        })
    }
}

/// Where the next attempt goes.
#[derive(Default)]
enum Next {
    /// To whom the slot belongs.
    #[default]
    Owner,
    Node {
        node: Arc<Node>,
        asking: bool,
    },
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
