//! The worker: its threads and rules are the core's. A thread of ours lends its jobs to JavaScript, as many at once as
//! handlers may run, and JavaScript says how each ended.

mod lent;
pub mod message;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use delayq::Verdict;
use napi::bindgen_prelude::*;
use napi::threadsafe_function::ThreadsafeFunctionCallMode::NonBlocking;
use napi_derive::napi;

use crate::call;
use crate::cancel;
use crate::client::Pools;
use crate::convert::{count, duration, duration_or, invalid, whole};
use crate::queue::Queue;
use lent::{Lent, Serial};
use message::{Callback, Message, Wanted};

/// How long a worker without a program goes on trying to hand back what waits.
const ABANDON: Duration = Duration::from_secs(10);

/// Options of a worker; durations in ms.
#[napi(object, object_to_js = false)]
pub struct WorkerOptions {
    /// How many handlers run at once.
    pub concurrency: Option<f64>,
    /// How many jobs may be taken before a handler is free for them.
    pub fetch_ahead: Option<f64>,
    /// How often expired leases are looked for.
    pub sweep_every: Option<f64>,
}

/// How a worker is; durations in ms.
#[napi(object, object_from_js = false)]
pub struct Health {
    /// Whether the last call to Redis succeeded.
    pub connected: bool,
    /// How long ago Redis last answered a pop.
    pub last_pop_ms: Option<i64>,
    /// Handlers at work.
    pub running: i64,
    /// For how long the oldest of them has been at work.
    pub oldest_running_ms: Option<i64>,
    /// Jobs taken that wait for a handler.
    pub waiting: i64,
    /// Whether the worker is stopping.
    pub stopping: bool,
}

/// A worker's engine and the jobs that JavaScript has of it.
struct Engine {
    core: Arc<delayq::Worker>,
    lent: Lent,
}

impl Engine {
    fn stop(&self, deadline: Duration) {
        self.lent.close();
        self.core.stop(deadline);
    }

    /// Stops without waiting, for when nobody is left to wait for. What waits is handed back, but what a handler
    /// had is left to its lease: it may have crashed the program, and only expired leases are counted against
    /// `max_deliveries`.
    fn abandon(&self) {
        self.lent.close();
        self.lent.take_all().into_iter().for_each(|task| task.finish(Verdict::Leave));
        let core = Arc::clone(&self.core);
        // Without a thread the jobs come back when their leases end.
        let _ = thread::Builder::new().spawn(move || core.stop(ABANDON));
    }
}

impl Drop for Engine {
    /// By way of another thread, since it may be JavaScript's that drops.
    fn drop(&mut self) {
        if !self.core.is_stopping() {
            self.abandon();
        }
    }
}

/// A running worker.
#[napi]
pub struct Worker {
    engine: Arc<Engine>,
    callback: Arc<Callback>,
    wanted: Wanted,
    pools: Arc<Pools>,
}

/// Starts the core's threads; from a thread of the pool, so that they inherit that signals are not for them.
///
/// The callback does not keep the process alive; the promise of `serve` does.
#[napi(
    catch_unwind,
    ts_args_type = "queues: Queue[], options: WorkerOptions, events: number, callback: (message: unknown[]) => void",
    ts_return_type = "Promise<Worker>"
)]
pub fn start_worker<'env>(
    env: &'env Env,
    queues: Vec<ClassInstance<'_, Queue>>,
    options: WorkerOptions,
    events: u32,
    callback: Function<'_, Message, ()>,
) -> Result<Object<'env>> {
    let callback = Arc::new(callback.build_threadsafe_function().weak::<true>().build()?);
    let cores: Vec<delayq::Queue> = queues.iter().map(|queue| queue.core()).collect();
    let Some(pools) = queues.first().map(|queue| queue.pools()) else {
        return call::now(env, || Err(invalid("the worker has no queue; give it one and a handler")));
    };
    let wanted = Wanted::default();
    wanted.set(events); // before the first event, which may come while the worker starts
    let mine = Arc::clone(&pools);
    call::later(env, &mine.waits, move || {
        let (mut builder, mut handlers) = (delayq::Worker::builder(), 8);
        if let Some(n) = options.concurrency {
            handlers = whole("concurrency", n)?;
        }
        builder = builder.concurrency(handlers);
        if let Some(n) = options.fetch_ahead {
            builder = builder.fetch_ahead(whole("fetchAhead", n)?);
        }
        if let Some(ms) = options.sweep_every {
            builder = builder.sweep_every(duration("sweepEvery", ms)?);
        }
        let (told, listened) = (Arc::clone(&callback), wanted.clone());
        builder = builder.on_event(move |event| {
            if let Some(message) = listened.message(event) {
                told.call(message, NonBlocking);
            }
        });
        let core = Arc::new(cores.into_iter().fold(builder, delayq::WorkerBuilder::queue).start()?);
        let engine = Arc::new(Engine { core, lent: Lent::new(handlers) });
        Ok(Worker { engine, callback, wanted, pools })
    })
}

