"""Handlers that are functions run in threads made by Python: daemon threads, each job in a context of its own."""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Mapping
from typing import Any, Callable

from .._delayq import Delivery, _Worker
from ._events import Teller
from ._jobs import raised, returned

JOIN_SECONDS = 0.5
"""A stop waits so long for handlers that were revoked."""


class Threads:
    """As many threads as handlers may run at once."""

    def __init__(self, core: _Worker, handlers: Mapping[str, Callable[[Delivery], Any]], concurrency: int) -> None:
        self._core = core
        self._handlers = handlers
        self._concurrency = concurrency
        self.threads: list[threading.Thread] = []

    def start(self, teller: Teller) -> None:
        self._teller = teller
        self._context = contextvars.copy_context()
        for n in range(self._concurrency):
            thread = threading.Thread(target=self._serve, name=f"delayq-handler-{n}", daemon=True)
            thread.start()
            self.threads.append(thread)

    def look(self) -> None:
        """Nothing: `is_revoked` and `wait_revoked` of a delivery ask the core."""

    def end(self) -> None:
        """After the stop: waits a moment for the threads; a handler that ignores its revocation is left alone."""
        until = time.monotonic() + JOIN_SECONDS
        for thread in self.threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _serve(self) -> None:
        while not self._core.is_stopping():
            delivery = self._core.take()
            if delivery is not None:
                self._context.copy().run(self._handle, delivery)
            del delivery  # and what it holds

    def _handle(self, delivery: Delivery) -> None:
        try:
            verdict = returned(delivery, self._handlers[delivery.topic](delivery), self._teller)
        except BaseException as e:
            verdict = raised(delivery, e, self._teller)
        delivery._finish(verdict)
