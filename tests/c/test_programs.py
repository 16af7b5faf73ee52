"""Programs that use the whole library, under tools that see what it leaks or breaks."""

import re
from pathlib import Path

import pytest
from build import CPP_STANDARDS, functions, run, tool

HERE = Path(__file__).resolve().parent
PROGRAMS = ("smoke.c", "leases.c", "topics.c", "nulls.c", "threads.c", "worker.c", "worker_nulls.c")


@pytest.mark.parametrize("program", PROGRAMS)
def test_shared(program, build, link_shared, url):
    run(build(program, *link_shared), url)


@pytest.mark.parametrize("program", PROGRAMS)
def test_valgrind_finds_no_leak_and_no_error(program, build, link_shared, url):
    # What the library keeps for the life of the process stays reachable; everything else must be freed.
    leaks = (
        "--leak-check=full",
        "--errors-for-leak-kinds=definite,possible",
        "--error-exitcode=9",
    )
    run(
        tool("valgrind"),
        "-q",
        *leaks,
        "--fair-sched=yes",
        build(program, *link_shared),
        url,
    )


@pytest.mark.parametrize("program", PROGRAMS)
def test_sanitizers_find_no_error_with_the_static_library(program, build, static_library, url):
    sanitizers = (
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
        "-fno-omit-frame-pointer",
    )
    run(build(program, *sanitizers, static_library), url)


@pytest.mark.parametrize("standard", CPP_STANDARDS)
def test_cpp(standard, build, link_shared, url):
    run(build("raii.cpp", *link_shared, standard=standard), url)


def test_every_function_is_called_with_null():
    text = "".join((HERE / name).read_text() for name in ("nulls.c", "worker_nulls.c"))
    missing = [name for name in functions() if not re.search(rf"\b{name}\(", text)]
    assert missing == []


def test_every_function_is_used_as_it_should_be():
    used = ("smoke.c", "leases.c", "topics.c", "topic.h", "lists.c", "threads.c", "worker.c", "check.h")
    text = "".join((HERE / name).read_text() for name in used)
    missing = [name for name in functions() if not re.search(rf"\b{name}\(", text)]
    assert missing == []
