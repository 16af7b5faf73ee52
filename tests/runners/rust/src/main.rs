//! The Rust runner: does what it is told over the public API; its language is in `tests/README.md`.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::panic;
use std::time::Duration;

use delayq::{
    Client, ClientOptions, DEFAULT_SLICE, Enqueued, Error, ErrorKind, Extended, Histogram, Job, JobInfo,
    MAX_SLICE, Mode, NewJob, PopOptions, Queue, QueueOptions, Released, Result, Retried, Retry, RetryPolicy,
    State, Stats, VERBS, VERSION, When,
};
use percent_encoding::percent_decode;
use serde_json::{Value, json};

#[derive(Default)]
struct Runner {
    client: Option<Client>,
    queue: Option<Queue>,
    jobs: HashMap<String, Vec<Job>>,
}

/// One request: pairs of key and value, the value in bytes.
struct Request(Vec<(String, Vec<u8>)>);

fn main() -> io::Result<()> {
    let mut runner = Runner::default();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let request = Request::parse(line.as_bytes());
        let run = panic::AssertUnwindSafe(|| runner.run(&request));
        let answer = panic::catch_unwind(run).unwrap_or_else(|panic| Err(Error::from_panic(&*panic)));
        let answer = match answer {
            Ok(value) => json!({ "ok": value }),
            Err(e) => json!({ "error": {
                "kind": e.kind().slug(), "message": e.message(), "verb": e.verb(), "topic": e.topic(), "id": e.id(),
                "retryable": e.is_retryable(),
            }}),
        };
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}

