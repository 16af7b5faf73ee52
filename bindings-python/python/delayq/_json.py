"""JSON as every language of delayq writes and reads it: compact, UTF-8, without NaN and infinities."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decoder = json.JSONDecoder(parse_constant=_refuse_constant)

dump = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def load(payload: bytes) -> Any:
    """The value that this payload is the JSON of."""
    return _decoder.decode(payload.decode("utf-8"))
