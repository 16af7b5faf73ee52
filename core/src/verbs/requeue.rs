//! `requeue`: hand out jobs whose lease has ended again. See `lua/requeue.lua`.

use std::time::Duration;

use redis::{Value, cmd};

use crate::error::{Error, ErrorKind, Result};
use crate::job::Requeued;
use crate::queue::Inner;
use crate::script::{Call, REQUEUE, Repeat};
use crate::time::duration_ms;
use crate::verbs::check_slice;

/// What a sweep did, and how long until there may be something for the next; none if nothing is leased.
pub(crate) struct Swept {
    pub(crate) requeued: Requeued,
    pub(crate) next_in: Option<Duration>,
}

/// Takes the lock that spares other workers the same sweep, or keeps it. It ends by itself a little before the next
/// sweep is due; nothing depends on it.
pub(crate) fn take_turn(queue: &Inner, every: Duration, is_mine: bool) -> Result<bool> {
    let lock = &queue.keys.sweep_lock;
    let mut set = cmd("SET");
    set.arg(lock).arg("1").arg("PX").arg(duration_ms(every * 9 / 10).max(1));
    if !is_mine {
        set.arg("NX");
    }
    match queue.transport.command(lock, &set) {
        Ok(answer) => Ok(answer != Value::Nil),
        // A full server refuses the lock and takes the sweep, without which its jobs would not go on.
        Err(e) if e.kind() == ErrorKind::Server => Ok(true),
        Err(e) => Err(context(e, queue)),
    }
}

pub(crate) fn requeue(queue: &Inner, limit: usize) -> Result<Swept> {
    requeue_inner(queue, limit).map_err(|e| context(e, queue))
}

fn context(e: Error, queue: &Inner) -> Error {
    e.with_verb("requeue").with_topic(&queue.keys.topic)
}

fn requeue_inner(queue: &Inner, limit: usize) -> Result<Swept> {
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
    let requeued = Requeued { requeued: reply.count()?, dead: reply.count()?, orphaned: reply.count()? };
    Ok(Swept { requeued, next_in: u64::try_from(reply.int()?).ok().map(Duration::from_millis) })
}
