//! Ends a waiting `pop` from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Ends a waiting [`pop`](crate::Queue::pop) at once, from any thread. No job is lost: a `pop` that is
/// cancelled before Redis handed out jobs returns none, one that has jobs returns them.
///
/// A clone is the same token. A token stays cancelled.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    cancelled: AtomicBool,
    bell: Mutex<()>,
    changed: Condvar,
}

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels: whatever waits with this token returns now.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Release);
        self.ring();
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    /// Wakes the sleeper without cancelling.
    pub(crate) fn ring(&self) {
        // Taking the lock makes sure that a sleeper is either before its last check or already waiting.
        drop(self.0.bell.lock().unwrap_or_else(PoisonError::into_inner));
        self.0.changed.notify_all();
    }

    /// Sleeps for this long by a monotonic clock, or until cancelled, or until `woken` says so after a ring.
    pub(crate) fn sleep(&self, duration: Duration, woken: impl Fn() -> bool) {
        let guard = self.0.bell.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.0.changed.wait_timeout_while(guard, duration, |()| !self.is_cancelled() && !woken());
    }
}
