"""Every language produces for every language: bytes, ids, times and errors are the same."""

import itertools
import uuid

import pytest
from runners import LANGUAGES, Failure

PAYLOAD = bytes(range(256)) + "é😀".encode()
IDS = ["order:1:close", "a b{c}|*", "é😀", "7"]
PAIRS = list(itertools.product(LANGUAGES, LANGUAGES))


@pytest.mark.parametrize(("producer", "consumer"), PAIRS)
def test_a_job_crosses(producer, consumer, runners, server, new_runner):
    prefix = f"i{uuid.uuid4().hex[:12]}"
    # The same language twice is two processes too.
    sender = runners(producer)
    receiver = new_runner(consumer) if producer == consumer else runners(consumer)
    for runner in (sender, receiver):
        runner.ask("open", url=server.url, prefix=prefix)
        runner.ask("queue", topic="orders", lease_ms=60000)

    jobs = [{"id": id, "payload": PAYLOAD, "at_ms": 1000 + i} for i, id in enumerate(IDS)]
    stored = sender.ask("enqueue_many", job=jobs)
    assert [s["id"] for s in stored] == IDS
    cancelled = sender.ask("enqueue", id="paid", payload=b"x", delay_ms=60000)
    assert receiver.ask("cancel", id=cancelled["id"]) == "scheduled"

    popped = receiver.ask("pop", max=10)
    assert sorted(job["id"] for job in popped) == sorted(IDS)
    for job in popped:
        assert bytes.fromhex(job["payload_hex"]) == PAYLOAD
        assert job["due_at_ms"] == next(s["due_at_ms"] for s in stored if s["id"] == job["id"])
        assert (job["deliveries"], job["retry_count"], job["topic"]) == (1, 0, "orders")

    replaced = popped[0]["id"]
    assert sender.ask("enqueue", id=replaced, payload=b"new", delay_ms=60000)["outcome"] == "replaced"
    with pytest.raises(Failure) as refused:
        receiver.ask("ack", job="jobs.0")
    assert (refused.value.error["kind"], refused.value.error["id"]) == (
        "lease_lost",
        replaced,
    )
    for i in range(1, len(popped)):
        assert receiver.ask("ack", job=f"jobs.{i}") == "acked"
        assert sender.ask("enqueue", id=popped[i]["id"], payload=b"again")["outcome"] == "done"


def test_all_languages_compete_and_each_job_has_one_owner(runners, server):
    prefix, count = f"i{uuid.uuid4().hex[:12]}", 400
    consumers = [runners(language) for language in LANGUAGES]
    for runner in consumers:
        runner.ask("open", url=server.url, prefix=prefix)
        runner.ask("queue", topic="orders", lease_ms=60000)
    stored = consumers[0].ask("enqueue_many", job=[{"payload": str(i)} for i in range(count)])
    taken = []
    while True:
        for runner in consumers:  # all four are asked before any is heard
            runner.send("pop", max=7)
        batches = [runner.receive() for runner in consumers]
        if not any(batches):
            break
        for runner, batch in zip(consumers, batches):
            for place, job in enumerate(batch):
                taken.append(job["id"])
                assert runner.ask("ack", job=f"jobs.{place}") == "acked"
    assert len(taken) == count
    assert set(taken) == {s["id"] for s in stored}
