//! The verbs against a real server: the promises that one language is enough to show.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::time::Duration;

use delayq::{AckOutcome, CancelOutcome, EnqueueOutcome, ErrorKind, Mode, NewJob, PopOptions, QueueOptions};
use support::server;

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn a_job_goes_through_its_life() {
    let q = server().queue("life");
    let stored = q.enqueue(NewJob::new("hello").id("a")).unwrap();
    assert_eq!((stored.id.as_str(), stored.outcome), ("a", EnqueueOutcome::Created));
    let jobs = q.pop(10).unwrap();
    assert_eq!(jobs.len(), 1);
    let job = &jobs[0];
    assert_eq!((job.id(), job.payload(), job.deliveries(), job.retry_count()), ("a", &b"hello"[..], 1, 0));
    assert_eq!(job.due_at_ms(), stored.due_at_ms.unwrap());
    assert_eq!(q.ack(job).unwrap(), AckOutcome::Acked);
    assert_eq!(q.ack(job).unwrap(), AckOutcome::Already);
    assert_eq!(q.enqueue(NewJob::new("again").id("a")).unwrap().outcome, EnqueueOutcome::Done);
    assert_eq!(q.cancel("a").unwrap(), CancelOutcome::Done);
    let again = NewJob::new("again").id("a").ignore_done(true);
    assert_eq!(q.enqueue(again).unwrap().outcome, EnqueueOutcome::Created);
}

#[test]
fn ten_thousand_jobs_in_one_call_keep_their_order() {
    let q = server().queue("bulk");
    let jobs: Vec<_> = (0..10_000).map(|i| NewJob::new(format!("{i}"))).collect();
    let stored = q.enqueue_many(jobs).unwrap();
    assert_eq!(stored.len(), 10_000);
    let mut popped = Vec::new();
    loop {
        let jobs = q.pop(1000).unwrap();
        if jobs.is_empty() {
            break;
        }
        popped.extend(jobs.into_iter().map(|job| job.id().to_owned()));
    }
    assert_eq!(popped, stored.into_iter().map(|s| s.id).collect::<Vec<_>>());
}

#[test]
fn a_waiting_pop_wakes_at_the_due_time() {
    let q = server().queue("wait");
    q.enqueue(NewJob::new("x").delay(Duration::from_millis(300))).unwrap();
    let jobs = q.pop(PopOptions::new(1).wait(Duration::from_secs(20))).unwrap();
    assert_eq!(jobs.len(), 1);
}

#[test]
fn a_cancelled_pop_takes_nothing() {
    let q = server().queue("cancelled pop");
    q.enqueue(NewJob::new("x")).unwrap();
    let token = delayq::CancelToken::new();
    token.cancel();
    assert!(q.pop(PopOptions::new(1).cancel(token)).unwrap().is_empty());
    assert_eq!(q.pop(1).unwrap()[0].deliveries(), 1);
}

#[test]
fn a_waiting_pop_ends_by_close_and_by_its_token() {
    let client = server().client();
    let q = client.queue("close").unwrap();
    q.enqueue(NewJob::new("x").delay(HOUR)).unwrap();
    let token = delayq::CancelToken::new();
    let wait = PopOptions::new(1).wait(HOUR);
    std::thread::scope(|s| {
        let cancelled = s.spawn(|| q.pop(wait.clone().cancel(token.clone())));
        token.cancel();
        assert!(cancelled.join().unwrap().unwrap().is_empty());
        let closed = s.spawn(|| q.pop(wait.clone()));
        client.close();
        assert_eq!(closed.join().unwrap().unwrap_err().kind(), ErrorKind::Closed);
    });
    client.close();
    assert_eq!(q.pop(1).unwrap_err().kind(), ErrorKind::Closed);
}

#[test]
fn expired_leases_come_back_and_die_after_too_many_deliveries() {
    let options = QueueOptions::new().lease(Duration::from_millis(1)).max_deliveries(2);
    let q = server().client().queue_with("expired", options).unwrap();
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    let first = q.pop(PopOptions::new(1)).unwrap();
    let swept = support::until(|| Some(q.requeue(100).unwrap()).filter(|s| s.total() > 0));
    assert_eq!((swept.requeued, swept.dead), (1, 0));
    assert_eq!(q.ack(&first[0]).unwrap_err().kind(), ErrorKind::LeaseLost);
    assert_eq!(q.pop(1).unwrap()[0].deliveries(), 2);
    let swept = support::until(|| Some(q.requeue(100).unwrap()).filter(|s| s.total() > 0));
    assert_eq!((swept.requeued, swept.dead), (0, 1));
    assert_eq!(q.cancel("a").unwrap(), CancelOutcome::Dead);
}

