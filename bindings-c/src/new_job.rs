//! A job to enqueue.

use std::ffi::{c_char, c_void};

use delayq_core::{Mode, NewJob, Result, RetryPolicy, When};

use crate::args::{Setting, bytes, invalid, text_setting};
use crate::guard::{guard_or, guard_unit};
use crate::mode::{delayq_mode, mode_number};
use crate::retry_policy::delayq_retry_policy;

/// A job to enqueue: a payload, and optionally an id, a time, a mode and a retry policy. May be enqueued any
/// number of times and changed in between.
pub struct delayq_new_job {
    payload: Result<Vec<u8>>,
    id: Setting<String>,
    when: When,
    mode: Result<Mode>,
    ignore_done: bool,
    retry_policy: Setting<RetryPolicy>,
}

impl delayq_new_job {
    /// The core's job, or the first refusal.
    pub(crate) fn to_core(&self) -> Result<NewJob> {
        let id = self.id.clone()?;
        let with_id = |e: delayq_core::Error| match &id {
            Some(id) => e.with_id(id),
            None => e,
        };
        let payload = self.payload.clone().map_err(with_id)?;
        let mode = self.mode.clone().map_err(with_id)?;
        let policy = self.retry_policy.clone().map_err(with_id)?;
        let job = NewJob::new(payload).when(self.when).mode(mode).ignore_done(self.ignore_done);
        let job = match policy {
            Some(policy) => job.retry_policy(policy),
            None => job,
        };
        Ok(match id {
            Some(id) => job.id(id),
            None => job,
        })
    }
}

/// A job with this payload, due at once, under a generated id. The bytes are copied; `payload` may be NULL if
/// `payload_len` is 0. Owned by the caller, see `delayq_new_job_free()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_new_job_new(
    payload: *const c_void,
    payload_len: usize,
) -> Option<Box<delayq_new_job>> {
    guard_or(None, || {
        // SAFETY: NULL or that many readable bytes, by the header's rules.
        let payload = unsafe { bytes(payload, payload_len, "payload") };
        Some(Box::new(delayq_new_job {
            payload,
            id: Ok(None),
            when: When::Now,
            mode: Ok(Mode::Replace),
            ignore_done: false,
            retry_policy: Ok(None),
        }))
    })
}

/// Frees the job object; what was enqueued stays. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_new_job_free(job: Option<Box<delayq_new_job>>) {
    guard_unit(|| drop(job));
}

/// Another payload, any bytes, copied; `payload` may be NULL if `payload_len` is 0.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_new_job_set_payload(
    job: Option<&mut delayq_new_job>,
    payload: *const c_void,
    payload_len: usize,
) {
    guard_unit(|| {
        if let Some(job) = job {
            // SAFETY: NULL or that many readable bytes, by the header's rules.
            job.payload = unsafe { bytes(payload, payload_len, "payload") };
        }
    });
}

/// The id, 1 to 512 bytes of UTF-8. One id is one job, so the same id again is the mode's question. Default
/// NULL: a generated one.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_new_job_set_id(job: Option<&mut delayq_new_job>, id: *const c_char) {
    guard_unit(|| {
        if let Some(job) = job {
            // SAFETY: NULL or a NUL-terminated text, by the header's rules.
            job.id = unsafe { text_setting(id, "id") };
        }
    });
}

/// Due after this delay, 0 or more, counted by the Redis server's clock. Replaces an earlier
/// `delayq_new_job_set_at_ms()`. Default 0.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_new_job_set_delay_ms(job: Option<&mut delayq_new_job>, delay_ms: i64) {
    guard_unit(|| {
        if let Some(job) = job {
            job.when = When::DelayMs(delay_ms);
        }
    });
}

/// Due at this time, ms since the epoch, up to the end of the year 9999; the past means now. Replaces an earlier
/// `delayq_new_job_set_delay_ms()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_new_job_set_at_ms(job: Option<&mut delayq_new_job>, at_ms: i64) {
    guard_unit(|| {
        if let Some(job) = job {
            job.when = When::AtMs(at_ms);
        }
    });
}

/// What to do if the id is known already. Default `DELAYQ_MODE_REPLACE`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_new_job_set_mode(job: Option<&mut delayq_new_job>, mode: mode_number) {
    guard_unit(|| {
        if let Some(job) = job {
            job.mode = delayq_mode::to_core(mode)
                .ok_or_else(|| invalid(format!("mode is {mode}; give one of delayq_mode")));
        }
    });
}

/// Whether to enqueue even if a job of this id was done not long ago; its done marker is removed then.
/// Default false.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_new_job_set_ignore_done(job: Option<&mut delayq_new_job>, ignore_done: bool) {
    guard_unit(|| {
        if let Some(job) = job {
            job.ignore_done = ignore_done;
        }
    });
}

/// How this job is retried, instead of by the policy of the queue handle that reports its failure. The policy is
/// copied, so it may be changed or freed afterwards. Default NULL: that of the handle.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_new_job_set_retry_policy(
    job: Option<&mut delayq_new_job>,
    policy: Option<&delayq_retry_policy>,
) {
    guard_unit(|| {
        if let Some(job) = job {
            job.retry_policy = policy.map(delayq_retry_policy::to_core).transpose();
        }
    });
}
