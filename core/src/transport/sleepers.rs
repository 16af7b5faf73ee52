//! The waiting pops of one process: who sleeps for which topic, what they were told, and how eager they are.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::lock;
use crate::cancel_token::CancelToken;

/// A process that came too late for a job lets others go first by this much more each time, up to a limit.
/// Without that, all processes would ask for every job at its due time and all but one in vain.
const STEP: Duration = Duration::from_millis(2);
const MOST: Duration = Duration::from_millis(100);

/// A process that was given a job in this time is no latecomer, whatever another of its threads missed.
const RECENT: Duration = Duration::from_millis(200);

/// One waiting `pop`.
pub(crate) struct Sleeper {
    channel: Option<String>,
    pub(crate) token: CancelToken,
    /// The earliest due time that it was told and has not looked at yet.
    hint: Mutex<Option<Instant>>,
    look_now: AtomicBool,
}

impl Sleeper {
    pub(super) fn new(channel: Option<String>, token: CancelToken) -> Arc<Self> {
        Arc::new(Sleeper { channel, token, hint: Mutex::default(), look_now: AtomicBool::new(false) })
    }

    /// What it was told since the last question: that a job will be due then.
    pub(crate) fn take_hint(&self) -> Option<Instant> {
        lock(&self.hint).take()
    }

    /// Whether it was told to look at once, for hints may have been missed.
    pub(crate) fn take_look_now(&self) -> bool {
        self.look_now.swap(false, Ordering::AcqRel)
    }

    pub(super) fn was_told(&self) -> bool {
        self.look_now.load(Ordering::Acquire) || lock(&self.hint).is_some()
    }

    fn tell(&self, due: Option<Instant>) {
        match due {
            Some(due) => {
                let mut hint = lock(&self.hint);
                *hint = Some(hint.map_or(due, |before| before.min(due)));
            }
            None => self.look_now.store(true, Ordering::Release),
        }
        self.token.ring();
    }
}

/// All of them.
#[derive(Default)]
pub(super) struct Sleepers {
    all: Mutex<Vec<Arc<Sleeper>>>,
    paces: Mutex<HashMap<String, Pace>>,
}

/// How eager this process is for the jobs of a topic.
#[derive(Clone, Copy, Default)]
struct Pace {
    behind: Duration,
    last_win: Option<Instant>,
}

impl Sleepers {
    pub(super) fn add(&self, sleeper: &Arc<Sleeper>) {
        lock(&self.all).push(Arc::clone(sleeper));
    }

    pub(super) fn remove(&self, sleeper: &Arc<Sleeper>) {
        let mut all = lock(&self.all);
        if let Some(place) = all.iter().position(|other| Arc::ptr_eq(other, sleeper)) {
            all.swap_remove(place);
        }
    }

    /// Wakes everybody, since the client is closed.
    pub(super) fn ring_all(&self) {
        lock(&self.all).iter().for_each(|sleeper| sleeper.token.ring());
    }

    /// Tells those who wait for this topic that a job will be due then; without a time, to look at once.
    pub(super) fn tell(&self, channel: &str, due: Option<Instant>) {
        let all = lock(&self.all);
        all.iter().filter(|s| s.channel.as_deref() == Some(channel)).for_each(|s| s.tell(due));
    }

    /// How long after a due time this process looks for the job.
    pub(super) fn behind(&self, channel: &str) -> Duration {
        lock(&self.paces).get(channel).map_or(Duration::ZERO, |pace| pace.behind)
    }

    pub(super) fn won(&self, channel: &str) {
        let pace = Pace { behind: Duration::ZERO, last_win: Some(Instant::now()) };
        lock(&self.paces).insert(channel.to_owned(), pace);
    }

    pub(super) fn lost(&self, channel: &str) {
        let mut paces = lock(&self.paces);
        let pace = paces.entry(channel.to_owned()).or_default();
        if pace.last_win.is_none_or(|win| win.elapsed() > RECENT) {
            pace.behind = (pace.behind * 2 + STEP).min(MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latecomer_falls_behind_up_to_a_limit_and_a_winner_is_first_again() {
        let sleepers = Sleepers::default();
        assert_eq!(sleepers.behind("t"), Duration::ZERO);
        let behind = |n: usize| {
            (0..n).for_each(|_| sleepers.lost("t"));
            sleepers.behind("t").as_millis()
        };
        assert_eq!((behind(1), behind(1), behind(1), behind(9)), (2, 6, 14, 100));
        assert_eq!(sleepers.behind("other"), Duration::ZERO);
        sleepers.won("t");
        assert_eq!(behind(3), 0, "right after a win nothing is lost");
    }

    #[test]
    fn the_earliest_hint_counts_and_only_for_its_topic() {
        let sleepers = Sleepers::default();
        let mine = Sleeper::new(Some("t".to_owned()), CancelToken::new());
        sleepers.add(&mine);
        let now = Instant::now();
        sleepers.tell("t", Some(now + Duration::from_secs(2)));
        sleepers.tell("t", Some(now + Duration::from_secs(1)));
        sleepers.tell("other", Some(now));
        assert!(mine.was_told());
        assert_eq!(mine.take_hint(), Some(now + Duration::from_secs(1)));
        assert!(!mine.was_told() && !mine.take_look_now());
        sleepers.tell("t", None);
        assert!(mine.take_look_now());
        sleepers.remove(&mine);
        sleepers.tell("t", None);
        assert!(!mine.take_look_now());
    }
}
