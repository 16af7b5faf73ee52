//! The fetcher: one thread per topic that takes jobs while there is room.

use std::time::Duration;

use super::shared::Shared;
use crate::error::ErrorKind;
use crate::job::Job;
use crate::verbs::pop::{MAX_POP, PopOptions};

/// How long one `pop` waits; a stop ends it earlier.
const WAIT: Duration = Duration::from_secs(60);

const PAUSE_FIRST: Duration = Duration::from_millis(100);
const PAUSE_MOST: Duration = Duration::from_secs(5);

pub(super) fn run(shared: &Shared, route: usize) {
    let queue = &shared.routes[route].queue;
    let mut pause = PAUSE_FIRST;
    while let Some(room) = shared.room() {
        let options = PopOptions::new(room.min(MAX_POP)).wait(WAIT).cancel(shared.stop.clone());
        match queue.pop(options) {
            Ok(jobs) => {
                pause = PAUSE_FIRST;
                shared.answered(queue.topic(), Ok(()), true);
                let late = shared.accept(route, jobs);
                give_back(shared, route, &late);
            }
            Err(e) => {
                shared.answered(queue.topic(), Err(&e), true);
                if e.kind() == ErrorKind::Closed {
                    return; // the client was closed under the worker; there is nothing to try again
                }
                shared.stop.sleep(pause, || false);
                pause = (pause * 2).min(PAUSE_MOST);
            }
        }
    }
}

/// Jobs that came while the worker began to stop.
fn give_back(shared: &Shared, route: usize, jobs: &[Job]) {
    if !jobs.is_empty() {
        // If this fails, they come back when their leases end.
        let _ = shared.routes[route].queue.release_many(jobs, Duration::ZERO);
    }
}
