//! How an error of the core gets to `lib/errors.js`, which makes a `DelayqError` of it.

use napi::bindgen_prelude::*;
use napi_derive::napi;

/// What a failed call throws or rejects with.
#[napi(object)]
pub struct Failure {
    /// The kind's stable name.
    pub kind: String,
    /// What went wrong and what to do.
    pub message: String,
    /// The verb that failed.
    pub verb: Option<String>,
    /// The topic, if the call had one.
    pub topic: Option<String>,
    /// The job's id, if the call was about one job.
    pub id: Option<String>,
    /// Whether the same call may succeed later.
    pub retryable: bool,
}

/// The error as something that napi can throw. An own object, since napi's errors have no place for the fields.
pub(crate) fn to_js(env: &Env, error: &delayq::Error) -> Error {
    let failure = Failure {
        kind: error.kind().slug().to_owned(),
        message: error.message().to_owned(),
        verb: error.verb().map(str::to_owned),
        topic: error.topic().map(str::to_owned),
        id: error.id().map(str::to_owned),
        retryable: error.is_retryable(),
    };
    failure.into_unknown(env).map_or_else(|broken| broken, Error::from)
}
