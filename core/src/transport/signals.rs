//! Keeps asynchronous signals off a thread while it talks to a socket.

use nix::sys::signal::{SigSet, Signal};
use once_cell::race::OnceBox;

/// All signals but those that report a fault of the running instruction.
fn asynchronous() -> &'static SigSet {
    static SET: OnceBox<SigSet> = OnceBox::new(); // takes no lock, which a forked child might wait for
    SET.get_or_init(|| {
        let mut set = SigSet::all();
        let faults = [
            Signal::SIGSEGV,
            Signal::SIGBUS,
            Signal::SIGFPE,
            Signal::SIGILL,
            Signal::SIGTRAP,
            Signal::SIGABRT,
        ];
        faults.into_iter().for_each(|fault| set.remove(fault));
        Box::new(set)
    })
}

/// While it lives, signals wait: a socket read that a signal interrupts would fail with EINTR although the
/// command was carried out. Another thread takes the signal, or this one when the guard is dropped.
pub(super) struct SignalsHeld {
    before: Option<SigSet>,
}

impl SignalsHeld {
    pub(super) fn hold() -> Self {
        SignalsHeld { before: asynchronous().thread_swap_mask(nix::sys::signal::SigmaskHow::SIG_BLOCK).ok() }
    }
}

impl Drop for SignalsHeld {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            let _ = before.thread_set_mask();
        }
    }
}
