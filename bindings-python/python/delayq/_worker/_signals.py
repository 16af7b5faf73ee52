"""SIGTERM and SIGINT while a worker runs in the main thread."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Callable


class Signals:
    """Calls something at each SIGTERM and SIGINT, in the main thread; elsewhere, and for signals that the program
    ignores, does nothing.
    """

    def __init__(self, call: Callable[[int], object]) -> None:
        self._call = call
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.getsignal(number)
            if before not in (signal.SIG_IGN, None):  # None: by somebody else than Python
                self._before[number] = before
                signal.signal(number, self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._call(number)

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
