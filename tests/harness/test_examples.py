"""What the README shows is what runs."""

import os
import subprocess
import sys

import pytest
from servers import repository

ROOT = repository()
TARGET = ROOT / "target/release"
EXAMPLES = ROOT / "examples/quickstart"


def rust_command() -> list[str]:
    return [
        "cargo",
        "run",
        "--quiet",
        "--release",
        "-p",
        "delayq",
        "--example",
        "quickstart",
        "--",
    ]


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


def node_command(folder) -> list[str]:
    modules = folder / "node_modules"
    modules.mkdir()
    (modules / "delayq").symlink_to(ROOT / "bindings-node")
    script = folder / "quickstart.mjs"
    script.write_text((EXAMPLES / "quickstart.mjs").read_text())
    return ["node", str(script)]


@pytest.mark.parametrize("language", ["python", "node", "c", "rust"])
def test_quickstart(language, tmp_path):
    command = {
        "python": lambda: [sys.executable, str(EXAMPLES / "quickstart.py")],
        "node": lambda: node_command(tmp_path),
        "c": lambda: c_command(tmp_path),
        "rust": rust_command,
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
