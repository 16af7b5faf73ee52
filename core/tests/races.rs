//! Producers, consumers and sweepers against each other: each job has one owner, and none is lost.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use delayq::{NewJob, PopOptions, QueueOptions, State};
use support::{server, until};

const MS: Duration = Duration::from_millis(1);

/// A delay far longer than the lease, idle consumers and busy sweepers: the job is nobody's before it is due, and
/// its lease is its own, however often somebody sweeps.
#[test]
fn a_job_is_held_by_one_from_its_due_time_to_the_end_of_its_lease() {
    let lease = 400 * MS;
    let q = server().client().queue_with("long delay", QueueOptions::new().lease(lease)).unwrap();
    let due_at_ms = q.enqueue(NewJob::new("x").id("a").delay(1000 * MS)).unwrap().due_at_ms.unwrap();
    let (taken, ended) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let is_over = || ended.load(Ordering::SeqCst);
    thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                while !is_over() {
                    for job in q.pop(PopOptions::new(1).wait(50 * MS)).unwrap() {
                        taken.lock().unwrap().push((job.lease_until_ms(), job.deliveries()));
                        let started = Instant::now();
                        while started.elapsed() < lease / 2 {
                            q.requeue(100).unwrap();
                            thread::sleep(5 * MS);
                        }
                        q.ack(&job).unwrap();
                        ended.store(true, Ordering::SeqCst);
                    }
                }
            });
        }
        s.spawn(|| {
            while !is_over() {
                assert_eq!(q.requeue(100).unwrap().total(), 0, "no lease has ended");
                thread::sleep(10 * MS);
            }
        });
    });
    let taken = taken.into_inner().unwrap();
    assert_eq!(taken.len(), 1, "one owner: {taken:?}");
    assert!(taken[0].0 >= due_at_ms + lease.as_millis() as i64, "not before it was due");
    assert_eq!(taken[0].1, 1);
}

/// Purge and repair in a loop while four producers enqueue: every accepted job is there or was reported as purged.
#[test]
fn what_is_enqueued_during_a_purge_is_there_or_was_purged() {
    let q = server().queue("purge race");
    let (purged, producing) = (AtomicU64::new(0), AtomicU64::new(4));
    thread::scope(|s| {
        for producer in 0..4 {
            let (q, producing) = (&q, &producing);
            s.spawn(move || {
                for i in 0..50 {
                    let jobs = (0..10).map(|j| NewJob::new("x").id(format!("{producer}-{i}-{j}"))).collect();
                    q.enqueue_many(jobs).unwrap();
                }
                producing.fetch_sub(1, Ordering::SeqCst);
            });
        }
        s.spawn(|| {
            while producing.load(Ordering::SeqCst) > 0 {
                purged.fetch_add(q.purge(State::Scheduled, 7).unwrap().purged, Ordering::SeqCst);
            }
        });
        s.spawn(|| {
            while producing.load(Ordering::SeqCst) > 0 {
                let repaired = q.repair(1000).unwrap();
                let broken = (repaired.rescheduled, repaired.orphaned, repaired.removed);
                assert_eq!(broken, (0, 0, 0), "healthy jobs are left alone");
            }
        });
    });
    let stats = q.stats().unwrap();
    assert_eq!(stats.backlog + purged.load(Ordering::SeqCst), 2000);
    assert_eq!(stats.counter("purged"), purged.load(Ordering::SeqCst));
    let mut left = 0;
    until(|| {
        let jobs = q.pop(1000).unwrap();
        left += jobs.len() as u64;
        jobs.is_empty().then_some(())
    });
    assert_eq!(left, stats.backlog, "every one with its body");
}

/// In any time t all consumers together are given at most burst + rate * t, though each sets the limit over and over.
#[test]
fn a_limit_is_exact_over_all_consumers() {
    const RATE: f64 = 200.0;
    const BURST: u64 = 10;
    let q = server().queue("exact limit");
    q.enqueue_many((0..200).map(|_| NewJob::new("x")).collect()).unwrap();
    let now_us = || {
        let time = server().redis(&redis::cmd("TIME"));
        let (seconds, micros): (u64, u64) = redis::from_redis_value(time).unwrap();
        seconds * 1_000_000 + micros
    };
    let (given, started) = (AtomicU64::new(0), now_us());
    thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                while given.load(Ordering::SeqCst) < 120 {
                    q.limit(RATE, Some(BURST)).unwrap();
                    let jobs = q.pop(PopOptions::new(7).wait(1000 * MS)).unwrap();
                    let so_far = given.fetch_add(jobs.len() as u64, Ordering::SeqCst) + jobs.len() as u64;
                    // The clock of the scripts counts whole milliseconds.
                    let allowed = BURST as f64 + RATE * (now_us() - started + 1000) as f64 / 1e6;
                    assert!(so_far as f64 <= allowed, "{so_far} jobs where {allowed} are allowed");
                }
            });
        }
    });
    q.unlimit().unwrap();
}
