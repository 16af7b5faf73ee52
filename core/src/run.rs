//! Runs a verb's script: the first-write checks, the call, the status word, and the diagnosis of a WRONGTYPE.

use redis::{cmd, from_redis_value};

use crate::error::{Error, Result};
use crate::layout;
use crate::queue::Inner;
use crate::reply::Reply;
use crate::script::Call;
use crate::transport::is_wrong_type;

/// A script's refusal before its first write: its status word and what follows.
pub(crate) struct Refusal {
    pub(crate) status: String,
    pub(crate) reply: Reply,
}

impl Inner {
    /// Runs a script that only ever answers `OK`.
    pub(crate) fn run(&self, call: &Call<'_>) -> Result<Reply> {
        self.run_or_refuse(call)?
            .map_err(|refusal| Error::internal(format!("a script answered {:?}", refusal.status)))
    }

    /// Runs a script that may refuse.
    pub(crate) fn run_or_refuse(&self, call: &Call<'_>) -> Result<Result<Reply, Refusal>> {
        self.check_layout()?;
        let value = self.transport.call(call).map_err(|e| self.diagnose(e, call))?;
        let mut reply = Reply::new(value)?;
        let status = reply.text()?;
        Ok(if status == "OK" { Ok(reply) } else { Err(Refusal { status, reply }) })
    }

    /// Makes the topic known to tools, once per process.
    pub(crate) fn register_topic(&self) -> Result<()> {
        self.check_layout()?;
        let topic = &self.keys.topic;
        self.transport.once(topic, || layout::register(&self.transport, topic))
    }

    fn check_layout(&self) -> Result<()> {
        // No topic is empty, so "" stands for the layout.
        self.transport.once("", || layout::check(&self.transport))
    }

    /// Redis does not say which key has the wrong type, so look.
    fn diagnose(&self, e: Error, call: &Call<'_>) -> Error {
        if !is_wrong_type(&e) {
            return e;
        }
        let wrong = call.keys().find_map(|key| {
            let wanted = self.keys.type_of(key)?;
            let found: String =
                from_redis_value(self.transport.command(key, cmd("TYPE").arg(key)).ok()?).ok()?;
            (found != wanted && found != "none")
                .then(|| format!("{key} holds a {found}, delayq needs a {wanted}"))
        });
        match wrong {
            Some(wrong) => e.with_detail(&wrong),
            None => e,
        }
    }
}