#[napi]
impl Worker {
    /// Lends jobs to JavaScript until the worker stops. The promise is settled then.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn serve<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (engine, callback) = (Arc::clone(&self.engine), Arc::clone(&self.callback));
        // When the thread of this JavaScript ends, nobody is left to run jobs.
        let token = delayq::CancelToken::new();
        let pending = cancel::enter(token.clone());
        let orphaned = Arc::downgrade(&engine);
        token.on_cancel(move || {
            if let Some(engine) = orphaned.upgrade() {
                engine.abandon();
            }
        });
        call::later(env, &self.pools.waits, move || {
            let _pending = pending;
            serve(&engine, &callback);
            Ok(())
        })
    }

    /// The end of a delivery: nothing more to say (`done`), `failed`, `release`, `dead` or `leave`. One that the
    /// worker knows no more is ignored.
    #[napi(catch_unwind)]
    pub fn finish(
        &self,
        env: &Env,
        serial: Serial,
        how: String,
        error: Option<String>,
        delay: Option<f64>,
    ) -> Result<()> {
        call::now(env, || {
            let verdict = verdict(&how, error.unwrap_or_default(), delay)?;
            if let Some(task) = self.engine.lent.take(serial) {
                task.finish(verdict);
            }
            Ok(())
        })
    }

    /// Whether the job of this delivery is still its own, by asking Redis.
    #[napi(catch_unwind, ts_return_type = "Promise<boolean>")]
    pub fn is_mine<'env>(&self, env: &'env Env, serial: Serial) -> Result<Object<'env>> {
        let delivery = self.engine.lent.delivery(serial);
        call::later(env, &self.pools.commands, move || {
            delivery.map_or(Ok(false), |delivery| delivery.is_mine())
        })
    }

    /// Which events to tell, as bits of their place in the core's list.
    #[napi(catch_unwind)]
    pub fn want(&self, events: u32) {
        self.wanted.set(events);
    }

    /// How the worker is.
    #[napi(catch_unwind)]
    pub fn health(&self, env: &Env) -> Result<Health> {
        let ms = |time: Option<Duration>| time.map(|t| i64::try_from(t.as_millis()).unwrap_or(i64::MAX));
        call::now(env, || {
            let health = self.engine.core.health();
            Ok(Health {
                connected: health.connected,
                last_pop_ms: ms(health.last_pop),
                running: count(health.running as u64),
                oldest_running_ms: ms(health.oldest_running),
                waiting: count(health.waiting as u64),
                stopping: health.stopping,
            })
        })
    }

    /// Stops the worker; the promise is settled when it has.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn stop<'env>(&self, env: &'env Env, deadline: f64) -> Result<Object<'env>> {
        let engine = Arc::clone(&self.engine);
        call::later(env, &self.pools.waits, move || {
            engine.stop(duration("deadline", deadline)?);
            Ok(())
        })
    }
}

fn serve(engine: &Engine, callback: &Arc<Callback>) {
    while engine.lent.room() {
        let Some(task) = engine.core.take(Duration::MAX) else { continue };
        let delivery = task.delivery().clone();
        let serial = engine.lent.put(task);
        let status = callback.call(Message::job(serial, delivery.clone()), NonBlocking);
        if status != Status::Ok {
            drop(engine.lent.take(serial)); // JavaScript is ending and did not get it: it is handed back
            engine.abandon();
            return;
        }
        let callback = Arc::clone(callback);
        delivery.on_revoked(move || _ = callback.call(Message::revoked(serial), NonBlocking));
    }
}

fn verdict(how: &str, error: String, delay: Option<f64>) -> delayq::Result<Verdict> {
    Ok(match how {
        "done" => Verdict::Done,
        "failed" => match delay {
            Some(ms) => Verdict::FailedFor(error, duration("delay", ms)?),
            None => Verdict::Failed(error),
        },
        "release" => Verdict::Release(duration_or("delay", delay, Duration::ZERO)?),
        "dead" => Verdict::Dead(error),
        "leave" => Verdict::Leave,
        _ => return Err(invalid(format!("there is no verdict {how:?}; give one that there is"))),
    })
}
