//! What the threads of one worker share: the jobs in hand, the places for more, and what has ended.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::delivery::Delivery;
use super::event::Event;
use super::verdict::Verdict;
use super::{Route, WorkerOptions};
use crate::cancel_token::CancelToken;
use crate::error::Error;
use crate::job::Job;

/// One delivery; never two of the same number, while ids may come twice.
pub(super) type Serial = u64;

/// A delivery that waits for a handler, or has one.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) serial: Serial,
    pub(super) route: usize,
    pub(super) delivery: Delivery,
}

/// A delivery that has ended.
pub(super) struct Ended {
    pub(super) serial: Serial,
    pub(super) route: usize,
    pub(super) job: Arc<Job>,
    pub(super) verdict: Verdict,
    pub(super) took: Duration,
}

/// A job in hand, waiting or running.
pub(super) struct Held {
    pub(super) route: usize,
    pub(super) job: Arc<Job>,
    pub(super) revoked: CancelToken,
    pub(super) started: Option<Instant>,
}

#[derive(Default)]
struct State {
    next_serial: Serial,
    held: HashMap<Serial, Held>,
    waiting: VecDeque<Waiting>,
    stopping: bool,
    /// When a stop gives up waiting for handlers; never if there is no such time.
    stop_by: Option<Instant>,
    last_pop: Option<Instant>,
    /// `None` until Redis was asked for the first time.
    connected: Option<bool>,
}

pub(super) struct Shared {
    pub(super) routes: Vec<Route>,
    pub(super) options: WorkerOptions,
    /// Ends the waits of the fetchers and of the keeper.
    pub(super) stop: CancelToken,
    state: Mutex<State>,
    /// A delivery waits for a handler; apart from `changed`, or each end of a job would wake all idle handlers.
    work: Condvar,
    changed: Condvar,
}

/// How a worker is; see [`Worker::health`](super::Worker::health).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// Whether the last call to Redis succeeded.
    pub connected: bool,
    /// How long ago Redis last answered a `pop`; `None` if it never has.
    pub last_pop: Option<Duration>,
    /// Handlers at work.
    pub running: usize,
    /// For how long the oldest of them has been at work.
    pub oldest_running: Option<Duration>,
    /// Jobs taken that wait for a handler.
    pub waiting: usize,
    /// Whether the worker is stopping.
    pub stopping: bool,
}

