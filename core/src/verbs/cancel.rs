//! `cancel`: remove a job in any live state. See `lua/cancel.lua`.

use crate::error::Result;
use crate::keys::check_id;
use crate::outcome::CancelOutcome;
use crate::queue::Inner;
use crate::script::{CANCEL, Call, Repeat};

pub(crate) fn cancel(queue: &Inner, id: &str) -> Result<CancelOutcome> {
    cancel_inner(queue, id).map_err(|e| e.with_verb("cancel").with_topic(&queue.keys.topic).with_id(id))
}

fn cancel_inner(queue: &Inner, id: &str) -> Result<CancelOutcome> {
    check_id(id)?;
    let keys = &queue.keys;
    // Not repeated: a second run would answer `missing` for a job that the first one removed, and might
    // remove a job that was enqueued in between.
    let call = Call::new(&CANCEL, Repeat::Never)
        .key(&keys.scheduled)
        .key(&keys.processing)
        .key(&keys.dead)
        .key(&keys.orphan)
        .key(&keys.stats)
        .key(keys.body(id))
        .key(keys.done(id))
        .arg(id)
        .arg(&keys.wake);
    queue.run(&call)?.outcome(CancelOutcome::from_word)
}
