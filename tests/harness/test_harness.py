"""The harness must be able to fail: wrong expectations of every kind are noticed."""

import pytest
from scenario import TOPOLOGIES, Play, Scenario

STORED = {"enqueue": {"id": "a", "payload": "one", "delay_ms": 60000}}
DUE = {"enqueue": {"id": "a", "payload": "one"}}
BODY = {"payload": "one", "topic": "orders", "created_at": "+0"}


def play(runner, server, steps, after=None, queue=None):
    scenario = Scenario("self/test", "", None, TOPOLOGIES, queue or {}, steps, after)
    Play(scenario, runner, server, "resp2").run()


def test_right_expectations_hold(runners, server):
    after = {
        "scheduled": {"a": "+60000"},
        "bodies": {"a": BODY},
        "stats": {"enqueued": 1},
    }
    play(runners("rust"), server, [{**STORED, "gives": {"outcome": "created"}}], after)


@pytest.mark.parametrize(
    ("steps", "after"),
    [
        ([{**STORED, "gives": {"outcome": "replaced"}}], None),
        ([{**STORED, "gives": {"due_at_ms": "+59000"}}], None),
        ([{**STORED, "gives": {"nonsense": 1}}], None),
        ([{**STORED, "fails": "invalid_argument"}], None),
        ([{"enqueue": {"id": ""}}], None),
        ([{"enqueue": {"id": ""}, "fails": "lease_lost"}], None),
        (
            [
                {
                    "enqueue": {"id": ""},
                    "fails": {"kind": "invalid_argument", "says": "no such words"},
                }
            ],
            None,
        ),
        ([{"pop": {}, "gives": [{"id": "a"}]}], None),
        ([STORED], {}),
        ([STORED], {"scheduled": {"b": "+60000"}, "bodies": {"a": BODY}}),
        ([STORED], {"scheduled": {"a": "+1"}, "bodies": {"a": BODY}}),
        ([STORED], {"scheduled": {"a": "+60000"}}),
        (
            [STORED],
            {"scheduled": {"a": "+60000"}, "bodies": {"a": {**BODY, "payload": "two"}}},
        ),
        (
            [STORED],
            {"scheduled": {"a": "+60000"}, "bodies": {"a": {**BODY, "extra": 1}}},
        ),
        (
            [STORED],
            {
                "scheduled": {"a": "+60000"},
                "bodies": {"a": BODY},
                "stats": {"enqueued": 2},
            },
        ),
        (
            [STORED, {"redis": ["ZADD", "$PREFIX:dlq:{orders}", 1, "a"]}, {"pop": {}}],
            None,
        ),
        ([{"redis": ["SET", "$PREFIX:unknown", 1]}, {"pop": {}}], None),
        ([DUE, {"work": {}}, {"worked": {"kind": "done"}, "gives": [{"kind": "started"}]}], None),
        ([DUE, {"work": {}}, {"handled": {}, "gives": [{"id": "a", "revoked": True}]}], None),
        ([{"work": {}}, {"worked": {"kind": "done", "wait_ms": 1}, "gives": [{"kind": "done"}]}], None),
        ([{"work": {}, "fails": "invalid_argument"}], None),
    ],
)
def test_wrong_expectations_are_noticed(steps, after, runners, server):
    with pytest.raises(AssertionError):
        play(runners("rust"), server, steps, after)


def test_a_worker_that_is_not_stopped_is_stopped_at_the_end(runners, server):
    play(runners("rust"), server, [{"work": {}}])
    assert runners("rust").ask("health")["stopping"]
