//! One real server for the tests of a binary, and a way to await a condition.

#![allow(dead_code, unreachable_pub)]

pub mod cluster;
pub mod told;

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use delayq::{Client, Queue};

pub struct Server {
    client: Client,
    dir: tempfile::TempDir,
}

/// The server of this test binary; tests keep apart by their topics.
pub fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let client = Client::open(embedded(dir.path())).unwrap();
        Server { client, dir }
    })
}

pub fn embedded(dir: &Path) -> String {
    format!("embedded:{}", dir.display())
}

impl Server {
    pub fn url(&self) -> String {
        format!("unix://{}/delayq.sock", self.dir.path().display())
    }

    /// A client of its own, that a test may close.
    pub fn client(&self) -> Client {
        Client::open(self.url()).unwrap()
    }

    /// A bare connection to the server's socket.
    pub fn connect(&self) -> std::os::unix::net::UnixStream {
        std::os::unix::net::UnixStream::connect(self.dir.path().join("delayq.sock")).unwrap()
    }

    pub fn queue(&self, topic: &str) -> Queue {
        self.client.queue(topic).unwrap()
    }

    pub fn redis(&self, command: &redis::Cmd) -> redis::Value {
        let mut connection = redis::Client::open(self.url()).unwrap().get_connection().unwrap();
        command.query(&mut connection).unwrap()
    }
}

/// Looks until there is something to see; fails after 20 s.
pub fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "waited in vain");
        std::thread::sleep(Duration::from_millis(2));
    }
}
