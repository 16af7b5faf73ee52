//! The server process: start, ready, stop.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, SigmaskHow, Signal, kill};
use nix::unistd::Pid;

use crate::error::{Error, ErrorKind, Result};
use crate::fork::{Abandon, ForkCell};

/// The socket's name in the folder.
pub(super) const SOCKET: &str = "delayq.sock";

const CONFIG: &str = "\
# Written by delayq at every start; changes are lost.
port 0
unixsocket delayq.sock
unixsocketperm 700
dir .
daemonize no
logfile server.log
save \"\"
appendonly yes
appendfsync everysec
maxmemory-policy noeviction
# The older name of hash-max-listpack-value, which every supported server knows: small jobs take less memory.
hash-max-ziplist-value 1024
";

/// Starts the server and says its process id. A helper ends the server when our end of the pipe on standard
/// input is closed, which the kernel does even if we are killed. The shell itself lives as long as the server.
const WATCHER: &str = r#""$0" server.conf </dev/null >server.out 2>&1 &
server=$!
echo $server
exec 3<&0 >&-
( while read -r _; do :; done; kill $server ) <&3 2>/dev/null &
helper=$!
wait $server
kill $helper 2>/dev/null"#;

const START_LIMIT: Duration = Duration::from_secs(20);
const STOP_LIMIT: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The servers that this process has started, by folder.
static STARTED: ForkCell<Started> = ForkCell::new();

#[derive(Default)]
struct Started(Mutex<Vec<(PathBuf, Weak<Server>)>>);

impl Abandon for Started {
    fn abandon(&self) {}
}

/// This process's list of them.
fn list() -> MutexGuard<'static, Vec<(PathBuf, Weak<Server>)>> {
    STARTED.get().0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running server of this process; dropping it stops the server.
pub(super) struct Server {
    watcher: Mutex<Child>,
    pid: Pid,
    owner: u32,
}

/// The server that this process has started in the folder, if it did.
pub(super) fn registered(dir: &Path) -> Option<Arc<Server>> {
    list().iter().filter(|(of, _)| of == dir).find_map(|(_, server)| server.upgrade())
}

/// Whether a server takes connections on the socket, be it still loading.
pub(super) fn answers(socket: &Path) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(b"PING\r\n")?;
        let mut first = [0u8; 1];
        stream.read_exact(&mut first)?;
        Ok(matches!(first[0], b'+' | b'-'))
    };
    ask().unwrap_or(false)
}

/// Starts a server in the folder and waits until it answers. The caller holds the folder's lock.
pub(super) fn start(dir: &Path, binary: &Path) -> Result<Arc<Server>> {
    let failed = |what: &dyn std::fmt::Display| {
        let message = format!("{} could not be started in {}: {what}", binary.display(), dir.display());
        Error::new(ErrorKind::Unavailable, message)
    };
    fs::write(dir.join("server.conf"), CONFIG).map_err(|e| failed(&e).with_source(e))?;
    let mut watcher = Command::new("sh");
    watcher
        .arg("-c")
        .arg(WATCHER)
        .arg(binary)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0); // Ctrl-C in a terminal is for the program, not for its server
    let mut watcher = seeing_signals(|| watcher.spawn()).map_err(|e| failed(&e).with_source(e))?;
    let pid = read_pid(&mut watcher).map_err(|e| failed(&e))?;
    let server = Server { watcher: Mutex::new(watcher), pid, owner: process::id() };
    let socket = dir.join(SOCKET);
    let started = Instant::now();
    while !answers(&socket) {
        if server.has_exited() || started.elapsed() > START_LIMIT {
            return Err(failed(&last_words(dir)));
        }
        thread::sleep(LOOK_EVERY);
    }
    let server = Arc::new(server);
    list().push((dir.to_owned(), Arc::downgrade(&server)));
    Ok(server)
}

/// Runs this with no signal blocked: a child inherits the mask of the thread that starts it, and neither the server
/// could be stopped without SIGTERM nor its watcher see that without SIGCHLD.
fn seeing_signals<T>(run: impl FnOnce() -> T) -> T {
    let before = SigSet::empty().thread_swap_mask(SigmaskHow::SIG_SETMASK);
    let result = run();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    result
}

fn read_pid(watcher: &mut Child) -> std::io::Result<Pid> {
    let no_pid = || std::io::Error::other("its watcher did not say its process id");
    let mut line = String::new();
    BufReader::new(watcher.stdout.take().ok_or_else(no_pid)?).read_line(&mut line)?;
    line.trim().parse().map(Pid::from_raw).map_err(|_| no_pid())
}

/// Why a server did not start: the last line it wrote before or after it opened its log.
fn last_words(dir: &Path) -> String {
    ["server.out", "server.log"]
        .into_iter()
        .filter_map(|name| fs::read_to_string(dir.join(name)).ok())
        .filter_map(|text| text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned))
        .next()
        .unwrap_or_else(|| "it said nothing".to_owned())
}

impl Server {
    /// The watcher lives as long as the server.
    fn has_exited(&self) -> bool {
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(watcher.try_wait(), Ok(None))
    }

    fn wait_for_exit(&self, limit: Duration) -> bool {
        let started = Instant::now();
        while !self.has_exited() {
            if started.elapsed() > limit {
                return false;
            }
            thread::sleep(LOOK_EVERY);
        }
        true
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.owner != process::id() {
            return; // a forked child's copy
        }
        list().retain(|(_, server)| server.strong_count() > 0); // without this one, which counts no more
        if self.has_exited() {
            return;
        }
        // To the server itself: closing the pipe is not enough while a forked child holds the other copy.
        let _ = kill(self.pid, Signal::SIGTERM);
        if !self.wait_for_exit(STOP_LIMIT) {
            let _ = kill(self.pid, Signal::SIGKILL);
            self.wait_for_exit(STOP_LIMIT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded::find;

    #[test]
    fn a_server_started_where_signals_are_blocked_can_be_stopped() {
        let dir = tempfile::tempdir().unwrap();
        let thread = thread::spawn(move || {
            SigSet::all().thread_block().unwrap();
            let server = start(dir.path(), &find::server(None).unwrap()).unwrap();
            assert!(SigSet::thread_get_mask().unwrap().contains(Signal::SIGTERM), "the mask is as before");
            let stopping = Instant::now();
            drop(server);
            assert!(stopping.elapsed() < STOP_LIMIT, "it had to be killed");
        });
        thread.join().unwrap();
    }

    #[test]
    fn a_stopped_server_leaves_nothing_in_the_list() {
        let dir = tempfile::tempdir().unwrap();
        let server = start(dir.path(), &find::server(None).unwrap()).unwrap();
        assert!(registered(dir.path()).is_some());
        drop(server);
        assert!(list().iter().all(|(of, _)| of != dir.path()));
    }
}
