//! What a process makes sure of before its first write: that it knows the layout of the keys, and that the
//! topic can be found by tools.

use redis::{Cmd, cmd};

use crate::error::{Error, ErrorKind, Result};
use crate::keys;
use crate::transport::Transport;

/// The version of keys, fields and scripts that this library reads and writes.
const LAYOUT: &str = "1";

/// Marks the keyspace with the layout version, or refuses one that is marked with another.
pub(crate) fn check(transport: &Transport) -> Result<()> {
    let meta = keys::meta(transport.prefix());
    let found = read_or_set(transport, &meta, "layout", LAYOUT)?;
    if found == LAYOUT {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Incompatible,
        format!(
            "{meta} says layout {found:?}, and this version knows layout {LAYOUT} only; use the version that wrote it"
        ),
    ))
}

/// Lists the topic among the known ones, with one shard.
pub(crate) fn register(transport: &Transport, topic: &str) -> Result<()> {
    read_or_set(transport, &keys::topics(transport.prefix()), topic, "1").map(|_| ())
}

/// What the field holds, or the value that it is given now. Reads first: a full server refuses a write even if it
/// would change nothing, and consumers that start just then must get to work.
fn read_or_set(transport: &Transport, key: &str, field: &str, value: &str) -> Result<String> {
    let read = || text(transport, key, cmd("HGET").arg(key).arg(field));
    if let Some(found) = read()? {
        return Ok(found);
    }
    let set = transport.command(key, cmd("HSETNX").arg(key).arg(field).arg(value));
    set.map_err(|e| name_key(e, key))?;
    Ok(read()?.unwrap_or_else(|| value.to_owned())) // another process may have been faster
}

fn text(transport: &Transport, key: &str, command: &Cmd) -> Result<Option<String>> {
    let value = transport.command(key, command).map_err(|e| name_key(e, key))?;
    redis::from_redis_value(value).map_err(|_| Error::internal(format!("{key} answered no text")))
}

fn name_key(e: Error, key: &str) -> Error {
    match e.kind() {
        ErrorKind::Server => e.with_detail(&format!("the key is {key}")),
        _ => e,
    }
}
