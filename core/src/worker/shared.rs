//! What the threads of one worker share: the jobs in hand, the places for more, and what has ended.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::delivery::Delivery;
use super::event::Event;
use super::health::Health;
use super::pace::Pace;
use super::room::Room;
use super::verdict::Verdict;
use super::{Route, WorkerOptions};
use crate::cancel_token::CancelToken;
use crate::error::Error;
use crate::job::Job;

/// One delivery; never two of the same number, while ids may come twice.
pub(super) type Serial = u64;

/// So many ends go to Redis in one report, or all so long after the first; at once if no others are to come.
const BATCH: usize = 100;
const LINGER: Duration = Duration::from_millis(2);

/// A delivery that waits for a handler, or has one.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) serial: Serial,
    pub(super) route: usize,
    pub(super) delivery: Delivery,
}

/// A delivery that has ended and is to be reported.
pub(super) struct Ended {
    pub(super) serial: Serial,
    pub(super) job: Arc<Job>,
    pub(super) verdict: Verdict,
    pub(super) took: Duration,
}

/// A job in hand: waiting, running, or ended and not reported yet.
pub(super) struct Held {
    pub(super) route: usize,
    pub(super) job: Arc<Job>,
    pub(super) revoked: CancelToken,
    started: Option<Instant>,
    pub(super) ended: bool,
    pub(super) lost: bool,
}

/// Deliveries of one topic that have ended and are to be reported.
#[derive(Default)]
struct Unreported {
    ended: Vec<Ended>,
    /// When the first of them ended; `None` if there are none.
    since: Option<Instant>,
}

pub(super) struct State {
    next_serial: Serial,
    pub(super) held: HashMap<Serial, Held>,
    waiting: VecDeque<Waiting>,
    pub(super) room: Room,
    unreported: Vec<Unreported>,
    /// Of each route: whose lease is said to be lost.
    pub(super) suspects: Vec<Vec<Serial>>,
    stopping: bool,
    /// The stop is past its deadline, or nothing was left to wait for.
    over: bool,
    /// When a stop gives up waiting for handlers; never if there is no such time.
    stop_by: Option<Instant>,
    last_pop: Option<Instant>,
    /// `None` until Redis was asked for the first time.
    connected: Option<bool>,
}

pub(super) struct Shared {
    pub(super) routes: Vec<Route>,
    pub(super) options: WorkerOptions,
    /// Ends the waits of the fetchers and of the sweeps.
    pub(super) stop: CancelToken,
    /// Ends the waits of all others.
    pub(super) over: CancelToken,
    state: Mutex<State>,
    /// Each wakes only whom it concerns: a delivery waits for a handler; there is room; one is to be reported; one is off
    /// our hands.
    work: Condvar,
    room: Condvar,
    reports: Vec<Condvar>,
    pub(super) settled: Condvar,
}

/// Places for jobs that a `pop` may bring.
pub(super) struct Places<'a> {
    shared: &'a Shared,
    route: usize,
    count: usize,
}

impl Places<'_> {
    pub(super) fn count(&self) -> usize {
        self.count
    }
}

impl Drop for Places<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.room.unreserve(self.route, self.count);
        self.shared.call_fetchers(&state);
    }
}

