"""Workers of several languages on one topic, killed at random: no job is lost, and none is doubled but by a lease that
ended with its consumer.

Usage: mixed.py [--jobs N] [--minutes M] [--kill-every SECONDS] [--languages python,node,c]

The jobs are enqueued evenly over the time, by batches of mixed delays; some take 30 ms, some fail twice, some are
hopeless. Every few seconds one worker gets SIGKILL (or, one time in five, the end of its input, which stops it in
order) and another of its language takes its place. At the end the counters that the scripts keep must add up:
enqueued = acked + dead, and deliveries = acks + failures + expired leases + jobs handed back.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time

import delayq
from worker import LANGUAGES, Server, binaries, wait_until

LEASE_MS = 2000


class Crew:
    """One worker process per language and place, replaced when it is killed."""

    def __init__(self, server: Server, topic: str, languages: list[str]) -> None:
        self.server, self.topic = server, topic
        self.places = [(language, self.start(language)) for language in languages for _ in range(2)]
        self.killed = self.stopped = 0

    def start(self, language: str) -> subprocess.Popen:
        command = [*LANGUAGES[language], self.server.url, self.topic, str(LEASE_MS)]
        return subprocess.Popen(command, stdin=subprocess.PIPE)

    def replace_one(self, rng: random.Random) -> None:
        place = rng.randrange(len(self.places))
        language, process = self.places[place]
        if rng.random() < 0.2:
            process.stdin.close()
            assert process.wait(timeout=60) == 0, f"the {language} worker did not stop in order"
            self.stopped += 1
        else:
            process.kill()
            process.wait()
            process.stdin.close()
            self.killed += 1
        self.places[place] = (language, self.start(language))

    def stop(self) -> None:
        for _, process in self.places:
            process.stdin.close()
        for language, process in self.places:
            assert process.wait(timeout=60) == 0, f"the {language} worker did not stop in order"


def payload(n: int) -> bytes:
    kind = {0: b"d", 1: b"f", 2: b"f", 3: b"f", 4: b"f"}.get(n % 50, b"s" if n % 5 == 0 else b"x")
    return kind * 200


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--kill-every", type=float, default=3.0)
    parser.add_argument("--languages", default="python,node,c")
    options = parser.parse_args()
    rng, server = random.Random(7), Server(next(iter(binaries().values())))
    queue = delayq.Client(server.url).queue("mixed")
    crew = Crew(server, queue.topic, options.languages.split(","))
    started = time.monotonic()
    batch, stored, next_kill = 100, 0, started + options.kill_every
    seconds = options.minutes * 60
    while stored < options.jobs:
        due = started + seconds * stored / options.jobs
        time.sleep(max(0.0, due - time.monotonic()))  # the producer's own pace
        ids = range(stored, stored + batch)
        jobs = [delayq.NewJob(payload(n), id=f"{n:07d}", delay=rng.random() * 3) for n in ids]
        stored += len(queue.enqueue_many(jobs))
        if time.monotonic() >= next_kill:
            crew.replace_one(rng)
            next_kill += options.kill_every * (0.5 + rng.random())
    wait_until(lambda: queue.stats().counters["acked"] + queue.stats().dead >= options.jobs, "all jobs are done", 120)
    crew.stop()
    stats = queue.stats()
    c = stats.counters
    server.stop()
    print(f"{options.jobs} jobs in {time.monotonic() - started:.0f} s; {crew.killed} killed, {crew.stopped} stopped")
    print(", ".join(f"{name} {n}" for name, n in c.items() if n))
    print(f"lateness p50 {stats.lateness.p50_ms} ms, p99 {stats.lateness.p99_ms} ms")
    hopeless = sum(payload(n)[:1] == b"d" for n in range(options.jobs))
    failing = sum(payload(n)[:1] == b"f" for n in range(options.jobs))
    ends = c["acked"] + c["retried"] + c["dead"] + c["expired"] + c["released"]
    right = {
        "enqueued = acked + dead": c["enqueued"] == c["acked"] + stats.dead == options.jobs,
        "the hopeless are dead, and nobody else": stats.dead == c["dead"] == hopeless,
        "each failure counted once": c["retried"] == 2 * failing,
        "nothing left": (stats.backlog, stats.processing, stats.orphans) == (0, 0, 0),
        "deliveries = acks + failures + expired + released": c["delivered"] == ends,
    }
    for sentence, holds in right.items():
        print(f"{'ok' if holds else 'FAILED'}: {sentence}")
    return 0 if all(right.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
