//! `purge`: delete a slice of the jobs of one state. See `lua/purge.lua`.

use crate::error::Result;
use crate::job::Purged;
use crate::outcome::State;
use crate::queue::Inner;
use crate::script::{Call, PURGE, Repeat};
use crate::verbs::check_slice;

pub(crate) fn purge(queue: &Inner, state: State, limit: usize) -> Result<Purged> {
    purge_inner(queue, state, limit).map_err(|e| e.with_verb("purge").with_topic(&queue.keys.topic))
}

fn purge_inner(queue: &Inner, state: State, limit: usize) -> Result<Purged> {
    let keys = &queue.keys;
    let index = keys.index(state)?;
    check_slice(limit)?;
    // Not repeated: a second run would delete a second slice.
    let call = Call::new(&PURGE, Repeat::Never)
        .key(index)
        .key(&keys.stats)
        .arg(&keys.body_prefix)
        .arg(limit)
        .arg(if state == State::Processing { keys.wake.as_str() } else { "" });
    let mut reply = queue.run(&call)?;
    Ok(Purged { purged: reply.count()?, remaining: reply.count()? })
}
