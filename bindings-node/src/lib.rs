//! The Node.js addon: converts, calls the core, converts back.
//!
//! What users see is `index.js` with its types in `index.d.ts`; the functions here are private to it. They trust
//! the types of their arguments, which `lib/check.js` has looked at, and leave the values to the core.

mod call;
pub mod cancel;
pub mod client;
mod convert;
mod error;
pub mod jobs;
pub mod policy;
pub mod queue;
pub mod results;
pub mod stats;
mod threads;
pub mod worker;

use napi::bindgen_prelude::*;
use napi_derive::napi;

/// One row of the table of error kinds.
#[napi(object, object_from_js = false)]
pub struct KindRow {
    /// The stable number, the same in every language.
    pub number: i32,
    /// The stable name, e.g. `lease_lost`.
    pub kind: String,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// One line on the meaning.
    pub summary: String,
}

/// The version of the core.
#[napi(catch_unwind)]
pub fn version() -> &'static str {
    delayq::VERSION
}

/// The verbs of the core.
#[napi(catch_unwind)]
pub fn verbs() -> Vec<&'static str> {
    delayq::VERBS.to_vec()
}

/// The core's table of error kinds.
#[napi(catch_unwind)]
pub fn error_kinds() -> Vec<KindRow> {
    let row = |kind: &delayq::ErrorKind| KindRow {
        number: kind.code(),
        kind: kind.slug().to_owned(),
        retryable: kind.retryable(),
        summary: kind.summary().trim().to_owned(),
    };
    delayq::ErrorKind::ALL.iter().map(row).collect()
}

/// The words of the core's lists; the tests compare the types with them.
#[napi(object, object_from_js = false)]
pub struct Words {
    /// The modes of `enqueue`.
    pub modes: Vec<&'static str>,
    /// What `enqueue` did.
    pub enqueue: Vec<&'static str>,
    /// What `ack` did.
    pub ack: Vec<&'static str>,
    /// What `retry` did.
    pub retry: Vec<&'static str>,
    /// What `release` did.
    pub release: Vec<&'static str>,
    /// What `extend` did.
    pub extend: Vec<&'static str>,
    /// Where `cancel` found the job.
    pub cancel: Vec<&'static str>,
    /// Where a job is.
    pub states: Vec<&'static str>,
    /// The names of the lifetime counters.
    pub counters: Vec<&'static str>,
    /// What a worker tells.
    pub events: Vec<&'static str>,
}

/// The words of the core's enums.
#[napi(catch_unwind)]
pub fn words() -> Words {
    Words {
        modes: delayq::Mode::ALL.iter().map(|m| m.as_str()).collect(),
        enqueue: delayq::EnqueueOutcome::ALL.iter().map(|o| o.as_str()).collect(),
        ack: delayq::AckOutcome::ALL.iter().map(|o| o.as_str()).collect(),
        retry: delayq::RetryOutcome::ALL.iter().map(|o| o.as_str()).collect(),
        release: delayq::ReleaseOutcome::ALL.iter().map(|o| o.as_str()).collect(),
        extend: delayq::ExtendOutcome::ALL.iter().map(|o| o.as_str()).collect(),
        cancel: delayq::CancelOutcome::ALL.iter().map(|o| o.as_str()).collect(),
        states: delayq::State::ALL.iter().map(|s| s.as_str()).collect(),
        counters: delayq::COUNTERS.to_vec(),
        events: delayq::EventKind::ALL.iter().map(|e| e.as_str()).collect(),
    }
}

/// A panic in a synchronous call, by which the tests prove that none takes the process down.
#[napi(catch_unwind)]
pub fn panic_on_purpose(env: &Env) -> Result<()> {
    call::now(env, || {
        delayq::panic_on_purpose();
        Ok(())
    })
}

/// A panic on one of our own threads.
#[napi(catch_unwind, ts_return_type = "Promise<void>")]
pub fn panic_on_purpose_later(env: &Env) -> Result<Object<'_>> {
    call::later(env, &threads::Pool::waits(), || {
        delayq::panic_on_purpose();
        Ok(())
    })
}
