//! One module per verb, each the counterpart of the Lua file of its name: arguments, run, reply.

pub(crate) mod ack;
pub(crate) mod cancel;
pub(crate) mod enqueue;
pub(crate) mod extend;
pub(crate) mod get;
pub(crate) mod leases;
pub(crate) mod limit;
pub(crate) mod list;
pub(crate) mod pause;
pub(crate) mod pop;
pub(crate) mod purge;
pub(crate) mod redrive;
pub(crate) mod release;
pub(crate) mod repair;
pub(crate) mod requeue;
pub(crate) mod resume;
pub(crate) mod retry;
pub(crate) mod stats;

use crate::error::{Error, Result};

/// Every public verb, as every language must offer it; tests compare the lists.
pub const VERBS: &[&str] = &[
    "enqueue",
    "enqueue_many",
    "pop",
    "ack",
    "ack_many",
    "retry",
    "retry_many",
    "release",
    "release_many",
    "extend",
    "extend_many",
    "requeue",
    "cancel",
    "get",
    "list",
    "redrive",
    "purge",
    "repair",
    "stats",
    "pause",
    "resume",
    "limit",
];

/// The most jobs that one call of `requeue`, `list`, `redrive` or `purge` handles.
pub const MAX_SLICE: usize = 1000;

/// How many jobs a binding lets `requeue`, `list` and `redrive` handle if the caller does not say.
pub const DEFAULT_SLICE: usize = 100;

/// Refuses a slice of nothing, or of more than a script may handle at once.
fn check_slice(limit: usize) -> Result<()> {
    if (1..=MAX_SLICE).contains(&limit) {
        return Ok(());
    }
    Err(Error::invalid(format!("limit is {limit}; handle 1 to {MAX_SLICE} jobs at once")))
}
