//! Options of a queue handle.

use std::time::Duration;

use delayq_core::{QueueOptions, Result, RetryPolicy};

use crate::args::{Setting, apply, count_setting, duration_setting};
use crate::guard::guard_unit;
use crate::retry_policy::delayq_retry_policy;

/// Options of a queue handle. Handles of one topic may differ. Needed only until `delayq_client_queue()`
/// returns.
pub struct delayq_queue_options {
    lease: Setting<Duration>,
    done_ttl: Setting<Duration>,
    job_ttl: Setting<Duration>,
    max_payload: Setting<usize>,
    max_deliveries: Setting<u32>,
    retry_policy: Setting<RetryPolicy>,
}

impl delayq_queue_options {
    /// The core's options, or the first refusal.
    pub(crate) fn to_core(this: Option<&Self>) -> Result<QueueOptions> {
        let options = QueueOptions::new();
        let Some(this) = this else { return Ok(options) };
        let options = apply(options, &this.lease, |o, v| o.lease(v))?;
        let options = apply(options, &this.done_ttl, |o, v| o.done_ttl(v))?;
        let options = apply(options, &this.job_ttl, |o, v| o.job_ttl(v))?;
        let options = apply(options, &this.max_payload, |o, v| o.max_payload(v))?;
        let options = apply(options, &this.max_deliveries, |o, v| o.max_deliveries(v))?;
        apply(options, &this.retry_policy, |o, v| o.retry_policy(v))
    }
}

/// Options with their defaults. Owned by the caller, see `delayq_queue_options_free()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_queue_options_new() -> Box<delayq_queue_options> {
    Box::new(delayq_queue_options {
        lease: Ok(None),
        done_ttl: Ok(None),
        job_ttl: Ok(None),
        max_payload: Ok(None),
        max_deliveries: Ok(None),
        retry_policy: Ok(None),
    })
}

/// Frees the options; queues opened with them are not affected. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_queue_options_free(options: Option<Box<delayq_queue_options>>) {
    guard_unit(|| drop(options));
}

/// How long a popped job belongs to its consumer, 1 or more. Default 30000.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_queue_options_set_lease_ms(
    options: Option<&mut delayq_queue_options>,
    lease_ms: i64,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.lease = duration_setting(lease_ms, "lease_ms");
        }
    });
}

/// How long the done marker of an acknowledged job is kept. Default 86400000 (a day); 0 writes none.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_queue_options_set_done_ttl_ms(
    options: Option<&mut delayq_queue_options>,
    done_ttl_ms: i64,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.done_ttl = duration_setting(done_ttl_ms, "done_ttl_ms");
        }
    });
}

/// How long a body outlives its job's due time or lease. Default 604800000 (7 days), refreshed at every move;
/// 0 keeps bodies without limit.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_queue_options_set_job_ttl_ms(
    options: Option<&mut delayq_queue_options>,
    job_ttl_ms: i64,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.job_ttl = duration_setting(job_ttl_ms, "job_ttl_ms");
        }
    });
}

/// Largest payload in bytes. Default 262144; 10240 or less is advised.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_queue_options_set_max_payload(
    options: Option<&mut delayq_queue_options>,
    max_payload: usize,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.max_payload = Ok(Some(max_payload));
        }
    });
}

/// How often a job may be delivered before `delayq_queue_requeue()` moves it to the dead letter set, 1 or more.
/// Default 20.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_queue_options_set_max_deliveries(
    options: Option<&mut delayq_queue_options>,
    max_deliveries: i64,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.max_deliveries = count_setting(max_deliveries, "max_deliveries", 1);
        }
    });
}

/// How failed jobs are retried, unless a job says otherwise. The policy is copied, so it may be changed or freed
/// afterwards. Default NULL: exponential from 60 s by 2 up to an hour, 5 retries.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_queue_options_set_retry_policy(
    options: Option<&mut delayq_queue_options>,
    policy: Option<&delayq_retry_policy>,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.retry_policy = policy.map(delayq_retry_policy::to_core).transpose();
        }
    });
}
