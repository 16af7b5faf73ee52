"""Delayed task queue on Redis sorted sets: enqueue a job now, have it run when it is due, by exactly one consumer
at a time, from any language.

>>> import delayq
>>> client = delayq.Client(url)                      # doctest: +SKIP
>>> queue = client.queue("order_close")              # doctest: +SKIP
>>> queue.enqueue({"order": 1}, id="order:1:close", delay=900)   # doctest: +SKIP

``Client`` holds the connections to one Redis, ``Queue`` is a handle on one topic; both may be used from any number
of threads at once, and in forked children. Delivery is at least once: a popped ``Job`` is leased, and ``requeue``
hands it out again if the lease ends without an ``ack``. Every error is a ``DelayqError`` of one of ``ERROR_KINDS``.
"""

from typing import Literal

from ._delayq import Client, Enqueued, Job, NewJob, Queue, Requeued, __version__
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

VERBS = ("enqueue", "enqueue_many", "pop", "ack", "requeue", "cancel")
"""Every verb, each a method of ``Queue``; the same in every language."""

Mode = Literal["replace", "keep", "reschedule"]
"""What ``enqueue`` does if the id is known."""
EnqueueOutcome = Literal["created", "replaced", "kept", "moved", "done", "missing"]
"""What ``enqueue`` did."""
AckOutcome = Literal["acked", "already"]
"""What ``ack`` did."""
CancelOutcome = Literal["scheduled", "processing", "dead", "orphan", "done", "missing"]
"""Where ``cancel`` found the job that it removed."""

__all__ = [
    "ERROR_KINDS",
    "VERBS",
    "AckOutcome",
    "CancelOutcome",
    "Client",
    "ClosedError",
    "DelayqError",
    "DelayqTimeoutError",
    "EnqueueOutcome",
    "Enqueued",
    "IncompatibleError",
    "InternalError",
    "InvalidArgumentError",
    "Job",
    "LeaseLostError",
    "Mode",
    "NewJob",
    "NotFoundError",
    "Queue",
    "Requeued",
    "ServerError",
    "UnavailableError",
    "__version__",
]
