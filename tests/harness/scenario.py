"""Reads scenarios and plays one of them in one language; its words are explained in `tests/scenarios/README.md`."""

from __future__ import annotations

import copy
import re
import uuid
from dataclasses import dataclass
from pathlib import Path

import keyspace
import yaml
from cluster import Cluster
from runners import Failure, Runner
from servers import PASSWORD, USER, Server, repository, wait_until

HARNESS_STEPS = {"redis", "elapse_ms"}
RELATIVE = re.compile(r"([+-]\d+)(?:\.\.(\d+))?")
TOPOLOGIES = ("single", "cluster")


@dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    languages: tuple[str, ...] | None
    topologies: tuple[str, ...]
    queue: dict
    steps: list[dict]
    after: dict | None

    def is_meant_for(self, language: str, topology: str) -> bool:
        return topology in self.topologies and (self.languages is None or language in self.languages)


def load_all() -> list[Scenario]:
    files = sorted((repository() / "tests/scenarios").glob("*.yaml"))
    return [scenario for file in files for scenario in load(file)]


def load(file: Path) -> list[Scenario]:
    """A file holds the scenarios of one verb or of one theme."""
    found = []
    for document in yaml.safe_load_all(file.read_text()):
        document = dict(document)
        found.append(
            Scenario(
                name=f"{file.stem}/{document.pop('scenario')}",
                title=document.pop("title"),
                languages=tuple(document.pop("only", ())) or None,
                topologies=topologies(document),
                queue=document.pop("queue", {}),
                steps=document.pop("steps"),
                after=document.pop("after", None),
            )
        )
        assert not document, f"{found[-1].name} has unknown parts {sorted(document)}"
    return found


def topologies(part: dict) -> tuple[str, ...]:
    """Where a scenario or a step is meant to run; takes the word out of it."""
    if (only := part.pop("topology", None)) is None:
        return TOPOLOGIES
    assert only in TOPOLOGIES, only
    return (only,)


#: What a worker tells, in an order that does not depend on which of its threads was faster.
KINDS = ("started", "failed", "released", "done", "lease_lost", "lost", "back")


def by_job(told: dict) -> tuple:
    """By ids; the events of one id by their kinds, and those of one kind as they were told."""
    return told["id"] or "", KINDS.index(told.get("kind", "started")), told["deliveries"] or 0


