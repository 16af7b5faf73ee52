//! The worker: takes jobs, runs handlers, reports what became of them.
//!
//! ```no_run
//! # fn main() -> delayq::Result<()> {
//! use std::time::Duration;
//! use delayq::{Client, Delivery, Worker};
//!
//! let queue = Client::open("redis://127.0.0.1:6379/0")?.queue("order_close")?;
//! let worker = Worker::builder()
//!     .concurrency(8)
//!     .handle(queue, |job: &Delivery| -> Result<(), std::io::Error> {
//!         println!("closing {}", job.id());
//!         Ok(())
//!     })
//!     .start()?;
//! // … until the program ends:
//! worker.stop(Duration::from_secs(10));
//! # Ok(()) }
//! ```

mod delivery;
mod event;
mod fetch;
mod finish;
mod health;
mod keep;
mod leases;
mod pace;
mod room;
mod shared;
mod verdict;

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::cancel_token::CancelToken;
use crate::error::{Error, Result};
use crate::queue::Queue;
pub use delivery::Delivery;
pub use event::Event;
pub use health::Health;
use shared::{Serial, Shared, Waiting};
pub use verdict::Verdict;

/// Each place is a thread, where handlers run on threads.
const MAX_CONCURRENCY: usize = 10_000;

const MOST_BETWEEN_SWEEPS: Duration = Duration::from_secs(24 * 3600);

/// What a stop may take beyond its deadline, to hand back what is left.
const GRACE: Duration = Duration::from_secs(1);

/// The same if Redis did not answer of late, so that nothing can be handed back.
const GRACE_WHILE_DOWN: Duration = Duration::from_millis(100);

