"""Rules of the house that a compiler does not know. Prints what breaks one and exits with 1."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "core/src"

#: Lines per file; generated files and data do not count.
LONGEST = {
    ".rs": 400,
    ".py": 400,
    ".lua": 120,
    ".c": 400,
    ".h": 150,
    ".mjs": 400,
    ".js": 400,
}
GENERATED = {"include/delayq.h", "bindings-node/native.js", "bindings-node/native.d.ts"}

#: Text that may stand in one place only.
ONLY_IN = {
    r'"EVALSHA"': {"core/src/script.rs"},
    r'"(zset|processing|dlq|stats|job|done)"': {"core/src/keys.rs"},
    # Their first use takes a lock, for which a child forked meanwhile would wait for ever; once_cell::race does not.
    r"once_cell::sync|OnceLock|LazyLock|std::sync::Once\b": None,
    r"\bunsafe (fn|impl|extern|\{)": None,  # nowhere in the core
}


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file() and not (ROOT / name).is_symlink()]


def long_files():
    for name in tracked():
        limit = LONGEST.get(Path(name).suffix)
        if limit and name not in GENERATED:
            lines = len((ROOT / name).read_text().splitlines())
            if lines > limit:
                yield f"{name} has {lines} lines, over {limit}: is it one thing?"


def text_out_of_place():
    for path in CORE.rglob("*.rs"):
        name = str(path.relative_to(ROOT))
        code = path.read_text().split("#[cfg(test)]")[0]
        for pattern, places in ONLY_IN.items():
            if re.search(pattern, code) and name not in (places or set()):
                if pattern.startswith(r'"(zset') and name.endswith(
                    ("embedded/server.rs", "verbs/mod.rs", "verbs/stats.rs", "worker/event.rs", "outcome.rs")
                ):
                    continue
                yield f"{name} holds {pattern}, which belongs to {places or 'no file of the core'}"


def foreign_types_in_public():
    """The redis crate is our business, not our users'."""
    for path in CORE.rglob("*.rs"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.match(r"\s*pub (fn|struct|enum|type|const)", line) and "redis::" in line:
                yield f"{path.relative_to(ROOT)}:{number} shows a type of the redis crate"


def lua_headers():
    for path in sorted((ROOT / "lua").glob("*.lua")):
        text = path.read_text()
        if path.name == "prelude.lua":
            continue
        if not text.startswith(f"-- {path.stem}: "):
            yield f"lua/{path.name} does not begin with its name and purpose"
        for part in ("KEYS[1]", "ARGV", "Returns", "Errors", "Cost"):
            if part not in text.split("\n\n")[0]:
                yield f"lua/{path.name} does not say its {part}"


def snippets():
    """Code in the README that names its source equals the marked part of that file."""
    for document in (
        "README.md",
        *(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md")),
    ):
        text = (ROOT / document).read_text()
        for source, shown in re.findall(r"<!-- from (\S+) -->\n```\w+\n(.*?)```", text, re.S):
            marked = re.search(
                r"START quickstart.*?\n(.*?)\n[^\n]*END quickstart",
                (ROOT / source).read_text(),
                re.S,
            )
            if not marked or marked.group(1).strip() != shown.strip():
                yield f"{document} shows {source} as it is not"


def links():
    """Relative links of our documents lead somewhere."""
    for name in tracked():
        if name.endswith(".md"):
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", (ROOT / name).read_text()):
                if not (ROOT / name).parent.joinpath(target).exists():
                    yield f"{name} links to {target}, which does not exist"


def main() -> int:
    rules = (
        long_files,
        text_out_of_place,
        foreign_types_in_public,
        lua_headers,
        snippets,
        links,
    )
    broken = [sentence for rule in rules for sentence in rule()]
    print("\n".join(broken))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
