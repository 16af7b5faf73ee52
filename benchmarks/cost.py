"""What a job costs: Redis calls (those inside scripts included), round trips and bytes, counted by the server.

Usage: cost.py [--jobs N]. Counts, no times: the figures are the same on every machine.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/harness"))

import delayq
from servers import Server, binaries

PAYLOAD = b"x" * 200
BATCH = 100
OWN = ("config|resetstat", "config", "info")


class Counter:
    def __init__(self, server: Server, jobs: int) -> None:
        self.server, self.jobs = server, jobs

    def show(self, title: str, work) -> None:
        """Runs the work and prints its calls and round trips per job."""
        self.server.redis.config_resetstat()
        work()
        stats = self.server.redis.info("commandstats")
        calls = {name.removeprefix("cmdstat_"): entry["calls"] / self.jobs for name, entry in stats.items()}
        calls = {name: n for name, n in calls.items() if name not in OWN}
        trips = calls.get("evalsha", 0) + calls.get("eval", 0)
        most = sorted(calls.items(), key=lambda item: -item[1])
        detail = ", ".join(f"{name} {n:.2f}" for name, n in most if n >= 0.05)
        print(f"{title:32} {sum(calls.values()):6.2f} calls {trips:6.2f} round trips   {detail}")


def new_jobs(jobs: int, name: str, delay: float = 0) -> list[delayq.NewJob]:
    return [delayq.NewJob(PAYLOAD, id=f"{name}{i:06d}", delay=delay) for i in range(jobs)]


def by_batches(items: list, call) -> None:
    for start in range(0, len(items), BATCH):
        call(items[start : start + BATCH])


def one_by_one(queue: delayq.Queue, jobs: int) -> None:
    for i in range(jobs):
        queue.enqueue(PAYLOAD, id=f"s{i:06d}")
        (job,) = queue.pop()
        queue.ack(job)


def in_batches(queue: delayq.Queue, jobs: int) -> None:
    by_batches(new_jobs(jobs, "b"), queue.enqueue_many)
    for _ in range(0, jobs, BATCH):
        queue.ack_many(queue.pop(BATCH))


def each_verb(counter: Counter, client: delayq.Client, jobs: int) -> None:
    queue = client.queue("verbs", retry_policy=delayq.RetryPolicy.fixed(0, max_retries=0))
    held: list[delayq.Job] = []

    def pop() -> None:
        while taken := queue.pop(BATCH):
            held.extend(taken)

    counter.show("enqueue_many", lambda: by_batches(new_jobs(jobs, "v"), queue.enqueue_many))
    counter.show("pop", pop)
    counter.show("extend_many", lambda: by_batches(held, queue.extend_many))
    counter.show("release_many", lambda: by_batches(held, queue.release_many))
    held.clear()
    pop()
    counter.show("retry_many (all dead)", lambda: by_batches(held, queue.retry_many))
    counter.show("list", lambda: [queue.list("dead", offset=at, limit=BATCH) for at in range(0, jobs, BATCH)])
    counter.show("redrive", lambda: [queue.redrive(limit=BATCH) for _ in range(0, jobs, BATCH)])
    held.clear()
    pop()
    counter.show("ack_many", lambda: by_batches(held, queue.ack_many))
    queue.enqueue_many(new_jobs(jobs, "w", delay=3600))
    counter.show("enqueue_many (replace)", lambda: by_batches(new_jobs(jobs, "w", delay=60), queue.enqueue_many))
    counter.show("get, one by one", lambda: [queue.get(f"w{i:06d}") for i in range(jobs)])
    counter.show("repair", lambda: queue.repair())
    counter.show("cancel, one by one", lambda: [queue.cancel(f"w{i:06d}") for i in range(jobs // 2)])
    counter.show("purge (of half)", lambda: [queue.purge("scheduled", limit=BATCH) for _ in range(0, jobs // 2, BATCH)])
    counter.show("stats, pause, resume (each once)", lambda: (queue.stats(), queue.pause(), queue.resume()))


def bytes_per_job(server: Server, queue: delayq.Queue, jobs: int) -> float:
    server.redis.flushall()  # so that no table is about to grow for other keys
    before = server.redis.info("memory")["used_memory"]
    queue.enqueue_many([delayq.NewJob(PAYLOAD, id=f"order:{i:08d}:close", delay=3600) for i in range(jobs)])
    return (server.redis.info("memory")["used_memory"] - before) / jobs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2000)
    jobs = parser.parse_args().jobs
    server = Server(next(iter(binaries().values())))
    counter = Counter(server, jobs)
    try:
        print(f"{server.version}, {jobs} jobs of {len(PAYLOAD)} bytes, batches of {BATCH}, done marker on; per job:")
        client = delayq.Client(server.url)
        one_by_one(client.queue("warm"), 10)
        counter.show("whole cycle, one by one", lambda: one_by_one(client.queue("one"), jobs))
        counter.show("whole cycle, in batches", lambda: in_batches(client.queue("many"), jobs))
        each_verb(counter, client, jobs)
        for limit in (64, 1024):
            server.redis.config_set("hash-max-listpack-value", limit)
            size = bytes_per_job(server, client.queue("orders"), 5 * jobs)
            print(f"bytes per waiting job, hash-max-listpack-value {limit:4}: {size:.0f} (id of 20 bytes)")
    finally:
        server.stop()


if __name__ == "__main__":
    main()
