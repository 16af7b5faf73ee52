"""The verbs around failures and operation, as far as Python has a part in them; what they mean is in the scenarios."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import delayq
import pytest
from delayq import Retry, RetryPolicy, _delayq


@pytest.fixture
def jobs(queue):
    queue.enqueue_many([delayq.NewJob({"n": n}, id=f"job {n}") for n in range(4)])
    return queue.pop(4)


def test_every_report_of_one_job(queue, jobs):
    extended = queue.extend(jobs[0], lease=timedelta(hours=1))
    assert extended.outcome == "extended"
    assert extended.lease_until_ms > jobs[0].lease_until_ms
    released = queue.release(jobs[0], delay=60)
    assert released.outcome == "released"
    retried = queue.retry(jobs[1], error="boom", delay=timedelta(seconds=30))
    assert (retried.outcome, retried.retry_count) == ("scheduled", 1)
    for at, ms in (
        (extended.lease_until, extended.lease_until_ms),
        (released.due_at, released.due_at_ms),
        (retried.due_at, retried.due_at_ms),
    ):
        assert at.tzinfo is timezone.utc
        assert (at - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(milliseconds=1) == ms
    for verb in (queue.ack, queue.retry, queue.release, queue.extend):
        with pytest.raises(delayq.LeaseLostError) as lost:
            verb(jobs[0])
        assert (lost.value.verb, lost.value.id, lost.value.topic) == (verb.__name__, "job 0", queue.topic)


def test_every_report_of_many_jobs(queue, jobs):
    queue.cancel("job 0")
    lost, *held = jobs
    assert [e.outcome for e in queue.extend_many(iter(jobs), lease=60)] == ["lease_lost", *["extended"] * 3]
    results = queue.retry_many([lost, Retry(held[0], error="boom", delay=5), held[1]])
    assert [r.outcome for r in results] == ["lease_lost", "scheduled", "scheduled"]
    assert (results[0].due_at, results[0].due_at_ms) == (None, None)
    assert [r.outcome for r in queue.release_many((lost, held[2]), delay=60)] == ["lease_lost", "released"]
    [job] = queue.enqueue(b"", id="last") and queue.pop()
    assert queue.ack_many([lost, job, job]) == ["lease_lost", "acked", "already"]
    assert queue.ack_many([]) == queue.retry_many([]) == queue.release_many([]) == queue.extend_many([]) == []


def test_a_job_of_another_topic_is_refused_before_anything_is_sent(client, queue, jobs):
    other = client.queue(queue.topic + "2")
    for verb in (other.ack_many, other.retry_many, other.release_many, other.extend_many):
        with pytest.raises(delayq.InvalidArgumentError, match="topic") as refused:
            verb(jobs)
        assert refused.value.verb == verb.__name__
    assert queue.ack_many(jobs) == ["acked"] * 4


class Silent(Exception):
    pass


class Rude(Exception):
    def __str__(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        ("boom", "boom"),
        ("", None),
        (None, None),
        ("é\N{GRINNING FACE}\0", "é\N{GRINNING FACE}\0"),
        (ValueError("bad"), "bad"),
        (KeyError("k"), "'k'"),
        (Silent(), "Silent()"),
        (5, "5"),
        ("half \ud83d pair", "half \ufffd pair"),
        ("both halves \ud83d\ude00", "both halves \N{GRINNING FACE}"),
        (Exception("\udcff"), "\ufffd"),
        ("x" * 5000, "x" * 4096),
    ],
)
def test_the_error_of_a_failed_job_is_kept(queue, jobs, error, kept):
    queue.retry(jobs[0], error=error, delay=0)
    queue.retry_many([Retry(jobs[1], error=error)])
    assert queue.get("job 0").last_error == queue.get("job 1").last_error == kept


def test_an_error_that_cannot_be_told_changes_nothing(queue, jobs):
    with pytest.raises(KeyboardInterrupt):
        queue.retry(jobs[0], error=Rude())
    with pytest.raises(KeyboardInterrupt):
        Retry(jobs[0], error=Rude())
    assert queue.ack(jobs[0]) == "acked"


def test_a_retry_is_a_value(jobs):
    retry = Retry(jobs[0], error=ValueError("x"), delay=timedelta(minutes=1))
    assert (retry.job, retry.error, retry.delay) == (jobs[0], "x", 60.0)
    assert repr(retry) == "<delayq.Retry id='job 0' error='x' delay=60.0>"
    assert (Retry(jobs[0]).error, Retry(jobs[0]).delay) == (None, None)
    with pytest.raises(AttributeError):
        retry.error = "y"
    with pytest.raises(delayq.InvalidArgumentError, match="delay") as refused:
        Retry(jobs[0], delay=-1)
    assert refused.value.id == "job 0"


def test_what_get_and_list_show(queue, jobs):
    queue.enqueue(b"\xff", id="later", delay=60)
    info = queue.get("later")
    assert (info.topic, info.id, info.state, info.payload) == (queue.topic, "later", "scheduled", b"\xff")
    assert info.payload is info.payload
    assert info.due_at - info.created_at == timedelta(seconds=60)
    assert info.due_at_ms - info.created_at_ms == 60_000
    with pytest.raises(delayq.InvalidArgumentError, match="not JSON"):
        info.json()
    info = queue.get("job 0")
    assert (info.state, info.json(), info.deliveries, info.retry_count) == ("processing", {"n": 0}, 1, 0)
    assert info.lease_until == jobs[0].lease_until
    assert info.picked_at <= info.lease_until
    assert (info.died_at, info.died_at_ms, info.orphaned_at, info.last_error) == (None, None, None, None)
    queue.ack(jobs[0])
    info = queue.get("job 0")
    assert (info.state, info.payload) == ("done", None)
    with pytest.raises(delayq.InvalidArgumentError, match="no payload") as refused:
        info.json()
    assert refused.value.id == "job 0"
    with pytest.raises(AttributeError):
        info.state = "dead"
    with pytest.raises(delayq.NotFoundError) as unknown:
        queue.get("nobody")
    assert (unknown.value.kind, unknown.value.verb, unknown.value.id) == ("not_found", "get", "nobody")
    assert {info.id for info in queue.list("processing", limit=2)} < {job.id for job in jobs}
    assert len(queue.list("processing", offset=2)) == 1
    assert queue.list("dead") == []


def test_the_way_of_a_dead_job(client, topic):
    queue = client.queue(topic, retry_policy=RetryPolicy.fixed(0, max_retries=0))
    queue.enqueue_many([delayq.NewJob(b"", id=id) for id in "abc"])
    assert [r.outcome for r in queue.retry_many(queue.pop(3))] == ["dead"] * 3
    assert [info.died_at_ms is not None for info in queue.list("dead")] == [True] * 3
    done = queue.redrive(iter(["a", "nobody"]), delay=60)
    assert (done.redriven, done.orphaned, done.not_dead) == (1, 0, 1)
    assert queue.redrive([]).redriven == 0
    assert (queue.redrive(limit=1).redriven, queue.redrive().redriven) == (1, 1)
    [job] = queue.pop(wait=10)
    assert queue.retry(job).outcome == "dead"
    assert (queue.purge("dead").purged, queue.purge("dead").remaining) == (1, 0)


def test_repair(queue, server):
    queue.enqueue(b"", id="a")
    server.delete(f"delay:job:{{{queue.topic}}}:a")
    done = queue.repair()
    assert (done.orphaned, done.rescheduled, done.removed) == (1, 0, 0)
    assert queue.get("a").orphaned_at is not None
    assert "orphaned=0" in repr(queue.repair(limit=1))


def test_stats(queue, jobs):
    queue.ack_many(jobs[:3])
    queue.enqueue(b"", delay=60)
    stats = queue.stats(overdue=timedelta(seconds=1))
    assert (stats.topic, stats.backlog, stats.due, stats.processing, stats.dead) == (queue.topic, 1, 0, 1, 0)
    assert (stats.paused, stats.rate, stats.burst) == (False, None, None)
    assert list(stats.counters) == _delayq._CORE_COUNTERS
    assert (stats.counters["acked"], stats.counters["enqueued"]) == (3, 5)
    stats.counters["acked"] = 0
    assert stats.counters["acked"] == 3, "a dict of its own each time"
    times = stats.processing_time
    assert times.count == sum(n for _, n in times.buckets()) == 3
    assert times.p50_ms <= times.p95_ms <= times.p99_ms == times.quantile(1) == times.buckets()[-1][0]
    assert times == queue.stats().processing_time
    with pytest.raises(AttributeError):
        stats.dead = 5
    for share in ("0.5", None, True):
        with pytest.raises(delayq.InvalidArgumentError, match="share"):
            times.quantile(share)


def test_numbers_of_nothing_are_none(queue):
    lateness = queue.stats().lateness
    assert (lateness.count, lateness.p50_ms, lateness.p99_ms, lateness.quantile(0.5), lateness.buckets()) == (
        *(0, None, None, None),
        [],
    )
    assert repr(lateness) == "<delayq.Histogram count=0 p50_ms=None p99_ms=None>"


def test_pause_and_limit(queue):
    queue.enqueue_many([b""] * 5)
    queue.pause()
    assert queue.pop(wait=0.05) == []
    assert queue.stats().paused
    queue.resume()
    queue.limit(0.001, burst=2)
    assert len(queue.pop(5)) == 2
    assert (queue.stats().rate, queue.stats().burst) == (0.001, 2)
    queue.limit(rate=None)
    assert len(queue.pop(5)) == 3


def test_results_can_be_read(queue, jobs):
    shown = {
        repr(queue.extend(jobs[0])): "<delayq.Extended outcome=extended lease_until_ms=",
        repr(queue.retry(jobs[0])): "<delayq.Retried outcome=scheduled retry_count=1 due_at_ms=",
        repr(queue.release_many(jobs[:1])[0]): "<delayq.Released outcome=lease_lost due_at_ms=None>",
        repr(queue.redrive()): "<delayq.Redriven redriven=0 orphaned=0 not_dead=0>",
        repr(queue.purge("dead")): "<delayq.Purged purged=0 remaining=0>",
        repr(queue.stats()): f"<delayq.Stats topic='{queue.topic}' backlog=1 due=0 overdue=0 processing=3 dead=0>",
        repr(queue.get("job 1")): f"<delayq.JobInfo id='job 1' topic='{queue.topic}' state=processing deliveries=1 ",
    }
    for text, start in shown.items():
        assert text.startswith(start)
