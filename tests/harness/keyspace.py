"""What Redis holds for one topic, in the words of the scenarios. The spelling of every key is repeated here on
purpose: it is a contract, and this is its test."""

from __future__ import annotations

import redis

#: Section of a scenario's `after` -> key without prefix.
INDEXES = {
    "scheduled": "zset:{%s}",
    "processing": "processing:{%s}",
    "dead": "dlq:{%s}",
    "orphan": "zset:{%s}:orphan",
}
STATS, CONF, BODY, DONE = "stats:{%s}", "conf:{%s}", "job:{%s}:", "done:{%s}:"
LOCK = "lock:requeue:{%s}"


def raw(server: redis.Redis, prefix: str) -> dict[str, tuple[str, object, int]]:
    """Every key of the prefix, with its type, its whole value and when it expires (-1: never)."""
    found = {}
    for key in sorted(server.scan_iter(match=prefix.encode() + b":*", count=1000)):
        kind = server.type(key).decode()
        if kind == "none":
            continue  # its life has ended since the scan
        value: object = {
            "zset": lambda k: dict(server.zrange(k, 0, -1, withscores=True)),
            "hash": server.hgetall,
            "string": server.get,
            "set": server.smembers,
        }[kind](key)
        remaining = server.pttl(key)
        found[key.decode()] = (kind, value, remaining)
    return found


def comparable(
    dump: dict[str, tuple[str, object, int]],
) -> dict[str, tuple[str, object, bool]]:
    """A dump without what changes by itself: the remaining life, of which only the existence counts, and the two
    keys by which a process makes itself and a topic known before its first call."""
    return {
        key: (kind, value, remaining > 0)
        for key, (kind, value, remaining) in dump.items()
        if not key.endswith((":meta", ":topics"))
    }


def sections(dump, prefix: str, topic: str) -> dict[str, dict]:
    """A dump in the sections of `after`. A key that belongs nowhere fails."""
    result: dict[str, dict] = {name: {} for name in (*INDEXES, "bodies", "done", "stats", "conf", "meta", "topics")}
    indexes = {f"{prefix}:{key % topic}": name for name, key in INDEXES.items()}
    body, done = f"{prefix}:{BODY % topic}", f"{prefix}:{DONE % topic}"
    single = {
        f"{prefix}:meta": "meta",
        f"{prefix}:topics": "topics",
        f"{prefix}:{STATS % topic}": "stats",
        f"{prefix}:{CONF % topic}": "conf",
    }
    for key, (_kind, value, remaining) in dump.items():
        if key == f"{prefix}:{LOCK % topic}":
            assert remaining != -1, f"{key} never expires"
        elif key in indexes:
            result[indexes[key]] = {member.decode(): int(score) for member, score in value.items()}
        elif key in single:
            result[single[key]] = {field.decode(): text.decode() for field, text in value.items()}
        elif key.startswith(body) and not isinstance(value, dict):
            result["bodies"][key[len(body) :]] = value
        elif key.startswith(body):
            fields = {field.decode(): text.decode("latin-1") for field, text in value.items()}
            fields["payload"] = fields["payload"].encode("latin-1").decode("utf-8", "backslashreplace")
            result["bodies"][key[len(body) :]] = fields
        elif key.startswith(done):
            result["done"][key[len(done) :]] = value.decode() if isinstance(value, bytes) else value
        elif f"{{{topic}}}" in key or "{" not in key:  # what carries another tag is another topic's
            raise AssertionError(f"delayq has no key {key!r}")
    return result


def check_invariants(dump, prefix: str, topic: str) -> None:
    """What holds after every call of every verb, whatever the scenario."""
    where: dict[str, list[str]] = {}
    parts = sections(dump, prefix, topic)
    for name in INDEXES:
        for member in parts[name]:
            where.setdefault(member, []).append(name)
    doubled = {member: places for member, places in where.items() if len(places) > 1}
    assert not doubled, f"an id must be in exactly one place: {doubled}"
    for key, (_kind, _value, remaining) in dump.items():
        if key.startswith(f"{prefix}:{DONE % topic}"):
            assert remaining != -1, f"{key} never expires"
