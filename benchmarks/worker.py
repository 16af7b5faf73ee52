"""How late, how idle and how fast workers are, in every language, on a real server of their own.

Usage: worker.py [lateness] [idle] [herd] [speed] [--languages rust,python,node,c]

lateness  jobs enqueued ahead at random times for an idle worker; pop - due, by the scripts' own histogram
idle      Redis commands per second of an idle worker process
herd      20 idle worker processes of one language, 500 jobs due per second, spread in time: pops per job
speed     a backlog of due jobs worked off by no-op handlers, beside the floor: the same pop and ack scripts driven
          by a bare loop in batches of 100 (from Python), on the same server in the same run
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/harness"))

import delayq
from servers import Server, binaries, wait_until

WORKERS = Path(__file__).resolve().parent / "workers"
TARGET = ROOT / "target/release"
LANGUAGES = {
    "rust": [str(TARGET / "examples/worker")],
    "python": [sys.executable, str(WORKERS / "worker.py")],
    "node": ["node", str(WORKERS / "worker.mjs")],
    "c": [str(TARGET / "bench-worker-c")],
}
HERD = 20


class Workers:
    """So many worker processes of a language on a topic, idle and listening when entered."""

    def __init__(self, server: Server, language: str, topic: str, count: int = 1) -> None:
        self.server, self.topic, self.count = server, topic, count
        self.command = [*LANGUAGES[language], server.url, topic]

    def __enter__(self) -> None:
        started = [subprocess.Popen(self.command, stdin=subprocess.PIPE) for _ in range(self.count)]
        self.processes = started
        channel = f"delay:wake:{{{self.topic}}}"
        wait_until(lambda: self.server.redis.pubsub_numsub(channel)[0][1] >= self.count, "the workers listen", 60)

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.stdin.close()
        for process in self.processes:
            assert process.wait(timeout=60) == 0


def calls(server: Server) -> dict[str, int]:
    stats = server.redis.info("commandstats")
    return {name.removeprefix("cmdstat_"): entry["calls"] for name, entry in stats.items()}


def worked_off(queue: delayq.Queue, jobs: int, limit: float = 300) -> None:
    wait_until(lambda: queue.stats().counters["acked"] >= jobs, "all jobs are done", limit)


def lateness(server: Server, language: str) -> str:
    queue = delayq.Client(server.url).queue(f"lateness-{language}")
    jobs = 500
    with Workers(server, language, queue.topic):
        rng = random.Random(1)
        queue.enqueue_many([delayq.NewJob(b"x", delay=1 + rng.random() * 10) for _ in range(jobs)])
        worked_off(queue, jobs)
    late = queue.stats().lateness
    steps = ", ".join(f"{ms} ms: {n}" for ms, n in late.buckets())
    return f"p50 {late.p50_ms} ms, p99 {late.p99_ms} ms   ({steps})"


def idle(server: Server, language: str) -> str:
    seconds = 10
    with Workers(server, language, f"idle-{language}"):
        time.sleep(3)  # what starting costs is over
        server.redis.config_resetstat()
        time.sleep(seconds)  # the time over which commands are counted
        outer = {n: c for n, c in calls(server).items() if n in ("evalsha", "eval", "ping", "set", "subscribe")}
    detail = ", ".join(f"{name} {count}" for name, count in outer.items())
    return f"{sum(outer.values()) / seconds:.2f} commands/s   ({detail} in {seconds} s)"


def herd(server: Server, language: str) -> str:
    queue = delayq.Client(server.url).queue(f"herd-{language}")
    jobs = 5000
    with Workers(server, language, queue.topic, HERD):
        queue.enqueue_many([delayq.NewJob(b"x", delay=3 + i / 500) for i in range(jobs)])
        wait_until(lambda: queue.stats().counters["delivered"] > 0, "the first is due", 60)
        server.redis.config_resetstat()
        worked_off(queue, jobs)
        looks = calls(server).get("zrangebyscore", 0)  # one a pop that is allowed to take, one a sweep
    late = queue.stats().lateness
    return f"{looks / jobs:.2f} pops per job, lateness p50 {late.p50_ms} ms, p99 {late.p99_ms} ms"


def floor(server: Server, jobs: int, topic: str) -> float:
    """Jobs per second of the same scripts in batches of 100 without a worker."""
    queue = delayq.Client(server.url).queue(topic)
    backlog(queue, jobs)
    started = time.monotonic()
    while taken := queue.pop(100):
        queue.ack_many(taken)
    return jobs / (time.monotonic() - started)


def backlog(queue: delayq.Queue, jobs: int) -> None:
    for start in range(0, jobs, 1000):
        queue.enqueue_many([delayq.NewJob(b"x" * 200, id=f"{i:06d}") for i in range(start, start + 1000)])


def speed(server: Server, language: str) -> str:
    jobs = 50_000
    bare = floor(server, jobs, f"floor-{language}")  # ids of its own, or done markers would keep it empty
    queue = delayq.Client(server.url).queue(f"speed-{language}")
    backlog(queue, jobs)
    started = time.monotonic()
    process = subprocess.Popen([*LANGUAGES[language], server.url, queue.topic], stdin=subprocess.PIPE)
    wait_until(lambda: queue.stats().counters["acked"] > 0, "the worker has begun", 60)
    begun, already = time.monotonic(), queue.stats().counters["acked"]
    worked_off(queue, jobs)
    rate = (jobs - already) / (time.monotonic() - begun)
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    return f"{rate:,.0f} jobs/s, {rate / bare:.2f} of the bare loop's {bare:,.0f}   (start {begun - started:.1f} s)"


def main() -> None:
    parts = {"lateness": lateness, "idle": idle, "herd": herd, "speed": speed}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=", ".join(parts))
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    options = parser.parse_args()
    server = Server(next(iter(binaries().values())))
    try:
        print(server.version)
        for part in options.parts or parts:
            for language in options.languages.split(","):
                print(f"{part:9} {language:7} {parts[part](server, language)}", flush=True)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
