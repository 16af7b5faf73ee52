//! `get`: everything about one job. See `lua/get.lua`.

use crate::error::{Error, ErrorKind, Result};
use crate::info::{Fields, JobInfo};
use crate::keys::check_id;
use crate::outcome::State;
use crate::queue::Inner;
use crate::script::{Call, GET, Repeat};

pub(crate) fn get(queue: &Inner, id: &str) -> Result<JobInfo> {
    get_inner(queue, id).map_err(|e| e.with_verb("get").with_topic(&queue.keys.topic).with_id(id))
}

fn get_inner(queue: &Inner, id: &str) -> Result<JobInfo> {
    check_id(id)?;
    let keys = &queue.keys;
    let call = Call::new(&GET, Repeat::Safe)
        .key(&keys.scheduled)
        .key(&keys.processing)
        .key(&keys.dead)
        .key(&keys.orphan)
        .key(keys.body(id))
        .key(keys.done(id))
        .arg(id);
    let mut reply = queue.run(&call)?;
    let Some(state) = reply.outcome(|word| match word {
        "missing" => Some(None),
        word => State::from_word(word).map(Some),
    })?
    else {
        return Err(Error::new(
            ErrorKind::NotFound,
            "nothing is known under this id; it never was, or it has expired",
        ));
    };
    let score = reply.int()?;
    let fields = Fields::read(&mut reply, usize::MAX)?;
    Ok(JobInfo::read(&keys.topic, id.to_owned(), state, score, fields))
}
