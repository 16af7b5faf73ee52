//! `requeue`: hand out jobs whose lease has ended again. See `lua/requeue.lua`.

use crate::error::Result;
use crate::job::Requeued;
use crate::queue::Inner;
use crate::script::{Call, REQUEUE, Repeat};
use crate::time::duration_ms;
use crate::verbs::check_slice;

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
