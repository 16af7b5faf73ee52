"""Rules and tables that the documents give are those that work."""

import re
import uuid

from servers import repository, wait_until


def test_the_acl_rule_is_enough(server, new_runner):
    text = (repository() / "docs/operations.md").read_text()
    rule = re.search(r"```text\nresetkeys (.*?)\n```", text, re.S).group(1).split()
    user, topic = f"least{uuid.uuid4().hex[:8]}", f"acl{uuid.uuid4().hex[:8]}"
    server.redis.execute_command("ACL", "SETUSER", user, "on", ">pw", "resetkeys", *rule)
    runner = new_runner("rust")
    channel = f"delay:wake:{{{topic}}}"
    for protocol in ("resp2", "resp3"):
        runner.ask("open", url=f"redis://{user}:pw@{server.hosts}/0?protocol={protocol}")
        runner.ask("queue", topic=topic, lease_ms=1)
        runner.ask("enqueue", id="a", payload=b"x")
        runner.ask("pop")
        wait_until(lambda: runner.ask("requeue")["requeued"], "the lease is swept")
        runner.ask("pop", lease_ms=60000)
        assert runner.ask("ack", job="jobs.0") == "acked"
        assert runner.ask("enqueue", id="a", payload=b"x", ignore_done=1)["outcome"] == "created"
        assert runner.ask("cancel", id="a") == "scheduled"
        runner.ask("pop", wait_ms=1)
        wait_until(lambda: server.redis.pubsub_numsub(channel)[0][1] > 0, "the listener may listen")
    server.redis.execute_command("ACL", "DELUSER", user)
    for key in server.redis.scan_iter(match=f"delay:*{topic}*".encode()):
        server.redis.delete(key)


def test_every_verb_has_its_heading(runners):
    text = (repository() / "docs/guide.md").read_text()
    for verb in runners("rust").ask("about")["verbs"]:
        assert f"\n## {verb}\n" in text
