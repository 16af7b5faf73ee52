//! Whose leases are ours: what is to be kept, what is lost, what is given back.

use std::sync::Arc;

use super::shared::{Held, Serial, Shared};
use crate::job::Job;

impl Shared {
    /// The leases of one route that are to be kept.
    pub(super) fn held(&self, route: usize) -> Vec<(Serial, Arc<Job>)> {
        let state = self.state();
        let kept = state.held.iter().filter(|(_, held)| held.route == route && !held.lost);
        kept.map(|(serial, held)| (*serial, Arc::clone(&held.job))).collect()
    }

    /// Notes that the lease of a delivery is lost, as the report of its end says, or a heartbeat before that. `false` if that
    /// was known, or is of no interest: a heartbeat may come right after the report that it knows nothing of.
    pub(super) fn lose(&self, serial: Serial, by_report: bool) -> bool {
        let mut state = self.state();
        let held = state.held.get_mut(&serial).filter(|held| held.ended == by_report);
        let Some(held) = held else { return false };
        let (news, revoked) = (!std::mem::replace(&mut held.lost, true), held.revoked.clone());
        drop(state);
        revoked.cancel(); // runs hooks, which may ask us something
        news
    }

    /// Somebody says that this job is not ours any more, or that we may have missed such news of any; the keeper will ask.
    pub(super) fn suspect(&self, route: usize, id: Option<&str>) {
        let mut guard = self.state();
        let state = &mut *guard;
        let is_meant =
            |held: &Held| held.route == route && !held.ended && id.is_none_or(|id| held.job.id() == id);
        let ours = state.held.iter().filter(|(_, held)| is_meant(held));
        state.suspects[route].extend(ours.map(|(serial, _)| *serial));
        let none = state.suspects[route].is_empty();
        drop(guard);
        if !none {
            self.stop.ring();
            self.over.ring();
        }
    }

    pub(super) fn has_suspects(&self, route: usize) -> bool {
        !self.state().suspects[route].is_empty()
    }

    /// The leases of one route about which somebody has said something.
    pub(super) fn suspects(&self, route: usize) -> Vec<(Serial, Arc<Job>)> {
        let mut state = self.state();
        let suspects = std::mem::take(&mut state.suspects[route]);
        let job_of = |serial| state.held.get(&serial).map(|held| (serial, Arc::clone(&held.job)));
        suspects.into_iter().filter_map(job_of).collect()
    }

    /// Takes the deliveries of one route off our hands that have not ended, and revokes them: what their handlers say
    /// from here on does not count.
    pub(super) fn take_back(&self, route: usize) -> Vec<Arc<Job>> {
        let mut state = self.state();
        let taken: Vec<Held> = state
            .held
            .extract_if(|_, held| held.route == route && !held.ended)
            .map(|(_, held)| held)
            .collect();
        state.room.given_back(route, taken.len());
        drop(state);
        self.settled.notify_all();
        taken.iter().for_each(|held| held.revoked.cancel());
        taken.into_iter().filter(|held| !held.lost).map(|held| held.job).collect()
    }
}
