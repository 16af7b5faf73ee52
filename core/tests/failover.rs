//! A cluster that loses nodes while producers and consumers work: every call succeeds or says that its outcome
//! is unknown, no job is lost, and none has two owners at once.
//!
//! Replication is asynchronous, so what a primary answered in its last moments may be gone with it. The tests
//! take no notice of that by pausing anybody. Instead a prober writes a mark and awaits its replication (WAIT),
//! over and over: what was answered before the last mark that arrived is safe, and nothing of it may be lost or
//! doubled. What was answered after it is *exposed*; it is counted, and printed, apart.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use delayq::{ErrorKind, Job, Mode, NewJob, PopOptions, Queue, Result};
use nix::sys::signal::Signal;
use redis::cmd;
use support::cluster::{Cluster, Node, slot};
use support::until;

const LEASE: Duration = Duration::from_secs(2);
const TIMEOUT: Duration = Duration::from_secs(1);
const RETRY_FOR: Duration = Duration::from_secs(15);

#[test]
fn a_dead_replica_is_not_noticed() {
    let cluster = Cluster::start(3);
    cluster.nodes[4].signal(Signal::SIGKILL);
    let client = cluster.options().retry_for(Duration::ZERO).open().unwrap();
    for i in 0..30 {
        let q = client.queue(&format!("t{i}")).unwrap(); // scripts that no node has seen, too
        q.enqueue(NewJob::new("x").id("a")).unwrap();
        let jobs = q.pop(1).unwrap();
        q.ack(&jobs[0]).unwrap();
    }
}

#[test]
fn a_primary_is_killed_under_load() {
    outage(Signal::SIGKILL);
}

#[test]
fn a_primary_falls_silent_under_load_and_wakes_up_as_a_replica() {
    outage(Signal::SIGSTOP);
}

/// One topic, and what everybody who works on it has seen.
struct Topic {
    queue: Queue,
    on_victim: bool,
    /// id → the enqueue that succeeded.
    stored: Mutex<HashMap<String, Span>>,
    /// id → its deliveries: the pops, and which delivery it was by the server's count.
    delivered: Mutex<HashMap<String, Vec<(Span, u32)>>>,
    /// id → the acks that succeeded.
    acked: Mutex<HashMap<String, Vec<Span>>>,
    done: AtomicUsize,
}

/// From the beginning to the end of a call.
#[derive(Clone, Copy, Debug)]
struct Span(Instant, Instant);

#[derive(Default)]
struct Figures {
    calls: AtomicUsize,
    errors: Mutex<BTreeMap<(&'static str, &'static str), usize>>,
    slowest: Mutex<Duration>,
}

