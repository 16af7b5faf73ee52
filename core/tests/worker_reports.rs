//! What a worker reports arrives, once Redis takes it: a job that is done is not run again for the sake of an outage.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use delayq::{
    Client, ClientOptions, Delivery, NewJob, Queue, QueueOptions, RetryPolicy, State, Verdict, Worker,
};
use support::told::Told;
use support::{embedded, server, until};

const LONG: Duration = Duration::from_secs(20);
const HOUR: Duration = Duration::from_secs(3600);

/// A queue of a server that ends and begins with its owner, by a client that gives up soon.
fn queue(dir: &Path, options: QueueOptions) -> Queue {
    let url = format!("unix://{}/delayq.sock", dir.display());
    let client = ClientOptions::new(url).retry_for(Duration::from_millis(100)).open().unwrap();
    client.queue_with("r", options).unwrap()
}

#[test]
fn handlers_that_end_while_redis_is_down_are_reported_when_it_is_back() {
    let dir = tempfile::tempdir().unwrap();
    let owner = Client::open(embedded(dir.path())).unwrap();
    let q = queue(dir.path(), QueueOptions::new().retry_policy(RetryPolicy::fixed(HOUR)));
    let (told, runs, go) = (Told::default(), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let (runs_, go_) = (Arc::clone(&runs), Arc::clone(&go));
    let worker = told.listen(Worker::builder()).handle(q.clone(), move |job: &Delivery| {
        runs_.fetch_add(1, Ordering::SeqCst);
        until(|| go_.load(Ordering::SeqCst).then_some(()));
        match job.id() {
            "fails" => Verdict::Failed("broken".into()),
            "released" => Verdict::Release(HOUR),
            _ => Verdict::Done,
        }
    });
    let worker = worker.start().unwrap();
    for id in ["done", "fails", "released"] {
        q.enqueue(NewJob::new("x").id(id)).unwrap();
    }
    until(|| (worker.health().running == 3).then_some(()));

    drop(owner); // the server ends
    go.store(true, Ordering::SeqCst);
    until(|| (worker.health().running == 0 && told.count("lost") > 0).then_some(()));
    let _owner = Client::open(embedded(dir.path())).unwrap();

    until(|| {
        (told.count("done") == 1 && told.count("failed") == 1 && told.count("released") == 1).then_some(())
    });
    worker.stop(LONG);
    assert_eq!((runs.load(Ordering::SeqCst), told.count("lease_lost")), (3, 0));
    let state = |id: &str| (q.get(id).unwrap().state, q.get(id).unwrap().retry_count);
    assert_eq!(state("done").0, State::Done);
    assert_eq!((state("fails"), state("released")), ((State::Scheduled, 1), (State::Scheduled, 0)));
    assert_eq!(q.stats().unwrap().counter("expired"), 0);
}

#[test]
fn a_stop_waits_for_an_outage_to_end_but_not_beyond_its_deadline() {
    let dir = tempfile::tempdir().unwrap();
    let owner = Client::open(embedded(dir.path())).unwrap();
    let q = queue(dir.path(), QueueOptions::new());
    let go = Arc::new(AtomicBool::new(false));
    let worker = || {
        let go = Arc::clone(&go);
        let handler = move |_: &Delivery| until(|| go.load(Ordering::SeqCst).then_some(()));
        let worker = Worker::builder().handle(q.clone(), handler).start().unwrap();
        q.enqueue(NewJob::new("x").ignore_done(true).id("a")).unwrap();
        until(|| (worker.health().running == 1).then_some(()));
        worker
    };
    let first = worker();
    drop(owner);
    go.store(true, Ordering::SeqCst);
    until(|| (first.health().running == 0).then_some(()));
    let owner = thread::scope(|s| {
        let stopping = s.spawn(|| first.stop(LONG));
        until(|| first.is_stopping().then_some(()));
        let owner = Client::open(embedded(dir.path())).unwrap();
        stopping.join().unwrap();
        owner
    });
    assert_eq!(q.get("a").unwrap().state, State::Done, "the ack came through during the stop");

    go.store(false, Ordering::SeqCst);
    let second = worker();
    drop(owner);
    go.store(true, Ordering::SeqCst);
    until(|| (second.health().running == 0).then_some(()));
    let started = Instant::now();
    second.stop(Duration::from_millis(200));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn a_handler_may_hand_its_job_back_when_the_worker_begins_to_stop() {
    let q = server().queue("r-stopping");
    let worker = Worker::builder().handle(q.clone(), |job: &Delivery| {
        until(|| job.is_stopping().then_some(()));
        assert!(!job.is_revoked());
        Verdict::Release(HOUR)
    });
    let worker = worker.start().unwrap();
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    until(|| (worker.health().running == 1).then_some(()));
    let started = Instant::now();
    worker.stop(HOUR);
    assert!(started.elapsed() < LONG);
    assert_eq!((q.get("a").unwrap().state, q.get("a").unwrap().retry_count), (State::Scheduled, 0));
}

#[test]
fn a_report_that_is_refused_for_good_does_no_harm_to_the_others() {
    let client = server().client();
    let q = client.queue_with("r-poison", QueueOptions::new()).unwrap();
    let told = Told::default();
    let go = Arc::new(AtomicBool::new(false));
    let go_ = Arc::clone(&go);
    let worker = told
        .listen(Worker::builder().concurrency(10))
        .handle(q.clone(), move |_: &Delivery| until(|| go_.load(Ordering::SeqCst).then_some(())));
    let jobs = (0..10).map(|i| NewJob::new("x").id(format!("{i}"))).collect();
    q.enqueue_many(jobs).unwrap();
    let worker = worker.start().unwrap();
    until(|| (worker.health().running == 10).then_some(()));
    // What stands where the done marker belongs, nobody may write over: no job can be acknowledged together with this one.
    server().redis(redis::cmd("HSET").arg("delay:done:{r-poison}:3").arg(&["foreign", "hash"]));
    go.store(true, Ordering::SeqCst);
    until(|| (told.count("done") == 9 && told.count("lost") > 0).then_some(()));
    until(|| worker.health().connected.then_some(()));
    worker.stop(LONG);
    assert_eq!((q.get("3").unwrap().state, q.stats().unwrap().counter("acked")), (State::Processing, 9));
}

#[test]
fn what_was_released_is_not_told_again_as_lost_when_another_release_is_refused() {
    let q = server().queue("r-releases");
    let (told, go) = (Told::default(), Arc::new(AtomicBool::new(false)));
    let go_ = Arc::clone(&go);
    let worker = told.listen(Worker::builder()).handle(q.clone(), move |job: &Delivery| {
        until(|| go_.load(Ordering::SeqCst).then_some(()));
        Verdict::Release(HOUR * job.id().parse().unwrap())
    });
    q.enqueue_many((1..=6).map(|i| NewJob::new("x").id(format!("{i}"))).collect()).unwrap();
    let worker = worker.start().unwrap();
    until(|| (worker.health().running == 6).then_some(()));
    // No body any more, which refuses every report about this job.
    server().redis(redis::cmd("SET").arg("delay:job:{r-releases}:6").arg("foreign"));
    go.store(true, Ordering::SeqCst);
    until(|| (told.count("released") == 5 && told.count("lost") > 0).then_some(()));
    worker.stop(LONG);
    assert_eq!((told.count("lease_lost"), told.count("released")), (0, 5));
}
