//! What a verb did, as small enums whose names are the same words in every language.

use crate::error::{Error, Result};

macro_rules! outcomes {
    ($( $(#[doc = $doc:literal])+ $name:ident { $( $(#[doc = $vdoc:literal])+ $variant:ident = $word:literal, )+ } )+) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name { $( $(#[doc = $vdoc])+ $variant, )+ }

        impl $name {
            /// Every outcome there is.
            pub const ALL: &'static [$name] = &[ $( $name::$variant, )+ ];

            /// The word used by the scripts and by every language.
            pub const fn as_str(self) -> &'static str {
                match self { $( $name::$variant => $word, )+ }
            }

            /// The outcome of that word, if there is one.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|o| o.as_str() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )+ };
}

outcomes! {
    /// What to do when the id is already known.
    Mode {
        /// The last one wins, in any live state; a running lease is revoked.
        Replace = "replace",
        /// The first one wins, whatever its state.
        Keep = "keep",
        /// Only move the due time of a scheduled job; its payload stays.
        Reschedule = "reschedule",
    }

    /// What `enqueue` did.
    EnqueueOutcome {
        /// A new job was stored.
        Created = "created",
        /// A job of this id was replaced by the new one.
        Replaced = "replaced",
        /// A job of this id was there and stays as it is (`keep`).
        Kept = "kept",
        /// The due time was moved (`reschedule`).
        Moved = "moved",
        /// A job of this id was done not long ago, so nothing was stored.
        Done = "done",
        /// There is no scheduled job of this id to move (`reschedule`).
        Missing = "missing",
    }

    /// What `ack` did.
    AckOutcome {
        /// The job is done and gone.
        Acked = "acked",
        /// The job had been acknowledged under this receipt before; nothing changed.
        Already = "already",
        /// The job is not held under this receipt any more; nothing changed. A single `ack` reports this as
        /// an error of kind `lease_lost`.
        LeaseLost = "lease_lost",
    }

    /// What `retry` did.
    RetryOutcome {
        /// The job will run again, when its policy says.
        Scheduled = "scheduled",
        /// That was one failure too many; the job is in the dead letter set.
        Dead = "dead",
        /// The job has a done marker, so it succeeded before; it will not run again.
        Done = "done",
        /// The job is not held under this receipt any more; nothing changed. A single `retry` reports this as
        /// an error of kind `lease_lost`.
        LeaseLost = "lease_lost",
    }

    /// What `release` did.
    ReleaseOutcome {
        /// The job is scheduled again, without a failure.
        Released = "released",
        /// The job had been acknowledged under this receipt; nothing changed.
        Done = "done",
        /// The job is not held under this receipt any more; nothing changed. A single `release` reports this
        /// as an error of kind `lease_lost`.
        LeaseLost = "lease_lost",
    }

    /// What `extend` did.
    ExtendOutcome {
        /// The lease ends later now.
        Extended = "extended",
        /// The job is not held under this receipt any more; nothing changed. A single `extend` reports this
        /// as an error of kind `lease_lost`.
        LeaseLost = "lease_lost",
    }

    /// Where a job is.
    State {
        /// Waiting for its due time.
        Scheduled = "scheduled",
        /// Leased to a consumer.
        Processing = "processing",
        /// In the dead letter set, after too many failures or deliveries.
        Dead = "dead",
        /// Only one half of it is there: an id whose body was lost, or a body that no index holds.
        Orphan = "orphan",
        /// Acknowledged; only the done marker is left. Not a state to list or purge.
        Done = "done",
    }

    /// Where `cancel` found the job that it removed.
    CancelOutcome {
        /// It was waiting for its due time.
        Scheduled = "scheduled",
        /// It was leased; the consumer's later `ack` is refused.
        Processing = "processing",
        /// It was in the dead letter set.
        Dead = "dead",
        /// Only one half of it was there (index or body); that half is gone now.
        Orphan = "orphan",
        /// It had been acknowledged already; there was nothing to remove.
        Done = "done",
        /// Nothing is known under this id.
        Missing = "missing",
    }

    /// What a worker tells; see [`Event`](crate::Event).
    EventKind {
        /// A handler begins.
        Started = "started",
        /// A job was acknowledged.
        Done = "done",
        /// A failure was recorded; an outcome says whether the job will run again.
        Failed = "failed",
        /// The job is not this worker's any more.
        LeaseLost = "lease_lost",
        /// A job was handed back without a failure.
        Released = "released",
        /// Redis does not answer as it should; the worker goes on trying.
        Lost = "lost",
        /// Redis answers again.
        Back = "back",
    }
}

impl Mode {
    /// The mode of that word, for languages in which it is a text.
    ///
    /// # Errors
    /// `invalid_argument` that lists the modes.
    pub fn parse(word: &str) -> Result<Self> {
        Mode::from_word(word)
            .ok_or_else(|| Error::invalid(format!("mode is {word:?}; give one of replace, keep, reschedule")))
    }
}

impl State {
    /// The state of that word, for languages in which it is a text.
    ///
    /// # Errors
    /// `invalid_argument` that lists the states.
    pub fn parse(word: &str) -> Result<Self> {
        State::from_word(word).ok_or_else(|| {
            Error::invalid(format!("state is {word:?}; give one of scheduled, processing, dead, orphan"))
        })
    }
}
