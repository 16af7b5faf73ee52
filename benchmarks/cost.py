"""What a job costs: Redis calls (scripts' inner calls included), round trips and bytes, counted by the server.

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


def counted(server: Server, work, jobs: int) -> tuple[dict[str, float], float]:
    """Calls per job by command, and round trips per job."""
    server.redis.config_resetstat()
    work()
    stats = server.redis.info("commandstats")
    calls = {name.removeprefix("cmdstat_"): entry["calls"] / jobs for name, entry in stats.items()}
    for own in ("config|resetstat", "config", "info"):
        calls.pop(own, None)
    return calls, calls.get("evalsha", 0) + calls.get("eval", 0)


def show(title: str, calls: dict[str, float], trips: float) -> None:
    detail = ", ".join(f"{name} {n:.2f}" for name, n in sorted(calls.items(), key=lambda item: -item[1]) if n >= 0.005)
    print(f"{title:34} {sum(calls.values()):6.2f} calls, {trips:5.2f} round trips   {detail}")


def single(queue: delayq.Queue, jobs: int) -> None:
    for i in range(jobs):
        queue.enqueue(PAYLOAD, id=f"s{i}")
        (job,) = queue.pop()
        queue.ack(job)


def batched(queue: delayq.Queue, jobs: int) -> None:
    for start in range(0, jobs, 100):
        queue.enqueue_many([delayq.NewJob(PAYLOAD, id=f"b{i}") for i in range(start, start + 100)])
        for job in queue.pop(100):
            queue.ack(job)


def memory(server: Server, queue: delayq.Queue, jobs: int) -> float:
    before = server.redis.info("memory")["used_memory"]
    queue.enqueue_many([delayq.NewJob(PAYLOAD, id=f"order:{i:08d}:close", delay=3600) for i in range(jobs)])
    return (server.redis.info("memory")["used_memory"] - before) / jobs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2000)
    jobs = parser.parse_args().jobs
    server = Server(next(iter(binaries().values())))
    try:
        print(f"{server.version}, {jobs} jobs of {len(PAYLOAD)} bytes, done marker on")
        client = delayq.Client(server.url)
        queue = client.queue("cost")
        single(queue, 10)  # scripts known, topic registered
        show("enqueue + pop + ack, one by one", *counted(server, lambda: single(client.queue("one"), jobs), jobs))
        show("enqueue_many and pop by 100, ack", *counted(server, lambda: batched(client.queue("many"), jobs), jobs))
        for limit in (64, 1024):
            server.redis.config_set("hash-max-listpack-value", limit)
            size = memory(server, client.queue(f"memory{limit}"), jobs)
            print(f"bytes per waiting job, hash-max-listpack-value {limit:4}: {size:.0f} (id of 20 bytes)")
    finally:
        server.stop()


if __name__ == "__main__":
    main()
