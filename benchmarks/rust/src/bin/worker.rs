//! A worker whose handler does nothing, for the benchmarks; default options. Usage: worker URL TOPIC [LEASE_MS]; ends with its input.

use std::io::Read;
use std::time::Duration;

use delayq::{Client, Delivery, QueueOptions, Worker};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, topic, rest @ ..] = &arguments[..] else {
        return Err("usage: worker URL TOPIC [LEASE_MS]".into());
    };
    let lease = rest.first().map_or(Ok(30_000), |ms| ms.parse())?;
    let options = QueueOptions::new().lease(Duration::from_millis(lease));
    let queue = Client::open(url)?.queue_with(topic, options)?;
    let worker = Worker::builder().handle(queue, |_: &Delivery| ()).start()?;
    std::io::stdin().read_to_end(&mut Vec::new())?;
    worker.stop(Duration::from_secs(10));
    Ok(())
}
