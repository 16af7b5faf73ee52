//! Options of one pop.

use std::time::Duration;

use delayq_core::{CancelToken, PopOptions, Result};

use crate::args::{Setting, apply, duration_setting};
use crate::cancel_token::delayq_cancel_token;
use crate::guard::guard_unit;

/// How to pop, beyond the number of jobs. May be used for any number of pops.
pub struct delayq_pop_options {
    lease: Setting<Duration>,
    wait: Setting<Duration>,
    cancel: Option<CancelToken>,
}

impl delayq_pop_options {
    /// The core's options, or the first refusal.
    pub(crate) fn to_core(this: Option<&Self>, max: usize) -> Result<PopOptions> {
        let options = PopOptions::new(max);
        let Some(this) = this else { return Ok(options) };
        let options = apply(options, &this.lease, |o, v| o.lease(v))?;
        let options = apply(options, &this.wait, |o, v| o.wait(v))?;
        Ok(match &this.cancel {
            Some(token) => options.cancel(token.clone()),
            None => options,
        })
    }
}

/// Options with their defaults. Owned by the caller, see `delayq_pop_options_free()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_pop_options_new() -> Box<delayq_pop_options> {
    Box::new(delayq_pop_options { lease: Ok(None), wait: Ok(None), cancel: None })
}

/// Frees the options. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_pop_options_free(options: Option<Box<delayq_pop_options>>) {
    guard_unit(|| drop(options));
}

/// The lease of the popped jobs, 1 or more. Default: the queue handle's.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_pop_options_set_lease_ms(options: Option<&mut delayq_pop_options>, lease_ms: i64) {
    guard_unit(|| {
        if let Some(options) = options {
            options.lease = duration_setting(lease_ms, "lease_ms");
        }
    });
}

/// Wait up to this long until something is due. Default 0.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_pop_options_set_wait_ms(options: Option<&mut delayq_pop_options>, wait_ms: i64) {
    guard_unit(|| {
        if let Some(options) = options {
            options.wait = duration_setting(wait_ms, "wait_ms");
        }
    });
}

/// End the wait when this token is cancelled. The options keep a reference of their own, so the token may be
/// freed before them. Default NULL: none.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_pop_options_set_cancel_token(
    options: Option<&mut delayq_pop_options>,
    token: Option<&delayq_cancel_token>,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.cancel = token.map(|token| token.token.clone());
        }
    });
}
