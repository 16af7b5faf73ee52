//! `repair`: find index entries without a body and bodies without an index entry, and put them right.
//! See `lua/repair.lua`.
//!
//! Ids are found by SCAN and ZSCAN, which never block Redis; whether one is broken is decided inside the script,
//! at a moment when no other verb is half done. So it is safe while producers and consumers run.

use redis::{Value, cmd, from_redis_value};

use crate::error::{Error, Result};
use crate::job::Repaired;
use crate::outcome::State;
use crate::queue::Inner;
use crate::script::{Call, REPAIR, Repeat};
use crate::time::duration_ms;

/// How many ids a scan looks for at once, and a script judges at once.
const SLICE: usize = 500;

pub(crate) fn repair(queue: &Inner, limit: usize) -> Result<Repaired> {
    repair_inner(queue, limit).map_err(|e| e.with_verb("repair").with_topic(&queue.keys.topic))
}

fn repair_inner(queue: &Inner, limit: usize) -> Result<Repaired> {
    if limit == 0 {
        return Err(Error::invalid("limit is 0; let repair put one thing or more right"));
    }
    let keys = &queue.keys;
    let mut done = Repaired::default();
    for state in [State::Scheduled, State::Processing, State::Dead, State::Orphan] {
        let index = keys.index(state)?;
        let ids = |members_and_scores: Vec<Value>| texts(members_and_scores.into_iter().step_by(2)).collect();
        scan(queue, &["ZSCAN", index], index, limit, &mut done, ids)?;
    }
    let pattern = keys.body_pattern();
    let id = |key: String| key.strip_prefix(&keys.body_prefix).map(str::to_owned);
    let ids = |found: Vec<Value>| texts(found.into_iter()).filter_map(id).collect();
    scan(queue, &["SCAN", "MATCH", &pattern], &keys.scheduled, limit, &mut done, ids)?;
    Ok(done)
}

/// Those that are UTF-8; whatever is not was not written by us.
fn texts(values: impl Iterator<Item = Value>) -> impl Iterator<Item = String> {
    values.filter_map(|value| from_redis_value(value).ok())
}

/// Goes once through what a scan finds, as long as less than `limit` was put right. `command` is the scan and what
/// stands around its cursor; `key` names the node that is asked.
fn scan(
    queue: &Inner,
    command: &[&str],
    key: &str,
    limit: usize,
    done: &mut Repaired,
    ids: impl Fn(Vec<Value>) -> Vec<String>,
) -> Result<()> {
    let (name, rest) = command.split_first().ok_or_else(|| Error::internal("a scan without a command"))?;
    let (before, after) = if *name == "ZSCAN" { (rest, &[][..]) } else { (&[][..], rest) };
    let mut cursor = "0".to_owned();
    while done.rescheduled + done.orphaned + done.removed < limit as u64 {
        let mut scan = cmd(name);
        scan.arg(before).arg(&cursor).arg(after).arg("COUNT").arg(SLICE);
        let page =
            queue.transport.command(key, &scan).map_err(|e| queue.diagnose(e, std::iter::once(key)))?;
        let (next, found): (String, Vec<Value>) =
            from_redis_value(page).map_err(|_| Error::internal("a scan gave no cursor"))?;
        for chunk in ids(found).chunks(SLICE) {
            judge(queue, chunk, done)?;
        }
        if next == "0" {
            break;
        }
        cursor = next;
    }
    Ok(())
}

fn judge(queue: &Inner, ids: &[String], done: &mut Repaired) -> Result<()> {
    let keys = &queue.keys;
    // Repeating is safe: what the first run put right is healthy.
    let mut call = Call::new(&REPAIR, Repeat::Safe)
        .key(&keys.scheduled)
        .key(&keys.processing)
        .key(&keys.dead)
        .key(&keys.orphan)
        .key(&keys.stats)
        .arg(duration_ms(queue.options.job_ttl))
        .arg(&keys.wake);
    for id in ids {
        call.push_key(keys.body(id));
        call.push_key(keys.done(id));
        call.push_arg(id);
    }
    let mut reply = queue.run(&call)?;
    done.checked += ids.len() as u64;
    done.rescheduled += reply.count::<u64>()?;
    done.orphaned += reply.count::<u64>()?;
    done.removed += reply.count::<u64>()?;
    Ok(())
}
