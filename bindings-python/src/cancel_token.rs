//! `_delayq._CancelToken`, by which `delayq.aio` ends a waiting `pop`.

use pyo3::prelude::*;

/// Ends a waiting pop of ``delayq.aio`` at once; a token stays cancelled.
#[pyclass(frozen, name = "_CancelToken", module = "delayq._delayq")]
pub(crate) struct CancelToken(pub(crate) delayq::CancelToken);

#[pymethods]
impl CancelToken {
    #[new]
    fn new() -> Self {
        CancelToken(delayq::CancelToken::new())
    }

    /// Cancels: the pop returns what it has got from Redis, and asks for nothing more.
    fn cancel(&self) {
        self.0.cancel();
    }
}
