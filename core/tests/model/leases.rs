//! The steps that act on leased jobs: `ack`, `retry`, `release`, `extend`.

use std::time::Duration;

use delayq::{AckOutcome, ExtendOutcome, Job, ReleaseOutcome, Retry, RetryOutcome, State};

use super::state::{Body, Entry};
use super::world::{HOUR, RETRIES, SHORT, World};

impl World {
    /// The jobs that an operation means, in the order of its places.
    fn chosen(&self, held: &[usize]) -> Vec<(Job, &'static str)> {
        if self.held.is_empty() {
            return Vec::new();
        }
        held.iter().map(|i| self.held[i % self.held.len()].clone()).collect()
    }

    pub(super) fn ack(&mut self, held: &[usize]) {
        let chosen = self.chosen(held);
        let outcomes = self.handles[0].ack_many(chosen.iter().map(|(job, _)| job)).unwrap();
        for ((job, id), outcome) in chosen.iter().zip(outcomes) {
            let entry = self.model.entry(id);
            let expected = if entry.holds(job.receipt()) {
                *entry = Entry { done: Some(job.receipt().to_owned()), ..Entry::default() };
                AckOutcome::Acked
            } else if entry.done.as_deref() == Some(job.receipt()) {
                AckOutcome::Already
            } else {
                AckOutcome::LeaseLost
            };
            assert_eq!(outcome, expected);
            self.model.count("acked", usize::from(expected == AckOutcome::Acked));
        }
    }

    pub(super) fn retry(&mut self, handle: usize, held: &[usize], at_once: bool) {
        let chosen = self.chosen(held);
        let failures = chosen.iter().map(|(job, _)| {
            let retry = Retry::new(job).error("broken");
            if at_once { retry.delay(Duration::ZERO) } else { retry }
        });
        let results = self.handles[handle].retry_many(failures).unwrap();
        for ((job, id), result) in chosen.iter().zip(results) {
            let at = self.after(!at_once);
            let now = self.now;
            let entry = self.model.entry(id);
            let holds = entry.holds(job.receipt());
            let (expected, counter) =
                if entry.done.as_deref() == Some(job.receipt()) || (holds && entry.done.is_some()) {
                    if holds {
                        (entry.place, entry.body) = (None, None);
                    }
                    (RetryOutcome::Done, None)
                } else if holds {
                    let mut body = entry.body.take().unwrap().unleased();
                    let failures = body.retry_count.unwrap_or(0) + 1;
                    body.retry_count = Some(failures);
                    body.last_error = Some("broken".to_owned());
                    let dead = failures > RETRIES[if body.own_policy { 2 } else { handle }];
                    entry.body = Some(body);
                    assert_eq!(result.retry_count, failures);
                    entry.place = Some(if dead { (State::Dead, now) } else { (State::Scheduled, at) });
                    if dead {
                        (RetryOutcome::Dead, Some("dead"))
                    } else {
                        (RetryOutcome::Scheduled, Some("retried"))
                    }
                } else {
                    (RetryOutcome::LeaseLost, None)
                };
            assert_eq!(result.outcome, expected);
            assert_eq!(result.due_at_ms.is_some(), expected == RetryOutcome::Scheduled);
            counter.into_iter().for_each(|counter| self.model.count(counter, 1));
        }
    }

    pub(super) fn release(&mut self, held: &[usize], later: bool) {
        let chosen = self.chosen(held);
        let delay = if later { HOUR } else { Duration::ZERO };
        let results = self.handles[0].release_many(chosen.iter().map(|(job, _)| job), delay).unwrap();
        for ((job, id), result) in chosen.iter().zip(results) {
            let at = self.after(later);
            let entry = self.model.entry(id);
            let expected = if entry.holds(job.receipt()) {
                entry.body = entry.body.take().map(Body::unleased);
                entry.place = Some((State::Scheduled, at));
                ReleaseOutcome::Released
            } else if entry.done.as_deref() == Some(job.receipt()) {
                ReleaseOutcome::Done
            } else {
                ReleaseOutcome::LeaseLost
            };
            assert_eq!(result.outcome, expected);
            self.model.count("released", usize::from(expected == ReleaseOutcome::Released));
        }
    }

    pub(super) fn extend(&mut self, held: &[usize], short: bool) {
        let chosen = self.chosen(held);
        let lease = if short { SHORT } else { HOUR };
        let results = self.handles[0].extend_many(chosen.iter().map(|(job, _)| job), Some(lease)).unwrap();
        for ((job, id), result) in chosen.iter().zip(results) {
            let deadline = self.now.plus(lease.as_millis() as i64);
            let entry = self.model.entry(id);
            let holds = entry.holds(job.receipt()) && entry.is(State::Processing);
            if holds {
                entry.place = Some((State::Processing, deadline));
            }
            assert_eq!(result.outcome == ExtendOutcome::Extended, holds);
        }
    }
}
