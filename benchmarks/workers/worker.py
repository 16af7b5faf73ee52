"""A worker for the benchmarks; default options. Its handler does nothing, unless the payload begins with `s` (takes
30 ms), `f` (fails twice) or `d` (is dead).

Usage: worker.py URL TOPIC [LEASE_MS]; ends with its input.
"""

import logging
import sys
import time

import delayq


def handler(job: delayq.Delivery) -> delayq.Dead | delayq.Fail | None:
    kind = job.payload[:1]
    if kind == b"s":
        time.sleep(0.03)
    if kind == b"f" and job.retry_count < 2:
        return delayq.Fail("not yet", delay=0.1)
    return delayq.Dead("hopeless") if kind == b"d" else None


def main(url: str, topic: str, lease_ms: str = "30000") -> None:
    queue = delayq.Client(url).queue(topic, lease=int(lease_ms) / 1000)
    with delayq.Worker(queue, handler):
        sys.stdin.read()


if __name__ == "__main__":
    logging.disable()  # failures are on purpose
    main(*sys.argv[1:])
