//! What the nodes of a cluster say about who serves which slots: the answer to CLUSTER SLOTS.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use redis::{Value, from_redis_value};

/// Who serves which slots. Addresses are `host:port`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Topology {
    ranges: Vec<(RangeInclusive<u16>, String)>,
    /// Slots that MOVED has reported since the ranges were learned.
    moved: HashMap<u16, String>,
    /// Everybody, replicas too: whom to ask next time.
    pub(super) addresses: Vec<String>,
}

impl Topology {
    /// Reads an answer that came from `asked`; `None` if it is no such answer or names no range.
    pub(super) fn parse(answer: Value, asked: &str) -> Option<Self> {
        let Value::Array(entries) = answer else { return None };
        let mut topology = Topology::default();
        for entry in entries {
            let Value::Array(entry) = entry else { return None };
            let mut parts = entry.into_iter();
            let (first, last) = (small(&parts.next()?)?, small(&parts.next()?)?);
            for (place, node) in parts.enumerate() {
                let Some(address) = address(node, asked) else { continue };
                if place == 0 {
                    topology.ranges.push((first..=last, address.clone())); // the master
                }
                if !topology.addresses.contains(&address) {
                    topology.addresses.push(address);
                }
            }
        }
        (!topology.ranges.is_empty()).then_some(topology)
    }

    pub(super) fn owner(&self, slot: u16) -> Option<&str> {
        let range = || self.ranges.iter().find(|(slots, _)| slots.contains(&slot)).map(|(_, owner)| owner);
        self.moved.get(&slot).or_else(range).map(String::as_str)
    }

    pub(super) fn moved(&mut self, slot: u16, address: &str) {
        self.moved.insert(slot, address.to_owned());
    }
}

/// A slot or a port; redis-rs would cut a larger number down to size.
fn small(value: &Value) -> Option<u16> {
    let Value::Int(n) = value else { return None };
    u16::try_from(*n).ok()
}

/// `[host, port, id, …]`; no host means the one that was asked.
fn address(node: Value, asked: &str) -> Option<String> {
    let Value::Array(parts) = node else { return None };
    let mut parts = parts.into_iter();
    let host: Option<String> = from_redis_value(parts.next()?).ok()?;
    let port = small(&parts.next()?)?;
    match host.as_deref() {
        Some("?") => None, // a node that shall go by a hostname and has none
        None | Some("") => Some(format!("{}:{port}", split(asked)?.0)),
        Some(host) => Some(format!("{host}:{port}")),
    }
}

/// The address in a MOVED or ASK that came from `asked`; no host means the same one.
pub(super) fn redirected(to: &str, asked: &str) -> Option<String> {
    let (host, port) = split(to)?;
    Some(if host.is_empty() { format!("{}:{port}", split(asked)?.0) } else { to.to_owned() })
}

/// Host and port; the port is what follows the last colon, since an IPv6 address has some of its own.
pub(super) fn split(address: &str) -> Option<(&str, u16)> {
    let (host, port) = address.rsplit_once(':')?;
    Some((host, port.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(resp: &str) -> Option<Topology> {
        Topology::parse(redis::parse_redis_value(resp.replace(' ', "\r\n").as_bytes()).unwrap(), "10.0.0.1:1")
    }

    #[test]
    fn masters_own_ranges_and_replicas_are_known() {
        let t = parse(concat!(
            "*3 *4 :0 :99 *3 $1 a :1 $2 id *3 $1 a :2 $2 id ",
            "*3 :100 :16383 *4 $3 ::1 :3 $2 id *0 ",
            "*4 :5 :5 *2 $1 a :1 *2 $1 a :2 "
        ))
        .unwrap();
        assert_eq!((t.owner(0), t.owner(99)), (Some("a:1"), Some("a:1")));
        assert_eq!((t.owner(100), t.owner(16383)), (Some("::1:3"), Some("::1:3")));
        assert_eq!(t.addresses, ["a:1", "a:2", "::1:3"]);
    }

    #[test]
    fn an_empty_host_is_the_one_that_was_asked() {
        for nobody in ["$0  ", "$-1 ", "_ "] {
            let t = parse(&format!("*1 *3 :0 :9 *2 {nobody}:7 ")).unwrap();
            assert_eq!((t.owner(9), t.owner(10)), (Some("10.0.0.1:7"), None), "{nobody}");
        }
        assert_eq!(redirected(":7", "::1:5").as_deref(), Some("::1:7"));
        assert_eq!(redirected("h:7", "g:5").as_deref(), Some("h:7"));
        assert_eq!(redirected("h", "g:5"), None);
    }

    #[test]
    fn what_moved_says_counts_until_the_next_answer() {
        let mut t = parse("*1 *3 :0 :9 *2 $1 a :1 ").unwrap();
        t.moved(3, "b:2");
        assert_eq!((t.owner(3), t.owner(4)), (Some("b:2"), Some("a:1")));
    }

    #[test]
    fn anything_else_is_no_answer() {
        for other in ["*0 ", "+OK ", "*1 :5 ", "*1 *2 :0 :5 ", "*1 *3 :0 :70000 *2 $1 a :1 "] {
            assert_eq!(parse(other), None, "{other}");
        }
        assert_eq!(parse("*1 *3 :0 :9 *2 $1 ? :1 "), None, "a nameless node serves nothing");
    }
}
