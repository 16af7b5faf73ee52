"""Eight processes of four languages at once: ids never collide, and no sweep counts twice."""

import uuid

import pytest
from runners import LANGUAGES
from servers import wait_until


@pytest.fixture
def crowd(new_runner, server):
    prefix = f"w{uuid.uuid4().hex[:12]}"
    runners = [new_runner(language) for language in LANGUAGES * 2]
    for runner in runners:
        runner.ask("open", url=server.url, prefix=prefix)
        runner.ask("queue", topic="orders", lease_ms=1)
    return runners


def ask_all(runners, op: str, **pairs):
    """All are asked before any is heard."""
    for runner in runners:
        runner.send(op, **pairs)
    return [runner.receive() for runner in runners]


def test_equal_payloads_with_equal_times_are_as_many_jobs(crowd):
    same = [{"payload": b"same", "at_ms": 4102444800000}] * 100
    stored = [job for part in ask_all(crowd, "enqueue_many", job=same) for job in part]
    assert len({job["id"] for job in stored}) == len(stored) == 800
    listed = [
        job["id"] for offset in (0, 400) for job in crowd[0].ask("list", state="scheduled", offset=offset, limit=400)
    ]
    assert sorted(listed) == sorted(job["id"] for job in stored)


def test_expired_leases_come_back_once_whoever_sweeps(crowd):
    crowd[0].ask("enqueue_many", job=[{"id": str(i), "payload": b"x"} for i in range(500)])
    assert len(crowd[0].ask("pop", max=500)) == 500
    swept = []

    def sweep() -> bool:
        swept.extend(part["requeued"] for part in ask_all(crowd, "requeue", limit=20))
        return sum(swept) >= 500

    wait_until(sweep, "all leases are swept")
    assert sum(swept) == 500
    again = crowd[1].ask("pop", max=1000, lease_ms=60000)
    assert len(again) == 500
    assert {(job["deliveries"], job["retry_count"]) for job in again} == {(2, 0)}
