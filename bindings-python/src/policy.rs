//! `delayq.RetryPolicy`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use pyo3::prelude::*;

use crate::convert::{number, type_name, whole};
use crate::error::{Failure, invalid};
use crate::time::duration;

/// How failed jobs are retried. With n failures reported, the wait before the n-th retry is
///
/// * exponential: min(base · factorⁿ, cap)
/// * linear: min(n · step, cap)
/// * fixed: delay
///
/// spread evenly over ± ``jitter`` (0 to 1) of itself, at most the cap. A job with more than ``max_retries`` failures
/// is dead. Immutable; made by one of its three methods. Durations are seconds or timedeltas.
///
/// Values of a wrong type are refused at once, a factor or jitter out of range where the policy is used.
#[pyclass(frozen, eq, module = "delayq")]
#[derive(PartialEq)]
pub(crate) struct RetryPolicy {
    /// ``exponential``, ``linear`` or ``fixed``.
    #[pyo3(get)]
    kind: &'static str,
    /// The base, step or delay in seconds.
    #[pyo3(get)]
    base: f64,
    /// By what each wait grows (exponential; else 1).
    #[pyo3(get)]
    factor: f64,
    /// The longest wait in seconds; None if there is none.
    #[pyo3(get)]
    cap: Option<f64>,
    /// The share of itself by which a wait is spread.
    #[pyo3(get)]
    jitter: f64,
    /// How many retries a job gets.
    #[pyo3(get)]
    max_retries: u32,
    core: delayq::RetryPolicy,
}

/// What all kinds of policies may be given.
struct Given<'a, 'py> {
    cap: Option<&'a Bound<'py, PyAny>>,
    jitter: Option<&'a Bound<'py, PyAny>>,
    max_retries: Option<&'a Bound<'py, PyAny>>,
}

impl RetryPolicy {
    fn make(
        core: delayq::RetryPolicy,
        (kind, base, factor): (&'static str, Duration, f64),
        cap: Option<Duration>,
        given: &Given<'_, '_>,
    ) -> Result<Self, Failure> {
        let cap = given.cap.map_or(Ok(cap), |value| duration("cap", value).map(Some))?;
        let jitter = given.jitter.map_or(Ok(0.0), |value| number("jitter", value))?;
        let core = cap.map_or(core, |cap| core.cap(cap)).jitter(jitter);
        let max_retries = given.max_retries.map_or(Ok(5), |value| whole("max_retries", value))?;
        let core = core.max_retries(max_retries);
        let cap = cap.map(|cap| cap.as_secs_f64());
        Ok(RetryPolicy { kind, base: base.as_secs_f64(), factor, cap, jitter, max_retries, core })
    }

    /// The policy that an argument is.
    pub(crate) fn argument(value: &Bound<'_, PyAny>) -> Result<Py<Self>, Failure> {
        match value.cast::<RetryPolicy>() {
            Ok(policy) => Ok(policy.clone().unbind()),
            Err(_) => Err(invalid(format!(
                "retry_policy is of type {}; give one made by RetryPolicy.exponential, linear or fixed",
                type_name(value)
            ))),
        }
    }

    pub(crate) fn core(&self) -> delayq::RetryPolicy {
        self.core
    }
}

#[pymethods]
impl RetryPolicy {
    // The defaults are the core's; a test compares.
    /// Waits min(base · factorⁿ, cap) before the n-th retry.
    ///
    /// Raises InvalidArgumentError.
    #[staticmethod]
    #[pyo3(
        signature = (base=None, factor=None, cap=None, *, jitter=None, max_retries=None),
        text_signature = "(base=60.0, factor=2.0, cap=3600.0, *, jitter=0.0, max_retries=5)"
    )]
    fn exponential(
        py: Python<'_>,
        base: Option<&Bound<'_, PyAny>>,
        factor: Option<&Bound<'_, PyAny>>,
        cap: Option<&Bound<'_, PyAny>>,
        jitter: Option<&Bound<'_, PyAny>>,
        max_retries: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let make = || {
            let base = base.map_or(Ok(Duration::from_secs(60)), |value| duration("base", value))?;
            let factor = factor.map_or(Ok(2.0), |value| number("factor", value))?;
            let hour = Duration::from_secs(3600);
            let core = delayq::RetryPolicy::exponential(base, factor, hour);
            let given = Given { cap, jitter, max_retries };
            RetryPolicy::make(core, ("exponential", base, factor), Some(hour), &given)
        };
        make().map_err(|failure| failure.raise(py))
    }

    /// Waits n · step before the n-th retry, but no longer than ``cap``.
    ///
    /// Raises InvalidArgumentError.
    #[staticmethod]
    #[pyo3(
        signature = (step, *, cap=None, jitter=None, max_retries=None),
        text_signature = "(step, *, cap=None, jitter=0.0, max_retries=5)"
    )]
    fn linear(
        step: &Bound<'_, PyAny>,
        cap: Option<&Bound<'_, PyAny>>,
        jitter: Option<&Bound<'_, PyAny>>,
        max_retries: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let make = || {
            let base = duration("step", step)?;
            let given = Given { cap, jitter, max_retries };
            RetryPolicy::make(delayq::RetryPolicy::linear(base), ("linear", base, 1.0), None, &given)
        };
        make().map_err(|failure: Failure| failure.raise(step.py()))
    }

    /// Waits the same before every retry, but no longer than ``cap``.
    ///
    /// Raises InvalidArgumentError.
    #[staticmethod]
    #[pyo3(
        signature = (delay, *, cap=None, jitter=None, max_retries=None),
        text_signature = "(delay, *, cap=None, jitter=0.0, max_retries=5)"
    )]
    fn fixed(
        delay: &Bound<'_, PyAny>,
        cap: Option<&Bound<'_, PyAny>>,
        jitter: Option<&Bound<'_, PyAny>>,
        max_retries: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let make = || {
            let base = duration("delay", delay)?;
            let given = Given { cap, jitter, max_retries };
            RetryPolicy::make(delayq::RetryPolicy::fixed(base), ("fixed", base, 1.0), None, &given)
        };
        make().map_err(|failure: Failure| failure.raise(delay.py()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.__repr__().hash(&mut hasher); // says all there is
        hasher.finish()
    }

    /// As one would write it.
    fn __repr__(&self) -> String {
        let RetryPolicy { kind, base, factor, jitter, max_retries, .. } = self;
        let cap = self.cap.map_or_else(|| "None".to_owned(), |cap| format!("{cap:?}"));
        let factor = if *kind == "exponential" { format!(", factor={factor:?}") } else { String::new() };
        format!(
            "delayq.RetryPolicy.{kind}({base:?}{factor}, cap={cap}, jitter={jitter:?}, max_retries={max_retries})"
        )
    }
}