impl Runner {
    fn run(&mut self, request: &Request) -> Result<Value> {
        match request.text("op").as_deref() {
            Some("open") => self.open(request),
            Some("queue") => self.queue(request),
            Some("enqueue") => Ok(enqueued(&self.handle()?.enqueue(new_job(request)?)?)),
            Some("enqueue_many") => {
                let jobs = request.all("job").map(|text| new_job(&Request::parse(text)));
                let stored = self.handle()?.enqueue_many(jobs.collect::<Result<_>>()?)?;
                Ok(stored.iter().map(enqueued).collect())
            }
            Some("pop") => self.pop(request),
            Some("ack") => Ok(json!(self.handle()?.ack(self.job(&request.required("job")?)?)?.as_str())),
            Some("ack_many") => {
                Ok(self.handle()?.ack_many(self.jobs(request)?)?.iter().map(|o| json!(o.as_str())).collect())
            }
            Some("retry") => Ok(retried(&self.handle()?.retry(self.retry(request)?)?)),
            Some("retry_many") => {
                let parts: Vec<_> = request.all("job").map(Request::parse).collect();
                let jobs: Result<Vec<_>> = parts.iter().map(|part| self.retry(part)).collect();
                Ok(self.handle()?.retry_many(jobs?)?.iter().map(retried).collect())
            }
            Some("release") => {
                let delay = request.duration("delay_ms")?.unwrap_or_default();
                Ok(released(&self.handle()?.release(self.job(&request.required("job")?)?, delay)?))
            }
            Some("release_many") => {
                let delay = request.duration("delay_ms")?.unwrap_or_default();
                Ok(self.handle()?.release_many(self.jobs(request)?, delay)?.iter().map(released).collect())
            }
            Some("extend") => {
                let lease = request.duration("lease_ms")?;
                Ok(extended(&self.handle()?.extend(self.job(&request.required("job")?)?, lease)?))
            }
            Some("extend_many") => {
                let lease = request.duration("lease_ms")?;
                Ok(self.handle()?.extend_many(self.jobs(request)?, lease)?.iter().map(extended).collect())
            }
            Some("requeue") => {
                let done = self.handle()?.requeue(request.number("limit")?.unwrap_or(DEFAULT_SLICE))?;
                Ok(json!({ "requeued": done.requeued, "dead": done.dead, "orphaned": done.orphaned }))
            }
            Some("cancel") => Ok(json!(self.handle()?.cancel(&request.required("id")?)?.as_str())),
            Some("get") => Ok(info(&self.handle()?.get(&request.required("id")?)?)),
            Some("list") => {
                let state = State::parse(&request.required("state")?)?;
                let limit = request.number("limit")?.unwrap_or(DEFAULT_SLICE);
                Ok(self
                    .handle()?
                    .list(state, request.number("offset")?.unwrap_or(0), limit)?
                    .iter()
                    .map(info)
                    .collect())
            }
            Some("redrive") => {
                let delay = request.duration("delay_ms")?.unwrap_or_default();
                let ids: Vec<_> =
                    request.all("id").map(|id| String::from_utf8_lossy(id).into_owned()).collect();
                let done = if ids.is_empty() {
                    self.handle()?.redrive(request.number("limit")?.unwrap_or(DEFAULT_SLICE), delay)?
                } else {
                    self.handle()?.redrive_ids(&ids.iter().map(String::as_str).collect::<Vec<_>>(), delay)?
                };
                Ok(json!({ "redriven": done.redriven, "orphaned": done.orphaned, "not_dead": done.not_dead }))
            }
            Some("purge") => {
                let state = State::parse(&request.required("state")?)?;
                let done = self.handle()?.purge(state, request.number("limit")?.unwrap_or(MAX_SLICE))?;
                Ok(json!({ "purged": done.purged, "remaining": done.remaining }))
            }
            Some("repair") => {
                let done = self.handle()?.repair(request.number("limit")?.unwrap_or(MAX_SLICE))?;
                Ok(json!({
                    "checked": done.checked, "rescheduled": done.rescheduled, "orphaned": done.orphaned,
                    "removed": done.removed,
                }))
            }
            Some("stats") => Ok(stats(&match request.duration("overdue_ms")? {
                Some(overdue) => self.handle()?.stats_with(overdue)?,
                None => self.handle()?.stats()?,
            })),
            Some("pause") => self.handle()?.pause().map(|()| Value::Null),
            Some("resume") => self.handle()?.resume().map(|()| Value::Null),
            Some("limit") => match request.required("rate")?.as_str() {
                "" => self.handle()?.unlimit(),
                rate => self.handle()?.limit(number(rate)?, request.number("burst")?),
            }
            .map(|()| Value::Null),
            Some("ping") => self.client()?.ping().map(|()| Value::Null),
            Some("close") => {
                self.client()?.close();
                Ok(Value::Null)
            }
            Some("panic") => {
                delayq::panic_on_purpose();
                Ok(Value::Null)
            }
            Some("about") => {
                let kinds: Vec<_> =
                    ErrorKind::ALL.iter().map(|kind| json!([kind.code(), kind.slug()])).collect();
                Ok(json!({ "language": "rust", "version": VERSION, "verbs": VERBS, "error_kinds": kinds }))
            }
            _ => Err(misuse("op")),
        }
    }

    fn open(&mut self, request: &Request) -> Result<Value> {
        let mut options = ClientOptions::new(request.required("url")?);
        if let Some(prefix) = request.text("prefix") {
            options = options.prefix(prefix);
        }
        if let Some(username) = request.text("username") {
            options = options.username(username);
        }
        if let Some(password) = request.text("password") {
            options = options.password(password);
        }
        if let Some(timeout) = request.duration("connect_timeout_ms")? {
            options = options.connect_timeout(timeout);
        }
        if let Some(timeout) = request.duration("timeout_ms")? {
            options = options.timeout(timeout);
        }
        if let Some(budget) = request.duration("retry_for_ms")? {
            options = options.retry_for(budget);
        }
        self.client = Some(options.open()?);
        Ok(Value::Null)
    }

    fn queue(&mut self, request: &Request) -> Result<Value> {
        let mut options = QueueOptions::new();
        if let Some(lease) = request.duration("lease_ms")? {
            options = options.lease(lease);
        }
        if let Some(ttl) = request.duration("done_ttl_ms")? {
            options = options.done_ttl(ttl);
        }
        if let Some(ttl) = request.duration("job_ttl_ms")? {
            options = options.job_ttl(ttl);
        }
        if let Some(bytes) = request.number("max_payload")? {
            options = options.max_payload(bytes);
        }
        if let Some(deliveries) = request.number("max_deliveries")? {
            options = options.max_deliveries(deliveries);
        }
        if let Some(policy) = request.policy()? {
            options = options.retry_policy(policy);
        }
        self.queue = Some(self.client()?.queue_with(&request.required("topic")?, options)?);
        Ok(Value::Null)
    }

