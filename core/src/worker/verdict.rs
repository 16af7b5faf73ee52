//! What a handler says about its job.

use std::fmt::Display;
use std::time::Duration;

use crate::time::{When, duration_ms};

/// The end of one delivery, as the handler sees it.
///
/// A handler may also return a `Result<(), E>`: `Ok` is [`Done`](Verdict::Done), an error is
/// [`Failed`](Verdict::Failed) with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The job succeeded: it is acknowledged.
    Done,
    /// The job failed: it is retried by its policy, or dead after one failure too many.
    Failed(String),
    /// The job failed: it is retried after this delay, or dead after one failure too many.
    FailedFor(String, Duration),
    /// Not now: it is handed back without a failure, due after this delay.
    Release(Duration),
    /// It will never succeed: it goes to the dead letter set at once.
    Dead(String),
    /// Nothing is reported; the job comes back when its lease ends.
    Leave,
}

impl Verdict {
    /// A delay that ends after the year 9999 would have the whole batch refused; it becomes a failure that says so.
    /// The end of the lease is the best that is known here of the server's clock.
    pub(super) fn checked(self, lease_until_ms: i64) -> Self {
        let (Verdict::FailedFor(_, delay) | Verdict::Release(delay)) = &self else { return self };
        let end = When::AtMs(lease_until_ms.saturating_add(duration_ms(*delay)));
        match (end.validate(), self) {
            (Ok(_), verdict) => verdict,
            (Err(refusal), Verdict::FailedFor(error, _)) => Verdict::Failed(format!("{error} ({refusal})")),
            (Err(refusal), _) => Verdict::Failed(refusal.to_string()),
        }
    }
}

impl<E: Display> From<Result<(), E>> for Verdict {
    fn from(result: Result<(), E>) -> Self {
        match result {
            Ok(()) => Verdict::Done,
            Err(e) => Verdict::Failed(e.to_string()),
        }
    }
}

impl From<()> for Verdict {
    fn from((): ()) -> Self {
        Verdict::Done
    }
}
