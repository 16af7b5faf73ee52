//! `resume`: the end of a pause. See `lua/resume.lua`.

use crate::error::Result;
use crate::queue::Inner;
use crate::script::{Call, RESUME, Repeat};

pub(crate) fn resume(queue: &Inner) -> Result<()> {
    let call = Call::new(&RESUME, Repeat::Safe).key(&queue.keys.conf).arg(&queue.keys.wake);
    queue.run(&call).map(|_| ()).map_err(|e| e.with_verb("resume").with_topic(&queue.keys.topic))
}
