"""Does what it is told over the public API of delayq for Python; see tests/README.md for the language."""

from __future__ import annotations

import json
import sys
from datetime import datetime, timedelta, timezone
from typing import Any, Callable
from urllib.parse import unquote_to_bytes

import delayq
from work import Rule, Work

# A zone that is not UTC, and in which a datetime reaches almost a day past the year 9999 of UTC.
ZONE = timezone(-timedelta(hours=23))
EPOCH = datetime(1970, 1, 1)

Request = dict[str, Any]


def parse(line: bytes) -> Request:
    """The keys of one form; every value is text but a payload, and of some keys there may be many."""
    request: Request = {}
    for pair in line.split(b"&"):
        key, _, value = (unquote_to_bytes(half.replace(b"+", b" ")) for half in pair.partition(b"="))
        name = key.decode()
        if name in ("job", "end"):
            request.setdefault(name, []).append(value)
        elif name in ("id", "topic"):
            request.setdefault(f"{name}s", []).append(value.decode())
            request[name] = value.decode()
        else:
            request[name] = value if name == "payload" else value.decode()
    return request


def seconds(ms: str) -> float:
    return float(ms) / 1000


def aware(ms: str) -> datetime:
    return (EPOCH + (timedelta(milliseconds=int(ms)) - timedelta(hours=23))).replace(tzinfo=ZONE)


def naive(ms: str) -> datetime:
    return EPOCH + timedelta(milliseconds=int(ms))


def text(value: Any) -> Any:
    return value


def policy(form: str) -> delayq.RetryPolicy:
    """A retry policy from its form."""
    given = parse(form.encode())
    base, options = seconds(given["base_ms"]), arguments(given, POLICY)
    return getattr(delayq.RetryPolicy, given["kind"])(base, **options)


POLICY = {
    "factor": ("factor", float),
    "cap_ms": ("cap", seconds),
    "jitter": ("jitter", float),
    "max_retries": ("max_retries", int),
}


# Of each key the argument's name and how to read it.
CLIENT = {
    "url": ("url", text),
    "prefix": ("prefix", text),
    "username": ("username", text),
    "password": ("password", text),
}
CLIENT |= {f"{name}_ms": (name, seconds) for name in ("connect_timeout", "timeout", "retry_for")}
QUEUE = {
    "topic": ("topic", text),
    "max_payload": ("max_payload", int),
    "max_deliveries": ("max_deliveries", int),
    "policy": ("retry_policy", policy),
}
QUEUE |= {f"{name}_ms": (name, seconds) for name in ("lease", "done_ttl", "job_ttl")}
ENQUEUE = {"payload": ("payload", text), "id": ("id", text), "mode": ("mode", text)}
ENQUEUE |= {
    "delay_ms": ("delay", seconds),
    "at_ms": ("at", aware),
    "ignore_done": ("ignore_done", lambda t: t == "1"),
    "policy": ("retry_policy", policy),
}
POP = {
    "max": ("max", int),
    "lease_ms": ("lease", seconds),
    "wait_ms": ("wait", seconds),
}
RETRY = {"error": ("error", text), "delay_ms": ("delay", seconds)}
LIMIT = {"limit": ("limit", int)}
DELAY = {"delay_ms": ("delay", seconds)}
LEASE = {"lease_ms": ("lease", seconds)}
ID = {"id": ("id", text)}
STATE = {"state": ("state", text)}
PAGE = {"offset": ("offset", int)} | STATE | LIMIT
STATS = {"overdue_ms": ("overdue", seconds)}
WORKER = {"concurrency": ("concurrency", int), "fetch_ahead": ("fetch_ahead", int)}
WORKER |= {"sweep_every_ms": ("sweep_every", seconds)}
RULE = {
    "id": ("id", text),
    "end": ("end", lambda words: words[0].decode()),
    "error": ("error", text),
    "delay_ms": ("delay", seconds),
    "hold_ms": ("hold", seconds),
    "times": ("times", int),
}
AWAIT = {"count": ("count", int), "wait_ms": ("wait", seconds)}
STOP = {"deadline_ms": ("deadline", seconds)}
RATE = {"rate": ("rate", lambda rate: float(rate) if rate else None), "burst": ("burst", int)}


