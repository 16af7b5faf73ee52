//! One error type and one table of kinds, from which every language takes its own list.

use std::error::Error as StdError;
use std::fmt;

macro_rules! error_kinds {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $code:literal, $slug:literal, retryable: $retry:literal; )+) => {
        /// What went wrong, as one word that programs may match on.
        ///
        /// Codes and slugs are part of the contract with every binding: a number is never used again.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind { $( $(#[doc = $doc])+ $variant = $code, )+ }

        impl ErrorKind {
            /// Every kind, in the order of the table in `docs/errors.md`.
            pub const ALL: &'static [ErrorKind] = &[ $( ErrorKind::$variant, )+ ];

            /// The stable name, e.g. `lease_lost`; the same in every language.
            pub const fn slug(self) -> &'static str {
                match self { $( ErrorKind::$variant => $slug, )+ }
            }

            /// The stable number; the C library's status values.
            pub const fn code(self) -> i32 { self as i32 }

            /// Whether the same call may succeed later without a change by the caller.
            pub const fn retryable(self) -> bool {
                match self { $( ErrorKind::$variant => $retry, )+ }
            }

            /// One line on the meaning, for lists and documents.
            pub const fn summary(self) -> &'static str {
                match self { $( ErrorKind::$variant => concat!($($doc),+), )+ }
            }
        }
    };
}

error_kinds! {
    /// A value was refused before anything was sent to Redis.
    InvalidArgument = 1, "invalid_argument", retryable: false;
    /// There is no such job.
    NotFound = 2, "not_found", retryable: false;
    /// The job is no longer held under this receipt: expired, replaced, cancelled or taken by another.
    LeaseLost = 3, "lease_lost", retryable: false;
    /// Redis could not be reached; nothing was done.
    Unavailable = 4, "unavailable", retryable: true;
    /// No reply in time: the outcome is unknown, the call may have taken effect.
    Timeout = 5, "timeout", retryable: true;
    /// Redis answered with an error.
    Server = 6, "server", retryable: false;
    /// The keyspace or a reply is of a version that this library does not know.
    Incompatible = 7, "incompatible", retryable: false;
    /// The handle was closed.
    Closed = 8, "closed", retryable: false;
    /// A bug in delayq, including a caught panic.
    Internal = 9, "internal", retryable: false;
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

/// The error of every delayq call.
///
/// It says what happened and what to do about it in one sentence ([`message`](Error::message)), which verb
/// on which topic and job it was, and whether trying again may help. It never contains a password.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    message: String,
    verb: Option<&'static str>,
    topic: Option<String>,
    id: Option<String>,
    retryable: bool,
    source: Option<std::sync::Arc<dyn StdError + Send + Sync>>,
}

/// The result of every delayq call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of this kind. The message is one sentence for people that says what to do.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            verb: None,
            topic: None,
            id: None,
            retryable: kind.retryable(),
            source: None,
        }))
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::InvalidArgument, message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Internal, message)
    }

    /// The error for a panic that a binding caught at its border, from the payload of the panic.
    pub fn from_panic(payload: &(dyn std::any::Any + Send)) -> Self {
        let what = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        Error::internal(format!("delayq panicked, please report it: {what}"))
    }

    /// Adds the verb unless one is named; for bindings, whose own refusals must read like the core's.
    pub fn with_verb(mut self, verb: &'static str) -> Self {
        self.0.verb.get_or_insert(verb);
        self
    }

    /// Adds the topic unless one is named.
    pub fn with_topic(mut self, topic: &str) -> Self {
        self.0.topic.get_or_insert_with(|| topic.to_owned());
        self
    }

    /// Adds the job's id unless one is named.
    pub fn with_id(mut self, id: &str) -> Self {
        self.0.id.get_or_insert_with(|| id.to_owned());
        self
    }

    pub(crate) fn with_retryable(mut self, retryable: bool) -> Self {
        self.0.retryable = retryable;
        self
    }

    /// Adds what else is known to the sentence.
    pub(crate) fn with_detail(mut self, detail: &str) -> Self {
        self.0.message = format!("{} ({detail})", self.0.message);
        self
    }

    pub(crate) fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.0.source = Some(std::sync::Arc::new(source));
        self
    }

    /// What went wrong, for programs.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What went wrong and what to do, for people.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The verb that failed, e.g. `enqueue`.
    pub fn verb(&self) -> Option<&str> {
        self.0.verb
    }

    /// The topic, if the call had one.
    pub fn topic(&self) -> Option<&str> {
        self.0.topic.as_deref()
    }

    /// The job's id, if the call was about one job.
    pub fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    /// Whether the same call may succeed later without a change by the caller.
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, verb, topic, id, .. } = &*self.0;
        write!(f, "{kind}: ")?;
        if let Some(verb) = verb {
            write!(f, "{verb} ")?;
            topic.as_ref().map_or(Ok(()), |topic| write!(f, "on {topic:?} "))?;
            id.as_ref().map_or(Ok(()), |id| write!(f, "of job {id:?} "))?;
            f.write_str("failed: ")?;
        }
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("verb", &self.0.verb)
            .field("topic", &self.0.topic)
            .field("id", &self.0.id)
            .field("retryable", &self.0.retryable)
            .finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_ref().map(|s| s.as_ref() as &(dyn StdError + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_and_codes_are_unique_and_stable() {
        let listed: Vec<_> = ErrorKind::ALL.iter().map(|k| (k.code(), k.slug())).collect();
        assert_eq!(
            listed,
            [
                (1, "invalid_argument"),
                (2, "not_found"),
                (3, "lease_lost"),
                (4, "unavailable"),
                (5, "timeout"),
                (6, "server"),
                (7, "incompatible"),
                (8, "closed"),
                (9, "internal"),
            ]
        );
    }

    #[test]
    fn the_sentence_names_verb_topic_and_id() {
        let e = Error::new(ErrorKind::LeaseLost, "taken").with_verb("ack").with_topic("t").with_id("a");
        assert_eq!(e.to_string(), r#"lease_lost: ack on "t" of job "a" failed: taken"#);
    }
}
