"""Cancellation of asyncio tasks: no job is lost, whenever it comes."""

from __future__ import annotations

import asyncio
import gc
import random
import threading
import time
from collections import Counter

import delayq
import pytest
from conftest import finish, until, until_async
from delayq import NewJob, aio


def test_random_cancellations_lose_no_job(url, topic, server):
    """Each of many jobs is acknowledged once, although every second pop is cancelled at any moment of its life."""
    jobs, cancellations = 300, 200

    async def main():
        async with aio.Client(url) as client:
            q = client.queue(topic)
            produced = 0
            acked: Counter[str] = Counter()
            cancelled = with_jobs = 0

            async def produce():
                nonlocal produced
                while produced < jobs:
                    n = random.randint(1, 3)
                    await q.enqueue_many([NewJob(b"", id=str(produced + i)) for i in range(n)])
                    produced += n
                    await asyncio.sleep(random.random() * 0.01)

            async def consume():
                nonlocal cancelled, with_jobs
                while cancelled < cancellations or sum(acked.values()) < produced or produced < jobs:
                    task = asyncio.create_task(q.pop(3, wait=0.5))
                    if cancelled < cancellations:
                        await asyncio.sleep(random.random() * random.choice((0.0002, 0.002, 0.02)))
                        done = task.done()
                        task.cancel()
                        cancelled += not done
                    try:
                        taken = await task
                    except asyncio.CancelledError:
                        continue
                    with_jobs += bool(taken)
                    for outcome, job in zip(await q.ack_many(taken), taken):
                        assert outcome == "acked"
                        acked[job.id] += 1

            await asyncio.wait_for(asyncio.gather(produce(), *(consume() for _ in range(3))), 60)
            stats = await q.stats()
            return acked, produced, with_jobs, stats

    acked, produced, with_jobs, stats = asyncio.run(main())
    assert acked == Counter({str(n): 1 for n in range(produced)})
    assert (stats.backlog, stats.processing, stats.dead, stats.counters["retried"]) == (0, 0, 0, 0)
    assert stats.counters["delivered"] == produced + stats.counters["released"]
    assert with_jobs > 50
    print(f"{produced} jobs, {stats.counters['released']} of them released by a cancelled pop")


@pytest.mark.parametrize(
    "turns", [None, 0, 1], ids=["before the loop knows", "as it learns", "before the task resumes"]
)
def test_jobs_that_are_on_their_way_to_a_cancelled_task_go_back(run, queue, monkeypatch, turns):
    queue.enqueue(b"", id="a")

    async def body(client, q):
        loop = asyncio.get_running_loop()
        task = asyncio.create_task(q.pop(wait=60))
        post = loop.call_soon_threadsafe

        def posted(callback, *args):  # by the thread, which has popped the job
            def arrive():
                if turns is None:
                    task.cancel()
                callback(*args)
                if turns == 0:
                    task.cancel()
                if turns == 1:
                    loop.call_soon(task.cancel)
                assert not task.done()

            monkeypatch.undo()
            return post(arrive)

        monkeypatch.setattr(loop, "call_soon_threadsafe", posted)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await q.get("a")).state == "scheduled", "before the cancellation goes on"
        stats = await q.stats()
        assert (stats.counters["delivered"], stats.counters["released"]) == (1, 1)
        [job] = await q.pop()
        assert (job.deliveries, job.retry_count) == (2, 0)

    run(body)


def test_a_task_that_is_cancelled_over_and_over_gives_its_jobs_back_first(run, queue, server):
    queue.enqueue(b"", id="a")

    async def body(client, q):
        task = asyncio.create_task(q.pop())
        await asyncio.sleep(0)
        server.client_pause(200)  # maybe before the pop, maybe before the release
        for _ in range(10):
            task.cancel()
            await asyncio.sleep(0.01)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await q.get("a")).state == "scheduled"

    run(body)


def test_a_release_that_fails_does_not_hide_the_cancellation(run, queue):
    queue.enqueue(b"", id="a")
    popped = threading.Event()

    class Slow:
        """A queue whose pop has taken its job when it is cancelled, and whose server is gone then."""

        def __init__(self, core):
            self.core = core

        def _pop(self, token, *arguments):
            jobs = self.core._pop(token, *arguments)
            popped.set()
            time.sleep(0.05)
            return jobs

        def release_many(self, jobs):
            raise delayq.UnavailableError("gone")

    async def body(client, q):
        q._core = Slow(q._core)
        task = asyncio.create_task(q.pop(wait=60, lease=0.2))
        await until_async(popped.is_set)
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as cancelled:
            await task
        # Before Python 3.11 the exception that is awaited has the one that was raised as its context.
        raised = cancelled.value if cancelled.value.__cause__ else cancelled.value.__context__
        assert str(raised.__cause__) == "gone"

    run(body)
    until(lambda: queue.requeue().requeued)


def test_timeouts_around_a_pop(run):
    async def body(client, q):
        started = time.monotonic()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(q.pop(wait=60), 0.1)
        if hasattr(asyncio, "timeout"):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await q.pop(wait=60)
        assert time.monotonic() - started < 5
        await q.enqueue(b"", id="a")
        assert [job.id for job in await asyncio.wait_for(q.pop(wait=60), 60)] == ["a"]

    run(body)


def test_a_cancelled_short_call_finishes_in_the_background(run, server):
    async def body(client, q):
        await client.ping()
        server.client_pause(100)
        task = asyncio.create_task(q.enqueue(b"", id="a"))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while (await q.stats()).backlog == 0:
            await asyncio.sleep(0.005)

    run(body)


def test_jobs_of_a_loop_that_is_gone_go_back(url, topic, queue):
    client = aio.Client(url)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(client.open())
    q = client.queue(topic)
    task = loop.create_task(q.pop(wait=60))
    loop.run_until_complete(asyncio.sleep(0.05))
    queue.enqueue(b"", id="a")
    until(lambda: queue.stats().processing == 1)
    task._log_destroy_pending = False
    loop.close()
    coroutine = task.get_coro()
    coroutine.close()
    del task, coroutine
    gc.collect()
    until(lambda: queue.get("a").state == "scheduled")
    asyncio.run(client.close())


def test_the_end_of_asyncio_run_cancels_pops_without_a_loss(script, url):
    program = script(
        f"""
        import asyncio

        async def main():
            client = delayq.aio.Client({url!r})
            await client.open()
            q = client.queue(queue.topic)
            pops = [asyncio.create_task(q.pop(wait=60)) for _ in range(5)]
            await asyncio.sleep(0.05)
            await q.enqueue(b"", id="a")
            return pops  # asyncio.run cancels them; the client is not even closed

        pops = asyncio.run(main())
        jobs = [job for pop in pops if not pop.cancelled() for job in pop.result()]
        print("end", [job.id for job in jobs], queue.get("a").state)
        """
    )
    out = finish(program)
    assert out in ("end [] scheduled\n", "end ['a'] processing\n")
