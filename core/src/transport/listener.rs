//! One thread per client and process that listens for hints, so that a waiting `pop` wakes when an earlier job
//! arrives. Hints are a help and no promise: whoever waits looks from time to time anyway, more often while
//! nobody listens.

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use redis::{Msg, RedisResult, Value};

use super::signals::SignalsHeld;
use super::{Transport, lock};

/// The thread looks this often whether it is still wanted; the kernel makes it some ms more.
const GLANCE: Duration = Duration::from_millis(100);

/// How long a close waits for the thread, which ends within a glance unless it hangs in a connect.
const END_LIMIT: Duration = Duration::from_millis(500);

/// Between two connections; longer and longer while none can be had, or an ACL forbids to listen.
const RECONNECT_FIRST: Duration = Duration::from_millis(100);
const RECONNECT_MOST: Duration = Duration::from_secs(5);

thread_local! {
    /// Not `thread::current()`, which leaves an allocation behind on a thread that is not Rust's own.
    static IS_LISTENER: Cell<bool> = const { Cell::new(false) };
}

/// What the thread and its process share.
#[derive(Default)]
pub(super) struct Listener {
    wanted: Mutex<HashSet<String>>,
    running: AtomicBool,
    thread: Mutex<Option<JoinHandle<()>>>,
    ended: Condvar,
    /// Channels from which hints come at this moment.
    heard: Mutex<HashSet<String>>,
}

impl Listener {
    /// Whether hints for this channel would be heard.
    pub(super) fn hears(&self, channel: &str) -> bool {
        lock(&self.heard).contains(channel)
    }

    /// Listens for this channel from now on; starts the thread if there is none.
    pub(super) fn want(self: &Arc<Self>, channel: &str, transport: &Arc<Transport>) {
        if !lock(&self.wanted).insert(channel.to_owned()) {
            return;
        }
        if !self.running.swap(true, Ordering::AcqRel) {
            let (listener, transport) = (Arc::clone(self), Arc::downgrade(transport));
            let thread = thread::Builder::new().name("delayq-listener".to_owned()).stack_size(256 * 1024);
            match thread.spawn(move || listener.run(&transport)) {
                Ok(thread) => *lock(&self.thread) = Some(thread),
                Err(_) => self.running.store(false, Ordering::Release), // pops go on looking from time to time
            }
        }
    }

    fn run(&self, transport: &Weak<Transport>) {
        IS_LISTENER.set(true);
        let _held = SignalsHeld::hold(); // for the life of the thread: signals are for the program's own
        let mut pause = RECONNECT_FIRST;
        while let Some(alive) = open(transport) {
            let connection = alive.subscriber();
            drop(alive); // the thread must not keep the client open
            let mut again = false;
            if let Ok((node, connection)) = connection {
                node.watch(true);
                again = self.listen(connection, transport).is_ok();
                node.watch(false);
            }
            let heard = std::mem::take(&mut *lock(&self.heard));
            if let Some(alive) = open(transport) {
                heard.iter().for_each(|channel| alive.tell(channel, None)); // to look more often from now on
            }
            pause = match (again, heard.is_empty()) {
                (true, _) => continue,
                (false, true) => (pause * 2).min(RECONNECT_MOST),
                (false, false) => RECONNECT_FIRST,
            };
            thread::park_timeout(pause);
        }
        let _guard = lock(&self.thread); // so that nobody is between looking and waiting
        self.running.store(false, Ordering::Release);
        self.ended.notify_all();
    }

    /// Waits for the end of the thread, after the client was closed.
    pub(super) fn end(&self) {
        let mut thread = lock(&self.thread);
        if thread.is_none() || IS_LISTENER.get() {
            return; // there is none, or it is this one that lets go of the client last
        }
        thread.iter().for_each(|thread| thread.thread().unpark());
        let running = |_: &mut Option<_>| self.running.load(Ordering::Acquire);
        let waited = self.ended.wait_timeout_while(thread, END_LIMIT, running);
        (thread, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let over = thread.take_if(|_| !self.running.load(Ordering::Acquire));
        drop(thread);
        over.into_iter().for_each(|thread| _ = thread.join());
    }

    /// Until the connection breaks, which is an error, more channels are wanted, or the client is closed or gone.
    fn listen(&self, mut connection: redis::Connection, transport: &Weak<Transport>) -> RedisResult<()> {
        let wanted = lock(&self.wanted).clone();
        for channel in &wanted {
            if subscribe(&mut connection, channel, transport)? {
                lock(&self.heard).insert(channel.clone());
                tell(transport, channel, None); // what was published before was missed
                open(transport).into_iter().for_each(|alive| alive.state.get().watchers.tell(channel, None));
            }
        }
        if lock(&self.heard).is_empty() {
            return Err((redis::ErrorKind::Client, "no channel may be heard").into());
        }
        connection.set_read_timeout(Some(GLANCE))?;
        let mut hints = connection.as_pubsub();
        while open(transport).is_some() && lock(&self.wanted).len() == wanted.len() {
            match hints.get_message() {
                Ok(hint) => hear(&hint, transport),
                Err(e) if e.is_timeout() => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

/// `false` if the server refuses that, as an ACL may. By hand, since `PubSub::subscribe` tells nobody of a refusal.
fn subscribe(
    connection: &mut redis::Connection,
    channel: &str,
    transport: &Weak<Transport>,
) -> RedisResult<bool> {
    connection.send_packed_command(&redis::cmd("SUBSCRIBE").arg(channel).get_packed_command())?;
    loop {
        let answer = connection.recv_response()?;
        match Msg::from_value(&answer) {
            Some(hint) => hear(&hint, transport), // of a channel before this one
            None => return Ok(!matches!(answer, Value::ServerError(_))),
        }
    }
}

/// A hint says in how many microseconds a job will be due, or behind a minus whose lease was revoked.
fn hear(hint: &Msg, transport: &Weak<Transport>) {
    if let Some(id) = hint.get_payload_bytes().strip_prefix(b"-") {
        if let (Some(alive), Ok(id)) = (open(transport), str::from_utf8(id)) {
            alive.state.get().watchers.tell(hint.get_channel_name(), Some(id));
        }
        return;
    }
    let micros = hint.get_payload::<String>().ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    tell(transport, hint.get_channel_name(), Some(Instant::now() + Duration::from_micros(micros)));
}

fn tell(transport: &Weak<Transport>, channel: &str, due: Option<Instant>) {
    if let Some(alive) = open(transport) {
        alive.tell(channel, due);
    }
}

fn open(transport: &Weak<Transport>) -> Option<Arc<Transport>> {
    transport.upgrade().filter(|transport| transport.check_open().is_ok())
}
