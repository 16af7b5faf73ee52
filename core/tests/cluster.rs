//! A real cluster: routing, slots on the move, logins.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use delayq::{ClientOptions, ErrorKind, Mode, NewJob};
use redis::cmd;
use support::cluster::{Cluster, shared, slot};
use support::until;

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn fifty_topics_lie_on_all_masters_and_every_verb_finds_them() {
    let cluster = shared();
    let client = cluster.options().prefix("fifty").open().unwrap();
    client.ping().unwrap();
    for i in 0..50 {
        let q = client.queue(&format!("topic {i}")).unwrap();
        q.enqueue(NewJob::new("x").id("a")).unwrap();
        q.enqueue_many(vec![NewJob::new("y").id("b").delay(HOUR), NewJob::new("z").id("c").delay(HOUR)])
            .unwrap();
        let jobs = q.pop(10).unwrap();
        assert_eq!(jobs.len(), 1);
        assert_eq!(q.ack(&jobs[0]).unwrap().as_str(), "acked");
        assert_eq!(q.requeue(10).unwrap().total(), 0);
        assert_eq!(q.cancel("b").unwrap().as_str(), "scheduled");
    }
    let mut topics = 0;
    for master in cluster.masters() {
        let keys: Vec<String> = master.ask(cmd("KEYS").arg("fifty:zset:*"));
        assert!(keys.len() >= 5, "{} of 50 topics on one of three masters", keys.len());
        topics += keys.len();
    }
    assert_eq!(topics, 50);
    let known: HashMap<String, String> =
        cluster.owner("fifty:topics").ask(cmd("HGETALL").arg("fifty:topics"));
    assert_eq!(known.len(), 50);
}

#[test]
fn scripts_forgotten_by_every_node_are_taught_again() {
    let cluster = shared();
    let q = cluster.queue("forgotten");
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    let flush = || {
        for node in &cluster.nodes {
            let _: String = node.ask(cmd("SCRIPT").arg("FLUSH"));
        }
    };
    flush();
    let jobs = q.pop(1).unwrap();
    flush();
    assert_eq!(q.ack(&jobs[0]).unwrap().as_str(), "acked");
}

#[test]
fn a_moved_slot_is_followed() {
    let cluster = shared();
    let q = cluster.queue("moved");
    q.enqueue(NewJob::new("x").id("a")).unwrap(); // the map is known from here on
    let slot = slot(&cluster.nodes[0], "{moved}");
    let from = cluster.owner("{moved}");
    let to = cluster.masters().find(|node| node.port != from.port).unwrap();
    from.begin_moving(slot, to);
    from.move_keys(&from.keys_in_slot(slot, 100), to);
    from.end_moving(slot, to);
    assert_eq!(cluster.owner("{moved}").port, to.port);
    let jobs = q.pop(1).unwrap(); // by MOVED, and by NOSCRIPT unless the node knew the script
    assert_eq!(q.ack(&jobs[0]).unwrap().as_str(), "acked");
}

#[test]
fn jobs_of_a_topic_that_moves_key_by_key_under_load_are_acked_once_each() {
    const JOBS: usize = 400;
    let cluster = shared();
    let client = cluster.options().retry_for(Duration::from_secs(20)).open().unwrap();
    let q = client.queue("moving").unwrap();
    q.enqueue_many((0..100).map(|i| NewJob::new("x").id(format!("first-{i}"))).collect()).unwrap();
    let slot = slot(&cluster.nodes[0], "{moving}");
    let from = cluster.owner("{moving}");
    let to = cluster.masters().find(|node| node.port != from.port).unwrap();
    let acked = Mutex::new(Vec::new());
    let all = || acked.lock().unwrap().len() == JOBS;
    thread::scope(|s| {
        for t in 0..3 {
            let q = &q;
            s.spawn(move || {
                for i in 0..100 {
                    let stored = q.enqueue(NewJob::new("x").id(format!("{t}-{i}"))).unwrap();
                    assert_eq!(stored.outcome.as_str(), "created");
                }
            });
        }
        for _ in 0..3 {
            s.spawn(|| {
                while !all() {
                    for job in q.pop(5).unwrap() {
                        assert_eq!(job.deliveries(), 1);
                        assert_eq!(q.ack(&job).unwrap().as_str(), "acked");
                        acked.lock().unwrap().push(job.id().to_owned());
                    }
                }
            });
        }
        until(|| (acked.lock().unwrap().len() > 20).then_some(()));
        from.begin_moving(slot, to);
        loop {
            let keys = from.keys_in_slot(slot, 1);
            if keys.is_empty() {
                break;
            }
            from.move_keys(&keys, to);
        }
        assert!(!all(), "the topic moved under load");
        from.end_moving(slot, to);
    });
    let mut acked = acked.into_inner().unwrap();
    acked.sort();
    acked.dedup();
    assert_eq!(acked.len(), JOBS);
}

