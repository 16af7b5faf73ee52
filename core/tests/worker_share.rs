//! Who gets how many jobs: among the topics of one worker, and among workers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use delayq::{Delivery, NewJob, Queue, Worker};
use support::{server, until};

const LONG: Duration = Duration::from_secs(20);

fn enqueue(q: &Queue, n: usize) {
    q.enqueue_many((0..n).map(|i| NewJob::new("x").id(format!("{i:05}"))).collect()).unwrap();
}

fn acked(q: &Queue) -> u64 {
    q.stats().unwrap().counter("acked")
}

#[test]
fn a_slow_job_keeps_no_others_from_an_idle_worker() {
    let q = server().queue("s-slow");
    let go = Arc::new(AtomicBool::new(false));
    let go_ = Arc::clone(&go);
    let slow = move |_: &Delivery| until(|| go_.load(Ordering::SeqCst).then_some(()));
    let slow = Worker::builder().concurrency(2).handle(q.clone(), slow).start().unwrap();
    enqueue(&q, 50);
    until(|| (slow.health().running == 2).then_some(()));
    let quick = Worker::builder().handle(q.clone(), |_: &Delivery| ()).start().unwrap();
    until(|| (acked(&q) == 48).then_some(())); // all but the two that are at work
    assert_eq!(slow.health().waiting, 0);
    go.store(true, Ordering::SeqCst);
    until(|| (acked(&q) == 50).then_some(()));
    slow.stop(LONG);
    quick.stop(LONG);
}

#[test]
fn a_busy_topic_leaves_room_for_the_others() {
    let (quick, slow) = (server().queue("s-busy"), server().queue("s-rare"));
    let stop = Arc::new(AtomicBool::new(false));
    let slow_runs = Arc::new(AtomicUsize::new(0));
    let slow_runs_ = Arc::clone(&slow_runs);
    // One handler for both, and a topic that is never empty.
    let worker = Worker::builder()
        .concurrency(1)
        .handle(quick.clone(), |_: &Delivery| ())
        .handle(slow.clone(), move |job: &Delivery| {
            slow_runs_.fetch_add(1, Ordering::SeqCst);
            job.sleep(Duration::from_millis(20));
        })
        .start()
        .unwrap();
    std::thread::scope(|s| {
        s.spawn(|| {
            while !stop.load(Ordering::SeqCst) {
                quick.enqueue_many((0..500).map(|_| NewJob::new("x")).collect()).unwrap();
                let left = || quick.stats().unwrap().backlog;
                until(|| (left() < 2000 || stop.load(Ordering::SeqCst)).then_some(()));
            }
        });
        until(|| (acked(&quick) > 500).then_some(()));
        enqueue(&slow, 20);
        until(|| (acked(&slow) == 20).then_some(()));
        stop.store(true, Ordering::SeqCst);
    });
    worker.stop(LONG);
    assert_eq!(slow_runs.load(Ordering::SeqCst), 20);
}

#[test]
fn many_topics_together_take_no_more_than_one_alone() {
    let queues: Vec<Queue> = (0..10).map(|i| server().queue(&format!("s-many-{i}"))).collect();
    queues.iter().for_each(|q| enqueue(q, 20));
    let go = Arc::new(AtomicBool::new(false));
    let mut worker = Worker::builder().concurrency(4).fetch_ahead(6);
    for q in &queues {
        let go = Arc::clone(&go);
        worker =
            worker.handle(q.clone(), move |_: &Delivery| until(|| go.load(Ordering::SeqCst).then_some(())));
    }
    let worker = worker.start().unwrap();
    until(|| (worker.health().running == 4 && worker.health().waiting == 6).then_some(()));
    let taken: u64 = queues.iter().map(|q| q.stats().unwrap().processing).sum();
    assert_eq!(taken, 10, "what is running and what waits, and no more");
    go.store(true, Ordering::SeqCst);
    until(|| queues.iter().all(|q| acked(q) == 20).then_some(()));
    worker.stop(LONG);
}
