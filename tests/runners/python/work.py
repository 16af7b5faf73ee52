"""A worker whose handlers end their deliveries by rules, and what it and they have told."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Callable

import delayq

#: Longer than any scenario waits for what happens at once.
WAIT_SECONDS = 20.0


@dataclass
class Rule:
    """How handlers end the deliveries of one id, or of all."""

    end: str = "done"
    id: str | None = None
    error: str = ""
    delay: float | None = None
    hold: float | None = None
    times: float = float("inf")

    def is_for(self, job: delayq.Delivery) -> bool:
        return self.id in (None, job.id) and job.deliveries <= self.times

    def outcome(self) -> delayq.Fail | delayq.Release | delayq.Dead | delayq.Leave | None:
        if self.end == "fail":
            return delayq.Fail(self.error, delay=self.delay)
        if self.end == "release":
            return delayq.Release(self.delay or 0)
        return {"done": lambda: None, "dead": lambda: delayq.Dead(self.error), "leave": delayq.Leave}[self.end]()


class Log:
    """What was told, in its order."""

    def __init__(self) -> None:
        self._entries: list[dict[str, Any]] = []
        self._changed = threading.Condition()

    def add(self, entry: dict[str, Any]) -> None:
        with self._changed:
            self._entries.append(entry)
            self._changed.notify_all()

    def wait(self, counts: Callable[[dict[str, Any]], bool], count: int, wait: float) -> list[dict[str, Any]]:
        """Waits until so many entries count, and gives all that there are then, or when the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: sum(map(counts, self._entries)) >= count, wait)
            return list(self._entries)


class Work:
    def __init__(self, queues: list[delayq.Queue], rules: list[Rule], **options: Any) -> None:
        self._rules, self._events, self._ended = rules, Log(), Log()
        if len(queues) == 1:
            self._worker = delayq.Worker(queues[0], self._handle, on_event=self._tell, **options)
        else:
            handlers = dict.fromkeys(queues, self._handle)
            self._worker = delayq.Worker(handlers, on_event=self._tell, **options)
        self._worker.start()

    def _handle(self, job: delayq.Delivery) -> Any:
        rule = next((rule for rule in self._rules if rule.is_for(job)), Rule())
        if rule.hold is not None:
            job.wait_revoked(rule.hold)
        seen = {name: getattr(job, name) for name in ("topic", "id", "retry_count", "deliveries")}
        self._ended.add({**seen, "payload_hex": job.payload.hex(), "revoked": job.is_revoked})
        return rule.outcome()

    def _tell(self, event: delayq.Event) -> None:
        told = {name: getattr(event, name) for name in ("kind", "topic", "id", "deliveries", "outcome", "error")}
        if event.kind == "lost":  # only the kind of error is the same in every language
            told["error"] = event.error.partition(":")[0]
        self._events.add(told)

    def worked(self, kind: str, count: int = 1, wait: float = WAIT_SECONDS) -> list[dict[str, Any]]:
        return self._events.wait(lambda event: event["kind"] == kind, count, wait)

    def handled(self, count: int = 1, wait: float = WAIT_SECONDS) -> list[dict[str, Any]]:
        return self._ended.wait(lambda _: True, count, wait)

    def health(self) -> dict[str, Any]:
        health = self._worker.health()
        ms = {"oldest_running_ms": health.oldest_running, "last_pop_ms": health.last_pop}
        same = {name: getattr(health, name) for name in ("connected", "running", "waiting", "stopping")}
        return same | {name: None if value is None else round(value * 1000) for name, value in ms.items()}

    def stop(self, deadline: float) -> None:
        self._worker.stop(deadline)
