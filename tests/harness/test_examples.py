"""What the README shows is what runs."""

import os
import signal
import subprocess
import sys

import pytest
from servers import repository

ROOT = repository()
TARGET = ROOT / "target/release"
EXAMPLES = ROOT / "examples/quickstart"
WORKERS = ROOT / "examples/worker"


def rust_command(example: str) -> list[str]:
    return ["cargo", "run", "--quiet", "--release", "-p", "delayq", "--example", example, "--"]


def c_command(folder) -> list[str]:
    program = str(folder / "quickstart")
    flags = [
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-pedantic",
        f"-I{ROOT}/include",
        f"-L{TARGET}",
    ]
    source = str(EXAMPLES / "quickstart.c")
    subprocess.run(
        ["cc", *flags, "-o", program, source, "-ldelayq", f"-Wl,-rpath,{TARGET}"],
        check=True,
    )
    return [program]


def node_command(source, folder) -> list[str]:
    modules = folder / "node_modules"
    modules.mkdir()
    (modules / "delayq").symlink_to(ROOT / "bindings-node")
    script = folder / source.name
    script.write_text(source.read_text())
    return ["node", str(script)]


@pytest.mark.parametrize("language", ["python", "node", "c", "rust"])
def test_quickstart(language, tmp_path):
    command = {
        "python": lambda: [sys.executable, str(EXAMPLES / "quickstart.py")],
        "node": lambda: node_command(EXAMPLES / "quickstart.mjs", tmp_path),
        "c": lambda: c_command(tmp_path),
        "rust": lambda: rust_command("quickstart"),
    }[language]()
    data = tmp_path / "data"
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [*command, f"embedded:{data}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    closed = [line for line in done.stdout.splitlines() if line.startswith("closing")]
    assert closed in (["closing order 2"], ["closing order:2:close"]), done.stdout


@pytest.mark.parametrize("signal_", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("language", ["node", "rust"])
def test_the_worker_works_until_a_signal(language, signal_, tmp_path):
    worker = {
        "node": lambda: node_command(WORKERS / "worker.mjs", tmp_path),
        "rust": lambda: rust_command("worker"),
    }[language]()
    # A shell in the background ignores Ctrl-C for its children, so it is set back for this one.
    set_back = ["env", "--default-signal=INT,TERM"]
    process = subprocess.Popen([*set_back, *worker, f"embedded:{tmp_path / 'data'}"], stdout=subprocess.PIPE, text=True)
    try:
        seen: set[str] = set()
        while not {"reminded Ada\n", "reminded Grace\n"} <= seen:
            line = process.stdout.readline()
            assert line, f"it ended after {seen}"
            seen.add(line)
        process.send_signal(signal_)
        rest, _ = process.communicate(timeout=60)
        assert process.returncode == 0, rest
        assert any("comes again later" in line for line in seen)
    finally:
        process.kill()
        process.wait()


def test_the_python_worker_works_until_it_stops_itself(tmp_path):
    command = [sys.executable, str(WORKERS / "worker.py"), f"embedded:{tmp_path / 'data'}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    closed = sorted(int(line.split()[-1]) for line in done.stdout.splitlines())
    assert closed == [n for n in range(1, 21) if n % 7], done.stderr
