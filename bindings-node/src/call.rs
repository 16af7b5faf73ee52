//! The funnel: the only place where JavaScript's thread and the core meet. It keeps the event loop free, catches
//! panics and maps errors.

use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::bindgen_prelude::*;

use crate::error;
use crate::threads::Pool;

/// Runs work that cannot block on JavaScript's thread.
pub(crate) fn now<T>(env: &Env, work: impl FnOnce() -> delayq::Result<T>) -> Result<T> {
    guarded(work).map_err(|e| error::to_js(env, &e))
}

/// Runs work that may block on a thread of the pool and gives a promise for its value. The promise keeps the
/// process alive until it is settled.
pub(crate) fn later<'env, T: ToNapiValue + Send + 'static>(
    env: &'env Env,
    pool: &Pool,
    work: impl FnOnce() -> delayq::Result<T> + Send + 'static,
) -> Result<Object<'env>> {
    type Settle<T> = Box<dyn FnOnce(Env) -> Result<T>>;
    let (deferred, promise) = env.create_deferred::<T, Settle<T>>()?;
    pool.run(Box::new(move |started| {
        let outcome = started.and_then(|()| guarded(work));
        // Runs on JavaScript's thread, where alone JavaScript values can be made.
        deferred.resolve(Box::new(move |env| outcome.map_err(|e| error::to_js(&env, &e))));
    }));
    Ok(promise)
}

fn guarded<T>(work: impl FnOnce() -> delayq::Result<T>) -> delayq::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(delayq::Error::from_panic(&*panic)))
}
