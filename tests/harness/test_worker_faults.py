"""Workers of every language under faults: each job is run, nothing is lost, and a second run comes only after a lease
that ran out. What became of whom and how long it took is in the table `target/worker-faults.txt`.

All four suffer a fault at the same time, each on topics of its own. Bounds are for a busy machine; what a quiet one
needs is in the table."""

from __future__ import annotations

import signal
import uuid

import pytest
from cluster import MASTERS, SLOTS, Cluster
from runners import LANGUAGES, LIMIT_SECONDS
from servers import Server, wait_until
from workers import FAR_MS, Crew

LEASE_MS, SWEEP_EVERY_MS = 600, 200

#: What a busy machine may add to any time.
SLACK_MS = 2000


class Restartable:
    """A server that may be lost and come back with its data."""

    def __init__(self, binary: str, folder: str) -> None:
        self.options = ("--dir", folder, "--appendonly", "yes", "--appendfsync", "always")
        self.binary, self.server = binary, Server(binary, None, *self.options)

    @property
    def redis(self):
        return self.server.redis

    def start(self) -> None:
        self.server = Server(self.binary, self.server.port, *self.options)

    def stop(self) -> None:
        if self.server.process.poll() is None:
            self.server.stop()

    def restart(self) -> None:
        self.stop()
        self.start()


@pytest.fixture
def own(binary, tmp_path):
    """A server that this test may hurt."""
    server = Restartable(binary, str(tmp_path))
    yield server
    server.stop()


@pytest.fixture
def crew(own, new_runner):
    return Crew(new_runner, own.server.url, lease_ms=LEASE_MS)


