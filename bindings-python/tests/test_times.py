"""Delays and times: what is taken, what is refused, and that they are exact."""

from __future__ import annotations

import math
from datetime import date, datetime, timedelta, timezone, tzinfo

import pytest
from delayq import InvalidArgumentError

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
LAST_MS = 253_402_300_799_999


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