type Handler = Box<dyn Fn(&Delivery) -> Verdict + Send + Sync>;
type Listener = Box<dyn Fn(&Event<'_>) + Send + Sync>;

/// A topic and who handles its jobs; nobody if they are taken by [`Worker::take`].
struct Route {
    queue: Queue,
    handler: Option<Handler>,
}

struct WorkerOptions {
    concurrency: usize,
    fetch_ahead: Option<usize>,
    sweep_every: Duration,
    on_event: Option<Listener>,
}

/// Options and handlers of a [`Worker`].
pub struct WorkerBuilder {
    routes: Vec<Route>,
    options: WorkerOptions,
}

impl WorkerBuilder {
    /// Jobs of this queue go to this handler. Any number of queues, all with the worker's concurrency.
    ///
    /// The handler runs on threads of the worker, several at once. What it returns ends the delivery; see
    /// [`Verdict`]. A panic is a failure. The queue's lease is renewed while the handler runs, so a job may take
    /// longer than its lease.
    pub fn handle<R: Into<Verdict>>(
        mut self,
        queue: Queue,
        handler: impl Fn(&Delivery) -> R + Send + Sync + 'static,
    ) -> Self {
        let handler: Handler = Box::new(move |delivery| handler(delivery).into());
        self.routes.push(Route { queue, handler: Some(handler) });
        self
    }

    /// Jobs of this queue are given out by [`Worker::take`], for programs that run them in their own way: an event
    /// loop, a language's own threads. Either all queues of a worker are taken from, or all have handlers.
    pub fn queue(mut self, queue: Queue) -> Self {
        self.routes.push(Route { queue, handler: None });
        self
    }

    /// How many handlers run at once. Default 8.
    pub fn concurrency(mut self, handlers: usize) -> Self {
        self.options.concurrency = handlers;
        self
    }

    /// How many jobs may be taken before a handler is free for them. Default: as many as the handlers, as quick as they were
    /// of late, begin within a tenth of a second; at most 200, and none while they take longer. So a slow job keeps no
    /// others from idle processes.
    pub fn fetch_ahead(mut self, jobs: usize) -> Self {
        self.options.fetch_ahead = Some(jobs);
        self
    }

    /// How often expired leases are looked for, over all workers of a topic together. Default 5 s; at least twice in a
    /// lease, but not more often than every second. A lease whose end is known by then is swept when it ends.
    pub fn sweep_every(mut self, every: Duration) -> Self {
        self.options.sweep_every = every;
        self
    }

    /// Is told what happens, on the worker's threads, so it must be quick. The same goes to `tracing` in any case.
    pub fn on_event(mut self, listener: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.options.on_event = Some(Box::new(listener));
        self
    }

    /// Starts the worker's threads. Redis need not be there yet.
    ///
    /// # Errors
    /// `invalid_argument` without a handler, with a topic twice, for a concurrency of zero or over 10,000, or a sweep of
    /// zero or more than a day;
    /// `internal` if a thread cannot be started.
    pub fn start(self) -> Result<Worker> {
        self.check()?;
        Worker::start(Arc::new(Shared::new(self.routes, self.options)))
    }

    /// What [`start`](Self::start) would refuse, without starting.
    ///
    /// # Errors
    /// `invalid_argument`, as `start`.
    pub fn check(&self) -> Result<()> {
        let mut topics: Vec<&str> = self.routes.iter().map(|route| route.queue.topic()).collect();
        topics.sort_unstable();
        let handled = self.routes.iter().filter(|route| route.handler.is_some()).count();
        let problem = if handled != 0 && handled != topics.len() {
            "some queues have handlers and some have none; make two workers"
        } else if topics.is_empty() {
            "the worker has no handler; give it a queue and one"
        } else if topics.windows(2).any(|pair| pair[0] == pair[1]) {
            "a topic has two handlers; give it one"
        } else if self.options.concurrency == 0 {
            "concurrency is zero; give one or more"
        } else if self.options.concurrency > MAX_CONCURRENCY {
            "concurrency is over 10000; start more processes"
        } else if self.options.sweep_every.is_zero() || self.options.sweep_every > MOST_BETWEEN_SWEEPS {
            "sweep_every is zero or more than a day; a crashed consumer's jobs wait so long"
        } else {
            return Ok(());
        };
        Err(Error::invalid(problem))
    }
}

/// A running worker. Dropping it stops it as `stop` with a deadline of ten seconds does.
///
/// Inside are the handlers' threads and for each topic a fetcher, a finisher that reports in batches, and a keeper that
/// renews leases and sweeps. It may be used from any number of threads.
pub struct Worker {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    pid: u32,
}

impl Worker {
    /// A worker with default options and no handler yet.
    pub fn builder() -> WorkerBuilder {
        let options = WorkerOptions {
            concurrency: 8,
            fetch_ahead: None,
            sweep_every: Duration::from_secs(5),
            on_event: None,
        };
        WorkerBuilder { routes: Vec::new(), options }
    }

    fn start(shared: Arc<Shared>) -> Result<Self> {
        let handled = shared.routes.iter().any(|route| route.handler.is_some());
        let handlers = if handled { shared.options.concurrency } else { 0 };
        let routes = shared.routes.len();
        let worker = Worker { shared, threads: Mutex::default(), pid: std::process::id() };
        for route in 0..routes {
            worker.spawn("delayq-finisher", move |shared| finish::run(shared, route))?;
            worker.spawn("delayq-keeper", move |shared| keep::run(shared, route))?;
            worker.spawn("delayq-fetcher", move |shared| fetch::run(shared, route))?;
        }
        for _ in 0..handlers {
            // Not joined: a handler that ignores its revocation cannot be ended.
            worker.spawn_detached("delayq-handler", handle)?;
        }
        Ok(worker)
    }

    fn spawn(&self, name: &str, run: impl FnOnce(&Arc<Shared>) + Send + 'static) -> Result<()> {
        let thread = self.spawn_detached(name, run)?;
        self.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        Ok(())
    }

    fn spawn_detached(
        &self,
        name: &str,
        run: impl FnOnce(&Arc<Shared>) + Send + 'static,
    ) -> Result<JoinHandle<()>> {
        let shared = Arc::clone(&self.shared);
        let builder = thread::Builder::new().name(name.to_owned());
        builder
            .spawn(move || run(&shared))
            .map_err(|e| Error::internal(format!("a thread could not be started: {e}")))
    }

    /// The next job, for a worker whose queues have no handlers. Waits up to this long; `None` if the time is over or
    /// the worker [is stopping](Self::is_stopping). Take one job more only when one of `concurrency` is finished.
    pub fn take(&self, wait: Duration) -> Option<Task> {
        let Waiting { serial, delivery, .. } = self.shared.next(wait)?;
        self.shared.emit_started(&delivery);
        Some(Task { serial, delivery, shared: Arc::clone(&self.shared) })
    }

    /// Whether `stop` was called.
    pub fn is_stopping(&self) -> bool {
        self.shared.is_stopping()
    }

    /// How the worker is, for a health check.
    pub fn health(&self) -> Health {
        self.shared.health()
    }

    /// Stops: nothing more is taken; what waits for a handler is handed back without a failure; running handlers
    /// have until the deadline, and what they say still counts. At the deadline the rest is handed back too, and
    /// their deliveries are [revoked](Delivery::is_revoked). Stopping again returns at once; it can only bring the
    /// deadline of the first stop forward. While Redis is down it waits for it, for what handlers have said is still to
    /// be reported; at the deadline the jobs are left, and come back when their leases end. In a forked child, which has none of the threads, it does nothing.
    pub fn stop(&self, deadline: Duration) {
        if self.pid != std::process::id() {
            return;
        }
        self.shared.stop_within(deadline);
        if self.shared.begin_stop() {
            self.shared.wait_until_empty();
            let grace = if self.health().connected { GRACE } else { GRACE_WHILE_DOWN };
            self.end(self.shared.left_to_stop().max(grace));
        }
    }

    /// Hands back what is left and waits for the threads, at most so long: while Redis is down both may take longer
    /// than anybody wants to wait, and go on in the background.
    fn end(&self, limit: Duration) {
        let shared = Arc::clone(&self.shared);
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        // No channel: waiting at one leaves something behind on the caller's thread for as long as that lives.
        let over = CancelToken::new();
        let at_end = CancelAtEnd(over.clone());
        let work = move || {
            let _at_end = at_end;
            hand_back_the_rest(&shared);
            shared.end_all();
            threads.into_iter().for_each(|thread| _ = thread.join());
        };
        match thread::Builder::new().name("delayq-stopper".to_owned()).spawn(work) {
            Ok(_) => over.sleep(limit, || false),
            Err(_) => self.shared.end_all(), // what is left comes back when its lease ends
        }
    }
}

/// Cancels when a thread is over, be it by a panic.
struct CancelAtEnd(CancelToken);

impl Drop for CancelAtEnd {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn hand_back_the_rest(shared: &Shared) {
    for (route, queue) in shared.routes.iter().map(|route| &route.queue).enumerate() {
        let rest = shared.take_back(route);
        match queue.release_many(rest.iter().map(|job| &**job), Duration::ZERO) {
            Ok(_) => rest.iter().for_each(|job| {
                shared.emit(&Event::Released { topic: queue.topic(), id: job.id() });
            }),
            Err(error) => shared.emit(&Event::Lost { topic: queue.topic(), error: &error }),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop(Duration::from_secs(10));
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("health", &self.health()).finish_non_exhaustive()
    }
}

/// A job given out by [`Worker::take`]. Dropped unfinished, it is handed back without a failure.
pub struct Task {
    serial: Serial,
    delivery: Delivery,
    shared: Arc<Shared>,
}

impl Task {
    /// The job.
    pub fn delivery(&self) -> &Delivery {
        &self.delivery
    }

    /// Ends the delivery. The worker reports it in the next batch, a few ms later at the latest.
    pub fn finish(self, verdict: Verdict) {
        self.shared.end(self.serial, verdict.checked(self.delivery.lease_until_ms()));
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("delivery", &self.delivery).finish_non_exhaustive()
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.shared.end(self.serial, Verdict::Release(Duration::ZERO)); // nothing, if it was finished
    }
}

/// One handler's thread.
fn handle(shared: &Arc<Shared>) {
    while !shared.is_stopping() {
        let Some(Waiting { serial, route, delivery }) = shared.next(Duration::MAX) else { continue };
        shared.emit_started(&delivery);
        let Some(handler) = &shared.routes[route].handler else { continue };
        let task = Task { serial, delivery, shared: Arc::clone(shared) };
        let run = AssertUnwindSafe(|| handler(task.delivery()));
        let verdict = catch_unwind(run).unwrap_or_else(|panic| Verdict::Failed(panic_text(&*panic)));
        task.finish(verdict);
    }
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    format!("the handler panicked: {}", text.unwrap_or("no message"))
}
