"""Writes and restores the keyspaces of `tests/compat/`. Run as a program it writes that of the present release."""

from __future__ import annotations

import json
import sys

import keyspace
from runners import Runner
from servers import Server, binaries, repository

FOLDER = repository() / "tests/compat"
TOPIC = "orders"


def live(runner: Runner, server: Server, prefix: str) -> None:
    """A life that leaves something of every kind behind."""
    runner.ask("open", url=server.url, prefix=prefix)
    runner.ask("queue", topic=TOPIC, lease_ms=60000, job_ttl_ms=0, done_ttl_ms=10**12)
    far = 4102444800123
    own = {"kind": "linear", "base_ms": 7000, "jitter": 0.25, "max_retries": 3}
    runner.ask("enqueue", id="scheduled", payload=b"\x00\xff", at_ms=far, policy=own)
    for id in ("done", "retried", "dead", "lost"):
        runner.ask("enqueue", id=id, payload=id.encode())
        runner.ask("pop", **{"as": id})
    assert runner.ask("ack", job="done.0") == "acked"
    assert runner.ask("retry", job="retried.0", error="first", delay_ms=0)["outcome"] == "scheduled"
    runner.ask("queue", topic=TOPIC, job_ttl_ms=0, policy={"kind": "fixed", "base_ms": 1, "max_retries": 0})
    assert runner.ask("retry", job="dead.0", error="broken")["outcome"] == "dead"
    server.redis.delete(f"{prefix}:job:{{{TOPIC}}}:lost")
    assert runner.ask("repair")["orphaned"] == 1
    runner.ask("limit", rate=1000, burst=50)
    # Held when the release stops, under a lease that has ended by the time the next one starts.
    runner.ask("enqueue", id="processing", payload=b"processing")
    held = runner.ask("pop", max=2, lease_ms=1)
    assert [job["id"] for job in held] == ["retried", "processing"]
    assert runner.ask("release", job="jobs.0")["outcome"] == "released"


def save(server: Server, prefix: str) -> dict:
    """The keyspace as JSON; bytes as Latin-1 text, the prefix left out."""

    def text(value: object) -> object:
        if isinstance(value, bytes):
            return value.decode("latin-1")
        if isinstance(value, dict):
            return {text(key): text(item) for key, item in sorted(value.items())}
        return value

    return {
        key.removeprefix(f"{prefix}:"): {"type": kind, "value": text(value), "expires": remaining > 0}
        for key, (kind, value, remaining) in keyspace.raw(server.redis, prefix).items()
    }


def restore(server: Server, prefix: str, keys: dict) -> None:
    for name, entry in keys.items():
        key, value = f"{prefix}:{name}", entry["value"]
        if entry["type"] == "zset":
            server.redis.zadd(key, {member.encode("latin-1"): score for member, score in value.items()})
        elif entry["type"] == "hash":
            server.redis.hset(key, mapping={f: text.encode("latin-1") for f, text in value.items()})
        else:
            server.redis.set(key, value.encode("latin-1"))
        if entry["expires"]:
            server.redis.pexpire(key, 10**9)


def main() -> None:
    server, runner = Server(next(iter(binaries().values()))), Runner("rust")
    try:
        live(runner, server, "compat")
        file = FOLDER / f"{runner.ask('about')['version']}.json"
        file.write_text(json.dumps(save(server, "compat"), indent=1, sort_keys=True) + "\n")
        print(f"wrote {file.relative_to(repository())}")
    finally:
        runner.stop()
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
