//! The token that ends a waiting pop.

use delayq_core::CancelToken;

use crate::guard::{guard_or, guard_unit};

/// Ends a waiting pop from another thread. No job is lost: a pop that is cancelled before Redis handed out jobs
/// returns an empty list, one that has jobs returns them. May be used from any number of threads at once.
pub struct delayq_cancel_token {
    pub(crate) token: CancelToken,
}

/// A token that is not cancelled. Owned by the caller, see `delayq_cancel_token_free()`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_cancel_token_new() -> Box<delayq_cancel_token> {
    Box::new(delayq_cancel_token { token: CancelToken::new() })
}

/// Cancels: every pop that waits with this token returns now, and every later one does not wait. It takes a lock,
/// so it must not be called from a signal handler. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_cancel_token_cancel(token: Option<&delayq_cancel_token>) {
    guard_unit(|| {
        if let Some(token) = token {
            token.token.cancel();
        }
    });
}

/// Whether the token was cancelled; false for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_cancel_token_is_cancelled(token: Option<&delayq_cancel_token>) -> bool {
    guard_or(false, || token.is_some_and(|token| token.token.is_cancelled()))
}

/// Frees the handle; pop options that were given the token keep it. NULL does nothing.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_cancel_token_free(token: Option<Box<delayq_cancel_token>>) {
    guard_unit(|| drop(token));
}
