//! One server and the open connections to it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use redis::{RedisError, Value, cmd};

use super::connect::{Connection, Target};
use super::failure::{self, Failure};
use super::lock;

/// Connections kept for later; more are opened when more threads call at once, and closed afterwards.
const MAX_IDLE: usize = 16;

/// A connection that was not used for this long is asked for a sign of life first, so that a restart of the
/// server in a quiet time does not turn into an unknown outcome.
const SUSPECT_AFTER: Duration = Duration::from_secs(1);

/// The same while the listener watches the server: it sees a restart at once and clears the idle connections. What
/// it cannot see is one that the server or the network closes for being idle.
const SUSPECT_WATCHED_AFTER: Duration = Duration::from_secs(30);

/// One server, and the connections to it that wait for their next use.
pub(super) struct Node {
    target: Target,
    pub(super) address: String,
    idle: Mutex<Vec<Connection>>,
    watched: AtomicBool,
}

/// A connection in use.
pub(super) struct Visit {
    pub(super) node: Arc<Node>,
    connection: Connection,
    /// Each request is preceded by ASKING, which lets a node answer for a slot that it is still importing.
    pub(super) asking: bool,
}

impl Node {
    pub(super) fn new(target: Target) -> Arc<Self> {
        Arc::new(Node {
            address: target.address().to_owned(),
            target,
            idle: Mutex::default(),
            watched: AtomicBool::new(false),
        })
    }

    /// An idle connection that lives, or a new one.
    pub(super) fn visit(self: &Arc<Self>) -> Result<Visit, RedisError> {
        let idle = lock(&self.idle).pop();
        if let Some(connection) = idle {
            let watched = self.watched.load(Ordering::Acquire);
            let suspect_after = if watched { SUSPECT_WATCHED_AFTER } else { SUSPECT_AFTER };
            let suspect = connection.last_used.elapsed() >= suspect_after;
            let mut visit = Visit { node: Arc::clone(self), connection, asking: false };
            if !suspect || visit.is_alive() {
                return Ok(visit);
            }
            self.drop_idle();
        }
        Ok(Visit { node: Arc::clone(self), connection: self.target.connect()?, asking: false })
    }

    /// A new connection that is not kept, under a name of its own.
    pub(super) fn subscriber(&self) -> Result<redis::Connection, RedisError> {
        self.target.clone().named("wake").connect().map(Connection::into_redis)
    }

    /// Whether the listener would notice a restart of the server.
    pub(super) fn watch(&self, watched: bool) {
        self.watched.store(watched, Ordering::Release);
        if !watched {
            self.drop_idle();
        }
    }

    /// One connection broke, so the others are likely to be broken too.
    pub(super) fn drop_idle(&self) {
        lock(&self.idle).clear();
    }

    /// For a forked child: `try_lock`, since a thread of the parent may have held it; dropping a connection
    /// only closes it.
    pub(super) fn abandon(&self) {
        if let Ok(mut idle) = self.idle.try_lock() {
            idle.clear();
        }
    }
}

impl Visit {
    /// Sends one request and waits for its answer; an error reply is a `Value::ServerError`.
    pub(super) fn exchange(&mut self, request: &[u8]) -> Result<Value, Failure> {
        if self.asking {
            let asking = self.send_and_receive(&cmd("ASKING").get_packed_command())?;
            if matches!(asking, Value::ServerError(_)) {
                return Ok(asking);
            }
        }
        self.send_and_receive(request)
    }

    /// Keeps the connection for later, unless the client is closed.
    pub(super) fn end(mut self, closed: &AtomicBool) {
        self.connection.last_used = Instant::now();
        let mut idle = lock(&self.node.idle);
        if idle.len() < MAX_IDLE && !closed.load(Ordering::Acquire) {
            idle.push(self.connection);
        }
    }

    fn send_and_receive(&mut self, request: &[u8]) -> Result<Value, Failure> {
        self.connection.send(request).map_err(|e| failure::sending(e, &self.node.address))?;
        self.connection.receive().map_err(failure::receiving)
    }

    fn is_alive(&mut self) -> bool {
        let ping = self.send_and_receive(&cmd("PING").get_packed_command());
        matches!(ping, Ok(value) if !matches!(value, Value::ServerError(_)))
    }
}
