//! The keeper: one thread per topic that renews the leases of the jobs in hand and sweeps for crashed consumers.

use std::time::{Duration, Instant};

use super::event::Event;
use super::shared::Shared;
use crate::error::Result;
use crate::outcome::ExtendOutcome;
use crate::queue::Queue;
use crate::verbs::DEFAULT_SLICE;

pub(super) fn run(shared: &Shared, route: usize) {
    let queue = &shared.routes[route].queue;
    let (beat_every, sweep_every) = (queue.lease() / 3, shared.options.sweep_every);
    let mut next_sweep = Instant::now();
    let mut next_beat = next_sweep + beat_every;
    let mut my_turn = false;
    while !shared.over.is_cancelled() {
        if next_beat <= Instant::now() {
            beat(shared, route);
            next_beat = Instant::now() + beat_every;
        }
        if next_sweep <= Instant::now() && !shared.stop.is_cancelled() {
            let swept = sweep(queue, sweep_every, my_turn);
            // The fetcher may be in the middle of a long wait, so this is how health learns soon of a server that is gone.
            shared.answered(queue.topic(), swept.as_ref().copied().map(|_| ()), false);
            my_turn = swept.unwrap_or(false); // there may be more, and between two slices the heart beats
            next_sweep = Instant::now() + if my_turn { Duration::ZERO } else { sweep_every };
        }
        if shared.stop.is_cancelled() {
            shared.over.sleep(next_beat.saturating_duration_since(Instant::now()), || false);
        } else {
            let next = next_beat.min(next_sweep);
            shared.stop.sleep(next.saturating_duration_since(Instant::now()), || false);
        }
    }
}

/// Extends the leases of all jobs in hand; those that are lost are revoked.
fn beat(shared: &Shared, route: usize) {
    let queue = &shared.routes[route].queue;
    let held = shared.held(route);
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

/// Makes a slice of the expired jobs due again; says whether it was full. Of many workers one sweeps at a time, which only
/// saves work.
fn sweep(queue: &Queue, every: Duration, my_turn: bool) -> Result<bool> {
    if !my_turn && !queue.take_sweep_turn(every)? {
        return Ok(false);
    }
    Ok(queue.requeue(DEFAULT_SLICE)?.total() == DEFAULT_SLICE as u64)
}
