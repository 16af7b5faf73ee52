//! `pop`: take due jobs, each under a lease. See `lua/pop.lua`.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cancel_token::CancelToken;
use crate::error::{Error, ErrorKind, Result};
use crate::id;
use crate::job::Job;
use crate::options::lease_ms;
use crate::queue::Inner;
use crate::reply::Reply;
use crate::script::{Call, POP, Repeat};
use crate::time::duration_ms;
use crate::transport::Sleeper;

/// The most jobs that one `pop` takes.
pub const MAX_POP: usize = 1000;

/// A waiting `pop` looks again after this long even if nothing is known to become due: rarely while it would be
/// told of an earlier job, more often while nobody listens.
const LOOK_AGAIN_HEARING: Duration = Duration::from_secs(2);
const LOOK_AGAIN_DEAF: Duration = Duration::from_millis(500);

/// A look this little before the due time was no race lost, only a clock that runs a little faster.
const TOO_EARLY: Duration = Duration::from_millis(1);

/// What to pop. A plain number is the most jobs to take, without waiting.
#[derive(Clone, Debug)]
pub struct PopOptions {
    max: usize,
    lease: Option<Duration>,
    wait: Duration,
    cancel: CancelToken,
}

impl PopOptions {
    /// Up to `max` jobs, without waiting.
    pub fn new(max: usize) -> Self {
        PopOptions { max, lease: None, wait: Duration::ZERO, cancel: CancelToken::new() }
    }

    /// The lease, instead of the handle's.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = Some(lease);
        self
    }

    /// Wait up to this long until something is due.
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// End the wait when this token is cancelled.
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.cancel = token;
        self
    }
}

impl From<usize> for PopOptions {
    fn from(max: usize) -> Self {
        PopOptions::new(max)
    }
}

/// A `pop` that is waiting; made by [`Queue::pop_wait`](crate::Queue::pop_wait).
pub struct PopWait {
    queue: Arc<Inner>,
    max: usize,
    lease_ms: i64,
    cancel: CancelToken,
    /// None for a `pop` that does not wait.
    sleeper: Option<Arc<Sleeper>>,
    started: Instant,
    wait: Duration,
    look_at: Instant,
    /// The due time for which it will look, if it is not just for safety.
    expected: Option<Instant>,
}

impl fmt::Debug for PopWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PopWait").field("topic", &self.queue.keys.topic).finish_non_exhaustive()
    }
}

impl Drop for PopWait {
    fn drop(&mut self) {
        if let Some(sleeper) = &self.sleeper {
            self.queue.transport.leave(sleeper);
        }
    }
}

impl PopWait {
    /// Goes on for about `slice`: `Some` is the end of the `pop` (no jobs if the wait is over or cancelled),
    /// `None` means call again. Jobs are never taken without being returned.
    ///
    /// # Errors
    /// As [`Queue::pop`](crate::Queue::pop).
    pub fn poll_for(&mut self, slice: Duration) -> Result<Option<Vec<Job>>> {
        let slice_started = Instant::now();
        loop {
            if self.cancel.is_cancelled() {
                return Ok(Some(Vec::new())); // before another look: what it took might find nobody to take it over
            }
            if self.look_at <= Instant::now() {
                let jobs = match self.look() {
                    // It was never sent.
                    Err(e) if e.kind() == ErrorKind::Unavailable && self.cancel.is_cancelled() => Vec::new(),
                    looked => looked?,
                };
                if !jobs.is_empty() {
                    return Ok(Some(jobs));
                }
            }
            let left = self.wait.saturating_sub(self.started.elapsed());
            let Some(sleeper) = self.sleeper.clone().filter(|_| !left.is_zero()) else {
                return Ok(Some(Vec::new()));
            };
            let slice_left = slice.saturating_sub(slice_started.elapsed());
            if slice_left.is_zero() {
                return Ok(None);
            }
            let nap = self.look_at.saturating_duration_since(Instant::now()).min(left).min(slice_left);
            self.queue.transport.sleep(nap, &sleeper).map_err(|e| context(e, &self.queue))?;
            self.listen_to(&sleeper);
        }
    }

    /// Takes what is due, and plans the next look if that is nothing.
    fn look(&mut self) -> Result<Vec<Job>> {
        let (transport, channel) = (&self.queue.transport, &self.queue.keys.wake);
        loop {
            let taken = take(&self.queue, self.max, self.lease_ms, &self.cancel)?;
            let now = Instant::now();
            let due = taken.next_in.map(|next_in| now + next_in);
            if !taken.jobs.is_empty() {
                if self
                    .expected
                    .is_some_and(|expected| waited_for(&taken.jobs, self.lease_ms, now - expected))
                {
                    transport.raced(channel, true);
                }
                return Ok(taken.jobs);
            }
            if taken.next_in == Some(Duration::ZERO) {
                continue; // all that was due turned out to be orphans, and more is due
            }
            if let Some(expected) = self.expected.take()
                && due.is_none_or(|due| due > expected + TOO_EARLY)
            {
                transport.raced(channel, false);
            }
            let again = if transport.hears(channel) { LOOK_AGAIN_HEARING } else { LOOK_AGAIN_DEAF };
            self.look_at = now + again;
            if let Some(due) = due {
                self.expect(due);
            }
            return Ok(Vec::new());
        }
    }

