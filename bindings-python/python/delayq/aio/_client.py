"""`delayq.aio.Client`."""

from __future__ import annotations

import functools
import threading
from datetime import timedelta
from types import TracebackType

from .. import _delayq
from .._delayq import RetryPolicy
from ..errors import ClosedError
from ._call import call
from ._queue import Queue
from ._threads import Threads

SHORT_CALLS = 8
"""Calls that do not wait for jobs and run at once; more queue up."""


class Client:
    """The connections to one Redis, shared by all its queues; the arguments are those of ``delayq.Client``.

    >>> async with delayq.aio.Client(url) as client:   # doctest: +SKIP
    ...     queue = client.queue("order_close")
    ...     await queue.enqueue({"order": 1}, delay=900)

    It opens as a context manager or by ``open``, and may be used by any number of tasks, event loops and threads at
    once. Calls run in a few daemon threads of the client, each waiting ``pop`` in one of its own, so no call blocks
    an event loop or takes threads of its default executor.

    A task may be cancelled at any time. A ``pop`` then ends and loses no job: jobs that are on their way go back to the
    queue, without a failure counted, before the cancellation goes on. Any other call finishes in the background; its
    outcome is unknown, as after a timeout.
    """

    def __init__(
        self,
        url: str,
        *,
        prefix: str = "delay",
        username: str | None = None,
        password: str | None = None,
        connect_timeout: float | timedelta = 2.0,
        timeout: float | timedelta = 5.0,
        retry_for: float | timedelta = 5.0,
    ) -> None:
        self._make = functools.partial(
            _delayq.Client,
            url,
            prefix=prefix,
            username=username,
            password=password,
            connect_timeout=connect_timeout,
            timeout=timeout,
            retry_for=retry_for,
        )
        self._opening = threading.Lock()
        self._core: _delayq.Client | None = None
        self._closed = False
        self._short = Threads("delayq-aio", SHORT_CALLS)
        self._long = Threads("delayq-aio-wait", None)

    async def open(self) -> None:
        """Makes the client ready for calls; ``async with`` does it too. Opening twice is fine, but not after ``close``.

        Nothing is connected before the first call, except that ``embedded:`` starts its server.

        Raises InvalidArgumentError for a URL or option that cannot be right, UnavailableError if an embedded server
        cannot be started, ClosedError.
        """
        if self._closed:
            raise _closed("the client was closed; make a new one")
        await call(self._long, self._open)

    def _open(self) -> None:
        with self._opening:
            if self._core is None:
                self._core = self._make()
        if self._closed:  # meanwhile
            self._core.close()

    def queue(
        self,
        topic: str,
        *,
        lease: float | timedelta = 30.0,
        done_ttl: float | timedelta = 86400.0,
        job_ttl: float | timedelta = 604800.0,
        max_payload: int = 262144,
        max_deliveries: int = 20,
        retry_policy: RetryPolicy | None = None,
    ) -> Queue:
        """A handle on this topic; the arguments are those of ``delayq.Client.queue``. Nothing is sent yet.

        Raises InvalidArgumentError, and ClosedError if the client is not open.
        """
        core = self._opened().queue(
            topic,
            lease=lease,
            done_ttl=done_ttl,
            job_ttl=job_ttl,
            max_payload=max_payload,
            max_deliveries=max_deliveries,
            retry_policy=retry_policy,
        )
        return Queue(core, self._short, self._long)

    async def ping(self) -> None:
        """Asks Redis for a sign of life over one round trip.

        Raises UnavailableError, DelayqTimeoutError, ServerError (e.g. a wrong password) or ClosedError.
        """
        await call(self._short, self._opened().ping)

    async def close(self) -> None:
        """Closes all connections and wakes waiting calls, which fail with ClosedError like every later call on this
        client and its queues. An embedded server stops with its last client. Closing twice is fine.

        The threads of the client end after the calls that they are in.
        """
        self._closed = True
        try:
            if self._core is not None:
                await call(self._long, self._core.close)
        finally:
            self._end()

    def _end(self) -> None:
        self._short.close()
        self._long.close()

    def _opened(self) -> _delayq.Client:
        if self._core is None:
            raise _closed("the client is not open; use it in `async with`, or await its open()")
        return self._core

    @property
    def address(self) -> str:
        """Where the client connects to, without credentials.

        Raises ClosedError if the client is not open.
        """
        return self._opened().address

    async def __aenter__(self) -> Client:
        try:
            await self.open()
        except BaseException:  # cancelled, for example: there will be no __aexit__
            self._closed = True
            if self._core is not None:
                self._long.run(self._core.close)
            self._end()
            raise
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<delayq.aio.Client {'not open' if self._core is None else repr(self._core.address)}>"


def _closed(message: str) -> ClosedError:
    return ClosedError(f"closed: {message}", message)
