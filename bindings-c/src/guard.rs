//! The funnel: every exported function runs its body here, so no panic crosses the border and every error
//! gets out the same way.

use std::panic::{AssertUnwindSafe, catch_unwind};

use delayq_core::{Error, Result};

use crate::error::delayq_error;
use crate::out::Out;
use crate::status::delayq_status;

/// Runs a body that may fail. The error goes out through `err`, if the caller wants it.
pub(crate) fn guard(err: Out<*mut delayq_error>, body: impl FnOnce() -> Result<()>) -> delayq_status {
    // Broken invariants cannot be seen after a panic: the core's shared state is behind locks and atomics that
    // it keeps in order, everything else is dropped while unwinding.
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(Error::from_panic(&*panic)));
    match result {
        Ok(()) => delayq_status::DELAYQ_OK,
        Err(error) => {
            let status = delayq_status::of(error.kind());
            err.give(delayq_error::new(&error));
            status
        }
    }
}

/// Runs a body that cannot fail, such as a getter; `fallback` would be the answer to a panic.
pub(crate) fn guard_or<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(fallback)
}

/// Runs a body that has no answer, such as a setter.
pub(crate) fn guard_unit(body: impl FnOnce()) {
    guard_or((), body);
}
