"""Every scenario in every language: on one server with RESP2 and with RESP3, and on a cluster."""

import pytest
from runners import LANGUAGES
from scenario import TOPOLOGIES, Play, load_all

#: The protocol makes no difference to a cluster; its own tests in the core use both.
RUNS = [("single", "resp2"), ("single", "resp3"), ("cluster", "resp3")]

CASES = [
    pytest.param(
        scenario,
        language,
        topology,
        protocol,
        marks=pytest.mark.scenario(scenario.name, language, topology),
        id=f"{scenario.name}-{language}-{topology}-{protocol}",
    )
    for topology, protocol in RUNS
    for scenario in load_all()
    for language in LANGUAGES
    if scenario.is_meant_for(language, topology)
]


@pytest.mark.parametrize(("scenario", "language", "topology", "protocol"), CASES)
def test_scenario(scenario, language, topology, protocol, runners, request):
    server = request.getfixturevalue({"single": "server", "cluster": "cluster"}[topology])
    Play(scenario, runners(language), server, protocol).run()


def test_every_topology_has_its_runs():
    assert {topology for topology, _ in RUNS} == set(TOPOLOGIES)
