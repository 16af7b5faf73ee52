//! How an error of the core gets to `lib/errors.js`, which makes a `DelayqError` of it.

use napi::bindgen_prelude::*;

/// The error as something that napi can throw: a JavaScript `Error` that has our fields.
pub(crate) fn to_js(env: &Env, error: &delayq::Error) -> Error {
    object(env, error).map_or_else(|broken| broken, |object| Error::from(object.to_unknown()))
}

/// The error as a JavaScript `Error` that has our fields.
pub(crate) fn object<'env>(env: &'env Env, error: &delayq::Error) -> Result<Object<'env>> {
    let mut object = env.create_error(Error::from_reason(error.message()))?;
    object.set("kind", error.kind().slug())?;
    object.set("verb", error.verb())?;
    object.set("topic", error.topic())?;
    object.set("id", error.id())?;
    object.set("retryable", error.is_retryable())?;
    Ok(object)
}
