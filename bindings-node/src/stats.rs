//! The numbers of a topic.

use napi::bindgen_prelude::*;
use napi_derive::napi;

use crate::call;
use crate::convert::count;

/// The numbers of a topic.
#[napi(object, object_from_js = false)]
pub struct Stats {
    /// Scheduled jobs.
    pub backlog: i64,
    /// Scheduled jobs that are due.
    pub due: i64,
    /// Jobs due for too long.
    pub overdue: i64,
    /// For how long the oldest due job has been due.
    pub oldest_due_ms: i64,
    /// Leased jobs.
    pub processing: i64,
    /// Leases that have ended.
    pub expired: i64,
    /// Dead jobs.
    pub dead: i64,
    /// Ids whose body was missing.
    pub orphans: i64,
    /// Whether consumers are given nothing.
    pub paused: bool,
    /// Jobs per second at most.
    pub rate: Option<f64>,
    /// Jobs at once at most.
    pub burst: Option<i64>,
    /// The lifetime counters, in the order of their names in `words`.
    pub counters: Vec<i64>,
    /// From the due time to the pop.
    pub lateness: Histogram,
    /// From the pop to the ack.
    pub processing_time: Histogram,
}

impl From<delayq::Stats> for Stats {
    fn from(s: delayq::Stats) -> Self {
        Stats {
            backlog: count(s.backlog),
            due: count(s.due),
            overdue: count(s.overdue),
            oldest_due_ms: count(s.oldest_due_ms),
            processing: count(s.processing),
            expired: count(s.expired),
            dead: count(s.dead),
            orphans: count(s.orphans),
            paused: s.paused,
            rate: s.rate,
            burst: s.burst.map(count),
            counters: s.counters.into_iter().map(|(_, n)| count(n)).collect(),
            lateness: Histogram(s.lateness),
            processing_time: Histogram(s.processing_time),
        }
    }
}

/// How long something took.
#[napi]
pub struct Histogram(delayq::Histogram);

#[napi]
impl Histogram {
    /// How many durations there are.
    #[napi(catch_unwind)]
    pub fn count(&self, env: &Env) -> Result<i64> {
        call::now(env, || Ok(count(self.0.count())))
    }

    /// The duration in ms that this share of all does not exceed.
    #[napi(catch_unwind)]
    pub fn quantile(&self, env: &Env, share: f64) -> Result<Option<i64>> {
        call::now(env, || Ok(self.0.quantile(share).map(count)))
    }

    /// Upper edge in ms and count of each step, in turn.
    #[napi(catch_unwind)]
    pub fn buckets(&self, env: &Env) -> Result<Vec<i64>> {
        call::now(env, || Ok(self.0.buckets().flat_map(|(edge, n)| [count(edge), count(n)]).collect()))
    }
}
