//! Generated ids: UUIDs of version 7, growing within a process and random between processes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use uuid::Uuid;

use crate::error::{Error, Result};

/// Milliseconds since the epoch (upper 52 bits) and a counter within the millisecond (lower 12 bits).
static LAST: AtomicU64 = AtomicU64::new(0);

/// A new id. Ids of one process grow in the order of their making, so equal due times keep that order.
///
/// The clock only gives the order; uniqueness rests on 62 bits drawn from the operating system for every id,
/// which a forked child does not share with its parent.
#[allow(clippy::disallowed_methods)] // for the order only
pub(crate) fn generate() -> Result<String> {
    let mut bytes: [u8; 16] = random()?;
    let now_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64);
    let tick = next_tick(now_ms);
    bytes[..6].copy_from_slice(&(tick >> 12).to_be_bytes()[2..]);
    bytes[6..8].copy_from_slice(&((tick & 0xfff) as u16).to_be_bytes());
    Ok(uuid::Builder::from_custom_bytes(bytes).with_version(uuid::Version::SortRand).into_uuid())
        .map(|id: Uuid| id.to_string())
}

fn next_tick(now_ms: u64) -> u64 {
    let floor = now_ms << 12;
    let next = |last: u64| floor.max(last + 1);
    match LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(next(last))) {
        Ok(last) | Err(last) => next(last),
    }
}

/// 64 random bits as hex: makes a receipt unique even if the topic's lease sequence was deleted.
pub(crate) fn nonce() -> Result<String> {
    Ok(format!("{:016x}", u64::from_be_bytes(random()?)))
}

/// A random number from 0 up to 1, for jitter.
pub(crate) fn random_share() -> Result<f64> {
    Ok(f64::from(u32::from_be_bytes(random()?)) / 2f64.powi(32))
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0u8; N];
    getrandom::fill(&mut bytes)
        .map_err(|e| Error::internal(format!("the operating system gave no random bytes: {e}")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_version_7_unique_and_grow() {
        let ids: Vec<String> = (0..10_000).map(|_| generate().unwrap()).collect();
        assert!(ids.windows(2).all(|w| w[0] < w[1]), "ids must grow");
        let id = Uuid::parse_str(&ids[0]).unwrap();
        assert_eq!(id.get_version_num(), 7);
        assert_eq!(id.get_variant(), uuid::Variant::RFC4122);
    }
}
