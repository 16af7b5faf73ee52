//! One file per verb, as in the core.

use std::ffi::c_char;
use std::ptr;

use delayq_core::VERBS;

use crate::guard::guard_or;
use crate::words::word;

pub mod enqueue;

pub mod pop_options;

pub mod pop;

pub mod ack;

pub mod retry;

pub mod release;

pub mod extend;

pub mod requeue;

pub mod cancel;

pub mod get;

pub mod list;

pub mod redrive;

pub mod purge;

pub mod repair;

pub mod stats;

pub mod pause;

pub mod resume;

pub mod limit;

/// The verbs, to be listed: from index 0 until the answer is NULL. The function of the verb `x` is
/// `delayq_queue_x()`.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_verb_at(index: usize) -> *const c_char {
    guard_or(ptr::null(), || word(VERBS.get(index).copied()))
}
