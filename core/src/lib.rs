//! Delayed task queue on Redis sorted sets: enqueue a job now, have it run when it is due, by exactly one
//! consumer at a time, from any language.
//!
//! ```no_run
//! # fn main() -> delayq::Result<()> {
//! use std::time::Duration;
//! use delayq::{Client, NewJob, PopOptions};
//!
//! let client = Client::open("redis://127.0.0.1:6379/0")?; // or "embedded:./data": a private server
//! let queue = client.queue("order_close")?;
//!
//! queue.enqueue(NewJob::new("order 1").id("order:1:close").delay(Duration::from_secs(900)))?;
//! queue.cancel("order:1:close")?; // paid in time
//!
//! for job in queue.pop(PopOptions::new(20).wait(Duration::from_secs(5)))? {
//!     println!("closing {}", job.id());
//!     queue.ack(&job)?;
//! }
//! # Ok(()) }
//! ```
//!
//! * [`Client`] holds the connections to one Redis, [`Queue`] is a handle on one topic. Both are cheap to
//!   clone and may be used from any number of threads at once.
//! * The verbs are methods of [`Queue`]. Each is one Lua script, run by Redis in one piece; time is always
//!   the Redis server's.
//! * Delivery is at least once: a popped job is leased, and [`Queue::requeue`] hands it out again if the
//!   lease ends without an [`ack`](Queue::ack). A [receipt](Job::receipt) proves the lease, so a late ack is
//!   refused instead of deleting another consumer's job.
//! * Every error is an [`Error`] of one of the [`ErrorKind`]s, which are the same in every language.
//!
//! The crate is synchronous and holds no unsafe code. Of its own it starts one thread per client, which listens for
//! earlier jobs from the first waiting `pop` on.

#![forbid(unsafe_code)]

mod cancel_token;
mod client;
mod embedded;
mod error;
mod fork;
mod id;
mod info;
mod job;
mod keys;
mod layout;
mod numbers;
mod options;
mod outcome;
mod policy;
mod queue;
mod reply;
mod run;
mod script;
pub mod time;
mod transport;
mod verbs;
mod worker;

pub use cancel_token::CancelToken;
pub use client::Client;
pub use error::{Error, ErrorKind, Result};
pub use info::JobInfo;
pub use job::{
    Enqueued, Extended, Job, Lease, MAX_ERROR, NewJob, Purged, Redriven, Released, Repaired, Requeued,
    Retried, Retry,
};
pub use numbers::{COUNTERS, Histogram, Stats};
pub use options::{ClientOptions, QueueOptions};
pub use outcome::{
    AckOutcome, CancelOutcome, EnqueueOutcome, EventKind, ExtendOutcome, Mode, ReleaseOutcome, RetryOutcome,
    State,
};
pub use policy::RetryPolicy;
pub use queue::Queue;
pub use time::When;
pub use verbs::pop::{MAX_POP, PopOptions, PopWait};
pub use verbs::{DEFAULT_SLICE, MAX_SLICE, VERBS};
pub use worker::{Delivery, Event, Health, Task, Verdict, Worker, WorkerBuilder};

/// The version of this library, the same for the crate, the wheel, the addon and the C library.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A panic inside the library, by which each binding proves that none crosses its border.
#[doc(hidden)]
#[allow(clippy::panic)]
pub fn panic_on_purpose() {
    panic!("on purpose");
}