class Play:
    """One scenario in one language on one server or cluster, under a key prefix of its own."""

    def __init__(self, scenario: Scenario, runner: Runner, server: Server | Cluster, protocol: str) -> None:
        self.scenario, self.runner, self.server = scenario, runner, server
        self.topology = "cluster" if isinstance(server, Cluster) else "single"
        self.prefix = f"s{uuid.uuid4().hex[:12]}"
        self.topic = scenario.queue.get("topic", "orders")
        self.working = False
        self.words = {
            "$URL": f"{server.url}?protocol={protocol}",
            "$SCHEME": server.scheme,
            "$HOSTS": server.hosts,
            "$PREFIX": self.prefix,
            "$TOPIC": self.topic,
            "$USER": USER,
            "$PASSWORD": PASSWORD,
        }

    def run(self) -> None:
        self.started_ms = self.server.now_ms()
        self.runner.ask("open", url=self.words["$URL"], prefix=self.prefix)
        self.ask("queue", self.scenario.queue)
        try:
            self.take_steps()
        finally:
            if self.working:
                self.runner.ask("stop", deadline_ms=0)
        if self.scenario.after is not None:
            self.check_after(self.scenario.after)

    def take_steps(self) -> None:
        for number, step in enumerate(self.scenario.steps, 1):
            todo = dict(step)
            meant = self.runner.language in todo.pop("only", [self.runner.language])
            if self.topology in topologies(todo) and meant:
                try:
                    self.step(todo)
                except (AssertionError, Failure) as e:
                    raise AssertionError(f"step {number} {step}: {e}") from e

    def step(self, step: dict) -> None:
        gives, fails = step.pop("gives", None), step.pop("fails", None)
        ((op, arguments),) = step.items()
        arguments = self.fill(copy.deepcopy(arguments))
        if op in HARNESS_STEPS:
            getattr(self, op)(arguments)
            return
        before = None if self.working else self.dump()
        try:
            answer = self.ask(op, arguments or {})
        except Failure as failure:
            if fails is None:
                raise
            self.check_failure(fails, failure.error)
            if before is not None:
                assert keyspace.comparable(self.dump()) == keyspace.comparable(before), "a refusal must change nothing"
        else:
            assert fails is None, f"must fail with {fails}, gave {answer}"
            self.match(gives, answer)
            self.working = op == "work" or (self.working and op != "stop")
            if not self.working:
                self.check_invariants()

    def ask(self, op: str, arguments: dict):
        if op == "open":
            arguments = {"prefix": self.prefix, **arguments}
        if op == "queue":
            arguments = {"topic": self.topic, **arguments}
        answer = self.runner.ask(op, **self.spell_out(arguments))
        return sorted(answer, key=by_job) if op in ("worked", "handled") else answer

    def redis(self, command: list) -> None:
        self.server.command(*command)

    def elapse_ms(self, milliseconds: int) -> None:
        end = self.server.now_ms() + milliseconds
        wait_until(lambda: self.server.now_ms() > end, f"{milliseconds} ms are over")

    def fill(self, value):
        """Puts in what only this run knows."""
        if isinstance(value, str):
            for word, text in self.words.items():
                value = value.replace(word, text)
            return value
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items()}
        return value

    def spell_out(self, arguments: dict) -> dict:
        """A request without the shorthands of the scenarios; also for the nested ones of `enqueue_many`."""
        plain = {}
        for key, value in arguments.items():
            if key.endswith("_size"):
                plain[key[: -len("_size")]] = "x" * value
            elif key == "payload_hex":
                plain["payload"] = bytes.fromhex(value)
            elif key == "job" and isinstance(value, list):
                plain["job"] = [self.spell_out(job) if isinstance(job, dict) else job for job in value]
            elif value is None or isinstance(value, bool):
                plain[key] = int(value or 0)
            else:
                plain[key] = value
        return plain

    def dump(self):
        return keyspace.raw(self.server.redis, self.prefix)

    def check_invariants(self) -> None:
        keyspace.check_invariants(self.dump(), self.prefix, self.topic)

    def check_failure(self, fails, error: dict) -> None:
        expected = {"kind": fails} if isinstance(fails, str) else dict(fails)
        says = expected.pop("says", None)
        self.match(expected, error)
        assert error["message"], "an error has a sentence"
        if says is not None:
            assert self.fill(says) in error["message"], f"{error['message']!r} does not say {says!r}"

    def check_after(self, after: dict) -> None:
        actual = keyspace.sections(self.dump(), self.prefix, self.topic)
        meta, topics = actual.pop("meta"), actual.pop("topics")
        assert meta in ({}, {"layout": "1"}), meta
        assert topics in ({}, {self.topic: "1"}), topics
        stats = {key: value for key, value in actual.pop("stats").items() if ":" not in key}  # not the histograms
        if (expected_stats := after.get("stats")) is not None:
            assert stats == {key: str(value) for key, value in expected_stats.items()}, stats
        for name, found in actual.items():
            expected = after.get(name) or {}
            assert sorted(found) == sorted(map(str, expected)), f"{name} holds {sorted(found)}, not {sorted(expected)}"
            for key, want in expected.items():
                if name == "bodies" and isinstance(want, dict):
                    assert sorted(found[key]) == sorted(want), f"fields of {key}: {sorted(found[key])}"
                self.match(want, found[str(key)])

    def match(self, expected, actual) -> None:
        """`expected` may leave out fields; `+n` and `-n` are ms from now by the server's clock, `*` is anything,
        `+n..m` is from n to m ms from now."""
        if expected is None or expected == "*":
            assert expected is None or actual is not None, "there must be something"
        elif isinstance(expected, dict):
            if "payload" in expected and "payload_hex" in actual:
                actual = {
                    **actual,
                    "payload": bytes.fromhex(actual["payload_hex"]).decode("utf-8", "backslashreplace"),
                }
            if "last_error_length" in expected:
                actual = {**actual, "last_error_length": len(actual["last_error"])}
            for key, value in self.fill(expected).items():
                assert key in actual, f"no {key} in {actual}"
                if value is None:
                    assert actual[key] is None, f"{key} is {actual[key]!r}, not null"
                else:
                    self.match(value, actual[key])
        elif isinstance(expected, list):
            assert len(actual) == len(expected), f"{len(actual)} instead of {len(expected)}: {actual}"
            for want, have in zip(expected, actual):
                self.match(want, have)
        elif isinstance(expected, str) and (relative := RELATIVE.fullmatch(expected)):
            first, last = int(relative[1]), int(relative[2] or relative[1])
            low, high = self.started_ms + first, self.server.now_ms() + last
            assert low <= int(actual) <= high, f"{actual} is not {expected} ms from now ({low} to {high})"
        else:
            assert str(actual) == str(self.fill(expected)), f"{actual!r} is not {expected!r}"
