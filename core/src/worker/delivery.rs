//! A job as its handler sees it.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use crate::cancel_token::CancelToken;
use crate::error::{ErrorKind, Result};
use crate::job::Job;
use crate::queue::Queue;

/// A job in the hands of a handler, with its [`Job`] readable through it.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub(super) queue: Queue,
    pub(super) job: Arc<Job>,
    pub(super) revoked: CancelToken,
    pub(super) stop: CancelToken,
}

impl Delivery {
    /// The job, to be kept beyond the delivery without a copy.
    pub fn job(&self) -> &Arc<Job> {
        &self.job
    }

    /// Asks Redis whether the job is still this handler's, for a moment before a side effect; if so the lease is
    /// extended.
    ///
    /// # Errors
    /// As [`Queue::extend`], except `lease_lost`, which is the answer `false`.
    pub fn is_mine(&self) -> Result<bool> {
        match self.queue.extend(&*self.job, None) {
            Ok(_) => Ok(true),
            Err(e) if e.kind() == ErrorKind::LeaseLost => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Whether the handler may give up: the lease was lost, the job was cancelled, or the worker is past the
    /// deadline of its stop. Costs nothing.
    pub fn is_revoked(&self) -> bool {
        self.revoked.is_cancelled()
    }

    /// Whether the worker has begun to stop. The handler has until the deadline of the stop; one that would take longer
    /// may hand its job back before. Costs nothing.
    pub fn is_stopping(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Runs this once when the delivery is [revoked](Self::is_revoked), on the thread that finds out, or at once if
    /// it is; so it must be quick. For event loops.
    pub fn on_revoked(&self, hook: impl FnOnce() + Send + 'static) {
        self.revoked.on_cancel(hook);
    }

    /// Sleeps up to this long; `true` if the delivery was [revoked](Self::is_revoked) meanwhile.
    pub fn sleep(&self, duration: Duration) -> bool {
        self.revoked.sleep(duration, || false);
        self.is_revoked()
    }
}

impl Deref for Delivery {
    type Target = Job;

    fn deref(&self) -> &Job {
        &self.job
    }
}
