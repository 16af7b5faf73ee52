"""A worker in each language, each on topics of its own: they suffer a fault together, and are timed apart."""

from __future__ import annotations

import select
import time
import uuid
from typing import Callable

from runners import LANGUAGES, LIMIT_SECONDS, Runner
from servers import wait_until

#: Nothing of these tests is meant to come due by itself.
FAR_MS = 6 * 3600 * 1000


class Crew:
    """One worker process per language, and a runner that acts on their topics."""

    def __init__(self, new_runner: Callable[[str], Runner], url: str, *, lease_ms: int = 30000, **client: object):
        self.new_runner, self.lease_ms = new_runner, lease_ms
        self.prefix = f"f{uuid.uuid4().hex[:12]}"
        self.client = {"prefix": self.prefix, "retry_for_ms": 20000, **client}
        self.topics: dict[str, list[str]] = {language: [language] for language in LANGUAGES}
        self.actor = self.open(url, "rust")
        self.workers = {language: self.open(url, language) for language in LANGUAGES}

    def open(self, url: str, language: str) -> Runner:
        runner = self.new_runner(language)
        runner.ask("open", url=url, **self.client)
        return runner

    def work(self, **options: object) -> None:
        for language, worker in self.workers.items():
            self.start(worker, language, **options)

    def start(self, worker: Runner, language: str, **options: object) -> None:
        """A worker on the topics of a language, whatever its own one is."""
        worker.ask("queue", topic=self.topics[language][0], lease_ms=self.lease_ms)
        worker.ask("work", topic=self.topics[language], **options)

    def act(self, topic: str, op: str, **pairs: object):
        """As somebody else would, who knows nothing of the workers."""
        self.actor.ask("queue", topic=topic)
        return self.actor.ask(op, **pairs)

    def act_on_all(self, op: str, **pairs: object) -> None:
        for topics in self.topics.values():
            for topic in topics:
                self.act(topic, op, **pairs)

    def are_heard(self, server, listeners: int = 1) -> None:
        """Waits until each worker listens for hints and has looked for jobs, so that nothing but a hint, a due time or
        a look for safety wakes it."""
        channels = [f"{self.prefix}:wake:{{{topic}}}" for topics in self.topics.values() for topic in topics]
        wait_until(lambda: all(n == listeners for _, n in server.redis.pubsub_numsub(*channels)), "the workers listen")

        calls, since = None, time.monotonic()

        def sleep() -> bool:
            nonlocal calls, since
            now = server.redis.info("commandstats").get("cmdstat_evalsha", {}).get("calls", 0)
            if now != calls:
                calls, since = now, time.monotonic()
            return time.monotonic() - since > 0.1

        wait_until(sleep, "the workers sleep")

    def until(self, kind: str, count: int) -> dict[str, list[dict]]:
        """Waits until each worker has told of so many events of a kind."""
        for worker in self.workers.values():
            worker.send("worked", kind=kind, count=count)
        return {language: self.told(language, kind, count) for language in self.workers}

    def told(self, language: str, kind: str, count: int) -> list[dict]:
        events = self.workers[language].receive()
        found = sum(event["kind"] == kind for event in events)
        assert found >= count, f"{language}: {found} of {count} {kind}; told were {events[-20:]}"
        return events

    def time(self, op: str, act: Callable[[str], object] | None = None, fault=None, **pairs: object) -> dict[str, int]:
        """Sends a request to each worker, then comes the fault, then the act on each one's topic. How many ms after
        its act, or after the fault, each worker has answered."""
        for worker in self.workers.values():
            worker.send(op, **pairs)
        if fault is not None:
            fault()
            self.actor.ask("ping")  # may find its connection broken, and repeat; an act may not
        began, took = dict.fromkeys(self.workers, time.monotonic()), {}
        for language in self.workers if act is not None else ():
            began[language] = time.monotonic()
            act(language)
        while waiting := {w.process.stdout: name for name, w in self.workers.items() if name not in took}:
            ready, _, _ = select.select(list(waiting), [], [], LIMIT_SECONDS)
            assert ready, f"no answer from {sorted(waiting.values())}"
            for language in map(waiting.get, ready):
                took[language] = round((time.monotonic() - began[language]) * 1000)
                if op == "worked":
                    self.told(language, pairs["kind"], pairs["count"])
                else:
                    self.workers[language].receive()
        return took

    def accounts(self, far: int = 0) -> dict[str, dict[str, int]]:
        """Waits until nothing but the far jobs is left, and asserts that none was lost and that each delivery but
        one has ended by a failure, a release or a lease that ran out. Gives the counters of each language."""
        return {
            language: add_up([self.settled(topic, far) for topic in topics]) for language, topics in self.topics.items()
        }

    def settled(self, topic: str, far: int) -> dict[str, int]:
        self.actor.ask("queue", topic=topic)

        def idle() -> dict | None:
            stats = self.actor.ask("stats")
            return stats if (stats["backlog"], stats["processing"]) == (far, 0) else None

        stats = wait_until(idle, f"nothing is left of {topic}", 40)
        c = stats["counters"]
        assert stats["orphans"] == 0
        assert c["acked"] + stats["dead"] + far == c["enqueued"], (topic, stats)
        assert c["delivered"] == sum(c[name] for name in ("acked", "retried", "dead", "released", "expired")), c
        return c

    def runs(self, language: str) -> list[str]:
        """The ids that the handlers of a worker have been given, each as often as it was."""
        return [f"{run['topic']}/{run['id']}" for run in self.workers[language].ask("handled")]


def add_up(counters: list[dict[str, int]]) -> dict[str, int]:
    return {name: sum(each[name] for each in counters) for name in counters[0]}