def arguments(request: Request, known: dict[str, tuple[str, Callable[[str], Any]]]) -> dict[str, Any]:
    """The Python arguments of a request."""
    given = {}
    for key, (name, read) in known.items():
        if key in request:
            given[name] = read(request[key])
        if f"{key}.wrong" in request:  # a number where a text belongs, a text where a number belongs
            wrong = request[f"{key}.wrong"]
            given[name] = int(wrong) if read is text else wrong
        if f"{key}.naive" in request:
            given[name] = naive(request[f"{key}.naive"])
    return given


# The fields of results.
JOB = ("topic", "id", "retry_count", "deliveries", "created_at_ms", "due_at_ms", "lease_until_ms")
INFO = (*JOB, "state", "picked_at_ms", "died_at_ms", "orphaned_at_ms", "last_error")
ENQUEUED = ("id", "due_at_ms", "outcome")
RETRIED = ("outcome", "due_at_ms", "retry_count")
RELEASED = ("outcome", "due_at_ms")
EXTENDED = ("outcome", "lease_until_ms")
REQUEUED = ("requeued", "dead", "orphaned")
REDRIVEN = ("redriven", "orphaned", "not_dead")
PURGED = ("purged", "remaining")
REPAIRED = ("checked", "rescheduled", "orphaned", "removed")
NUMBERS = ("backlog", "due", "overdue", "oldest_due_ms", "processing", "expired", "dead", "orphans")
NUMBERS = (*NUMBERS, "paused", "rate", "burst", "counters")
HISTOGRAM = ("count", "p50_ms", "p95_ms", "p99_ms")


def fields(names: tuple[str, ...], result: Any) -> dict[str, Any]:
    return {name: getattr(result, name) for name in names}


def listed(names: tuple[str, ...], results: list[Any]) -> list[dict[str, Any]]:
    return [fields(names, result) for result in results]


def shown(names: tuple[str, ...], job: Any) -> dict[str, Any]:
    return fields(names, job) | {"payload_hex": None if job.payload is None else job.payload.hex()}


