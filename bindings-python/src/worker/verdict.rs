//! `_delayq._Verdict`: the core's verdict behind `delayq.Release`, `Fail`, `Dead` and `Leave`.

use pyo3::prelude::*;

use crate::convert::described;
use crate::error::{Failure, invalid};
use crate::time::duration;

/// How a delivery ends.
#[pyclass(frozen, name = "_Verdict", module = "delayq._delayq")]
pub(crate) struct Verdict(pub(super) delayq::Verdict);

#[pymethods]
impl Verdict {
    /// ``kind`` is ``done``, ``fail``, ``release``, ``dead`` or ``leave``.
    #[new]
    #[pyo3(signature = (kind, message=None, delay=None))]
    fn new(
        py: Python<'_>,
        kind: &str,
        message: Option<&Bound<'_, PyAny>>,
        delay: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let verdict = || -> Result<delayq::Verdict, Failure> {
            let message = message.map_or(Ok(String::new()), described)?;
            let delay = delay.map(|delay| duration("delay", delay)).transpose()?;
            Ok(match (kind, delay) {
                ("done", _) => delayq::Verdict::Done,
                ("fail", None) => delayq::Verdict::Failed(message),
                ("fail", Some(delay)) => delayq::Verdict::FailedFor(message, delay),
                ("release", delay) => delayq::Verdict::Release(delay.unwrap_or_default()),
                ("dead", _) => delayq::Verdict::Dead(message),
                ("leave", _) => delayq::Verdict::Leave,
                _ => return Err(invalid("no such verdict; give done, fail, release, dead or leave")),
            })
        };
        verdict().map(Verdict).map_err(|failure| failure.raise(py))
    }
}
