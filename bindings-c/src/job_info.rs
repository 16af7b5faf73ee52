//! A job as `get` and `list` show it.

use std::ffi::{CString, c_char};
use std::ptr;

use delayq_core::{JobInfo, Result};

use crate::guard::{guard_or, guard_unit};
use crate::state::delayq_state;
use crate::words::{owned, pointer};

/// Everything that Redis knows about a job. What does not apply is NULL or -1.
pub struct delayq_job_info {
    info: JobInfo,
    topic: CString,
    id: CString,
    last_error: Option<CString>,
    state: delayq_state,
}

impl delayq_job_info {
    pub(crate) fn new(info: JobInfo) -> Result<Self> {
        Ok(delayq_job_info {
            topic: owned(&info.topic),
            id: owned(&info.id),
            last_error: info.last_error.as_deref().map(owned),
            state: delayq_state::of(info.state)?,
            info,
        })
    }
}

/// A page of jobs. Owned by the caller, see `delayq_job_info_list_free()`.
pub struct delayq_job_info_list {
    pub(crate) items: Vec<delayq_job_info>,
}

/// The number of jobs; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_list_len(list: Option<&delayq_job_info_list>) -> usize {
    guard_or(0, || list.map_or(0, |list| list.items.len()))
}

/// A job of the list; NULL past its end and for NULL. It belongs to the list and must not be freed on its own.
///
/// Valid until the list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_list_get(
    list: Option<&delayq_job_info_list>,
    index: usize,
) -> Option<&delayq_job_info> {
    guard_or(None, || list.and_then(|list| list.items.get(index)))
}

/// Frees the list and what was read from it. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_list_free(list: Option<Box<delayq_job_info_list>>) {
    guard_unit(|| drop(list));
}

/// Frees the result of one get and what was read from it. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_free(info: Option<Box<delayq_job_info>>) {
    guard_unit(|| drop(info));
}

/// The topic; NULL for NULL.
///
/// Valid until the result or its list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_topic(info: Option<&delayq_job_info>) -> *const c_char {
    guard_or(ptr::null(), || pointer(info.map(|info| info.topic.as_c_str())))
}

/// The id; NULL for NULL.
///
/// Valid until the result or its list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_id(info: Option<&delayq_job_info>) -> *const c_char {
    guard_or(ptr::null(), || pointer(info.map(|info| info.id.as_c_str())))
}

/// Where the job is; `DELAYQ_STATE_NONE` for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_state(info: Option<&delayq_job_info>) -> delayq_state {
    let none = delayq_state::DELAYQ_STATE_NONE;
    guard_or(none, || info.map_or(none, |info| info.state))
}

/// The payload, `delayq_job_info_payload_len()` bytes, not NUL-terminated. NULL if the body is missing or the
/// job is done, not if the payload is empty; NULL for NULL.
///
/// Valid until the result or its list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_payload(info: Option<&delayq_job_info>) -> *const u8 {
    let payload = |info: &delayq_job_info| info.info.payload.as_ref().map_or(ptr::null(), |p| p.as_ptr());
    guard_or(ptr::null(), || info.map_or(ptr::null(), payload))
}

/// The length of the payload in bytes; 0 if there is none and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_payload_len(info: Option<&delayq_job_info>) -> usize {
    guard_or(0, || info.and_then(|info| info.info.payload.as_ref()).map_or(0, Vec::len))
}

/// When the job is due, or was due when it was last popped, ms since the epoch; -1 if that is not known and for
/// NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_due_at_ms(info: Option<&delayq_job_info>) -> i64 {
    guard_or(-1, || info.and_then(|info| info.info.due_at_ms).unwrap_or(-1))
}

/// When the job was enqueued, ms since the epoch; -1 if that is not known and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_created_at_ms(info: Option<&delayq_job_info>) -> i64 {
    guard_or(-1, || info.and_then(|info| info.info.created_at_ms).unwrap_or(-1))
}

/// When the job was popped, ms since the epoch; -1 unless it is processing and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_picked_at_ms(info: Option<&delayq_job_info>) -> i64 {
    guard_or(-1, || info.and_then(|info| info.info.picked_at_ms).unwrap_or(-1))
}

/// When the lease of the job ends, ms since the epoch; -1 unless it is processing and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_lease_until_ms(info: Option<&delayq_job_info>) -> i64 {
    guard_or(-1, || info.and_then(|info| info.info.lease_until_ms).unwrap_or(-1))
}

/// When the job died, ms since the epoch; -1 unless it is dead and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_died_at_ms(info: Option<&delayq_job_info>) -> i64 {
    guard_or(-1, || info.and_then(|info| info.info.died_at_ms).unwrap_or(-1))
}

/// When the body of the job was found missing, ms since the epoch; -1 unless it is an orphan and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_orphaned_at_ms(info: Option<&delayq_job_info>) -> i64 {
    guard_or(-1, || info.and_then(|info| info.info.orphaned_at_ms).unwrap_or(-1))
}

/// How many failures were reported; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_retry_count(info: Option<&delayq_job_info>) -> u32 {
    guard_or(0, || info.map_or(0, |info| info.info.retry_count))
}

/// How often the job was popped; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_deliveries(info: Option<&delayq_job_info>) -> u32 {
    guard_or(0, || info.map_or(0, |info| info.info.deliveries))
}

/// What went wrong last; NULL if nothing did and for NULL.
///
/// Valid until the result or its list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_info_last_error(info: Option<&delayq_job_info>) -> *const c_char {
    guard_or(ptr::null(), || pointer(info.and_then(|info| info.last_error.as_deref())))
}
