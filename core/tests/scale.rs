//! Many jobs at once: every batch goes through in slices, what is old comes first, and nothing is left behind.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::time::Duration;

use delayq::{
    AckOutcome, Client, ExtendOutcome, Job, NewJob, PopOptions, Queue, QueueOptions, ReleaseOutcome, Retry,
    RetryOutcome, RetryPolicy, State,
};
use support::server;

const MINUTE: Duration = Duration::from_secs(60);

fn queue(topic: &str, options: QueueOptions) -> Queue {
    server().client().queue_with(topic, options).unwrap()
}

fn jobs(n: usize) -> Vec<NewJob> {
    (0..n).map(|i| NewJob::new("x").id(format!("{i:06}"))).collect()
}

fn pop_all(q: &Queue) -> Vec<Job> {
    let pages = std::iter::from_fn(|| Some(q.pop(PopOptions::new(1000).lease(MINUTE)).unwrap()));
    pages.take_while(|page| !page.is_empty()).flatten().collect()
}

/// A script may hold some 8,000 values at once, and a job takes two or more.
#[test]
fn batches_around_the_limit_of_lua_and_beyond() {
    for n in [7_999, 8_000, 8_001, 20_000] {
        let policy = RetryPolicy::fixed(Duration::ZERO).max_retries(1);
        let q = queue(&format!("batch {n}"), QueueOptions::new().retry_policy(policy));
        assert_eq!(q.enqueue_many(jobs(n)).unwrap().len(), n);
        let held = pop_all(&q);
        assert_eq!(held.len(), n);
        assert!(held.windows(2).all(|pair| pair[0].id() < pair[1].id()), "equal times come by id");

        let extended = q.extend_many(&held, Some(MINUTE)).unwrap();
        assert_eq!(extended.iter().filter(|e| e.outcome == ExtendOutcome::Extended).count(), n);
        let released = q.release_many(&held, Duration::ZERO).unwrap();
        assert_eq!(released.iter().filter(|r| r.outcome == ReleaseOutcome::Released).count(), n);

        for outcome in [RetryOutcome::Scheduled, RetryOutcome::Dead] {
            let held = pop_all(&q);
            let retried = q.retry_many(held.iter().map(|job| Retry::new(job).error("no"))).unwrap();
            assert_eq!(retried.iter().filter(|r| r.outcome == outcome).count(), n, "{outcome}");
        }
        let ids: Vec<_> = held.iter().map(Job::id).collect();
        assert_eq!(q.redrive_ids(&ids, Duration::ZERO).unwrap().redriven as usize, n);

        let outcomes = q.ack_many(&pop_all(&q)).unwrap();
        assert_eq!(outcomes.iter().filter(|o| **o == AckOutcome::Acked).count(), n);
        let stats = q.stats().unwrap();
        assert_eq!((stats.backlog, stats.processing, stats.dead, stats.orphans), (0, 0, 0, 0));
    }
}

#[test]
fn a_thousand_overdue_jobs_come_oldest_first() {
    let q = server().queue("overdue");
    let mut jobs = jobs(1000);
    jobs.reverse();
    q.enqueue_many(jobs).unwrap();
    let now = q.get("000000").unwrap().due_at_ms.unwrap();
    // Job i has been due for i * 3.6 s, from an hour down to nothing: the last ids are the oldest.
    let mut add = redis::cmd("ZADD");
    add.arg("delay:zset:{overdue}").arg("XX");
    (0..1000_i64).for_each(|i| _ = add.arg(now - i * 3600).arg(format!("{i:06}")));
    server().redis(&add);
    let popped = pop_all(&q);
    let ids: Vec<_> = popped.iter().map(|job| job.id().parse::<i64>().unwrap()).collect();
    assert_eq!(ids, (0..1000).rev().collect::<Vec<_>>());
    assert_eq!(popped[0].due_at_ms(), now - 999 * 3600);
}

#[test]
fn finished_jobs_leave_nothing_that_grows() {
    let dir = tempfile::tempdir().unwrap();
    let client = Client::open(support::embedded(dir.path())).unwrap();
    let q = client.queue_with("growth", QueueOptions::new().done_ttl(Duration::ZERO)).unwrap();
    let mut redis = redis::Client::open(format!("unix://{}/delayq.sock", dir.path().display()))
        .unwrap()
        .get_connection()
        .unwrap();
    let mut round = |n: usize| {
        q.enqueue_many((0..n).map(|_| NewJob::new("x".repeat(200))).collect()).unwrap();
        let held = pop_all(&q);
        assert_eq!(held.len(), n);
        let (dead, done) = held.split_at(n / 10);
        q.ack_many(done).unwrap();
        q.retry_many(dead.iter().map(Retry::from)).unwrap();
        while q.purge(State::Scheduled, 1000).unwrap().remaining > 0 {}
        let mut keys: Vec<String> = redis::cmd("KEYS").arg("*").query(&mut redis).unwrap();
        keys.sort();
        let bytes: u64 =
            redis::cmd("MEMORY").arg("USAGE").arg("delay:stats:{growth}").query(&mut redis).unwrap();
        (keys, bytes)
    };
    let known = ["delay:meta", "delay:stats:{growth}", "delay:topics"];
    assert_eq!(round(500).0, known);
    let (keys, bytes) = round(20_000);
    assert_eq!(keys, known);
    assert!(bytes < 64 * 1024, "the statistics take {bytes} bytes");
}
