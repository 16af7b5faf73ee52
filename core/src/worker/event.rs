//! What a worker tells its program, for logs and metrics.

use std::time::Duration;

use crate::error::Error;
use crate::outcome::{EventKind, RetryOutcome};

/// Something that happened. Ids and topics are of the job concerned.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A handler begins.
    Started {
        /// The topic.
        topic: &'a str,
        /// The job's id.
        id: &'a str,
        /// Times popped, this time included.
        deliveries: u32,
    },
    /// A job was acknowledged.
    Done {
        /// The topic.
        topic: &'a str,
        /// The job's id.
        id: &'a str,
        /// How long the handler took.
        took: Duration,
    },
    /// A failure was recorded; the outcome says whether the job will run again.
    Failed {
        /// The topic.
        topic: &'a str,
        /// The job's id.
        id: &'a str,
        /// What became of it.
        outcome: RetryOutcome,
        /// What went wrong.
        error: &'a str,
    },
    /// The job is not this worker's any more: its lease ended, or it was replaced or cancelled. What its handler
    /// says will not count.
    LeaseLost {
        /// The topic.
        topic: &'a str,
        /// The job's id.
        id: &'a str,
    },
    /// A job was handed back without a failure.
    Released {
        /// The topic.
        topic: &'a str,
        /// The job's id.
        id: &'a str,
    },
    /// Redis does not answer as it should; the worker goes on trying.
    Lost {
        /// The topic of the call.
        topic: &'a str,
        /// What it said.
        error: &'a Error,
    },
    /// Redis answers again.
    Back {
        /// The topic of the call.
        topic: &'a str,
    },
}

impl Event<'_> {
    /// To `tracing`, under the target `delayq::worker`: a program that subscribes to nothing pays next to nothing.
    pub(super) fn trace(&self) {
        match self {
            Event::Started { topic, id, deliveries } => tracing::debug!(topic, id, deliveries, "started"),
            Event::Done { topic, id, took } => tracing::info!(topic, id, ?took, "done"),
            Event::Failed { topic, id, outcome: RetryOutcome::Dead, error } => {
                tracing::error!(topic, id, error, "dead");
            }
            Event::Failed { topic, id, outcome, error } => {
                tracing::warn!(topic, id, %outcome, error, "failed");
            }
            Event::LeaseLost { topic, id } => tracing::warn!(topic, id, "lease lost"),
            Event::Released { topic, id } => tracing::info!(topic, id, "released"),
            Event::Lost { topic, error } => tracing::warn!(topic, %error, "connection lost"),
            Event::Back { topic } => tracing::info!(topic, "connection back"),
        }
    }

    /// Which of them it is.
    pub fn kind(&self) -> EventKind {
        match self {
            Event::Started { .. } => EventKind::Started,
            Event::Done { .. } => EventKind::Done,
            Event::Failed { .. } => EventKind::Failed,
            Event::LeaseLost { .. } => EventKind::LeaseLost,
            Event::Released { .. } => EventKind::Released,
            Event::Lost { .. } => EventKind::Lost,
            Event::Back { .. } => EventKind::Back,
        }
    }
}
