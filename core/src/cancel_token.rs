//! Ends a waiting `pop` from another thread.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Ends a waiting [`pop`](crate::Queue::pop) at once, from any thread. No job is lost: a `pop` that is
/// cancelled before Redis handed out jobs returns none, one that has jobs returns them.
///
/// A clone is the same token. A token stays cancelled.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<Inner>);

type Hook = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Inner {
    cancelled: AtomicBool,
    bell: Mutex<()>,
    changed: Condvar,
    hooks: Mutex<Vec<Hook>>,
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inner").field("cancelled", &self.cancelled).finish_non_exhaustive()
    }
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
        let hooks = std::mem::take(&mut *self.0.hooks.lock().unwrap_or_else(PoisonError::into_inner));
        hooks.into_iter().for_each(|hook| hook());
    }

    /// Runs this once, on the thread that cancels, or at once if that has happened; so it must be quick. For
    /// programs that wait by other means than a thread.
    pub fn on_cancel(&self, hook: impl FnOnce() + Send + 'static) {
        let mut hooks = self.0.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_cancelled() {
            hooks.push(Box::new(hook));
            return;
        }
        drop(hooks);
        hook();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_runs_once_whether_it_comes_before_or_after() {
        let (token, runs) = (CancelToken::new(), Arc::new(Mutex::new(Vec::new())));
        let note = |name| {
            let runs = Arc::clone(&runs);
            move || runs.lock().unwrap().push(name)
        };
        token.on_cancel(note("before"));
        assert!(runs.lock().unwrap().is_empty());
        token.cancel();
        token.cancel();
        token.on_cancel(note("after"));
        assert_eq!(*runs.lock().unwrap(), ["before", "after"]);
    }
}