FAULTS = {
    "all scripts are forgotten": lambda own: own.redis.script_flush(),
    "all data is lost": lambda own: own.redis.flushall(),
    "the connection for hints is killed": lambda own: own.redis.client_kill_filter(_type="pubsub"),
    "the server restarts": lambda own: own.restart(),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_waiting_worker_runs_an_earlier_job_after(fault, crew, own, table):
    crew.act_on_all("enqueue", id="far", payload=b"x", delay_ms=FAR_MS)
    crew.work()
    crew.are_heard(own)
    took = crew.time(
        "worked",
        kind="started",
        count=1,
        fault=lambda: FAULTS[fault](own),
        act=lambda topic: crew.act(topic, "enqueue", id="early", payload=b"x"),
    )
    crew.until("done", 1)
    crew.accounts(far=0 if fault == "all data is lost" else 1)
    # The promise is half a second; a pop that met the restarting server is made again after up to as much.
    assert all(ms <= 500 + SLACK_MS for ms in took.values()), took
    table(f"waiting; {fault}, then an earlier job", took)


def test_hints_that_are_never_heard(own, new_runner, table):
    """A user who may not listen is on time all the same: a waiting pop looks every half second."""
    rule = ["on", ">pw", "~*", "resetchannels", "+@all"]
    own.redis.execute_command("ACL", "SETUSER", "deaf", *rule)
    crew = Crew(new_runner, own.server.url)
    for worker in crew.workers.values():
        worker.ask("open", url=own.server.url.replace("//", "//deaf:pw@"), **crew.client)
    crew.act_on_all("enqueue", id="far", payload=b"x", delay_ms=FAR_MS)
    crew.work()
    wait_until(
        lambda: all(worker.ask("health")["last_pop_ms"] is not None for worker in crew.workers.values()),
        "the workers have looked",
    )
    took = crew.time(
        "worked",
        kind="started",
        count=1,
        act=lambda topic: crew.act(topic, "enqueue", id="early", payload=b"x"),
    )
    assert own.redis.pubsub_channels() == []
    crew.until("done", 1)
    crew.accounts(far=1)
    assert all(ms <= 500 + SLACK_MS for ms in took.values()), took
    table("waiting; may not listen for hints, an earlier job", took)


def test_every_wake_up(crew, own, table):
    """With a job six hours ahead the workers sleep, and whatever makes a job due wakes them at once."""
    crew.act_on_all("enqueue", id="far", payload=b"x", delay_ms=FAR_MS)
    crew.work(end=[{"id": "broken", "end": "dead"}])
    started = 0

    def woken(way: str, op: str, **pairs: object) -> None:
        nonlocal started
        crew.are_heard(own)
        started += 1
        took = crew.time("worked", kind="started", count=started, act=lambda topic: crew.act(topic, op, **pairs))
        assert all(ms <= 1000 for ms in took.values()), (way, took)
        table(f"sleeping; {way}", took)

    woken("an earlier job", "enqueue", id="a", payload=b"x")
    woken("a job is moved to now", "enqueue", id="far", payload=b"", mode="reschedule")
    crew.act_on_all("enqueue", id="far again", payload=b"x", delay_ms=FAR_MS)
    woken("a job that will die", "enqueue", id="broken", payload=b"x")
    crew.until("failed", 1)
    woken("it is redriven", "redrive")
    crew.until("failed", 2)
    crew.act_on_all("pause")
    crew.act_on_all("enqueue", id="b", payload=b"x")
    woken("a pause ends", "resume")
    crew.act_on_all("limit", rate=0.001, burst=1)
    crew.act_on_all("enqueue", id="c", payload=b"x")
    crew.until("done", 4)
    started += 1
    crew.act_on_all("enqueue", id="d", payload=b"x")
    woken("a limit is lifted", "limit", rate="")
    crew.until("done", 5)
    crew.accounts(far=1)
    for language in LANGUAGES:
        assert len(crew.runs(language)) == started


def test_kill_9_in_mid_handler(crew, own, table):
    """The worker of another language takes the job over."""
    crew.act_on_all("enqueue", id="a", payload=b"x")
    crew.work(sweep_every_ms=SWEEP_EVERY_MS, end=[{"hold_ms": 1000 * LIMIT_SECONDS}])
    crew.until("started", 1)
    victims = crew.workers
    heirs = dict(zip(LANGUAGES, (*LANGUAGES[1:], LANGUAGES[0])))
    crew.workers = {language: crew.open(own.server.url, heirs[language]) for language in LANGUAGES}
    crew.work(sweep_every_ms=SWEEP_EVERY_MS)
    crew.are_heard(own, listeners=2)
    took = crew.time("worked", kind="started", count=1, act=lambda language: victims[language].kill())
    for language, events in crew.until("done", 1).items():
        assert [event["deliveries"] for event in events if event["kind"] == "started"] == [2], language
    for counters in crew.accounts().values():
        assert (counters["delivered"], counters["expired"], counters["acked"]) == (2, 1, 1)
    assert all(ms <= LEASE_MS + SWEEP_EVERY_MS + 1000 + SLACK_MS for ms in took.values()), took
    names = {language: f"{ms} ms by {heirs[language]}" for language, ms in took.items()}
    table(f"killed in mid-handler; another takes over (lease {LEASE_MS}, sweep {SWEEP_EVERY_MS})", names)


def test_a_restart_in_mid_handler(own, new_runner, table):
    """One handler ends while the server is away, one after it is back; the others' jobs come due meanwhile."""
    crew = Crew(new_runner, own.server.url, retry_for_ms=200)
    crew.act_on_all("enqueue", id="short", payload=b"x")
    crew.act_on_all("enqueue", id="long", payload=b"x")
    crew.act_on_all("enqueue", id="later", payload=b"x", delay_ms=300)
    crew.work(end=[{"id": "short", "hold_ms": 200}, {"id": "long", "hold_ms": 1000}])
    crew.until("started", 2)
    own.stop()
    for worker in crew.workers.values():
        worker.ask("handled", count=1)
    for language, events in crew.until("lost", 1).items():
        assert {event["error"] for event in events if event["kind"] == "lost"} <= {"unavailable", "timeout"}, language
        assert not crew.workers[language].ask("health")["connected"]
    own.start()
    took = crew.time("worked", kind="done", count=3)
    crew.until("back", 1)
    for language in LANGUAGES:
        assert sorted(crew.runs(language)) == [f"{language}/{id}" for id in ("later", "long", "short")]
    for counters in crew.accounts().values():
        assert (counters["delivered"], counters["expired"], counters["acked"]) == (3, 0, 3)
    table("running; the server restarts, then all is reported", took)


def cut(own: Restartable, crew: Crew) -> None:
    """Kills all connections."""
    own.redis.client_kill_filter(_type="normal")


def hang(own: Restartable, crew: Crew) -> None:
    """Stops the server's process until each worker has noticed that it gives no answers."""
    own.server.process.send_signal(signal.SIGSTOP)
    try:
        wait_until(
            lambda: not any(worker.ask("health")["connected"] for worker in crew.workers.values()),
            "the workers have noticed",
        )
    finally:
        own.server.process.send_signal(signal.SIGCONT)


@pytest.mark.parametrize(
    ("what", "fault", "times"), [("all connections are killed", cut, 20), ("the server hangs", hang, 4)]
)
def test_again_and_again_under_load(what, fault, times, own, new_runner, table):
    """A pop whose answer is lost in that leaves jobs to their leases; nothing else runs twice."""
    jobs = 400
    crew = Crew(new_runner, own.server.url, lease_ms=LEASE_MS, timeout_ms=300, retry_for_ms=300)
    crew.act_on_all("enqueue_many", job=[{"id": str(i), "payload": b"x"} for i in range(jobs)])
    crew.work(sweep_every_ms=SWEEP_EVERY_MS, concurrency=1, fetch_ahead=0)  # a pop for every job

    def acked() -> int:
        found = [own.redis.hget(f"{crew.prefix}:stats:{{{language}}}", "acked") for language in LANGUAGES]
        return sum(int(n or 0) for n in found)

    for time in range(times):
        least = (time + 1) * len(LANGUAGES) * jobs * 3 // 4 // times
        wait_until(lambda least=least: acked() >= least, "the load goes on")
        fault(own, crew)
    took = crew.time("worked", kind="done", count=jobs)
    counters = crew.accounts()
    for language in LANGUAGES:
        runs = crew.runs(language)
        assert set(runs) == {f"{language}/{i}" for i in range(jobs)}
        assert len(runs) - jobs <= counters[language]["expired"], language
    cells = {name: f"{ms} ms, {counters[name]['expired']} expired" for name, ms in took.items()}
    table(f"loaded; {what} {times} times, the rest is done", cells)


def test_a_full_server(crew, own, table):
    """It refuses new jobs, and every end of those that it has still counts, also of a crashed consumer's."""
    crew.act_on_all("enqueue", id="crashed", payload=b"x")
    crew.act_on_all("pop", lease_ms=1)
    for id in ("fails", "dies", "released", "fine"):
        crew.act_on_all("enqueue", id=id, payload=b"x")
    own.redis.config_set("maxmemory", 1)
    crew.work(
        end=[
            {"id": "fails", "end": "fail", "error": "e" * 1000, "delay_ms": 0, "times": 1},
            {"id": "dies", "end": "dead", "error": "e" * 1000},
            {"id": "released", "end": "release", "times": 1},
        ]
    )
    took = crew.time("worked", kind="done", count=4)
    for events in crew.until("failed", 2).values():
        assert {event["error"] for event in events if event["kind"] == "lost"} <= {"server"}
    own.redis.config_set("maxmemory", 0)
    for counters in crew.accounts().values():
        assert (counters["delivered"], counters["acked"], counters["expired"], counters["dead"]) == (8, 4, 1, 1)
    table("running; the server is full, all ends count", took)


def test_stop_while_redis_is_down(crew, own, table):
    """The stop returns by its deadline, and the job comes back when its lease ends."""
    deadline_ms = 400
    crew.act_on_all("enqueue", id="a", payload=b"x")
    crew.work(end=[{"hold_ms": 1000 * LIMIT_SECONDS}])
    crew.until("started", 1)
    own.stop()
    took = crew.time("stop", deadline_ms=deadline_ms)
    for worker in crew.workers.values():
        assert worker.ask("health")["stopping"]
        assert worker.ask("handled")[0]["revoked"]
    own.start()
    crew.work(sweep_every_ms=SWEEP_EVERY_MS)
    for language, events in crew.until("done", 1).items():
        # A third would be one that the stopped worker has taken.
        assert [event["deliveries"] for event in events if event["kind"] == "started"] == [2], language
    for counters in crew.accounts().values():
        assert counters["acked"] == 1
    # A second more is given to handing back.
    assert all(ms <= deadline_ms + 1000 + SLACK_MS for ms in took.values()), took
    table(f"running; the server is gone, then a stop within {deadline_ms}", took)


@pytest.fixture
def own_cluster(binary):
    cluster = Cluster(binary)
    yield cluster
    cluster.stop()


def test_a_primary_is_killed(own_cluster, new_runner, table):
    """Each worker serves a topic on every primary; one is killed while handlers run and more jobs come due. The kill
    awaits its replica, so that nothing that was answered is lost with it."""
    crew = Crew(new_runner, own_cluster.url, lease_ms=15000)
    crew.topics = {language: [topic_of(own_cluster, language, i) for i in range(MASTERS)] for language in LANGUAGES}
    later = [{"id": f"later {i}", "payload": b"x", "delay_ms": 2000 + 400 * i} for i in range(5)]
    crew.act_on_all("enqueue", id="a", payload=b"x")
    crew.work(end=[{"id": "a", "hold_ms": 2500}])
    crew.until("started", MASTERS)
    crew.act_on_all("enqueue_many", job=later)
    victim = own_cluster.nodes[0]
    with victim.redis.client() as connection:
        connection.set(f"mark:{{{crew.topics['c'][0]}}}", uuid.uuid4().hex)
        assert connection.wait(1, 10000) == 1, "the replica has it all"
    took = crew.time("worked", kind="done", count=MASTERS * 6, wait_ms=40000, fault=victim.process.kill)
    for language, counters in crew.accounts().items():
        assert counters["acked"] == MASTERS * 6
        runs = crew.runs(language)
        assert len(set(runs)) == MASTERS * 6
        assert len(runs) - len(set(runs)) <= counters["expired"], language
    table("cluster, running; a primary is killed, then all is done", took)


def topic_of(cluster: Cluster, language: str, master: int) -> str:
    """A topic that lies on this master."""
    names = (f"{language}{i}" for i in range(1000))
    return next(n for n in names if cluster.redis.keyslot(n) * MASTERS // SLOTS == master)
