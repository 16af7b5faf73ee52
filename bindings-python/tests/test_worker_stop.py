"""Every way to stop a worker, and what it must not do to its process."""

from __future__ import annotations

import asyncio
import signal
import threading
import time

import delayq
import pytest
from conftest import Thread, finish, until

WORKER = """
import logging, signal, sys, threading, time
logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.ERROR)
def say(*words):
    sys.stdout.write(" ".join(map(str, words)) + "\\n")  # a print of two threads at once mixes its lines
    sys.stdout.flush()
def handler(job):
    say("begun", job.id)
    say("revoked" if job.wait_revoked({patience}) else "ended")
async def coroutine(job):
    import asyncio
    say("begun", job.id)
    try:
        await asyncio.wait_for(job.revoked(), {patience})
        say("revoked")
    except asyncio.TimeoutError:
        say("ended")
worker = delayq.Worker(queue, {handler}, concurrency=2)
"""


def program_of(script, rest, patience, handler="handler"):
    import textwrap

    return script(WORKER.format(patience=patience, handler=handler) + textwrap.dedent(rest))


@pytest.mark.parametrize("handler", ["handler", "coroutine"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_running_handlers_end(script, queue, number, handler):
    queue.enqueue(b"", id="a")
    rest = """
        worker.run(deadline=60)
        print(worker, signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, flush=True)
        """
    program = program_of(script, rest, patience=1, handler=handler)
    assert program.stdout.readline() == "begun a\n"
    program.send_signal(number)
    assert finish(program) == "ended\n<delayq.Worker stopped> True\n"
    assert queue.stats().counters["acked"] == 1


@pytest.mark.parametrize("handler", ["handler", "coroutine"])
def test_the_second_signal_stops_at_once(script, queue, handler):
    queue.enqueue(b"", id="a")
    program = program_of(
        script,
        """
        def look():
            while not worker.health().stopping:
                time.sleep(0.01)
            say("stopping")
        threading.Thread(target=look, daemon=True).start()
        worker.run(deadline=1000)
        """,
        patience=1000,
        handler=handler,
    )
    assert program.stdout.readline() == "begun a\n"
    program.send_signal(signal.SIGINT)
    assert program.stdout.readline() == "stopping\n"
    program.send_signal(signal.SIGINT)
    assert finish(program) == "revoked\n"
    info = queue.get("a")
    assert (info.state, info.retry_count, queue.stats().counters["released"]) == ("scheduled", 0, 1)


def test_ctrl_c_ends_the_wait_of_a_stop_but_not_the_stop(script, queue):
    queue.enqueue(b"", id="a")
    program = program_of(
        script,
        """
        worker.start()
        while worker.health().running == 0:
            time.sleep(0.01)
        try:
            say("stops")
            worker.stop(1000)
        except KeyboardInterrupt:
            say("interrupted", worker)
        worker.stop(0)
        print(worker, flush=True)
        """,
        patience=1000,
    )
    assert {program.stdout.readline() for _ in range(2)} == {"begun a\n", "stops\n"}
    time.sleep(0.1)  # into the wait; before it the interrupt would be caught as well
    program.send_signal(signal.SIGINT)
    assert program.stdout.readline() == "interrupted <delayq.Worker running>\n"
    lines = finish(program).splitlines()
    assert sorted(lines) == ["<delayq.Worker stopped>", "revoked"]
    assert queue.get("a").state == "scheduled"


def test_a_handler_may_hand_its_job_back_when_the_worker_begins_to_stop(queue):
    begun = threading.Event()

    def handler(job):
        assert not job.is_stopping
        begun.set()
        until(lambda: job.is_stopping)
        assert not job.is_revoked
        return delayq.Release(3600)

    queue.enqueue(b"", id="a")
    worker = delayq.Worker(queue, handler)
    worker.start()
    assert begun.wait(20)
    before = time.monotonic()
    worker.stop(1000)
    assert time.monotonic() - before < 20
    assert (queue.get("a").state, queue.get("a").retry_count) == ("scheduled", 0)


@pytest.mark.parametrize("handler", ["handler", "coroutine"])
def test_at_the_deadline_the_rest_is_handed_back(queue, handler):
    queue.enqueue_many(delayq.NewJob(b"", id=str(n)) for n in range(5))
    begun, revoked, cancelled = [], [], []

    def in_thread(job):
        begun.append(job.id)
        revoked.append(job.wait_revoked(60))
        raise ValueError("does not count any more")

    async def in_loop(job):
        begun.append(job.id)
        revoked.append(await job.revoked())
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(job.id)
            raise

    told = []
    run = in_thread if handler == "handler" else in_loop
    worker = delayq.Worker(queue, run, concurrency=2, fetch_ahead=2, on_event=told.append)
    worker.start()
    until(lambda: len(begun) == 2 and worker.health().waiting == 2)
    before = time.monotonic()
    worker.stop(0.2)
    took = time.monotonic() - before
    assert 0.2 <= took < 10
    assert revoked == [True, True]
    assert sorted(cancelled) == (sorted(begun) if handler == "coroutine" else [])
    assert {(i.state, i.retry_count) for i in queue.list("scheduled")} == {("scheduled", 0)}
    assert len(queue.list("scheduled")) == 5
    assert sum(event.kind == "released" for event in told) == 4
    worker.stop(0)
    assert worker.health().stopping
    with pytest.raises(delayq.ClosedError):
        worker.start()
    with pytest.raises(delayq.ClosedError):
        worker.run()


def test_a_handler_and_a_listener_may_stop_their_worker(queue):
    for kind in ("handler", "coroutine", "listener"):
        worker = None

        def stop(_):
            worker.stop()  # noqa: B023

        async def coroutine(job):
            worker.stop()  # noqa: B023

        handler = {"handler": stop, "coroutine": coroutine, "listener": lambda job: None}[kind]
        worker = delayq.Worker(queue, handler, on_event=stop if kind == "listener" else None)
        queue.enqueue(b"")
        running = Thread(worker.run)  # not the main thread: no signals
        running.end()
        assert repr(worker) == "<delayq.Worker stopped>"
    assert queue.stats().counters["acked"] == 3


def test_stop_before_start_and_from_many_threads(queue):
    never = delayq.Worker(queue, lambda job: None)
    never.stop()
    with pytest.raises(delayq.ClosedError):
        never.start()
    worker = delayq.Worker(queue, lambda job: None)
    worker.start()
    worker.start()
    stops = [Thread(worker.stop) for _ in range(8)]
    assert [stop.end() for stop in stops] == [None] * 8


def test_no_thread_is_left_after_a_stop(queue):
    async def coroutine(job):
        pass

    for handler in (lambda job: None, coroutine):
        with delayq.Worker(queue, handler):
            assert any(thread.name.startswith("delayq-") for thread in threading.enumerate())
        until(lambda: not any(thread.name.startswith("delayq-") for thread in threading.enumerate()))


@pytest.mark.parametrize("handler", ["handler", "coroutine"])
@pytest.mark.parametrize("ending", ["", "raise SystemExit(0)", "del worker, queue, client"])
def test_the_interpreter_ends_without_a_stop(script, queue, handler, ending):
    for id in ("a", "b", "c"):
        queue.enqueue(b"", id=id)
    rest = f"""
        worker.start()
        while worker.health().running < 2:
            time.sleep(0.01)
        say("end")
        {ending}
        """
    before = time.monotonic()
    lines = finish(program_of(script, rest, patience=1000, handler=handler)).splitlines()
    assert time.monotonic() - before < 30
    assert "end" in lines and lines.count("revoked") == 2
    assert len(queue.list("scheduled")) == 3, "handed back, not left to their leases"


def test_the_interpreter_ends_under_load_and_with_a_deaf_handler(script, queue):
    queue.enqueue_many([b""] * 500)
    for _ in range(5):
        program = script(
            """
            import itertools, time
            numbers = itertools.count()
            def handler(job):
                if next(numbers) == 20:
                    time.sleep(1000)
            worker = delayq.Worker(queue, handler, on_event=lambda event: None)
            worker.start()
            while next(numbers) < 40:
                time.sleep(0.001)
            print("end")
            """
        )
        assert finish(program) == "end\n"
    stats = queue.stats()
    assert stats.backlog + stats.counters["acked"] == 500 and stats.processing == 0


def test_stop_while_redis_is_down(script, tmp_path, topic):
    folder = tmp_path / "s"
    if len(str(folder)) > 80:
        pytest.skip("the path of a socket is limited")
    program = script(
        f"""
        import logging, sys, time
        seen = []
        logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.WARNING)
        other = delayq.Client('unix://{folder}/delayq.sock', retry_for=0.2, timeout=1)
        worker = delayq.Worker(other.queue("t"), print, on_event=lambda event: seen.append(event.kind))
        worker.start()
        while not worker.health().connected:
            time.sleep(0.01)
        client.close()
        while "lost" not in seen:
            time.sleep(0.01)
        before = time.monotonic()
        worker.stop(60)
        print(time.monotonic() - before < 10, worker.health().connected)
        """,
        at=f"embedded:{folder}",
    )
    out = finish(program).splitlines()
    assert out[-1] == "True False"
    assert "trying on" in out[0]


def test_a_forked_child_gets_a_clear_answer(script, queue):
    program = script(
        """
        import os
        with delayq.Worker(queue, lambda job: None) as worker:
            if os.fork() == 0:
                for call in (worker.stop, worker.health, worker.run, worker.start):
                    try:
                        call()
                    except delayq.ClosedError as e:
                        print(e.kind, flush=True)
                mine = client.queue(queue.topic + " child")
                mine.enqueue(b"")
                own = delayq.Worker(mine, lambda job: own.stop())
                own.run()
                raise SystemExit  # through the block and the whole end of the interpreter
            print(os.waitstatus_to_exitcode(os.wait()[1]))
            queue.enqueue(b"")
            while queue.stats().counters["acked"] < 1:
                pass
        """
    )
    assert finish(program) == "closed\n" * 4 + "0\n"
