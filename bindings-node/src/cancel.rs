//! Ends waiting pops: by an `AbortSignal`, and when the thread of their JavaScript ends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use napi_derive::napi;

/// Ends the pop that was given it.
#[napi]
#[derive(Default)]
pub struct CancelToken(delayq::CancelToken);

#[napi]
impl CancelToken {
    /// A token that is not cancelled.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the wait at once. Jobs that Redis has handed out already are still returned.
    #[napi(catch_unwind)]
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

impl CancelToken {
    pub(crate) fn token(&self) -> delayq::CancelToken {
        self.0.clone()
    }
}

type Tokens = Mutex<HashMap<u64, delayq::CancelToken>>;

/// The pops that JavaScript on this thread waits for. When the thread ends (a worker was terminated) nobody
/// would get their jobs any more, so they must not take any.
struct Pending {
    tokens: Arc<Tokens>,
    next: u64,
}

impl Drop for Pending {
    fn drop(&mut self) {
        lock(&self.tokens).values().for_each(delayq::CancelToken::cancel);
    }
}

thread_local! {
    static PENDING: std::cell::RefCell<Pending> =
        std::cell::RefCell::new(Pending { tokens: Arc::default(), next: 0 });
}

/// A pop's entry, for as long as it waits.
pub(crate) struct Entry {
    tokens: Arc<Tokens>,
    number: u64,
}

/// Notes that JavaScript on this thread waits for the pop with this token.
pub(crate) fn enter(token: delayq::CancelToken) -> Entry {
    PENDING.with_borrow_mut(|pending| {
        pending.next += 1;
        lock(&pending.tokens).insert(pending.next, token);
        Entry { tokens: Arc::clone(&pending.tokens), number: pending.next }
    })
}

impl Drop for Entry {
    fn drop(&mut self) {
        lock(&self.tokens).remove(&self.number);
    }
}

fn lock(tokens: &Tokens) -> std::sync::MutexGuard<'_, HashMap<u64, delayq::CancelToken>> {
    tokens.lock().unwrap_or_else(PoisonError::into_inner)
}
