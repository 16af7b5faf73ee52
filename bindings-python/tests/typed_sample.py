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
            failed: delayq.RetryOutcome = queue.retry(job, error=ValueError("x"), delay=1).outcome
            again: datetime | None = queue.release(job).due_at
            until: int | None = queue.extend(job, lease=timedelta(minutes=1)).lease_until_ms
        dead: int = queue.requeue(limit=5).dead
        jobs: list[delayq.Job] = queue.pop()
        outcomes: list[delayq.AckOutcome] = queue.ack_many(jobs)
        queue.retry_many([*jobs, *(delayq.Retry(job, error="x") for job in jobs)])
        found: delayq.CancelOutcome = queue.cancel("a")
        infos: list[delayq.JobInfo] = queue.list("dead", limit=5)
        state: delayq.State = queue.get("a").state
        p99: int | None = queue.stats().lateness.p99_ms
        buckets: list[tuple[int, int]] = queue.stats().processing_time.buckets()
        client.queue("t", retry_policy=delayq.RetryPolicy.linear(timedelta(seconds=1), cap=5))
        queue.limit(rate=5)
        queue.limit(None)

        queue.enqueue(b"", delay="5")  # type: ignore[arg-type]
        queue.enqueue(b"", at=5)  # type: ignore[arg-type]
        queue.enqueue(b"", mode="first")  # type: ignore[arg-type]
        queue.enqueue(b"", later=5)  # type: ignore[call-arg]
        queue.pop("5")  # type: ignore[arg-type]
        queue.ack("a")  # type: ignore[arg-type]
        queue.list("done")  # type: ignore[arg-type]
        queue.ack_many(["a"])  # type: ignore[list-item]
        queue.retry_many("a")  # type: ignore[arg-type]
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
            repr((payload, failed, again, until, outcomes, infos, state, p99, buckets)),
            str(lease),
            *map(repr, results),
        ]
    return []


def work(client: delayq.Client) -> delayq.Health:
    def handler(job: delayq.Delivery) -> delayq.Outcome | None:
        held: delayq.Job = job
        if job.is_revoked or job.is_stopping or job.wait_revoked(timedelta(seconds=1)) or not job.is_mine():
            return delayq.Release(delay=1)
        if held.deliveries > 3:
            raise delayq.Dead("too often")
        return delayq.Fail(ValueError(job.json()), delay=2.5) if job.retry_count else None

    async def async_handler(job: delayq.Delivery) -> None:
        revoked: bool = await job.revoked()
        raise delayq.Leave if revoked else ValueError

    def listener(event: delayq.Event) -> None:
        kind: delayq.EventKind = event.kind
        print(kind, event.topic, event.id, event.took)

    queue = client.queue("t")
    delayq.Worker(queue, handler, concurrency=2, on_event=listener).run(deadline=1)
    with delayq.Worker({queue: async_handler, client.queue("u"): async_handler}, sweep_every=1.5) as worker:
        worker.stop(timedelta(seconds=1))
        delayq.Worker(handler)  # type: ignore[arg-type]
        delayq.Worker(queue, handler, concurrency="2")  # type: ignore[arg-type]
        delayq.Worker(queue, 5)  # type: ignore[arg-type]
        return worker.health()


async def use_asyncio(url: str) -> None:
    async with delayq.aio.Client(url, timeout=timedelta(seconds=1)) as client:
        queue: delayq.aio.Queue = client.queue("t", lease=30)
        result: delayq.Enqueued = await queue.enqueue({"a": 1}, delay=1.5)
        jobs: list[delayq.Job] = await queue.pop(20, wait=5)
        outcomes: list[delayq.AckOutcome] = await queue.ack_many(jobs)
        infos: list[delayq.JobInfo] = await queue.list("scheduled")
        await queue.enqueue(b"", delay="5")  # type: ignore[arg-type]
        for _ in queue.pop():  # type: ignore[attr-defined]
            print(result, outcomes, infos)
