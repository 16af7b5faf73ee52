//! Broken, silent and restarting servers: no call hangs, none is executed twice, none gets another's answer.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use delayq::{
    CancelToken, Client, ClientOptions, Delivery, ErrorKind, NewJob, PopOptions, Queue, QueueOptions, Worker,
};
use support::{server, until};

const HOUR: Duration = Duration::from_secs(3600);

/// What the proxy does with a connection's traffic.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    /// Nothing of the answer comes back, and the connection stays open.
    Silence,
    /// The request reaches the server; the connection is cut before its answer.
    CutAnswer,
    /// The connection is cut instead of passing the request on.
    CutRequest,
    /// Half of the answer comes back, then nothing.
    HalfAnswer,
}

/// A proxy in front of the server's socket that can be told to misbehave once.
struct Proxy {
    port: u16,
    fault: Arc<Mutex<Fault>>,
    connections: Arc<AtomicUsize>,
}

impl Proxy {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let fault = Arc::new(Mutex::new(Fault::None));
        let connections = Arc::new(AtomicUsize::new(0));
        let (fault_, connections_) = (Arc::clone(&fault), Arc::clone(&connections));
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                connections_.fetch_add(1, Ordering::SeqCst);
                let fault = Arc::clone(&fault_);
                thread::spawn(move || relay(client, &fault));
            }
        });
        Proxy { port, fault, connections }
    }

    fn fail_next(&self, fault: Fault) {
        *self.fault.lock().unwrap() = fault;
    }

    fn client(&self) -> Client {
        ClientOptions::new(format!("redis://127.0.0.1:{}", self.port))
            .timeout(Duration::from_millis(300))
            .connect_timeout(Duration::from_secs(2))
            .retry_for(Duration::from_secs(2))
            .open()
            .unwrap()
    }

    fn queue(&self, topic: &str) -> Queue {
        self.client().queue(topic).unwrap()
    }
}

/// Passes one request and its answer at a time; the client sends one command and waits, so that is enough.
fn relay(mut client: TcpStream, fault: &Mutex<Fault>) {
    let mut server = server().connect();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let Ok(n @ 1..) = client.read(&mut buffer) else { return };
        // Only a script call is failed, so that setting up a connection works.
        let is_script = buffer[..n].windows(4).any(|w| w == b"EVAL");
        let now =
            if is_script { std::mem::replace(&mut *fault.lock().unwrap(), Fault::None) } else { Fault::None };
        if now == Fault::CutRequest {
            return;
        }
        server.write_all(&buffer[..n]).unwrap();
        let Ok(n @ 1..) = server.read(&mut buffer) else { return };
        match now {
            Fault::None | Fault::CutRequest => client.write_all(&buffer[..n]).unwrap(),
            Fault::CutAnswer => return,
            Fault::HalfAnswer => client.write_all(&buffer[..n / 2]).unwrap(),
            Fault::Silence => {}
        }
        if now == Fault::Silence || now == Fault::HalfAnswer {
            let _ = client.read(&mut buffer); // until the client gives up
            return;
        }
    }
}

#[test]
fn an_unknown_outcome_is_a_timeout_and_is_not_repeated() {
    for (i, fault) in [Fault::Silence, Fault::CutAnswer, Fault::HalfAnswer].into_iter().enumerate() {
        let proxy = Proxy::start();
        let q = proxy.queue(&format!("unknown{i}"));
        q.enqueue(NewJob::new("warm").id("warm")).unwrap();
        proxy.fail_next(fault);
        let e = q.enqueue(NewJob::new("x").id("a")).unwrap_err();
        assert_eq!(
            (e.kind(), e.verb(), e.id()),
            (ErrorKind::Timeout, Some("enqueue"), Some("a")),
            "{fault:?}"
        );
        // It had been carried out once, and the next calls get their own answers.
        let jobs = q.pop(10).unwrap();
        assert_eq!(jobs.len(), 2, "{fault:?}");
        assert_eq!(q.cancel("a").unwrap().as_str(), "processing", "{fault:?}");
    }
}