class Runner:
    def __init__(self) -> None:
        self.kept: dict[str, list[delayq.Job]] = {}
        self.worker: Work | None = None

    def open(self, request: Request) -> None:
        self.client = delayq.Client(**arguments(request, CLIENT))

    def queue(self, request: Request) -> None:
        self.options = arguments(request, QUEUE)
        self.handle = self.client.queue(**self.options)

    def enqueue(self, request: Request) -> Any:
        return fields(ENQUEUED, self.handle.enqueue(**arguments(request, ENQUEUE)))

    def enqueue_many(self, request: Request) -> Any:
        jobs = [delayq.NewJob(**arguments(parse(job), ENQUEUE)) for job in request.get("job", [])]
        return listed(ENQUEUED, self.handle.enqueue_many(jobs))

    def pop(self, request: Request) -> Any:
        jobs = self.handle.pop(**arguments(request, POP))
        self.kept[request.get("as", "jobs")] = jobs
        return [shown((*JOB, "receipt"), job) for job in jobs]

    def job(self, request: Request) -> delayq.Job:
        """The kept job that a request names."""
        [job] = self.jobs(request)
        return job

    def jobs(self, request: Request) -> list[delayq.Job]:
        places = [job.decode().rpartition(".") for job in request.get("job", [])]
        return [self.kept[name][int(place)] for name, _, place in places]

    def ack(self, request: Request) -> Any:
        return self.handle.ack(self.job(request))

    def ack_many(self, request: Request) -> Any:
        return self.handle.ack_many(self.jobs(request))

    def retry(self, request: Request) -> Any:
        return fields(RETRIED, self.handle.retry(self.job(request), **arguments(request, RETRY)))

    def retry_many(self, request: Request) -> Any:
        parts = [parse(part) for part in request.get("job", [])]
        items = [delayq.Retry(self.job(part), **arguments(part, RETRY)) for part in parts]
        return listed(RETRIED, self.handle.retry_many(items))

    def release(self, request: Request) -> Any:
        return fields(RELEASED, self.handle.release(self.job(request), **arguments(request, DELAY)))

    def release_many(self, request: Request) -> Any:
        return listed(RELEASED, self.handle.release_many(self.jobs(request), **arguments(request, DELAY)))

    def extend(self, request: Request) -> Any:
        return fields(EXTENDED, self.handle.extend(self.job(request), **arguments(request, LEASE)))

    def extend_many(self, request: Request) -> Any:
        return listed(EXTENDED, self.handle.extend_many(self.jobs(request), **arguments(request, LEASE)))

    def requeue(self, request: Request) -> Any:
        return fields(REQUEUED, self.handle.requeue(**arguments(request, LIMIT)))

    def cancel(self, request: Request) -> Any:
        return self.handle.cancel(**arguments(request, ID))

    def get(self, request: Request) -> Any:
        return shown(INFO, self.handle.get(**arguments(request, ID)))

    def list(self, request: Request) -> Any:
        return [shown(INFO, info) for info in self.handle.list(**arguments(request, PAGE))]

    def redrive(self, request: Request) -> Any:
        return fields(REDRIVEN, self.handle.redrive(request.get("ids"), **arguments(request, LIMIT | DELAY)))

    def purge(self, request: Request) -> Any:
        return fields(PURGED, self.handle.purge(**arguments(request, STATE | LIMIT)))

    def repair(self, request: Request) -> Any:
        return fields(REPAIRED, self.handle.repair(**arguments(request, LIMIT)))

    def stats(self, request: Request) -> Any:
        stats = self.handle.stats(**arguments(request, STATS))
        both = {name: fields(HISTOGRAM, getattr(stats, name)) for name in ("lateness", "processing_time")}
        return fields(NUMBERS, stats) | both

    def pause(self, request: Request) -> None:
        self.handle.pause()

    def resume(self, request: Request) -> None:
        self.handle.resume()

    def limit(self, request: Request) -> None:
        self.handle.limit(**arguments(request, RATE))

    def work(self, request: Request) -> None:
        self.end()
        queues = [self.client.queue(**{**self.options, "topic": topic}) for topic in request.get("topics", [])]
        rules = [Rule(**arguments(parse(rule), RULE)) for rule in request.get("end", [])]
        self.worker = Work(queues or [self.handle], rules, **arguments(request, WORKER))

    def end(self) -> None:
        """Without patience for handlers that hold their jobs."""
        if self.worker is not None:
            self.worker.stop(0)

    def worked(self, request: Request) -> Any:
        return self.worker.worked(request["kind"], **arguments(request, AWAIT))

    def handled(self, request: Request) -> Any:
        return self.worker.handled(**arguments(request, AWAIT))

    def health(self, request: Request) -> Any:
        return self.worker.health()

    def stop(self, request: Request) -> None:
        self.worker.stop(**arguments(request, STOP))

    def ping(self, request: Request) -> None:
        self.client.ping()

    def close(self, request: Request) -> None:
        self.client.close()

    def panic(self, request: Request) -> None:
        delayq._delayq._panic_on_purpose()

    def about(self, request: Request) -> Any:
        kinds = list(delayq.ERROR_KINDS)
        return {
            "language": "python",
            "version": delayq.__version__,
            "verbs": delayq.VERBS,
            "error_kinds": kinds,
        }


def main() -> None:
    runner = Runner()
    for line in sys.stdin.buffer:
        request = parse(line.rstrip(b"\n"))
        try:
            answer = {"ok": getattr(runner, request["op"])(request)}
        except delayq.DelayqError as e:
            error = {name: getattr(e, name) for name in ("kind", "message", "verb", "topic", "id", "retryable")}
            answer = {"error": error}
        print(json.dumps(answer), flush=True)
    runner.end()


if __name__ == "__main__":
    main()
