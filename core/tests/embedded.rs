//! The embedded server's life: started once, shared, stopped with its owner, and never left behind.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use delayq::{Client, ErrorKind, NewJob, PopOptions};
use support::{embedded, until};

#[test]
fn two_clients_share_one_server_and_the_last_one_stops_it() {
    let dir = tempfile::tempdir().unwrap();
    let first = Client::open(embedded(dir.path())).unwrap();
    let second = Client::open(embedded(dir.path())).unwrap();
    first.queue("t").unwrap().enqueue(NewJob::new("x").id("a")).unwrap();
    first.close();
    assert_eq!(second.queue("t").unwrap().pop(1).unwrap()[0].id(), "a");
    second.close();
    assert!(UnixStream::connect(dir.path().join("delayq.sock")).is_err(), "the server is gone");
}

#[test]
fn data_survives_a_stop() {
    let dir = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let client = Client::open(embedded(dir.path())).unwrap();
        let q = client.queue("t").unwrap();
        assert_eq!(q.pop(10).unwrap().len(), usize::from(round > 0));
        q.enqueue(NewJob::new("x").id("a")).unwrap();
    }
}

#[test]
fn many_clients_at_once_start_one_server() {
    let dir = tempfile::tempdir().unwrap();
    let clients: Vec<_> = std::thread::scope(|s| {
        let open = || Client::open(embedded(dir.path())).unwrap();
        let started: Vec<_> = (0..8).map(|_| s.spawn(open)).collect();
        started.into_iter().map(|client| client.join().unwrap()).collect()
    });
    clients[0].queue("t").unwrap().enqueue(NewJob::new("x")).unwrap();
    assert_eq!(clients[7].queue("t").unwrap().pop(10).unwrap().len(), 1);
}

/// The child of the next test: owns the server and says so, then waits to be killed.
#[test]
fn helper_that_owns_a_server() {
    let Some(dir) = std::env::var_os("DELAYQ_TEST_OWNED_DIR") else { return };
    let client = Client::open(format!("embedded:{}", dir.display())).unwrap();
    client.queue("t").unwrap().enqueue(NewJob::new("x").id("a")).unwrap();
    assert_eq!(client.queue("t").unwrap().pop(1).unwrap().len(), 1);
    println!("ready");
    let _ = client.queue("t").unwrap().pop(PopOptions::new(1).wait(Duration::from_secs(3600)));
}

#[test]
fn a_killed_owner_takes_its_server_along_and_an_attached_client_starts_it_again() {
    use std::io::{BufRead, BufReader};
    let dir = tempfile::tempdir().unwrap();
    let mut owner = Command::new(std::env::current_exe().unwrap())
        .args(["helper_that_owns_a_server", "--exact", "--nocapture"])
        .env("DELAYQ_TEST_OWNED_DIR", dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let said = BufReader::new(owner.stdout.take().unwrap());
    assert!(said.lines().map_while(Result::ok).any(|line| line.contains("ready")));
    let attached = Client::open(embedded(dir.path())).unwrap();
    let q = attached.queue("t").unwrap();
    q.requeue(1).unwrap();
    owner.kill().unwrap();
    owner.wait().unwrap();
    let socket = dir.path().join("delayq.sock");
    until(|| UnixStream::connect(&socket).is_err().then_some(()));
    // A call that is safe to repeat finds the way; another one might say `timeout` on the broken connection.
    q.requeue(1).unwrap();
    // The data is there, and the attached client is the owner from now on.
    assert_eq!(q.cancel("a").unwrap().as_str(), "processing");
    attached.close();
    assert!(UnixStream::connect(&socket).is_err(), "stopped with its new owner");
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("appendonlydir")).unwrap();
    std::fs::write(dir.path().join("appendonlydir/appendonly.aof.manifest"), "nonsense").unwrap();
    std::fs::write(dir.path().join("appendonly.aof"), "nonsense").unwrap();
    let e = Client::open(embedded(dir.path())).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Unavailable);
    assert!(e.message().contains("AOF") || e.message().to_lowercase().contains("append only"), "{e}");
}

#[test]
fn a_folder_that_cannot_be_used_is_an_invalid_argument() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let deep = dir.path().join("x".repeat(120));
    for bad in [file, deep] {
        let e = Client::open(embedded(&bad)).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
    }
}
