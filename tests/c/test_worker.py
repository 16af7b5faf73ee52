"""Workers as processes: what a signal does to them, and to the jobs that they held."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from build import LIMIT_SECONDS, ROOT, compile_program, run, tool


@pytest.fixture
def server():
    """The URL of a server that several processes share."""
    with tempfile.TemporaryDirectory(prefix="dq-") as folder:  # short, for the path of a Unix socket
        path = Path(folder) / "s"
        command = [os.environ.get("DELAYQ_SERVER") or tool("redis-server")]
        process = subprocess.Popen(
            [*command, "--port", "0", "--unixsocket", path, "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL,
        )
        try:
            until = time.monotonic() + LIMIT_SECONDS
            while not answers(path):
                assert process.poll() is None and time.monotonic() < until, "the server did not start"
                time.sleep(0.01)
            yield f"unix://{path}"
        finally:
            process.kill()
            process.wait()


def answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) == 0


@pytest.fixture
def start():
    """Starts a program whose lines are read as it prints them; kills it at the end of the test if need be."""
    started = []

    def make(*command: object) -> subprocess.Popen:
        words = [str(word) for word in command]
        started.append(subprocess.Popen(words, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield make
    for process in started:
        process.kill()
        process.communicate()


def test_a_killed_workers_job_is_run_by_the_next(build, link_shared, server, start):
    program = build("worker_process.c", *link_shared)
    killed = start(program, server, "a")
    assert killed.stdout.readline() == "run a 1\n"
    killed.kill()
    assert killed.wait(LIMIT_SECONDS) == -signal.SIGKILL
    assert run(program, server) == "run a 2\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_example_works_until_a_signal(number, tmp_path, link_shared, url, start):
    program = compile_program(tmp_path / "worker", ROOT / "examples/worker/worker.c", *link_shared)
    worker = start(program, url)
    closed = sorted(worker.stdout.readline() for _ in range(3))
    assert closed == [f"closing order:{i}:close: not paid in time\n" for i in (1, 2, 3)]
    worker.send_signal(number)
    rest, _ = worker.communicate(timeout=LIMIT_SECONDS)
    assert (worker.returncode, rest) == (0, "stopped\n")
