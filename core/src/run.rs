//! Runs a verb's script: the first-write checks, the call, the status word, and the diagnosis of a WRONGTYPE.

use redis::{cmd, from_redis_value};

use crate::error::{Error, Result};
use crate::layout;
use crate::queue::Inner;
use crate::reply::Reply;
use crate::script::Call;
use crate::time::after_year_9999;
use crate::transport::is_wrong_type;

/// A script's refusal before its first write: its status word and what follows.
pub(crate) struct Refusal {
    pub(crate) status: String,
    pub(crate) reply: Reply,
}

impl Refusal {
    /// `RANGE`: a delay that passes the year 9999 by the server's clock.
    pub(crate) fn error(&self) -> Error {
        match self.status.as_str() {
            "RANGE" => after_year_9999(),
            status => Error::internal(format!("a script answered {status:?}")),
        }
    }
}

impl Inner {
    /// Runs a script; the one refusal there is becomes the error that it means.
    pub(crate) fn run(&self, call: &Call<'_>) -> Result<Reply> {
        self.run_or_refuse(call)?.map_err(|refusal| refusal.error())
    }

    /// Runs a script that may refuse.
    pub(crate) fn run_or_refuse(&self, call: &Call<'_>) -> Result<Result<Reply, Refusal>> {
        self.check_layout()?;
        let value = self.transport.call(call).map_err(|e| self.diagnose(e, call.keys()))?;
        let mut reply = Reply::new(value)?;
        let status = reply.text()?;
        if status == "NEW" {
            self.make_known_again();
        }
        Ok(if matches!(status.as_str(), "OK" | "NEW") { Ok(reply) } else { Err(Refusal { status, reply }) })
    }

    /// Redis did not know the topic: it is new, or all data went since this process made it known.
    fn make_known_again(&self) {
        self.transport.forget("");
        self.transport.forget(&self.keys.topic);
        // The call itself is done; if this fails, the next one that needs it says so.
        let _ = self.register_topic();
    }

    /// Makes the topic known to tools, once per process and after a loss of all data.
    pub(crate) fn register_topic(&self) -> Result<()> {
        self.check_layout()?;
        let topic = &self.keys.topic;
        self.transport.once(topic, || layout::register(&self.transport, topic))
    }

    fn check_layout(&self) -> Result<()> {
        // No topic is empty, so "" stands for the layout.
        self.transport.once("", || layout::check(&self.transport))
    }

    /// Redis does not say which key has the wrong type, so look at those that the call had.
    pub(crate) fn diagnose<'k>(&self, e: Error, mut keys: impl Iterator<Item = &'k str>) -> Error {
        if !is_wrong_type(&e) {
            return e;
        }
        let wrong = keys.find_map(|key| {
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
