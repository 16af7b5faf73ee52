"""Threads that run calls for event loops.

Not `concurrent.futures.ThreadPoolExecutor`: the interpreter waits for its threads when it ends, and a call may wait
for minutes. Not the loop's default executor: waiting pops would starve its other users.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from typing import Callable

Task = Callable[[], None]

IDLE_SECONDS = 5.0
"""A thread that had nothing to do for this long ends."""


class Threads:
    """Daemon threads that are started when needed, up to so many (None: as many as there are tasks)."""

    def __init__(self, name: str, most: int | None) -> None:
        self._name = name
        self._most = most
        self._start_over()

    def _start_over(self) -> None:
        self._pid = os.getpid()
        self._bell = threading.Condition(threading.Lock())
        self._tasks: deque[Task] = deque()
        self._count = 0
        self._idle = 0
        self._closed = False

    def run(self, task: Task) -> None:
        """Runs a task, which must not raise, in one of the threads; after `close` at once, in the caller's."""
        if self._pid != os.getpid():  # a forked child has none of the threads, and maybe a held lock
            closed = self._closed
            self._start_over()
            self._closed = closed
        with self._bell:
            if not self._closed:
                self._tasks.append(task)
                if self._idle >= len(self._tasks):
                    self._bell.notify()
                elif self._most is None or self._count < self._most:
                    self._start()
                return
        task()

    def _start(self) -> None:
        thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
        self._count += 1
        try:
            thread.start()
        except BaseException:  # no more threads can be had; those there are will come to the task
            self._count -= 1
            if self._count == 0:
                self._tasks.pop()
                raise

    def _serve(self) -> None:
        while (task := self._next()) is not None:
            task()
            del task  # and what it holds

    def _next(self) -> Task | None:
        with self._bell:
            self._idle += 1
            self._bell.wait_for(lambda: self._tasks or self._closed, IDLE_SECONDS)
            self._idle -= 1
            if self._tasks:
                return self._tasks.popleft()
            self._count -= 1
            return None

    def close(self) -> None:
        """Lets the threads end after the tasks that there are."""
        with self._bell:
            self._closed = True
            self._bell.notify_all()
