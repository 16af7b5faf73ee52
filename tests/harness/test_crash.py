"""A consumer that is killed in mid-job: the job comes back after its lease, and exactly one ack counts."""

import uuid

import keyspace
import pytest
from runners import LANGUAGES, Failure
from servers import wait_until

LEASE_MS = 300


@pytest.fixture
def two(new_runner, server):
    """Two processes of a language on one topic, and the prefix of its keys."""

    def start(language: str, lease_ms: int = LEASE_MS):
        runners, prefix = (new_runner(language), new_runner(language)), f"c{uuid.uuid4().hex[:12]}"
        for runner in runners:
            runner.ask("open", url=server.url, prefix=prefix)
            runner.ask("queue", topic="orders", lease_ms=lease_ms)
        return *runners, prefix

    return start


@pytest.mark.parametrize("language", LANGUAGES)
def test_kill_9_in_mid_job(language, two, server):
    victim, survivor, prefix = two(language)
    victim.ask("enqueue", id="a", payload=b"work")
    (job,) = victim.ask("pop")
    victim.kill()

    # Not before its lease ends …
    assert survivor.ask("pop") == []
    swept = wait_until(lambda: survivor.ask("requeue")["requeued"], "the lease is swept")
    assert swept == 1
    assert server.now_ms() >= job["lease_until_ms"]
    # … and then once, as a second delivery without a failure.
    (again,) = survivor.ask("pop")
    assert (again["id"], again["deliveries"], again["retry_count"]) == ("a", 2, 0)
    assert again["receipt"] != job["receipt"]
    assert survivor.ask("pop", **{"as": "nothing"}) == []
    assert survivor.ask("ack", job="jobs.0") == "acked"
    stats = keyspace.sections(keyspace.raw(server.redis, prefix), prefix, "orders")["stats"]
    assert (stats["acked"], stats["delivered"], stats["expired"]) == ("1", "2", "1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_kill_9_while_waiting_loses_nothing(language, two, server):
    waiter, other, prefix = two(language)
    waiter.send("pop", wait_ms=60000)
    wait_until(lambda: server.redis.exists(f"{prefix}:meta"), "the waiter has looked")
    waiter.kill()
    other.ask("enqueue", id="a", payload=b"work")
    (job,) = other.ask("pop", wait_ms=20000)
    assert job["deliveries"] == 1
    assert other.ask("ack", job="jobs.0") == "acked"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_receipt_of_the_dead_does_not_count(language, two):
    """The slow consumer finishes after its job was given to another one: one of two acks counts."""
    slow, fast, _ = two(language, lease_ms=1)
    slow.ask("enqueue", id="a", payload=b"work")
    assert len(slow.ask("pop")) == 1
    wait_until(lambda: fast.ask("requeue")["requeued"], "the lease is swept")
    assert len(fast.ask("pop", lease_ms=60000)) == 1
    outcomes = []
    for runner in (slow, fast):
        try:
            outcomes.append(runner.ask("ack", job="jobs.0"))
        except Failure as failure:
            outcomes.append(failure.error["kind"])
    assert outcomes == ["lease_lost", "acked"]
