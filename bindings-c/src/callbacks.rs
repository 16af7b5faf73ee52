//! The calls of the program's own functions: counted, so that a free can wait for them and no later one begins.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What the program wants back in each call.
#[derive(Clone, Copy)]
pub(crate) struct User(*mut c_void);

// SAFETY: the library only hands the pointer back; the header says from which threads, and what that asks of it.
unsafe impl Send for User {}
// SAFETY: as above.
unsafe impl Sync for User {}

impl User {
    pub(crate) fn new(user: *mut c_void) -> Self {
        User(user)
    }

    pub(crate) fn pointer(self) -> *mut c_void {
        self.0
    }
}

/// The gate that every call of one worker goes through.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<Inner>);

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    left: Condvar,
}

#[derive(Default)]
struct State {
    inside: usize,
    shut: bool,
}

thread_local! {
    /// The gate whose call this thread is in.
    static IN: Cell<*const Inner> = const { Cell::new(ptr::null()) };
}

impl Gate {
    /// Makes a call, unless the gate is shut.
    pub(crate) fn pass<T>(&self, call: impl FnOnce() -> T) -> Option<T> {
        let pass = Pass::new(&self.0)?;
        let answer = call();
        drop(pass);
        Some(answer)
    }

    /// Whether this thread is in a call of this worker.
    pub(crate) fn is_inside(&self) -> bool {
        IN.get() == Arc::as_ptr(&self.0)
    }

    /// Lets no more calls in and waits until those who are inside have left.
    pub(crate) fn shut(&self) {
        let mut state = self.0.state();
        state.shut = true;
        if !self.is_inside() {
            let busy = |state: &mut State| state.inside > 0;
            drop(self.0.left.wait_while(state, busy));
        }
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One call that is inside.
struct Pass<'a> {
    gate: &'a Inner,
    before: *const Inner,
}

impl<'a> Pass<'a> {
    fn new(gate: &'a Inner) -> Option<Self> {
        let mut state = gate.state();
        if state.shut {
            return None;
        }
        state.inside += 1;
        drop(state);
        Some(Pass { gate, before: IN.replace(gate) })
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        IN.set(self.before);
        self.gate.state().inside -= 1;
        self.gate.left.notify_all();
    }
}
