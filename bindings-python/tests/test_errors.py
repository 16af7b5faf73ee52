"""One class per kind, as the core's table says, and no secret anywhere."""

from __future__ import annotations

import pickle

import delayq
import pytest
from delayq import _delayq, errors


def test_the_classes_are_those_of_the_cores_table():
    assert list(delayq.ERROR_KINDS) == _delayq._CORE_ERROR_KINDS
    classes = set(delayq.ERROR_KINDS.values())
    assert classes == set(delayq.DelayqError.__subclasses__())
    for (code, kind), cls in delayq.ERROR_KINDS.items():
        assert (cls.code, cls.kind) == (code, kind)
        assert getattr(delayq, cls.__name__) is cls
        assert cls.__doc__


def test_the_tree_fits_the_builtin_one():
    assert issubclass(delayq.InvalidArgumentError, ValueError)
    assert issubclass(delayq.UnavailableError, ConnectionError)
    assert issubclass(delayq.DelayqTimeoutError, TimeoutError)
    assert not issubclass(delayq.DelayqTimeoutError, delayq.UnavailableError)


@pytest.mark.parametrize("cls", delayq.ERROR_KINDS.values())
def test_every_class_carries_the_fields_and_can_be_pickled(cls):
    fields = ("kind: all of it", "all of it", "ack", "t", "a", True)
    for e in (errors.from_core(cls.code, fields), pickle.loads(pickle.dumps(errors.from_core(cls.code, fields)))):
        assert type(e) is cls
        assert (str(e), e.message, e.verb, e.topic, e.id, e.retryable) == fields
        assert e.args == ("kind: all of it",)


def test_a_lost_lease(queue):
    queue.enqueue(b"", id="a")
    [job] = queue.pop()
    queue.enqueue(b"", id="a")
    with pytest.raises(delayq.LeaseLostError) as lost:
        queue.ack(job)
    e = lost.value
    assert (e.kind, e.code, e.verb, e.topic, e.id, e.retryable) == ("lease_lost", 3, "ack", queue.topic, "a", False)
    assert str(e) == f'lease_lost: ack on "{queue.topic}" of job "a" failed: {e.message}'


def test_a_server_that_is_not_there():
    client = delayq.Client("redis://127.0.0.1:1", retry_for=0)
    with pytest.raises(ConnectionError) as unavailable:
        client.ping()
    assert isinstance(unavailable.value, delayq.UnavailableError)
    assert unavailable.value.retryable


def test_no_answer_in_time(url, server, topic):
    with delayq.Client(url, timeout=0.1) as client:
        queue = client.queue(topic)
        queue.enqueue(b"")
        server.client_pause(500)
        with pytest.raises(TimeoutError) as timeout:
            queue.enqueue(b"")
    assert isinstance(timeout.value, delayq.DelayqTimeoutError)
    assert timeout.value.verb == "enqueue"


def test_a_panic_becomes_an_internal_error(capfd):
    with pytest.raises(delayq.InternalError, match="on purpose") as internal:
        _delayq._panic_on_purpose()
    assert internal.value.kind == "internal"
    assert "panicked" in capfd.readouterr().err


def test_the_cause_of_a_refused_payload_is_kept(queue):
    with pytest.raises(delayq.InvalidArgumentError) as refused:
        queue.enqueue(object())
    assert isinstance(refused.value.__cause__, TypeError)


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("redis://user:s3cret@127.0.0.1:1/0", {}),
        ("redis://127.0.0.1:1/0", {"username": "user", "password": "s3cret"}),
        ("redis://127.0.0.1:1/0", {"password": "s3cret\ud800"}),
        ("redis://user:s3cret@127.0.0.1:port/0", {}),
        ("nosuch://user:s3cret@127.0.0.1", {}),
        ("redis://user:s3cret\ud800@127.0.0.1", {}),
    ],
)
def test_no_secret_is_shown(url, options):
    shown = []
    try:
        client = delayq.Client(url, retry_for=0, **options)
        shown += [repr(client), str(client), client.address]
        client.queue("t").enqueue(b"")
    except delayq.DelayqError as e:
        shown += [str(e), repr(e), e.message, repr(e.__cause__), repr(e.__context__)]
    assert len(shown) >= 5
    assert not [text for text in shown if "s3cret" in text]


def test_a_wrong_password_is_not_shown(url):
    with delayq.Client(url, password="s3cret", retry_for=0) as client, pytest.raises(delayq.DelayqError) as e:
        client.ping()
    assert e.value.kind == "server"
    assert "s3cret" not in f"{e.value} {e.value!r}"


def test_reprs(client, queue, folder):
    result = queue.enqueue(b"secret payload", id="it's")
    [job] = queue.pop()
    assert repr(client) == f"<delayq.Client '{folder}/delayq.sock'>"
    assert repr(queue) == f"<delayq.Queue '{queue.topic}'>"
    assert repr(result) == f"""<delayq.Enqueued id="it's" outcome=created due_at_ms={result.due_at_ms}>"""
    assert repr(job) == f"""<delayq.Job id="it's" topic='{queue.topic}' deliveries=1 retry_count=0>"""
    assert repr(delayq.NewJob(b"secret payload")) == "<delayq.NewJob id=None mode=replace payload=14 bytes>"
    assert repr(queue.requeue()) == "<delayq.Requeued requeued=0 dead=0 orphaned=0>"
