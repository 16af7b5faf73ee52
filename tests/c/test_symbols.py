"""The shared library exports what the header declares and nothing else."""

import re

from build import functions, library_folder, run, tool

#: For the tests of the border; declared by the tests themselves.
HIDDEN = {"delayq_panic_on_purpose"}


def test_the_exports_are_the_headers_functions():
    table = run(tool("nm"), "-D", "--defined-only", library_folder() / "libdelayq.so")
    exported = {line.split()[-1] for line in table.splitlines()}
    assert exported == set(functions()) | HIDDEN


def test_the_soname_carries_the_major_version():
    dynamic = run(tool("readelf"), "-d", library_folder() / "libdelayq.so")
    assert re.search(r"SONAME.*\[libdelayq\.so\.0\]", dynamic)
