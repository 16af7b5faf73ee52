"""What must hold for every verb in every language: refusals that do not depend on the verb, and the table of the
tests that raise each kind of error."""

from __future__ import annotations

import re
import uuid

import pytest
from faults import SilentProxy
from runners import LANGUAGES, Failure
from scenario import load_all
from servers import repository

#: Verb -> the least that it needs; `$JOB` is a job that was popped.
CALLS: dict[str, dict] = {
    "enqueue": {"id": "a", "payload": b"x"},
    "enqueue_many": {"job": [{"id": "a", "payload": b"x"}]},
    "pop": {"as": "other"},
    "ack": {"job": "jobs.0"},
    "ack_many": {"job": ["jobs.0"]},
    "retry": {"job": "jobs.0"},
    "retry_many": {"job": [{"job": "jobs.0"}]},
    "release": {"job": "jobs.0"},
    "release_many": {"job": ["jobs.0"]},
    "extend": {"job": "jobs.0"},
    "extend_many": {"job": ["jobs.0"]},
    "requeue": {},
    "cancel": {"id": "a"},
    "get": {"id": "a"},
    "list": {"state": "dead"},
    "redrive": {},
    "purge": {"state": "dead"},
    "repair": {},
    "stats": {},
    "pause": {},
    "resume": {},
    "limit": {"rate": 5},
}

#: Kinds that a plain scenario cannot raise -> the test that does.
ELSEWHERE = {"timeout": "test_every_verb.py::test_no_answer_is_a_timeout"}


@pytest.fixture
def prepared(new_runner, server):
    """A runner that holds a job, under a prefix of its own."""

    def make(language: str, url: str | None = None):
        runner, prefix = new_runner(language), f"v{uuid.uuid4().hex[:12]}"
        runner.ask("open", url=url or server.url, prefix=prefix, timeout_ms=400, retry_for_ms=0)
        runner.ask("queue", topic="orders")
        runner.ask("enqueue", id="held", payload=b"x")
        assert len(runner.ask("pop", max=1)) == 1
        return runner, prefix

    return make


def refused(runner, verb: str) -> dict:
    with pytest.raises(Failure) as caught:
        runner.ask(verb, **CALLS[verb])
    error = caught.value.error
    assert (error["verb"], error["topic"]) == (verb, "orders"), error
    return error


