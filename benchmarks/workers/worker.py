"""A worker whose handler does nothing, for the benchmarks; default options.

Usage: worker.py URL TOPIC [LEASE_MS]; ends with its input.
"""

import sys

import delayq


def handler(job: delayq.Delivery) -> None:
    pass


def main(url: str, topic: str, lease_ms: str = "30000") -> None:
    queue = delayq.Client(url).queue(topic, lease=int(lease_ms) / 1000)
    with delayq.Worker(queue, handler):
        sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
