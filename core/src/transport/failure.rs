//! What a failed attempt means: was it run, may it be repeated, and which error the caller gets.

use redis::{ErrorKind as RedisKind, RedisError};

use super::topology::redirected;
use crate::error::{Error, ErrorKind};

/// A failed attempt, sorted by what is known about it.
#[derive(Debug)]
pub(super) enum Failure {
    /// It had no effect and may work later: try again on a new connection.
    NotRun(Error),
    /// It may have taken effect.
    Unknown(Error),
    /// It had no effect; another node is to be asked.
    Elsewhere(Redirect),
    /// The answer is final.
    Final(Error),
}

/// Where a cluster node sends a call that it does not serve.
#[derive(Debug)]
pub(super) struct Redirect {
    pub(super) slot: u16,
    pub(super) address: String,
    /// Only this call, after ASKING (ASK), and not all of the slot (MOVED).
    pub(super) asking: bool,
    /// For a caller that cannot follow.
    pub(super) error: Error,
}

/// Codes by which a server says that it did nothing, and that later or elsewhere it may.
const LATER: &[&str] = &["LOADING", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "READONLY"];

/// What a code of the server means and what to do. The first word is the code.
const ADVICE: &[(&str, &str)] = &[
    (
        "WRONGTYPE",
        "a key that delayq needs holds another type; rename the other key, or choose another prefix",
    ),
    ("OOM", "Redis is at its memory limit and refused the write; raise maxmemory or remove data"),
    ("READONLY", "this Redis is a replica and takes no writes; connect to the primary"),
    ("LOADING", "Redis is still loading its data; try again in a moment"),
    ("BUSY", "Redis is busy with a slow script; try again, and look for large payloads or batches"),
    ("NOAUTH", "Redis wants a login; give a password in the URL or as an option"),
    ("WRONGPASS", "Redis refused the login; check user and password (percent-encode them in the URL)"),
    ("NOPERM", "the ACL user may not do this; allow its keys and the commands in docs/operations.md"),
    ("MISCONF", "Redis cannot persist and refuses writes; look at its log and its disk"),
    (
        "NOREPLICAS",
        "Redis has too few replicas to accept writes; bring them back or lower min-replicas-to-write",
    ),
    ("MOVED", "this Redis is a node of a cluster and another node has the topic; use a redis-cluster:// URL"),
    ("ASK", "this Redis is a node of a cluster and the topic is moving; use a redis-cluster:// URL"),
    ("TRYAGAIN", "the topic is moving to another node of the cluster; try again when it has arrived"),
    ("CLUSTERDOWN", "the cluster is not complete, or is electing a new primary; try again in a moment"),
    ("CROSSSLOT", "the keys of one call lie in several slots, which is a bug in delayq; please report it"),
];

/// An error before anything was sent.
pub(super) fn connecting(e: RedisError, address: &str) -> Failure {
    match e.kind() {
        RedisKind::InvalidClientConfig => Failure::Final(
            Error::invalid(format!("the connection options cannot work: {}", detail(&e))).with_source(e),
        ),
        RedisKind::AuthenticationFailed => Failure::Final(server("WRONGPASS", &e).with_source(e)),
        RedisKind::Server(_) | RedisKind::Extension => answered(e, address),
        _ => Failure::NotRun(unavailable(&e, address).with_source(e)),
    }
}

/// The request could not be written as a whole, so the server cannot have run it.
pub(super) fn sending(e: RedisError, address: &str) -> Failure {
    Failure::NotRun(unavailable(&e, address).with_source(e))
}

/// The request was written and no whole answer came.
pub(super) fn receiving(e: RedisError) -> Failure {
    let how =
        if e.is_timeout() { "no answer came in time" } else { "the connection broke before the answer" };
    let message = format!("{how}; the call may have taken effect, so look before you repeat it");
    Failure::Unknown(Error::new(ErrorKind::Timeout, message).with_source(e))
}

