"""A caller as mypy --strict must see it; each ignored error is one that it must find."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import delayq


def use(url: str) -> list[str]:
    with delayq.Client(url, timeout=timedelta(seconds=1), password="p") as client:
        queue: delayq.Queue = client.queue("t", lease=30, max_payload=1024)
        mode: delayq.Mode = "keep"
        result = queue.enqueue({"a": 1}, id="a", delay=1.5, mode=mode)
        outcome: delayq.EnqueueOutcome = result.outcome
        due: datetime | None = result.due_at
        results: list[delayq.Enqueued] = queue.enqueue_many(delayq.NewJob(b"", at=due) for _ in range(3))
        job: delayq.Job
        for job in queue.pop(20, wait=timedelta(seconds=1)):
            acked: delayq.AckOutcome = queue.ack(job)
            payload: bytes = job.payload
            lease: timedelta = job.lease_until - datetime.now(timezone.utc)
        dead: int = queue.requeue(limit=5).dead
        found: delayq.CancelOutcome = queue.cancel("a")

        queue.enqueue(b"", delay="5")  # type: ignore[arg-type]
        queue.enqueue(b"", at=5)  # type: ignore[arg-type]
        queue.enqueue(b"", mode="first")  # type: ignore[arg-type]
        queue.enqueue(b"", later=5)  # type: ignore[call-arg]
        queue.pop("5")  # type: ignore[arg-type]
        queue.ack("a")  # type: ignore[arg-type]
        client.queue(5)  # type: ignore[arg-type]
        if outcome == "acked":  # type: ignore[comparison-overlap]
            return []
        job.id = "b"  # type: ignore[misc]
    try:
        client.ping()
    except delayq.DelayqError as e:
        return [
            e.kind,
            e.message,
            e.topic or "",
            str(e.code),
            found,
            acked,
            str(dead),
            repr(payload),
            str(lease),
            *map(repr, results),
        ]
    return []
