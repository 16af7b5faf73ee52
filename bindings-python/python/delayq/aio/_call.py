"""Calls in threads, awaited by tasks of event loops."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import Any, Callable, TypeVar

from .._delayq import Job, _CancelToken
from ..errors import DelayqError
from ._threads import Threads

T = TypeVar("T")


async def call(threads: Threads, work: Callable[[], T]) -> T:
    """The result of work done in a thread. If the task is cancelled, the work goes on without it."""
    return await _begin(threads, work)


def _begin(threads: Threads, work: Callable[[], T]) -> asyncio.Future[T]:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if future.done():
            return  # cancelled
        if error is None:
            future.set_result(result)
        elif isinstance(error, StopIteration):  # which no future takes
            future.set_exception(RuntimeError(f"a call raised {error!r}"))
        else:
            future.set_exception(error)

    def task() -> None:
        result: T | None = None
        error: BaseException | None = None
        try:
            result = work()
        except BaseException as e:
            error = e
        with contextlib.suppress(RuntimeError):  # the loop is closed, so nobody waits
            loop.call_soon_threadsafe(settle, result, error)
        error = None  # its traceback holds this frame

    threads.run(task)
    return future


class Handover:
    """Takes jobs from the thread that popped them to the task that asked, or back to the queue if that is gone."""

    def __init__(self, give_back: Callable[[list[Job]], Any]) -> None:
        self._give_back = give_back
        self._lock = threading.Lock()
        self._jobs: list[Job] = []
        self._abandoned = False

    def offer(self, jobs: list[Job]) -> None:
        with self._lock:
            self._jobs = jobs
            abandoned = self._abandoned
        if abandoned:
            self.abandon()

    def accept(self) -> list[Job]:
        with self._lock:
            jobs, self._jobs = self._jobs, []
        return jobs

    def abandon(self) -> None:
        """Nobody will accept: what was offered, or will be, is given back."""
        self._abandoned = True
        if jobs := self.accept():
            self._give_back(jobs)


async def pop(
    threads: Threads,
    take: Callable[[_CancelToken], list[Job]],
    give_back: Callable[[list[Job]], Any],
) -> list[Job]:
    """A pop that loses no job: if the task is cancelled while jobs are on their way, they are given back before the
    cancellation goes on, however often the task is cancelled meanwhile.
    """
    token = _CancelToken()
    handover = Handover(give_back)
    taking = _begin(threads, lambda: handover.offer(take(token)))
    pending, all_of_it = {taking}, [taking]
    cancelled: asyncio.CancelledError | None = None
    try:
        while pending:
            try:
                _, pending = await asyncio.wait(pending)  # which leaves them alone if it is cancelled
            except asyncio.CancelledError as e:  # maybe with the jobs here, but this task not resumed yet
                if cancelled is None:
                    token.cancel()
                    all_of_it.append(_begin(threads, handover.abandon))
                cancelled = e
                pending = {part for part in all_of_it if not part.done()}
        failures = [part.exception() for part in all_of_it]
        if cancelled is None:
            taking.result()
            return handover.accept()
        raise cancelled from next((e for e in failures if e is not None), None)
    except GeneratorExit:  # the loop was dropped without an end of its tasks
        token.cancel()
        _give_up(threads, handover)
        raise
    finally:
        cancelled = None  # its traceback holds this frame


def _give_up(threads: Threads, handover: Handover) -> None:
    def task() -> None:
        with contextlib.suppress(DelayqError):  # their leases will end
            handover.abandon()

    with contextlib.suppress(RuntimeError):  # no thread can be had any more
        threads.run(task)
