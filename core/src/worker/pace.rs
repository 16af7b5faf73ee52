//! How many jobs are worth taking before handlers are free for them.

use std::time::Duration;

/// What waits for a handler shall be at work after about this long. More would only keep jobs from other processes.
const WINDOW: Duration = Duration::from_millis(100);

/// However quick the handlers are: so many are enough to keep them busy while the next are fetched.
const MOST: usize = 200;

/// The newest of so many handlers counts as much as all before.
const MEMORY: f64 = 8.0;

/// The handlers of one topic, as quick as they were of late.
#[derive(Debug)]
pub(super) struct Pace {
    /// What the program asked for.
    fixed: Option<usize>,
    window: f64,
    /// Seconds that a handler takes, once one has ended.
    mean: Option<f64>,
}

impl Pace {
    pub(super) fn new(fixed: Option<usize>, lease: Duration) -> Self {
        // Their leases are renewed while they wait, but one that a slow Redis lets slip must not end before its handler begins.
        Pace { fixed, window: WINDOW.min(lease / 3).as_secs_f64(), mean: None }
    }

    /// A handler has ended after this long.
    pub(super) fn ended(&mut self, took: Duration) {
        let took = took.as_secs_f64();
        let mean = self.mean.get_or_insert(took);
        *mean += (took - *mean) / MEMORY;
    }

    /// So many jobs may wait for this many handlers.
    pub(super) fn ahead(&self, handlers: usize) -> usize {
        match (self.fixed, self.mean) {
            (Some(fixed), _) => fixed,
            (None, None) => 0,
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
            // the cast saturates, which is what it should do
            (None, Some(mean)) => ((handlers as f64 * self.window / mean) as usize).min(MOST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(30);

    fn ahead_after(fixed: Option<usize>, lease: Duration, ms: &[u64]) -> usize {
        let mut pace = Pace::new(fixed, lease);
        ms.iter().for_each(|ms| pace.ended(Duration::from_millis(*ms)));
        pace.ahead(8)
    }

    #[test]
    fn quick_handlers_have_more_waiting_than_slow_ones() {
        let ahead = |ms: u64| ahead_after(None, LEASE, &[ms]);
        assert_eq!([0, 1, 10, 100, 900, 60_000].map(ahead), [200, 200, 80, 8, 0, 0]);
    }

    #[test]
    fn nothing_waits_for_a_handler_that_nobody_has_seen_end() {
        assert_eq!(ahead_after(None, LEASE, &[]), 0);
    }

    #[test]
    fn one_slow_job_makes_it_cautious_and_quick_ones_bold_again() {
        assert_eq!(ahead_after(None, LEASE, &[1, 8000]), 0);
        let mut ms = vec![1, 8000];
        ms.extend([1; 80]);
        assert_eq!(ahead_after(None, LEASE, &ms), 200);
    }

    #[test]
    fn what_waits_is_at_work_before_a_short_lease_ends() {
        assert_eq!(ahead_after(None, Duration::from_millis(60), &[10]), 16);
    }

    #[test]
    fn a_number_from_the_program_holds() {
        assert_eq!(ahead_after(Some(3), LEASE, &[]), 3);
        assert_eq!(ahead_after(Some(3000), LEASE, &[0, 8000]), 3000);
    }
}