impl Shared {
    pub(super) fn new(routes: Vec<Route>, options: WorkerOptions) -> Self {
        let stop = CancelToken::new();
        Shared {
            routes,
            options,
            stop,
            state: Mutex::default(),
            work: Condvar::new(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn emit(&self, event: &Event<'_>) {
        event.trace();
        if let Some(listener) = &self.options.on_event {
            listener(event);
        }
    }

    pub(super) fn emit_started(&self, job: &Job) {
        self.emit(&Event::Started { topic: job.topic(), id: job.id(), deliveries: job.deliveries() });
    }

    /// Waits until there is room for more jobs and says for how many; `None` when the worker stops.
    pub(super) fn room(&self) -> Option<usize> {
        let capacity = self.options.concurrency.saturating_add(self.options.fetch_ahead);
        let full = |state: &mut State| !state.stopping && state.held.len() >= capacity;
        let state = self.changed.wait_while(self.state(), full).unwrap_or_else(PoisonError::into_inner);
        (!state.stopping).then(|| capacity - state.held.len())
    }

    /// Takes popped jobs over. A worker that has begun to stop gives them back: they are returned.
    pub(super) fn accept(&self, route: usize, jobs: Vec<Job>) -> Vec<Job> {
        let mut state = self.state();
        if state.stopping {
            return jobs;
        }
        for job in jobs {
            let (serial, job, revoked) = (state.next_serial, Arc::new(job), CancelToken::new());
            state.next_serial += 1;
            let delivery = Delivery {
                queue: self.routes[route].queue.clone(),
                job: Arc::clone(&job),
                revoked: revoked.clone(),
            };
            state.held.insert(serial, Held { route, job, revoked, started: None });
            state.waiting.push_back(Waiting { serial, route, delivery });
        }
        let waiting = state.waiting.len();
        drop(state);
        (0..waiting.min(self.options.concurrency)).for_each(|_| self.work.notify_one());
        Vec::new()
    }

    /// The next delivery for a handler; `None` when the worker stops, or when the time is over.
    pub(super) fn next(&self, wait: Duration) -> Option<Waiting> {
        let idle = |state: &mut State| !state.stopping && state.waiting.is_empty();
        let waited = self.work.wait_timeout_while(self.state(), wait, idle);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.stopping {
            return None;
        }
        let task = state.waiting.pop_front()?;
        if let Some(held) = state.held.get_mut(&task.serial) {
            held.started = Some(Instant::now());
        }
        Some(task)
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.state().stopping
    }

    /// A delivery is off our hands. `false` if it was before, as when its lease was given back at the deadline.
    pub(super) fn forget(&self, serial: Serial) -> bool {
        let known = self.state().held.remove(&serial).is_some();
        self.changed.notify_all();
        known
    }

    pub(super) fn is_held(&self, serial: Serial) -> bool {
        self.state().held.contains_key(&serial)
    }

    /// The jobs in hand of one route.
    pub(super) fn held(&self, route: usize) -> Vec<(Serial, Arc<Job>, CancelToken)> {
        let state = self.state();
        let of_route = state.held.iter().filter(|(_, held)| held.route == route);
        of_route.map(|(serial, held)| (*serial, Arc::clone(&held.job), held.revoked.clone())).collect()
    }

    /// No new jobs from here on. What waits for a handler is ended as handed back.
    pub(super) fn begin_stop(&self, ended: &Sender<Ended>) {
        let mut state = self.state();
        state.stopping = true;
        for task in std::mem::take(&mut state.waiting) {
            let verdict = Verdict::Release(Duration::ZERO);
            let job = Arc::clone(&task.delivery.job);
            let back = Ended { serial: task.serial, route: task.route, job, verdict, took: Duration::ZERO };
            let _ = ended.send(back); // the finisher outlives this
        }
        drop(state);
        self.stop.cancel();
        self.work.notify_all();
        self.changed.notify_all();
    }

    /// Sets the deadline of a stop, or brings it forward.
    pub(super) fn stop_within(&self, deadline: Duration) {
        let mut state = self.state();
        let at = Instant::now().checked_add(deadline);
        state.stop_by = state.stop_by.into_iter().chain(at).min();
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn left_to_stop(&self) -> Duration {
        left(&self.state())
    }

    /// Waits this long until nothing is in hand; `true` if something still is and has time to the deadline.
    pub(super) fn wait_until_empty(&self, limit: Duration) -> bool {
        let mut state = self.state();
        let until = Instant::now() + limit;
        loop {
            let limit = left(&state).min(until.saturating_duration_since(Instant::now()));
            if state.held.is_empty() || limit.is_zero() {
                return !state.held.is_empty() && !left(&state).is_zero();
            }
            let waited = self.changed.wait_timeout(state, limit);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// How Redis answered a `pop`, or another call that is made again and again.
    pub(super) fn answered(&self, topic: &str, answer: Result<(), &Error>, to_pop: bool) {
        let mut state = self.state();
        let was = state.connected.replace(answer.is_ok());
        if to_pop && answer.is_ok() {
            state.last_pop = Some(Instant::now());
        }
        drop(state);
        match answer {
            Ok(()) if was == Some(false) => self.emit(&Event::Back { topic }),
            Err(error) if was != Some(false) => self.emit(&Event::Lost { topic, error }),
            _ => {}
        }
    }

    pub(super) fn health(&self) -> Health {
        let state = self.state();
        let running = state.held.values().filter_map(|held| held.started);
        Health {
            connected: state.connected == Some(true),
            last_pop: state.last_pop.map(|at| at.elapsed()),
            running: running.clone().count(),
            oldest_running: running.map(|at| at.elapsed()).max(),
            waiting: state.waiting.len(),
            stopping: state.stopping,
        }
    }
}

fn left(state: &State) -> Duration {
    state.stop_by.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()))
}