#[test]
fn a_request_that_never_arrived_is_reported_as_unknown_and_an_ack_is_repeated() {
    let proxy = Proxy::start();
    let q = proxy.queue("cut");
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    proxy.fail_next(Fault::CutRequest);
    assert_eq!(q.pop(1).unwrap_err().kind(), ErrorKind::Timeout);
    let jobs = q.pop(1).unwrap();
    assert_eq!(jobs.len(), 1, "the cut pop took nothing");
    for fault in [Fault::CutRequest, Fault::CutAnswer, Fault::Silence] {
        proxy.fail_next(fault);
        let outcome = q.ack(&jobs[0]).unwrap();
        assert!(matches!(outcome.as_str(), "acked" | "already"), "{fault:?}: {outcome}");
    }
}

#[test]
fn an_ack_is_not_repeated_if_its_done_marker_may_have_expired_by_then() {
    let proxy = Proxy::start();
    for (i, done_ttl) in
        [Duration::ZERO, Duration::from_micros(300), Duration::from_secs(1)].into_iter().enumerate()
    {
        let options = QueueOptions::new().done_ttl(done_ttl);
        let q = proxy.client().queue_with(&format!("short marker {i}"), options).unwrap();
        q.enqueue(NewJob::new("x").id("a")).unwrap();
        let jobs = q.pop(1).unwrap();
        proxy.fail_next(Fault::CutAnswer);
        assert_eq!(q.ack(&jobs[0]).unwrap_err().kind(), ErrorKind::Timeout, "not lease_lost: {done_ttl:?}");
        assert_eq!(q.stats().unwrap().counter("acked"), 1);
    }
}

#[test]
fn a_server_that_falls_silent_while_we_log_in_is_given_up_within_the_connect_timeout() {
    const HELLO: &str = "%1\r\n+proto\r\n:3\r\n";
    // The answers to what a connection asks first, one by one; then nothing.
    const ANSWERS: [&[&str]; 5] =
        [&[], &["%1\r\n+pro"], &[HELLO], &[HELLO, "+O"], &[HELLO, "+OK\r\n", "+OK\r\n"]];
    for answers in ANSWERS {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let silent = thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            let mut asked = [0; 4096];
            for answer in answers {
                let _ = client.read(&mut asked);
                let _ = client.write_all(answer.as_bytes());
            }
            while matches!(client.read(&mut asked), Ok(1..)) {} // until the client gives up
        });
        let client = ClientOptions::new(format!("redis://:pw@127.0.0.1:{port}?protocol=resp3"))
            .connect_timeout(Duration::from_millis(300))
            .timeout(Duration::from_millis(300))
            .retry_for(Duration::ZERO)
            .open()
            .unwrap();
        let started = Instant::now();
        let kind = client.ping().unwrap_err().kind();
        assert!(matches!(kind, ErrorKind::Unavailable | ErrorKind::Timeout), "{answers:?}: {kind}");
        assert!(started.elapsed() < Duration::from_secs(10), "{answers:?} took {:?}", started.elapsed());
        silent.join().unwrap();
    }
}

#[test]
fn two_hundred_broken_connections_leave_none_behind() {
    let proxy = Proxy::start();
    let name = "leak-check";
    let options = ClientOptions::new(format!("redis://127.0.0.1:{}", proxy.port)).client_name(name);
    let q = options.open().unwrap().queue("leak").unwrap();
    for i in 0..200 {
        proxy.fail_next(Fault::CutAnswer);
        assert_eq!(q.enqueue(NewJob::new("x").id(format!("{i}"))).unwrap_err().kind(), ErrorKind::Timeout);
    }
    q.enqueue(NewJob::new("x")).unwrap();
    assert!(proxy.connections.load(Ordering::SeqCst) >= 200);
    let open = || {
        let list = server().redis(redis::cmd("CLIENT").arg("LIST"));
        redis::from_redis_value::<String>(list).unwrap().matches(&format!("name={name} ")).count()
    };
    until(|| (open() == 1).then_some(()));
}

