//! The numbers of a topic: what is there now, what has been, and how long things took.

/// The lifetime counters that the scripts keep, in the order of [`Stats::counters`].
pub const COUNTERS: &[&str] = &[
    "enqueued",
    "replaced",
    "moved",
    "delivered",
    "acked",
    "retried",
    "released",
    "expired",
    "dead",
    "cancelled",
    "redriven",
    "purged",
    "orphaned",
    "repaired",
];

/// The numbers of a topic at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Stats {
    /// The topic.
    pub topic: String,
    /// Scheduled jobs.
    pub backlog: u64,
    /// Scheduled jobs that are due.
    pub due: u64,
    /// Scheduled jobs that have been due for longer than the threshold (30 s).
    pub overdue: u64,
    /// For how long the oldest due job has been due, ms; 0 if none is.
    pub oldest_due_ms: u64,
    /// Leased jobs, the expired ones included.
    pub processing: u64,
    /// Leases that have ended and were not swept yet.
    pub expired: u64,
    /// Dead jobs.
    pub dead: u64,
    /// Ids whose body was missing.
    pub orphans: u64,
    /// Whether consumers are given nothing (`pause`).
    pub paused: bool,
    /// Jobs per second that consumers are given at most, if limited.
    pub rate: Option<f64>,
    /// Jobs that may be given at once after a quiet time, if limited.
    pub burst: Option<u64>,
    /// Lifetime counters, by name, in the order of [`COUNTERS`].
    pub counters: Vec<(&'static str, u64)>,
    /// From the due time to the pop.
    pub lateness: Histogram,
    /// From the pop to the ack.
    pub processing_time: Histogram,
}

impl Stats {
    /// A lifetime counter; 0 for a name that is not one.
    pub fn counter(&self, name: &str) -> u64 {
        self.counters.iter().find(|(known, _)| *known == name).map_or(0, |(_, n)| *n)
    }
}

/// How long something took, over the life of the topic and all consumers in all languages.
///
/// Durations are exact below 16 ms and fall into eight steps to each doubling above, so a quantile is at most
/// an eighth too high.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Place and count, ascending.
    places: Vec<(u32, u64)>,
}

impl Histogram {
    pub(crate) fn add(&mut self, place: u32, count: u64) {
        self.places.push((place, count));
        self.places.sort_unstable();
    }

    /// How many durations there are.
    pub fn count(&self) -> u64 {
        self.places.iter().fold(0, |sum: u64, (_, n)| sum.saturating_add(*n)) // somebody may have edited the counts
    }

    /// The duration in ms that this share (0 to 1) of all durations does not exceed, by the upper edge of its
    /// step (nearest rank); `None` while there are no durations, and for NaN.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        if share.is_nan() {
            return None;
        }
        let rank = ((share.clamp(0.0, 1.0) * self.count() as f64).ceil() as u64).max(1);
        let mut seen = 0_u64;
        self.places.iter().find_map(|(place, n)| {
            seen = u64::saturating_add(seen, *n);
            (seen >= rank).then(|| upper_edge(*place))
        })
    }

    /// The median in ms.
    pub fn p50(&self) -> Option<u64> {
        self.quantile(0.50)
    }

    /// The 95th percentile in ms.
    pub fn p95(&self) -> Option<u64> {
        self.quantile(0.95)
    }

    /// The 99th percentile in ms.
    pub fn p99(&self) -> Option<u64> {
        self.quantile(0.99)
    }

    /// Upper edge in ms and count of every step that occurs, ascending; for metrics.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.places.iter().map(|(place, n)| (upper_edge(*place), *n))
    }
}

/// The longest duration of a place; the inverse of `bucket` in `lua/prelude.lua`.
fn upper_edge(place: u32) -> u64 {
    if place < 16 {
        return u64::from(place);
    }
    let (doubling, step) = ((place - 16) / 8, (place - 16) % 8);
    let width = 1u64.checked_shl(doubling + 1).unwrap_or(u64::MAX); // 16 ms is one step of 2 ms
    width.saturating_mul(u64::from(step) + 9).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_follow_each_other_without_a_gap() {
        assert_eq!((upper_edge(0), upper_edge(15), upper_edge(16), upper_edge(23)), (0, 15, 17, 31));
        assert_eq!((upper_edge(24), upper_edge(31), upper_edge(32)), (35, 63, 71));
        for place in 16..400 {
            assert!(upper_edge(place) > upper_edge(place - 1) || upper_edge(place) == u64::MAX);
        }
    }

    #[test]
    fn quantiles_are_of_the_nearest_rank_and_never_a_number_of_nothing() {
        let mut h = Histogram::default();
        assert_eq!((h.p50(), h.p99(), h.count()), (None, None, 0));
        h.add(5, 98);
        h.add(20, 1);
        h.add(3, 1);
        assert_eq!((h.p50(), h.p95(), h.p99(), h.quantile(1.0)), (Some(5), Some(5), Some(5), Some(25)));
        assert_eq!((h.quantile(0.0), h.quantile(-1.0), h.quantile(f64::NAN)), (Some(3), Some(3), None));
    }
}
