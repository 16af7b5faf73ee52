"""The errors of delayq: one class for each kind, the same kinds in every language."""

from __future__ import annotations

import builtins
from typing import Any, ClassVar


class DelayqError(Exception):
    """Base of every error that a delayq call raises. ``str()`` of it is a sentence with all that is known.

    It never contains a password. It can be pickled.
    """

    kind: ClassVar[str] = "internal"
    """What went wrong, as the one word that every language uses."""
    code: ClassVar[int] = 9
    """The stable number of the kind; the C library's status value."""

    message: str
    """What went wrong and what to do, for people."""
    verb: str | None
    """The verb that failed, e.g. ``enqueue``."""
    topic: str | None
    """The topic, if the call had one."""
    id: str | None
    """The job's id, if the call was about one job."""
    retryable: bool
    """Whether the same call may succeed later without a change by the caller."""

    def __init__(
        self,
        text: str = "",
        message: str | None = None,
        verb: str | None = None,
        topic: str | None = None,
        id: str | None = None,
        retryable: bool = False,
    ) -> None:
        super().__init__(text)
        self.message = text if message is None else message
        self.verb = verb
        self.topic = topic
        self.id = id
        self.retryable = retryable

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (str(self), self.message, self.verb, self.topic, self.id, self.retryable)
        return type(self), fields


class InvalidArgumentError(DelayqError, ValueError):
    """A value was refused before anything was sent to Redis."""

    kind = "invalid_argument"
    code = 1


class NotFoundError(DelayqError):
    """There is no such job."""

    kind = "not_found"
    code = 2


class LeaseLostError(DelayqError):
    """The job is no longer held under this receipt: expired, replaced, cancelled or taken by another."""

    kind = "lease_lost"
    code = 3


class UnavailableError(DelayqError, builtins.ConnectionError):
    """Redis could not be reached; nothing was done."""

    kind = "unavailable"
    code = 4


class DelayqTimeoutError(DelayqError, builtins.TimeoutError):
    """No reply in time: the outcome is unknown, the call may have taken effect."""

    kind = "timeout"
    code = 5


class ServerError(DelayqError):
    """Redis answered with an error."""

    kind = "server"
    code = 6


class IncompatibleError(DelayqError):
    """The keyspace or a reply is of a version that this library does not know."""

    kind = "incompatible"
    code = 7


class ClosedError(DelayqError):
    """The handle was closed."""

    kind = "closed"
    code = 8


class InternalError(DelayqError):
    """A bug in delayq, including a caught panic."""

    kind = "internal"
    code = 9


ERROR_KINDS: dict[tuple[int, str], type[DelayqError]] = {
    (cls.code, cls.kind): cls
    for cls in (
        InvalidArgumentError,
        NotFoundError,
        LeaseLostError,
        UnavailableError,
        DelayqTimeoutError,
        ServerError,
        IncompatibleError,
        ClosedError,
        InternalError,
    )
}
"""The class of each kind, by its number and its word, in the order of the numbers."""

_BY_CODE = {code: cls for (code, _), cls in ERROR_KINDS.items()}


def from_core(code: int, fields: tuple[str, str, str | None, str | None, str | None, bool]) -> DelayqError:
    """The exception for an error of the core: sentence, message, verb, topic, id, retryable."""
    return _BY_CODE[code](*fields)