    /// A job will be due then.
    fn expect(&mut self, due: Instant) {
        let look_at = due + self.queue.transport.behind(&self.queue.keys.wake);
        if look_at <= self.look_at {
            self.look_at = look_at;
            self.expected = Some(due);
        }
    }

    /// What the sleeper was told meanwhile.
    fn listen_to(&mut self, sleeper: &Sleeper) {
        if sleeper.take_look_now() {
            self.look_at = Instant::now();
            self.expected = None;
        }
        if let Some(due) = sleeper.take_hint() {
            self.expect(due);
        }
    }
}

/// Whether the oldest of these jobs is the one for which the look was meant, and not another that has become due
/// just now: then nobody else looks after the topic in time.
fn waited_for(jobs: &[Job], lease_ms: i64, since_expected: Duration) -> bool {
    jobs.first().is_some_and(|job| {
        let late_ms = job.lease_until_ms - lease_ms - job.due_at_ms;
        late_ms + duration_ms(TOO_EARLY) >= duration_ms(since_expected)
    })
}

pub(crate) fn pop(queue: &Arc<Inner>, options: PopOptions) -> Result<Vec<Job>> {
    let mut wait = wait(queue, options)?;
    loop {
        if let Some(jobs) = wait.poll_for(Duration::MAX)? {
            return Ok(jobs);
        }
    }
}

pub(crate) fn wait(queue: &Arc<Inner>, options: PopOptions) -> Result<PopWait> {
    check(&options, queue).map_err(|e| context(e, queue)).map(|lease_ms| {
        let now = Instant::now();
        // Before the first look, so that no hint falls between it and the first nap.
        let sleeper = || queue.transport.sleeper(&queue.keys.wake, options.cancel.clone());
        PopWait {
            queue: Arc::clone(queue),
            max: options.max,
            lease_ms,
            sleeper: (!options.wait.is_zero()).then(sleeper),
            cancel: options.cancel.clone(),
            started: now,
            wait: options.wait,
            look_at: now,
            expected: None,
        }
    })
}

fn check(options: &PopOptions, queue: &Inner) -> Result<i64> {
    if !(1..=MAX_POP).contains(&options.max) {
        return Err(Error::invalid(format!("max is {}; take 1 to {MAX_POP} jobs at once", options.max)));
    }
    lease_ms(options.lease.unwrap_or(queue.options.lease))
}

struct Taken {
    jobs: Vec<Job>,
    /// How long until it makes sense to look again, if no job was taken and one is scheduled.
    next_in: Option<Duration>,
}

fn take(queue: &Inner, max: usize, lease_ms: i64, cancel: &CancelToken) -> Result<Taken> {
    take_inner(queue, max, lease_ms, cancel).map_err(|e| context(e, queue))
}

fn take_inner(queue: &Inner, max: usize, lease_ms: i64, cancel: &CancelToken) -> Result<Taken> {
    let keys = &queue.keys;
    let call = Call::new(&POP, Repeat::Never)
        .cancel(cancel)
        .key(&keys.scheduled)
        .key(&keys.processing)
        .key(&keys.orphan)
        .key(&keys.stats)
        .key(&keys.conf)
        .arg(&keys.body_prefix)
        .arg(max)
        .arg(lease_ms)
        .arg(duration_ms(queue.options.job_ttl))
        .arg(id::nonce()?);
    let mut reply = queue.run(&call)?;
    let next_in = reply.int()?;
    let mut jobs = Vec::new();
    while !reply.is_empty() {
        jobs.push(job(&mut reply, &keys.topic)?);
    }
    let next_in = u64::try_from(next_in).ok().map(Duration::from_micros);
    Ok(Taken { jobs, next_in })
}

fn job(reply: &mut Reply, topic: &str) -> Result<Job> {
    Ok(Job {
        topic: topic.to_owned(),
        id: reply.text()?,
        payload: reply.bytes()?,
        retry_count: reply.counter()?,
        deliveries: reply.counter()?,
        created_at_ms: reply.int()?,
        due_at_ms: reply.int()?,
        lease_until_ms: reply.int()?,
        receipt: reply.text()?,
    })
}

fn context(e: Error, queue: &Inner) -> Error {
    e.with_verb("pop").with_topic(&queue.keys.topic)
}
