"""`delayq.Worker`."""

from __future__ import annotations

import atexit
import contextlib
import inspect
import os
import threading
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Union

from .._delayq import Delivery, Event, Queue, _seconds, _Worker
from ..errors import ClosedError, InvalidArgumentError
from ._events import Teller
from ._signals import Signals
from ._threads import Threads

if TYPE_CHECKING:
    from .. import aio
    from ._loop import Loop

Handler = Callable[[Delivery], Union[Any, Awaitable[Any]]]


LOOK_SECONDS = 0.25
"""Waits are that short, since a signal that comes just before one does not end it."""


@dataclass(frozen=True)
class Health:
    """How a worker is."""

    connected: bool
    """Whether the last call to Redis succeeded."""
    last_pop: float | None
    """How many seconds ago Redis last answered a ``pop``, which waits up to a minute for jobs; None if it never has."""
    running: int
    """Handlers at work."""
    oldest_running: float | None
    """For how many seconds the oldest of them has been at work."""
    waiting: int
    """Jobs taken that wait for a handler."""
    stopping: bool
    """Whether the worker is stopping, or has stopped."""


class Worker:
    """Takes jobs, runs handlers, reports what became of the jobs.

    ``Worker(queue, handler)``, or ``Worker({queue: handler, ...})`` for several topics. A handler is a function that
    runs in one of ``concurrency`` daemon threads, or a coroutine function that runs as one of as many tasks of an event
    loop in a thread of its own; all of a worker are of one sort. It is called with a ``Delivery``, in a copy of the
    context in which the worker was started. If it returns, the job is acknowledged; if it raises, the job is retried
    with the exception's text; ``Release``, ``Fail``, ``Dead`` and ``Leave``, returned or raised, say something else.
    Leases are renewed while handlers run, and reports are sent in batches.

    ``fetch_ahead`` is how many jobs may be taken before a handler is free for them; by default as many as the handlers,
    as quick as they were of late, begin within a tenth of a second, at most 200. ``sweep_every`` (seconds or a
    timedelta) is how often expired leases are looked for, over all workers of a topic together; at least twice in a
    lease, but not more often than every second, and a lease whose end is known is swept when it ends. What happens is
    told to ``logging.getLogger("delayq.worker")``, and to ``on_event`` (called with an ``Event``, in a thread of its
    own) if it is given; what that raises is logged.

    A worker runs until it is stopped, also without a reference to it; the end of the interpreter stops it at once. May
    be used from any number of threads at once, but only in the process that started it.

    Raises InvalidArgumentError.
    """

    def __init__(
        self,
        queue: Queue | aio.Queue | Mapping[Any, Handler],
        handler: Handler | None = None,
        *,
        concurrency: int = 8,
        fetch_ahead: int | None = None,
        sweep_every: float | timedelta = 5.0,
        on_event: Callable[[Event], object] | None = None,
    ) -> None:
        handlers = _handlers(queue, handler)
        if on_event is not None and not callable(on_event):
            raise _invalid(f"on_event is of type {type(on_event).__name__}; give a function or None")
        self._core = _Worker([of for of, _ in handlers], concurrency, fetch_ahead, sweep_every)
        by_topic = {of.topic: handler for of, handler in handlers}
        sorts = {_is_async(handler) for handler in by_topic.values()}
        if len(sorts) > 1:
            raise _invalid("some handlers are coroutine functions and some are not; make two workers")
        self._engine: Threads | Loop
        if sorts == {True}:
            from ._loop import Loop  # only for those who use it: it needs asyncio

            self._engine = Loop(self._core, by_topic, concurrency)
        else:
            self._engine = Threads(self._core, by_topic, concurrency)
        self._teller = Teller(self._core, on_event, self._engine.look)
        self._lock = threading.Lock()
        self._pid: int | None = None
        self._closing = False
        self._stopped = threading.Event()
        self._runs: list[SimpleQueue[int]] = []

    def start(self) -> None:
        """Starts, if it has not yet; Redis need not be there. A worker that was stopped does not start again.

        Raises ClosedError after a stop and in a forked child.
        """
        self._refuse_child()
        with self._lock:
            if self._closing:
                raise _closed("the worker was stopped; make another")
            if self._pid is not None:
                return
            self._pid = os.getpid()
            _running.add(self)
        try:
            self._core.start(self._teller.wants_all())
            self._teller.thread.start()
            self._engine.start(self._teller)
        except BaseException:  # no more threads can be had
            self.stop(0)
            raise

    def run(self, deadline: float | timedelta = 10.0) -> None:
        """Starts, if it has not yet, and returns when the worker has stopped.

        In the main thread SIGTERM and SIGINT (Ctrl-C) stop it: the first with this deadline, the second at once.

        Raises InvalidArgumentError for the deadline, ClosedError after a stop and in a forked child.
        """
        seconds = _seconds("deadline", deadline)
        woken: SimpleQueue[int] = SimpleQueue()  # of all queues and events the one that a signal's handler may use
        with Signals(woken.put):
            self._runs.append(woken)
            self.start()
            while not self._stopped.is_set():
                with contextlib.suppress(Empty):
                    if woken.get(timeout=LOOK_SECONDS):
                        self._in_background(self.stop, seconds)
                        seconds = 0.0

    def stop(self, deadline: float | timedelta = 10.0) -> None:
        """Stops, and returns when that is done: nothing more is taken, what waits for a handler is handed back without
        a failure, running handlers have until the deadline (seconds or a timedelta) and what they say counts. At the
        deadline the rest is handed back too and revoked; coroutine handlers that do not end then are cancelled.

        Stopping again is harmless, and brings the deadline forward if the new one is earlier. Works while Redis is
        down: then the jobs come back when their leases end. Ctrl-C ends the wait, not the stop. Called by a handler or
        by ``on_event`` it returns at once.

        Raises InvalidArgumentError for the deadline, ClosedError in a forked child.
        """
        seconds = _seconds("deadline", deadline)
        self._refuse_child()
        if threading.current_thread() in (self._teller.thread, *self._engine.threads):
            self._in_background(self.stop, seconds)
            return
        with self._lock:
            first, self._closing = not self._closing, True
        try:
            self._core.stop(seconds)
        except BaseException:  # by a signal's handler
            if first:
                self._in_background(self._end, seconds)
            raise
        if first:
            self._end(seconds)
        while not self._stopped.wait(LOOK_SECONDS):
            pass

    def _in_background(self, work: Callable[[float], None], seconds: float) -> None:
        threading.Thread(target=work, args=(seconds,), name="delayq-stop", daemon=True).start()

    def _end(self, seconds: float) -> None:
        """The first stop, or the rest of it."""
        try:
            with contextlib.suppress(Exception):
                self._core.stop(seconds)
                self._engine.end()
            self._core.end_events()
            if self._teller.thread.ident is not None:
                self._teller.thread.join(1)
        finally:
            _running.discard(self)
            self._stopped.set()
            for woken in self._runs:
                woken.put(0)

    def health(self) -> Health:
        """How the worker is, for a health check.

        Raises ClosedError in a forked child.
        """
        self._refuse_child()
        return Health(*self._core.health())

    def _refuse_child(self) -> None:
        if self._pid not in (None, os.getpid()):
            raise _closed("the worker runs in the parent of this process; make one of your own")

    def __enter__(self) -> Worker:
        self.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        if self._pid == os.getpid():  # a forked child passes here too, at its end
            self.stop()

    def __repr__(self) -> str:
        state = "new" if self._pid is None else "stopped" if self._stopped.is_set() else "running"
        return f"<delayq.Worker {state}>"


_running: set[Worker] = set()


@atexit.register
def _stop_all() -> None:
    """Before the interpreter ends, since afterwards no thread can come back from a call."""
    for worker in list(_running):
        with contextlib.suppress(Exception):
            worker.stop(0)


def _handlers(queue: Any, handler: Any) -> list[tuple[Queue, Handler]]:
    if isinstance(queue, Mapping):
        if handler is not None:
            raise _invalid("a mapping of queues to handlers and a handler are given; give one of them")
        handlers: list[tuple[Any, Any]] = list(queue.items())
    else:
        handlers = [(queue, handler)]
    for _, each in handlers:
        if not callable(each):
            raise _invalid(f"the handler is of type {type(each).__name__}; give a function or a coroutine function")
    return [(getattr(of, "_core", of), each) for of, each in handlers]  # the queues of delayq.aio hold one


def _is_async(handler: Handler) -> bool:
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(getattr(handler, "__call__", None))  # noqa: B004


def _invalid(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"invalid_argument: {message}", message)


def _closed(message: str) -> ClosedError:
    return ClosedError(f"closed: {message}", message)