    fn pop(&mut self, request: &Request) -> Result<Value> {
        let mut options = PopOptions::new(request.number("max")?.unwrap_or(1));
        if let Some(lease) = request.duration("lease_ms")? {
            options = options.lease(lease);
        }
        if let Some(wait) = request.duration("wait_ms")? {
            options = options.wait(wait);
        }
        let jobs = self.handle()?.pop(options)?;
        let list = jobs.iter().map(job).collect();
        self.jobs.insert(request.text("as").unwrap_or_else(|| "jobs".to_owned()), jobs);
        Ok(list)
    }

    /// The kept job of that name and place, `jobs.0`.
    fn job(&self, kept: &str) -> Result<&Job> {
        let (name, place) = kept.rsplit_once('.').ok_or_else(|| misuse("job"))?;
        let jobs = self.jobs.get(name).ok_or_else(|| misuse("job"))?;
        place.parse().ok().and_then(|place: usize| jobs.get(place)).ok_or_else(|| misuse("job"))
    }

    fn jobs(&self, request: &Request) -> Result<Vec<&Job>> {
        request.all("job").map(|kept| self.job(&String::from_utf8_lossy(kept))).collect()
    }

    fn retry(&self, request: &Request) -> Result<Retry<'_>> {
        let mut retry = Retry::new(self.job(&request.required("job")?)?);
        if let Some(error) = request.text("error") {
            retry = retry.error(error);
        }
        if let Some(delay) = request.duration("delay_ms")? {
            retry = retry.delay(delay);
        }
        Ok(retry)
    }

    fn client(&self) -> Result<&Client> {
        self.client.as_ref().ok_or_else(|| misuse("client"))
    }

    fn handle(&self) -> Result<&Queue> {
        self.queue.as_ref().ok_or_else(|| misuse("queue"))
    }
}

impl Request {
    fn parse(text: &[u8]) -> Self {
        let pairs = text.split(|b| *b == b'&').filter(|pair| !pair.is_empty());
        let decode = |part: &[u8]| {
            let spaced: Vec<u8> = part.iter().map(|b| if *b == b'+' { b' ' } else { *b }).collect();
            percent_decode(&spaced).collect::<Vec<u8>>()
        };
        let parts = pairs.map(|pair| match pair.iter().position(|b| *b == b'=') {
            Some(at) => (decode(&pair[..at]), decode(&pair[at + 1..])),
            None => (decode(pair), Vec::new()),
        });
        Request(parts.map(|(key, value)| (String::from_utf8_lossy(&key).into_owned(), value)).collect())
    }

    fn all(&self, key: &str) -> impl Iterator<Item = &[u8]> {
        self.0.iter().filter(move |(k, _)| k == key).map(|(_, value)| value.as_slice())
    }

    fn text(&self, key: &str) -> Option<String> {
        self.all(key).next().map(|value| String::from_utf8_lossy(value).into_owned())
    }

    fn required(&self, key: &str) -> Result<String> {
        self.text(key).ok_or_else(|| misuse(key))
    }

    fn number<T: std::str::FromStr>(&self, key: &str) -> Result<Option<T>> {
        self.text(key).map(|text| text.parse().map_err(|_| misuse(key))).transpose()
    }

    fn duration(&self, key: &str) -> Result<Option<Duration>> {
        Ok(self.number(key)?.map(Duration::from_millis))
    }
}

impl Request {
    fn policy(&self) -> Result<Option<RetryPolicy>> {
        let Some(text) = self.all("policy").next() else { return Ok(None) };
        let part = Request::parse(text);
        let base = part.duration("base_ms")?.ok_or_else(|| misuse("base_ms"))?;
        let mut policy = match part.required("kind")?.as_str() {
            "exponential" => {
                let cap = part.duration("cap_ms")?.unwrap_or(Duration::from_secs(3600));
                RetryPolicy::exponential(base, part.number("factor")?.unwrap_or(2.0), cap)
            }
            "linear" => RetryPolicy::linear(base),
            "fixed" => RetryPolicy::fixed(base),
            _ => return Err(misuse("kind")),
        };
        if let Some(cap) = part.duration("cap_ms")? {
            policy = policy.cap(cap);
        }
        if let Some(jitter) = part.number("jitter")? {
            policy = policy.jitter(jitter);
        }
        if let Some(retries) = part.number("max_retries")? {
            policy = policy.max_retries(retries);
        }
        Ok(Some(policy))
    }
}

