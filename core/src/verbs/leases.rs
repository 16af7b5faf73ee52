//! What the verbs share that act on leased jobs: `ack`, `retry`, `release`, `extend` and their batch forms.

use crate::error::{Error, ErrorKind, Result};
use crate::job::Lease;
use crate::keys::check_id;
use crate::queue::Inner;

/// Most jobs of one run of a script.
const CHUNK: usize = 500;

/// Refuses a job of another topic or with an id that is none.
fn check(queue: &Inner, lease: &Lease<'_>) -> Result<()> {
    if lease.topic != queue.keys.topic {
        let message = format!("the job is of topic {:?}; use that queue", lease.topic);
        return Err(Error::invalid(message).with_id(&lease.id));
    }
    check_id(&lease.id).map_err(|e| e.with_id(&lease.id))
}

/// Runs a verb on many jobs: all are checked before the first chunk is sent, results are in the order of the jobs.
pub(crate) fn many<'a, J, R>(
    queue: &Inner,
    verb: &'static str,
    jobs: &'a [J],
    lease: impl Fn(&'a J) -> &'a Lease<'a>,
    run: impl Fn(&'a [J]) -> Result<Vec<R>>,
) -> Result<Vec<R>> {
    let inner = || {
        jobs.iter().try_for_each(|job| check(queue, lease(job)))?;
        let mut results = Vec::with_capacity(jobs.len());
        for chunk in jobs.chunks(CHUNK) {
            results.extend(run(chunk)?);
        }
        Ok(results)
    };
    inner().map_err(|e: Error| e.with_verb(verb).with_topic(&queue.keys.topic))
}

/// Runs a verb on one job; a lost lease is an error here.
pub(crate) fn one<'a, J, R>(
    queue: &Inner,
    verb: &'static str,
    job: &'a J,
    lease: impl Fn(&'a J) -> &'a Lease<'a>,
    run: impl Fn(&'a [J]) -> Result<Vec<R>>,
    is_lost: impl Fn(&R) -> bool,
) -> Result<R> {
    let id = &lease(job).id;
    let result = many(queue, verb, std::slice::from_ref(job), lease, run);
    let result =
        result.and_then(|mut results| results.pop().ok_or_else(|| Error::internal("one job in, none out")));
    let result = result.and_then(|result| if is_lost(&result) { Err(lost()) } else { Ok(result) });
    result.map_err(|e| e.with_verb(verb).with_topic(&queue.keys.topic).with_id(id))
}

fn lost() -> Error {
    Error::new(
        ErrorKind::LeaseLost,
        "the job is not held under this receipt any more (expired, replaced or cancelled); \
         another delivery may be running, so do not report this one",
    )
}