fn outage(signal: Signal) {
    let cluster = Cluster::start(3);
    let victim = &cluster.nodes[0];
    // The victim is the only seed; the others are known because it has named them.
    let options = delayq::ClientOptions::new(format!("redis-cluster://127.0.0.1:{}", victim.port));
    let client = options.timeout(TIMEOUT).connect_timeout(TIMEOUT / 2).retry_for(RETRY_FOR).open().unwrap();
    let topics: Vec<Topic> = (0..9)
        .map(|i| {
            let name = format!("topic{i}");
            let on_victim = slot(victim, &format!("{{{name}}}")) < 16384 / 3;
            Topic::new(client.queue_with(&name, delayq::QueueOptions::new().lease(LEASE)).unwrap(), on_victim)
        })
        .collect();
    let (hit, spared): (Vec<&Topic>, Vec<&Topic>) = topics.iter().partition(|topic| topic.on_victim);
    assert!(hit.len() >= 2 && spared.len() >= 2);

    let figures = Figures::default();
    let (producing, consuming) = (AtomicBool::new(true), AtomicBool::new(true));
    let replicated = Mutex::new(Instant::now());
    let mut gone = None;
    thread::scope(|s| {
        let _stop = (StopAtEnd(&producing), StopAtEnd(&consuming)); // also when an assertion fails
        for topic in &topics {
            s.spawn(|| topic.produce(&producing, &figures));
            s.spawn(|| topic.consume(&consuming, &figures));
            s.spawn(|| topic.consume(&consuming, &figures));
            s.spawn(|| topic.sweep(&consuming, &figures));
        }
        s.spawn(|| mark(victim, hit[0].queue.topic(), &replicated));
        let all_have = |n: usize| topics.iter().all(|topic| topic.done.load(Ordering::SeqCst) >= n);
        until(|| all_have(50).then_some(()));
        victim.signal(signal);
        gone = Some(Instant::now());
        let before: Vec<usize> = topics.iter().map(|topic| topic.done.load(Ordering::SeqCst)).collect();
        until(|| {
            let more = |(topic, n): (&Topic, &usize)| topic.done.load(Ordering::SeqCst) >= n + 100;
            topics.iter().zip(&before).all(more).then_some(())
        });
        if signal == Signal::SIGSTOP {
            victim.signal(Signal::SIGCONT);
            until(|| {
                let role: String = victim.ask(cmd("INFO").arg("replication"));
                role.contains("role:slave").then_some(())
            });
        }
        producing.store(false, Ordering::SeqCst);
        until(|| topics.iter().all(|topic| topic.is_drained(&cluster)).then_some(()));
    });
    let gone = gone.unwrap();
    let safe_until = *lock(&replicated);
    println!("{signal}: {}", figures.summary());
    for topic in &spared {
        topic.check(None);
    }
    let exposed: Vec<String> = hit.iter().map(|topic| topic.check(Some((safe_until, gone)))).collect();
    println!("{signal}: exposed for {:?}; of the topics there: {}", gone - safe_until, exposed.join("; "));
    let allowed = [ErrorKind::Timeout.slug(), ErrorKind::Unavailable.slug()];
    let errors = lock(&figures.errors);
    assert!(errors.keys().all(|(_, kind)| allowed.contains(kind)), "{errors:?}");
    assert!(*lock(&figures.slowest) < RETRY_FOR);
}

impl Topic {
    fn new(queue: Queue, on_victim: bool) -> Self {
        let (stored, delivered, acked) = Default::default();
        Topic { queue, on_victim, stored, delivered, acked, done: AtomicUsize::new(0) }
    }

