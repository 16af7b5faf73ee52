//! The keeper: one thread per topic that renews the leases of the jobs in hand and sweeps for crashed consumers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::event::Event;
use super::shared::{Serial, Shared};
use crate::error::Result;
use crate::job::Job;
use crate::outcome::ExtendOutcome;
use crate::queue::Queue;
use crate::verbs::DEFAULT_SLICE;

/// A lease ends with its last ms.
const ENDED: Duration = Duration::from_millis(1);

/// A shorter time between two sweeps would cost an idle worker more than it gains.
const SWEEP_LEAST: Duration = Duration::from_secs(1);

pub(super) fn run(shared: &Arc<Shared>, route: usize) {
    let queue = &shared.routes[route].queue;
    let watcher = Arc::downgrade(shared);
    let _watch = queue.watch(Box::new(move |id| {
        watcher.upgrade().into_iter().for_each(|shared| shared.suspect(route, id));
    }));
    let beat_every = queue.lease() / 3;
    // Twice within a lease: who crashes may be the one whose turn it is.
    let sweep_every = shared.options.sweep_every.min((queue.lease() / 2).max(SWEEP_LEAST));
    let mut next_sweep = Instant::now();
    let mut next_beat = next_sweep + beat_every;
    let mut is_my_turn = false;
    while !shared.over.is_cancelled() {
        beat(shared, queue, &shared.suspects(route));
        if next_beat <= Instant::now() {
            beat(shared, queue, &shared.held(route));
            next_beat = Instant::now() + beat_every;
        }
        let stopping = shared.stop.is_cancelled();
        if next_sweep <= Instant::now() && !stopping {
            let swept = sweep(queue, sweep_every, is_my_turn);
            // The fetcher may be in the middle of a long wait, so this is how health learns soon of a server that is gone.
            shared.answered(queue.topic(), swept.as_ref().map(|_| ()), false);
            // A lease that ends before the next turn is swept right then, unless it was renewed.
            let soon = swept.ok().flatten().filter(|next_in| *next_in < sweep_every);
            is_my_turn = soon.is_some();
            next_sweep = Instant::now() + soon.unwrap_or(sweep_every);
        }
        let (next, token) =
            if stopping { (next_beat, &shared.over) } else { (next_beat.min(next_sweep), &shared.stop) };
        token.sleep(next.saturating_duration_since(Instant::now()), || shared.has_suspects(route));
    }
}

/// Extends the leases of these jobs in hand; those that are lost are revoked.
fn beat(shared: &Shared, queue: &Queue, held: &[(Serial, Arc<Job>)]) {
    if held.is_empty() {
        return;
    }
    let results = queue.extend_many(held.iter().map(|(_, job)| &**job), None);
    shared.answered(queue.topic(), results.as_ref().map(|_| ()), false);
    let results = results.unwrap_or_default();
    let lost = held.iter().zip(results).filter(|(_, result)| result.outcome == ExtendOutcome::LeaseLost);
    for ((serial, job), _) in lost {
        if shared.lose(*serial, false) {
            shared.emit(&Event::LeaseLost { topic: queue.topic(), id: job.id() });
        }
    }
}

/// Makes a slice of the expired jobs due again; returns when there may be more. Of many workers one sweeps at a time, which
/// only saves work.
fn sweep(queue: &Queue, every: Duration, is_my_turn: bool) -> Result<Option<Duration>> {
    if !queue.take_sweep_turn(every, is_my_turn)? {
        return Ok(None);
    }
    Ok(queue.sweep(DEFAULT_SLICE)?.next_in.map(|next_in| next_in + ENDED))
}
