//! The threads on which calls wait for Redis: neither the event loop nor libuv's small pool ever does.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use delayq::{Error, ErrorKind, Result};

/// A call that waits for a thread. It is given the error instead of `Ok` if there is no thread for it.
pub(crate) type Task = Box<dyn FnOnce(Result<()>) + Send>;

/// More threads than this never run commands of one client at once.
const MOST_COMMANDS: usize = 64;

/// The pool gets one more thread each time that no call could begin for this long, and a bit longer for each thread
/// there is. Long enough that calls to a healthy server share few threads, short enough that calls which hang do not
/// hold up the others: 64 threads are there after half a second.
const STALL: Duration = Duration::from_millis(1);

/// A thread without work ends after this long.
const IDLE: Duration = Duration::from_secs(5);

/// Only touched pages take memory; this is room enough for a TLS handshake of a debug build.
const STACK: usize = 512 * 1024;

/// Threads that come when they are needed and go when they are not. Dropping the pool lets its threads finish
/// what is queued and end.
pub(crate) struct Pool(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    work: Condvar,
    most: usize,
    stall: Duration,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    /// How many tasks were begun; shows whether the pool makes progress.
    begun: u64,
    threads: usize,
    idle: usize,
    /// Whether a thread watches the queue, ready to take over if it stalls.
    watched: bool,
    closed: bool,
}

impl Pool {
    /// For calls that take one round trip: few threads while Redis answers, up to 64 while calls hang.
    pub(crate) fn commands() -> Self {
        Pool::new(MOST_COMMANDS, STALL)
    }

    /// For calls that wait for something else than Redis' reply: a thread for each.
    pub(crate) fn waits() -> Self {
        Pool::new(usize::MAX, Duration::ZERO)
    }

    fn new(most: usize, stall: Duration) -> Self {
        Pool(Arc::new(Shared { state: Mutex::default(), work: Condvar::new(), most, stall }))
    }

    /// Queues a task; the first that comes runs first.
    pub(crate) fn run(&self, task: Task) {
        let mut state = self.0.lock();
        state.tasks.push_back(task);
        if state.idle > 0 {
            self.0.work.notify_one();
            return;
        }
        if let Err(e) = self.0.grow(&mut state)
            && (state.threads == 0 || self.0.stall.is_zero())
        {
            let task = state.tasks.pop_back();
            drop(state);
            if let Some(task) = task {
                let message = format!("no thread could be started ({e}); nothing was sent");
                task(Err(Error::new(ErrorKind::Unavailable, message)));
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.work.notify_all();
    }
}

impl Shared {
    /// A panic cannot leave the state half changed, so a poisoned lock is as good as any.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a thread that watches the queue, unless there is one or there are enough.
    fn grow(self: &Arc<Self>, state: &mut State) -> std::io::Result<()> {
        if state.tasks.is_empty() || state.idle > 0 || state.watched || state.threads == self.most {
            return Ok(());
        }
        let shared = Arc::clone(self);
        thread::Builder::new().name("delayq".to_owned()).stack_size(STACK).spawn(move || shared.live())?;
        state.threads += 1;
        state.watched = true;
        Ok(())
    }

    /// The life of a thread.
    fn live(self: Arc<Self>) {
        leave_signals_to_node();
        let mut state = self.watch();
        loop {
            if let Some(task) = state.tasks.pop_front() {
                state.begun += 1;
                // A failure to start another thread only means that the queue waits for this one.
                let _ = self.grow(&mut state);
                drop(state);
                task(Ok(()));
                state = self.lock();
                continue;
            }
            if state.closed {
                break;
            }
            state.idle += 1;
            let (woken, timeout) =
                self.work.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.idle -= 1;
            if timeout.timed_out() && state.tasks.is_empty() {
                break;
            }
        }
        state.threads -= 1;
    }

    /// Lets the other threads do the work as long as they begin a task now and then.
    fn watch(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while state.threads > 1 && !state.tasks.is_empty() && !self.stall.is_zero() {
            let begun = state.begun;
            let patience = self.stall + self.stall * u32::try_from(state.threads).unwrap_or(u32::MAX) / 4;
            drop(state);
            thread::sleep(patience);
            state = self.lock();
            if state.begun == begun {
                break;
            }
        }
        state.watched = false;
        state
    }
}

/// Signals are for the threads of Node and of the program.
fn leave_signals_to_node() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let mut signals = SigSet::all();
        for fault in [
            Signal::SIGSEGV,
            Signal::SIGBUS,
            Signal::SIGFPE,
            Signal::SIGILL,
            Signal::SIGTRAP,
            Signal::SIGABRT,
        ] {
            signals.remove(fault);
        }
        // It cannot fail with a valid set, and a thread that sees signals still works.
        let _ = signals.thread_block();
    }
}
