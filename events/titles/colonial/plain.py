"""Values as JSON knows them."""

from __future__ import annotations

from typing import Any

import msgspec


def plain(value: Any) -> dict[str, Any]:
    """*value*, a mapping or Struct, in JSON builtins: lists, not tuples."""
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return read
