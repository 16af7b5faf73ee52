//! The keeper: heartbeats for the jobs in hand, and sweeps for those of crashed consumers.

use std::time::{Duration, Instant};

use super::event::Event;
use super::shared::Shared;
use crate::outcome::ExtendOutcome;
use crate::queue::Queue;
use crate::verbs::DEFAULT_SLICE;

pub(super) fn run(shared: &Shared) {
    let beats: Vec<Duration> = shared.routes.iter().map(|route| route.queue.lease() / 3).collect();
    let sweep_every = shared.options.sweep_every;
    let now = Instant::now();
    let mut next_beat: Vec<Instant> = beats.iter().map(|every| now + *every).collect();
    let mut next_sweep = now;
    while !shared.stop.is_cancelled() {
        let now = Instant::now();
        for (route, every) in beats.iter().enumerate() {
            if next_beat[route] <= now {
                beat(shared, route);
                next_beat[route] = now + *every;
            }
        }
        if next_sweep <= now {
            shared.routes.iter().for_each(|route| sweep(shared, &route.queue, sweep_every));
            next_sweep = now + sweep_every;
        }
        let next = next_beat.iter().copied().min().unwrap_or(next_sweep).min(next_sweep);
        shared.stop.sleep(next.saturating_duration_since(Instant::now()), || false);
    }
}

/// Extends the leases of all jobs in hand, running and waiting; those that are lost are revoked.
pub(super) fn beat(shared: &Shared, route: usize) {
    let queue = &shared.routes[route].queue;
    let held = shared.held(route);
    if held.is_empty() {
        return;
    }
    match queue.extend_many(held.iter().map(|(_, job, _)| &**job), None) {
        Ok(results) => {
            let lost = held.iter().zip(results).filter(|(_, r)| r.outcome == ExtendOutcome::LeaseLost);
            for ((serial, job, revoked), _) in lost {
                // It may have been reported as ended in this very moment, which is no loss.
                if shared.is_held(*serial) && !revoked.is_cancelled() {
                    revoked.cancel();
                    shared.emit(&Event::LeaseLost { topic: queue.topic(), id: job.id() });
                }
            }
        }
        Err(e) => shared.emit(&Event::Lost { topic: queue.topic(), error: &e }),
    }
}

/// Makes expired jobs due again. Of many workers one sweeps at a time, which only saves work.
fn sweep(shared: &Shared, queue: &Queue, every: Duration) {
    let swept = queue.take_sweep_turn(every).and_then(|my_turn| {
        let mut full = my_turn;
        while full && !shared.stop.is_cancelled() {
            full = queue.requeue(DEFAULT_SLICE)?.total() == DEFAULT_SLICE as u64;
        }
        Ok(())
    });
    // The fetcher may be in the middle of a long wait, so this is how health learns soon of a server that is gone.
    shared.answered(queue.topic(), swept.as_ref().copied(), false);
}
