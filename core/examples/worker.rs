//! A worker in Rust: run it, then stop it with Ctrl-C or SIGTERM. Usage: worker [URL]

use std::error::Error;
use std::time::Duration;

use delayq::{Client, Delivery, Event, NewJob, Verdict, Worker};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

fn remind(job: &Delivery) -> Verdict {
    let who = String::from_utf8_lossy(job.payload());
    if who.is_empty() {
        return Verdict::Dead("nobody to remind".into()); // no retry would help
    }
    if who == "Grace" && job.deliveries() == 1 {
        return Verdict::Release(Duration::from_millis(500)); // not now
    }
    match job.is_mine() {
        Ok(true) => println!("reminded {who}"), // asked right before the side effect
        Ok(false) => return Verdict::Leave,     // cancelled meanwhile
        Err(e) => return Verdict::Failed(e.to_string()),
    }
    Verdict::Done
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let client = Client::open(std::env::args().nth(1).unwrap_or("embedded:./data".into()))?;
    let queue = client.queue("reminders")?;

    queue.enqueue(NewJob::new("Ada").id("ada").delay(Duration::from_millis(200)))?;
    queue.enqueue(NewJob::new("Grace").id("grace").delay(Duration::from_millis(100)))?;
    queue.enqueue(NewJob::new("").id("nobody"))?;

    let worker = Worker::builder()
        .concurrency(4)
        .on_event(|event| match event {
            Event::Failed { id, outcome, error, .. } => println!("{id} failed ({outcome}): {error}"),
            Event::Released { id, .. } => println!("{id} comes again later"),
            Event::Lost { error, .. } => println!("Redis is away: {error}"),
            _ => {}
        })
        .handle(queue, remind)
        .start()?;
    println!("working; stop with Ctrl-C");
    signals.forever().next();
    worker.stop(Duration::from_secs(10));
    println!("stopped");
    Ok(())
}
