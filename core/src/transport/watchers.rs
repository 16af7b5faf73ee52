//! Who wants to be told at once that a lease was revoked.

use std::fmt;
use std::sync::{Arc, Mutex, Weak};

use super::lock;

/// Told the id of a job, or `None` after a time in which nothing could be heard. Must be quick.
pub(crate) type Watcher = Box<dyn Fn(Option<&str>) + Send + Sync>;

/// Ends when it is dropped.
pub(crate) struct Watch(#[allow(dead_code)] Arc<Watched>); // it is only kept

struct Watched {
    channel: String,
    watcher: Watcher,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watch").field(&self.0.channel).finish()
    }
}

/// All of them.
#[derive(Default)]
pub(super) struct Watchers(Mutex<Vec<Weak<Watched>>>);

impl Watchers {
    pub(super) fn add(&self, channel: &str, watcher: Watcher) -> Watch {
        let watched = Arc::new(Watched { channel: channel.to_owned(), watcher });
        let mut all = lock(&self.0);
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(&watched));
        Watch(watched)
    }

    pub(super) fn tell(&self, channel: &str, id: Option<&str>) {
        let all: Vec<_> = lock(&self.0).iter().filter_map(Weak::upgrade).collect();
        all.iter().filter(|watched| watched.channel == channel).for_each(|watched| (watched.watcher)(id));
    }
}
