"""What Python values become in the queue, and what comes back."""

from __future__ import annotations

import copy
import math
import pickle
from array import array
from datetime import date, datetime, timedelta, timezone, tzinfo

import delayq
import pytest
from delayq import InvalidArgumentError, NewJob

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
LAST_MS = 253_402_300_799_999


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


@pytest.mark.parametrize("delay", [90.5, timedelta(minutes=1, seconds=30, milliseconds=500), timedelta(seconds=90.5)])
def test_delays(queue, server, delay):
    def now_ms():
        seconds, micros = server.time()
        return seconds * 1000 + micros // 1000

    before = now_ms()
    due = queue.enqueue(b"", delay=delay).due_at_ms
    assert before + 90_500 <= due <= now_ms() + 90_500


def test_whole_seconds_and_zero(queue):
    assert queue.enqueue(b"", delay=10**9).outcome == "created"
    assert queue.enqueue(b"", delay=0).outcome == "created"
    assert len(queue.pop(2)) == 1


@pytest.mark.parametrize(
    "delay",
    [
        True,
        "5",
        b"5",
        [5],
        5j,
        math.nan,
        math.inf,
        -math.inf,
        -1,
        -0.5,
        10**400,
        1e300,
        timedelta.max,
        -timedelta.resolution * 1000,
        timedelta.min,
        EPOCH,
    ],
)
def test_no_delays(queue, delay):
    with pytest.raises(InvalidArgumentError, match=r"delay|year 9999") as refused:
        queue.enqueue(b"", id="a", delay=delay)
    assert (refused.value.verb, refused.value.topic, refused.value.id) == ("enqueue", queue.topic, "a")
    assert queue.cancel("a") == "missing"


WEST = timezone(-timedelta(hours=23, minutes=59))
EAST = timezone(timedelta(hours=5, minutes=45, seconds=1))


@pytest.mark.parametrize(
    ("ms", "zone"),
    [(ms, zone) for ms in (4_102_444_800_001, 32_503_680_000_999) for zone in (timezone.utc, WEST, EAST)]
    + [(ms, zone) for ms in (LAST_MS - 1, LAST_MS) for zone in (timezone.utc, WEST)],
)
def test_aware_datetimes_of_any_zone_are_exact(queue, ms, zone):
    utc = EPOCH + timedelta(milliseconds=ms)
    result = queue.enqueue(b"", at=utc.astimezone(zone))
    assert (result.due_at_ms, result.due_at) == (ms, utc)
    assert result.due_at.tzinfo is timezone.utc


def test_microseconds_are_rounded_to_the_nearest_millisecond(queue):
    for micros, ms in [(499, 0), (500, 1), (1499, 1), (999_500, 1000)]:
        at = datetime(2100, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=micros)
        assert queue.enqueue(b"", at=at, id="a").due_at_ms == 4_102_444_800_000 + ms


def test_the_past_is_now(queue):
    result = queue.enqueue(b"", at=datetime.min.replace(tzinfo=timezone.utc))
    [job] = queue.pop()
    assert (job.id, job.due_at_ms) == (result.id, result.due_at_ms)


class NoZone(tzinfo):
    def utcoffset(self, dt):
        return None


@pytest.mark.parametrize(
    ("at", "says"),
    [
        (datetime(2100, 1, 1), "time zone"),
        (datetime(2100, 1, 1, tzinfo=NoZone()), "time zone"),
        (date(2100, 1, 1), "aware datetime"),
        (4_102_444_800, "aware datetime"),
        (4_102_444_800.0, "aware datetime"),
        ("2100-01-01T00:00:00Z", "aware datetime"),
        (timedelta(1), "aware datetime"),
        (datetime.max.replace(tzinfo=timezone.utc), "year 9999"),  # rounds up
        (datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))), "year 9999"),
    ],
)
def test_no_datetimes(queue, at, says):
    with pytest.raises(InvalidArgumentError, match=says):
        queue.enqueue(b"", at=at)


def test_delay_and_at_exclude_each_other(queue):
    for delay, at in [(1, EPOCH), (0, EPOCH)]:
        with pytest.raises(InvalidArgumentError, match="both"):
            queue.enqueue(b"", delay=delay, at=at)
    assert queue.pop() == []


def test_times_read_back(queue):
    due = queue.enqueue(b"").due_at_ms
    [job] = queue.pop(lease=timedelta(seconds=90, milliseconds=1))
    assert job.due_at_ms == job.created_at_ms == due
    for name in ("created_at", "due_at", "lease_until"):
        time = getattr(job, name)
        assert time == EPOCH + timedelta(milliseconds=getattr(job, f"{name}_ms"))
        assert time.tzinfo is timezone.utc
    assert job.lease_until - job.due_at >= timedelta(seconds=90, milliseconds=1)


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
