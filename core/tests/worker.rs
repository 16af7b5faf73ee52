//! The worker against a real server: every end of a delivery, heartbeats, sweeps, and every way to stop.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use delayq::{
    Client, ClientOptions, Delivery, ErrorKind, NewJob, PopOptions, Queue, QueueOptions, RetryPolicy, State,
    Verdict, Worker,
};
use support::told::Told;
use support::{server, until};

const HOUR: Duration = Duration::from_secs(3600);
const LONG: Duration = Duration::from_secs(20);

fn queue(topic: &str, options: QueueOptions) -> Queue {
    server().client().queue_with(topic, options).unwrap()
}

fn enqueue(q: &Queue, n: usize) {
    q.enqueue_many((0..n).map(|i| NewJob::new(format!("{i}")).id(format!("{i:05}"))).collect()).unwrap();
}

#[test]
fn every_job_is_run_once_and_acknowledged() {
    let q = queue("w-all", QueueOptions::new());
    let (told, seen) = (Told::default(), Arc::new(Mutex::new(Vec::new())));
    let seen_ = Arc::clone(&seen);
    let worker = told.listen(Worker::builder().concurrency(4)).handle(q.clone(), move |job: &Delivery| {
        seen_.lock().unwrap().push(job.id().to_owned());
    });
    let worker = worker.start().unwrap();
    enqueue(&q, 2000);
    until(|| (q.stats().unwrap().counter("acked") == 2000).then_some(()));
    worker.stop(LONG);
    let mut seen = seen.lock().unwrap().clone();
    seen.sort();
    seen.dedup();
    assert_eq!((seen.len(), told.count("started"), told.count("done")), (2000, 2000, 2000));
    let stats = q.stats().unwrap();
    assert_eq!((stats.backlog, stats.processing, stats.counter("delivered")), (0, 0, 2000));
}

#[test]
fn every_end_of_a_delivery_has_its_effect() {
    let policy = RetryPolicy::fixed(HOUR);
    let q = queue("w-ends", QueueOptions::new().retry_policy(policy));
    let told = Told::default();
    let worker = told.listen(Worker::builder()).handle(q.clone(), |job: &Delivery| match job.id() {
        "fails" => Verdict::Failed("broken".into()),
        "fails-for" => Verdict::FailedFor("busy".into(), HOUR * 2),
        "released" => Verdict::Release(HOUR * 3),
        "released-for-ever" => Verdict::Release(Duration::MAX),
        "fails-for-ever" => Verdict::FailedFor("busy".into(), HOUR * 24 * 366 * 8000),
        "dead" => Verdict::Dead("hopeless".into()),
        "left" => Verdict::Leave,
        "panics" => panic!("ouch"),
        _ => Verdict::Done,
    });
    let worker = worker.start().unwrap();
    for id in [
        "fails",
        "fails-for",
        "released",
        "dead",
        "left",
        "panics",
        "done",
        "released-for-ever",
        "fails-for-ever",
    ] {
        q.enqueue(NewJob::new("x").id(id)).unwrap();
    }
    until(|| {
        let stats = q.stats().unwrap();
        (stats.backlog == 6 && stats.dead == 1 && stats.counter("acked") == 1 && worker.health().running == 0)
            .then_some(())
    });
    worker.stop(LONG);
    let info = |id: &str| q.get(id).unwrap();
    let wait_of = |id: &str| info(id).due_at_ms.unwrap() - info(id).created_at_ms.unwrap();
    let hour = HOUR.as_millis() as i64;
    assert_eq!((info("fails").last_error.as_deref(), info("fails").retry_count), (Some("broken"), 1));
    assert!((hour..hour + 20_000).contains(&wait_of("fails")));
    assert!((2 * hour..2 * hour + 20_000).contains(&wait_of("fails-for")));
    assert_eq!((info("released").retry_count, info("released").state), (0, State::Scheduled));
    assert!((3 * hour..3 * hour + 20_000).contains(&wait_of("released")));
    assert_eq!((info("dead").state, info("dead").last_error.as_deref()), (State::Dead, Some("hopeless")));
    assert_eq!(info("left").state, State::Processing);
    assert!(info("panics").last_error.unwrap().contains("ouch"));
    assert!(info("released-for-ever").last_error.unwrap().contains("year 9999"));
    let error = info("fails-for-ever").last_error.unwrap();
    assert!(error.starts_with("busy (") && error.contains("year 9999"), "{error}");
    assert_eq!((told.count("failed"), told.count("released"), told.count("done")), (6, 1, 1));
}

