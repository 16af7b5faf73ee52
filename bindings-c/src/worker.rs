//! The worker handle.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use delayq_core::{Delivery, Queue, Result, Verdict, Worker, WorkerBuilder};

use crate::args::{duration, given, invalid};
use crate::callbacks::{Gate, User};
use crate::delivery::{delayq_delivery, delayq_handler};
use crate::error::delayq_error;
use crate::guard::{guard, guard_unit};
use crate::health::delayq_health;
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::status::delayq_status;
use crate::worker_options::delayq_worker_options;

/// Takes jobs when they are due, runs a handler for each and reports what became of it. It renews leases while handlers
/// run, sweeps for the jobs of crashed consumers, and goes on when Redis was away. May be used from any number of
/// threads at once, but not in a forked child, which makes a worker of its own.
///
/// Handlers and the event callback run on the library's threads, several at once.
pub struct delayq_worker {
    options: delayq_worker_options,
    gate: Gate,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    routes: Vec<Route>,
    worker: Option<Arc<Worker>>,
}

/// A topic and who handles its jobs.
struct Route {
    queue: Queue,
    handler: unsafe extern "C" fn(*mut delayq_delivery, *mut c_void),
    user: User,
}

impl Route {
    fn add_to(&self, builder: WorkerBuilder, gate: &Gate) -> WorkerBuilder {
        let (handler, user, gate) = (self.handler, self.user, gate.clone());
        builder.handle(self.queue.clone(), move |delivery: &Delivery| {
            // SAFETY: the program gave this function to be called with its `user` on any thread.
            let verdict = gate.pass(|| unsafe { delayq_delivery::run(delivery, handler, user) });
            verdict.unwrap_or(Verdict::Leave) // freed in this moment: the job was handed back
        })
    }
}

impl delayq_worker {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn running(&self) -> Option<Arc<Worker>> {
        self.state().worker.clone()
    }

    fn start(&self) -> Result<()> {
        let mut state = self.state();
        if state.worker.is_some() {
            return Err(invalid("the worker was started before; make another one"));
        }
        let builder = self.options.to_core(&self.gate)?;
        let builder = state.routes.iter().fold(builder, |builder, route| route.add_to(builder, &self.gate));
        state.worker = Some(Arc::new(builder.start()?));
        Ok(())
    }
}

/// A worker without handlers that is not started; see `delayq_worker_handle()` and `delayq_worker_start()`. `options`
/// may be NULL for the defaults; what cannot be right in them is refused by the start. Owned by the caller, see
/// `delayq_worker_free()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_worker_new(options: Option<&delayq_worker_options>) -> Box<delayq_worker> {
    let options = options.map_or_else(delayq_worker_options::new, Clone::clone);
    Box::new(delayq_worker { options, gate: Gate::default(), state: Mutex::default() })
}

/// Gives the jobs of a queue to a handler, before the worker is started. Any number of queues, each of another topic.
///
/// `queue` may be freed afterwards. Its lease and retry policy are those of the jobs; the lease is renewed while a
/// handler runs, so a job may take longer than its lease. `user` is handed to each call and may be NULL; it must stay
/// valid until `delayq_worker_free()` returns.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` if something is NULL or the worker was started.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_worker_handle(
    worker: Option<&delayq_worker>,
    queue: Option<&delayq_queue>,
    handler: delayq_handler,
    user: *mut c_void,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard(err, || {
        let worker = given(worker, "worker")?;
        let queue = given(queue, "queue")?.queue.clone();
        let Some(handler) = handler else {
            return Err(invalid("handler is NULL; give a function").with_topic(queue.topic()));
        };
        let mut state = worker.state();
        if state.worker.is_some() {
            return Err(
                invalid("the worker was started; give it its handlers before").with_topic(queue.topic())
            );
        }
        state.routes.push(Route { queue, handler, user: User::new(user) });
        Ok(())
    })
}

/// Starts the worker's threads and returns. Redis need not be there yet. A start that was refused may be tried again.
///
/// A process that is to end on a signal such as SIGTERM stops the worker then; not in the signal handler, but on a
/// thread that is woken by it, as in examples/worker/worker.c.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` without a handler, with a topic twice, for a bad option, or if the worker was
/// started before, be it stopped meanwhile; `DELAYQ_ERR_INTERNAL` if a thread cannot be started.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_worker_start(
    worker: Option<&delayq_worker>,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard(err, || given(worker, "worker")?.start())
}

/// Stops: nothing more is taken; what waits for a handler is handed back without a failure; running handlers have
/// `deadline_ms`, and what they say still counts. Then the rest is handed back too, and their deliveries are revoked:
/// a handler that still runs goes on, but what it says does not count.
///
/// Returns when all handlers have ended and all was reported, or up to a second after the deadline. May be called from
/// any thread; a second stop returns at once, and can only bring the deadline of the first one forward. A stop before the
/// start does nothing. While Redis is down it works as well: the jobs come back when their leases end.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad deadline, or inside a handler or the event callback of this worker,
/// where it would wait for itself.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_worker_stop(
    worker: Option<&delayq_worker>,
    deadline_ms: i64,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let err = unsafe { Out::object(err) };
    guard(err, || {
        let worker = given(worker, "worker")?;
        let deadline = duration(deadline_ms, "deadline_ms")?;
        if worker.gate.is_inside() {
            return Err(invalid(
                "stop was called inside a callback of the worker; wake another thread to call it",
            ));
        }
        if let Some(running) = worker.running() {
            running.stop(deadline);
        }
        Ok(())
    })
}

/// Looks up how the worker is, for a health check. Asks nobody, so it costs nothing and works while Redis is down.
/// `*health` is owned by the caller, see `delayq_health_free()`.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` if something is NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_worker_health(
    worker: Option<&delayq_worker>,
    health: *mut *mut delayq_health,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: each NULL or writable, by the header's rules.
    let (health, err) = unsafe { (Out::object(health), Out::object(err)) };
    guard(err, || {
        health.required("health")?;
        let worker = given(worker, "worker")?;
        health.give(delayq_health::new(worker.running().map(|running| running.health())));
        Ok(())
    })
}

/// Frees the worker, which is stopped with a deadline of ten seconds if it runs. When it returns, no handler and no
/// event callback runs, and none will: it waits also for handlers that go on although their deliveries were revoked. A
/// program that will not wait for those ends without freeing the worker. Not to be called inside a handler or the event
/// callback. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_worker_free(worker: Option<Box<delayq_worker>>) {
    guard_unit(|| {
        if let Some(worker) = worker {
            let running = worker.state().worker.take();
            drop(running); // stops it
            worker.gate.shut();
        }
    });
}
