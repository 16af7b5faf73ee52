//! The Rust runner: does what it is told over the public API; its language is in `tests/README.md`.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::panic;

use delayq::{
    Client, ClientOptions, DEFAULT_SLICE, Error, ErrorKind, Job, MAX_SLICE, PopOptions, Queue, QueueOptions,
    Result, Retry, State, VERBS, VERSION,
};
use serde_json::{Value, json};

use answers::{enqueued, extended, health, info, job, released, retried, stats};
use request::{Request, misuse, new_job, number};
use work::Work;

mod answers;
mod request;
mod work;

#[derive(Default)]
struct Runner {
    client: Option<Client>,
    /// Of the current queue, and of the others that a worker serves.
    options: QueueOptions,
    queue: Option<Queue>,
    work: Option<Work>,
    jobs: HashMap<String, Vec<Job>>,
}

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
            Some("work") => {
                self.work = None; // stops it, before the next one takes its jobs
                self.work = Some(Work::start(request, self.served(request)?)?);
                Ok(Value::Null)
            }
            Some("worked") => self.work()?.worked(request),
            Some("handled") => self.work()?.handled(request),
            Some("health") => Ok(health(&self.work()?.worker.health())),
            Some("stop") => {
                self.work()?
                    .worker
                    .stop(request.duration("deadline_ms")?.ok_or_else(|| misuse("deadline_ms"))?);
                Ok(Value::Null)
            }
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
        self.queue = Some(self.client()?.queue_with(&request.required("topic")?, options.clone())?);
        self.options = options;
        Ok(Value::Null)
    }

    /// The queues of a worker: the named ones, or the current one.
    fn served(&self, request: &Request) -> Result<Vec<Queue>> {
        let open =
            |topic: &[u8]| self.client()?.queue_with(&String::from_utf8_lossy(topic), self.options.clone());
        let named: Vec<Queue> = request.all("topic").map(open).collect::<Result<_>>()?;
        if named.is_empty() { Ok(vec![self.handle()?.clone()]) } else { Ok(named) }
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

    fn work(&self) -> Result<&Work> {
        self.work.as_ref().ok_or_else(|| misuse("worker"))
    }
}
