//! `retry` and `retry_many`: report failed jobs. See `lua/retry.lua`.

use crate::error::Result;
use crate::id;
use crate::job::{MAX_ERROR, Retried, Retry};
use crate::outcome::RetryOutcome;
use crate::queue::Inner;
use crate::script::{Call, RETRY, Repeat};
use crate::time::{checked_delay, duration_ms};
use crate::verbs::leases;

pub(crate) fn one(queue: &Inner, retry: &Retry<'_>) -> Result<Retried> {
    let is_lost = |retried: &Retried| retried.outcome == RetryOutcome::LeaseLost;
    leases::one(queue, "retry", retry, |retry| &retry.lease, |chunk| run(queue, chunk), is_lost)
}

pub(crate) fn many(queue: &Inner, jobs: &[Retry<'_>]) -> Result<Vec<Retried>> {
    let refused = |e: crate::Error| e.with_verb("retry_many").with_topic(&queue.keys.topic);
    jobs.iter().try_for_each(|job| delay_ms(job).map(|_| ())).map_err(refused)?;
    leases::many(queue, "retry_many", jobs, |retry| &retry.lease, |chunk| run(queue, chunk))
}

fn run(queue: &Inner, chunk: &[Retry<'_>]) -> Result<Vec<Retried>> {
    let keys = &queue.keys;
    let policy = queue.options.retry_policy.text();
    // Not repeated: a second run would say `lease_lost` for a failure that was recorded.
    let mut call = Call::new(&RETRY, Repeat::Never)
        .key(&keys.scheduled)
        .key(&keys.processing)
        .key(&keys.dead)
        .key(&keys.stats)
        .arg(duration_ms(queue.options.job_ttl))
        .arg(&keys.wake);
    for retry in chunk {
        call.push_key(keys.body(&retry.lease.id));
        call.push_key(keys.done(&retry.lease.id));
        call.push_arg(&retry.lease.id);
        call.push_arg(&retry.lease.receipt);
        call.push_arg(head(&retry.error));
        call.push_arg(match delay_ms(retry)? {
            _ if retry.dead => "dead".to_owned(),
            Some(ms) => ms.to_string(),
            None => String::new(),
        });
        call.push_arg(policy.clone());
        call.push_arg(id::random_share()?.to_string());
    }
    let mut reply = queue.run(&call)?;
    let mut read = || {
        let outcome = reply.outcome(RetryOutcome::from_word)?;
        let due_at_ms = Some(reply.int()?).filter(|ms| *ms >= 0);
        Ok(Retried { outcome, due_at_ms, retry_count: reply.counter()? })
    };
    chunk.iter().map(|_| read()).collect()
}

/// The delay that comes before the policy's, if one is given.
fn delay_ms(retry: &Retry<'_>) -> Result<Option<i64>> {
    retry.delay.map(checked_delay).transpose().map_err(|e| e.with_id(&retry.lease.id))
}

/// The first [`MAX_ERROR`] bytes of a text, without tearing a character.
fn head(text: &str) -> &str {
    let end = (0..=MAX_ERROR.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_errors_are_cut_between_characters() {
        assert_eq!(head("short"), "short");
        assert_eq!(head(&"x".repeat(MAX_ERROR + 1)).len(), MAX_ERROR);
        assert_eq!(head(&"€".repeat(MAX_ERROR)).len(), MAX_ERROR - 1, "4096 is not a multiple of 3");
    }
}