def test_the_calls_are_of_all_verbs(runners):
    assert list(CALLS) == runners("rust").ask("about")["verbs"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_closed(language, prepared):
    runner, _ = prepared(language)
    runner.ask("close")
    for verb in CALLS:
        assert refused(runner, verb)["kind"] == "closed", verb


@pytest.mark.parametrize("language", LANGUAGES)
def test_unreachable(language, prepared):
    runner, prefix = prepared(language)
    runner.ask("open", url="redis://127.0.0.1:1", prefix=prefix, retry_for_ms=0)
    runner.ask("queue", topic="orders")
    for verb in CALLS:
        error = refused(runner, verb)
        assert (error["kind"], error["retryable"]) == ("unavailable", True), verb


@pytest.mark.parametrize("language", LANGUAGES)
def test_unknown_layout(language, prepared, server):
    runner, prefix = prepared(language)
    server.redis.hset(f"{prefix}:meta", "layout", "99")
    runner.ask("open", url=server.url, prefix=prefix)
    runner.ask("queue", topic="orders")
    for verb in CALLS:
        assert refused(runner, verb)["kind"] == "incompatible", verb


@pytest.mark.parametrize("language", LANGUAGES)
def test_foreign_keys(language, prepared, server):
    """Each key of the topic in turn holds something else: a verb works without it, or names it and writes nothing."""
    runner, prefix = prepared(language)
    keys = [k % "{orders}" for k in ("zset:%s", "processing:%s", "dlq:%s", "zset:%s:orphan", "stats:%s", "conf:%s")]
    for key in (f"{prefix}:{key}" for key in keys):
        saved = server.redis.dump(key)
        server.redis.set(key, "foreign")
        named = 0
        for verb in CALLS:
            try:
                runner.ask(verb, **CALLS[verb])
            except Failure as failure:
                if failure.error["kind"] != "lease_lost" and failure.error["kind"] != "not_found":
                    assert failure.error["kind"] == "server", (verb, failure.error)
                    assert f"{key} holds a string" in failure.error["message"], (verb, failure.error)
                    named += 1
            assert server.redis.get(key) == b"foreign", f"{verb} wrote over {key}"
        assert named, f"no verb noticed {key}"
        server.redis.delete(key)
        if saved:
            server.redis.restore(key, 0, saved)
        server.redis.hdel(f"{prefix}:conf:{{orders}}", "paused")


@pytest.mark.parametrize("language", LANGUAGES)
def test_forgotten_scripts(language, prepared, server):
    """Before each verb the server forgets every script; each verb does its work all the same."""
    runner, _ = prepared(language)
    for verb in CALLS:
        runner.ask("enqueue", id="a", payload=b"x", ignore_done=1)
        runner.ask("pop")
        server.redis.script_flush()
        runner.ask(verb, **CALLS[verb])
        if verb == "pause":
            runner.ask("resume")


def test_the_documented_acl_rule_is_enough(new_runner, server):
    """Every verb, with a dead job and a lost half on either side for those that look for them."""
    text = (repository() / "docs/operations.md").read_text()
    rule = re.search(r"```text\nresetkeys (.*?)\n```", text, re.S).group(1).split()
    user, topic = f"least{uuid.uuid4().hex[:8]}", f"acl{uuid.uuid4().hex[:8]}"
    server.redis.execute_command("ACL", "SETUSER", user, "on", ">pw", "resetkeys", *rule)
    runner = new_runner("rust")
    runner.ask("open", url=f"redis://{user}:pw@{server.hosts}/0")
    runner.ask("queue", topic=topic, policy={"kind": "fixed", "base_ms": 1, "max_retries": 0})
    for verb in CALLS:
        for id in ("dead", "body", "index"):
            runner.ask("enqueue", id=id, payload=b"x", delay_ms=0 if id == "dead" else 60000)
        for job in range(len(runner.ask("pop", max=10))):
            runner.ask("retry", job=f"jobs.{job}")
        server.redis.zrem(f"delay:zset:{{{topic}}}", "body")
        server.redis.delete(f"delay:job:{{{topic}}}:index")
        runner.ask("enqueue", id="a", payload=b"x", ignore_done=1)
        assert len(runner.ask("pop", max=1)) == 1
        runner.ask(verb, **CALLS[verb])
        if verb == "pause":
            runner.ask("resume")
    runner.ask("limit", rate="")
    server.redis.execute_command("ACL", "DELUSER", user)
    for key in server.redis.scan_iter(match=f"delay:*{topic}*".encode()):
        server.redis.delete(key)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_answer_is_a_timeout(language, prepared, server):
    """A verb that is not safe to repeat reports an unknown outcome; the next call gets its own answer."""
    with SilentProxy(server.port) as proxy:
        runner, _ = prepared(language, url=proxy.url)
        for verb in CALLS:
            proxy.silent = True
            error = refused(runner, verb)
            proxy.silent = False
            assert (error["kind"], error["retryable"]) == ("timeout", True), (verb, error)
            assert runner.ask("ping") is None


def test_every_kind_is_raised_in_every_language(runners):
    """The table of error kinds: which scenario or test raises each, in which languages."""
    table: dict[str, dict[str, str]] = {}
    for scenario in load_all():
        for step in scenario.steps:
            fails = step.get("fails")
            kind = fails["kind"] if isinstance(fails, dict) else fails
            for language in step.get("only", scenario.languages or LANGUAGES) if kind else ():
                table.setdefault(kind, {}).setdefault(language, scenario.name)
    for kind, test in ELSEWHERE.items():
        table[kind] = dict.fromkeys(LANGUAGES, test)
    lines = []
    for _, kind in runners("rust").ask("about")["error_kinds"]:
        row = table.get(kind, {})
        missing = set(LANGUAGES) - row.keys()
        assert not missing, f"nothing raises {kind} in {missing}"
        lines.append(f"{kind:18} " + "   ".join(f"{language}: {row[language]}" for language in LANGUAGES))
    folder = repository() / "target"
    folder.mkdir(exist_ok=True)
    (folder / "errors.txt").write_text("\n".join(lines) + "\n")
