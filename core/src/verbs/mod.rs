//! One module per verb, each the counterpart of the Lua file of its name: arguments, run, reply.

pub(crate) mod ack;
pub(crate) mod cancel;
pub(crate) mod enqueue;
pub(crate) mod pop;
pub(crate) mod requeue;

/// Every public verb, as every language must offer it; tests compare the lists.
pub const VERBS: &[&str] = &["enqueue", "enqueue_many", "pop", "ack", "requeue", "cancel"];
