//! `ack` and `ack_many`: report jobs as done. See `lua/ack.lua`.

use crate::error::Result;
use crate::job::Lease;
use crate::outcome::AckOutcome;
use crate::queue::Inner;
use crate::script::{ACK, Call, Repeat};
use crate::time::duration_ms;
use crate::verbs::leases;

pub(crate) fn one(queue: &Inner, lease: &Lease<'_>) -> Result<AckOutcome> {
    let is_lost = |outcome: &AckOutcome| *outcome == AckOutcome::LeaseLost;
    leases::one(queue, "ack", lease, |lease| lease, |chunk| run(queue, chunk), is_lost)
}

pub(crate) fn many(queue: &Inner, jobs: &[Lease<'_>]) -> Result<Vec<AckOutcome>> {
    leases::many(queue, "ack_many", jobs, |lease| lease, |chunk| run(queue, chunk))
}

fn run(queue: &Inner, chunk: &[Lease<'_>]) -> Result<Vec<AckOutcome>> {
    let keys = &queue.keys;
    // Repeating is safe while the done marker lives: the receipt is in it, so a second run answers `already`.
    let outlives = queue.options.done_ttl > queue.transport.longest_call();
    let repeat = if outlives { Repeat::Safe } else { Repeat::Never };
    let mut call = Call::new(&ACK, repeat)
        .key(&keys.processing)
        .key(&keys.stats)
        .arg(duration_ms(queue.options.done_ttl));
    for lease in chunk {
        call.push_key(keys.body(&lease.id));
        call.push_key(keys.done(&lease.id));
        call.push_arg(&lease.id);
        call.push_arg(&lease.receipt);
    }
    let mut reply = queue.run(&call)?;
    chunk.iter().map(|_| reply.outcome(AckOutcome::from_word)).collect()
}
