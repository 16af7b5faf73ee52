"""The native half of delayq; import its names from ``delayq``."""

import builtins  # a queue has a `list` of its own
from collections.abc import Awaitable, Iterable
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Literal, final

from typing_extensions import disjoint_base

__all__ = [
    "_CORE_COUNTERS",
    "_CORE_DEFAULTS",
    "_CORE_ERROR_KINDS",
    "_CORE_VERBS",
    "Client",
    "Delivery",
    "Enqueued",
    "Event",
    "Extended",
    "Histogram",
    "Job",
    "JobInfo",
    "NewJob",
    "Purged",
    "Queue",
    "Redriven",
    "Released",
    "Repaired",
    "Requeued",
    "Retried",
    "Retry",
    "RetryPolicy",
    "Stats",
    "_CancelToken",
    "_Verdict",
    "_Worker",
    "__version__",
    "_describe",
    "_panic_on_purpose",
    "_restore_job",
    "_seconds",
]

__version__: str
_CORE_ERROR_KINDS: list[tuple[int, str]]
_CORE_VERBS: list[str]
_CORE_COUNTERS: list[str]
_CORE_DEFAULTS: str

@final
class Client:
    """The connections to one Redis, shared by all its queues. May be used from any number of threads at once.

    ``url`` is ``redis://[user:password@]host:port/db``, ``rediss://`` (TLS), ``unix:///path?db=0``,
    ``redis-cluster://[user:password@]host:port,host:port`` or ``rediss-cluster://`` for a cluster by some of its nodes,
    or ``embedded:<dir>`` for a private server in that folder. ``prefix`` is the first part of every key.
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
        retry_policy: RetryPolicy | None = None,
    ) -> Queue:
        """A handle on this topic: 1 to 128 bytes of UTF-8 without braces and control characters. Nothing is sent yet.

        ``lease`` is how long a popped job belongs to its consumer; ``done_ttl`` how long the done marker of an
        acknowledged job is kept (0 writes none); ``job_ttl`` how long a body outlives its job's due time or lease
        (0 keeps it without limit); all in seconds or as timedeltas. ``max_payload`` is the largest payload in bytes,
        ``max_deliveries`` how often a job may be delivered before ``requeue`` moves it to the dead letter set.
        ``retry_policy`` is how failed jobs are retried, unless a job says otherwise; by default
        ``RetryPolicy.exponential()``: after 2, 4, 8, 16 and 32 minutes.

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
        retry_policy: RetryPolicy | None = None,
    ) -> Enqueued:
        """Stores a job, to be due at its time. Body and index are written in one piece.

        ``payload``: bytes, bytearray and memoryview are stored as they are, a str as UTF-8, anything else as JSON.
        ``id``: 1 to 512 bytes of UTF-8 without NUL; without one the job gets a generated one. ``delay``: seconds
        (int or float) or a timedelta, counted by the Redis server's clock. ``at``: an aware datetime; the past
        means now. ``mode`` decides if the id is known: ``replace`` (the last one wins, a running lease is revoked),
        ``keep`` (the first one wins), ``reschedule`` (only move the due time of a scheduled job). If a job of this
        id was acknowledged not long ago, the outcome is ``done`` and nothing is stored, unless ``ignore_done``.
        ``retry_policy`` is how this job is retried, instead of by the policy of the handle that reports its failure.

        Raises InvalidArgumentError, DelayqTimeoutError (the outcome is unknown), UnavailableError, ServerError,
        IncompatibleError, ClosedError.
        """
    def enqueue_many(self, jobs: Iterable[Any]) -> builtins.list[Enqueued]:
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
    ) -> builtins.list[Job]:
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
    def ack_many(self, jobs: Iterable[Job]) -> builtins.list[Literal["acked", "already", "lease_lost"]]:
        """Reports many jobs as done in few round trips; gives one outcome per job, in order: ``acked``, ``already``
        or ``lease_lost``.

        Raises InvalidArgumentError if one is of another topic, before anything is sent; UnavailableError,
        DelayqTimeoutError, ServerError, IncompatibleError, ClosedError.
        """
    def retry(self, job: Job, *, error: object = None, delay: float | timedelta | None = None) -> Retried:
        """Reports a job as failed: ``retry_count`` grows by one, and the job is scheduled again as its RetryPolicy
        says, or goes to the dead letter set. A job that has a done marker is not run again (``done``).

        ``error`` says what went wrong and is kept as ``last_error``: a str, or an exception or anything else by
        its ``str()`` (its ``repr()`` if that is empty); the first 4096 bytes. ``delay`` (seconds or a timedelta) is
        when it runs again instead of what the policy says; the failure counts all the same.

        Raises LeaseLostError if the job is not held under this receipt any more (nothing changes),
        InvalidArgumentError if it is of another topic, DelayqTimeoutError (the outcome is unknown),
        UnavailableError, ServerError, IncompatibleError, ClosedError.
        """
    def retry_many(self, items: Iterable[Job | Retry]) -> builtins.list[Retried]:
        """Reports many jobs as failed in few round trips; one result per job, in order, ``lease_lost`` among the
        outcomes.

        ``items`` is an iterable of Retry, or of jobs without more words.

        Raises as ``ack_many``.
        """
    def release(self, job: Job, *, delay: float | timedelta = 0) -> Released:
        """Hands a job back without counting a failure, to be due after ``delay`` (seconds or a timedelta).

        Raises as ``retry``.
        """
    def release_many(self, jobs: Iterable[Job], *, delay: float | timedelta = 0) -> builtins.list[Released]:
        """Hands many jobs back in few round trips; one result per job, in order, ``lease_lost`` among the
        outcomes.

        Raises as ``ack_many``.
        """
    def extend(self, job: Job, *, lease: float | timedelta | None = None) -> Extended:
        """A new lease from now, under the same receipt; by default the handle's. Also the cheap question "is it still
        mine?" before a side effect.

        Raises LeaseLostError, InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError,
        IncompatibleError, ClosedError.
        """
    def extend_many(self, jobs: Iterable[Job], *, lease: float | timedelta | None = None) -> builtins.list[Extended]:
        """New leases for many jobs in few round trips; one result per job, in order, ``lease_lost`` among the
        outcomes.

        Raises as ``ack_many``.
        """
    def requeue(self, limit: int = 100) -> Requeued:
        """Makes up to ``limit`` (1 to 1000) jobs whose lease has ended due again; no failure is counted. A job
        delivered ``max_deliveries`` times goes to the dead letter set instead. Any number of processes may sweep at
        once.

        Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
        ClosedError.
        """
    def cancel(self, id: str) -> Literal["scheduled", "processing", "dead", "orphan", "done", "missing"]:
        """Removes a job in any live state and says which it was: ``scheduled``, ``processing`` (the consumer's later
        ``ack`` is refused), ``dead`` or ``orphan``; or ``done`` or ``missing`` if there was nothing to remove.

        Raises InvalidArgumentError, DelayqTimeoutError (the outcome is unknown), UnavailableError, ServerError,
        IncompatibleError, ClosedError.
        """
    def get(self, id: str) -> JobInfo:
        """Everything that Redis knows about a job.

        Raises NotFoundError if nothing is known under the id, InvalidArgumentError, UnavailableError,
        DelayqTimeoutError, ServerError, IncompatibleError, ClosedError.
        """
    def list(
        self, state: Literal["scheduled", "processing", "dead", "orphan"], *, offset: int = 0, limit: int = 100
    ) -> builtins.list[JobInfo]:
        """A page of the jobs of one state: ``scheduled`` by due time, ``processing`` by lease deadline, ``dead`` and
        ``orphan`` by since when. A page may be shorter than ``limit`` (1 to 1000) if its bodies are large; the end is
        an empty page.

        Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
        ClosedError.
        """
    def redrive(
        self, ids: Iterable[str] | None = None, *, limit: int | None = None, delay: float | timedelta = 0
    ) -> Redriven:
        """Schedules dead jobs again, with fresh counters, due after ``delay`` (seconds or a timedelta): those of an
        iterable of ``ids`` (others are counted and left alone), or without one up to ``limit`` (1 to 1000, by default
        100), the longest dead first.

        Raises InvalidArgumentError, also for ids and a limit together, DelayqTimeoutError (the outcome is unknown),
        UnavailableError, ServerError, IncompatibleError, ClosedError.
        """
    def purge(self, state: Literal["scheduled", "processing", "dead", "orphan"], *, limit: int = 1000) -> Purged:
        """Deletes up to ``limit`` (1 to 1000) jobs of one state, ``scheduled``, ``processing``, ``dead`` or
        ``orphan``, the lowest due time, deadline or age first, and says how many are left. Purging running jobs
        revokes their leases.

        Raises InvalidArgumentError, DelayqTimeoutError (the outcome is unknown), UnavailableError, ServerError,
        IncompatibleError, ClosedError.
        """
    def repair(self, *, limit: int = 1000) -> Repaired:
        """Looks for ids without a body and bodies without an id, e.g. after an eviction or an edit by hand, and puts
        them right: a lost body makes its id an orphan, a body that no index holds is scheduled again. One pass in
        small steps that never block Redis; ends early once ``limit`` things were put right. Healthy jobs are left
        alone, so producers and consumers may go on.

        Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
        ClosedError.
        """
    def stats(self, *, overdue: float | timedelta = 30.0) -> Stats:
        """The numbers of the topic; a job counts as overdue this long (seconds or a timedelta) after its due time.

        Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
        ClosedError.
        """
    def pause(self) -> None:
        """Gives no jobs to any consumer of the topic, in any language, until ``resume``. Running jobs go on, and jobs
        may be enqueued.

        Raises UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError, ClosedError.
        """
    def resume(self) -> None:
        """Ends a ``pause``.

        Raises as ``pause``.
        """
    def limit(self, rate: float | None, burst: int | None = None) -> None:
        """Gives all consumers of the topic together at most ``rate`` jobs per second, and at most ``burst`` at once
        after a quiet time (by default the jobs of one second). In any time t they are given at most burst + rate · t.
        A rate of None takes the limit away.

        Raises InvalidArgumentError, UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError,
        ClosedError.
        """
    def _new_job(
        self,
        payload: Any,
        *,
        id: str | None = None,
        delay: float | timedelta | None = None,
        at: datetime | None = None,
        mode: Literal["replace", "keep", "reschedule"] | None = None,
        ignore_done: bool | None = None,
        retry_policy: RetryPolicy | None = None,
    ) -> NewJob:
        """The first half of ``enqueue``, for ``delayq.aio``: nothing of the caller's is used after it."""
    def _new_jobs(self, jobs: Iterable[Any]) -> builtins.list[NewJob]:
        """The first half of ``enqueue_many``, for ``delayq.aio``."""
    def _enqueue(self, job: NewJob) -> Enqueued:
        """The second half of ``enqueue``, for ``delayq.aio``."""
    def _pop(
        self,
        token: _CancelToken,
        max: int | None,
        lease: float | timedelta | None,
        wait: float | timedelta | None,
    ) -> builtins.list[Job]:
        """A pop that only its token ends early, for ``delayq.aio``, whose threads get no signals."""

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
        retry_policy: RetryPolicy | None = None,
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
    @property
    def retry_policy(self) -> RetryPolicy | None:
        """How the job is retried, or None for the policy of the handle that reports its failure."""

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
class Retried:
    """What became of a failed job."""
    @property
    def outcome(self) -> Literal["scheduled", "dead", "done", "lease_lost"]:
        """``scheduled``, ``dead``, ``done`` or, from ``retry_many``, ``lease_lost``."""
    @property
    def due_at(self) -> datetime | None:
        """When it will run again, as an aware UTC datetime; None if it will not."""
    @property
    def due_at_ms(self) -> int | None:
        """When it will run again, ms since the epoch; None if it will not."""
    @property
    def retry_count(self) -> int:
        """Failures reported, this one included."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Released:
    """What became of a job that was handed back."""
    @property
    def outcome(self) -> Literal["released", "done", "lease_lost"]:
        """``released``, ``done`` or, from ``release_many``, ``lease_lost``."""
    @property
    def due_at(self) -> datetime | None:
        """When it is due again, as an aware UTC datetime; None if it is not."""
    @property
    def due_at_ms(self) -> int | None:
        """When it is due again, ms since the epoch; None if it is not."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Extended:
    """What became of a lease."""
    @property
    def outcome(self) -> Literal["extended", "lease_lost"]:
        """``extended`` or, from ``extend_many``, ``lease_lost``."""
    @property
    def lease_until(self) -> datetime | None:
        """When the lease ends, as an aware UTC datetime by the Redis server's clock; None if it is lost."""
    @property
    def lease_until_ms(self) -> int | None:
        """When the lease ends, ms since the epoch by the Redis server's clock; None if it is lost."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Redriven:
    """What ``redrive`` did."""
    @property
    def redriven(self) -> int:
        """Dead jobs that are scheduled again."""
    @property
    def orphaned(self) -> int:
        """Dead ids whose body was missing, now in the orphan set."""
    @property
    def not_dead(self) -> int:
        """Given ids that were not dead; nothing changed for them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Purged:
    """What ``purge`` did."""
    @property
    def purged(self) -> int:
        """Jobs that were deleted."""
    @property
    def remaining(self) -> int:
        """Jobs left in that state; call again until it is zero."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Repaired:
    """What ``repair`` did."""
    @property
    def checked(self) -> int:
        """Ids and bodies looked at."""
    @property
    def rescheduled(self) -> int:
        """Bodies that no index held, now scheduled."""
    @property
    def orphaned(self) -> int:
        """Ids whose body is missing, now in the orphan set."""
    @property
    def removed(self) -> int:
        """Bodies that no index held and whose job was done, now deleted."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class JobInfo:
    """Everything that Redis knows about a job. What does not apply is None."""
    def json(self) -> Any:
        """The payload read as JSON.

        Raises InvalidArgumentError if there is none or it is not JSON in UTF-8.
        """
    @property
    def topic(self) -> str:
        """The topic."""
    @property
    def id(self) -> str:
        """The id."""
    @property
    def state(self) -> Literal["scheduled", "processing", "dead", "orphan", "done"]:
        """``scheduled``, ``processing``, ``dead``, ``orphan`` or ``done``."""
    @property
    def payload(self) -> bytes | None:
        """The payload, byte for byte; None if the body is missing or the job is done."""
    @property
    def due_at(self) -> datetime | None:
        """When it is due, or was due when it was last popped, as an aware UTC datetime."""
    @property
    def due_at_ms(self) -> int | None:
        """When it is due, or was due when it was last popped, ms since the epoch."""
    @property
    def created_at(self) -> datetime | None:
        """When it was enqueued, as an aware UTC datetime by the Redis server's clock."""
    @property
    def created_at_ms(self) -> int | None:
        """When it was enqueued, ms since the epoch by the Redis server's clock."""
    @property
    def picked_at(self) -> datetime | None:
        """When it was popped, as an aware UTC datetime by the Redis server's clock (processing)."""
    @property
    def picked_at_ms(self) -> int | None:
        """When it was popped, ms since the epoch by the Redis server's clock (processing)."""
    @property
    def lease_until(self) -> datetime | None:
        """When its lease ends, as an aware UTC datetime by the Redis server's clock (processing)."""
    @property
    def lease_until_ms(self) -> int | None:
        """When its lease ends, ms since the epoch by the Redis server's clock (processing)."""
    @property
    def died_at(self) -> datetime | None:
        """When it died, as an aware UTC datetime by the Redis server's clock (dead)."""
    @property
    def died_at_ms(self) -> int | None:
        """When it died, ms since the epoch by the Redis server's clock (dead)."""
    @property
    def orphaned_at(self) -> datetime | None:
        """When its body was found missing, as an aware UTC datetime by the Redis server's clock (orphan)."""
    @property
    def orphaned_at_ms(self) -> int | None:
        """When its body was found missing, ms since the epoch by the Redis server's clock (orphan)."""
    @property
    def retry_count(self) -> int:
        """Failures reported."""
    @property
    def deliveries(self) -> int:
        """Times popped."""
    @property
    def last_error(self) -> str | None:
        """What went wrong last."""

