"""The asyncio face: no job is lost by a cancellation, no event loop is blocked, no thread is left behind."""

from __future__ import annotations

import asyncio
import gc
import random
import tempfile
import threading
import time
from collections import Counter

import delayq
import pytest
from conftest import Thread, finish, until
from delayq import NewJob, aio


def go(body, url, topic, **options):
    """Runs a coroutine function on an open client and a queue."""

    async def main():
        async with aio.Client(url) as client:
            return await asyncio.wait_for(body(client, client.queue(topic, **options)), 60)

    return asyncio.run(main())


@pytest.fixture
def run(url, topic):
    return lambda body, **options: go(body, url, topic, **options)


def own_threads():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("delayq-aio")]


@pytest.fixture(autouse=True)
def no_thread_is_left():
    yield
    until(lambda: not own_threads())


def test_every_verb(run):
    async def body(client, q):
        await client.ping()
        policy = delayq.RetryPolicy.fixed(0, max_retries=1)
        assert (await q.enqueue({"n": 1}, id="a", retry_policy=policy)).outcome == "created"
        assert len(await q.enqueue_many(NewJob(str(n), id=f"b{n}") for n in range(4))) == 4
        [a, *bs] = await q.pop(5, wait=5)
        assert (a.id, a.json()) == ("a", {"n": 1})
        assert (await q.extend(a, lease=60)).outcome == "extended"
        assert [e.outcome for e in await q.extend_many(iter(bs))] == ["extended"] * 4
        assert (await q.get("a")).state == "processing"
        assert (await q.retry(a, error=ValueError("x"))).outcome == "scheduled"
        [a] = await q.pop()
        assert (await q.retry_many([delayq.Retry(a, error="y"), bs[0]]))[0].outcome == "dead"
        assert [info.last_error for info in await q.list("dead")] == ["y"]
        assert (await q.release(bs[1], delay=60)).outcome == "released"
        assert [r.outcome for r in await q.release_many(bs[1:3])] == ["lease_lost", "released"]
        assert await q.ack(bs[3]) == "acked"
        [b2] = await q.pop()
        assert await q.ack_many(job for job in (b2, bs[3])) == ["acked", "already"]
        assert (await q.requeue()).requeued == 0
        assert await q.cancel("b1") == "scheduled"
        assert (await q.redrive(iter(["a"]), delay=60)).redriven == 1
        assert (await q.repair()).orphaned == 0
        assert (await q.stats(overdue=1)).backlog == 2
        await q.pause()
        assert (await q.stats()).paused
        await q.resume()
        await q.limit(5, burst=7)
        assert (await q.stats()).burst == 7
        await q.limit(None)
        assert (await q.purge("scheduled")).remaining == 0

    run(body)


def test_errors_are_those_of_the_other_face(run, queue):
    calls = [
        lambda q: q.enqueue(object()),
        lambda q: q.enqueue(b"", delay=-1),
        lambda q: q.enqueue(b"", id=5),
        lambda q: q.enqueue_many(5),
        lambda q: q.enqueue_many([b"", NewJob(b"", id="\0")]),
        lambda q: q.pop(0),
        lambda q: q.pop(wait="x"),
        lambda q: q.ack("a"),
        lambda q: q.ack_many(5),
        lambda q: q.ack_many("ab"),
        lambda q: q.retry("a", error="x"),
        lambda q: q.retry_many([5]),
        lambda q: q.release_many([], delay="x"),
        lambda q: q.get("nobody"),
        lambda q: q.list("?"),
        lambda q: q.redrive("ab"),
        lambda q: q.redrive(5),
        lambda q: q.redrive([], limit=5),
        lambda q: q.limit(-1),
    ]

    async def body(client, q):
        for call in calls:
            with pytest.raises(delayq.DelayqError) as there:
                call(queue)
            with pytest.raises(type(there.value)) as here:
                await call(q)
            assert here.value.__dict__ == there.value.__dict__

    run(body)


def test_values_are_taken_before_the_first_await(run):
    async def body(client, q):
        value, many = ["before"], [["before"]]
        calls = [q.enqueue(value, id="a"), q.enqueue_many(many)]
        tasks = [asyncio.create_task(call) for call in calls]
        await asyncio.sleep(0)  # both tasks are now in their call
        value[0] = many[0][0] = "after"
        await asyncio.gather(*tasks)
        assert [job.json() for job in await q.pop(2)] == [["before"]] * 2

    run(body)


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


def test_the_loop_turns_while_calls_wait(run, server):
    async def body(client, q):
        longest = 0.0

        async def turn():
            nonlocal longest
            while True:
                before = time.monotonic()
                await asyncio.sleep(0.001)
                longest = max(longest, time.monotonic() - before)

        turning = asyncio.create_task(turn())
        for paused in (lambda: q.enqueue(b""), q.pop, q.stats, lambda: q.pop(wait=0.3)):
            server.client_pause(400)
            await paused()
        turning.cancel()
        assert longest < 0.3, "a call that blocked the loop would have taken 0.4 s"

    run(body)


def test_fifty_waiting_pops_do_not_keep_others_from_working(run):
    async def body(client, q):
        waiting = [asyncio.create_task(q.pop(wait=60)) for _ in range(50)]
        await until_async(lambda: len(own_threads()) >= 50)
        busy = asyncio.get_running_loop().run_in_executor(None, lambda: "free")
        assert await asyncio.wait_for(busy, 10) == "free"
        await asyncio.gather(*(q.enqueue(b"", id=str(n)) for n in range(50)))
        taken = [job.id for jobs in await asyncio.gather(*waiting) for job in jobs]
        assert sorted(taken, key=int) == [str(n) for n in range(50)]
        assert len(own_threads()) <= 50 + aio._client.SHORT_CALLS

    run(body)


