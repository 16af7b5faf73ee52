"""Every scenario in every language, with RESP2 and with RESP3."""

import pytest
from runners import LANGUAGES
from scenario import Play, load_all

CASES = [
    pytest.param(
        scenario,
        language,
        marks=pytest.mark.scenario(scenario.name, language),
        id=f"{scenario.name}-{language}",
    )
    for scenario in load_all()
    for language in LANGUAGES
    if scenario.languages is None or language in scenario.languages
]


@pytest.mark.parametrize("protocol", ["resp2", "resp3"])
@pytest.mark.parametrize(("scenario", "language"), CASES)
def test_scenario(scenario, language, protocol, runners, server):
    Play(scenario, runners(language), server, protocol).run()
