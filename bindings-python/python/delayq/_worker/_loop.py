"""Handlers that are coroutine functions run as tasks of one event loop, which has a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Mapping
from typing import Any, Callable

from .._delayq import Delivery, _Worker
from ._events import Teller
from ._jobs import raised, returned
from ._outcomes import RELEASED

PATIENCE_SECONDS = 0.3
"""Handlers have so long to end by themselves once they are revoked at the deadline of a stop, then they are cancelled;
and so long again to end then."""


class Loop:
    """An event loop with up to so many tasks, and a thread that takes jobs for them."""

    def __init__(
        self,
        core: _Worker,
        handlers: Mapping[str, Callable[[Delivery], Any]],
        concurrency: int,
    ) -> None:
        self._core = core
        self._handlers = handlers
        self._free = threading.Semaphore(concurrency)
        self._running: dict[asyncio.Task[None], tuple[Delivery, asyncio.Event]] = {}
        self._ending = False
        self.threads = [
            threading.Thread(target=self._turn, name="delayq-loop", daemon=True),
            threading.Thread(target=self._take, name="delayq-taker", daemon=True),
        ]

    def start(self, teller: Teller) -> None:
        self._teller = teller
        self._context = contextvars.copy_context()
        self._loop = asyncio.new_event_loop()
        for thread in self.threads:
            thread.start()

    def look(self) -> None:
        """Tells the handlers whose deliveries were revoked."""
        self._post(self._tell_revoked)

    def end(self) -> None:
        """After the stop: ends what handlers are left, the loop and the threads."""
        if self.threads[0].ident is None:
            return  # never started
        self._free.release()
        self._post(lambda: self._loop.create_task(self._finish()))
        for thread in self.threads:
            if thread.ident is not None:
                thread.join(3 * PATIENCE_SECONDS)

    def _post(self, work: Callable[..., object], *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed; what waits is handed back
            self._loop.call_soon_threadsafe(work, *arguments)

    def _take(self) -> None:
        while not self._core.is_stopping():
            self._free.acquire()
            delivery = None
            while delivery is None and not self._core.is_stopping():
                delivery = self._core.take()
            if delivery is not None:
                self._post(self._begin, delivery)
            del delivery

    def _begin(self, delivery: Delivery) -> None:
        revoked = asyncio.Event()
        delivery._signal(revoked)
        task = self._context.copy().run(self._loop.create_task, self._handle(delivery))
        self._running[task] = delivery, revoked
        task.add_done_callback(self._ended)
        if delivery.is_revoked:
            revoked.set()

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._running[task]
        self._free.release()

    async def _handle(self, delivery: Delivery) -> None:
        try:
            verdict = returned(delivery, await self._handlers[delivery.topic](delivery), self._teller)
        except BaseException as e:
            cancelled = self._ending and isinstance(e, asyncio.CancelledError)
            verdict = RELEASED if cancelled else raised(delivery, e, self._teller)
        delivery._finish(verdict)

    def _tell_revoked(self) -> None:
        for delivery, revoked in self._running.values():
            if delivery.is_revoked:
                revoked.set()

    def _turn(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            asyncio.set_event_loop(None)
            self._loop.close()

    async def _finish(self) -> None:
        self._ending = True
        self._tell_revoked()
        if self._running:
            await asyncio.wait(list(self._running), timeout=PATIENCE_SECONDS)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=PATIENCE_SECONDS)
        await self._loop.shutdown_asyncgens()
        self._loop.stop()