impl Shared {
    pub(super) fn new(routes: Vec<Route>, options: WorkerOptions) -> Self {
        let pace = |route: &Route| Pace::new(options.fetch_ahead, route.queue.lease());
        let state = State {
            next_serial: 0,
            held: HashMap::new(),
            waiting: VecDeque::new(),
            room: Room::new(options.concurrency, routes.iter().map(pace)),
            unreported: routes.iter().map(|_| Unreported::default()).collect(),
            suspects: routes.iter().map(|_| Vec::new()).collect(),
            stopping: false,
            over: false,
            stop_by: None,
            last_pop: None,
            connected: None,
        };
        Shared {
            reports: routes.iter().map(|_| Condvar::new()).collect(),
            routes,
            options,
            stop: CancelToken::new(),
            over: CancelToken::new(),
            state: Mutex::new(state),
            work: Condvar::new(),
            room: Condvar::new(),
            settled: Condvar::new(),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
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

    /// Waits until it is worth fetching more jobs of this route, and takes the places for them; `None` when the worker
    /// stops.
    pub(super) fn reserve(&self, route: usize) -> Option<Places<'_>> {
        let mut state = self.state();
        while !state.stopping {
            if let Some(count) = state.room.reserve(route) {
                return Some(Places { shared: self, route, count });
            }
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn call_fetchers(&self, state: &State) {
        if state.room.is_wanted() {
            self.room.notify_all();
        }
    }

    /// Takes popped jobs over. A worker that has begun to stop gives them back: they are returned.
    pub(super) fn accept(&self, route: usize, jobs: Vec<Job>) -> Vec<Job> {
        let mut state = self.state();
        if state.stopping {
            return jobs;
        }
        state.room.taken(route, jobs.len());
        for job in jobs {
            let (serial, job, revoked) = (state.next_serial, Arc::new(job), CancelToken::new());
            state.next_serial += 1;
            let delivery = Delivery {
                queue: self.routes[route].queue.clone(),
                job: Arc::clone(&job),
                revoked: revoked.clone(),
                stop: self.stop.clone(),
            };
            state.held.insert(serial, Held { route, job, revoked, started: None, ended: false, lost: false });
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

    /// A delivery ends with this verdict, which is to be reported. Without effect if it was given back before.
    pub(super) fn end(&self, serial: Serial, verdict: Verdict) {
        let mut guard = self.state();
        let state = &mut *guard;
        let Some(held) = state.held.get_mut(&serial).filter(|held| !held.ended) else { return };
        held.ended = true;
        let (now, route) = (Instant::now(), held.route);
        let took = held.started.map(|at| now - at);
        state.room.ended(route, took);
        let unreported = &mut state.unreported[route];
        unreported.since.get_or_insert(now);
        let ended = Ended { serial, job: Arc::clone(&held.job), verdict, took: took.unwrap_or_default() };
        unreported.ended.push(ended);
        if unreported.ended.len() == 1 || is_ready(state, route) {
            self.reports[route].notify_one();
        }
        self.call_fetchers(state);
    }

    /// Waits for deliveries of this route that are to be reported; `None` when the worker's end has come and there are
    /// no more.
    pub(super) fn ended(&self, route: usize) -> Option<Vec<Ended>> {
        let mut state = self.state();
        loop {
            let wait = match state.unreported[route].since {
                None if state.over => return None,
                None => Duration::MAX,
                Some(_) if state.over || is_ready(&state, route) => Duration::ZERO,
                Some(first) => LINGER.saturating_sub(first.elapsed()),
            };
            if wait.is_zero() {
                return Some(std::mem::take(&mut state.unreported[route]).ended);
            }
            (state, _) =
                self.reports[route].wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// These could not be reported and are to be tried again.
    pub(super) fn put_back(&self, route: usize, ended: Vec<Ended>) {
        let mut state = self.state();
        let unreported = &mut state.unreported[route];
        unreported.ended.splice(..0, ended);
        unreported.since.get_or_insert_with(Instant::now);
    }

    /// Deliveries are off our hands.
    pub(super) fn forget(&self, serials: impl IntoIterator<Item = Serial>) {
        let mut guard = self.state();
        let state = &mut *guard;
        let gone: Vec<Held> = serials.into_iter().filter_map(|serial| state.held.remove(&serial)).collect();
        for held in &gone {
            if held.ended { state.room.reported() } else { state.room.given_back(held.route, 1) }
        }
        self.settled.notify_all();
        self.call_fetchers(state);
        drop(guard); // before what they own, hooks of the program among it
    }

    /// No new jobs from here on. What waits for a handler is handed back. `false` if somebody else has begun.
    pub(super) fn begin_stop(&self) -> bool {
        let mut state = self.state();
        if std::mem::replace(&mut state.stopping, true) {
            return false;
        }
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(|task| self.end(task.serial, Verdict::Release(Duration::ZERO)));
        self.stop.cancel();
        self.work.notify_all();
        self.room.notify_all();
        true
    }

    /// Sets the deadline of a stop, or brings it forward.
    pub(super) fn stop_within(&self, deadline: Duration) {
        let mut state = self.state();
        let at = Instant::now().checked_add(deadline);
        state.stop_by = state.stop_by.into_iter().chain(at).min();
        drop(state);
        self.settled.notify_all();
    }

    pub(super) fn left_to_stop(&self) -> Duration {
        left(&self.state())
    }

    /// Waits until nothing is in hand, or the deadline is over.
    pub(super) fn wait_until_empty(&self) {
        let mut state = self.state();
        while !state.held.is_empty() && !left(&state).is_zero() {
            let limit = left(&state);
            (state, _) = self.settled.wait_timeout(state, limit).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The end for all threads; what has ended is reported once more, if it can be.
    pub(super) fn end_all(&self) {
        self.state().over = true;
        self.over.cancel();
        self.reports.iter().for_each(Condvar::notify_all);
    }

    /// How Redis answered a call that is made again and again.
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
        let running = state.held.values().filter(|held| !held.ended).filter_map(|held| held.started);
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

/// Whether a report need not wait for more.
fn is_ready(state: &State, route: usize) -> bool {
    state.unreported[route].ended.len() >= BATCH || state.room.is_idle(route)
}

fn left(state: &State) -> Duration {
    state.stop_by.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()))
}
