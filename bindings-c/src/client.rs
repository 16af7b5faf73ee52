//! The client handle.

use std::ffi::c_char;

use delayq_core::Client;

use crate::args::{given, text};
use crate::client_options::delayq_client_options;
use crate::error::delayq_error;
use crate::guard::{guard, guard_unit};
use crate::out::Out;
use crate::status::delayq_status;

/// The connections to one Redis, shared by all its queues. May be used from any number of threads at once.
pub struct delayq_client {
    pub(crate) client: Client,
}

/// Makes a client. No connection is opened before the first call, except that `embedded:` starts its server.
///
/// `url` is `redis://[user:password@]host:port/db`, `rediss://` (TLS), `unix:///path?db=0`,
/// `redis-cluster://[user:password@]host:port,host:port` or `rediss-cluster://` for a cluster by some of its nodes, or
/// `embedded:<dir>` for a private server in that folder. `options` may be NULL for the defaults. `*client` is owned
/// by the caller, see `delayq_client_free()`.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a URL or an option that cannot be right;
/// `DELAYQ_ERR_UNAVAILABLE` if an embedded server cannot be started.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_client_open(
    url: *const c_char,
    options: Option<&delayq_client_options>,
    client: *mut *mut delayq_client,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let (client, err) = unsafe { (Out::object(client), Out::object(err)) };
    guard(err, || {
        client.required("client")?;
        // SAFETY: NULL or a NUL-terminated text, by the header's rules.
        let url = unsafe { text(url, "url") }?;
        let opened = delayq_client_options::to_core(options, url)?.open()?;
        client.give(delayq_client { client: opened });
        Ok(())
    })
}

/// Asks Redis for a sign of life over one round trip.
///
/// Errors: `DELAYQ_ERR_UNAVAILABLE`, `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER` (e.g. a wrong password) or
/// `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_client_ping(
    client: Option<&delayq_client>,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard(err, || given(client, "client")?.client.ping())
}

/// Closes all connections and wakes waiting calls, from any thread. Those calls and every later one on this
/// client and its queues fail with `DELAYQ_ERR_CLOSED`. An embedded server stops with its last client. The
/// handle stays valid and must still be freed. Closing twice is fine; NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_client_close(client: Option<&delayq_client>) {
    guard_unit(|| {
        if let Some(client) = client {
            client.client.close();
        }
    });
}

/// Frees the handle. Its queues stay usable; the connections are closed with the last of client and queues, or
/// by `delayq_client_close()`. A thread that listens for new jobs, if a pop has waited or a worker was started, ends
/// some seconds later at the latest. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_client_free(client: Option<Box<delayq_client>>) {
    guard_unit(|| drop(client));
}