#[test]
fn a_result_is_a_verdict() {
    let q = queue("w-result", QueueOptions::new().retry_policy(RetryPolicy::fixed(HOUR).max_retries(0)));
    let worker = Worker::builder().handle(q.clone(), |job: &Delivery| -> Result<(), String> {
        if job.id() == "bad" { Err("no".to_owned()) } else { Ok(()) }
    });
    let worker = worker.start().unwrap();
    q.enqueue(NewJob::new("x").id("bad")).unwrap();
    q.enqueue(NewJob::new("x").id("good")).unwrap();
    until(|| (q.stats().unwrap().dead == 1 && q.stats().unwrap().counter("acked") == 1).then_some(()));
    worker.stop(LONG);
}

#[test]
fn no_more_handlers_run_at_once_than_allowed_and_all_do() {
    let q = queue("w-concurrency", QueueOptions::new());
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (now_, most_) = (Arc::clone(&now), Arc::clone(&most));
    let worker = Worker::builder().concurrency(3).handle(q.clone(), move |job: &Delivery| {
        most_.fetch_max(now_.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        job.sleep(Duration::from_millis(20));
        now_.fetch_sub(1, Ordering::SeqCst);
    });
    enqueue(&q, 30);
    let worker = worker.start().unwrap();
    until(|| (q.stats().unwrap().counter("acked") == 30).then_some(()));
    worker.stop(LONG);
    assert_eq!(most.load(Ordering::SeqCst), 3);
}

#[test]
fn a_job_may_take_longer_than_its_lease_while_others_sweep() {
    let options = || QueueOptions::new().lease(Duration::from_millis(600));
    let runs = Arc::new(AtomicUsize::new(0));
    let worker = |delay: u64| {
        let runs = Arc::clone(&runs);
        let handler = move |job: &Delivery| {
            runs.fetch_add(1, Ordering::SeqCst);
            assert!(!job.sleep(Duration::from_millis(delay)), "revoked");
        };
        let q = queue("w-long", options());
        Worker::builder().sweep_every(Duration::from_millis(50)).handle(q, handler).start().unwrap()
    };
    let (first, second) = (worker(2000), worker(2000));
    let q = queue("w-long", options());
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    until(|| (q.stats().unwrap().counter("acked") == 1).then_some(()));
    assert_eq!((runs.load(Ordering::SeqCst), q.stats().unwrap().counter("expired")), (1, 0));
    first.stop(LONG);
    second.stop(LONG);
}

#[test]
fn a_cancelled_job_revokes_its_delivery_at_once_and_its_end_does_not_count() {
    let q = queue("w-cancel", QueueOptions::new().lease(HOUR)); // so no heartbeat would notice
    let (told, revoked) = (Told::default(), Arc::new(AtomicBool::new(false)));
    let (begun, revoked_) = (Arc::new(AtomicBool::new(false)), Arc::clone(&revoked));
    let begun_ = Arc::clone(&begun);
    let worker = told.listen(Worker::builder()).handle(q.clone(), move |job: &Delivery| {
        assert!(job.is_mine().unwrap());
        begun_.store(true, Ordering::SeqCst);
        revoked_.store(job.sleep(LONG), Ordering::SeqCst);
        assert!(!job.is_mine().unwrap());
    });
    let worker = worker.start().unwrap();
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    until(|| begun.load(Ordering::SeqCst).then_some(()));
    assert_eq!(q.cancel("a").unwrap().as_str(), "processing");
    until(|| (worker.health().running == 0).then_some(()));
    worker.stop(LONG);
    assert!(revoked.load(Ordering::SeqCst));
    assert_eq!(told.count("lease_lost"), 1);
    assert_eq!((told.count("done"), q.stats().unwrap().counter("acked")), (0, 0));
}

#[test]
fn a_crashed_consumers_job_is_run_by_the_next_one_soon_after_its_lease() {
    let q = queue("w-crash", QueueOptions::new());
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    let lost = q.pop(PopOptions::new(1).lease(Duration::from_millis(1500))).unwrap(); // and never heard of again
    let at = Arc::new(Mutex::new(None));
    let at_ = Arc::clone(&at);
    let handler = move |job: &Delivery| *at_.lock().unwrap() = Some(job.lease_until_ms() - 30_000);
    let worker = Worker::builder().sweep_every(HOUR).handle(q.clone(), handler).start().unwrap();
    until(|| (q.stats().unwrap().counter("acked") == 1).then_some(()));
    worker.stop(LONG);
    let late = at.lock().unwrap().unwrap() - lost[0].lease_until_ms();
    assert!((0..1000).contains(&late), "{late} ms after the lease"); // not at the next turn, but when the lease ends
    assert_eq!(q.get("a").unwrap().state, State::Done);
}

#[test]
fn a_stop_lets_running_handlers_finish_and_hands_back_what_waits() {
    let q = queue("w-stop", QueueOptions::new());
    let go = Arc::new(AtomicBool::new(false));
    let go_ = Arc::clone(&go);
    let worker = Worker::builder().concurrency(2).fetch_ahead(5).handle(q.clone(), move |job: &Delivery| {
        until(|| (go_.load(Ordering::SeqCst) || job.is_revoked()).then_some(()));
    });
    enqueue(&q, 10);
    let worker = worker.start().unwrap();
    until(|| (worker.health().running == 2 && worker.health().waiting == 5).then_some(()));
    let stopper = thread::scope(|s| {
        let stopping = s.spawn(|| worker.stop(LONG));
        until(|| (q.stats().unwrap().processing == 2).then_some(())); // the waiting ones are back
        go.store(true, Ordering::SeqCst);
        stopping.join()
    });
    stopper.unwrap();
    let stats = q.stats().unwrap();
    assert_eq!((stats.counter("acked"), stats.backlog, stats.processing), (2, 8, 0));
    assert!(q.list(State::Scheduled, 0, 10).unwrap().iter().all(|job| job.retry_count == 0));
    worker.stop(LONG); // harmless
    assert!(worker.health().stopping);
}

#[test]
fn past_the_deadline_the_rest_is_handed_back_without_a_failure() {
    let q = queue("w-deadline", QueueOptions::new());
    let worker = Worker::builder().concurrency(2).handle(q.clone(), |job: &Delivery| _ = job.sleep(HOUR));
    enqueue(&q, 2);
    let worker = worker.start().unwrap();
    until(|| (worker.health().running == 2).then_some(()));
    let started = Instant::now();
    worker.stop(Duration::from_millis(200));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let jobs = q.pop(10).unwrap();
    assert_eq!(jobs.len(), 2);
    assert!(jobs.iter().all(|job| job.retry_count() == 0 && job.deliveries() == 2));
}

#[test]
fn a_stop_ends_while_redis_is_down_and_a_worker_survives_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let owner = Client::open(support::embedded(dir.path())).unwrap();
    let url = format!("unix://{}/delayq.sock", dir.path().display());
    let client = ClientOptions::new(url).retry_for(Duration::from_millis(300)).open().unwrap();
    let q = client.queue("w-down").unwrap();
    let told = Told::default();
    let worker = told.listen(Worker::builder()).handle(q.clone(), |_: &Delivery| ()).start().unwrap();
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    until(|| (told.count("done") == 1).then_some(()));

    drop(owner); // the server ends
    until(|| (told.count("lost") > 0 && !worker.health().connected).then_some(()));
    let owner = Client::open(support::embedded(dir.path())).unwrap();
    owner.queue("w-down").unwrap().enqueue(NewJob::new("x").id("b")).unwrap();
    until(|| (told.count("done") == 2).then_some(()));
    assert!(told.count("back") > 0 && worker.health().connected);

    drop(owner);
    until(|| (!worker.health().connected).then_some(()));
    let started = Instant::now();
    worker.stop(Duration::from_millis(500));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn one_worker_serves_several_topics() {
    let (a, b) = (queue("w-topic-a", QueueOptions::new()), queue("w-topic-b", QueueOptions::new()));
    let worker = Worker::builder().handle(a.clone(), |_: &Delivery| ()).handle(b.clone(), |_: &Delivery| ());
    let worker = worker.start().unwrap();
    enqueue(&a, 50);
    enqueue(&b, 50);
    until(|| {
        (a.stats().unwrap().counter("acked") == 50 && b.stats().unwrap().counter("acked") == 50).then_some(())
    });
    worker.stop(LONG);
}

#[test]
fn jobs_may_be_taken_and_finished_by_a_program_in_its_own_way() {
    let q = queue("w-take", QueueOptions::new());
    let worker = Worker::builder().concurrency(4).queue(q.clone()).start().unwrap();
    assert!(worker.take(Duration::from_millis(1)).is_none() && !worker.is_stopping());
    enqueue(&q, 3);
    let tasks: Vec<_> = (0..3).map(|_| worker.take(LONG).unwrap()).collect();
    assert_eq!(tasks.iter().map(|t| t.delivery().id()).collect::<Vec<_>>(), ["00000", "00001", "00002"]);
    let mut tasks = tasks.into_iter();
    tasks.next().unwrap().finish(Verdict::Done);
    tasks.next().unwrap().finish(Verdict::Dead("no".into()));
    drop(tasks); // the third is handed back, and comes again
    let again = worker.take(LONG).unwrap();
    assert_eq!(
        (again.delivery().id(), again.delivery().deliveries(), again.delivery().retry_count()),
        ("00002", 2, 0)
    );
    thread::scope(|s| {
        let stopping = s.spawn(|| worker.stop(LONG));
        until(|| worker.is_stopping().then_some(()));
        assert!(worker.take(LONG).is_none());
        again.finish(Verdict::Done);
        stopping.join().unwrap();
    });
    let stats = q.stats().unwrap();
    assert_eq!((stats.counter("acked"), stats.dead, stats.backlog, stats.processing), (2, 1, 0, 0));
}

#[test]
fn events_go_to_tracing() {
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let log = Log::default();
    let written = log.clone();
    let writer = move || written.clone();
    // For the whole process, since the worker's threads are not the test's; other tests log into it too.
    tracing_subscriber::fmt().with_writer(writer).with_ansi(false).try_init().unwrap();
    let q = queue("w-tracing", QueueOptions::new());
    let worker =
        Worker::builder().handle(q.clone(), |_: &Delivery| Verdict::Dead("hopeless".into())).start().unwrap();
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    let text = || String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let line = until(|| text().lines().find(|line| line.contains("w-tracing")).map(str::to_owned));
    assert!(
        line.contains("ERROR delayq::worker") && line.contains("dead") && line.contains("hopeless"),
        "{line}"
    );
    worker.stop(LONG);
}

#[test]
fn what_cannot_be_right_is_refused() {
    let q = || queue("w-bad", QueueOptions::new());
    let handler = |_: &Delivery| ();
    for worker in [
        Worker::builder(),
        Worker::builder().handle(q(), handler).handle(q(), handler),
        Worker::builder().handle(q(), handler).queue(queue("w-bad-other", QueueOptions::new())),
        Worker::builder().handle(q(), handler).concurrency(0),
        Worker::builder().handle(q(), handler).concurrency(10_001),
        Worker::builder().handle(q(), handler).sweep_every(Duration::ZERO),
        Worker::builder().handle(q(), handler).sweep_every(Duration::MAX),
    ] {
        assert_eq!(worker.start().unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn a_second_stop_brings_the_deadline_forward() {
    let q = queue("w-forward", QueueOptions::new());
    let begun = Arc::new(AtomicBool::new(false));
    let begun_ = Arc::clone(&begun);
    let worker = Worker::builder().handle(q.clone(), move |job: &Delivery| {
        begun_.store(true, Ordering::SeqCst);
        assert!(job.sleep(LONG), "revoked");
    });
    let worker = worker.start().unwrap();
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    until(|| begun.load(Ordering::SeqCst).then_some(()));
    let started = Instant::now();
    thread::scope(|scope| {
        let first = scope.spawn(|| worker.stop(HOUR));
        until(|| worker.is_stopping().then_some(()));
        worker.stop(LONG * 2); // both later than the next
        worker.stop(Duration::ZERO);
        first.join().unwrap();
    });
    assert!(started.elapsed() < LONG);
    assert_eq!((q.get("a").unwrap().state, q.get("a").unwrap().retry_count), (State::Scheduled, 0));
}

#[test]
fn an_idle_worker_knows_soon_that_it_is_connected() {
    let worker = Worker::builder().handle(queue("w-idle", QueueOptions::new()), |_: &Delivery| ()).start();
    let worker = worker.unwrap();
    assert!(!worker.health().stopping);
    until(|| worker.health().connected.then_some(())); // while its pop waits for much longer
    worker.stop(LONG);
}
