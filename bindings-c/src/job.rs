//! A popped job and the list that owns it.

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::Arc;

use delayq_core::Job;

use crate::guard::{guard_or, guard_unit};
use crate::words::{owned, pointer};

/// A job that this process holds until its lease ends. Owned by the list that it was popped in, or by the delivery
/// of a worker, for which "until the list is freed" below means "until the handler returns".
pub struct delayq_job {
    pub(crate) job: Arc<Job>,
    topic: CString,
    id: CString,
    receipt: CString,
}

impl delayq_job {
    pub(crate) fn new(job: impl Into<Arc<Job>>) -> Self {
        let job = job.into();
        let (topic, id, receipt) = (owned(job.topic()), owned(job.id()), owned(job.receipt()));
        delayq_job { job, topic, id, receipt }
    }
}

/// The jobs of one pop, the oldest due time first. Owned by the caller, see `delayq_jobs_free()`.
pub struct delayq_jobs {
    pub(crate) jobs: Vec<delayq_job>,
}

/// The number of jobs; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_jobs_len(jobs: Option<&delayq_jobs>) -> usize {
    guard_or(0, || jobs.map_or(0, |jobs| jobs.jobs.len()))
}

/// A job of the list; NULL past its end and for NULL.
///
/// Valid until the list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_jobs_get(jobs: Option<&delayq_jobs>, index: usize) -> Option<&delayq_job> {
    guard_or(None, || jobs.and_then(|jobs| jobs.jobs.get(index)))
}

/// Frees the list with its jobs and every text and payload read from them. What was not acknowledged stays
/// leased until its lease ends. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_jobs_free(jobs: Option<Box<delayq_jobs>>) {
    guard_unit(|| drop(jobs));
}

/// The topic that the job was popped from; NULL for NULL.
///
/// Valid until the list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_topic(job: Option<&delayq_job>) -> *const c_char {
    guard_or(ptr::null(), || pointer(job.map(|job| job.topic.as_c_str())))
}

/// The id; NULL for NULL.
///
/// Valid until the list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_id(job: Option<&delayq_job>) -> *const c_char {
    guard_or(ptr::null(), || pointer(job.map(|job| job.id.as_c_str())))
}

/// The payload, `delayq_job_payload_len()` bytes, not NUL-terminated. Never NULL for a job, also if it is
/// empty; NULL for NULL.
///
/// Valid until the list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_payload(job: Option<&delayq_job>) -> *const u8 {
    guard_or(ptr::null(), || job.map_or(ptr::null(), |job| job.job.payload().as_ptr()))
}

/// The length of the payload in bytes; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_payload_len(job: Option<&delayq_job>) -> usize {
    guard_or(0, || job.map_or(0, |job| job.job.payload().len()))
}

/// How many failures were reported so far; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_retry_count(job: Option<&delayq_job>) -> u32 {
    guard_or(0, || job.map_or(0, |job| job.job.retry_count()))
}

/// How often the job was popped, this time included; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_deliveries(job: Option<&delayq_job>) -> u32 {
    guard_or(0, || job.map_or(0, |job| job.job.deliveries()))
}

/// When the job was enqueued, ms since the epoch by the Redis server's clock; -1 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_created_at_ms(job: Option<&delayq_job>) -> i64 {
    guard_or(-1, || job.map_or(-1, |job| job.job.created_at_ms()))
}

/// When the job was due, ms since the epoch; -1 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_due_at_ms(job: Option<&delayq_job>) -> i64 {
    guard_or(-1, || job.map_or(-1, |job| job.job.due_at_ms()))
}

/// When the lease ends, ms since the epoch by the Redis server's clock; -1 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_lease_until_ms(job: Option<&delayq_job>) -> i64 {
    guard_or(-1, || job.map_or(-1, |job| job.job.lease_until_ms()))
}

/// Proof of this lease; it never repeats. Its part before the first `-` is a number that grows with every lease
/// of the topic, fit as a fencing token. NULL for NULL.
///
/// Valid until the list is freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_job_receipt(job: Option<&delayq_job>) -> *const c_char {
    guard_or(ptr::null(), || pointer(job.map(|job| job.receipt.as_c_str())))
}
