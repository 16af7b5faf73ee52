//! A job as `get` and `list` show it.

use std::collections::HashMap;
use std::time::SystemTime;

use crate::error::Result;
use crate::outcome::State;
use crate::reply::Reply;
use crate::time::from_ms;

/// Everything that Redis knows about a job. What does not apply is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobInfo {
    /// The topic.
    pub topic: String,
    /// The id. Of an orphan whose id is no UTF-8 it is what can be shown.
    pub id: String,
    /// Where it is.
    pub state: State,
    /// The payload; `None` if the body is missing or the job is done.
    pub payload: Option<Vec<u8>>,
    /// When it is due, or was due when it was last popped, ms since the epoch.
    pub due_at_ms: Option<i64>,
    /// When it was enqueued, ms since the epoch.
    pub created_at_ms: Option<i64>,
    /// When it was popped, ms since the epoch (processing).
    pub picked_at_ms: Option<i64>,
    /// When its lease ends, ms since the epoch (processing).
    pub lease_until_ms: Option<i64>,
    /// When it died, ms since the epoch (dead).
    pub died_at_ms: Option<i64>,
    /// When its body was found missing, ms since the epoch (orphan).
    pub orphaned_at_ms: Option<i64>,
    /// Failures reported.
    pub retry_count: u32,
    /// Times popped.
    pub deliveries: u32,
    /// What went wrong last.
    pub last_error: Option<String>,
}

impl JobInfo {
    /// When it is due, or was due when it was last popped.
    pub fn due_at(&self) -> Option<SystemTime> {
        self.due_at_ms.map(from_ms)
    }

    /// When it was enqueued.
    pub fn created_at(&self) -> Option<SystemTime> {
        self.created_at_ms.map(from_ms)
    }

    /// From a state, the score in its index and the fields of the body. A body that no index holds is an orphan
    /// with the score -1.
    pub(crate) fn read(topic: &str, id: String, state: State, score: i64, fields: Fields) -> Self {
        let score_if = |wanted| (state == wanted).then_some(score);
        JobInfo {
            topic: topic.to_owned(),
            due_at_ms: score_if(State::Scheduled).or_else(|| fields.number("due_at")),
            created_at_ms: fields.number("created_at"),
            picked_at_ms: fields.number("picked_at"),
            lease_until_ms: score_if(State::Processing),
            died_at_ms: score_if(State::Dead),
            orphaned_at_ms: score_if(State::Orphan).filter(|score| *score != -1),
            retry_count: fields.number("retry_count").unwrap_or(0),
            deliveries: fields.number("deliveries").unwrap_or(0),
            last_error: fields.text("last_error").filter(|text| !text.is_empty()),
            payload: fields.0.get("payload").cloned(),
            id,
            state,
        }
    }
}

/// The fields of a body.
pub(crate) struct Fields(HashMap<String, Vec<u8>>);

impl Fields {
    /// Takes so many values at most, names and values in turn.
    pub(crate) fn read(reply: &mut Reply, values: usize) -> Result<Self> {
        let mut fields = HashMap::new();
        for _ in 0..values.min(reply.len()) / 2 {
            fields.insert(reply.shown()?, reply.bytes()?);
        }
        Ok(Fields(fields))
    }

    fn text(&self, name: &str) -> Option<String> {
        self.0.get(name).map(|text| String::from_utf8_lossy(text).into_owned())
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        std::str::from_utf8(self.0.get(name)?).ok()?.parse().ok()
    }
}
