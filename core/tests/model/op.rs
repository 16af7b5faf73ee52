//! What may happen: every verb, and what a careless hand may do to the keys.

use delayq::{Mode, State};
use proptest::prelude::*;

/// Few ids, so that they meet often.
pub const IDS: [&str; 5] = ["a", "b", "c {x}", "d*", "é"];

#[derive(Clone, Debug)]
pub struct Enqueue {
    pub id: usize,
    pub payload: u8,
    pub mode: Mode,
    pub later: bool,
    pub ignore_done: bool,
    pub own_policy: bool,
}

/// `handle` chooses one of two handles with different options, `held` one of the jobs that were ever popped.
#[derive(Clone, Debug)]
pub enum Op {
    Enqueue { handle: usize, jobs: Vec<Enqueue> },
    Pop { handle: usize, max: usize, short: bool },
    Ack { held: Vec<usize> },
    Retry { handle: usize, held: Vec<usize>, at_once: bool },
    Release { held: Vec<usize>, later: bool },
    Extend { held: Vec<usize>, short: bool },
    Requeue { handle: usize, limit: usize },
    Cancel { id: usize },
    Get { id: usize },
    List { state: State },
    Redrive { limit: usize, ids: Vec<usize>, later: bool },
    Purge { state: State, limit: usize },
    Repair,
    Pause,
    Resume,
    LoseBody { id: usize },
    LoseIndex { id: usize },
}

pub fn op() -> impl Strategy<Value = Op> {
    let id = || 0..IDS.len();
    let handle = || 0..2usize;
    let held = || prop::collection::vec(0..64usize, 1..4);
    let state =
        || prop::sample::select(vec![State::Scheduled, State::Processing, State::Dead, State::Orphan]);
    let mode = prop::sample::select(vec![Mode::Replace, Mode::Replace, Mode::Keep, Mode::Reschedule]);
    let enqueue = (id(), any::<u8>(), mode, prop::bool::weighted(0.3), any::<bool>(), any::<bool>())
        .prop_map(|(id, payload, mode, later, ignore_done, own_policy)| Enqueue {
            id,
            payload,
            mode,
            later,
            ignore_done,
            own_policy,
        });
    let jobs = prop::collection::vec(enqueue, 1..4);
    prop_oneof![
        8 => (handle(), jobs).prop_map(|(handle, jobs)| Op::Enqueue { handle, jobs }),
        8 => (handle(), 1..4usize, prop::bool::weighted(0.4)).prop_map(|(handle, max, short)| Op::Pop { handle, max, short }),
        4 => held().prop_map(|held| Op::Ack { held }),
        5 => (handle(), held(), any::<bool>()).prop_map(|(handle, held, at_once)| Op::Retry { handle, held, at_once }),
        3 => (held(), prop::bool::weighted(0.3)).prop_map(|(held, later)| Op::Release { held, later }),
        2 => (held(), any::<bool>()).prop_map(|(held, short)| Op::Extend { held, short }),
        3 => (handle(), 1..4usize).prop_map(|(handle, limit)| Op::Requeue { handle, limit }),
        3 => id().prop_map(|id| Op::Cancel { id }),
        2 => id().prop_map(|id| Op::Get { id }),
        1 => state().prop_map(|state| Op::List { state }),
        2 => (0..3usize, prop::collection::vec(id(), 0..3), any::<bool>())
            .prop_map(|(limit, ids, later)| Op::Redrive { limit, ids, later }),
        1 => (state(), 1..3usize).prop_map(|(state, limit)| Op::Purge { state, limit }),
        2 => Just(Op::Repair),
        1 => Just(Op::Pause),
        2 => Just(Op::Resume),
        2 => id().prop_map(|id| Op::LoseBody { id }),
        1 => id().prop_map(|id| Op::LoseIndex { id }),
    ]
}
