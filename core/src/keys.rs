//! The only place that spells a Redis key. Topics and ids are checked here, so that no two pairs share a key.

use crate::error::{Error, Result};
use crate::outcome::State;

/// The keys of one topic. All carry the hash tag `{topic}`, so they share one cluster slot.
#[derive(Clone, Debug)]
pub(crate) struct TopicKeys {
    pub(crate) topic: String,
    pub(crate) scheduled: String,
    pub(crate) processing: String,
    pub(crate) dead: String,
    pub(crate) orphan: String,
    pub(crate) stats: String,
    pub(crate) conf: String,
    /// The channel of wake-up hints.
    pub(crate) wake: String,
    /// Held by the worker whose turn it is to sweep.
    pub(crate) sweep_lock: String,
    /// `<prefix>:job:{topic}:`; a job's id is appended. Scripts that learn ids only while they run get this.
    pub(crate) body_prefix: String,
    done_prefix: String,
}

impl TopicKeys {
    pub(crate) fn new(prefix: &str, topic: &str) -> Result<Self> {
        check_topic(topic)?;
        let key = |name: &str| format!("{prefix}:{name}:{{{topic}}}");
        Ok(TopicKeys {
            topic: topic.to_owned(),
            scheduled: key("zset"),
            processing: key("processing"),
            dead: key("dlq"),
            orphan: format!("{}:orphan", key("zset")),
            stats: key("stats"),
            conf: key("conf"),
            wake: key("wake"),
            sweep_lock: key("lock:requeue"),
            body_prefix: format!("{}:", key("job")),
            done_prefix: format!("{}:", key("done")),
        })
    }

    pub(crate) fn body(&self, id: &str) -> String {
        format!("{}{id}", self.body_prefix)
    }

    pub(crate) fn done(&self, id: &str) -> String {
        format!("{}{id}", self.done_prefix)
    }

    /// The index of a state; `done` has none.
    pub(crate) fn index(&self, state: State) -> Result<&str> {
        match state {
            State::Scheduled => Ok(&self.scheduled),
            State::Processing => Ok(&self.processing),
            State::Dead => Ok(&self.dead),
            State::Orphan => Ok(&self.orphan),
            State::Done => Err(Error::invalid(
                "done jobs are not indexed, only their markers are left; give scheduled, processing, dead or orphan",
            )),
        }
    }

    /// A pattern for SCAN that finds the topic's bodies; what the topic or the prefix holds of its special
    /// characters is escaped.
    pub(crate) fn body_pattern(&self) -> String {
        let mut pattern = String::new();
        for c in self.body_prefix.chars() {
            if matches!(c, '*' | '?' | '[' | ']' | '\\') {
                pattern.push('\\');
            }
            pattern.push(c);
        }
        pattern + "*"
    }

    /// The type that this key of the topic must have, for the diagnosis of a WRONGTYPE.
    pub(crate) fn type_of(&self, key: &str) -> Option<&'static str> {
        if [&self.scheduled, &self.processing, &self.dead, &self.orphan].into_iter().any(|k| k == key) {
            Some("zset")
        } else if key == self.stats || key == self.conf || key.starts_with(&self.body_prefix) {
            Some("hash")
        } else if key.starts_with(&self.done_prefix) {
            Some("string")
        } else {
            None
        }
    }
}

/// Hash with the layout version; one for all topics.
pub(crate) fn meta(prefix: &str) -> String {
    format!("{prefix}:meta")
}

/// Hash of the known topics and their shard counts.
pub(crate) fn topics(prefix: &str) -> String {
    format!("{prefix}:topics")
}

fn check_topic(topic: &str) -> Result<()> {
    let problem = if topic.is_empty() {
        "is empty"
    } else if topic.len() > 128 {
        "is longer than 128 bytes"
    } else if topic.contains(['{', '}']) {
        "contains a brace, which would move its keys to other cluster slots"
    } else if topic.chars().any(char::is_control) {
        "contains a control character"
    } else {
        return Ok(());
    };
    Err(Error::invalid(format!(
        "the topic {problem}; use 1 to 128 bytes without braces and control characters"
    )))
}

/// Checks an id given by a caller.
pub(crate) fn check_id(id: &str) -> Result<()> {
    let problem = if id.is_empty() {
        "is empty"
    } else if id.len() > 512 {
        "is longer than 512 bytes"
    } else if id.contains('\0') {
        "contains a NUL"
    } else {
        return Ok(());
    };
    Err(Error::invalid(format!("the id {problem}; use 1 to 512 bytes of UTF-8 without NUL")))
}

/// A key of the same topic that is never written; the last key of every script.
pub(crate) fn never(key: &str) -> String {
    let (before, rest) = key.split_once('{').unwrap_or((key, ""));
    let (topic, _) = rest.split_once('}').unwrap_or_default();
    format!("{before}never:{{{topic}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_spelled_as_documented() {
        let k = TopicKeys::new("delay", "order_close").unwrap();
        assert_eq!(k.scheduled, "delay:zset:{order_close}");
        assert_eq!(k.processing, "delay:processing:{order_close}");
        assert_eq!(k.dead, "delay:dlq:{order_close}");
        assert_eq!(k.orphan, "delay:zset:{order_close}:orphan");
        assert_eq!(k.stats, "delay:stats:{order_close}");
        assert_eq!(
            (k.conf.as_str(), k.wake.as_str()),
            ("delay:conf:{order_close}", "delay:wake:{order_close}")
        );
        assert_eq!(TopicKeys::new("delay", "a*[b]").unwrap().body_pattern(), r"delay:job:{a\*\[b\]}:*");
        assert_eq!(k.body("a:{b}"), "delay:job:{order_close}:a:{b}");
        assert_eq!(k.done("a"), "delay:done:{order_close}:a");
        for key in [&k.scheduled, &k.orphan, &k.body("a:{b}")] {
            let never = never(key);
            assert!(never.starts_with("delay:") && never.ends_with(":never:{order_close}"), "{never}");
        }
    }

    #[test]
    fn bad_names_are_refused() {
        for topic in ["", "a{b", "a}b", "a\nb", "a\0b", &"x".repeat(129)] {
            assert!(TopicKeys::new("delay", topic).is_err(), "{topic:?}");
        }
        for id in ["", "a\0b", &"x".repeat(513)] {
            assert!(check_id(id).is_err(), "{id:?}");
        }
        for id in ["a b", "{", "*", "123", "\u{1F600}", "\"'", "\n", &"é".repeat(256)] {
            assert!(check_id(id).is_ok(), "{id:?}");
        }
    }
}
