//! `release` and `release_many`: hand jobs back without counting a failure. See `lua/release.lua`.

use std::time::Duration;

use crate::error::Result;
use crate::job::{Lease, Released};
use crate::outcome::ReleaseOutcome;
use crate::queue::Inner;
use crate::script::{Call, RELEASE, Repeat};
use crate::time::{checked_delay, duration_ms};
use crate::verbs::leases;

pub(crate) fn one(queue: &Inner, lease: &Lease<'_>, delay: Duration) -> Result<Released> {
    let is_lost = |released: &Released| released.outcome == ReleaseOutcome::LeaseLost;
    leases::one(
        queue,
        "release",
        lease,
        |lease| lease,
        |chunk| run(queue, chunk, checked_delay(delay)?),
        is_lost,
    )
}

pub(crate) fn many(queue: &Inner, jobs: &[Lease<'_>], delay: Duration) -> Result<Vec<Released>> {
    let delay =
        checked_delay(delay).map_err(|e| e.with_verb("release_many").with_topic(&queue.keys.topic))?;
    leases::many(queue, "release_many", jobs, |lease| lease, |chunk| run(queue, chunk, delay))
}

fn run(queue: &Inner, chunk: &[Lease<'_>], delay_ms: i64) -> Result<Vec<Released>> {
    let keys = &queue.keys;
    // Not repeated: a second run would say `lease_lost` for a job that was handed back.
    let mut call = Call::new(&RELEASE, Repeat::Never)
        .key(&keys.scheduled)
        .key(&keys.processing)
        .key(&keys.stats)
        .arg(duration_ms(queue.options.job_ttl))
        .arg(delay_ms)
        .arg(&keys.wake);
    for lease in chunk {
        call.push_key(keys.body(&lease.id));
        call.push_key(keys.done(&lease.id));
        call.push_arg(&lease.id);
        call.push_arg(&lease.receipt);
    }
    let mut reply = queue.run(&call)?;
    let mut read = || {
        let outcome = reply.outcome(ReleaseOutcome::from_word)?;
        Ok(Released { outcome, due_at_ms: Some(reply.int()?).filter(|ms| *ms >= 0) })
    };
    chunk.iter().map(|_| read()).collect()
}
