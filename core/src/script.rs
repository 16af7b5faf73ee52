//! The only place that knows Lua text: every script with the prelude in front, and a call of one.

use std::borrow::Cow;

use once_cell::race::OnceBox;
use redis::Cmd;

use crate::cancel_token::CancelToken;
use crate::keys;

/// A Lua script and its SHA-1, by which Redis remembers it.
pub(crate) struct Script {
    text: &'static str,
    /// Computed at first use without a lock: a child forked meanwhile would wait for a thread it does not have.
    sha: OnceBox<String>,
}

macro_rules! scripts {
    ($( $name:ident = $file:literal; )+) => {
        $( pub(crate) static $name: Script =
            Script::new(concat!(include_str!("../lua/prelude.lua"), include_str!(concat!("../lua/", $file)))); )+
    };
}

scripts! {
    ENQUEUE = "enqueue.lua";
    POP = "pop.lua";
    ACK = "ack.lua";
    REQUEUE = "requeue.lua";
    CANCEL = "cancel.lua";
    RETRY = "retry.lua";
    RELEASE = "release.lua";
    EXTEND = "extend.lua";
    GET = "get.lua";
    LIST = "list.lua";
    REDRIVE = "redrive.lua";
    PURGE = "purge.lua";
    REPAIR = "repair.lua";
    STATS = "stats.lua";
    PAUSE = "pause.lua";
    RESUME = "resume.lua";
    LIMIT = "limit.lua";
}

impl Script {
    const fn new(text: &'static str) -> Self {
        Script { text, sha: OnceBox::new() }
    }

    fn sha(&self) -> &str {
        self.sha.get_or_init(|| Box::new(redis::Script::new(self.text).get_hash().to_owned()))
    }
}

/// Whether a call may be sent again when it is unknown if Redis has run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Running it twice has the effect of running it once.
    Safe,
    /// Running it twice might do something twice; an unknown outcome is reported as `timeout`.
    Never,
}

/// One call of a script: its keys and arguments.
pub(crate) struct Call<'a> {
    script: &'static Script,
    pub(crate) repeat: Repeat,
    pub(crate) cancel: Option<&'a CancelToken>,
    keys: Vec<Cow<'a, str>>,
    args: Vec<Cow<'a, [u8]>>,
}

impl<'a> Call<'a> {
    pub(crate) fn new(script: &'static Script, repeat: Repeat) -> Self {
        Call { script, repeat, cancel: None, keys: Vec::new(), args: Vec::new() }
    }

    /// No further attempt is made once this token is cancelled.
    pub(crate) fn cancel(mut self, token: &'a CancelToken) -> Self {
        self.cancel = Some(token);
        self
    }

    pub(crate) fn key(mut self, key: impl Into<Cow<'a, str>>) -> Self {
        self.push_key(key);
        self
    }

    pub(crate) fn arg(mut self, arg: impl Arg<'a>) -> Self {
        self.push_arg(arg);
        self
    }

    pub(crate) fn push_key(&mut self, key: impl Into<Cow<'a, str>>) {
        self.keys.push(key.into());
    }

    pub(crate) fn push_arg(&mut self, arg: impl Arg<'a>) {
        self.args.push(arg.into_arg());
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(AsRef::as_ref)
    }

    /// By hash: a few bytes, but refused with NOSCRIPT by a server that has not seen the script.
    pub(crate) fn evalsha(&self) -> Vec<u8> {
        self.command("EVALSHA", self.script.sha())
    }

    /// With the full text: always right, and makes the server remember the script. Never `SCRIPT LOAD`,
    /// which costs a round trip more and, in a cluster, needs every node to be up.
    pub(crate) fn eval(&self) -> Vec<u8> {
        self.command("EVAL", self.script.text)
    }

    fn command(&self, name: &str, script: &str) -> Vec<u8> {
        let mut cmd = Cmd::with_capacity(4 + self.keys.len() + self.args.len(), 0);
        cmd.arg(name).arg(script).arg(self.keys.len() + 1);
        self.keys.iter().for_each(|key| _ = cmd.arg(key.as_bytes()));
        cmd.arg(self.keys.first().map(|key| keys::never(key))); // the prelude says what it is for
        self.args.iter().for_each(|arg| _ = cmd.arg(arg.as_ref()));
        cmd.get_packed_command()
    }
}

/// What may be an argument of a script.
pub(crate) trait Arg<'a> {
    fn into_arg(self) -> Cow<'a, [u8]>;
}

macro_rules! args {
    ($( $type:ty: $self:ident => $cow:expr; )+) => { $(
        impl<'a> Arg<'a> for $type {
            fn into_arg($self) -> Cow<'a, [u8]> { $cow }
        }
    )+ };
}

args! {
    &'a str: self => Cow::Borrowed(self.as_bytes());
    &'a String: self => Cow::Borrowed(self.as_bytes());
    &'a [u8]: self => Cow::Borrowed(self);
    String: self => Cow::Owned(self.into_bytes());
    i64: self => Cow::Owned(self.to_string().into_bytes());
    u32: self => Cow::Owned(self.to_string().into_bytes());
    &'a Cow<'a, str>: self => Cow::Borrowed(self.as_bytes());
    usize: self => Cow::Owned(self.to_string().into_bytes());
}
