//! `stats`: the numbers of a topic. See `lua/stats.lua`.

use std::time::Duration;

use crate::error::Result;
use crate::numbers::{COUNTERS, Histogram, Stats};
use crate::queue::Inner;
use crate::reply::Reply;
use crate::script::{Call, Repeat, STATS};
use crate::time::duration_ms;

pub(crate) fn stats(queue: &Inner, overdue: Duration) -> Result<Stats> {
    stats_inner(queue, overdue).map_err(|e| e.with_verb("stats").with_topic(&queue.keys.topic))
}

fn stats_inner(queue: &Inner, overdue: Duration) -> Result<Stats> {
    let keys = &queue.keys;
    let call = Call::new(&STATS, Repeat::Safe)
        .key(&keys.scheduled)
        .key(&keys.processing)
        .key(&keys.dead)
        .key(&keys.orphan)
        .key(&keys.conf)
        .key(&keys.stats)
        .arg(duration_ms(overdue));
    read(queue.run(&call)?, &keys.topic)
}

fn read(mut reply: Reply, topic: &str) -> Result<Stats> {
    let mut stats = Stats {
        topic: topic.to_owned(),
        backlog: reply.count()?,
        due: reply.count()?,
        overdue: reply.count()?,
        oldest_due_ms: reply.count()?,
        processing: reply.count()?,
        expired: reply.count()?,
        dead: reply.count()?,
        orphans: reply.count()?,
        paused: !reply.text()?.is_empty(),
        rate: reply.text()?.parse().ok().filter(|rate: &f64| rate.is_finite()),
        burst: reply.text()?.parse().ok(),
        counters: COUNTERS.iter().map(|name| (*name, 0)).collect(),
        lateness: Histogram::default(),
        processing_time: Histogram::default(),
    };
    while !reply.is_empty() {
        let (field, count) = (reply.text()?, reply.text()?);
        let Ok(count) = count.parse() else { continue }; // overwritten by hand
        match field.split_once(':') {
            Some((name, place)) => {
                let histogram = match name {
                    "lateness" => &mut stats.lateness,
                    "processing" => &mut stats.processing_time,
                    _ => continue,
                };
                place.parse().into_iter().for_each(|place| histogram.add(place, count));
            }
            None => {
                stats.counters.iter_mut().filter(|(name, _)| *name == field).for_each(|(_, n)| *n = count)
            }
        }
    }
    Ok(stats)
}
