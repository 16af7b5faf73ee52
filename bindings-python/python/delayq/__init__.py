"""Delayed task queue on Redis sorted sets: enqueue a job now, have it run when it is due, by exactly one consumer
at a time, from any language.

>>> import delayq
>>> client = delayq.Client(url)                      # doctest: +SKIP
>>> queue = client.queue("order_close")              # doctest: +SKIP
>>> queue.enqueue({"order": 1}, id="order:1:close", delay=900)   # doctest: +SKIP

``Client`` holds the connections to one Redis, ``Queue`` is a handle on one topic; both may be used from any number
of threads at once, and in forked children. Delivery is at least once: a popped ``Job`` is leased, and ``requeue``
hands it out again if the lease ends without an ``ack``. ``Worker`` does all that for a handler. ``delayq.aio`` has the
same verbs for asyncio. Every error is a ``DelayqError`` of one of ``ERROR_KINDS``.
"""

import importlib
from typing import TYPE_CHECKING, Any, Literal

from ._delayq import (
    Client,
    Delivery,
    Enqueued,
    Event,
    Extended,
    Histogram,
    Job,
    JobInfo,
    NewJob,
    Purged,
    Queue,
    Redriven,
    Released,
    Repaired,
    Requeued,
    Retried,
    Retry,
    RetryPolicy,
    Stats,
    __version__,
)
from ._worker import Dead, Fail, Health, Leave, Outcome, Release, Worker
from .errors import (
    ERROR_KINDS,
    ClosedError,
    DelayqError,
    DelayqTimeoutError,
    IncompatibleError,
    InternalError,
    InvalidArgumentError,
    LeaseLostError,
    NotFoundError,
    ServerError,
    UnavailableError,
)

if TYPE_CHECKING:
    from . import aio as aio

VERBS = (
    "enqueue",
    "enqueue_many",
    "pop",
    "ack",
    "ack_many",
    "retry",
    "retry_many",
    "release",
    "release_many",
    "extend",
    "extend_many",
    "requeue",
    "cancel",
    "get",
    "list",
    "redrive",
    "purge",
    "repair",
    "stats",
    "pause",
    "resume",
    "limit",
)
"""Every verb, each a method of ``Queue``; the same in every language."""

Mode = Literal["replace", "keep", "reschedule"]
"""What ``enqueue`` does if the id is known."""
EnqueueOutcome = Literal["created", "replaced", "kept", "moved", "done", "missing"]
"""What ``enqueue`` did."""
AckOutcome = Literal["acked", "already", "lease_lost"]
"""What ``ack`` and ``ack_many`` did; only the latter gives ``lease_lost``."""
CancelOutcome = Literal["scheduled", "processing", "dead", "orphan", "done", "missing"]
"""Where ``cancel`` found the job that it removed."""
RetryOutcome = Literal["scheduled", "dead", "done", "lease_lost"]
"""What ``retry`` and ``retry_many`` did; only the latter gives ``lease_lost``."""
ReleaseOutcome = Literal["released", "done", "lease_lost"]
"""What ``release`` and ``release_many`` did; only the latter gives ``lease_lost``."""
ExtendOutcome = Literal["extended", "lease_lost"]
"""What ``extend`` and ``extend_many`` did; only the latter gives ``lease_lost``."""
EventKind = Literal["started", "done", "failed", "lease_lost", "released", "lost", "back"]
"""What an ``Event`` tells; see its ``kind``."""
State = Literal["scheduled", "processing", "dead", "orphan", "done"]
"""Where a job is; ``done`` is no state to list or purge."""

__all__ = [
    "ERROR_KINDS",
    "VERBS",
    "AckOutcome",
    "CancelOutcome",
    "Client",
    "ClosedError",
    "Dead",
    "DelayqError",
    "DelayqTimeoutError",
    "Delivery",
    "EnqueueOutcome",
    "Enqueued",
    "Event",
    "EventKind",
    "ExtendOutcome",
    "Extended",
    "Fail",
    "Health",
    "Histogram",
    "IncompatibleError",
    "InternalError",
    "InvalidArgumentError",
    "Job",
    "JobInfo",
    "LeaseLostError",
    "Leave",
    "Mode",
    "NewJob",
    "NotFoundError",
    "Outcome",
    "Purged",
    "Queue",
    "Redriven",
    "Release",
    "ReleaseOutcome",
    "Released",
    "Repaired",
    "Requeued",
    "Retried",
    "Retry",
    "RetryOutcome",
    "RetryPolicy",
    "ServerError",
    "State",
    "Stats",
    "UnavailableError",
    "Worker",
    "__version__",
    # Not `aio`, which `import *` would load.
]


def __getattr__(name: str) -> Any:
    if name == "aio":  # only for those who use it: it needs asyncio
        return importlib.import_module("delayq.aio")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
