//! Options of a client.

use std::ffi::c_char;
use std::time::Duration;

use delayq_core::{ClientOptions, Result};

use crate::args::{Setting, apply, duration_setting, text_setting};
use crate::guard::guard_unit;

/// How to reach Redis, beyond the URL. Needed only until `delayq_client_open()` returns.
pub struct delayq_client_options {
    prefix: Setting<String>,
    username: Setting<String>,
    password: Setting<String>,
    client_name: Setting<String>,
    server_fallback: Setting<String>,
    connect_timeout: Setting<Duration>,
    timeout: Setting<Duration>,
    retry_for: Setting<Duration>,
}

impl delayq_client_options {
    const fn new() -> Self {
        delayq_client_options {
            prefix: Ok(None),
            username: Ok(None),
            password: Ok(None),
            client_name: Ok(None),
            server_fallback: Ok(None),
            connect_timeout: Ok(None),
            timeout: Ok(None),
            retry_for: Ok(None),
        }
    }

    /// The core's options for this URL, or the first refusal.
    pub(crate) fn to_core(this: Option<&Self>, url: &str) -> Result<ClientOptions> {
        let options = ClientOptions::new(url).client_name("delayq-c");
        let Some(this) = this else { return Ok(options) };
        let options = apply(options, &this.prefix, |o, v| o.prefix(v))?;
        let options = apply(options, &this.username, |o, v| o.username(v))?;
        let options = apply(options, &this.password, |o, v| o.password(v))?;
        let options = apply(options, &this.client_name, |o, v| o.client_name(v))?;
        let options = apply(options, &this.server_fallback, |o, v| o.server_fallback(v))?;
        let options = apply(options, &this.connect_timeout, |o, v| o.connect_timeout(v))?;
        let options = apply(options, &this.timeout, |o, v| o.timeout(v))?;
        apply(options, &this.retry_for, |o, v| o.retry_for(v))
    }
}

/// Options with their defaults. Owned by the caller, see `delayq_client_options_free()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_client_options_new() -> Box<delayq_client_options> {
    Box::new(delayq_client_options::new())
}

/// Frees the options; clients opened with them are not affected. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_client_options_free(options: Option<Box<delayq_client_options>>) {
    guard_unit(|| drop(options));
}

/// First part of every key: 1 to 64 bytes without braces and control characters. Default `delay`, also for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_client_options_set_prefix(
    options: Option<&mut delayq_client_options>,
    prefix: *const c_char,
) {
    guard_unit(|| {
        if let Some(options) = options {
            // SAFETY: NULL or a NUL-terminated text, by the header's rules.
            options.prefix = unsafe { text_setting(prefix, "prefix") };
        }
    });
}

/// ACL user; an alternative to the URL that needs no percent-encoding. Default NULL: the URL's.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_client_options_set_username(
    options: Option<&mut delayq_client_options>,
    username: *const c_char,
) {
    guard_unit(|| {
        if let Some(options) = options {
            // SAFETY: NULL or a NUL-terminated text, by the header's rules.
            options.username = unsafe { text_setting(username, "username") };
        }
    });
}

/// Password; an alternative to the URL that needs no percent-encoding. Default NULL: the URL's.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_client_options_set_password(
    options: Option<&mut delayq_client_options>,
    password: *const c_char,
) {
    guard_unit(|| {
        if let Some(options) = options {
            // SAFETY: NULL or a NUL-terminated text, by the header's rules.
            options.password = unsafe { text_setting(password, "password") };
        }
    });
}

/// Name shown by `CLIENT LIST`: printable ASCII without spaces. Default `delayq-c`, also for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_client_options_set_client_name(
    options: Option<&mut delayq_client_options>,
    name: *const c_char,
) {
    guard_unit(|| {
        if let Some(options) = options {
            // SAFETY: NULL or a NUL-terminated text, by the header's rules.
            options.client_name = unsafe { text_setting(name, "client_name") };
        }
    });
}

/// Path of the server binary for `embedded:` URLs, tried if the environment variable `DELAYQ_SERVER` is not set
/// and no server is on `PATH`. Default NULL: none.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_client_options_set_server_fallback(
    options: Option<&mut delayq_client_options>,
    path: *const c_char,
) {
    guard_unit(|| {
        if let Some(options) = options {
            // SAFETY: NULL or a NUL-terminated text, by the header's rules.
            options.server_fallback = unsafe { text_setting(path, "server_fallback") };
        }
    });
}

/// Limit for one attempt to connect, log in included. Default 2000.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_client_options_set_connect_timeout_ms(
    options: Option<&mut delayq_client_options>,
    timeout_ms: i64,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.connect_timeout = duration_setting(timeout_ms, "connect_timeout_ms");
        }
    });
}

/// Limit for the answer to one command; past it the call fails with `DELAYQ_ERR_TIMEOUT` and its connection is
/// thrown away. Default 5000.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_client_options_set_timeout_ms(
    options: Option<&mut delayq_client_options>,
    timeout_ms: i64,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.timeout = duration_setting(timeout_ms, "timeout_ms");
        }
    });
}

/// How long a call goes on trying while Redis cannot take it (down, loading, failing over) before it fails with
/// `DELAYQ_ERR_UNAVAILABLE`. Only attempts that had no effect are repeated. Default 5000; 0 tries once.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_client_options_set_retry_for_ms(
    options: Option<&mut delayq_client_options>,
    retry_for_ms: i64,
) {
    guard_unit(|| {
        if let Some(options) = options {
            options.retry_for = duration_setting(retry_for_ms, "retry_for_ms");
        }
    });
}