#[test]
fn a_restarted_server_is_found_again_by_every_connection() {
    let dir = tempfile::tempdir().unwrap();
    let client = Client::open(support::embedded(dir.path())).unwrap();
    let q = client.queue("restart").unwrap();
    q.enqueue(NewJob::new("x").id("a").delay(HOUR)).unwrap();
    let watcher = ClientOptions::new(format!("unix://{}/delayq.sock", dir.path().display())).open().unwrap();
    let watched = watcher.queue("restart").unwrap();
    thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| watched.pop(1).unwrap()); // several connections
        }
    });
    drop((client, q)); // the owner goes, and the server with it
    assert_eq!(
        watched.requeue(1).err().map(|e| e.kind()),
        Some(ErrorKind::Unavailable),
        "nobody restarts a server for a plain URL"
    );
    let owner = Client::open(support::embedded(dir.path())).unwrap();
    assert_eq!(
        owner.queue("restart").unwrap().cancel("a").unwrap().as_str(),
        "scheduled",
        "the data is still there"
    );
    assert_eq!(watched.enqueue(NewJob::new("y").id("b")).unwrap().outcome.as_str(), "created");
}

#[test]
fn a_cancel_ends_a_pop_that_tries_to_reach_its_server() {
    let dir = tempfile::tempdir().unwrap();
    let owner = Client::open(support::embedded(dir.path())).unwrap();
    let socket = format!("unix://{}/delayq.sock", dir.path().display());
    let q = ClientOptions::new(socket).retry_for(HOUR).open().unwrap().queue("gone").unwrap();
    q.enqueue(NewJob::new("x").id("a").delay(HOUR)).unwrap();
    assert!(q.pop(1).unwrap().is_empty());
    drop(owner); // the server ends, and in its place is somebody who turns everybody away
    let path = dir.path().join("delayq.sock");
    let _ = std::fs::remove_file(&path);
    let door = UnixListener::bind(&path).unwrap();
    let token = CancelToken::new();
    thread::scope(|s| {
        let popped = s.spawn(|| q.pop(PopOptions::new(1).wait(HOUR).cancel(token.clone())).unwrap());
        (0..6).for_each(|_| drop(door.accept().unwrap()));
        assert!(!popped.is_finished(), "it goes on trying");
        token.cancel();
        drop(door);
        until(|| popped.is_finished().then_some(()));
        assert!(popped.join().unwrap().is_empty());
    });
}

#[test]
fn calls_from_many_threads_share_a_handle() {
    let q = server().queue("threads");
    thread::scope(|s| {
        for t in 0..16 {
            let q = &q;
            s.spawn(move || {
                for i in 0..50 {
                    q.enqueue(NewJob::new("x").id(format!("{t}-{i}"))).unwrap();
                }
            });
        }
    });
    let taken = Mutex::new(Vec::new());
    thread::scope(|s| {
        for _ in 0..16 {
            s.spawn(|| {
                loop {
                    let jobs = q.pop(7).unwrap();
                    if jobs.is_empty() {
                        return;
                    }
                    for job in jobs {
                        q.ack(&job).unwrap();
                        taken.lock().unwrap().push(job.id().to_owned());
                    }
                }
            });
        }
    });
    let mut taken = taken.into_inner().unwrap();
    assert_eq!(taken.len(), 800);
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), 800, "each job has one owner");
}

#[test]
fn eight_sweepers_bring_each_expired_job_back_once() {
    let q = server().queue("sweepers");
    let jobs = (0..500).map(|i| NewJob::new("x").id(format!("{i}"))).collect();
    q.enqueue_many(jobs).unwrap();
    assert_eq!(q.pop(delayq::PopOptions::new(500).lease(Duration::from_millis(1))).unwrap().len(), 500);
    let swept = AtomicUsize::new(0);
    thread::scope(|s| {
        for _ in 0..8 {
            s.spawn(|| {
                until(|| {
                    let n = q.requeue(10).unwrap().total() as usize;
                    (swept.fetch_add(n, Ordering::SeqCst) + n >= 500).then_some(())
                })
            });
        }
    });
    assert_eq!(swept.load(Ordering::SeqCst), 500);
    let again = q.pop(1000).unwrap();
    assert_eq!(again.len(), 500);
    assert!(again.iter().all(|job| job.deliveries() == 2 && job.retry_count() == 0));
}

