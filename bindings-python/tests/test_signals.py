"""Signals: Ctrl-C ends a wait, and a handler that returns disturbs nothing."""

from __future__ import annotations

import signal
import statistics
import time

import delayq
import pytest
from conftest import finish


def test_ctrl_c_ends_a_wait_and_loses_no_job(script, has_popped, queue, record_property):
    program = script(
        """
        for _ in range(10):
            try:
                queue.pop(wait=60)
            except KeyboardInterrupt:
                print("interrupted", flush=True)
        jobs = queue.pop(wait=60)
        print([job.id for job in jobs], [queue.ack(job) for job in jobs])
        """
    )
    has_popped()
    took = []
    for _ in range(10):
        time.sleep(0.03)  # somewhere within a slice; nothing depends on it
        sent = time.monotonic()
        program.send_signal(signal.SIGINT)
        assert program.stdout.readline() == "interrupted\n"
        took.append(time.monotonic() - sent)
    queue.enqueue(b"", id="kept")
    assert finish(program) == "['kept'] ['acked']\n"
    print(f"Ctrl-C: median {statistics.median(took) * 1000:.0f} ms, longest {max(took) * 1000:.0f} ms")
    record_property("ctrl_c_longest_ms", max(took) * 1000)
    assert max(took) < 2


def test_a_handler_that_raises_ends_the_wait_with_its_exception(queue):
    class Alarm(Exception):
        pass

    def handler(*_):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Alarm):
            queue.pop(wait=60)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert queue.enqueue(b"").outcome == "created"
    assert len(queue.pop()) == 1


def test_a_storm_of_signals_makes_no_call_fail_and_none_run_twice(queue):
    handled = 0

    def handler(*_):
        nonlocal handled
        handled += 1

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        ids = [queue.enqueue(b"x").id for _ in range(1000)]
        assert queue.pop(wait=0) != [], "the handler does not end a call"
        taken = 1
        while jobs := queue.pop(7, wait=0.02):
            taken += len(jobs)
            assert all(queue.ack(job) == "acked" for job in jobs)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert taken == len(set(ids)) == 1000
    assert handled > 100


def test_an_iterator_or_an_encoder_of_the_caller_may_be_interrupted(queue):
    def jobs():
        yield b"one"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        queue.enqueue_many(jobs())

    class Interrupting(dict):
        def items(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        queue.enqueue(Interrupting(a=1))
    with pytest.raises(delayq.InvalidArgumentError):
        queue.enqueue({"a": object()})
    assert queue.pop(10) == []
