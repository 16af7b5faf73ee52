//! How a worker is, in numbers.

use std::time::Duration;

/// How a worker is; see [`Worker::health`](super::Worker::health).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// Whether the last call to Redis succeeded.
    pub connected: bool,
    /// How long ago Redis last answered a `pop`; `None` if it never has.
    pub last_pop: Option<Duration>,
    /// Handlers at work.
    pub running: usize,
    /// For how long the oldest of them has been at work.
    pub oldest_running: Option<Duration>,
    /// Jobs taken that wait for a handler.
    pub waiting: usize,
    /// Whether the worker is stopping.
    pub stopping: bool,
}
