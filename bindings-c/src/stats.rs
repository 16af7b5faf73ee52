//! The numbers of a topic.

use std::ffi::{CString, c_char};
use std::ptr;

use delayq_core::{COUNTERS, Stats};

use crate::args::text;
use crate::guard::{guard_or, guard_unit};
use crate::histogram::{delayq_histogram, whole_ms};
use crate::words::{owned, pointer, word};

/// The numbers of a topic at one moment. Owned by the caller, see `delayq_stats_free()`.
pub struct delayq_stats {
    stats: Stats,
    topic: CString,
    lateness: delayq_histogram,
    processing_time: delayq_histogram,
}

impl delayq_stats {
    pub(crate) fn new(mut stats: Stats) -> Self {
        delayq_stats {
            topic: owned(&stats.topic),
            lateness: delayq_histogram::new(std::mem::take(&mut stats.lateness)),
            processing_time: delayq_histogram::new(std::mem::take(&mut stats.processing_time)),
            stats,
        }
    }
}

/// Frees the numbers and what was read from them. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_free(stats: Option<Box<delayq_stats>>) {
    guard_unit(|| drop(stats));
}

/// The topic; NULL for NULL.
///
/// Valid until the numbers are freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_topic(stats: Option<&delayq_stats>) -> *const c_char {
    guard_or(ptr::null(), || pointer(stats.map(|stats| stats.topic.as_c_str())))
}

/// How many jobs are scheduled; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_backlog(stats: Option<&delayq_stats>) -> u64 {
    guard_or(0, || stats.map_or(0, |stats| stats.stats.backlog))
}

/// How many scheduled jobs are due; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_due(stats: Option<&delayq_stats>) -> u64 {
    guard_or(0, || stats.map_or(0, |stats| stats.stats.due))
}

/// How many scheduled jobs have been due for longer than the threshold; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_overdue(stats: Option<&delayq_stats>) -> u64 {
    guard_or(0, || stats.map_or(0, |stats| stats.stats.overdue))
}

/// For how long the oldest due job has been due; 0 if none is and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_oldest_due_ms(stats: Option<&delayq_stats>) -> i64 {
    guard_or(0, || stats.map_or(0, |stats| whole_ms(stats.stats.oldest_due_ms)))
}

/// How many jobs are leased, those included whose lease has ended; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_processing(stats: Option<&delayq_stats>) -> u64 {
    guard_or(0, || stats.map_or(0, |stats| stats.stats.processing))
}

/// How many leases have ended and were not swept yet by a requeue; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_expired(stats: Option<&delayq_stats>) -> u64 {
    guard_or(0, || stats.map_or(0, |stats| stats.stats.expired))
}

/// How many jobs are dead; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_dead(stats: Option<&delayq_stats>) -> u64 {
    guard_or(0, || stats.map_or(0, |stats| stats.stats.dead))
}

/// How many ids had no body when they were to be popped or moved; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_orphans(stats: Option<&delayq_stats>) -> u64 {
    guard_or(0, || stats.map_or(0, |stats| stats.stats.orphans))
}

/// Whether consumers are given nothing, see `delayq_queue_pause()`; false for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_paused(stats: Option<&delayq_stats>) -> bool {
    guard_or(false, || stats.is_some_and(|stats| stats.stats.paused))
}

/// How many jobs per second consumers are given at most, see `delayq_queue_limit()`; 0 if there is no limit and
/// for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_rate(stats: Option<&delayq_stats>) -> f64 {
    guard_or(0.0, || stats.and_then(|stats| stats.stats.rate).unwrap_or(0.0))
}

/// How many jobs may be given at once after a quiet time; 0 if there is no limit and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_burst(stats: Option<&delayq_stats>) -> u64 {
    guard_or(0, || stats.and_then(|stats| stats.stats.burst).unwrap_or(0))
}

/// A lifetime counter of the topic by its name, e.g. `acked`; 0 for a name that is none and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_stats_counter(stats: Option<&delayq_stats>, name: *const c_char) -> u64 {
    guard_or(0, || {
        // SAFETY: NULL or a NUL-terminated text, by the header's rules.
        let name = unsafe { text(name, "name") };
        stats.map_or(0, |stats| name.map_or(0, |name| stats.stats.counter(name)))
    })
}

/// A lifetime counter of the topic by its place in the list of `delayq_counter_at()`; 0 past the end and for
/// NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_counter_at(stats: Option<&delayq_stats>, index: usize) -> u64 {
    let counter = |stats: &delayq_stats| stats.stats.counters.get(index).map(|(_, count)| *count);
    guard_or(0, || stats.and_then(counter).unwrap_or(0))
}

/// How late jobs were popped, from the due time to the pop; NULL for NULL.
///
/// Valid until the numbers are freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_lateness(stats: Option<&delayq_stats>) -> Option<&delayq_histogram> {
    guard_or(None, || stats.map(|stats| &stats.lateness))
}

/// How long jobs were worked on, from the pop to the ack; NULL for NULL.
///
/// Valid until the numbers are freed. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_stats_processing_time(stats: Option<&delayq_stats>) -> Option<&delayq_histogram> {
    guard_or(None, || stats.map(|stats| &stats.processing_time))
}

/// The names of the lifetime counters, to be listed: from index 0 until the answer is NULL.
///
/// Lives as long as the process. Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_counter_at(index: usize) -> *const c_char {
    guard_or(ptr::null(), || word(COUNTERS.get(index).copied()))
}
