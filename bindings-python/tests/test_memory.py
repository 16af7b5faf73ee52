"""Memory does not grow with the number of calls, be they successful or not."""

from __future__ import annotations

from conftest import finish


def test_memory_does_not_grow(script):
    program = script(
        """
        import gc, os, sys

        def succeed():
            id = queue.enqueue(body, id="a").id
            [job] = queue.pop()
            assert len(job.payload) == len(body) and job.due_at and queue.ack(job) == "acked"
            queue.enqueue_many([delayq.NewJob(body, id="b", delay=60, ignore_done=True, retry_policy=policy)])
            assert len(queue.get("b").payload) == len(body) and queue.list("scheduled")[0].due_at
            stats = queue.stats()
            assert stats.counters and stats.lateness.buckets()
            queue.enqueue(body, id="c")
            [job] = queue.pop()
            assert queue.extend_many([job])[0].lease_until
            assert queue.retry_many([delayq.Retry(job, error=ValueError("x"))])[0].due_at
            assert queue.purge("scheduled").purged == 3  # with the one whose lease is lost
            queue.enqueue(body, id="lost", delay=600)

        def fail(call):
            try:
                call()
            except delayq.DelayqError:
                return
            raise AssertionError("no error")

        def fails():
            fail(lambda: queue.enqueue(object()))
            fail(lambda: queue.enqueue(body, delay=-1))
            fail(lambda: queue.pop(0))
            for lose in (queue.ack, queue.retry, queue.release, queue.extend):
                fail(lambda: lose(lost))
            for lose in (queue.ack_many, queue.retry_many, queue.release_many, queue.extend_many):
                assert "lease_lost" in repr(lose([lost]))
                fail(lambda: lose([lost, "a"]))
                fail(lambda: lose(5))
            fail(lambda: queue.get("nobody"))
            fail(lambda: queue.list("?"))
            fail(lambda: queue.redrive(["a", 5]))
            fail(lambda: queue.redrive(["a"], limit=5))
            fail(lambda: queue.purge("done"))
            fail(lambda: queue.repair(limit=0))
            fail(lambda: queue.stats(overdue=-1))
            fail(lambda: queue.limit(float("nan")))
            fail(lambda: delayq.Retry(lost, delay="x"))
            fail(lambda: delayq.RetryPolicy.fixed("x"))

        def both():
            for _ in range(1000):
                succeed()
                fails()

        def used():
            gc.collect()
            pages = int(open("/proc/self/statm").read().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE") / 2**20, sys.getallocatedblocks()

        body = os.urandom(4000)
        policy = delayq.RetryPolicy.fixed(60)
        queue = client.queue(queue.topic, done_ttl=0, retry_policy=policy)
        queue.enqueue(body, id="lost")
        [lost] = queue.pop()
        queue.enqueue(body, id="lost", delay=600)
        both()
        before = used()
        both()
        after = used()
        print(f"{after[0] - before[0]:.2f} {after[1] - before[1]}")
        """
    )
    mib, blocks = finish(program).split()
    print(f"11,000 successful and 28,000 failed calls: {mib} MiB, {blocks} blocks of Python")
    assert float(mib) < 4
    assert int(blocks) < 500
