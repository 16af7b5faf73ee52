//! Options of a worker.

use std::ffi::c_void;
use std::time::Duration;

use delayq_core::{Result, Worker, WorkerBuilder};

use crate::args::{Setting, apply, count_setting, duration_setting};
use crate::callbacks::{Gate, User};
use crate::event::{delayq_event, delayq_event_callback};
use crate::guard::guard_unit;

/// How a worker works. Needed only until `delayq_worker_new()` returns.
#[derive(Clone)]
pub struct delayq_worker_options {
    concurrency: Setting<u32>,
    fetch_ahead: Setting<u32>,
    sweep_every: Setting<Duration>,
    callback: delayq_event_callback,
    user: User,
}

impl delayq_worker_options {
    pub(crate) fn new() -> Self {
        delayq_worker_options {
            concurrency: Ok(None),
            fetch_ahead: Ok(None),
            sweep_every: Ok(None),
            callback: None,
            user: User::new(std::ptr::null_mut()),
        }
    }

    /// The core's builder, or the first refusal.
    pub(crate) fn to_core(&self, gate: &Gate) -> Result<WorkerBuilder> {
        let worker = apply(Worker::builder(), &self.concurrency, |w, v| w.concurrency(v as usize))?;
        let worker = apply(worker, &self.fetch_ahead, |w, v| w.fetch_ahead(v as usize))?;
        let worker = apply(worker, &self.sweep_every, |w, v| w.sweep_every(v))?;
        let (Some(callback), user, gate) = (self.callback, self.user, gate.clone()) else {
            return Ok(worker);
        };
        Ok(worker.on_event(move |event| {
            // An event that has no number yet is not told.
            if let Ok(event) = delayq_event::new(event) {
                // SAFETY: the program gave this function to be called with its `user` on any thread.
                gate.pass(|| unsafe { callback(&raw const event, user.pointer()) });
            }
        }))
    }
}

/// Options with their defaults. Owned by the caller, see `delayq_worker_options_free()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_worker_options_new() -> Box<delayq_worker_options> {
    Box::new(delayq_worker_options::new())
}

/// Frees the options; workers made with them are not affected. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_worker_options_free(options: Option<Box<delayq_worker_options>>) {
    guard_unit(|| drop(options));
}

/// How many handlers run at once, over all topics of the worker, each on a thread of its own; 1 or more. Default 8.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_worker_options_set_concurrency(
    options: Option<&mut delayq_worker_options>,
    concurrency: i64,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.concurrency = count_setting(concurrency, "concurrency", 1);
        }
    });
}

/// How many jobs may be taken before a handler is free for them, 0 or more. Default: as many as the handlers, as
/// quick as they were of late, begin within a tenth of a second, at most 200.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_worker_options_set_fetch_ahead(
    options: Option<&mut delayq_worker_options>,
    fetch_ahead: i64,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.fetch_ahead = count_setting(fetch_ahead, "fetch_ahead", 0);
        }
    });
}

/// How often jobs whose leases have ended are looked for, over all workers of a topic together; 1 or more. Default
/// 5000; at least twice in a lease, but not more often than every second. A lease whose end is known is swept when it ends.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_worker_options_set_sweep_every_ms(
    options: Option<&mut delayq_worker_options>,
    sweep_every_ms: i64,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.sweep_every = duration_setting(sweep_every_ms, "sweep_every_ms");
        }
    });
}

/// Tell this function what happens, for logs and metrics. Default NULL: nobody is told. `user` is handed to each call
/// and may be NULL; it must stay valid until `delayq_worker_free()` returns.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_worker_options_set_event_callback(
    options: Option<&mut delayq_worker_options>,
    callback: delayq_event_callback,
    user: *mut c_void,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.callback = callback;
            options.user = User::new(user);
        }
    });
}