/// Between two nodes a body that is on the other one must not pass for a missing one.
#[test]
fn half_a_topic_is_refused_and_nothing_becomes_an_orphan() {
    let cluster = shared();
    let options = || cluster.options().retry_for(Duration::from_millis(50));
    for (topic, bodies_first) in [("half-a", true), ("half-b", false)] {
        let q = options().open().unwrap().queue(topic).unwrap();
        for id in ["a", "b"] {
            q.enqueue(NewJob::new("x").id(id)).unwrap();
        }
        let from = cluster.owner(&format!("{{{topic}}}"));
        // All indexes exist, so that Redis finds all keys of `pop` in one place.
        let key = |name: &str| format!("delay:{name}:{{{topic}}}");
        let _: i64 = from.ask(cmd("ZADD").arg(format!("{}:orphan", key("zset"))).arg(1).arg("o"));
        let _: i64 = from.ask(cmd("ZADD").arg(key("processing")).arg(u64::MAX / 4096).arg("p"));
        let to = cluster.masters().find(|node| node.port != from.port).unwrap();
        let slot = slot(from, &format!("{{{topic}}}"));
        from.begin_moving(slot, to);
        let bodies = |key: &String| key.starts_with("delay:job:");
        let all = from.keys_in_slot(slot, 100);
        let (first, second): (Vec<String>, Vec<String>) =
            all.into_iter().partition(|key| bodies(key) == bodies_first);
        assert!(first.len() >= 2 && second.len() >= 2);
        from.move_keys(&first, to);

        let e = q.pop(10).unwrap_err();
        assert_eq!((e.kind(), e.is_retryable()), (ErrorKind::Server, true), "{e}");
        assert!(e.message().contains("TRYAGAIN"), "{e}");
        assert_eq!(q.enqueue(NewJob::new("x").id("c")).unwrap_err().kind(), ErrorKind::Server);

        from.move_keys(&second, to);
        from.end_moving(slot, to);
        let jobs = q.pop(10).unwrap();
        assert_eq!(jobs.iter().map(delayq::Job::id).collect::<Vec<_>>(), ["a", "b"], "{topic}");
    }
}

#[test]
fn a_single_key_on_its_way_is_found_by_asking() {
    let cluster = shared();
    let client = || cluster.options().prefix("asked").open().unwrap();
    client().queue("one").unwrap().enqueue(NewJob::new("x")).unwrap();
    let topics = "asked:topics".to_owned();
    let slot = slot(&cluster.nodes[0], &topics);
    let from = cluster.owner(&topics);
    let to = cluster.masters().find(|node| node.port != from.port).unwrap();
    from.begin_moving(slot, to);
    from.move_keys(std::slice::from_ref(&topics), to);
    client().queue("two").unwrap().enqueue(NewJob::new("x")).unwrap();
    from.end_moving(slot, to);
    let known: HashMap<String, String> = to.ask(cmd("HGETALL").arg(&topics));
    assert_eq!(known.len(), 2, "{known:?}");
}

