"""The header compiles anywhere, says everything about every function, and is what the sources say."""

import re

import pytest
from build import C_STANDARDS, CPP_STANDARDS, HEADER, ROOT, functions, run, tool


@pytest.mark.parametrize("standard", C_STANDARDS + CPP_STANDARDS)
def test_it_compiles_alone_without_a_warning(standard, build, tmp_path):
    language = ["-x", "c++"] if standard.startswith("c++") else ["-x", "c"]
    build("include_only.c", *language, standard=standard)


def test_it_is_what_the_sources_say():
    run(
        tool("cargo"),
        "run",
        "-q",
        "--manifest-path",
        ROOT / "Cargo.toml",
        "-p",
        "delayq-c",
        "--features",
        "header",
        "--bin",
        "header",
        "--",
        "--check",
    )


def test_every_function_says_since_when_it_exists_and_what_it_does():
    text = HEADER.read_text()
    names = functions()
    assert len(names) > 60 and len(set(names)) == len(names)
    for name in names:
        found = re.search(rf"/\*\*((?:(?!\*/).)*)\*/\n[\w *]+\b{name}\(", text, re.S)
        assert found, f"{name} is not documented"
        assert re.search(r"Since: \d+\.\d+\.\d+", found[1]), f"{name} does not say since when it exists"
        assert len(found[1].split("Since:")[0].split()) > 4, f"{name} hardly says anything"


def test_every_borrowed_pointer_says_how_long_it_lives():
    text = HEADER.read_text()
    borrowed = re.findall(r"/\*\*((?:(?!\*/).)*)\*/\nconst [\w ]+ \*(delayq_\w+)\(", text, re.S)
    assert len(borrowed) > 15
    for comment, name in borrowed:
        assert re.search(r"Valid until|Lives as long as", comment), f"{name} does not say how long its result lives"


def test_every_new_has_its_free():
    names = set(functions())
    for name in names:
        if name.endswith("_new"):
            assert name.removesuffix("_new") + "_free" in names
