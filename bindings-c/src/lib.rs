//! The C library: converts, calls the core, converts back. Its manual is the generated `include/delayq.h`.
//!
//! | module | holds |
//! |---|---|
//! | `guard` | the funnel of every call: panics, errors |
//! | `args`, `out` | all reading and writing through the caller's pointers |
//! | `status`, `error`, `mode`, `state`, `outcome`, `pairs`, `words` | the lists and words that C sees |
//! | `client`, `queue`, `new_job`, `job`, `cancel_token`, `retry_policy`, `*_options` | the handles |
//! | `job_info`, `histogram`, `stats` | what the verbs that only look give back |
//! | `verbs` | one file per verb |
//! | `worker`, `worker_options`, `delivery`, `event`, `health` | the worker |
//! | `callbacks` | every call of a function of the program's |
//!
//! A handle is taken as `Option<&T>` and freed as `Option<Box<T>>`: for C a pointer that may be NULL. The order
//! of the modules is the order of the header.

#![allow(non_camel_case_types, clippy::enum_variant_names)] // the names are C's
#![allow(clippy::missing_safety_doc)] // stated once, in the introduction of the header

mod args;
mod callbacks;
mod guard;
mod out;
mod pairs;
mod words;

pub mod version;

pub mod status;

pub mod error;

pub mod client_options;

pub mod client;

pub mod retry_policy;

pub mod queue_options;

pub mod queue;

pub mod mode;

pub mod new_job;

pub mod job;

pub mod cancel_token;

pub mod outcome;

pub mod state;

pub mod job_info;

pub mod histogram;

pub mod stats;

pub mod verbs;

pub mod delivery;

pub mod event;

pub mod worker_options;

pub mod worker;

pub mod health;
