//! `ack`: report a job as done. See `lua/ack.lua`.

use crate::error::{Error, ErrorKind, Result};
use crate::job::Lease;
use crate::keys::check_id;
use crate::outcome::AckOutcome;
use crate::queue::Inner;
use crate::script::{ACK, Call, Repeat};
use crate::time::duration_ms;

pub(crate) fn ack(queue: &Inner, lease: Lease<'_>) -> Result<AckOutcome> {
    ack_inner(queue, &lease).map_err(|e| e.with_verb("ack").with_topic(&queue.keys.topic).with_id(&lease.id))
}

fn ack_inner(queue: &Inner, lease: &Lease<'_>) -> Result<AckOutcome> {
    let keys = &queue.keys;
    if lease.topic != keys.topic {
        let message = format!("the job is of topic {:?}; acknowledge it on that queue", lease.topic);
        return Err(Error::invalid(message));
    }
    check_id(&lease.id)?;
    // Repeating is safe: the receipt is in the done marker, so a second run answers `already`.
    let repeat = if queue.options.done_ttl.is_zero() { Repeat::Never } else { Repeat::Safe };
    let call = Call::new(&ACK, repeat)
        .key(&keys.processing)
        .key(&keys.stats)
        .key(keys.body(&lease.id))
        .key(keys.done(&lease.id))
        .arg(duration_ms(queue.options.done_ttl))
        .arg(lease.id.as_ref())
        .arg(lease.receipt.as_ref());
    match queue.run(&call)?.outcome(AckOutcome::from_word)? {
        AckOutcome::LeaseLost => Err(Error::new(
            ErrorKind::LeaseLost,
            "the job is not held under this receipt any more (expired, replaced or cancelled); \
             another delivery may be running, so do not report this one",
        )),
        outcome => Ok(outcome),
    }
}
