"""Does what it is told over the public API of delayq for Python; see tests/README.md for the language."""

from __future__ import annotations

import json
import sys
from datetime import datetime, timedelta, timezone
from typing import Any, Callable
from urllib.parse import unquote_to_bytes

import delayq

# A zone that is not UTC, and in which a datetime reaches almost a day past the year 9999 of UTC.
ZONE = timezone(-timedelta(hours=23))
EPOCH = datetime(1970, 1, 1)

Request = dict[str, Any]


def parse(line: bytes) -> Request:
    """The keys of one form; every value is text but a payload, and of `job` there may be many."""
    request: Request = {}
    for pair in line.split(b"&"):
        key, _, value = (unquote_to_bytes(half.replace(b"+", b" ")) for half in pair.partition(b"="))
        name = key.decode()
        if name == "job":
            request.setdefault("job", []).append(value)
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
}
QUEUE |= {f"{name}_ms": (name, seconds) for name in ("lease", "done_ttl", "job_ttl")}
ENQUEUE = {"payload": ("payload", text), "id": ("id", text), "mode": ("mode", text)}
ENQUEUE |= {
    "delay_ms": ("delay", seconds),
    "at_ms": ("at", aware),
    "ignore_done": ("ignore_done", lambda t: t == "1"),
}
POP = {
    "max": ("max", int),
    "lease_ms": ("lease", seconds),
    "wait_ms": ("wait", seconds),
}
REQUEUE = {"limit": ("limit", int)}
CANCEL = {"id": ("id", text)}


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


def enqueued(result: delayq.Enqueued) -> dict[str, Any]:
    return {"id": result.id, "due_at_ms": result.due_at_ms, "outcome": result.outcome}


JOB = (
    "topic",
    "id",
    "retry_count",
    "deliveries",
    "created_at_ms",
    "due_at_ms",
    "lease_until_ms",
    "receipt",
)


class Runner:
    def __init__(self) -> None:
        self.kept: dict[str, list[delayq.Job]] = {}

    def open(self, request: Request) -> None:
        self.client = delayq.Client(**arguments(request, CLIENT))

    def queue(self, request: Request) -> None:
        self.handle = self.client.queue(**arguments(request, QUEUE))

    def enqueue(self, request: Request) -> Any:
        return enqueued(self.handle.enqueue(**arguments(request, ENQUEUE)))

    def enqueue_many(self, request: Request) -> Any:
        jobs = [delayq.NewJob(**arguments(parse(job), ENQUEUE)) for job in request.get("job", [])]
        return [enqueued(result) for result in self.handle.enqueue_many(jobs)]

    def pop(self, request: Request) -> Any:
        jobs = self.handle.pop(**arguments(request, POP))
        self.kept[request.get("as", "jobs")] = jobs
        return [{name: getattr(job, name) for name in JOB} | {"payload_hex": job.payload.hex()} for job in jobs]

    def ack(self, request: Request) -> Any:
        name, _, place = request["job"][0].decode().rpartition(".")
        return self.handle.ack(self.kept[name][int(place)])

    def requeue(self, request: Request) -> Any:
        done = self.handle.requeue(**arguments(request, REQUEUE))
        return {"requeued": done.requeued, "dead": done.dead, "orphaned": done.orphaned}

    def cancel(self, request: Request) -> Any:
        return self.handle.cancel(**arguments(request, CANCEL))

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


if __name__ == "__main__":
    main()
