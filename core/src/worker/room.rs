//! Room for jobs: how many of each topic are in hand, and how many more may come.

use std::time::Duration;

use super::pace::Pace;

/// A `pop` takes no more than this, or other clients of the server would have to wait for it.
const MOST_AT_ONCE: usize = 100;

/// While Redis takes no reports, the worker goes on until it has this many more in hand.
const MOST_UNREPORTED: usize = 1000;

/// The jobs of one topic.
struct Topic {
    pace: Pace,
    /// Waiting for a handler or running.
    active: usize,
    /// Places promised to a `pop` under way.
    reserved: usize,
    /// Its fetcher waits for room.
    wants: bool,
}

impl Topic {
    fn busy(&self) -> usize {
        self.active + self.reserved
    }
}

/// All topics of a worker, which share its handlers.
pub(super) struct Room {
    handlers: usize,
    topics: Vec<Topic>,
    /// Jobs that have ended and are not reported yet.
    unreported: usize,
}

impl Room {
    pub(super) fn new(handlers: usize, paces: impl Iterator<Item = Pace>) -> Self {
        let topics = paces.map(|pace| Topic { pace, active: 0, reserved: 0, wants: false }).collect();
        Room { handlers, topics, unreported: 0 }
    }

    /// Places for jobs of this topic, if it is worth fetching some; those who want places share what there is. From the first
    /// question on its fetcher is one of them, until it has got some.
    pub(super) fn reserve(&mut self, topic: usize) -> Option<usize> {
        self.topics[topic].wants = true;
        let free = self.worthwhile(topic)?;
        let wanting = self.topics.iter().filter(|topic| topic.wants).count();
        let places = self.of_all().div_ceil(wanting).min(free).min(MOST_AT_ONCE);
        self.topics[topic].wants = false;
        self.topics[topic].reserved += places;
        Some(places)
    }

    /// The `pop` has ended, or waits.
    pub(super) fn unreserve(&mut self, topic: usize, places: usize) {
        self.topics[topic].reserved -= places;
    }

    /// Whether somebody who was refused places would get some now.
    pub(super) fn is_wanted(&self) -> bool {
        (0..self.topics.len()).any(|topic| self.topics[topic].wants && self.worthwhile(topic).is_some())
    }

    pub(super) fn taken(&mut self, topic: usize, jobs: usize) {
        self.topics[topic].active += jobs;
    }

    /// A handler has ended after this long, or its job was handed back before it began. It is to be reported.
    pub(super) fn ended(&mut self, topic: usize, took: Option<Duration>) {
        took.into_iter().for_each(|took| self.topics[topic].pace.ended(took));
        self.topics[topic].active -= 1;
        self.unreported += 1;
    }

    pub(super) fn reported(&mut self) {
        self.unreported -= 1;
    }

    /// Jobs were taken from handlers that may never end.
    pub(super) fn given_back(&mut self, topic: usize, jobs: usize) {
        self.topics[topic].active -= jobs;
    }

    pub(super) fn is_idle(&self, topic: usize) -> bool {
        self.topics[topic].active == 0
    }

    /// How many jobs of this topic may come. None if it is better to wait for more places, where many jobs wait anyway.
    fn worthwhile(&self, topic: usize) -> Option<usize> {
        let mine = &self.topics[topic];
        let ahead = mine.pace.ahead(self.handlers);
        let of_mine = self.handlers.saturating_add(ahead).saturating_sub(mine.busy());
        let free = of_mine.min(self.of_all()).min(MOST_UNREPORTED.saturating_sub(self.unreported));
        (free >= (ahead / 2).clamp(1, MOST_AT_ONCE / 2)).then_some(free)
    }

    /// How many jobs of whatever topic may come.
    fn of_all(&self) -> usize {
        let ahead = self.topics.iter().map(|topic| topic.pace.ahead(self.handlers)).max().unwrap_or(0);
        self.handlers.saturating_add(ahead).saturating_sub(self.topics.iter().map(Topic::busy).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(30);
    const QUICK: Option<Duration> = Some(Duration::from_micros(10));
    const SLOW: Option<Duration> = Some(Duration::from_secs(10));

    fn room(handlers: usize, topics: usize) -> Room {
        Room::new(handlers, (0..topics).map(|_| Pace::new(None, LEASE)))
    }

    /// A fetch that finds all it asks for.
    fn fill(room: &mut Room, topic: usize) -> usize {
        let Some(places) = room.reserve(topic) else { return 0 };
        room.taken(topic, places);
        room.unreserve(topic, places);
        places
    }

    fn end(room: &mut Room, topic: usize, took: Option<Duration>, jobs: usize) {
        for _ in 0..jobs {
            room.ended(topic, took);
            room.reported();
        }
    }

    #[test]
    fn slow_handlers_get_a_job_each_and_the_next_when_one_is_free() {
        let mut room = room(4, 1);
        assert_eq!((fill(&mut room, 0), fill(&mut room, 0), room.is_wanted()), (4, 0, false));
        end(&mut room, 0, SLOW, 1);
        assert!(room.is_wanted());
        assert_eq!(fill(&mut room, 0), 1);
    }

    #[test]
    fn quick_handlers_get_many_at_once_and_more_when_half_of_them_are_gone() {
        let mut room = room(4, 1);
        assert_eq!(fill(&mut room, 0), 4);
        end(&mut room, 0, QUICK, 4);
        assert_eq!((fill(&mut room, 0), fill(&mut room, 0), fill(&mut room, 0)), (100, 100, 0));
        end(&mut room, 0, QUICK, 45);
        assert_eq!(fill(&mut room, 0), 0);
        end(&mut room, 0, QUICK, 1);
        assert_eq!(fill(&mut room, 0), 50);
    }

    #[test]
    fn a_topic_that_is_never_empty_leaves_room_for_a_slow_one() {
        let mut room = room(4, 2);
        assert_eq!(fill(&mut room, 1), 4);
        end(&mut room, 1, SLOW, 4);
        assert_eq!(fill(&mut room, 0), 4);
        end(&mut room, 0, QUICK, 4);
        assert_eq!((fill(&mut room, 0), fill(&mut room, 0), fill(&mut room, 0)), (100, 100, 0));
        let places: Vec<_> = (0..4).map(|_| fill(&mut room, 1)).collect();
        assert_eq!(places, [2, 1, 1, 0], "shared with the other, which waits for more");
        end(&mut room, 0, QUICK, 60);
        end(&mut room, 1, SLOW, 2);
        assert_eq!((fill(&mut room, 0), fill(&mut room, 1)), (31, 2), "half of it, as both have asked");
    }

    #[test]
    fn what_is_not_reported_takes_room_only_when_it_is_too_much() {
        let mut room = room(4, 1);
        assert_eq!(fill(&mut room, 0), 4);
        (0..4).for_each(|_| room.ended(0, SLOW));
        assert_eq!(fill(&mut room, 0), 4);
        (0..4).for_each(|_| room.ended(0, SLOW));
        room.unreported = MOST_UNREPORTED;
        assert_eq!(fill(&mut room, 0), 0);
        room.reported();
        assert!(room.is_wanted());
        assert_eq!(fill(&mut room, 0), 1);
    }

    #[test]
    fn places_of_a_pop_that_found_nothing_are_for_others() {
        let mut room = room(4, 2);
        let places = room.reserve(0);
        assert_eq!((places, room.reserve(1)), (Some(4), None));
        room.unreserve(0, 4);
        assert!(room.is_wanted());
        assert_eq!(room.reserve(1), Some(4));
    }
}
