//! `requeue`: hand out jobs whose lease has ended again. See `lua/requeue.lua`.

use std::time::Duration;

use redis::{Value, cmd};

use crate::error::Result;
use crate::job::Requeued;
use crate::queue::Inner;
use crate::script::{Call, REQUEUE, Repeat};
use crate::time::duration_ms;
use crate::verbs::check_slice;

/// Takes the lock that spares other workers the same sweep. It ends by itself a little before the next sweep is due;
/// nothing depends on it.
pub(crate) fn take_turn(queue: &Inner, every: Duration) -> Result<bool> {
    let life = duration_ms(every * 9 / 10).max(1);
    let lock = &queue.keys.sweep_lock;
    let set = queue.transport.command(lock, cmd("SET").arg(lock).arg("1").arg("NX").arg("PX").arg(life));
    set.map(|answer| answer != Value::Nil).map_err(|e| e.with_verb("requeue").with_topic(&queue.keys.topic))
}

pub(crate) fn requeue(queue: &Inner, limit: usize) -> Result<Requeued> {
    requeue_inner(queue, limit).map_err(|e| e.with_verb("requeue").with_topic(&queue.keys.topic))
}

fn requeue_inner(queue: &Inner, limit: usize) -> Result<Requeued> {
    check_slice(limit)?;
    let keys = &queue.keys;
    // Repeating is safe: what the first run moved is not expired any more.
    let call = Call::new(&REQUEUE, Repeat::Safe)
        .key(&keys.scheduled)
        .key(&keys.processing)
        .key(&keys.dead)
        .key(&keys.orphan)
        .key(&keys.stats)
        .arg(&keys.body_prefix)
        .arg(limit)
        .arg(queue.options.max_deliveries)
        .arg(duration_ms(queue.options.job_ttl))
        .arg(&keys.wake);
    let mut reply = queue.run(&call)?;
    Ok(Requeued { requeued: reply.count()?, dead: reply.count()?, orphaned: reply.count()? })
}
