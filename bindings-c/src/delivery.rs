//! A job in the hands of a handler, and what the handler says about it.

use std::ffi::{c_char, c_void};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use delayq_core::{Delivery, Error, Verdict};

use crate::args::{duration, duration_or_default, given, lossy_text};
use crate::callbacks::User;
use crate::error::delayq_error;
use crate::guard::{guard, guard_or, guard_unit};
use crate::job::delayq_job;
use crate::out::Out;
use crate::status::delayq_status;

/// A job in the hands of a handler. It begins as done, which a handler that returns leaves it; the functions below
/// say otherwise, and the last one counts. Owned by the worker: valid until the handler returns, and until then usable
/// from any number of threads at once.
pub struct delayq_delivery {
    delivery: Delivery,
    job: delayq_job,
    verdict: Mutex<Verdict>,
}

/// Runs one job of a worker. It is called on the worker's threads, several at once, with the `user` that was given to
/// `delayq_worker_handle()`.
///
/// It must return: a `longjmp`, the end of its thread or a C++ exception that gets out of it is undefined behaviour.
pub type delayq_handler = Option<unsafe extern "C" fn(delivery: *mut delayq_delivery, user: *mut c_void)>;

impl delayq_delivery {
    /// Calls a handler and returns what it said.
    ///
    /// # Safety
    /// `handler` is a function of the program that may be called with its `user` on this thread.
    pub(crate) unsafe fn run(
        delivery: &Delivery,
        handler: unsafe extern "C" fn(*mut delayq_delivery, *mut c_void),
        user: User,
    ) -> Verdict {
        let job = delayq_job::new(delivery.job().clone());
        let mut ours =
            delayq_delivery { delivery: delivery.clone(), job, verdict: Mutex::new(Verdict::Done) };
        // SAFETY: by this function's own promise; the delivery lives until the handler has returned.
        unsafe { handler(&raw mut ours, user.pointer()) };
        ours.verdict.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, verdict: Verdict) {
        *self.verdict.lock().unwrap_or_else(PoisonError::into_inner) = verdict;
    }
}

/// Runs the body of a function that says what became of a job.
///
/// # Safety
/// `delivery` is NULL or valid until the call returns.
unsafe fn say(delivery: *mut delayq_delivery, verdict: impl FnOnce() -> Verdict) {
    guard_unit(|| {
        // SAFETY: by this function's own promise. Shared, since other threads and the job's readers may be at it.
        if let Some(delivery) = unsafe { delivery.as_ref() } {
            delivery.say(verdict());
        }
    });
}

/// A value that cannot be right must not end as a success.
fn refused(error: &str, refusal: &Error) -> Verdict {
    let refusal = refusal.message();
    Verdict::Failed(if error.is_empty() { refusal.to_owned() } else { format!("{error} ({refusal})") })
}

/// The job; NULL for NULL.
///
/// Valid until the handler returns. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_delivery_job(delivery: Option<&delayq_delivery>) -> Option<&delayq_job> {
    guard_or(None, || delivery.map(|delivery| &delivery.job))
}

/// The job failed. It is retried after `delay_ms`, or when its policy says for `DELAYQ_DEFAULT`; after one failure too
/// many it is dead. NULL does nothing.
///
/// `error` is what went wrong and may be NULL; its first `DELAYQ_MAX_ERROR` bytes are kept as the job's last error. A
/// delay that cannot be right counts as `DELAYQ_DEFAULT`, and the last error says so.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_delivery_fail(
    delivery: *mut delayq_delivery,
    error: *const c_char,
    delay_ms: i64,
) {
    let verdict = || {
        // SAFETY: NULL or a NUL-terminated text, by the header's rules.
        let error = unsafe { lossy_text(error) }.into_owned();
        match duration_or_default(delay_ms, "delay_ms") {
            Ok(Some(delay)) => Verdict::FailedFor(error, delay),
            Ok(None) => Verdict::Failed(error),
            Err(refusal) => refused(&error, &refusal),
        }
    };
    // SAFETY: NULL or valid, by the header's rules.
    unsafe { say(delivery, verdict) };
}

/// Not now: the job is handed back without a failure, due after `delay_ms`. A delay that cannot be right is a failure
/// that says so. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_delivery_release(delivery: *mut delayq_delivery, delay_ms: i64) {
    let verdict = || match duration(delay_ms, "delay_ms") {
        Ok(delay) => Verdict::Release(delay),
        Err(refusal) => refused("", &refusal),
    };
    // SAFETY: NULL or valid, by the header's rules.
    unsafe { say(delivery, verdict) };
}

/// The job will never succeed: it goes to the dead letter set at once. `error` is as for `delayq_delivery_fail()`.
/// NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_delivery_dead(delivery: *mut delayq_delivery, error: *const c_char) {
    // SAFETY: NULL or a NUL-terminated text, by the header's rules.
    let verdict = || Verdict::Dead(unsafe { lossy_text(error) }.into_owned());
    // SAFETY: NULL or valid, by the header's rules.
    unsafe { say(delivery, verdict) };
}

/// Nothing is reported about the job; it comes back when its lease ends. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_delivery_leave(delivery: *mut delayq_delivery) {
    // SAFETY: NULL or valid, by the header's rules.
    unsafe { say(delivery, || Verdict::Leave) };
}

/// Asks Redis whether the job is still this handler's, for a moment before a side effect; if so its lease is extended.
///
/// Errors: `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`,
/// `DELAYQ_ERR_CLOSED`; then `*mine` is false, although it is not known.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_delivery_is_mine(
    delivery: Option<&delayq_delivery>,
    mine: *mut bool,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or writable, by the header's rules.
    let (mine, err) = unsafe { (Out::new(mine, false), Out::object(err)) };
    guard(err, || {
        mine.required("mine")?;
        mine.set(given(delivery, "delivery")?.delivery.is_mine()?);
        Ok(())
    })
}

/// Whether the handler may give up: the lease was lost, the job was cancelled, or the worker is past the deadline of
/// its stop. Asks nobody, so it costs nothing. False for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_delivery_is_revoked(delivery: Option<&delayq_delivery>) -> bool {
    guard_or(false, || delivery.is_some_and(|delivery| delivery.delivery.is_revoked()))
}

/// Whether the worker has begun to stop. The handler has until the deadline of the stop; one that would take longer may
/// hand its job back before, by `delayq_delivery_release()`. Costs nothing. False for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_delivery_is_stopping(delivery: Option<&delayq_delivery>) -> bool {
    guard_or(false, || delivery.is_some_and(|delivery| delivery.delivery.is_stopping()))
}

/// Sleeps up to `wait_ms`, a negative number being 0, and answers as `delayq_delivery_is_revoked()`; returns at once
/// when that becomes true. False for NULL, without a sleep.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_delivery_wait_revoked(delivery: Option<&delayq_delivery>, wait_ms: i64) -> bool {
    let wait = Duration::from_millis(u64::try_from(wait_ms).unwrap_or(0));
    guard_or(false, || delivery.is_some_and(|delivery| delivery.delivery.sleep(wait)))
}
