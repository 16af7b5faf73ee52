"""Servers and runners for the tests that bind the languages together, and the table of what ran where."""

from __future__ import annotations

import pytest
from runners import LANGUAGES, Runner
from servers import Server, binaries, repository

TABLE = pytest.StashKey[dict]()


def pytest_addoption(parser) -> None:
    parser.addoption(
        "--server",
        default=None,
        help="name or path of the server binary; default: the first found",
    )


@pytest.fixture(scope="session")
def server(request):
    found = binaries()
    wanted = request.config.getoption("--server") or next(iter(found), None)
    assert wanted, "no server binary was found; `make build` brings one"
    server = Server(found.get(wanted, wanted))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def runners():
    """One long-lived runner per language."""
    started: dict[str, Runner] = {}

    def get(language: str) -> Runner:
        if language not in started or started[language].process.poll() is not None:
            started[language] = Runner(language)
        return started[language]

    yield get
    for runner in started.values():
        if runner.process.poll() is None:
            runner.stop()


@pytest.fixture
def new_runner():
    """Makes runners that end with the test."""
    started: list[Runner] = []

    def make(language: str) -> Runner:
        started.append(Runner(language))
        return started[-1]

    yield make
    for runner in started:
        if runner.process.poll() is None:
            runner.stop()


def pytest_configure(config) -> None:
    config.stash[TABLE] = {}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    marker = item.get_closest_marker("scenario")
    if marker and call.when == "call":
        name, language = marker.args
        row = item.config.stash[TABLE].setdefault(name, {})
        if row.get(language, "passed") == "passed":  # one failure under one protocol is a failure
            row[language] = outcome.get_result().outcome


def pytest_sessionfinish(session) -> None:
    """Every scenario must have run in every language that it names, or the run fails; only a selection may not."""
    table = session.config.stash[TABLE]
    if not table:
        return
    from scenario import load_all

    lines = [f"{'scenario':56} " + " ".join(f"{language:7}" for language in LANGUAGES)]
    holes = []
    for scenario in load_all():
        row = table.get(scenario.name, {})
        cells = []
        for language in LANGUAGES:
            meant = scenario.languages is None or language in scenario.languages
            cells.append(row.get(language, "HOLE") if meant else "-")
            if cells[-1] == "HOLE":
                holes.append(f"{scenario.name} in {language}")
        lines.append(f"{scenario.name:56} " + " ".join(f"{cell:7}" for cell in cells))
    folder = repository() / "target"
    folder.mkdir(exist_ok=True)
    (folder / "scenarios.txt").write_text("\n".join(lines) + "\n")
    if holes and not session.config.getoption("keyword"):
        print(f"\n{len(holes)} holes in the scenario table: {holes[:5]}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
