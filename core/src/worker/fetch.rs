//! The fetcher: one thread per topic that takes jobs while there is room.

use std::time::Duration;

use super::shared::Shared;
use crate::error::{ErrorKind, Result};
use crate::job::Job;
use crate::verbs::pop::PopOptions;

/// How long one `pop` waits; a stop ends it earlier.
const WAIT: Duration = Duration::from_secs(60);

const PAUSE_FIRST: Duration = Duration::from_millis(100);
const PAUSE_MOST: Duration = Duration::from_secs(5);

pub(super) fn run(shared: &Shared, route: usize) {
    let topic = shared.routes[route].queue.topic();
    let mut pause = PAUSE_FIRST;
    while !shared.is_stopping() {
        match fetch(shared, route) {
            Ok(()) => pause = PAUSE_FIRST,
            Err(e) => {
                shared.answered(topic, Err(&e), true);
                if e.kind() == ErrorKind::Closed {
                    return; // the client was closed under the worker; there is nothing to try again
                }
                shared.stop.sleep(pause, || false);
                pause = (pause * 2).min(PAUSE_MOST);
            }
        }
    }
}

/// Waits for room, then for jobs.
fn fetch(shared: &Shared, route: usize) -> Result<()> {
    let Some(places) = shared.reserve(route) else { return Ok(()) };
    let queue = &shared.routes[route].queue;
    let options = PopOptions::new(places.count()).wait(WAIT).cancel(shared.stop.clone());
    let mut pop = queue.pop_wait(options)?;
    let jobs = match pop.poll_for(Duration::ZERO)? {
        Some(jobs) => jobs,
        None => {
            shared.answered(queue.topic(), Ok(()), true);
            drop(places); // nothing is due here, so they are for other topics meanwhile
            pop.poll_for(Duration::MAX)?.unwrap_or_default()
        }
    };
    shared.answered(queue.topic(), Ok(()), true); // before a handler begins
    give_back(shared, route, &shared.accept(route, jobs));
    Ok(())
}

/// Jobs that came while the worker began to stop.
fn give_back(shared: &Shared, route: usize, jobs: &[Job]) {
    if !jobs.is_empty() {
        // If this fails, they come back when their leases end.
        let _ = shared.routes[route].queue.release_many(jobs, Duration::ZERO);
    }
}
