"""The worker: what handlers say has its effect, in threads and in an event loop."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import logging
import pickle
import threading
import time
from datetime import timedelta

import delayq
import pytest
from conftest import until

HOUR = 3600


def as_async(handler):
    """The same handler as a coroutine function."""

    async def run(job):
        await asyncio.sleep(0)
        return handler(job)

    return run


@pytest.fixture(params=["threads", "asyncio"])
def sort(request):
    """Makes a handler of one sort or the other."""
    return (lambda handler: handler) if request.param == "threads" else as_async


def acked(queue):
    return queue.stats().counters["acked"]


def test_every_job_is_run_once(queue, sort):
    queue.enqueue_many(delayq.NewJob(str(n), id=str(n)) for n in range(1000))
    seen, told = [], []
    with delayq.Worker(queue, sort(lambda job: seen.append((job.id, job.payload))), on_event=told.append) as worker:
        queue.enqueue_many(delayq.NewJob(str(n), id=str(n)) for n in range(1000, 2000))
        until(lambda: acked(queue) == 2000)
        until(lambda: worker.health().running == 0)
        health = worker.health()
    assert sorted(seen) == sorted((str(n), b"%d" % n) for n in range(2000))
    assert [sum(event.kind == kind for event in told) for kind in ("started", "done")] == [2000, 2000]
    assert len(told) == 4000
    assert (health.connected, health.stopping, health.waiting, health.oldest_running) == (True, False, 0, None)
    assert health.last_pop is not None and health.last_pop < 20
    assert queue.stats().counters["delivered"] == 2000


class Odd(Exception):
    def __str__(self):
        raise ValueError("no text")


def ends(job):
    """One handler with every end, by the id."""
    if job.id == "returned":
        return {"anything": "else"}
    if job.id in ("released", "release raised"):
        result = delayq.Release(timedelta(hours=2)) if job.id == "released" else delayq.Release
    elif job.id in ("failed", "fail raised"):
        result = delayq.Fail("not yet") if job.id == "failed" else delayq.Fail(KeyError("k"), 3 * HOUR)
    elif job.id in ("dead", "dead raised"):
        result = delayq.Dead("hopeless")
    elif job.id in ("left", "leave raised"):
        result = delayq.Leave() if job.id == "left" else delayq.Leave
    elif job.id == "class":
        return delayq.Leave
    else:
        raise {"error": ValueError("boom"), "no text": RuntimeError(), "odd": Odd(), "exit": SystemExit(3)}[job.id]
    if "raised" in job.id:
        raise result
    return result


def test_every_end_of_a_handler_has_its_effect(client, topic, sort, caplog):
    queue = client.queue(topic, retry_policy=delayq.RetryPolicy.fixed(HOUR))
    ids = ["returned", "released", "failed", "fail raised", "dead", "dead raised", "left", "leave raised", "class"]
    ids += ["error", "no text", "odd", "exit"]
    told = []
    with caplog.at_level(logging.INFO, "delayq.worker"), delayq.Worker(queue, sort(ends), on_event=told.append):
        queue.enqueue_many(delayq.NewJob(b"", id=id) for id in ids)
        # Eight are reported at their end; the three that are left, not at all.
        until(lambda: sum(event.kind in ("done", "failed", "released") for event in told) == 10)
        until(lambda: sum(event.kind == "started" for event in told) == len(ids))
    found = {id: queue.get(id) for id in ids}
    state = {id: info.state for id, info in found.items()}
    error = {id: (info.retry_count, info.last_error) for id, info in found.items()}
    wait = {id: found[id].due_at_ms - found[id].created_at_ms for id in ("released", "failed", "fail raised")}
    assert state["returned"] == "done"
    assert (state["released"], error["released"]) == ("scheduled", (0, None))
    assert error["failed"] == (1, "not yet")
    assert error["fail raised"] == (1, "'k'")
    assert {id: round(ms / HOUR / 1000, 1) for id, ms in wait.items()} == {
        "released": 2.0,
        "failed": 1.0,
        "fail raised": 3.0,
    }
    for id in ("dead", "dead raised"):
        assert (state[id], error[id]) == ("dead", (1, "hopeless"))
    for id in ("left", "leave raised", "class"):
        assert (state[id], error[id]) == ("processing", (0, None))
    assert error["error"] == (1, "boom")
    assert error["no text"] == (1, "RuntimeError()")
    assert error["odd"][0] == 1 and "Odd" in error["odd"][1]
    assert error["exit"] == (1, "3")
    failed = {event.id: (event.outcome, event.error) for event in told if event.kind == "failed"}
    assert failed["error"] == ("scheduled", "boom") and failed["dead"] == ("dead", "hopeless")
    tracebacks = [record.exc_info[0] for record in caplog.records if record.exc_info]
    assert sorted(kind.__name__ for kind in tracebacks) == ["Odd", "RuntimeError", "SystemExit", "ValueError"]
    levels = {record.levelno for record in caplog.records if "'dead'" in record.getMessage()}
    assert levels == {logging.WARNING, logging.ERROR}


def test_release_by_its_class_is_due_at_once(queue, sort):
    def handler(job):
        if job.deliveries < 3:
            raise delayq.Release

    queue.enqueue(b"", id="a")
    with delayq.Worker(queue, sort(handler)):
        until(lambda: acked(queue) == 1)
    counters = queue.stats().counters
    assert (counters["released"], counters["delivered"], counters["retried"]) == (2, 3, 0)


def test_a_delivery_is_a_job(queue, sort):
    queue.enqueue({"n": 1}, id="a")
    seen = []

    def handler(job):
        seen.append((job, job.json(), job.is_mine(), job.is_revoked, queue.extend(job, lease=60).outcome))
        queue.cancel("a")
        seen.append(job.is_mine())

    with delayq.Worker(queue, sort(handler)):
        until(lambda: len(seen) == 2)
    job = seen[0][0]
    assert seen[0][1:] == ({"n": 1}, True, False, "extended")
    assert seen[1] is False
    assert isinstance(job, delayq.Job) and isinstance(job, delayq.Delivery)
    assert (job.deliveries, job.retry_count, job.topic, job.payload) == (1, 0, queue.topic, b'{"n":1}')
    assert repr(job).startswith("<delayq.Delivery id='a'")
    again = pickle.loads(pickle.dumps(job))
    assert (type(again), again.receipt) == (delayq.Job, job.receipt)


def test_a_cancelled_job_is_told_to_the_handler_at_once(client, topic):
    queue = client.queue(topic, lease=3600)  # so no heartbeat would notice
    queue.enqueue(b"", id="a")
    answers, told = [], []

    def handler(job):
        before = job.wait_revoked(0)
        queue.cancel(job.id)
        answers.append((before, job.wait_revoked(20), job.is_revoked, job.is_mine()))
        with pytest.raises(delayq.InvalidArgumentError, match="wait_revoked"):
            job.revoked()

    async def async_handler(job):
        before = job.is_revoked
        queue.cancel(job.id)
        answers.append((before, await asyncio.wait_for(job.revoked(), 20), job.is_revoked, job.is_mine()))

    with delayq.Worker(queue, handler, on_event=told.append):
        until(lambda: [event.id for event in told if event.kind == "lease_lost"])
    queue.enqueue(b"", id="b", ignore_done=True)
    with delayq.Worker(queue, async_handler):
        until(lambda: len(answers) == 2)
    assert answers == [(False, True, True, False)] * 2


def test_several_topics(client, topic, sort):
    queues = [client.queue(f"{topic} {n}") for n in range(3)]
    seen = []
    handlers = {q: sort(lambda job, n=n: seen.append((n, job.topic))) for n, q in enumerate(queues)}
    with delayq.Worker(handlers):
        for q in queues:
            q.enqueue(b"")
        until(lambda: all(acked(q) == 1 for q in queues))
    assert sorted(seen) == [(n, f"{topic} {n}") for n in range(3)]


def test_concurrency(queue, sort):
    now, most, lock = 0, 0, threading.Lock()

    def enter(step):
        nonlocal now, most
        with lock:
            now += step
            most = max(most, now)

    def handler(job):
        enter(1)
        job.wait_revoked(0.01)
        enter(-1)

    async def async_handler(job):
        enter(1)
        await asyncio.sleep(0.01)
        enter(-1)

    queue.enqueue_many([b""] * 30)
    with delayq.Worker(queue, async_handler if sort is as_async else handler, concurrency=3, fetch_ahead=0):
        until(lambda: acked(queue) == 30)
    assert most == 3


def test_handlers_run_in_threads_of_python_and_in_a_context_of_their_own(queue, sort):
    who = contextvars.ContextVar("who", default="nobody")
    who.set("starter")
    seen = []

    def handler(job):
        seen.append((who.get(), threading.current_thread().name.split("-")[:2], threading.current_thread().daemon))
        who.set(job.id)

    queue.enqueue_many([b""] * 3)
    with delayq.Worker(queue, sort(handler), concurrency=1):
        until(lambda: len(seen) == 3)
    assert seen == [("starter", ["delayq", "loop" if sort is as_async else "handler"], True)] * 3


def test_a_broken_listener_and_a_broken_log_do_not_matter(queue, caplog):
    class Broken(logging.Filter):
        def filter(self, record):
            raise RuntimeError("a broken log")

    def listener(event):
        raise SystemExit(f"a broken listener of {event.kind}")

    logger = logging.getLogger("delayq.worker")
    queue.enqueue_many([b""] * 20)
    with delayq.Worker(queue, lambda job: None, on_event=listener):
        until(lambda: acked(queue) == 20)
        until(lambda: any("on_event failed" in record.getMessage() for record in caplog.records))
        broken = Broken()
        logger.addFilter(broken)
        queue.enqueue_many([b""] * 20)
        until(lambda: acked(queue) == 40)
    logger.removeFilter(broken)


def test_a_function_that_returns_a_coroutine_is_told_so(queue):
    async def handler(job):
        raise AssertionError("never awaited")

    queue.enqueue(b"", id="a")
    with delayq.Worker(queue, lambda job: handler(job)):
        assert "async def" in until(lambda: queue.get("a").last_error)


def test_what_is_a_coroutine_function(queue):
    class Callable:
        async def __call__(self, job):
            seen.append(await asyncio.sleep(0, "object"))

    async def handler(name, job):
        seen.append(await asyncio.sleep(0, name))

    seen = []
    for each in (Callable(), functools.partial(handler, "partial")):
        queue.enqueue(b"")
        with delayq.Worker(queue, each):
            until(lambda: seen and acked(queue) == len(seen))
    assert seen == ["object", "partial"]


def test_a_job_of_a_dead_worker_is_run_by_another(client, topic, script):
    queue = client.queue(topic, lease=1)
    queue.enqueue(b"", id="a")
    program = script(
        f"""
        import time
        def handler(job):
            print("begun", flush=True)
            time.sleep(100)
        delayq.Worker(client.queue({topic!r}, lease=1), handler).run()
        """
    )
    assert program.stdout.readline() == "begun\n"
    program.kill()
    killed = time.monotonic()
    with delayq.Worker(queue, lambda job: None, sweep_every=0.2):
        until(lambda: acked(queue) == 1)
    assert time.monotonic() - killed < 15
    counters = queue.stats().counters
    assert (counters["delivered"], counters["expired"], counters["retried"]) == (2, 1, 0)
