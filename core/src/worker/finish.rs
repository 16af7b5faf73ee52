//! The finisher: one thread per topic that reports ended deliveries in batches, a few ms after their end at the latest.
//! What Redis does not take for now is reported again, or a job that is done would run once more.

use std::time::Duration;

use super::event::Event;
use super::shared::{Ended, Shared};
use super::verdict::Verdict;
use crate::error::Result;
use crate::job::{Lease, Retry};
use crate::outcome::{AckOutcome, ReleaseOutcome, RetryOutcome};
use crate::queue::Queue;

/// Between two attempts to report; a call goes on trying by itself first.
const PAUSE_FIRST: Duration = Duration::from_millis(50);
const PAUSE_MOST: Duration = Duration::from_secs(1);

pub(super) fn run(shared: &Shared, route: usize) {
    let mut pause = PAUSE_FIRST;
    while let Some(batch) = shared.ended(route) {
        let rest = report(shared, route, batch);
        if rest.is_empty() {
            pause = PAUSE_FIRST;
        } else if shared.over.is_cancelled() {
            shared.forget(rest.iter().map(|ended| ended.serial)); // they come back when their leases end
        } else {
            shared.put_back(route, rest);
            shared.over.sleep(pause, || false);
            pause = (pause * 2).min(PAUSE_MOST);
        }
    }
}

/// Reports what it can and returns what is to be tried again. Receipts make that safe: a report that was taken although
/// nobody heard so is refused the second time.
fn report(shared: &Shared, route: usize, batch: Vec<Ended>) -> Vec<Ended> {
    let queue = &shared.routes[route].queue;
    let (mut acks, mut failures, mut releases) = (Vec::new(), Vec::new(), Vec::new());
    for ended in batch {
        match &ended.verdict {
            Verdict::Done => acks.push(ended),
            Verdict::Failed(_) | Verdict::FailedFor(..) | Verdict::Dead(_) => failures.push(ended),
            Verdict::Release(_) => releases.push(ended),
            Verdict::Leave => shared.forget([ended.serial]),
        }
    }
    let mut rest = settle(shared, queue, acks, ack);
    rest.extend(settle(shared, queue, failures, fail));
    // One report per delay, nearly always one in all: a group is either taken or tried again as a whole.
    while let Some(delay) = releases.first().map(delay_of) {
        let (same, others) = releases.into_iter().partition(|ended| delay_of(ended) == delay);
        rest.extend(settle(shared, queue, same, release));
        releases = others;
    }
    rest
}

/// Reports one group. What is refused for good is off our hands: it comes back when its lease ends.
fn settle(
    shared: &Shared,
    queue: &Queue,
    mut group: Vec<Ended>,
    verb: fn(&Shared, &Queue, &[Ended]) -> Result<()>,
) -> Vec<Ended> {
    if group.is_empty() {
        return group;
    }
    match verb(shared, queue, &group) {
        Ok(()) => shared.answered(queue.topic(), Ok(()), false),
        Err(e) if e.is_retryable() => {
            shared.answered(queue.topic(), Err(&e), false);
            return group;
        }
        // One of them is at fault, like a job whose done marker's key holds something else: the others are not.
        Err(_) if group.len() > 1 => {
            return group.drain(..).flat_map(|one| settle(shared, queue, vec![one], verb)).collect();
        }
        Err(error) => shared.emit(&Event::Lost { topic: queue.topic(), error: &error }),
    }
    shared.forget(group.drain(..).map(|ended| ended.serial));
    group
}

fn leases(group: &[Ended]) -> impl Iterator<Item = Lease<'_>> {
    group.iter().map(|ended| ended.job.lease())
}

fn lost(shared: &Shared, queue: &Queue, ended: &Ended) {
    if shared.lose(ended.serial, true) {
        shared.emit(&Event::LeaseLost { topic: queue.topic(), id: ended.job.id() });
    }
}

fn ack(shared: &Shared, queue: &Queue, group: &[Ended]) -> Result<()> {
    for (ended, outcome) in group.iter().zip(queue.ack_many(leases(group))?) {
        match outcome {
            AckOutcome::LeaseLost => lost(shared, queue, ended),
            _ => shared.emit(&Event::Done { topic: queue.topic(), id: ended.job.id(), took: ended.took }),
        }
    }
    Ok(())
}

fn fail(shared: &Shared, queue: &Queue, group: &[Ended]) -> Result<()> {
    let failures = group.iter().map(|ended| {
        let retry = Retry::new(&*ended.job).error(error_of(&ended.verdict));
        match &ended.verdict {
            Verdict::FailedFor(_, delay) => retry.delay(*delay),
            Verdict::Dead(_) => retry.dead(),
            _ => retry,
        }
    });
    for (ended, retried) in group.iter().zip(queue.retry_many(failures)?) {
        let error = error_of(&ended.verdict);
        match retried.outcome {
            RetryOutcome::LeaseLost => lost(shared, queue, ended),
            outcome => {
                shared.emit(&Event::Failed { topic: queue.topic(), id: ended.job.id(), outcome, error });
            }
        }
    }
    Ok(())
}

fn error_of(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Failed(error) | Verdict::FailedFor(error, _) | Verdict::Dead(error) => error,
        _ => "",
    }
}

/// All of a group have the same delay.
fn release(shared: &Shared, queue: &Queue, group: &[Ended]) -> Result<()> {
    let delay = group.first().map(delay_of).unwrap_or_default();
    for (ended, released) in group.iter().zip(queue.release_many(leases(group), delay)?) {
        match released.outcome {
            ReleaseOutcome::LeaseLost => lost(shared, queue, ended),
            _ => shared.emit(&Event::Released { topic: queue.topic(), id: ended.job.id() }),
        }
    }
    Ok(())
}

fn delay_of(ended: &Ended) -> Duration {
    match &ended.verdict {
        Verdict::Release(delay) => *delay,
        _ => Duration::ZERO,
    }
}
