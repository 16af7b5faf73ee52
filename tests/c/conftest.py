"""What the tests of the C library share."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from build import compile_program, library_folder

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def static_library() -> Path:
    return library_folder() / "libdelayq.a"


@pytest.fixture(scope="session")
def link_shared(tmp_path_factory) -> list[str]:
    """Flags that link the shared library and find it at run time under its soname."""
    folder = tmp_path_factory.mktemp("lib")
    for name in ("libdelayq.so", "libdelayq.so.0"):
        (folder / name).symlink_to(library_folder() / "libdelayq.so")
    return [f"-L{folder}", "-ldelayq", f"-Wl,-rpath,{folder}"]


@pytest.fixture
def url():
    """A private server that starts and ends with the program that opens it."""
    folder = tempfile.mkdtemp(prefix="dq-")  # short, for the path of a Unix socket
    yield f"embedded:{folder}"
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def build(tmp_path):
    """Compiles a program of this folder."""

    def make(name: str, *flags: object, **options) -> Path:
        return compile_program(tmp_path / Path(name).stem, HERE / name, *flags, **options)

    return make
