"""How late, how idle and how fast workers are, in every language, on a real server of their own.

Usage: worker.py [lateness] [idle] [herd] [speed] [load] [--languages rust,python,node,c]

lateness  jobs enqueued ahead at random times for an idle worker; pop - due, by the scripts' own histogram
idle      Redis commands per second of an idle worker process
herd      20 idle worker processes of one language, 500 jobs due per second, spread in time: pops per job
speed     a backlog of due jobs worked off by no-op handlers, beside the floor: a bare loop of pop and ack_many in
          batches of 100 (in Rust), turn and turn about on the same server; the medians of the rounds, and the
          scripts and the calls inside them per job
load      lateness while jobs become due at half the speed that the worker has shown just before

Workers have their default options.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/harness"))

import delayq
from servers import Server, binaries, wait_until

WORKERS = Path(__file__).resolve().parent / "workers"
TARGET = ROOT / "target/release"
LANGUAGES = {
    "rust": [str(TARGET / "bench-worker-rust")],
    "python": [sys.executable, str(WORKERS / "worker.py")],
    "node": ["node", str(WORKERS / "worker.mjs")],
    "c": [str(TARGET / "bench-worker-c")],
}
FLOOR = TARGET / "bench-floor"
HERD = 20
ROUNDS = 3


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


def histogram(late: delayq.Histogram) -> str:
    steps = ", ".join(f"{ms} ms: {n}" for ms, n in late.buckets())
    return f"p50 {late.p50_ms} ms, p99 {late.p99_ms} ms   ({steps})"


def lateness(server: Server, language: str) -> str:
    queue = delayq.Client(server.url).queue(f"lateness-{language}")
    jobs = 500
    with Workers(server, language, queue.topic):
        rng = random.Random(1)
        queue.enqueue_many([delayq.NewJob(b"x", delay=1 + rng.random() * 10) for _ in range(jobs)])
        worked_off(queue, jobs)
    return histogram(queue.stats().lateness)


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


def backlog(server: Server, topic: str, jobs: int) -> delayq.Queue:
    queue = delayq.Client(server.url).queue(topic)
    for _ in range(0, jobs, 1000):
        queue.enqueue_many([delayq.NewJob(b"x" * 200)] * 1000)
    return queue


def floor(server: Server, jobs: int) -> float:
    """Jobs per second without a worker."""
    queue = backlog(server, f"floor-{uuid.uuid4().hex[:8]}", jobs)
    done = subprocess.run([FLOOR, server.url, queue.topic], capture_output=True, check=True, text=True)
    return jobs / float(done.stdout)


def work_off(server: Server, language: str, jobs: int) -> tuple[float, dict[str, int]]:
    """Jobs per second from the first report to the last, and how often each command was called."""
    queue = backlog(server, f"speed-{uuid.uuid4().hex[:8]}", jobs)
    server.redis.config_resetstat()
    process = subprocess.Popen([*LANGUAGES[language], server.url, queue.topic], stdin=subprocess.PIPE)
    wait_until(lambda: queue.stats().counters["acked"] > 0, "the worker has begun", 60)
    begun, already = time.monotonic(), queue.stats().counters["acked"]
    worked_off(queue, jobs)
    rate, called = (jobs - already) / (time.monotonic() - begun), calls(server)
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    return rate, called


def speed(server: Server, language: str) -> str:
    jobs = 50_000
    rates, floors = [], []
    for _ in range(ROUNDS):
        floors.append(floor(server, jobs))
        rate, called = work_off(server, language, jobs)
        rates.append(rate)
    ratios = [rate / bare for rate, bare in zip(rates, floors)]
    scripts, inside = called.pop("evalsha"), sum(called.values())
    return (
        f"{statistics.median(ratios):.2f} of the floor ({', '.join(f'{ratio:.2f}' for ratio in ratios)}): "
        f"{statistics.median(rates):,.0f} jobs/s beside {statistics.median(floors):,.0f}; "
        f"{scripts / jobs:.3f} scripts and {inside / jobs:.1f} calls in them per job"
    )


def load(server: Server, language: str) -> str:
    rounds = [half_loaded(server, language) for _ in range(ROUNDS)]
    rates = ", ".join(f"{rate:,.0f}" for rate, _ in rounds)
    p99s = ", ".join(str(late.p99_ms) for _, late in rounds)
    return f"p99 {p99s} ms at {rates} jobs/s; the last: {histogram(rounds[-1][1])}"


def half_loaded(server: Server, language: str) -> tuple[float, delayq.Histogram]:
    rate = work_off(server, language, 50_000)[0] / 2
    queue = delayq.Client(server.url).queue(f"load-{uuid.uuid4().hex[:8]}")
    jobs = int(rate * 5)
    with Workers(server, language, queue.topic):
        first = datetime.now(timezone.utc) + timedelta(seconds=3 + jobs / 10_000)
        due = [first + timedelta(seconds=i / rate) for i in range(jobs)]
        for start in range(0, jobs, 1000):
            queue.enqueue_many([delayq.NewJob(b"x" * 200, at=at) for at in due[start : start + 1000]])
        assert datetime.now(timezone.utc) < first, "all are enqueued before the first is due"
        worked_off(queue, jobs)
    return rate, queue.stats().lateness


def main() -> None:
    parts = {"lateness": lateness, "idle": idle, "herd": herd, "speed": speed, "load": load}
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
