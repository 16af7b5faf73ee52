//! The finisher: reports ended deliveries in batches, a few ms after their end at the latest.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::event::Event;
use super::shared::{Ended, Shared};
use super::verdict::Verdict;
use crate::error::Result;
use crate::job::{Job, Lease, Retry};
use crate::outcome::{AckOutcome, ReleaseOutcome, RetryOutcome};
use crate::queue::Queue;

/// A report is sent when so many have ended, or so long after the first.
const BATCH: usize = 100;
const LINGER: Duration = Duration::from_millis(2);

/// Ends when all senders are gone.
pub(super) fn run(shared: &Shared, ended: &Receiver<Ended>) {
    while let Ok(first) = ended.recv() {
        let until = Instant::now() + LINGER;
        let mut batch = vec![first];
        while batch.len() < BATCH {
            match ended.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(next) => batch.push(next),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        batch.retain(|ended| shared.is_held(ended.serial)); // others were given back at the deadline
        for route in 0..shared.routes.len() {
            let (mine, others) = batch.into_iter().partition(|ended| ended.route == route);
            batch = others;
            report(shared, route, mine);
        }
    }
}

fn report(shared: &Shared, route: usize, batch: Vec<Ended>) {
    let queue = &shared.routes[route].queue;
    let (mut acks, mut failures, mut releases) = (Vec::new(), Vec::new(), Vec::new());
    for ended in batch {
        match &ended.verdict {
            Verdict::Done => acks.push(ended),
            Verdict::Failed(_) | Verdict::FailedFor(..) | Verdict::Dead(_) => failures.push(ended),
            Verdict::Release(_) => releases.push(ended),
            Verdict::Leave => _ = shared.forget(ended.serial),
        }
    }
    settle(shared, queue, &acks, ack);
    settle(shared, queue, &failures, fail);
    settle(shared, queue, &releases, release);
}

/// Reports one group and takes its jobs off our hands, whatever the answer: after a failed report the job comes
/// back when its lease ends.
fn settle(
    shared: &Shared,
    queue: &Queue,
    group: &[Ended],
    verb: impl Fn(&Shared, &Queue, &[Ended]) -> Result<()>,
) {
    if group.is_empty() {
        return;
    }
    if let Err(e) = verb(shared, queue, group) {
        shared.emit(&Event::Lost { topic: queue.topic(), error: &e });
    }
    group.iter().for_each(|ended| _ = shared.forget(ended.serial));
}

fn leases(group: &[Ended]) -> impl Iterator<Item = Lease<'_>> {
    group.iter().map(|ended| ended.job.lease())
}

fn lost<'a>(job: &'a Arc<Job>, queue: &'a Queue) -> Event<'a> {
    Event::LeaseLost { topic: queue.topic(), id: job.id() }
}

fn ack(shared: &Shared, queue: &Queue, group: &[Ended]) -> Result<()> {
    for (ended, outcome) in group.iter().zip(queue.ack_many(leases(group))?) {
        shared.emit(&match outcome {
            AckOutcome::LeaseLost => lost(&ended.job, queue),
            _ => Event::Done { topic: queue.topic(), id: ended.job.id(), took: ended.took },
        });
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
        shared.emit(&match retried.outcome {
            RetryOutcome::LeaseLost => lost(&ended.job, queue),
            outcome => Event::Failed { topic: queue.topic(), id: ended.job.id(), outcome, error },
        });
    }
    Ok(())
}

fn error_of(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Failed(error) | Verdict::FailedFor(error, _) | Verdict::Dead(error) => error,
        _ => "",
    }
}

fn release(shared: &Shared, queue: &Queue, group: &[Ended]) -> Result<()> {
    let delay_of = |ended: &Ended| match &ended.verdict {
        Verdict::Release(delay) => *delay,
        _ => Duration::ZERO,
    };
    // One call per delay; nearly always there is one.
    let mut rest: Vec<&Ended> = group.iter().collect();
    while let Some(delay) = rest.first().map(|ended| delay_of(ended)) {
        let (same, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(|ended| delay_of(ended) == delay);
        let results = queue.release_many(same.iter().map(|ended| ended.job.lease()), delay)?;
        for (ended, released) in same.iter().zip(results) {
            shared.emit(&match released.outcome {
                ReleaseOutcome::LeaseLost => lost(&ended.job, queue),
                _ => Event::Released { topic: queue.topic(), id: ended.job.id() },
            });
        }
        rest = others;
    }
    Ok(())
}
