//! The jobs that JavaScript has in hand.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use delayq::{Delivery, Task};

/// One delivery. The numbers come round only after four thousand million, when the first is long over.
pub(super) type Serial = u32;

#[derive(Default)]
struct State {
    tasks: HashMap<Serial, Task>,
    next: Serial,
    closed: bool,
}

pub(super) struct Lent {
    state: Mutex<State>,
    changed: Condvar,
    most: usize,
}

impl Lent {
    /// Room for so many jobs at once.
    pub(super) fn new(most: usize) -> Self {
        Lent { state: Mutex::default(), changed: Condvar::new(), most }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for one more; `false` if there will be no more.
    pub(super) fn room(&self) -> bool {
        let full = |state: &mut State| !state.closed && state.tasks.len() >= self.most;
        let state = self.changed.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner);
        !state.closed
    }

    /// Notes a job that is given to JavaScript.
    pub(super) fn put(&self, task: Task) -> Serial {
        let mut state = self.lock();
        state.next = state.next.wrapping_add(1);
        let serial = state.next;
        state.tasks.insert(serial, task);
        serial
    }

    /// Takes a job back.
    pub(super) fn take(&self, serial: Serial) -> Option<Task> {
        let task = self.lock().tasks.remove(&serial);
        self.changed.notify_all();
        task
    }

    /// Takes all jobs back.
    pub(super) fn take_all(&self) -> Vec<Task> {
        std::mem::take(&mut self.lock().tasks).into_values().collect()
    }

    pub(super) fn delivery(&self, serial: Serial) -> Option<Delivery> {
        self.lock().tasks.get(&serial).map(|task| task.delivery().clone())
    }

    /// No more room from here on; what is in hand stays.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}
