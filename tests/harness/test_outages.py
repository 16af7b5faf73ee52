"""Servers that lose all data, restart or load: producers and consumers in every language go on by themselves."""

from __future__ import annotations

import subprocess
import uuid

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from runners import LANGUAGES, Failure, Runner
from servers import Server, free_port, wait_until


@pytest.fixture
def lossy(binary):
    """A server that this test may empty and restart."""
    started = [Server(binary)]

    def restart() -> Server:
        port = started[-1].port
        started[-1].stop()
        started.append(Server(binary, port))
        return started[-1]

    yield started[0], restart
    started[-1].stop()


def insist(runner: Runner, op: str, **pairs):
    """The answer to a request that was sent; one that was under way when the server went may be asked again."""
    while True:
        try:
            return runner.receive()
        except Failure as failure:
            assert failure.error["kind"] == "timeout", failure
            runner.send(op, **pairs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_data_is_lost_while_a_consumer_waits(language, new_runner, lossy):
    server, restart = lossy
    prefix = f"l{uuid.uuid4().hex[:12]}"
    producer, consumer = new_runner(language), new_runner(language)
    for runner in (producer, consumer):
        runner.ask("open", url=server.url, prefix=prefix, retry_for_ms=20000)
        runner.ask("queue", topic="orders")
    producer.ask("enqueue", id="lost", payload=b"x", delay_ms=60000)
    for lose in (lambda: server.redis.flushall(), restart):
        consumer.send("pop", wait_ms=20000)
        lose()
        producer.send("enqueue", id="a", payload=b"new")
        insist(producer, "enqueue", id="a", payload=b"new")
        (job,) = insist(consumer, "pop", wait_ms=20000)
        assert (job["id"], job["payload_hex"]) == ("a", b"new".hex())
        assert consumer.ask("ack", job="jobs.0") == "acked"
        # The keyspace is marked again, and tools find the topic again.
        client = redis.Redis(port=server.port)
        assert client.hgetall(f"{prefix}:meta") == {b"layout": b"1"}
        assert client.hgetall(f"{prefix}:topics") == {b"orders": b"1"}
        client.flushall()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_server_that_loads_is_waited_for(language, new_runner, binary, tmp_path):
    port, folder = free_port(), ["--dir", str(tmp_path)]
    first = Server(binary, port, *folder, "--rdbcompression", "no")
    runner = new_runner(language)
    runner.ask("open", url=first.url, retry_for_ms=30000)
    runner.ask("queue", topic="orders")
    runner.ask("enqueue", id="a", payload=b"x")
    first.redis.mset({f"k{i}": b"x" * 65536 for i in range(200)})
    first.redis.save()
    first.stop()
    # Each key takes 10 ms to load; every 2 MiB the server answers LOADING to those who ask.
    slowly = ["--key-load-delay", "10000", "--save", ""]
    arguments = [binary, "--port", str(port), "--bind", "127.0.0.1", *folder, *slowly]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    client = redis.Redis(port=port, retry=Retry(NoBackoff(), 0))

    def answer() -> str | None:
        try:
            return "ready" if client.ping() else None
        except redis.BusyLoadingError:
            return "loading"
        except redis.ConnectionError:
            return None

    try:
        assert wait_until(answer, "the server answers") == "loading"
        runner.send("pop")
        (job,) = insist(runner, "pop")
        assert job["id"] == "a"
        assert runner.ask("ack", job="jobs.0") == "acked"
    finally:
        client.close()
        process.terminate()
        process.wait(timeout=20)
