//! The model: what each id is, in plain words.

use std::collections::BTreeMap;

use delayq::State;

/// A moment that the model knows only roughly: the call took place between two readings of the server's clock.
/// After each step the real value, once found to lie between them, takes its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    pub from: i64,
    pub to: i64,
}

impl Moment {
    pub fn exactly(ms: i64) -> Self {
        Moment { from: ms, to: ms }
    }

    pub fn plus(self, ms: i64) -> Self {
        Moment { from: self.from + ms, to: self.to + ms }
    }

    pub fn holds(self, ms: i64) -> bool {
        (self.from..=self.to).contains(&ms)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub payload: u8,
    pub retry_count: Option<u32>,
    pub deliveries: Option<u32>,
    pub due_at: Option<i64>,
    pub lease: Option<String>,
    pub last_error: Option<String>,
    pub own_policy: bool,
}

impl Body {
    pub fn new(payload: u8, own_policy: bool) -> Self {
        Body {
            payload,
            retry_count: None,
            deliveries: None,
            due_at: None,
            lease: None,
            last_error: None,
            own_policy,
        }
    }

    /// As `HDEL lease picked_at` leaves it.
    pub fn unleased(mut self) -> Self {
        self.lease = None;
        self
    }
}

/// What is known under one id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    pub place: Option<(State, Moment)>,
    pub body: Option<Body>,
    pub done: Option<String>,
    /// Of a body that lost its index before it was ever popped: the due time that its life tells.
    pub life: Option<Moment>,
}

impl Entry {
    pub fn state(&self) -> Option<State> {
        self.place.map(|(state, _)| state)
    }

    pub fn is(&self, state: State) -> bool {
        self.state() == Some(state)
    }

    /// In an index that is not the orphans', with its body.
    pub fn is_live(&self) -> bool {
        self.body.is_some() && self.place.is_some() && !self.is(State::Orphan)
    }

    pub fn score(&self) -> i64 {
        self.place.map_or(-1, |(_, moment)| moment.from)
    }

    pub fn holds(&self, receipt: &str) -> bool {
        self.body.as_ref().is_some_and(|body| body.lease.as_deref() == Some(receipt))
    }

    pub fn lose_index(&mut self) {
        if let Some((State::Scheduled, due)) = self.place.take() {
            // Redis takes what is left of a life and TIME from two clocks, of which one stands still while a script
            // runs, so the due time comes back a little late, or a ms early where their ms end apart.
            self.life = Some(Moment { from: due.from - 5, to: due.to + 1000 });
        }
    }

    pub fn orphaned(&mut self, now: Moment) {
        self.place = Some((State::Orphan, now));
    }
}

/// The whole topic.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub entries: BTreeMap<&'static str, Entry>,
    pub counters: BTreeMap<&'static str, u64>,
    pub paused: bool,
}

impl Model {
    pub fn entry(&mut self, id: &'static str) -> &mut Entry {
        self.entries.entry(id).or_default()
    }

    pub fn count(&mut self, counter: &'static str, n: usize) {
        *self.counters.entry(counter).or_default() += n as u64;
    }

    /// The ids of a state in the order of score and id.
    pub fn ids(&self, state: State) -> Vec<&'static str> {
        let mut found: Vec<_> =
            self.entries.iter().filter(|(_, e)| e.is(state)).map(|(id, e)| (e.score(), *id)).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, id)| id).collect()
    }

    /// A step has ended: what it did at an open end was done within its length.
    pub fn narrow(&mut self, length: i64, open: i64) {
        for entry in self.entries.values_mut() {
            if let Some((_, moment)) = &mut entry.place
                && moment.to.saturating_sub(moment.from) > open
            {
                moment.to = moment.from + length;
            }
        }
    }
}
