//! The Rust runner: does what it is told over the public API; its language is in `tests/README.md`.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::panic;
use std::time::Duration;

use delayq::{
    Client, ClientOptions, DEFAULT_REQUEUE, Enqueued, Error, ErrorKind, Job, Mode, NewJob, PopOptions, Queue,
    QueueOptions, Result, VERBS, VERSION, When,
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
            Some("ack") => {
                let kept = request.required("job")?;
                let (name, place) = kept.rsplit_once('.').ok_or_else(|| misuse("job"))?;
                let jobs = self.jobs.get(name).ok_or_else(|| misuse("job"))?;
                let job = place
                    .parse()
                    .ok()
                    .and_then(|place: usize| jobs.get(place))
                    .ok_or_else(|| misuse("job"))?;
                Ok(json!(self.handle()?.ack(job)?.as_str()))
            }
            Some("requeue") => {
                let done = self.handle()?.requeue(request.number("limit")?.unwrap_or(DEFAULT_REQUEUE))?;
                Ok(json!({ "requeued": done.requeued, "dead": done.dead, "orphaned": done.orphaned }))
            }
            Some("cancel") => Ok(json!(self.handle()?.cancel(&request.required("id")?)?.as_str())),
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

fn new_job(request: &Request) -> Result<NewJob> {
    let payload = request.all("payload").next().unwrap_or_default();
    let mut job = NewJob::new(payload).ignore_done(request.text("ignore_done").as_deref() == Some("1"));
    if let Some(id) = request.text("id") {
        job = job.id(id);
    }
    if let Some(mode) = request.text("mode") {
        job = job.mode(Mode::parse(&mode)?);
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

fn job(job: &Job) -> Value {
    let hex: String = job.payload().iter().map(|b| format!("{b:02x}")).collect();
    json!({
        "topic": job.topic(), "id": job.id(), "payload_hex": hex, "retry_count": job.retry_count(),
        "deliveries": job.deliveries(), "created_at_ms": job.created_at_ms(), "due_at_ms": job.due_at_ms(),
        "lease_until_ms": job.lease_until_ms(), "receipt": job.receipt(),
    })
}

/// A request that the runner's language does not have; scenarios never expect this kind.
fn misuse(what: &str) -> Error {
    Error::new(ErrorKind::Internal, format!("the runner was asked nonsense: {what}"))
}
