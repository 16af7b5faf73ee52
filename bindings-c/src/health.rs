//! How a worker is.

use std::time::Duration;

use delayq_core::Health;

use crate::guard::{guard_or, guard_unit};

/// How a worker was at one moment.
pub struct delayq_health {
    /// Nothing before the start.
    health: Option<Health>,
}

impl delayq_health {
    pub(crate) fn new(health: Option<Health>) -> Self {
        delayq_health { health }
    }

    fn get<T>(this: Option<&Self>, nothing: T, get: impl FnOnce(&Health) -> T) -> T
    where
        T: Copy,
    {
        guard_or(nothing, || this.and_then(|this| this.health.as_ref()).map_or(nothing, get))
    }
}

fn ms(duration: Option<Duration>) -> i64 {
    duration.map_or(-1, |duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
}

/// Whether the worker's last call to Redis succeeded; false before the start and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_health_connected(health: Option<&delayq_health>) -> bool {
    delayq_health::get(health, false, |health| health.connected)
}

/// How long ago Redis last answered a pop; -1 if it never has, and for NULL. An idle worker waits up to a minute for
/// an answer.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_health_last_pop_ms(health: Option<&delayq_health>) -> i64 {
    delayq_health::get(health, -1, |health| ms(health.last_pop))
}

/// The number of handlers at work; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_health_running(health: Option<&delayq_health>) -> usize {
    delayq_health::get(health, 0, |health| health.running)
}

/// For how long the oldest of them has been at work; -1 if there is none, and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_health_oldest_running_ms(health: Option<&delayq_health>) -> i64 {
    delayq_health::get(health, -1, |health| ms(health.oldest_running))
}

/// The number of jobs that were taken and wait for a handler; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_health_waiting(health: Option<&delayq_health>) -> usize {
    delayq_health::get(health, 0, |health| health.waiting)
}

/// Whether the worker is stopping or has stopped; false for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_health_stopping(health: Option<&delayq_health>) -> bool {
    delayq_health::get(health, false, |health| health.stopping)
}

/// Frees the answer. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_health_free(health: Option<Box<delayq_health>>) {
    guard_unit(|| drop(health));
}
