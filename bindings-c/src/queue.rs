//! The queue handle. Its verbs are in `verbs/`.

use std::ffi::{CString, c_char};
use std::ptr;

use delayq_core::Queue;

use crate::args::{given, text};
use crate::client::delayq_client;
use crate::error::delayq_error;
use crate::guard::{guard, guard_or, guard_unit};
use crate::out::Out;
use crate::queue_options::delayq_queue_options;
use crate::status::delayq_status;
use crate::words::{owned, pointer};

/// A handle on one topic of one client. May be used from any number of threads at once.
pub struct delayq_queue {
    pub(crate) queue: Queue,
    topic: CString,
}

/// Makes a handle on a topic. Nothing is sent yet.
///
/// `topic` is 1 to 128 bytes of UTF-8 without braces and control characters. `options` may be NULL for the
/// defaults. `*queue` is owned by the caller, see `delayq_queue_free()`.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a topic or an option that cannot be right; `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_client_queue(
    client: Option<&delayq_client>,
    topic: *const c_char,
    options: Option<&delayq_queue_options>,
    queue: *mut *mut delayq_queue,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let (queue, err) = unsafe { (Out::object(queue), Out::object(err)) };
    guard(err, || {
        queue.required("queue")?;
        let client = given(client, "client")?;
        // SAFETY: NULL or a NUL-terminated text, by the header's rules.
        let topic = unsafe { text(topic, "topic") }?;
        let options = delayq_queue_options::to_core(options).map_err(|e| e.with_topic(topic))?;
        let opened = client.client.queue_with(topic, options)?;
        queue.give(delayq_queue { queue: opened, topic: owned(topic) });
        Ok(())
    })
}

/// The topic; NULL for NULL.
///
/// Valid until the queue is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_queue_topic(queue: Option<&delayq_queue>) -> *const c_char {
    guard_or(ptr::null(), || pointer(queue.map(|queue| queue.topic.as_c_str())))
}

/// Frees the handle; the topic and its jobs stay in Redis. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_queue_free(queue: Option<Box<delayq_queue>>) {
    guard_unit(|| drop(queue));
}