#[test]
fn a_login_counts_on_every_node_and_the_documented_rule_is_enough() {
    let cluster = shared();
    let rule =
        include_str!("../../docs/operations.md").lines().find(|line| line.starts_with("resetkeys ")).unwrap();
    for node in &cluster.nodes {
        let mut user = cmd("ACL");
        user.arg("SETUSER").arg("svc+1@x").arg("on").arg(">p@:/?#[],%+");
        rule.split(' ').for_each(|word| _ = user.arg(word));
        let _: String = node.ask(&user);
    }
    let hosts = cluster.url().replace("redis-cluster://", "");
    let url = |password: &str| format!("redis-cluster://svc%2B1%40x:{password}@{hosts}?protocol=resp3");
    let client =
        ClientOptions::new(url("p%40%3A%2F%3F%23%5B%5D%2C%25%2B")).client_name("svc").open().unwrap();
    assert_eq!(client.address(), hosts);
    for i in 0..30 {
        let q = client.queue(&format!("login {i}")).unwrap();
        q.enqueue(NewJob::new("x").id("a")).unwrap();
        let jobs = q.pop(1).unwrap();
        q.ack(&jobs[0]).unwrap();
    }
    for master in cluster.masters() {
        let list: String = master.ask(cmd("CLIENT").arg("LIST"));
        let ours: Vec<&str> = list.lines().filter(|line| line.contains(" name=svc ")).collect();
        assert!(!ours.is_empty() && ours.iter().all(|line| line.contains(" user=svc+1@x ")), "{list}");
    }
    let e = ClientOptions::new(url("wrong-secret")).open().unwrap().ping().unwrap_err();
    assert_eq!((e.kind(), e.is_retryable()), (ErrorKind::Server, false));
    assert!(e.message().contains("password") && !format!("{e:?}").contains("secret"), "{e:?}");
}

#[test]
fn one_node_of_a_cluster_and_a_cluster_of_one_node() {
    let cluster = shared();
    let topic =
        (0..).map(|i| i.to_string()).find(|topic| slot(&cluster.nodes[0], &format!("{{{topic}}}")) >= 6000);
    // Not through the URL of one node …
    let options = ClientOptions::new(format!("redis://127.0.0.1:{}", cluster.nodes[0].port)).prefix("lone");
    let q = options.open().unwrap().queue(&topic.unwrap()).unwrap();
    let e = q.enqueue(NewJob::new("x")).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Server);
    assert!(e.message().contains("redis-cluster://"), "{e}");
    // … but a node that never met another one does not know its own address.
    let alone = Cluster::nodes(1);
    let e = alone.options().retry_for(Duration::ZERO).open().unwrap().ping().unwrap_err();
    assert!(e.message().contains("CLUSTERDOWN") && e.is_retryable(), "{e}");
    let slots: Vec<u16> = (0..16384).collect();
    let _: String = alone.nodes[0].ask(cmd("CLUSTER").arg("ADDSLOTS").arg(slots));
    alone.queue("alone").enqueue(NewJob::new("x")).unwrap();
}

#[test]
fn a_cluster_url_for_a_server_that_is_none_says_so() {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis-cluster://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let done = AtomicBool::new(false);
    thread::scope(|s| {
        s.spawn(|| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = stream.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..n]).into_owned();
                let commands = text.matches('*').count();
                let answer = if text.contains("SLOTS") {
                    "-ERR This instance has cluster support disabled\r\n".to_owned()
                } else {
                    "+OK\r\n".repeat(commands)
                };
                stream.write_all(answer.as_bytes()).unwrap();
            }
            done.store(true, Ordering::SeqCst);
        });
        let e = ClientOptions::new(url).open().unwrap().ping().unwrap_err();
        assert_eq!((e.kind(), e.is_retryable()), (ErrorKind::Server, false));
        assert!(e.message().contains("use a redis:// URL"), "{e}");
    });
    assert!(done.load(Ordering::SeqCst));
}

#[test]
fn all_seeds_down_is_unavailable_and_every_mode_is_told() {
    let options = ClientOptions::new("redis-cluster://127.0.0.1:1,127.0.0.1:2").retry_for(Duration::ZERO);
    let q = options.open().unwrap().queue("t").unwrap();
    for mode in [Mode::Replace, Mode::Keep, Mode::Reschedule] {
        let e = q.enqueue(NewJob::new("x").id("a").mode(mode)).unwrap_err();
        assert_eq!((e.kind(), e.is_retryable()), (ErrorKind::Unavailable, true), "{e}");
    }
}
