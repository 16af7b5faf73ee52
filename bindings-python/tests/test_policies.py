"""Retry policies as Python values."""

from __future__ import annotations

from datetime import timedelta

import delayq
import pytest
from delayq import RetryPolicy


def test_a_policy_of_the_handle_and_one_of_the_job(client, topic, server):
    queue = client.queue(topic, retry_policy=RetryPolicy.fixed(100))
    own = RetryPolicy.linear(timedelta(seconds=7), cap=10)
    queue.enqueue(b"", id="a")
    queue.enqueue(b"", id="b", retry_policy=own)
    new = delayq.NewJob(b"", id="c", retry_policy=own)
    assert new.retry_policy is own
    assert delayq.NewJob(b"").retry_policy is None
    queue.enqueue_many([new])
    for job, wait in zip(queue.pop(3), (100_000, 7_000, 7_000)):
        before = server_ms(server)
        due = queue.retry(job).due_at_ms
        assert before + wait <= due <= server_ms(server) + wait


def server_ms(server):
    seconds, microseconds = server.time()
    return seconds * 1000 + microseconds // 1000


def test_policies_are_values():
    policy = RetryPolicy.exponential(timedelta(minutes=1), cap=600)
    assert policy == RetryPolicy.exponential(60, 2, cap=600.0) != RetryPolicy.exponential()
    assert len({policy, RetryPolicy.exponential(cap=600), RetryPolicy.fixed(60), RetryPolicy.linear(60)}) == 3
    assert policy != "policy"
    assert (policy.kind, policy.base, policy.factor, policy.cap) == ("exponential", 60.0, 2.0, 600.0)
    assert (policy.jitter, policy.max_retries) == (0.0, 5)
    assert RetryPolicy.fixed(1).cap is None
    with pytest.raises(AttributeError):
        policy.base = 5
    with pytest.raises(TypeError):
        RetryPolicy()


@pytest.mark.parametrize(
    "policy",
    [
        RetryPolicy.exponential(),
        RetryPolicy.exponential(0.5, 1.5, 7, jitter=0.25, max_retries=0),
        RetryPolicy.linear(5),
        RetryPolicy.linear(5, cap=60, jitter=1),
        RetryPolicy.fixed(0.001, max_retries=2**32 - 1),
    ],
)
def test_the_repr_of_a_policy_is_how_one_would_write_it(policy):
    assert repr(policy).startswith(f"delayq.RetryPolicy.{policy.kind}(")
    assert eval(repr(policy)) == policy


@pytest.mark.parametrize(
    ("what", "make"),
    [
        ("base", lambda: RetryPolicy.exponential("60")),
        ("base", lambda: RetryPolicy.exponential(-1)),
        ("factor", lambda: RetryPolicy.exponential(factor="2")),
        ("cap", lambda: RetryPolicy.exponential(cap=float("nan"))),
        ("step", lambda: RetryPolicy.linear(None)),
        ("delay", lambda: RetryPolicy.fixed(True)),
        ("jitter", lambda: RetryPolicy.fixed(1, jitter="much")),
        ("max_retries", lambda: RetryPolicy.fixed(1, max_retries=-1)),
        ("max_retries", lambda: RetryPolicy.fixed(1, max_retries=1.5)),
    ],
)
def test_values_that_no_policy_has(what, make):
    with pytest.raises(delayq.InvalidArgumentError, match=what):
        make()


@pytest.mark.parametrize("factor", [0.5, float("nan"), float("inf")])
def test_a_factor_out_of_range_is_refused_where_it_is_used(client, queue, factor):
    policy = RetryPolicy.exponential(factor=factor)
    for use in (
        lambda: client.queue("t", retry_policy=policy),
        lambda: queue.enqueue(b"", retry_policy=policy),
        lambda: queue.enqueue_many([delayq.NewJob(b"", retry_policy=policy)]),
    ):
        with pytest.raises(delayq.InvalidArgumentError, match="factor"):
            use()
