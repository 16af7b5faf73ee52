"""What Python values become in the queue, and what comes back."""

from __future__ import annotations

import copy
import math
import pickle
from array import array
from datetime import timedelta

import delayq
import pytest
from delayq import InvalidArgumentError, NewJob


@pytest.mark.parametrize(
    ("payload", "stored"),
    [
        (b"", b""),
        (b"\x00\xff", b"\x00\xff"),
        (bytearray(b"ab"), b"ab"),
        (memoryview(b"abcd"), b"abcd"),
        (memoryview(b"abcd")[::2], b"ac"),
        ("é\N{GRINNING FACE}", "é\N{GRINNING FACE}".encode()),
        ("", b""),
        ({"a": [1, 2.5, None, True], "é": "ü"}, '{"a":[1,2.5,null,true],"é":"ü"}'.encode()),
        ((1, 2), b"[1,2]"),
        (None, b"null"),
        (False, b"false"),
        (5, b"5"),
    ],
)
def test_payloads(queue, payload, stored):
    queue.enqueue(payload)
    queue.enqueue_many([payload, NewJob(payload)])
    jobs = queue.pop(3)
    assert [job.payload for job in jobs] == [stored] * 3
    assert NewJob(payload).payload == stored
    assert jobs[0].payload is jobs[0].payload
    assert type(jobs[0].payload) is bytes


@pytest.mark.parametrize("value", [{"a": [1, 2.5, None, True], "é": "ü"}, [], None, "5", 10**30, ""])
def test_json_comes_back(queue, value):
    queue.enqueue([value])
    [job] = queue.pop()
    assert job.json() == [value]


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff", b"[NaN]", b"[Infinity]", '{"a":1}'.encode("utf-16")])
def test_what_is_not_json_is_refused(queue, payload):
    queue.enqueue(payload, id="bad")
    [job] = queue.pop()
    with pytest.raises(InvalidArgumentError, match="not JSON") as refused:
        job.json()
    assert (refused.value.topic, refused.value.id) == (queue.topic, "bad")


circle: list[object] = []
circle.append(circle)
deep: list[object] = []
for _ in range(100_000):
    deep = [deep]


@pytest.mark.parametrize(
    "payload",
    [
        object(),
        {1, 2},
        math.nan,
        [math.inf],
        circle,
        deep,
        "\ud800",
        ["\ud800"],
        {(1, 2): 3},
        array("b", b"x"),
        NewJob(b""),
    ],
    ids=lambda value: type(value).__name__,
)
def test_payloads_that_nobody_could_read_are_refused_and_nothing_is_stored(queue, payload):
    for call in (lambda: queue.enqueue(payload), lambda: queue.enqueue_many([b"first", NewJob(b"x"), [payload]])):
        with pytest.raises(InvalidArgumentError, match="payload") as refused:
            call()
        assert refused.value.topic == queue.topic
        assert "\ud800" not in str(refused.value)
    assert queue.pop(10) == []


def test_a_new_job_is_a_snapshot(queue):
    body, value = bytearray(b"before"), ["before"]
    jobs = [NewJob(body, id="a"), NewJob(value, id="b", mode="keep", ignore_done=True)]
    body[:] = b"after"
    value[0] = "after"
    queue.enqueue_many(iter(jobs))
    assert [job.payload for job in queue.pop(2)] == [b"before", b'["before"]']
    assert (jobs[1].id, jobs[1].mode, jobs[1].ignore_done) == ("b", "keep", True)


@pytest.mark.parametrize("jobs", ["text", b"bytes", bytearray(b"x"), memoryview(b"x"), {"a": 1}, 5, None, NewJob(b"")])
def test_what_is_iterable_but_no_list_of_jobs_is_refused(queue, jobs):
    with pytest.raises(InvalidArgumentError, match="iterable of jobs") as refused:
        queue.enqueue_many(jobs)
    assert refused.value.verb == "enqueue_many"


def test_a_job_crosses_processes(client, queue):
    queue.enqueue(b"x", id="a")
    [job] = queue.pop()
    for other in (pickle.loads(pickle.dumps(job)), copy.copy(job), copy.deepcopy(job)):
        names = [name for name in dir(job) if not name.startswith("_") and name != "json"]
        assert len(names) == 12
        assert [getattr(other, name) for name in names] == [getattr(job, name) for name in names]
    assert client.queue(queue.topic).ack(other) == "acked"
    assert queue.ack(job) == "already"


def test_results_compare_by_value(queue):
    first = queue.enqueue(b"", id="a", delay=60, mode="keep")
    assert queue.enqueue(b"", id="a", mode="keep") != first
    assert queue.requeue() == queue.requeue()


def test_values_are_immutable(queue):
    with pytest.raises(AttributeError):
        queue.enqueue(b"").id = "b"
    with pytest.raises(AttributeError):
        queue.pop()[0].payload = b"other"


