"""What a worker is given and what it tells: refusals, outcomes, events."""

from __future__ import annotations

import inspect
import pickle

import delayq
import pytest
from conftest import until


def test_what_cannot_be_right_is_refused(client, topic, queue):
    async def coroutine(job):
        pass

    def plain(job):
        pass

    twice = {queue: plain, client.queue(topic): plain}
    for arguments, options in [
        ((queue,), {}),
        ((queue, "handler"), {}),
        (("queue", plain), {}),
        (([queue], plain), {}),
        (({},), {}),
        (({queue: plain}, plain), {}),
        (({queue: None},), {}),
        ((twice,), {}),
        (({queue: plain, client.queue("u"): coroutine},), {}),
        ((queue, plain), {"concurrency": 0}),
        ((queue, plain), {"concurrency": -1}),
        ((queue, plain), {"concurrency": "8"}),
        ((queue, plain), {"concurrency": True}),
        ((queue, plain), {"fetch_ahead": 1.5}),
        ((queue, plain), {"sweep_every": 0}),
        ((queue, plain), {"sweep_every": float("nan")}),
        ((queue, plain), {"on_event": 5}),
    ]:
        with pytest.raises(delayq.InvalidArgumentError):
            delayq.Worker(*arguments, **options)
    worker = delayq.Worker(queue, plain)
    for call in (worker.stop, worker.run, lambda value: delayq.Release(value), lambda value: delayq.Fail("x", value)):
        for value in ("5", -1, float("inf"), float("nan"), True):
            with pytest.raises(delayq.InvalidArgumentError):
                call(value)
    assert repr(worker) == "<delayq.Worker new>", "a refused run did not start it"


def test_outcomes_can_be_pickled():
    for outcome in (delayq.Release(5), delayq.Fail("x", delay=1), delayq.Dead("y"), delayq.Leave()):
        again = pickle.loads(pickle.dumps(outcome))
        assert (type(again), again.args) == (type(outcome), outcome.args)
    assert [str(delayq.Fail("x", 1)), str(delayq.Dead("y"))] == ["x", "y"]


def test_the_kinds_of_events_are_the_words_of_the_type(queue):
    kinds = set(delayq.EventKind.__args__)
    assert all(f"``{kind}``" in inspect.getdoc(delayq.Event.kind) for kind in kinds)
    told = []
    queue.enqueue(b"")
    with delayq.Worker(queue, lambda job: None, on_event=told.append):
        until(lambda: len(told) == 2)
    assert {event.kind for event in told} < kinds
    assert told[1].took >= 0 and told[0].deliveries == 1 and told[0] != told[1]
    assert repr(told[0]).startswith("<delayq.Event started topic=")
