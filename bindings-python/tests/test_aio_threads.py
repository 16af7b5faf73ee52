"""Threads of the asyncio face: no event loop is blocked, and none is left behind."""

from __future__ import annotations

import asyncio
import tempfile
import time

import pytest
from conftest import Thread, finish, own_threads, until_async
from delayq import aio


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


def test_more_short_calls_than_threads(run):
    async def body(client, q):
        results = await asyncio.gather(*(q.enqueue(b"", id=str(n)) for n in range(500)))
        assert [r.id for r in results] == [str(n) for n in range(500)]
        assert len(own_threads()) <= aio._client.SHORT_CALLS + 1

    run(body)


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