@pytest.mark.parametrize(
    ("what", "call"),
    [
        ("id", lambda q: q.enqueue(b"", id=5)),
        ("id", lambda q: q.enqueue(b"", id=b"a")),
        ("id", lambda q: q.enqueue(b"", id="\ud800")),
        ("id", lambda q: q.cancel(None)),
        ("mode", lambda q: q.enqueue(b"", mode="first")),
        ("mode", lambda q: q.enqueue(b"", mode=1)),
        ("ignore_done", lambda q: q.enqueue(b"", ignore_done=1)),
        ("max", lambda q: q.pop(-1)),
        ("max", lambda q: q.pop(True)),
        ("max", lambda q: q.pop("2")),
        ("max", lambda q: q.pop(2.0)),
        ("max", lambda q: q.pop(2**70)),
        ("lease", lambda q: q.pop(lease="1")),
        ("wait", lambda q: q.pop(wait=math.inf)),
        ("wait", lambda q: q.pop(wait=-timedelta(seconds=1))),
        ("job", lambda q: q.ack("a")),
        ("job", lambda q: q.ack(None)),
        ("limit", lambda q: q.requeue("all")),
        ("limit", lambda q: q.requeue(-1)),
        ("job", lambda q: q.retry("a")),
        ("job", lambda q: q.release(5)),
        ("job", lambda q: q.extend(None)),
        ("job", lambda q: q.ack_many([b"a"])),
        ("job", lambda q: q.ack_many("a")),
        ("job", lambda q: q.retry_many([None])),
        ("jobs", lambda q: q.ack_many(5)),
        ("jobs", lambda q: q.release_many(None)),
        ("jobs", lambda q: q.extend_many(object())),
        ("items", lambda q: q.retry_many(5)),
        ("delay", lambda q: q.release_many([], delay="1")),
        ("delay", lambda q: q.release_many([], delay=-1)),
        ("lease", lambda q: q.extend_many([], lease=math.nan)),
        ("id", lambda q: q.get(5)),
        ("state", lambda q: q.list("asleep")),
        ("state", lambda q: q.list(5)),
        ("state", lambda q: q.purge(None)),
        ("offset", lambda q: q.list("dead", offset=-1)),
        ("limit", lambda q: q.list("dead", limit="5")),
        ("limit", lambda q: q.purge("dead", limit=1.0)),
        ("limit", lambda q: q.repair(limit=0)),
        ("limit", lambda q: q.redrive(limit=1001)),
        ("ids", lambda q: q.redrive("abc")),
        ("ids", lambda q: q.redrive(5)),
        ("id", lambda q: q.redrive(["a", 5])),
        ("both ids", lambda q: q.redrive([], limit=5)),
        ("delay", lambda q: q.redrive(delay=math.inf)),
        ("overdue", lambda q: q.stats(overdue="1")),
        ("overdue", lambda q: q.stats(overdue=-1)),
        ("rate", lambda q: q.limit("5")),
        ("rate", lambda q: q.limit(True)),
        ("rate", lambda q: q.limit(0)),
        ("rate", lambda q: q.limit(math.nan)),
        ("rate", lambda q: q.limit(10**400)),
        ("burst", lambda q: q.limit(5, "5")),
        ("burst", lambda q: q.limit(5, 0)),
        ("burst", lambda q: q.limit(None, 5)),
        ("retry_policy", lambda q: q.enqueue(b"", retry_policy="fixed")),
        ("jitter", lambda q: q.enqueue(b"", retry_policy=delayq.RetryPolicy.fixed(1, jitter=2))),
    ],
)
def test_values_of_the_wrong_kind_name_the_argument(queue, what, call):
    with pytest.raises(InvalidArgumentError, match=rf"failed: (the )?{what} ") as refused:
        call(queue)
    assert refused.value.verb is not None


@pytest.mark.parametrize(
    "options",
    [
        {"lease": "1"},
        {"lease": 0},
        {"done_ttl": -1},
        {"job_ttl": math.nan},
        {"max_payload": -1},
        {"max_payload": 1.5},
        {"max_deliveries": 0},
        {"max_deliveries": 2**40},
        {"retry_policy": 5},
    ],
)
def test_queue_options(client, options):
    with pytest.raises(InvalidArgumentError, match=next(iter(options))):
        client.queue("t", **options)


@pytest.mark.parametrize(
    "options",
    [
        {"prefix": 5},
        {"prefix": ""},
        {"username": 5},
        {"password": b"x"},
        {"connect_timeout": 0},
        {"timeout": "1"},
        {"retry_for": -1},
    ],
)
def test_client_options(url, options):
    with pytest.raises(InvalidArgumentError, match=next(iter(options))):
        delayq.Client(url, **options)
    with pytest.raises(InvalidArgumentError):
        delayq.Client(5)
