//! The funnel: every call into the core that may block goes through [`call`].

use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

use crate::error::raise;

/// Runs `f` while other Python threads run, and gives its error, or its panic, as a Python exception.
pub(crate) fn call<T: Send>(py: Python<'_>, f: impl FnOnce() -> delayq::Result<T> + Send) -> PyResult<T> {
    // Nothing of ours is used again after a panic but the core, whose state stays in order.
    match py.detach(|| catch_unwind(AssertUnwindSafe(f))) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(e)) => Err(raise(py, &e)),
        Err(panic) => Err(raise(py, &delayq::Error::from_panic(&*panic))),
    }
}

/// A handle of the core that lets other Python threads run while it is dropped: the last handle of an embedded
/// server stops it.
pub(crate) struct Handle<T: Send>(ManuallyDrop<T>);

impl<T: Send> Handle<T> {
    pub(crate) fn new(value: T) -> Self {
        Handle(ManuallyDrop::new(value))
    }
}

impl<T: Send> Deref for Handle<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Send> Drop for Handle<T> {
    fn drop(&mut self) {
        // SAFETY: taken once, in the drop of the handle, after which nobody can reach the value.
        let value = unsafe { ManuallyDrop::take(&mut self.0) };
        // While the interpreter ends there is nobody to let run: the closure is dropped, and the value in it.
        let _ = Python::try_attach(|py| py.detach(|| catch_unwind(AssertUnwindSafe(|| drop(value))).is_ok()));
    }
}
