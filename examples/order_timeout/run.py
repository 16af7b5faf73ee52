"""Plays the order timeout: owns the server, starts producer and consumers, shows them, checks the result."""

from __future__ import annotations

import argparse
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import delayq
from shop import Shop
from view import View

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DATA = ROOT / "examples/data/orders.jsonl"
C_CONSUMER = ROOT / "target/release/order-timeout-consumer"

#: How long the consumers may take after the last event of the shop.
GRACE_SECONDS = 30


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--speed",
        type=float,
        default=120,
        help="how many times faster than the shop (default 120)",
    )
    parser.add_argument("--orders", type=int, default=10**9, help="only the first so many orders")
    parser.add_argument("--plain", action="store_true", help="lines instead of a live view")
    parser.add_argument("--valgrind", action="store_true", help="run the C consumer under valgrind")
    options = parser.parse_args()

    lines = DATA.read_text().splitlines(keepends=True)[: options.orders]
    shop = Shop(lines)
    folder = tempfile.mkdtemp(prefix="delayq-demo-")
    try:
        with delayq.Client(f"embedded:{folder}") as client:
            client.ping()
            play(shop, lines, f"embedded:{folder}", options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(shop.summary())
    problems = shop.problems()
    for problem in problems:
        print(f"FAILED: {problem}")
    return 1 if problems else 0


def play(shop: Shop, lines: list[str], url: str, options: argparse.Namespace) -> None:
    c_command = [str(C_CONSUMER), url]
    if options.valgrind:
        leaks = [
            "--leak-check=full",
            "--errors-for-leak-kinds=definite,possible",
            "--error-exitcode=9",
            "--quiet",
        ]
        c_command = ["valgrind", *leaks, *c_command]
    commands = {
        "python": [
            sys.executable,
            str(HERE / "producer.py"),
            url,
            str(options.speed),
            str(len(lines)),
        ],
        "node": ["node", str(HERE / "consumer.mjs"), url],
        "c": c_command,
    }
    events: queue.Queue[tuple[str, str]] = queue.Queue()
    processes = {name: start(name, command, lines, events) for name, command in commands.items()}
    deadline = time.monotonic() + shop.length_seconds / options.speed + GRACE_SECONDS
    with View(shop, plain=options.plain or not sys.stdout.isatty()) as view:
        while time.monotonic() < deadline and not shop.is_over():
            try:
                who, line = events.get(timeout=0.1)
            except queue.Empty:
                view.update()
                continue
            shop.note(who, line)
            view.update()
    stop(shop, processes)
    while not events.empty():  # what came too late is still a closing, and may be a wrong one
        shop.note(*events.get())


def start(name: str, command: list[str], lines: list[str], events: queue.Queue) -> subprocess.Popen:
    stdin = subprocess.PIPE if name == "python" else subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, text=True)
    if process.stdin:
        process.stdin.writelines(lines)
        process.stdin.close()

    def listen() -> None:
        for line in process.stdout:
            events.put((name, line))

    process.listener = threading.Thread(target=listen, daemon=True)
    process.listener.start()
    return process


def stop(shop: Shop, processes: dict[str, subprocess.Popen]) -> None:
    for name, process in processes.items():
        if name != "python":  # the producer ends by itself
            process.send_signal(signal.SIGTERM)
    for name, process in processes.items():
        try:
            code = process.wait(timeout=GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        process.listener.join()
        if code != 0:
            shop.fail(f"the {name} process ended with {code}")


if __name__ == "__main__":
    sys.exit(main())
