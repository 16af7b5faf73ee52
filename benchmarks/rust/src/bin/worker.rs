//! A worker for the benchmarks; default options. Its handler does nothing, unless the payload begins with `s` (takes
//! 30 ms), `f` (fails twice) or `d` (is dead). Usage: worker URL TOPIC [LEASE_MS]; ends with its input.

use std::io::Read;
use std::time::Duration;

use delayq::{Client, Delivery, QueueOptions, Verdict, Worker};

fn handler(job: &Delivery) -> Verdict {
    let kind = job.payload().first();
    if kind == Some(&b's') {
        job.sleep(Duration::from_millis(30));
    }
    if kind == Some(&b'f') && job.retry_count() < 2 {
        return Verdict::FailedFor("not yet".into(), Duration::from_millis(100));
    }
    if kind == Some(&b'd') { Verdict::Dead("hopeless".into()) } else { Verdict::Done }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, topic, rest @ ..] = &arguments[..] else {
        return Err("usage: worker URL TOPIC [LEASE_MS]".into());
    };
    let lease = rest.first().map_or(Ok(30_000), |ms| ms.parse())?;
    let options = QueueOptions::new().lease(Duration::from_millis(lease));
    let queue = Client::open(url)?.queue_with(topic, options)?;
    let worker = Worker::builder().handle(queue, handler).start()?;
    std::io::stdin().read_to_end(&mut Vec::new())?;
    worker.stop(Duration::from_secs(10));
    Ok(())
}
