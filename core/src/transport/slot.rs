//! The hash slot of a key, as Redis Cluster defines it.

/// How many slots a cluster divides its keys into.
pub(super) const SLOTS: u16 = 16384;

/// The slot of a key: of its hash tag if it has one, so that all keys of a topic share a slot.
pub(super) fn of(key: &str) -> u16 {
    crc16(tag(key).as_bytes()) % SLOTS
}

/// What stands between the first `{` and the next `}`, if that is anything; else the whole key.
fn tag(key: &str) -> &str {
    let tag = key.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(tag, _)| tag);
    tag.filter(|tag| !tag.is_empty()).unwrap_or(key)
}

/// CRC-16/XMODEM.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_specification() {
        assert_eq!(crc16(b"123456789"), 0x31C3);
        assert_eq!(of("foo"), 12182);
    }

    #[test]
    fn only_the_hash_tag_counts() {
        assert_eq!(tag("delay:zset:{orders}:orphan"), "orders");
        assert_eq!(of("delay:job:{é😀}:a{b}"), of("é😀"));
        assert_eq!(tag("{a}{b}"), "a");
        assert_eq!(tag("a{{b}}"), "{b");
        for whole in ["delay:meta", "a{}b{c}", "a{b", "a}b{"] {
            assert_eq!(tag(whole), whole);
        }
    }
}
