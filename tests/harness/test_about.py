"""The lists that every language must agree on: versions, verbs, error kinds; and what ran is what exists."""

import re

import pytest
from runners import LANGUAGES
from scenario import HARNESS_STEPS, load_all
from servers import repository

CORE = "rust"


@pytest.mark.parametrize("language", LANGUAGES)
def test_language_lists_equal_the_cores(language, runners):
    core, own = runners(CORE).ask("about"), runners(language).ask("about")
    assert own["language"] == language
    assert own["version"] == core["version"]
    assert own["verbs"] == core["verbs"]
    assert own["error_kinds"] == core["error_kinds"]


def test_one_version(runners):
    root = repository()
    cargo = (root / "Cargo.toml").read_text()
    version = re.search(r'^version = "([^"]+)"', cargo, re.M).group(1)
    assert f'delayq = {{ path = "core", version = "={version}" }}' in cargo
    assert runners(CORE).ask("about")["version"] == version
    assert f'"version": "{version}"' in (root / "bindings-node/package.json").read_text()
    assert f'#define DELAYQ_VERSION "{version}"' in (root / "include/delayq.h").read_text()
    latest = re.search(r"^## (\S+)", (root / "CHANGELOG.md").read_text(), re.M).group(1)
    assert latest == version


def test_every_verb_has_its_file_its_module_and_its_scenarios(runners):
    root = repository()
    used = {op for scenario in load_all() for step in scenario.steps for op in step}
    for verb in runners(CORE).ask("about")["verbs"]:
        assert verb in used - HARNESS_STEPS, f"no scenario uses {verb}"
        single = verb.removesuffix("_many")
        assert (root / f"lua/{single}.lua").is_file()
        assert (root / f"core/src/verbs/{single}.rs").is_file()
        assert (root / f"tests/scenarios/{verb}.yaml").is_file()


def test_every_verb_runs_in_a_cluster(runners):
    """A step that must fail does not count: it may never reach a node. That the scenarios did run there is seen
    at the end of the session, by the holes of the table."""
    run = {
        op
        for scenario in load_all()
        if "cluster" in scenario.topologies
        for step in scenario.steps
        if step.get("topology", "cluster") == "cluster" and "fails" not in step
        for op in step
    }
    assert set(runners(CORE).ask("about")["verbs"]) <= run


def test_the_wire_contract_is_documented(runners):
    text = (repository() / "docs/errors.md").read_text()
    for code, slug in runners(CORE).ask("about")["error_kinds"]:
        assert f"| {code} | `{slug}` |" in text
