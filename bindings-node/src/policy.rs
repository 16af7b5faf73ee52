//! Retry policies.

use napi_derive::napi;

use crate::convert::{duration, duration_or, invalid, whole};

/// A retry policy, whose names `lib/policy.js` has looked at; durations in ms.
#[napi(object, object_to_js = false)]
pub struct RetryPolicy {
    /// `exponential`, `linear` or `fixed`.
    pub kind: String,
    /// What an exponential wait starts from.
    pub base: Option<f64>,
    /// What an exponential wait is multiplied by.
    pub factor: Option<f64>,
    /// What a linear wait grows by.
    pub step: Option<f64>,
    /// The fixed wait.
    pub delay: Option<f64>,
    /// The longest wait.
    pub cap: Option<f64>,
    /// The share by which a wait is spread.
    pub jitter: Option<f64>,
    /// How many retries a job gets.
    pub max_retries: Option<f64>,
}

impl RetryPolicy {
    pub(crate) fn convert(self) -> delayq::Result<delayq::RetryPolicy> {
        use delayq::RetryPolicy as Core;
        let mut policy = match (self.kind.as_str(), self.step, self.delay) {
            ("exponential", _, _) => Core::exponential(
                duration_or("base", self.base, Core::DEFAULT_BASE)?,
                self.factor.unwrap_or(Core::DEFAULT_FACTOR),
                Core::DEFAULT_CAP,
            ),
            ("linear", Some(step), _) => Core::linear(duration("step", step)?),
            ("fixed", _, Some(delay)) => Core::fixed(duration("delay", delay)?),
            (kind, ..) => {
                return Err(invalid(format!(
                    "the retry policy is {kind:?} without what it needs; give linear a step, fixed a delay"
                )));
            }
        };
        if let Some(ms) = self.cap {
            policy = policy.cap(duration("cap", ms)?);
        }
        if let Some(share) = self.jitter {
            policy = policy.jitter(share);
        }
        if let Some(retries) = self.max_retries {
            policy = policy.max_retries(whole("maxRetries", retries)?);
        }
        Ok(policy)
    }
}
