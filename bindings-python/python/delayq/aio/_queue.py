"""`delayq.aio.Queue`: each verb of `delayq.Queue` as a coroutine function.

What a caller gives is converted before the first await, so that it may be changed afterwards and no code of the
caller's runs in another thread.
"""

from __future__ import annotations

import builtins  # a queue has a `list` of its own
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Literal, TypeVar

from .. import _delayq
from .._delayq import (
    Enqueued,
    Extended,
    Job,
    JobInfo,
    Purged,
    Redriven,
    Released,
    Repaired,
    Requeued,
    Retried,
    Retry,
    RetryPolicy,
    Stats,
    _describe,
)
from ._call import call, pop
from ._threads import Threads

T = TypeVar("T")


class Queue:
    """A handle on one topic, made by ``Client.queue``. May be used by any number of tasks, event loops and threads.

    Every method is a verb of ``delayq.Queue`` of the same name, with the same arguments, results and errors.
    """

    def __init__(self, core: _delayq.Queue, short: Threads, long: Threads) -> None:
        self._core = core
        self._short = short
        self._long = long

    @property
    def topic(self) -> str:
        """The topic."""
        return self._core.topic

    async def enqueue(
        self,
        payload: Any,
        *,
        id: str | None = None,
        delay: float | timedelta | None = None,
        at: datetime | None = None,
        mode: Literal["replace", "keep", "reschedule"] = "replace",
        ignore_done: bool = False,
        retry_policy: RetryPolicy | None = None,
    ) -> Enqueued:
        """Stores a job, to be due at its time; as ``delayq.Queue.enqueue``."""
        job = self._core._new_job(
            payload, id=id, delay=delay, at=at, mode=mode, ignore_done=ignore_done, retry_policy=retry_policy
        )
        return await call(self._short, lambda: self._core._enqueue(job))

    async def enqueue_many(self, jobs: Iterable[Any]) -> builtins.list[Enqueued]:
        """Stores many jobs in few round trips; as ``delayq.Queue.enqueue_many``."""
        new = self._core._new_jobs(jobs)
        return await call(self._short, lambda: self._core.enqueue_many(new))

    async def pop(
        self,
        max: int = 1,
        *,
        lease: float | timedelta | None = None,
        wait: float | timedelta | None = None,
    ) -> builtins.list[Job]:
        """Takes up to ``max`` due jobs, with ``wait`` after waiting until something is due; as ``delayq.Queue.pop``.

        If the task is cancelled (also by a timeout around the call) no job is lost: what was taken meanwhile is
        released before the cancellation goes on. That takes no longer than the answers of Redis that are under way.
        """
        return await pop(
            self._long if wait else self._short,
            lambda token: self._core._pop(token, max, lease, wait),
            self._core.release_many,
        )

    async def ack(self, job: Job) -> Literal["acked", "already"]:
        """Reports a job as done; as ``delayq.Queue.ack``."""
        return await call(self._short, lambda: self._core.ack(job))

    async def ack_many(self, jobs: Iterable[Job]) -> builtins.list[Literal["acked", "already", "lease_lost"]]:
        """Reports many jobs as done in few round trips; as ``delayq.Queue.ack_many``."""
        held = _all(jobs)
        return await call(self._short, lambda: self._core.ack_many(held))

    async def retry(self, job: Job, *, error: object = None, delay: float | timedelta | None = None) -> Retried:
        """Reports a job as failed; as ``delayq.Queue.retry``."""
        text = None if error is None else _describe(error)
        return await call(self._short, lambda: self._core.retry(job, error=text, delay=delay))

    async def retry_many(self, items: Iterable[Job | Retry]) -> builtins.list[Retried]:
        """Reports many jobs as failed in few round trips; as ``delayq.Queue.retry_many``."""
        held = _all(items)
        return await call(self._short, lambda: self._core.retry_many(held))

    async def release(self, job: Job, *, delay: float | timedelta = 0) -> Released:
        """Hands a job back without counting a failure; as ``delayq.Queue.release``."""
        return await call(self._short, lambda: self._core.release(job, delay=delay))

    async def release_many(self, jobs: Iterable[Job], *, delay: float | timedelta = 0) -> builtins.list[Released]:
        """Hands many jobs back in few round trips; as ``delayq.Queue.release_many``."""
        held = _all(jobs)
        return await call(self._short, lambda: self._core.release_many(held, delay=delay))

    async def extend(self, job: Job, *, lease: float | timedelta | None = None) -> Extended:
        """A new lease from now, under the same receipt; as ``delayq.Queue.extend``."""
        return await call(self._short, lambda: self._core.extend(job, lease=lease))

    async def extend_many(
        self, jobs: Iterable[Job], *, lease: float | timedelta | None = None
    ) -> builtins.list[Extended]:
        """New leases for many jobs in few round trips; as ``delayq.Queue.extend_many``."""
        held = _all(jobs)
        return await call(self._short, lambda: self._core.extend_many(held, lease=lease))

    async def requeue(self, limit: int = 100) -> Requeued:
        """Makes jobs whose lease has ended due again; as ``delayq.Queue.requeue``."""
        return await call(self._short, lambda: self._core.requeue(limit))

    async def cancel(self, id: str) -> Literal["scheduled", "processing", "dead", "orphan", "done", "missing"]:
        """Removes a job in any live state and says which it was; as ``delayq.Queue.cancel``."""
        return await call(self._short, lambda: self._core.cancel(id))

    async def get(self, id: str) -> JobInfo:
        """Everything that Redis knows about a job; as ``delayq.Queue.get``."""
        return await call(self._short, lambda: self._core.get(id))

    async def list(
        self, state: Literal["scheduled", "processing", "dead", "orphan"], *, offset: int = 0, limit: int = 100
    ) -> builtins.list[JobInfo]:
        """A page of the jobs of one state; as ``delayq.Queue.list``."""
        return await call(self._short, lambda: self._core.list(state, offset=offset, limit=limit))

    async def redrive(
        self, ids: Iterable[str] | None = None, *, limit: int | None = None, delay: float | timedelta = 0
    ) -> Redriven:
        """Schedules dead jobs again, with fresh counters; as ``delayq.Queue.redrive``."""
        named = ids if ids is None or isinstance(ids, str) else _all(ids)
        return await call(self._short, lambda: self._core.redrive(named, limit=limit, delay=delay))

    async def purge(self, state: Literal["scheduled", "processing", "dead", "orphan"], *, limit: int = 1000) -> Purged:
        """Deletes jobs of one state and says how many are left; as ``delayq.Queue.purge``."""
        return await call(self._short, lambda: self._core.purge(state, limit=limit))

    async def repair(self, *, limit: int = 1000) -> Repaired:
        """Puts ids without a body and bodies without an id right; as ``delayq.Queue.repair``."""
        return await call(self._short, lambda: self._core.repair(limit=limit))

    async def stats(self, *, overdue: float | timedelta = 30.0) -> Stats:
        """The numbers of the topic; as ``delayq.Queue.stats``."""
        return await call(self._short, lambda: self._core.stats(overdue=overdue))

    async def pause(self) -> None:
        """Gives no jobs to any consumer of the topic until ``resume``; as ``delayq.Queue.pause``."""
        await call(self._short, self._core.pause)

    async def resume(self) -> None:
        """Ends a ``pause``."""
        await call(self._short, self._core.resume)

    async def limit(self, rate: float | None, burst: int | None = None) -> None:
        """Gives all consumers of the topic together at most so many jobs; as ``delayq.Queue.limit``."""
        await call(self._short, lambda: self._core.limit(rate, burst))

    def __repr__(self) -> str:
        return f"<delayq.aio.Queue {self.topic!r}>"


def _all(values: Iterable[T]) -> Iterable[T]:
    """What an iterable holds; what is none is left to be refused like every wrong value."""
    try:
        each = iter(values)
    except TypeError:
        return values
    return [*each]
