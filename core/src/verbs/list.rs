//! `list`: a page of the jobs of one state. See `lua/list.lua`.

use crate::error::Result;
use crate::info::{Fields, JobInfo};
use crate::outcome::State;
use crate::queue::Inner;
use crate::script::{Call, LIST, Repeat};
use crate::verbs::check_slice;

pub(crate) fn list(queue: &Inner, state: State, offset: usize, limit: usize) -> Result<Vec<JobInfo>> {
    list_inner(queue, state, offset, limit).map_err(|e| e.with_verb("list").with_topic(&queue.keys.topic))
}

fn list_inner(queue: &Inner, state: State, offset: usize, limit: usize) -> Result<Vec<JobInfo>> {
    let keys = &queue.keys;
    let index = keys.index(state)?;
    check_slice(limit)?;
    // An offset past the number of jobs that Redis can hold is past the end all the same.
    let offset = offset.min(1 << 52);
    let call = Call::new(&LIST, Repeat::Safe).key(index).arg(&keys.body_prefix).arg(offset).arg(limit);
    let mut reply = queue.run(&call)?;
    let mut jobs = Vec::new();
    while !reply.is_empty() {
        let (id, score, values) = (reply.shown()?, reply.int()?, reply.count()?);
        let fields = Fields::read(&mut reply, values)?;
        jobs.push(JobInfo::read(&keys.topic, id, state, score, fields));
    }
    Ok(jobs)
}
