"""Threads: every call lets the others run, and a handle may be used by all of them."""

from __future__ import annotations

import tempfile
import threading
import time

import delayq
import pytest
from conftest import Thread, finish


class Ticker:
    """Counts in another thread, which it can only do while the GIL is free."""

    def __enter__(self) -> Ticker:
        self.ticks = 0
        self.ended = threading.Event()
        self.thread = Thread(self.count)
        return self

    def count(self) -> None:
        while not self.ended.wait(0.0005):
            self.ticks += 1

    def __exit__(self, *_) -> None:
        self.ended.set()
        self.thread.end()

    def during(self, call) -> int:
        before = self.ticks
        call()
        return self.ticks - before


def test_others_run_during_every_call_that_blocks(client, queue, server):
    queue.enqueue(b"", id="held")
    [job] = queue.pop()

    def paused(call):
        def run():
            server.client_pause(300)
            call()

        return run

    def again(verb):
        queue.enqueue(b"", id="again")
        [again] = queue.pop()
        verb(again)

    calls = {
        "pop, waiting": lambda: queue.pop(wait=0.3),
        "pop": paused(queue.pop),
        "enqueue": paused(lambda: queue.enqueue(b"", id="a", delay=60)),
        "enqueue_many": paused(lambda: queue.enqueue_many([delayq.NewJob(b"", id="b", delay=60)])),
        "ack": paused(lambda: queue.ack(job)),
        "cancel": paused(lambda: queue.cancel("a")),
        "ack_many": paused(lambda: queue.ack_many([job])),
        "retry": paused(lambda: again(queue.retry)),
        "retry_many": paused(lambda: queue.retry_many([job])),
        "release": paused(lambda: again(queue.release)),
        "release_many": paused(lambda: queue.release_many([job])),
        "extend": paused(lambda: again(queue.extend)),
        "extend_many": paused(lambda: queue.extend_many([job])),
        "requeue": paused(queue.requeue),
        "get": paused(lambda: queue.get("held")),
        "list": paused(lambda: queue.list("dead")),
        "redrive": paused(queue.redrive),
        "purge": paused(lambda: queue.purge("dead")),
        "repair": paused(queue.repair),
        "stats": paused(queue.stats),
        "pause": paused(queue.pause),
        "resume": paused(queue.resume),
        "limit": paused(lambda: queue.limit(None)),
        "ping": paused(client.ping),
    }
    assert {*delayq.VERBS} < {*calls}
    with Ticker() as ticker:
        ticks = {name: ticker.during(call) for name, call in calls.items()}
    assert {name: n for name, n in ticks.items() if n < 20} == {}


def test_others_run_while_a_server_starts_and_stops():
    started, kept, stopped = [], [], []
    with Ticker() as ticker:
        for _ in range(5):  # since a server may start or stop in no time
            with tempfile.TemporaryDirectory(prefix="dq") as folder:
                clients, queues = [], []
                started.append(ticker.during(lambda: clients.append(delayq.Client(f"embedded:{folder}"))))  # noqa: B023
                queues.append(clients[0].queue("t"))
                kept.append(ticker.during(clients.clear))  # the queue needs the server
                queues[0].enqueue(b"")
                stopped.append(ticker.during(queues.clear))  # the last handle stops it
    assert max(started) > 5
    assert min(kept) < 5
    assert max(stopped) > 5


def test_an_enqueue_through_the_same_handle_ends_a_wait(queue, has_popped):
    waiter = Thread(lambda: queue.pop(wait=60))
    has_popped()
    queue.enqueue(b"x")
    [job] = waiter.end()
    assert job.payload == b"x"


def test_close_from_another_thread_wakes_those_who_wait(client, queue, has_popped):
    waiters = [Thread(lambda: queue.pop(wait=60)) for _ in range(3)]
    has_popped()
    started = time.monotonic()
    client.close()
    for waiter in waiters:
        with pytest.raises(delayq.ClosedError):
            waiter.end()
    assert time.monotonic() - started < 5
    for call in (client.ping, lambda: queue.enqueue(b""), queue.pop, lambda: client.queue("t"), queue.requeue):
        with pytest.raises(delayq.ClosedError) as closed:
            call()
        assert not closed.value.retryable
    client.close()


def test_many_threads_share_one_handle(queue):
    def work(n):
        ids = [queue.enqueue(str(n).encode()).id for _ in range(100)]
        taken = []
        while jobs := queue.pop(9):
            taken += [job.id for job in jobs if queue.ack(job) == "acked"]
        return ids, taken

    results = [thread.end() for thread in [Thread(lambda n=n: work(n)) for n in range(8)]]
    ids = [id for ids, _ in results for id in ids]
    taken = [id for _, taken in results for id in taken] + [job.id for job in queue.pop(1000)]
    assert sorted(taken) == sorted(ids)
    assert len(set(taken)) == 800


@pytest.mark.parametrize("waiting", [True, False])
def test_the_interpreter_ends_while_threads_are_in_calls(script, waiting):
    body = """
        import threading
        def work():
            while True:
                queue.enqueue(b"x", delay=60)
        for _ in range(4):
            threading.Thread(target={}, daemon=True).start()
        queue.enqueue(b"y", delay=60)
        print("end")
        """
    for _ in range(10):
        assert finish(script(body.format("lambda: queue.pop(wait=60)" if waiting else "work"))) == "end\n"
