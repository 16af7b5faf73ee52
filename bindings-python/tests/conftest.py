"""One real server for the run, started by the package itself; tests keep apart by their topics."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import delayq
import pytest
import redis
from delayq import aio


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    path = tempfile.mkdtemp(prefix="dq")  # short: a socket's path has at most 107 bytes
    yield Path(path)
    shutil.rmtree(path)


@pytest.fixture(scope="session")
def url(folder: Path) -> Iterator[str]:
    with delayq.Client(f"embedded:{folder}"):
        yield f"unix://{folder}/delayq.sock"


@pytest.fixture
def client(url: str) -> Iterator[delayq.Client]:
    with delayq.Client(url) as client:
        yield client


@pytest.fixture
def topic() -> str:
    return uuid.uuid4().hex


@pytest.fixture
def queue(client: delayq.Client, topic: str) -> delayq.Queue:
    return client.queue(topic)


@pytest.fixture
def server(url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(url) as server:
        yield server


def until(look: Callable[[], Any]) -> Any:
    """What it sees as soon as it sees something; fails after 20 s."""
    deadline = time.monotonic() + 20
    while not (seen := look()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.002)
    return seen


@pytest.fixture
def has_popped(server: redis.Redis) -> Callable[[], Any]:
    """Awaits that a client which connected after the test began has run a script, so that its `pop` waits."""
    known = {connection["id"] for connection in server.client_list()}

    def waits() -> bool:
        new = [c for c in server.client_list() if c["id"] not in known and c["name"] == "delayq-python"]
        return any(c["cmd"].startswith("eval") for c in new)

    return lambda: until(waits)


class Thread(threading.Thread):
    """A thread whose result, or exception, is that of its `join`."""

    def __init__(self, run: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self.work = run
        self.failure: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self.result = self.work()
        except BaseException as e:
            self.failure = e

    def end(self) -> Any:
        self.join(timeout=30)
        assert not self.is_alive(), "the thread hangs"
        if self.failure is not None:
            raise self.failure
        return self.result


def go(body, url, topic, **options):
    """Runs a coroutine function on an open client and a queue."""

    async def main():
        async with aio.Client(url) as client:
            return await asyncio.wait_for(body(client, client.queue(topic, **options)), 60)

    return asyncio.run(main())


@pytest.fixture
def run(url, topic):
    return lambda body, **options: go(body, url, topic, **options)


def own_threads():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("delayq-aio")]


@pytest.fixture(autouse=True)
def no_thread_is_left():
    yield
    until(lambda: not own_threads())


async def until_async(look):
    while not look():
        await asyncio.sleep(0.002)


@pytest.fixture
def script(url: str, topic: str) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts Python programs that find a `client` and a `queue`; what still runs afterwards is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(body: str, at: str = url) -> subprocess.Popen[str]:
        # A program that was started in the background inherits that Ctrl-C is ignored.
        ctrl_c = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        head = f"{ctrl_c}import delayq\nclient = delayq.Client({at!r})\nqueue = client.queue({topic!r})\n"
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore::DeprecationWarning", "-c", head + textwrap.dedent(body)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def finish(process: subprocess.Popen[str]) -> str:
    """What a program wrote, if it ended well and said nothing else."""
    out, err = process.communicate(timeout=100)
    assert (process.returncode, err) == (0, ""), f"{process.returncode}: {err}"
    return out
