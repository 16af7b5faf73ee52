"""The asyncio face: the same verbs, values and errors."""

from __future__ import annotations

import asyncio

import delayq
import pytest
from delayq import NewJob, aio


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