#[test]
fn a_flushed_script_cache_is_not_noticed() {
    let server = server();
    let q = server.queue("noscript");
    for id in ["a", "b"] {
        server.redis(redis::cmd("SCRIPT").arg("FLUSH"));
        q.enqueue(NewJob::new("x").id(id)).unwrap();
        server.redis(redis::cmd("SCRIPT").arg("FLUSH"));
        let jobs = q.pop(1).unwrap();
        server.redis(redis::cmd("SCRIPT").arg("FLUSH"));
        q.ack(&jobs[0]).unwrap();
    }
}

#[test]
fn a_delay_that_passes_year_9999_by_the_servers_clock_is_refused_with_its_id() {
    let q = server().queue("late");
    let late = NewJob::new("x").id("b").delay(Duration::from_millis(delayq::time::MAX_MS as u64));
    let e = q.enqueue_many(vec![NewJob::new("x").id("a"), late]).unwrap_err();
    assert_eq!((e.kind(), e.id()), (ErrorKind::InvalidArgument, Some("b")));
    assert_eq!(q.cancel("a").unwrap(), CancelOutcome::Missing, "the chunk is refused as a whole");
}

#[test]
fn modes_decide_on_a_known_id() {
    let q = server().queue("modes");
    let job = |payload: &str, mode| NewJob::new(payload).id("a").delay(HOUR).mode(mode);
    assert_eq!(q.enqueue(job("1", Mode::Reschedule)).unwrap().outcome, EnqueueOutcome::Missing);
    assert_eq!(q.enqueue(job("1", Mode::Keep)).unwrap().outcome, EnqueueOutcome::Created);
    assert_eq!(q.enqueue(job("2", Mode::Keep)).unwrap().outcome, EnqueueOutcome::Kept);
    assert_eq!(q.enqueue(job("3", Mode::Replace)).unwrap().outcome, EnqueueOutcome::Replaced);
    let now = NewJob::new("4").id("a").mode(Mode::Reschedule);
    assert_eq!(q.enqueue(now).unwrap().outcome, EnqueueOutcome::Moved);
    assert_eq!(q.pop(1).unwrap()[0].payload(), b"3");
}

#[test]
fn counters_that_were_overwritten_by_hand_stop_no_job() {
    let server = server();
    let q = server.queue("counters");
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    for field in ["enqueued", "delivered", "acked", "cancelled"] {
        server.redis(redis::cmd("HSET").arg("delay:stats:{counters}").arg(field).arg("nonsense"));
    }
    q.enqueue(NewJob::new("x").id("b")).unwrap();
    let jobs = q.pop(1).unwrap();
    assert_eq!(q.ack(&jobs[0]).unwrap(), AckOutcome::Acked);
    assert_eq!(q.cancel("b").unwrap(), CancelOutcome::Scheduled);
}

#[test]
fn an_id_that_is_no_text_does_not_hide_what_is_broken_behind_it() {
    let server = server();
    let q = server.queue("no text");
    let foreign: &[u8] = b"\xff\xfe";
    let add =
        redis::cmd("ZADD").arg("delay:zset:{no text}").arg(1).arg(foreign).arg(2).arg("lost").to_owned();
    server.redis(&add);
    let repaired = q.repair(100).unwrap();
    assert_eq!(repaired.orphaned, 1);
    assert_eq!(q.get("lost").unwrap().state.as_str(), "orphan");
}

#[test]
fn counts_beyond_any_number_end_at_the_largest() {
    let server = server();
    let q = server.queue("beyond");
    for place in 0..3 {
        let field = format!("lateness:{place}");
        server.redis(redis::cmd("HSET").arg("delay:stats:{beyond}").arg(field).arg(i64::MAX));
    }
    server.redis(redis::cmd("HSET").arg("delay:stats:{beyond}").arg("enqueued").arg(i64::MAX));
    q.enqueue(NewJob::new("x")).unwrap();
    let stats = q.stats().unwrap();
    assert_eq!(stats.counter("enqueued"), i64::MAX as u64, "a counter that is full stops no job");
    assert_eq!((stats.lateness.count(), stats.lateness.p50()), (u64::MAX, Some(1)));
}
