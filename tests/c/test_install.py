"""install.sh puts everything where pkg-config and the linker find it."""

import os
from pathlib import Path

import pytest
from build import C_WARNINGS, ROOT, library_folder, run, tool

HERE = Path(__file__).resolve().parent


@pytest.fixture
def install(tmp_path):
    """Installs into an empty root and returns it, with pkg-config looking there."""

    def into(kinds: str):
        root = tmp_path / kinds.replace(" ", "-")
        run(
            "sh",
            ROOT / "bindings-c/install.sh",
            env={
                "DESTDIR": str(root),
                "PREFIX": "/opt/delayq",
                "KINDS": kinds,
                "DELAYQ_C_LIBDIR": str(library_folder()),
            },
        )
        found = {
            "PKG_CONFIG_SYSROOT_DIR": str(root),
            "PKG_CONFIG_LIBDIR": str(root / "opt/delayq/lib/pkgconfig"),
        }
        return root / "opt/delayq", lambda *words: run(tool("pkg-config"), *words, "delayq", env=found).split()

    return into


def link(target: Path, flags: list[str]) -> Path:
    run(tool("gcc"), "-std=c99", *C_WARNINGS, HERE / "smoke.c", "-o", target, *flags)
    return target


def test_shared(install, tmp_path, url):
    prefix, pkg_config = install("shared static")
    program = link(tmp_path / "program", pkg_config("--cflags", "--libs"))
    assert "libdelayq.so.0" in run(tool("readelf"), "-d", program)
    run(program, url, env={"LD_LIBRARY_PATH": str(prefix / "lib")})


def test_static(install, tmp_path, url):
    _, pkg_config = install("static")
    program = link(tmp_path / "program", pkg_config("--static", "--cflags", "--libs"))
    assert "libdelayq" not in run(tool("readelf"), "-d", program)
    run(program, url)


def test_files_links_and_version(install):
    prefix, pkg_config = install("shared static")
    version = pkg_config("--modversion")[0]
    files = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}
    assert files == {
        "include/delayq.h",
        "lib/libdelayq.a",
        "lib/libdelayq.so",
        "lib/libdelayq.so.0",
        f"lib/libdelayq.so.{version}",
        "lib/pkgconfig/delayq.pc",
    }
    assert os.readlink(prefix / "lib/libdelayq.so.0") == f"libdelayq.so.{version}"
    assert f'#define DELAYQ_VERSION "{version}"' in (prefix / "include/delayq.h").read_text()
    assert str(prefix.parents[1]) not in (prefix / "lib/pkgconfig/delayq.pc").read_text()


def test_a_missing_library_is_named(tmp_path):
    with pytest.raises(AssertionError, match="cargo build --release -p delayq-c"):
        run(
            "sh",
            ROOT / "bindings-c/install.sh",
            env={"DESTDIR": str(tmp_path), "DELAYQ_C_LIBDIR": str(tmp_path)},
        )
