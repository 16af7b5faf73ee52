//! `extend` and `extend_many`: longer leases. See `lua/extend.lua`.

use std::time::Duration;

use crate::error::Result;
use crate::job::{Extended, Lease};
use crate::options::lease_ms;
use crate::outcome::ExtendOutcome;
use crate::queue::Inner;
use crate::script::{Call, EXTEND, Repeat};
use crate::time::duration_ms;
use crate::verbs::leases;

pub(crate) fn one(queue: &Inner, job: &Lease<'_>, lease: Option<Duration>) -> Result<Extended> {
    let is_lost = |extended: &Extended| extended.outcome == ExtendOutcome::LeaseLost;
    leases::one(queue, "extend", job, |job| job, |chunk| run(queue, chunk, checked(queue, lease)?), is_lost)
}

pub(crate) fn many(queue: &Inner, jobs: &[Lease<'_>], lease: Option<Duration>) -> Result<Vec<Extended>> {
    let lease =
        checked(queue, lease).map_err(|e| e.with_verb("extend_many").with_topic(&queue.keys.topic))?;
    leases::many(queue, "extend_many", jobs, |job| job, |chunk| run(queue, chunk, lease))
}

fn checked(queue: &Inner, lease: Option<Duration>) -> Result<i64> {
    lease_ms(lease.unwrap_or(queue.options.lease))
}

fn run(queue: &Inner, chunk: &[Lease<'_>], lease_ms: i64) -> Result<Vec<Extended>> {
    let keys = &queue.keys;
    // Repeating is safe: a second run gives the same lease again, from a moment later.
    let mut call = Call::new(&EXTEND, Repeat::Safe)
        .key(&keys.processing)
        .arg(lease_ms)
        .arg(duration_ms(queue.options.job_ttl));
    for lease in chunk {
        call.push_key(keys.body(&lease.id));
        call.push_arg(&lease.id);
        call.push_arg(&lease.receipt);
    }
    let mut reply = queue.run(&call)?;
    let mut read = || {
        let outcome = reply.outcome(ExtendOutcome::from_word)?;
        Ok(Extended { outcome, lease_until_ms: Some(reply.int()?).filter(|ms| *ms >= 0) })
    };
    chunk.iter().map(|_| read()).collect()
}
