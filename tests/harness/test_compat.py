"""What earlier releases have left in Redis is read and worked on by this one, in every language."""

import json
import uuid

import compat
import pytest
from runners import LANGUAGES

RELEASES = sorted(compat.FOLDER.glob("*.json"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", RELEASES, ids=lambda file: file.stem)
def test_a_release_goes_on_where_another_stopped(file, language, new_runner, server):
    prefix = f"k{uuid.uuid4().hex[:12]}"
    compat.restore(server, prefix, json.loads(file.read_text()))
    runner = new_runner(language)
    runner.ask("open", url=server.url, prefix=prefix)
    runner.ask("queue", topic=compat.TOPIC)

    far = 4102444800123
    assert runner.ask("get", id="scheduled")["due_at_ms"] == far
    assert bytes.fromhex(runner.ask("get", id="scheduled")["payload_hex"]) == b"\x00\xff"
    assert runner.ask("get", id="done")["state"] == "done"
    assert runner.ask("enqueue", id="done", payload=b"x")["outcome"] == "done"
    dead = runner.ask("get", id="dead")
    assert (dead["state"], dead["last_error"], dead["retry_count"]) == ("dead", "broken", 1)
    assert runner.ask("get", id="lost")["state"] == "orphan"
    stats = runner.ask("stats")
    assert (stats["rate"], stats["burst"], stats["dead"], stats["orphans"]) == (1000, 50, 1, 1)
    assert stats["counters"]["delivered"] == stats["lateness"]["count"] == 6
    assert stats["processing_time"]["count"] == stats["counters"]["acked"] == 1

    # The lease that was held then has ended long ago; the retried job waits with its failure.
    assert runner.ask("requeue")["requeued"] == 1
    jobs = {job["id"]: job for job in runner.ask("pop", max=10)}
    assert sorted(jobs) == ["processing", "retried"]
    assert (jobs["retried"]["retry_count"], jobs["processing"]["deliveries"]) == (1, 2)
    assert runner.ask("redrive")["redriven"] == 1
    assert runner.ask("pop", **{"as": "redriven"})[0]["id"] == "dead"
    assert runner.ask("ack", job="redriven.0") == "acked"
    # The scheduled job has kept its own policy: linear, 7 s, spread by a quarter.
    runner.ask("enqueue", id="scheduled", payload=b"", mode="reschedule")
    assert [job["id"] for job in runner.ask("pop", **{"as": "own"})] == ["scheduled"]
    before = server.now_ms()
    assert 5250 <= runner.ask("retry", job="own.0")["due_at_ms"] - before <= 8750 + 60000


def test_the_present_release_has_its_file(runners):
    assert f"{runners('rust').ask('about')['version']}.json" in [file.name for file in RELEASES]
