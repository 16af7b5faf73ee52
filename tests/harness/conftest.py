"""Servers and runners for the tests that bind the languages together, and the table of what ran where."""

from __future__ import annotations

from pathlib import Path

import pytest
from cluster import Cluster
from runners import LANGUAGES, Runner
from servers import Server, binaries, repository

TABLE = pytest.StashKey[dict]()
FAULTS = pytest.StashKey[dict]()


def pytest_addoption(parser) -> None:
    parser.addoption("--topology", default=None, help="only scenarios on this topology: single or cluster")
    parser.addoption(
        "--server",
        default=None,
        help="name or path of the server binary; default: the first found",
    )


@pytest.fixture(scope="session")
def binary(request) -> str:
    found = binaries()
    wanted = request.config.getoption("--server") or next(iter(found), None)
    assert wanted, "no server binary was found; `make build` brings one"
    return found.get(wanted, wanted)


@pytest.fixture(scope="session")
def server(binary):
    server = Server(binary)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def cluster(binary):
    cluster = Cluster(binary)
    yield cluster
    cluster.stop()


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


@pytest.fixture
def table(request):
    """Takes down what became of the workers under a fault: ms, or a text, per language."""

    def add(fault: str, row: dict[str, object]) -> None:
        request.config.stash[FAULTS][fault] = row

    return add


def pytest_collection_modifyitems(config, items) -> None:
    if chosen := config.getoption("topology"):
        markers = [(item, item.get_closest_marker("scenario")) for item in items]
        items[:] = [item for item, marker in markers if marker is None or marker.args[2] == chosen]


def pytest_configure(config) -> None:
    config.stash[TABLE], config.stash[FAULTS] = {}, {}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    marker = item.get_closest_marker("scenario")
    if marker and call.when == "call":
        name, *column = marker.args
        row = item.config.stash[TABLE].setdefault(name, {})
        if row.get(tuple(column), "passed") == "passed":  # one failure under one protocol is a failure
            row[tuple(column)] = outcome.get_result().outcome


def pytest_sessionfinish(session) -> None:
    write_faults(session.config.stash[FAULTS])
    write_scenarios(session)


def write_faults(rows: dict[str, dict[str, object]]) -> None:
    """What is timed, by language."""
    head = {"workers: state, fault, what is timed": dict(zip(LANGUAGES, LANGUAGES))}
    lines = []
    for fault, row in (head | rows).items():
        cells = (f"{cell} ms" if isinstance(cell, int) else cell for cell in map(row.get, LANGUAGES))
        lines.append(f"{fault:72}" + "".join(f"{cell:20}" for cell in cells))
    if rows:
        folder = repository() / "target"
        folder.mkdir(exist_ok=True)
        (folder / "worker-faults.txt").write_text("\n".join(map(str.rstrip, lines)) + "\n")


def write_scenarios(session) -> None:
    """Every scenario must have run in every language and topology that it names, or the run fails; only a
    selection may not."""
    table = session.config.stash[TABLE]
    if not table:
        return
    from scenario import TOPOLOGIES, load_all

    chosen = session.config.getoption("topology")
    topologies = [topology for topology in TOPOLOGIES if chosen in (None, topology)]
    columns = [(language, topology) for topology in topologies for language in LANGUAGES]
    lines = [
        " " * 56 + "".join(f"{topology:{8 * len(LANGUAGES)}}" for topology in topologies),
        f"{'scenario':56}" + "".join(f"{language:8}" for language, _ in columns),
    ]
    holes = []
    for scenario in load_all():
        row = table.get(scenario.name, {})
        cells = []
        for language, topology in columns:
            meant = scenario.is_meant_for(language, topology)
            cells.append(row.get((language, topology), "HOLE") if meant else "-")
            if cells[-1] == "HOLE":
                holes.append(f"{scenario.name} in {language}, {topology}")
        lines.append(f"{scenario.name:56}" + "".join(f"{cell:8}" for cell in cells))
    folder = repository() / "target"
    folder.mkdir(exist_ok=True)
    name = session.config.getoption("server")
    (folder / (f"scenarios-{Path(name).name}.txt" if name else "scenarios.txt")).write_text(
        "\n".join(map(str.rstrip, lines)) + "\n"
    )
    if holes and not session.config.getoption("keyword"):
        print(f"\n{len(holes)} holes in the scenario table: {holes[:5]}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
