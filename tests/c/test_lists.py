"""The lists of the library equal those of the core and of the header."""

import re

import pytest
from build import ROOT, enumerators, functions, run


@pytest.fixture
def lists(build, link_shared):
    lines = run(build("lists.c", *link_shared)).splitlines()
    return lambda name: [line.split()[1:] for line in lines if line.split()[0] == name]


def test_version(lists):
    version = re.search(r'^version = "([^"]+)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    major, minor, patch = (int(part) for part in version.split("."))
    assert lists("version") == [[version, version, str(major * 1_000_000 + minor * 1000 + patch)]]
    assert lists("parts") == [[version]]


def test_error_kinds(lists):
    core = re.findall(
        r'^    \w+ = (\d+), "(\w+)", retryable',
        (ROOT / "core/src/error.rs").read_text(),
        re.M,
    )
    assert len(core) > 5
    assert lists("kind") == [list(kind) for kind in core]
    assert enumerators("DELAYQ_ERR_") == {f"DELAYQ_ERR_{slug.upper()}": int(code) for code, slug in core}


def test_verbs_and_their_functions(lists):
    text = (ROOT / "core/src/verbs/mod.rs").read_text()
    core = re.findall(r'"(\w+)"', re.search(r"VERBS: &\[&str\] = &\[(.*?)\]", text, re.S)[1])
    assert [verb for (verb,) in lists("verb")] == core
    assert {f"delayq_queue_{verb}" for verb in core} <= set(functions())


def test_counters(lists):
    text = (ROOT / "core/src/numbers.rs").read_text()
    core = re.findall(r'"(\w+)"', re.search(r"COUNTERS: &\[&str\] = &\[(.*?)\]", text, re.S)[1])
    assert len(core) > 5
    assert [name for (name,) in lists("counter")] == core


@pytest.mark.parametrize("name", ["mode", "state", "enqueue", "ack", "retry", "release", "extend", "cancel", "event"])
def test_words_of_an_enum(name, lists):
    prefix = f"DELAYQ_{name.upper()}_"
    named = {word.removeprefix(prefix).lower(): value for word, value in enumerators(prefix).items()}
    named.pop("none", None)
    assert {word: int(value) for value, word in lists(name)} == named
