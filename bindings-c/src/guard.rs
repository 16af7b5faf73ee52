//! The funnel: every exported function runs its body here, so no panic crosses the border and every error
//! gets out the same way.

use std::panic::{AssertUnwindSafe, catch_unwind};

use delayq_core::{Error, Queue, Result};

use crate::args::given;
use crate::error::delayq_error;
use crate::out::Out;
use crate::queue::delayq_queue;
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

/// Runs a verb on a queue handle. A refusal by this library names verb and topic as one by the core does.
pub(crate) fn guard_verb(
    err: Out<*mut delayq_error>,
    verb: &'static str,
    queue: Option<&delayq_queue>,
    body: impl FnOnce(&Queue) -> Result<()>,
) -> delayq_status {
    guard(err, || {
        let queue = &given(queue, "queue").map_err(|e| e.with_verb(verb))?.queue;
        body(queue).map_err(|e| e.with_verb(verb).with_topic(queue.topic()))
    })
}

/// Runs a body that cannot fail, such as a getter; `fallback` would be the answer to a panic.
pub(crate) fn guard_or<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(fallback)
}

/// Runs a body that has no answer, such as a setter.
pub(crate) fn guard_unit(body: impl FnOnce()) {
    guard_or((), body);
}