#[test]
fn a_full_server_refuses_jobs_and_still_delivers_and_takes_acks() {
    let dir = tempfile::tempdir().unwrap();
    let client = Client::open(support::embedded(dir.path())).unwrap();
    let q = client.queue("full").unwrap();
    q.enqueue(NewJob::new("x").id("a")).unwrap();
    let socket = format!("unix://{}/delayq.sock", dir.path().display());
    let mut raw = redis::Client::open(socket).unwrap().get_connection().unwrap();
    redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(1).exec(&mut raw).unwrap();
    let e = q.enqueue(NewJob::new("y").id("b")).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Server);
    assert!(e.message().contains("OOM"), "{e}");
    let jobs = q.pop(10).unwrap();
    assert_eq!(jobs.len(), 1, "the refused job left nothing behind");
    assert_eq!(q.ack(&jobs[0]).unwrap().as_str(), "acked");
    redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(0).exec(&mut raw).unwrap();
    assert_eq!(q.enqueue(NewJob::new("y").id("b")).unwrap().outcome.as_str(), "created");
}

#[test]
fn a_full_server_has_the_jobs_of_crashed_consumers_run_again() {
    let dir = tempfile::tempdir().unwrap();
    let crashed = Client::open(support::embedded(dir.path())).unwrap().queue("crashed").unwrap();
    crashed.enqueue(NewJob::new("x").id("a")).unwrap();
    assert_eq!(crashed.pop(PopOptions::new(1).lease(Duration::from_millis(1))).unwrap().len(), 1);
    let socket = format!("unix://{}/delayq.sock", dir.path().display());
    let mut raw = redis::Client::open(&*socket).unwrap().get_connection().unwrap();
    redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(1).exec(&mut raw).unwrap();
    let q = Client::open(&socket).unwrap().queue("crashed").unwrap();
    let worker = Worker::builder().handle(q.clone(), |_: &Delivery| ()).start().unwrap();
    until(|| (q.stats().unwrap().counter("acked") == 1).then_some(()));
    worker.stop(HOUR);
}

#[test]
fn a_burst_into_a_server_that_fills_up_loses_no_accepted_job() {
    let dir = tempfile::tempdir().unwrap();
    let client = Client::open(support::embedded(dir.path())).unwrap();
    let q = client.queue("burst").unwrap();
    let socket = format!("unix://{}/delayq.sock", dir.path().display());
    let mut raw = redis::Client::open(socket).unwrap().get_connection().unwrap();
    let info: String = redis::cmd("INFO").arg("memory").query(&mut raw).unwrap();
    let used = info.lines().find_map(|line| line.strip_prefix("used_memory:")).unwrap();
    let limit = used.parse::<u64>().unwrap() + 4_000_000;
    redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(limit).exec(&mut raw).unwrap();
    let (accepted, refused, done) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let take = |max| {
        let jobs = q.pop(max).unwrap();
        let acked = q.ack_many(&jobs).unwrap().iter().filter(|outcome| outcome.as_str() == "acked").count();
        done.fetch_add(acked, Ordering::SeqCst);
        acked
    };
    thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                for _ in 0..50 {
                    match q.enqueue_many(vec![NewJob::new(vec![7; 1000]); 100]) {
                        Ok(stored) => _ = accepted.fetch_add(stored.len(), Ordering::SeqCst),
                        Err(e) => {
                            assert!(e.kind() == ErrorKind::Server && e.message().contains("OOM"), "{e}");
                            refused.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                }
            });
        }
        s.spawn(|| (0..50).for_each(|_| _ = take(10)));
    });
    assert!(refused.load(Ordering::SeqCst) > 0, "the server was filled up");
    while take(1000) > 0 {}
    assert_eq!(done.load(Ordering::SeqCst), accepted.load(Ordering::SeqCst));
    let stats = q.stats().unwrap();
    assert_eq!((stats.backlog, stats.processing, stats.orphans), (0, 0, 0));
}
