//! One file per verb, as in the core.

pub mod enqueue;

pub mod pop_options;

pub mod pop;

pub mod ack;

pub mod requeue;

pub mod cancel;
