//! The README's Rust example. Usage: quickstart [URL]

// START quickstart
use std::time::Duration;

use delayq::{Client, NewJob, PopOptions};

fn main() -> delayq::Result<()> {
    let client = Client::open(std::env::args().nth(1).unwrap_or("embedded:./data".into()))?;
    let queue = client.queue("order_close")?;

    queue.enqueue(NewJob::new(r#"{"order":2}"#).id("order:2:close").delay(Duration::from_millis(100)))?;

    for job in queue.pop(PopOptions::new(20).wait(Duration::from_secs(5)))? {
        println!("closing {}", job.id());
        queue.ack(&job)?;
    }
    Ok(())
}
// END quickstart