fn new_job(request: &Request) -> Result<NewJob> {
    let payload = request.all("payload").next().unwrap_or_default();
    let mut job = NewJob::new(payload).ignore_done(request.text("ignore_done").as_deref() == Some("1"));
    if let Some(id) = request.text("id") {
        job = job.id(id);
    }
    if let Some(mode) = request.text("mode") {
        job = job.mode(Mode::parse(&mode)?);
    }
    if let Some(policy) = request.policy()? {
        job = job.retry_policy(policy);
    }
    // Whole numbers as integers, so that no digit is lost; the rest as the float that it is.
    if let Some(ms) = request.text("delay_ms") {
        job = job.when(ms.parse().map(When::DelayMs).or_else(|_| number(&ms).map(When::DelayMsF64))?);
    }
    if let Some(ms) = request.text("at_ms") {
        job = job.when(ms.parse().map(When::AtMs).or_else(|_| number(&ms).map(When::AtMsF64))?);
    }
    Ok(job)
}

fn number(text: &str) -> Result<f64> {
    text.parse().map_err(|_| misuse(text))
}

fn enqueued(stored: &Enqueued) -> Value {
    json!({ "id": stored.id, "due_at_ms": stored.due_at_ms, "outcome": stored.outcome.as_str() })
}

fn retried(retried: &Retried) -> Value {
    json!({
        "outcome": retried.outcome.as_str(), "due_at_ms": retried.due_at_ms, "retry_count": retried.retry_count,
    })
}

fn released(released: &Released) -> Value {
    json!({ "outcome": released.outcome.as_str(), "due_at_ms": released.due_at_ms })
}

fn extended(extended: &Extended) -> Value {
    json!({ "outcome": extended.outcome.as_str(), "lease_until_ms": extended.lease_until_ms })
}

fn info(info: &JobInfo) -> Value {
    json!({
        "topic": info.topic, "id": info.id, "state": info.state.as_str(),
        "payload_hex": info.payload.as_deref().map(hex), "due_at_ms": info.due_at_ms,
        "created_at_ms": info.created_at_ms, "picked_at_ms": info.picked_at_ms, "lease_until_ms": info.lease_until_ms,
        "died_at_ms": info.died_at_ms, "orphaned_at_ms": info.orphaned_at_ms, "retry_count": info.retry_count,
        "deliveries": info.deliveries, "last_error": info.last_error,
    })
}

fn stats(stats: &Stats) -> Value {
    let histogram = |h: &Histogram| json!({ "count": h.count(), "p50_ms": h.p50(), "p95_ms": h.p95(), "p99_ms": h.p99() });
    let counters: serde_json::Map<_, _> =
        stats.counters.iter().map(|(name, n)| ((*name).to_owned(), json!(n))).collect();
    json!({
        "backlog": stats.backlog, "due": stats.due, "overdue": stats.overdue, "oldest_due_ms": stats.oldest_due_ms,
        "processing": stats.processing, "expired": stats.expired, "dead": stats.dead, "orphans": stats.orphans,
        "paused": stats.paused, "rate": stats.rate, "burst": stats.burst, "counters": counters,
        "lateness": histogram(&stats.lateness), "processing_time": histogram(&stats.processing_time),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn job(job: &Job) -> Value {
    json!({
        "topic": job.topic(), "id": job.id(), "payload_hex": hex(job.payload()), "retry_count": job.retry_count(),
        "deliveries": job.deliveries(), "created_at_ms": job.created_at_ms(), "due_at_ms": job.due_at_ms(),
        "lease_until_ms": job.lease_until_ms(), "receipt": job.receipt(),
    })
}

/// A request that the runner's language does not have; scenarios never expect this kind.
fn misuse(what: &str) -> Error {
    Error::new(ErrorKind::Internal, format!("the runner was asked nonsense: {what}"))
}
