"""The runners of the four languages as child processes that are told one request at a time."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from urllib.parse import quote

from servers import repository

LANGUAGES = ("rust", "python", "node", "c")

#: No request takes this long; a hanging runner fails its test instead of the whole run.
LIMIT_SECONDS = 60


def command(language: str) -> list[str]:
    root = repository()
    target = os.environ.get("DELAYQ_RUNNERS", str(root / "target" / "release"))
    return {
        "rust": [f"{target}/delayq-runner"],
        "python": [sys.executable, str(root / "tests/runners/python/runner.py")],
        "node": ["node", str(root / "tests/runners/node/runner.mjs")],
        "c": [f"{target}/delayq-runner-c"],
    }[language]


def encode(pairs: dict[str, object]) -> str:
    """Form text of a request; bytes stay bytes, lists repeat their key, dicts are nested forms."""
    parts = []
    for key, value in pairs.items():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                item = encode(item)
            parts.append(f"{quote(key, safe='')}={quote(item if isinstance(item, bytes) else str(item), safe='')}")
    return "&".join(parts)


class Failure(Exception):
    """The runner answered with an error."""

    def __init__(self, error: dict[str, object]) -> None:
        super().__init__(f"{error['kind']}: {error['message']}")
        self.error = error


class Runner:
    """One runner process."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.process = subprocess.Popen(command(language), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, op: str, **pairs: object) -> None:
        line = encode(
            {
                "op": op,
                **{key: value for key, value in pairs.items() if value is not None},
            }
        )
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        ready, _, _ = select.select([self.process.stdout], [], [], LIMIT_SECONDS)
        if not ready:
            self.kill()
            raise AssertionError(f"the {self.language} runner gave no answer within {LIMIT_SECONDS} s")
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the {self.language} runner ended with {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise Failure(answer["error"])
        return answer["ok"]

    def ask(self, op: str, **pairs: object):
        """Sends a request and returns the value of its answer, or raises `Failure`."""
        self.send(op, **pairs)
        return self.receive()

    def kill(self) -> None:
        """kill -9, as a crash would."""
        self.process.kill()
        self._reap()

    def stop(self) -> None:
        """Ends the input; a runner that does not end by itself is at fault."""
        self.process.stdin.close()
        try:
            code = self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"the {self.language} runner does not end with its input") from None
        finally:
            self._reap()
        assert code == 0, f"the {self.language} runner ended with {code}"

    def _reap(self) -> None:
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            pipe.close()
