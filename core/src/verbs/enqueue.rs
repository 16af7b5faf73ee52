//! `enqueue` and `enqueue_many`: store jobs. See `lua/enqueue.lua`.

use std::collections::HashSet;

use crate::error::{Error, Result};
use crate::id;
use crate::job::{Enqueued, NewJob};
use crate::keys::check_id;
use crate::outcome::{EnqueueOutcome, Mode};
use crate::queue::Inner;
use crate::run::Refusal;
use crate::script::{Call, ENQUEUE, Repeat};
use crate::time::{Due, duration_ms};

/// Limits of one chunk, that is of one run of the script.
const CHUNK_JOBS: usize = 500;
const CHUNK_BYTES: usize = 1024 * 1024;

/// A job whose every value was checked.
struct Checked {
    id: String,
    payload: Vec<u8>,
    due: Due,
    mode: Mode,
    ignore_done: bool,
    retry_policy: String,
}

pub(crate) fn one(queue: &Inner, job: NewJob) -> Result<Enqueued> {
    check(queue, job)
        .and_then(|job| store(queue, &[job]))
        .and_then(|mut stored| stored.pop().ok_or_else(|| Error::internal("one job in, none out")))
        .map_err(|e| e.with_verb("enqueue").with_topic(&queue.keys.topic))
}

pub(crate) fn many(queue: &Inner, jobs: Vec<NewJob>) -> Result<Vec<Enqueued>> {
    many_inner(queue, jobs).map_err(|e| e.with_verb("enqueue_many").with_topic(&queue.keys.topic))
}

fn many_inner(queue: &Inner, jobs: Vec<NewJob>) -> Result<Vec<Enqueued>> {
    let jobs = jobs.into_iter().map(|job| check(queue, job)).collect::<Result<Vec<_>>>()?;
    let mut results = Vec::with_capacity(jobs.len());
    let mut rest = jobs.as_slice();
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(chunk_len(rest));
        results.extend(store(queue, chunk)?);
        rest = after;
    }
    Ok(results)
}

/// How many of these jobs make the next chunk: within the limits, and no id twice.
fn chunk_len(jobs: &[Checked]) -> usize {
    let mut ids = HashSet::new();
    let mut bytes = 0;
    for (n, job) in jobs.iter().enumerate() {
        bytes += job.payload.len();
        let full = n == CHUNK_JOBS || (n > 0 && bytes > CHUNK_BYTES);
        if full || !ids.insert(job.id.as_str()) {
            return n;
        }
    }
    jobs.len()
}

fn check(queue: &Inner, job: NewJob) -> Result<Checked> {
    let max = queue.options.max_payload;
    if job.mode == Mode::Reschedule && job.id.is_none() {
        return Err(Error::invalid("mode reschedule needs the id of the job to move"));
    }
    let given = job.id.clone();
    let with_id = |e: Error| match &given {
        Some(id) => e.with_id(id),
        None => e, // a generated id would say nothing to a caller who never saw it
    };
    let id = match job.id {
        Some(id) => check_id(&id).map(|()| id),
        None => id::generate(),
    }?;
    if job.payload.len() > max {
        let message = format!(
            "the payload has {} bytes and the limit is {max}; store a reference, or raise max_payload",
            job.payload.len()
        );
        return Err(with_id(Error::invalid(message)));
    }
    let due = job.when.validate().map_err(with_id)?;
    let retry_policy = match job.retry_policy {
        Some(policy) => policy.validate().map(|()| policy.text()).map_err(with_id)?,
        None => String::new(),
    };
    Ok(Checked { id, payload: job.payload, due, mode: job.mode, ignore_done: job.ignore_done, retry_policy })
}

fn store(queue: &Inner, jobs: &[Checked]) -> Result<Vec<Enqueued>> {
    let keys = &queue.keys;
    let mut call = Call::new(&ENQUEUE, Repeat::Never)
        .key(&keys.scheduled)
        .key(&keys.processing)
        .key(&keys.dead)
        .key(&keys.orphan)
        .key(&keys.stats)
        .arg(&keys.topic)
        .arg(duration_ms(queue.options.job_ttl))
        .arg(&keys.wake);
    for job in jobs {
        let (word, ms) = match job.due {
            Due::DelayMs(ms) => ("delay", ms),
            Due::AtMs(ms) => ("at", ms),
        };
        call.push_key(keys.body(&job.id));
        call.push_key(keys.done(&job.id));
        call.push_arg(&job.id);
        call.push_arg(job.payload.as_slice());
        call.push_arg(word);
        call.push_arg(ms);
        call.push_arg(job.mode.as_str());
        call.push_arg(if job.ignore_done { "1" } else { "0" });
        call.push_arg(&job.retry_policy);
    }
    let only_id = (jobs.len() == 1).then(|| jobs[0].id.as_str());
    let with_id = |e: Error| match only_id {
        Some(id) => e.with_id(id),
        None => e,
    };
    queue.register_topic().map_err(with_id)?;
    let mut reply = match queue.run_or_refuse(&call).map_err(with_id)? {
        Ok(reply) => reply,
        Err(refusal) => return Err(refused(refusal, jobs)),
    };
    let read = |job: &Checked| {
        let outcome = reply.outcome(EnqueueOutcome::from_word)?;
        let due = reply.int()?;
        Ok(Enqueued { id: job.id.clone(), due_at_ms: (due >= 0).then_some(due), outcome })
    };
    jobs.iter().map(read).collect()
}

/// Names the job that the script refused.
fn refused(mut refusal: Refusal, jobs: &[Checked]) -> Error {
    let job = refusal.reply.count().ok().and_then(|place: usize| jobs.get(place.checked_sub(1)?));
    let error = refusal.error();
    match job {
        Some(job) => error.with_id(&job.id),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: &str, bytes: usize) -> Checked {
        Checked {
            id: id.to_owned(),
            payload: vec![0; bytes],
            due: Due::DelayMs(0),
            mode: Mode::Replace,
            ignore_done: false,
            retry_policy: String::new(),
        }
    }

    #[test]
    fn a_chunk_ends_before_a_repeated_id_and_at_its_limits() {
        assert_eq!(chunk_len(&[job("a", 1), job("b", 1), job("a", 1)]), 2);
        assert_eq!(chunk_len(&[job("a", CHUNK_BYTES), job("b", 1)]), 1);
        assert_eq!(chunk_len(&[job("a", 3 * CHUNK_BYTES), job("b", 1)]), 1, "a large job goes alone");
        let many: Vec<_> = (0..CHUNK_JOBS + 1).map(|i| job(&i.to_string(), 1)).collect();
        assert_eq!(chunk_len(&many), CHUNK_JOBS);
    }
}
