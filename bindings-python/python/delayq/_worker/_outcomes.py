"""What a handler may say besides returning: each is returned or raised."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from .._delayq import _Verdict


class Outcome(Exception):
    """Base of what a handler may return or raise to end its delivery in another way than by success or failure."""

    def __init__(self, verdict: _Verdict, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._verdict = verdict

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args


class Release(Outcome):
    """Not now: the job is handed back without a failure, due after ``delay`` (seconds or a timedelta).

    Raises InvalidArgumentError for a delay that cannot be.
    """

    def __init__(self, delay: float | timedelta = 0) -> None:
        super().__init__(_Verdict("release", None, delay), delay)


class Fail(Outcome):
    """The job failed: it is retried after ``delay`` (seconds or a timedelta; None: by its policy), or dead after one
    failure too many. ``message`` is kept as ``last_error``: a str, or an exception by its ``str()``.

    Raises InvalidArgumentError for a delay that cannot be.
    """

    def __init__(self, message: object, delay: float | timedelta | None = None) -> None:
        super().__init__(_Verdict("fail", message, delay), message, delay)

    def __str__(self) -> str:
        return str(self.args[0])


class Dead(Outcome):
    """It will never succeed: the job goes to the dead letter set at once. ``message`` is as for ``Fail``."""

    def __init__(self, message: object) -> None:
        super().__init__(_Verdict("dead", message), message)


class Leave(Outcome):
    """Nothing is reported; the job comes back when its lease ends."""

    def __init__(self) -> None:
        super().__init__(_Verdict("leave"))


DONE = _Verdict("done")
RELEASED = _Verdict("release")


def failed(message: object) -> _Verdict:
    """A failure with this message, or with the kind of an exception that cannot be written."""
    try:
        return _Verdict("fail", message)
    except Exception:
        return _Verdict("fail", f"an exception of type {type(message).__name__}, which has no text")
