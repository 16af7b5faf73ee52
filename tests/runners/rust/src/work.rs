//! A worker whose handlers end their deliveries by rules, and what it and they have told.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use delayq::{Delivery, Queue, Result, Verdict, Worker};
use serde_json::Value;

use crate::answers::{event, handled};
use crate::request::{Request, misuse};

/// Longer than any scenario waits for what happens at once.
const WAIT: Duration = Duration::from_secs(20);

pub(crate) struct Work {
    pub(crate) worker: Worker,
    events: Arc<Log>,
    ended: Arc<Log>,
}

impl Work {
    pub(crate) fn start(request: &Request, queues: Vec<Queue>) -> Result<Self> {
        let (events, ended) = <(Arc<Log>, Arc<Log>)>::default();
        let told = Arc::clone(&events);
        let mut worker = Worker::builder().on_event(move |told_of| told.add(event(told_of)));
        if let Some(handlers) = request.number("concurrency")? {
            worker = worker.concurrency(handlers);
        }
        if let Some(jobs) = request.number("fetch_ahead")? {
            worker = worker.fetch_ahead(jobs);
        }
        if let Some(every) = request.duration("sweep_every_ms")? {
            worker = worker.sweep_every(every);
        }
        let rules: Vec<Rule> = request.all("end").map(Rule::parse).collect::<Result<_>>()?;
        let rules = Arc::new(rules);
        for queue in queues {
            let (rules, ended) = (Arc::clone(&rules), Arc::clone(&ended));
            worker = worker.handle(queue, move |delivery: &Delivery| {
                let rule = rules.iter().find(|rule| rule.is_for(delivery));
                if let Some(hold) = rule.and_then(|rule| rule.hold) {
                    delivery.sleep(hold);
                }
                ended.add(handled(delivery));
                rule.map_or(Verdict::Done, |rule| rule.verdict.clone())
            });
        }
        Ok(Work { worker: worker.start()?, events, ended })
    }

    pub(crate) fn worked(&self, request: &Request) -> Result<Value> {
        let kind = request.required("kind")?;
        self.events.wait(request, |event| event["kind"] == kind)
    }

    pub(crate) fn handled(&self, request: &Request) -> Result<Value> {
        self.ended.wait(request, |_| true)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.worker.stop(Duration::ZERO); // or it would wait for those that hold their jobs
    }
}

/// How handlers end the deliveries of one id, or of all.
struct Rule {
    id: Option<String>,
    times: u32,
    hold: Option<Duration>,
    verdict: Verdict,
}

impl Rule {
    fn parse(text: &[u8]) -> Result<Self> {
        let part = Request::parse(text);
        let error = part.text("error").unwrap_or_default();
        let delay = part.duration("delay_ms")?;
        let verdict = match (part.text("end").as_deref(), delay) {
            (None | Some("done"), _) => Verdict::Done,
            (Some("fail"), None) => Verdict::Failed(error),
            (Some("fail"), Some(delay)) => Verdict::FailedFor(error, delay),
            (Some("release"), _) => Verdict::Release(delay.unwrap_or_default()),
            (Some("dead"), _) => Verdict::Dead(error),
            (Some("leave"), _) => Verdict::Leave,
            _ => return Err(misuse("end")),
        };
        let times = part.number("times")?.unwrap_or(u32::MAX);
        Ok(Rule { id: part.text("id"), times, hold: part.duration("hold_ms")?, verdict })
    }

    fn is_for(&self, delivery: &Delivery) -> bool {
        self.id.as_deref().is_none_or(|id| id == delivery.id()) && delivery.deliveries() <= self.times
    }
}

/// What was told, in its order.
#[derive(Default)]
struct Log {
    entries: Mutex<Vec<Value>>,
    changed: Condvar,
}

impl Log {
    fn add(&self, entry: Value) {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        self.changed.notify_all();
    }

    /// Waits until so many entries count, and gives all that there are then, or when the time is over.
    fn wait(&self, request: &Request, counts: impl Fn(&Value) -> bool) -> Result<Value> {
        let count = request.number("count")?.unwrap_or(1);
        let wait = request.duration("wait_ms")?.unwrap_or(WAIT);
        let few = |entries: &mut Vec<Value>| entries.iter().filter(|entry| counts(entry)).count() < count;
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let (entries, _) =
            self.changed.wait_timeout_while(entries, wait, few).unwrap_or_else(PoisonError::into_inner);
        Ok(Value::Array(entries.clone()))
    }
}