    /// As the documents advise: with an id and `keep`, again after a timeout.
    fn produce(&self, on: &AtomicBool, figures: &Figures) {
        for i in 0.. {
            if !on.load(Ordering::SeqCst) {
                return;
            }
            let id = format!("{i}");
            let job = || NewJob::new("x").id(id.clone()).mode(Mode::Keep);
            let (_, span) = loop {
                if let Some(stored) = figures.count("enqueue", self, || self.queue.enqueue(job())) {
                    break stored;
                }
            };
            lock(&self.stored).insert(id, span);
            // Not too far ahead of the consumers.
            while on.load(Ordering::SeqCst) && i > self.done.load(Ordering::SeqCst) + 20 {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }

    fn consume(&self, on: &AtomicBool, figures: &Figures) {
        while on.load(Ordering::SeqCst) {
            let pop = || self.queue.pop(PopOptions::new(3).wait(Duration::from_millis(50)));
            if let Some((jobs, span)) = figures.count("pop", self, pop) {
                jobs.iter().for_each(|job| self.work(job, span, figures));
            }
        }
    }

    fn work(&self, job: &Job, popped: Span, figures: &Figures) {
        lock(&self.delivered).entry(job.id().to_owned()).or_default().push((popped, job.deliveries()));
        let ack = || match self.queue.ack(job) {
            Err(e) if e.kind() == ErrorKind::LeaseLost => Ok(false), // swept meanwhile: another delivery comes
            outcome => outcome.map(|_| true),
        };
        if let Some((true, span)) = figures.count("ack", self, ack) {
            lock(&self.acked).entry(job.id().to_owned()).or_default().push(span);
            self.done.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn sweep(&self, on: &AtomicBool, figures: &Figures) {
        while on.load(Ordering::SeqCst) {
            figures.count("requeue", self, || self.queue.requeue(100));
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Everything was acked, or what is missing is not there any more: the check will say whether that is right.
    fn is_drained(&self, cluster: &Cluster) -> bool {
        let all = {
            let (stored, acked) = (lock(&self.stored), lock(&self.acked));
            stored.keys().all(|id| acked.contains_key(id))
        };
        let name = self.queue.topic();
        let count = |index: &str| -> usize {
            let key = format!("delay:{index}:{{{name}}}");
            cluster.owner(&key).ask(cmd("ZCARD").arg(&key))
        };
        all || count("zset") + count("processing") == 0
    }

    /// Nothing lost, nothing doubled, except what was exposed; says how much of that there was.
    fn check(&self, exposed: Option<(Instant, Instant)>) -> String {
        let name = self.queue.topic();
        let is_exposed = |call: &Span| exposed.is_some_and(|(safe, gone)| call.0 <= gone && call.1 >= safe);
        let (stored, delivered, acked) = (lock(&self.stored), lock(&self.delivered), lock(&self.acked));
        let (mut lost, mut doubled, mut again) = (0, 0, 0);
        for (id, call) in stored.iter() {
            if !acked.contains_key(id) {
                assert!(is_exposed(call), "{name}: job {id} was lost");
                lost += 1;
            }
        }
        for (id, times) in delivered.iter() {
            // A consumer notes a job when it turns to it, which may be after another one was given it.
            let mut times = times.clone();
            times.sort_by_key(|(popped, _)| popped.0);
            for pair in times.windows(2) {
                let ((first, _), (second, number)) = (pair[0], pair[1]);
                if number > 1 && second.1 - first.0 >= LEASE {
                    again += 1; // after its lease had ended: the pop or the ack before was cut short
                } else {
                    assert!(is_exposed(&first), "{name}: job {id} had two owners: {times:?}");
                    doubled += 1;
                }
            }
        }
        for (id, times) in acked.iter() {
            let mut times = times.clone();
            times.sort_by_key(|acked| acked.0);
            assert!(times.len() == 1 || is_exposed(&times[0]), "{name}: job {id} was acked {times:?}");
        }
        let count = stored.values().filter(|call| is_exposed(call)).count();
        format!("{name} {count} enqueues exposed, {lost} lost, {doubled} doubled, {again} after their lease")
    }
}

impl Figures {
    /// One call; `None` if it failed.
    fn count<T>(
        &self,
        verb: &'static str,
        topic: &Topic,
        call: impl FnOnce() -> Result<T>,
    ) -> Option<(T, Span)> {
        let began = Instant::now();
        let result = call();
        let ended = Instant::now();
        let mut slowest = lock(&self.slowest);
        *slowest = slowest.max(ended - began);
        self.calls.fetch_add(1, Ordering::SeqCst);
        match result {
            Ok(value) => Some((value, Span(began, ended))),
            Err(e) => {
                assert!(topic.on_victim, "only the topics of the primary that is gone may notice: {e}");
                *lock(&self.errors).entry((verb, e.kind().slug())).or_default() += 1;
                None
            }
        }
    }

    fn summary(&self) -> String {
        format!(
            "{} calls, errors {:?}, slowest call {:?}",
            self.calls.load(Ordering::SeqCst),
            lock(&self.errors),
            lock(&self.slowest)
        )
    }
}

/// Writes marks until the server is gone, and notes since when all before is replicated.
fn mark(victim: &Node, topic: &str, replicated: &Mutex<Instant>) {
    let Ok(mut connection) = victim.connect() else { return };
    connection.set_read_timeout(Some(TIMEOUT)).unwrap();
    loop {
        let begun = Instant::now();
        let mark = cmd("SET").arg(format!("{{{topic}}}mark")).arg(1).exec(&mut connection);
        match mark.and_then(|()| cmd("WAIT").arg(1).arg(500).query::<usize>(&mut connection)) {
            Ok(0) => {}
            Ok(_) => *lock(replicated) = begun,
            Err(_) => return,
        }
    }
}

struct StopAtEnd<'a>(&'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

/// A thread that panicked has failed the test already; the others finish.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
