//! The floor beside which workers are measured: one bare loop of `pop` and `ack_many` in batches of 100, no worker.
//! Usage: floor URL TOPIC; works off what is due and prints the seconds that took.

use std::time::Instant;

use delayq::Client;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, topic] = &arguments[..] else {
        return Err("usage: floor URL TOPIC".into());
    };
    let queue = Client::open(url)?.queue(topic)?;
    queue.stats()?; // the connection and its first steps are not measured
    let started = Instant::now();
    loop {
        let jobs = queue.pop(100)?;
        if jobs.is_empty() {
            println!("{}", started.elapsed().as_secs_f64());
            return Ok(());
        }
        queue.ack_many(&jobs)?;
    }
}
