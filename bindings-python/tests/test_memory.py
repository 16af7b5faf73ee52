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
            queue.enqueue_many([delayq.NewJob(body, id="b", delay=60, ignore_done=True)])

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
            fail(lambda: queue.ack(lost))

        def both():
            for _ in range(5000):
                succeed()
                fails()

        def used():
            gc.collect()
            pages = int(open("/proc/self/statm").read().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE") / 2**20, sys.getallocatedblocks()

        body = os.urandom(4000)
        queue = client.queue(queue.topic, done_ttl=0)
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
    print(f"20,000 successful and 20,000 failed calls: {mib} MiB, {blocks} blocks of Python")
    assert float(mib) < 4
    assert int(blocks) < 500
