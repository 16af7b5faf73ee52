//! `redrive`: schedule dead jobs again. See `lua/redrive.lua`.

use std::time::Duration;

use crate::error::Result;
use crate::job::Redriven;
use crate::keys::check_id;
use crate::queue::Inner;
use crate::reply::Reply;
use crate::script::{Call, REDRIVE, Repeat};
use crate::time::{checked_delay, duration_ms};
use crate::verbs::check_slice;

/// Most ids of one run of the script.
const CHUNK: usize = 500;

pub(crate) fn oldest(queue: &Inner, limit: usize, delay: Duration) -> Result<Redriven> {
    let run = || {
        check_slice(limit)?;
        read(queue.run(&call(queue, delay, limit)?)?)
    };
    run().map_err(|e| e.with_verb("redrive").with_topic(&queue.keys.topic))
}

pub(crate) fn named(queue: &Inner, ids: &[&str], delay: Duration) -> Result<Redriven> {
    let run = || {
        ids.iter().try_for_each(|id| check_id(id).map_err(|e| e.with_id(id)))?;
        checked_delay(delay)?; // also if there are no ids
        let mut total = Redriven::default();
        for chunk in ids.chunks(CHUNK) {
            let mut call = call(queue, delay, 0)?;
            chunk.iter().for_each(|id| call.push_arg(*id));
            let part = read(queue.run(&call)?)?;
            total.redriven += part.redriven;
            total.orphaned += part.orphaned;
            total.not_dead += part.not_dead;
        }
        Ok(total)
    };
    run().map_err(|e: crate::Error| e.with_verb("redrive").with_topic(&queue.keys.topic))
}

fn call(queue: &Inner, delay: Duration, limit: usize) -> Result<Call<'_>> {
    let keys = &queue.keys;
    // Not repeated: the answer of a second run would not count what the first one did.
    Ok(Call::new(&REDRIVE, Repeat::Never)
        .key(&keys.scheduled)
        .key(&keys.dead)
        .key(&keys.orphan)
        .key(&keys.stats)
        .arg(&keys.body_prefix)
        .arg(checked_delay(delay)?)
        .arg(duration_ms(queue.options.job_ttl))
        .arg(limit)
        .arg(&keys.wake))
}

fn read(mut reply: Reply) -> Result<Redriven> {
    Ok(Redriven { redriven: reply.count()?, orphaned: reply.count()?, not_dead: reply.count()? })
}