async def until_async(look):
    while not look():
        await asyncio.sleep(0.002)


def test_more_short_calls_than_threads(run):
    async def body(client, q):
        results = await asyncio.gather(*(q.enqueue(b"", id=str(n)) for n in range(500)))
        assert [r.id for r in results] == [str(n) for n in range(500)]
        assert len(own_threads()) <= aio._client.SHORT_CALLS + 1

    run(body)


def test_close_wakes_those_who_wait(url, topic):
    async def main():
        client = aio.Client(url)
        await client.open()
        await client.open()
        q = client.queue(topic)
        waiting = [asyncio.create_task(q.pop(wait=60)) for _ in range(3)]
        await asyncio.sleep(0.05)
        await client.close()
        await client.close()
        for result in await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 5):
            assert isinstance(result, delayq.ClosedError)
        for call in (q.pop, lambda: q.pop(wait=5), lambda: q.enqueue(b""), q.stats, client.ping, client.open):
            with pytest.raises(delayq.ClosedError):
                await call()
        with pytest.raises(delayq.ClosedError):
            client.queue("t")

    asyncio.run(main())


def test_a_client_that_is_not_open_says_what_to_do(url):
    client = aio.Client(url, password="s3cret")
    with pytest.raises(delayq.ClosedError, match="async with"):
        client.queue("t")
    with pytest.raises(delayq.ClosedError, match="async with"):
        client.address  # noqa: B018
    assert repr(client) == "<delayq.aio.Client not open>"

    async def main():
        await client.close()
        with pytest.raises(delayq.ClosedError, match="new one"):
            await client.open()
        with pytest.raises(delayq.InvalidArgumentError):
            async with aio.Client("nosuch://"):
                pass
        async with aio.Client(url) as other:
            assert repr(other) == f"<delayq.aio.Client {other.address!r}>"
            assert repr(other.queue("t")) == "<delayq.aio.Queue 't'>"

    asyncio.run(main())


def test_an_embedded_server_starts_and_stops_beside_the_loop():
    async def main():
        with tempfile.TemporaryDirectory(prefix="dq") as folder:
            async with aio.Client(f"embedded:{folder}") as client:
                assert (await client.queue("t").enqueue(b"")).outcome == "created"
            task = asyncio.create_task(aio.Client(f"embedded:{folder}").__aenter__())
            await asyncio.sleep(0)
            task.cancel()  # in the middle of its start; then it stops by itself
            with pytest.raises(asyncio.CancelledError):
                await task
            await until_async(lambda: not own_threads())

    asyncio.run(asyncio.wait_for(main(), 60))


def test_one_client_in_several_loops_at_once(url, topic):
    client = aio.Client(url)
    asyncio.run(client.open())
    q = client.queue(topic)

    def work(n):
        async def main():
            results = await asyncio.gather(*(q.enqueue(b"", id=f"{n} {i}") for i in range(50)))
            taken = []
            while jobs := await q.pop(7):
                taken += [job.id for job in jobs]
                await q.ack_many(jobs)
            return [r.id for r in results], taken

        return asyncio.run(main())

    results = [thread.end() for thread in [Thread(lambda n=n: work(n)) for n in range(4)]]
    taken = [id for _, ids in results for id in ids]
    assert sorted(taken) == sorted(id for ids, _ in results for id in ids)
    assert len(taken) == 200
    asyncio.run(client.close())


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


@pytest.mark.parametrize("body", ["await q.pop(wait=60)", "await q.enqueue(b'')"])
def test_the_interpreter_ends_while_threads_are_in_calls(script, server, url, body):
    program = script(
        f"""
        import asyncio

        async def main():
            client = delayq.aio.Client({url!r})
            await client.open()
            q = client.queue(queue.topic)
            async def work():
                while True:
                    {body}
            tasks = [asyncio.ensure_future(work()) for _ in range(4)]
            await asyncio.sleep(0.1)
            print("end", flush=True)
            asyncio.get_running_loop().stop()

        loop = asyncio.new_event_loop()
        task = loop.create_task(main())
        loop.run_forever()
        for task in asyncio.all_tasks(loop):
            task._log_destroy_pending = False
        """
    )
    started = time.monotonic()
    assert finish(program) == "end\n"
    assert time.monotonic() - started < 20


def test_a_forked_child_uses_the_client_in_a_loop_of_its_own(script, url):
    program = script(
        f"""
        import asyncio, os

        async def use():
            q = a.queue(queue.topic)
            await q.enqueue(b"", id=str(os.getpid()))
            return [job.id for job in await q.pop(wait=10)]

        a = delayq.aio.Client({url!r})
        asyncio.run(a.open())
        assert asyncio.run(use()) == [str(os.getpid())]
        pid = os.fork()
        if pid == 0:
            assert asyncio.run(use()) == [str(os.getpid())]
            os._exit(0)
        print(os.waitpid(pid, 0)[1], asyncio.run(use()) == [str(os.getpid())])
        """
    )
    assert finish(program) == "0 True\n"


def test_idle_threads_end(run, monkeypatch):
    monkeypatch.setattr(aio._threads, "IDLE_SECONDS", 0.05)

    async def body(client, q):
        await asyncio.gather(*(q.pop(wait=0.2) for _ in range(10)))
        await until_async(lambda: not own_threads())
        assert await q.pop() == []

    run(body)
