"""Compiles and runs C and C++ programs against the built library."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "include" / "delayq.h"

#: Longer than any program takes, also under valgrind; a hanging one fails its test.
LIMIT_SECONDS = 240

C_STANDARDS = ("c99", "c11", "c17")
CPP_STANDARDS = ("c++11", "c++17", "c++20")
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow", "-Wconversion")
C_WARNINGS = (*WARNINGS, "-Wstrict-prototypes", "-Wmissing-prototypes")


def tool(name: str) -> str:
    """The path of a program that these tests cannot do without."""
    path = shutil.which(name)
    assert path, f"{name} is not installed, and without it this promise is not tested; install the package that has it"
    return path


def library_folder() -> Path:
    """Where cargo put libdelayq.so and libdelayq.a."""
    if named := os.environ.get("DELAYQ_C_LIBDIR"):
        candidates = [Path(named)]
    else:
        candidates = [ROOT / "target" / "release", ROOT / "target" / "debug"]
    for folder in candidates:
        if (folder / "libdelayq.so").is_file() and (folder / "libdelayq.a").is_file():
            return folder.resolve()
    raise AssertionError(f"no libdelayq in {', '.join(map(str, candidates))}; run: cargo build --release -p delayq-c")


def run(*command: object, env: dict[str, str] | None = None) -> str:
    """Runs a command, which must succeed, and returns what it printed."""
    words = [str(word) for word in command]
    environment = {**os.environ, **(env or {})}
    done = subprocess.run(words, check=False, env=environment, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    assert done.returncode == 0, f"{' '.join(words)} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def compile_program(target: Path, source: Path, *extra: object, standard: str = "c99") -> Path:
    """Compiles one file with every warning as an error."""
    cpp = standard.startswith("c++")
    compiler, warnings = (tool("g++"), WARNINGS) if cpp else (tool("gcc"), C_WARNINGS)
    run(
        compiler,
        f"-std={standard}",
        *warnings,
        "-g",
        "-pthread",
        f"-I{HEADER.parent}",
        source,
        "-o",
        target,
        *extra,
    )
    return target


def functions() -> list[str]:
    """Every function that the header declares, in its order."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    text = re.sub(r"^#.*?[^\\]$", "", text, flags=re.S | re.M)
    return re.findall(r"\b(delayq_\w+)\(", text)


def enumerators(prefix: str) -> dict[str, int]:
    """The values of the header's enumerators of this prefix."""
    return {name: int(value) for name, value in re.findall(rf"\b({prefix}\w+) = (\d+),", HEADER.read_text())}
