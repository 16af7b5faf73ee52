//! `pause`: give no jobs to any consumer. See `lua/pause.lua`.

use crate::error::Result;
use crate::queue::Inner;
use crate::script::{Call, PAUSE, Repeat};

pub(crate) fn pause(queue: &Inner) -> Result<()> {
    let call = Call::new(&PAUSE, Repeat::Safe).key(&queue.keys.conf);
    queue.run(&call).map(|_| ()).map_err(|e| e.with_verb("pause").with_topic(&queue.keys.topic))
}
