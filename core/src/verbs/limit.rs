//! `limit`: how many jobs per second all consumers together are given. See `lua/limit.lua`.

use crate::error::{Error, Result};
use crate::queue::Inner;
use crate::script::{Call, LIMIT, Repeat};

/// The highest rate; more would be no limit.
const MAX_RATE: f64 = 1e9;

pub(crate) fn set(queue: &Inner, rate: f64, burst: Option<u64>) -> Result<()> {
    let run = || {
        if !(rate > 0.0 && rate <= MAX_RATE) {
            return Err(Error::invalid(format!(
                "rate is {rate}; give more than 0 and at most {MAX_RATE} jobs per second"
            )));
        }
        let burst = burst.unwrap_or_else(|| (rate.ceil() as u64).max(1));
        if burst == 0 || burst as f64 > MAX_RATE {
            return Err(Error::invalid(format!("burst is {burst}; give 1 to {MAX_RATE} jobs")));
        }
        write(queue, rate.to_string(), burst.to_string())
    };
    run().map_err(|e| e.with_verb("limit").with_topic(&queue.keys.topic))
}

pub(crate) fn clear(queue: &Inner) -> Result<()> {
    write(queue, String::new(), String::new()).map_err(|e| e.with_verb("limit").with_topic(&queue.keys.topic))
}

fn write(queue: &Inner, rate: String, burst: String) -> Result<()> {
    let call =
        Call::new(&LIMIT, Repeat::Safe).key(&queue.keys.conf).arg(rate).arg(burst).arg(&queue.keys.wake);
    queue.run(&call).map(|_| ())
}