/// The answer of the server at this address is an error.
pub(super) fn answered(e: RedisError, address: &str) -> Failure {
    let code = code(&e).to_owned();
    let error = server(&code, &e);
    let later = LATER.contains(&code.as_str());
    let to = e.redirect_node().and_then(|(to, slot)| Some((redirected(to, address)?, slot)));
    let error = error.with_retryable(later || code == "BUSY").with_source(e);
    match to {
        Some((address, slot)) => Failure::Elsewhere(Redirect { slot, address, asking: code == "ASK", error }),
        None if later => Failure::NotRun(error),
        None => Failure::Final(error),
    }
}

/// Whether the error is Redis' WRONGTYPE.
pub(crate) fn is_wrong_type(e: &Error) -> bool {
    let source = std::error::Error::source(e).and_then(|s| s.downcast_ref::<RedisError>());
    source.is_some_and(|e| code(e) == "WRONGTYPE")
}

fn unavailable(e: &RedisError, address: &str) -> Error {
    let message =
        format!("Redis at {address} cannot be reached ({}); is it running, is the address right?", detail(e));
    Error::new(ErrorKind::Unavailable, message)
}

fn server(code: &str, e: &RedisError) -> Error {
    let advice = ADVICE.iter().find(|(known, _)| *known == code).map(|(_, advice)| *advice);
    let message = match advice {
        Some(advice) => format!("{code}: {advice}"),
        None => format!("Redis answered {code}: {}", detail(e)),
    };
    Error::new(ErrorKind::Server, message)
}

/// The error code. Redis before 7 wraps an error inside a script into a sentence that ends in
/// `@user_script:<line>: <CODE> <text>`.
fn code(e: &RedisError) -> &str {
    let outer = e.code().unwrap_or("ERR");
    if outer != "ERR" {
        return outer;
    }
    e.detail()
        .and_then(|text| text.split_once("@user_script:"))
        .and_then(|(_, text)| text.split_once(": "))
        .and_then(|(_, text)| text.trim_start_matches('-').split(' ').next())
        .filter(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase()))
        .unwrap_or(outer)
}

/// The text of an error; the crate puts no credentials into it.
fn detail(e: &RedisError) -> String {
    e.detail().map_or_else(|| e.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(line: &str) -> RedisError {
        match redis::parse_redis_value(format!("-{line}\r\n").as_bytes()) {
            Ok(redis::Value::ServerError(e)) => e.into(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_code_is_found_in_old_and_new_answers() {
        let old =
            "ERR Error running script (call to f_51b6): @user_script:1: WRONGTYPE Operation against a key";
        assert_eq!(code(&reply(old)), "WRONGTYPE");
        let dashed = "ERR Error running script (call to f_51b6): @user_script: 1: -READONLY You can't write";
        assert_eq!(code(&reply(dashed)), "READONLY");
        assert_eq!(
            code(&reply("WRONGTYPE Operation against a key script: 51b, on @user_script:1.")),
            "WRONGTYPE"
        );
        assert_eq!(code(&reply("ERR unknown command")), "ERR");
    }

    #[test]
    fn codes_that_mean_nothing_was_done_are_repeated_and_others_are_final() {
        for later in LATER {
            assert!(matches!(answered(reply(&format!("{later} x")), "h:1"), Failure::NotRun(_)), "{later}");
        }
        for last in ["OOM x", "WRONGTYPE x", "NOPERM x", "BUSY x", "ERR x", "CROSSSLOT x"] {
            assert!(matches!(answered(reply(last), "h:1"), Failure::Final(_)), "{last}");
        }
    }

    #[test]
    fn moved_and_ask_say_where_to_go() {
        for (line, wanted) in [
            ("MOVED 3300 10.0.0.1:7102", (3300, "10.0.0.1:7102", false)),
            ("ASK 12 :7102", (12, "h:7102", true)),
        ] {
            let Failure::Elsewhere(to) = answered(reply(line), "h:1") else { panic!("{line}") };
            assert_eq!((to.slot, to.address.as_str(), to.asking), wanted);
            assert!(to.error.message().contains("redis-cluster://"));
        }
    }
}