@final
class Stats:
    """The numbers of a topic at one moment."""
    @property
    def topic(self) -> str:
        """The topic."""
    @property
    def backlog(self) -> int:
        """Scheduled jobs."""
    @property
    def due(self) -> int:
        """Scheduled jobs that are due."""
    @property
    def overdue(self) -> int:
        """Scheduled jobs that have been due for longer than the threshold."""
    @property
    def oldest_due_ms(self) -> int:
        """For how long the oldest due job has been due, ms; 0 if none is."""
    @property
    def processing(self) -> int:
        """Leased jobs, the expired ones included."""
    @property
    def expired(self) -> int:
        """Leases that have ended and were not swept yet."""
    @property
    def dead(self) -> int:
        """Dead jobs."""
    @property
    def orphans(self) -> int:
        """Ids whose body was missing."""
    @property
    def paused(self) -> bool:
        """Whether consumers are given nothing (``pause``)."""
    @property
    def rate(self) -> float | None:
        """Jobs per second that consumers are given at most; None if not limited."""
    @property
    def burst(self) -> int | None:
        """Jobs that may be given at once after a quiet time; None if not limited."""
    @property
    def counters(self) -> dict[str, int]:
        """Lifetime counters by name, a new dict each time."""
    @property
    def lateness(self) -> Histogram:
        """From the due time to the pop."""
    @property
    def processing_time(self) -> Histogram:
        """From the pop to the ack."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Histogram:
    """How long something took, over the life of the topic and all consumers in all languages.

    Durations are exact below 16 ms and fall into eight steps to each doubling above, so a quantile is at most an
    eighth too high.
    """
    def quantile(self, share: float) -> int | None:
        """The duration in ms that this share (0 to 1) of all durations does not exceed, by the upper edge of its step;
        None while there are no durations.

        Raises InvalidArgumentError for a share that is no number.
        """
    def buckets(self) -> list[tuple[int, int]]:
        """Upper edge in ms and count of every step that occurs, ascending; for metrics."""
    @property
    def count(self) -> int:
        """How many durations there are."""
    @property
    def p50_ms(self) -> int | None:
        """The median in ms; None while there are no durations."""
    @property
    def p95_ms(self) -> int | None:
        """The 95th percentile in ms; None while there are no durations."""
    @property
    def p99_ms(self) -> int | None:
        """The 99th percentile in ms; None while there are no durations."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class RetryPolicy:
    """How failed jobs are retried. With n failures reported, the wait before the n-th retry is

    * exponential: min(base · factorⁿ, cap)
    * linear: min(n · step, cap)
    * fixed: delay

    spread evenly over ± ``jitter`` (0 to 1) of itself, at most the cap. A job with more than ``max_retries`` failures
    is dead. Immutable; made by one of its three methods. Durations are seconds or timedeltas.

    Values of a wrong type are refused at once, a factor or jitter out of range where the policy is used.
    """
    @staticmethod
    def exponential(
        base: float | timedelta = 60.0,
        factor: float = 2.0,
        cap: float | timedelta = 3600.0,
        *,
        jitter: float = 0.0,
        max_retries: int = 5,
    ) -> RetryPolicy:
        """Waits min(base · factorⁿ, cap) before the n-th retry.

        Raises InvalidArgumentError.
        """
    @staticmethod
    def linear(
        step: float | timedelta,
        *,
        cap: float | timedelta | None = None,
        jitter: float = 0.0,
        max_retries: int = 5,
    ) -> RetryPolicy:
        """Waits n · step before the n-th retry, but no longer than ``cap``.

        Raises InvalidArgumentError.
        """
    @staticmethod
    def fixed(
        delay: float | timedelta,
        *,
        cap: float | timedelta | None = None,
        jitter: float = 0.0,
        max_retries: int = 5,
    ) -> RetryPolicy:
        """Waits the same before every retry, but no longer than ``cap``.

        Raises InvalidArgumentError.
        """
    @property
    def kind(self) -> Literal["exponential", "linear", "fixed"]:
        """``exponential``, ``linear`` or ``fixed``."""
    @property
    def base(self) -> float:
        """The base, step or delay in seconds."""
    @property
    def factor(self) -> float:
        """By what each wait grows (exponential; else 1)."""
    @property
    def cap(self) -> float | None:
        """The longest wait in seconds; None if there is none."""
    @property
    def jitter(self) -> float:
        """The share of itself by which a wait is spread."""
    @property
    def max_retries(self) -> int:
        """How many retries a job gets."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Retry:
    """A failed job to report with ``retry_many``; the arguments are those of ``Queue.retry``.

    Raises InvalidArgumentError for a value that can be refused without a queue.
    """
    def __new__(cls, job: Job, *, error: object = None, delay: float | timedelta | None = None) -> Retry: ...
    @property
    def job(self) -> Job:
        """The job that failed."""
    @property
    def error(self) -> str | None:
        """What went wrong, as it will be kept."""
    @property
    def delay(self) -> float | None:
        """After how many seconds it runs again; None for what its policy says."""

@disjoint_base
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

@final
class _CancelToken:
    """Ends a waiting pop of ``delayq.aio`` at once; a token stays cancelled."""
    def __new__(cls) -> _CancelToken: ...
    def cancel(self) -> None:
        """Cancels: the pop returns what it has got from Redis, and asks for nothing more."""

def _describe(error: object) -> str:
    """The text of an error as it is kept with a job, for ``delayq.aio``."""

def _panic_on_purpose() -> None:
    """Panics inside the library, to prove that a panic becomes an InternalError."""

def _restore_job(*parts: Any) -> Job:
    """A pickled job, made again."""

@final
class Delivery(Job):
    """A job in the hands of a handler of a ``Worker``: a ``Job``, and whether it is still the handler's.

    Its lease is renewed while the handler runs. May be used from any number of threads at once.
    """
    def is_mine(self) -> bool:
        """Asks Redis whether the job is still this handler's, for a moment before a side effect; if so the lease is
        extended. It blocks for a round trip; in a coroutine use ``asyncio.to_thread``.

        Raises UnavailableError, DelayqTimeoutError, ServerError, IncompatibleError, ClosedError.
        """
    @property
    def is_revoked(self) -> bool:
        """Whether the handler may give up: the lease was lost, the job was cancelled, or the worker is past the
        deadline of its stop. Costs nothing.
        """
    @property
    def is_stopping(self) -> bool:
        """Whether the worker has begun to stop. The handler has until the deadline of the stop; one that would take
        longer may hand its job back before (``Release``). Costs nothing.
        """
    def wait_revoked(self, timeout: float | timedelta | None = None) -> bool:
        """Sleeps up to ``timeout`` (seconds or a timedelta; None: without limit); True as soon as the delivery is
        revoked. Blocks its thread; in a coroutine await ``revoked()``.

        Raises InvalidArgumentError.
        """
    def revoked(self) -> Awaitable[Literal[True]]:
        """For coroutine handlers: an awaitable that ends as soon as the delivery is revoked.

        Raises InvalidArgumentError in a handler that is no coroutine function.
        """
    def _signal(self, event: Any) -> None:
        """Gives the asyncio.Event of ``revoked``."""
    def _finish(self, verdict: _Verdict) -> None:
        """Ends the delivery. Once; later calls do nothing."""

@final
class Event:
    """Something that happened in a ``Worker``. What does not apply is None."""
    @property
    def kind(self) -> Literal["started", "done", "failed", "lease_lost", "released", "lost", "back"]:
        """``started`` (a handler begins), ``done`` (a job was acknowledged), ``failed`` (a failure was recorded),
        ``lease_lost`` (what its handler says will not count), ``released`` (handed back without a failure), ``lost``
        (Redis does not answer as it should; the worker goes on trying) or ``back``.
        """
    @property
    def topic(self) -> str:
        """The topic."""
    @property
    def id(self) -> str | None:
        """The job's id."""
    @property
    def deliveries(self) -> int | None:
        """Of ``started``: times popped, this time included."""
    @property
    def took(self) -> float | None:
        """Of ``done``: seconds that the handler took."""
    @property
    def outcome(self) -> Literal["scheduled", "dead", "done"] | None:
        """Of ``failed``: ``scheduled`` (it will run again), ``dead`` or ``done``."""
    @property
    def error(self) -> str | None:
        """Of ``failed`` and ``lost``: what went wrong."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class _Verdict:
    """How a delivery ends."""
    def __new__(cls, kind: str, message: object = None, delay: float | timedelta | None = None) -> _Verdict: ...

@final
class _Worker:
    """The native half of a worker."""
    def __new__(
        cls,
        queues: Iterable[Queue],
        concurrency: int,
        fetch_ahead: int | None,
        sweep_every: float | timedelta,
    ) -> _Worker: ...
    def start(self, verbose: bool) -> None:
        """Starts the threads of the core. Once. ``verbose`` is as in ``events``."""
    def take(self) -> Delivery | None:
        """The next job; None if there is none for a while, or the worker stops."""
    def is_stopping(self) -> bool:
        """Whether ``stop`` was called."""
    def stop(self, deadline: float | timedelta) -> None:
        """Stops, or brings the deadline of a stop forward, and returns when it is over. If a signal's handler raises
        meanwhile, the stop goes on without its caller.
        """
    def health(self) -> tuple[bool, float | None, int, float | None, int, bool]:
        """What ``health`` tells, in the order of the fields of ``delayq.Health``."""
    def events(self, verbose: bool) -> tuple[list[Event], int] | None:
        """What happened since the last call, after waiting a while for it, and how much more did but was not kept;
        None at the end. Without ``verbose`` the beginning and the good end of jobs are left out from now on.
        """
    def end_events(self) -> None:
        """Ends ``events`` after what there is."""

def _seconds(name: str, value: float | timedelta) -> float:
    """A duration as seconds, refused like every wrong one."""
