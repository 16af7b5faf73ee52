"""The native half of delayq; import its names from ``delayq``."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Literal, final

__all__ = [
    "_CORE_DEFAULTS",
    "_CORE_ERROR_KINDS",
    "_CORE_VERBS",
    "Client",
    "Enqueued",
    "Job",
    "NewJob",
    "Queue",
    "Requeued",
    "__version__",
    "_panic_on_purpose",
    "_restore_job",
]

__version__: str
_CORE_ERROR_KINDS: list[tuple[int, str]]
_CORE_VERBS: list[str]
_CORE_DEFAULTS: str

@final
class Client:
    """The connections to one Redis, shared by all its queues. May be used from any number of threads at once.

    ``url`` is ``redis://[user:password@]host:port/db``, ``rediss://`` (TLS), ``unix:///path?db=0`` or
    ``embedded:<dir>`` for a private server in that folder. ``prefix`` is the first part of every key.
    ``username`` and ``password`` are alternatives to the URL that need no percent-encoding.

    Durations are seconds or timedeltas: ``connect_timeout`` limits one attempt to connect; ``timeout`` the answer
    to one command, past it the call fails with DelayqTimeoutError; ``retry_for`` is how long a call goes on
    trying while Redis cannot take it, before it fails with UnavailableError.

    Nothing is connected before the first call, except that ``embedded:`` starts its server. As a context manager
    the client closes at the end. In a forked child it opens connections of its own.

    Raises InvalidArgumentError for a URL or option that cannot be right, UnavailableError if an embedded server
    cannot be started.
    """
    def __new__(
        cls,
        url: str,
        *,
        prefix: str = "delay",
        username: str | None = None,
        password: str | None = None,
        connect_timeout: float | timedelta = 2.0,
        timeout: float | timedelta = 5.0,
        retry_for: float | timedelta = 5.0,
    ) -> Client: ...
    def queue(
        self,
        topic: str,
        *,
        lease: float | timedelta = 30.0,
        done_ttl: float | timedelta = 86400.0,
        job_ttl: float | timedelta = 604800.0,
        max_payload: int = 262144,
        max_deliveries: int = 20,
    ) -> Queue:
        """A handle on this topic: 1 to 128 bytes of UTF-8 without braces and control characters. Nothing is sent yet.

        ``lease`` is how long a popped job belongs to its consumer; ``done_ttl`` how long the done marker of an
        acknowledged job is kept (0 writes none); ``job_ttl`` how long a body outlives its job's due time or lease
        (0 keeps it without limit); all in seconds or as timedeltas. ``max_payload`` is the largest payload in bytes,
        ``max_deliveries`` how often a job may be delivered before ``requeue`` moves it to the dead letter set.

        Raises InvalidArgumentError, ClosedError.
        """
    def ping(self) -> None:
        """Asks Redis for a sign of life over one round trip.

        Raises UnavailableError, DelayqTimeoutError, ServerError (e.g. a wrong password) or ClosedError.
        """
    def close(self) -> None:
        """Closes all connections and wakes waiting calls, which fail with ClosedError like every later call on this
        client and its queues. An embedded server stops with its last client. Closing twice is fine.
        """
    @property
    def address(self) -> str:
        """Where the client connects to, without credentials."""
    def __enter__(self) -> Client: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None = ...,
        exc: BaseException | None = ...,
        traceback: TracebackType | None = ...,
    ) -> None: ...

@final
class Queue:
    """A handle on one topic, made by ``Client.queue``. May be used from any number of threads at once."""
    @property
    def topic(self) -> str:
        """The topic."""
    def enqueue(
        self,
        payload: Any,
        *,
        id: str | None = None,
        delay: float | timedelta | None = None,
        at: datetime | None = None,
        mode: Literal["replace", "keep", "reschedule"] = "replace",
        ignore_done: bool = False,
    ) -> Enqueued:
        """Stores a job, to be due at its time. Body and index are written in one piece.

        ``payload``: bytes, bytearray and memoryview are stored as they are, a str as UTF-8, anything else as JSON.
        ``id``: 1 to 512 bytes of UTF-8 without NUL; without one the job gets a generated one. ``delay``: seconds
        (int or float) or a timedelta, counted by the Redis server's clock. ``at``: an aware datetime; the past
        means now. ``mode`` decides if the id is known: ``replace`` (the last one wins, a running lease is revoked),
        ``keep`` (the first one wins), ``reschedule`` (only move the due time of a scheduled job). If a job of this
        id was acknowledged not long ago, the outcome is ``done`` and nothing is stored, unless ``ignore_done``.

        Raises InvalidArgumentError, DelayqTimeoutError (the outcome is unknown), UnavailableError, ServerError,
        IncompatibleError, ClosedError.
        """
    def enqueue_many(self, jobs: Iterable[Any]) -> list[Enqueued]:
        """Stores many jobs in few round trips; results are in the order of the jobs.

        ``jobs`` is an iterable of NewJob, or of payloads for jobs that are due at once. Each chunk (up to 500 jobs
        or 1 MiB of payload) is stored in one piece.

        Raises as ``enqueue``. A value that is refused is refused before anything is sent, except a delay that
        passes the year 9999 only by the server's clock, which refuses its chunk.
        """
    def pop(
        self,
        max: int = 1,
        *,
        lease: float | timedelta | None = None,
        wait: float | timedelta | None = None,
    ) -> list[Job]:
        """Takes up to ``max`` (1 to 1000) due jobs, the oldest due time first, and leases each to this caller for
        ``lease`` (seconds or a timedelta; by default the handle's).

        The list is empty if nothing is due; with ``wait`` (seconds or a timedelta) only after waiting that long.
        While it waits other threads run, and signal handlers too: Ctrl-C ends the wait and no job is lost.

        Raises InvalidArgumentError, DelayqTimeoutError (jobs may be leased to nobody until their lease ends),
        UnavailableError, ServerError, IncompatibleError, ClosedError.
        """
    def ack(self, job: Job) -> Literal["acked", "already"]:
        """Reports a job as done: it is removed, and its done marker is written.

        Gives ``acked``; acknowledging again under the same receipt gives ``already`` while the done marker lives.

        Raises LeaseLostError if the job is not held under this receipt any more (nothing changes),
        InvalidArgumentError if it is of another topic, UnavailableError, DelayqTimeoutError, ServerError,
        IncompatibleError, ClosedError.
        """
    def requeue(self, limit: int = 100) -> Requeued:
        """Makes up to ``limit`` jobs whose lease has ended due again; no failure is counted. A job delivered
        ``max_deliveries`` times goes to the dead letter set instead. Any number of processes may sweep at once.

        Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
        ClosedError.
        """
    def cancel(self, id: str) -> Literal["scheduled", "processing", "dead", "orphan", "done", "missing"]:
        """Removes a job in any live state and says which it was: ``scheduled``, ``processing`` (the consumer's later
        ``ack`` is refused), ``dead`` or ``orphan``; or ``done`` or ``missing`` if there was nothing to remove.

        Raises InvalidArgumentError, DelayqTimeoutError (the outcome is unknown), UnavailableError, ServerError,
        IncompatibleError, ClosedError.
        """

@final
class NewJob:
    """A job to enqueue with ``enqueue_many``; the arguments are those of ``Queue.enqueue``.

    The payload is converted at once, so a later change to it does not matter.

    Raises InvalidArgumentError for a value that can be refused without a queue.
    """
    def __new__(
        cls,
        payload: Any,
        *,
        id: str | None = None,
        delay: float | timedelta | None = None,
        at: datetime | None = None,
        mode: Literal["replace", "keep", "reschedule"] = "replace",
        ignore_done: bool = False,
    ) -> NewJob: ...
    @property
    def payload(self) -> bytes:
        """The payload as it will be stored."""
    @property
    def id(self) -> str | None:
        """The id, or None for a generated one."""
    @property
    def mode(self) -> Literal["replace", "keep", "reschedule"]:
        """What happens if the id is known: ``replace``, ``keep`` or ``reschedule``."""
    @property
    def ignore_done(self) -> bool:
        """Whether a done marker of the id is ignored."""

@final
class Enqueued:
    """What became of an enqueued job."""
    @property
    def id(self) -> str:
        """The job's id, given or generated."""
    @property
    def due_at(self) -> datetime | None:
        """When the job of this id is due, as an aware UTC datetime; None if there is none."""
    @property
    def due_at_ms(self) -> int | None:
        """When the job of this id is due, ms since the epoch; None if there is none (``done``, ``missing``)."""
    @property
    def outcome(self) -> Literal["created", "replaced", "kept", "moved", "done", "missing"]:
        """``created``, ``replaced``, ``kept``, ``moved``, ``done`` or ``missing``."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Requeued:
    """What a sweep for expired leases did."""
    @property
    def requeued(self) -> int:
        """Jobs that are due again."""
    @property
    def dead(self) -> int:
        """Jobs delivered too often, now in the dead letter set."""
    @property
    def orphaned(self) -> int:
        """Ids whose body was missing, now in the orphan set."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Job:
    """A job that this caller holds until its lease ends.

    It can be pickled, so another process may acknowledge it.
    """
    @property
    def topic(self) -> str:
        """The topic it was popped from."""
    @property
    def id(self) -> str:
        """The id."""
    @property
    def payload(self) -> bytes:
        """The payload, byte for byte; the same object each time."""
    def json(self) -> Any:
        """The payload read as JSON.

        Raises InvalidArgumentError if it is not JSON in UTF-8.
        """
    @property
    def retry_count(self) -> int:
        """How many failures were reported so far."""
    @property
    def deliveries(self) -> int:
        """How often it was popped, this time included."""
    @property
    def created_at(self) -> datetime:
        """When it was enqueued, as an aware UTC datetime by the Redis server's clock."""
    @property
    def created_at_ms(self) -> int:
        """When it was enqueued, ms since the epoch by the Redis server's clock."""
    @property
    def due_at(self) -> datetime:
        """When it was due, as an aware UTC datetime."""
    @property
    def due_at_ms(self) -> int:
        """When it was due, ms since the epoch."""
    @property
    def lease_until(self) -> datetime:
        """When the lease ends, as an aware UTC datetime by the Redis server's clock."""
    @property
    def lease_until_ms(self) -> int:
        """When the lease ends, ms since the epoch by the Redis server's clock."""
    @property
    def receipt(self) -> str:
        """Proof of this lease; it never repeats. Its part before the first ``-`` is a number that grows with every
        lease of the topic, fit as a fencing token.
        """

def _panic_on_purpose() -> None:
    """Panics inside the library, to prove that a panic becomes an InternalError."""

def _restore_job(*parts: Any) -> Job:
    """A pickled job, made again."""
