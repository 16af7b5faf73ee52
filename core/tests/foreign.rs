//! What other hands have written into our keys does not keep anybody from their jobs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use delayq::{Delivery, NewJob, QueueOptions, State, Worker};
use redis::cmd;
use support::{server, until};

#[test]
fn an_id_that_is_no_text_becomes_an_orphan_and_can_be_purged() {
    let q = server().queue("foreign-id");
    let not_text: [&[u8]; 11] = [
        b"",
        b"nul \0",
        b"\xff",
        b"\x80 continues nothing",
        b"cut off \xc3",
        b"cut off \xe2\x82",
        b"cut off \xf0\x9f\x98",
        b"overlong \xc0\xaf",
        b"overlong \xe0\x80\xaf",
        b"surrogate \xed\xa0\x80",
        b"beyond \xf4\x90\x80\x80",
    ];
    for (i, id) in not_text.iter().enumerate() {
        server().redis(cmd("ZADD").arg("delay:zset:{foreign-id}").arg(i).arg(id));
        let body = [b"delay:job:{foreign-id}:", *id].concat();
        server().redis(cmd("HSET").arg(&body).arg(&["payload", "x"]));
    }
    let text =
        ["é", "€", "\u{800}", "\u{ffff}", "😀", "\u{10ffff}", "\u{80}é€😀", "plain", "\u{d7ff}\u{e000}"];
    q.enqueue_many(text.iter().map(|id| NewJob::new("x").id(*id)).collect()).unwrap();
    let mut ids: Vec<String> = q.pop(100).unwrap().iter().map(|job| job.id().to_owned()).collect();
    let mut expected = text.map(str::to_owned).to_vec();
    ids.sort();
    expected.sort();
    assert_eq!(ids, expected);
    let orphans = q.list(State::Orphan, 0, 100).unwrap();
    assert_eq!(orphans.len(), not_text.len());
    assert!(orphans.iter().any(|orphan| orphan.id == "\u{fffd} continues nothing"));
    assert_eq!(q.purge(State::Orphan, 100).unwrap().purged, not_text.len() as u64);
}

#[test]
fn absurd_counters_and_fields_are_read_as_far_as_they_make_sense() {
    let q = server().queue("foreign-numbers");
    for (id, retries, deliveries) in
        [("a", "1e300", "-7"), ("b", "nan", "inf"), ("c", "many", ""), ("d", "3", "4")]
    {
        q.enqueue(NewJob::new("x").id(id)).unwrap();
        let body = format!("delay:job:{{foreign-numbers}}:{id}");
        server().redis(cmd("HSET").arg(&body).arg(&["retry_count", retries, "deliveries", deliveries]));
        server().redis(cmd("HSET").arg(&body).arg(b"\xff").arg(b"\xff"));
    }
    let jobs = q.pop(10).unwrap();
    assert_eq!(jobs.len(), 4);
    let by_id = |id: &str| jobs.iter().find(|job| job.id() == id).unwrap();
    assert_eq!((by_id("c").retry_count(), by_id("c").deliveries()), (0, 1));
    assert_eq!((by_id("d").retry_count(), by_id("d").deliveries()), (3, 5));
    assert_eq!(q.list(State::Processing, 0, 10).unwrap().len(), 4);
    assert!(q.ack_many(&jobs).unwrap().iter().all(|outcome| outcome.as_str() == "acked"));
}

#[test]
fn a_running_job_that_another_hand_removed_is_revoked_at_the_next_heartbeat() {
    let options = QueueOptions::new().lease(Duration::from_millis(600));
    let q = server().client().queue_with("foreign-running", options).unwrap();
    let revoked = Arc::new(AtomicBool::new(false));
    let revoked_ = Arc::clone(&revoked);
    let handler = move |job: &Delivery| {
        let body = format!("delay:job:{{foreign-running}}:{}", job.id());
        server().redis(cmd("ZREM").arg("delay:processing:{foreign-running}").arg(job.id()));
        server().redis(cmd("DEL").arg(body));
        revoked_.store(job.sleep(Duration::from_secs(20)), Ordering::SeqCst);
    };
    let worker = Worker::builder().handle(q.clone(), handler).start().unwrap();
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    until(|| revoked.load(Ordering::SeqCst).then_some(()));
    worker.stop(Duration::from_secs(20));
    assert_eq!(q.stats().unwrap().counter("acked"), 0);
}
