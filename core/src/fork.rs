//! State that a forked child must not share with its parent.

use std::process;

use once_cell::race::OnceBox;

/// One value per process. A child made by `fork` gets a new one on first use, so it never takes a lock that
/// a thread of its parent held at the moment of the fork, and never talks over its parent's sockets.
///
/// A chain that only grows, by one link per generation of processes, without locks: `OnceBox` is a single
/// compare-and-swap.
pub(crate) struct ForkCell<T> {
    first: OnceBox<Link<T>>,
}

struct Link<T> {
    pid: u32,
    value: T,
    next: OnceBox<Link<T>>,
}

/// What a child does with its copy of the parent's value: let go of it without a word to the other side.
pub(crate) trait Abandon {
    fn abandon(&self);
}

impl<T> ForkCell<T> {
    pub(crate) const fn new() -> Self {
        ForkCell { first: OnceBox::new() }
    }
}

impl<T: Default + Abandon> ForkCell<T> {
    /// This process's value.
    pub(crate) fn get(&self) -> &T {
        let pid = process::id();
        let mut inherited: Option<&Link<T>> = None;
        let mut place = &self.first;
        loop {
            match place.get() {
                Some(link) if link.pid == pid => return &link.value,
                Some(link) => {
                    inherited = Some(link);
                    place = &link.next;
                }
                None => {
                    if let Some(link) = inherited.take() {
                        link.value.abandon();
                    }
                    // If another thread was faster its link is used, and this one is dropped unused.
                    let _ = place.set(Box::new(Link { pid, value: T::default(), next: OnceBox::new() }));
                }
            }
        }
    }
}
