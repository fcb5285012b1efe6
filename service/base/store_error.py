"""The errors of stores. They know no HTTP: `service.http.problems` makes an answer of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class StoreError(Exception):
    """A request that a store refuses, such as a second owner of one handle.

    *code* is one of `codes.toml`, which has its status; *detail* says what is wrong, then what to do. *more*
    are further members of the answer.
    """

    def __init__(self, code: str, detail: str, more: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.more = dict(more or {})


class OutdatedCopy(StoreError):
    """A change of something that has another *version* by now."""

    def __init__(self, version: int, detail: str) -> None:
        super().__init__("version_conflict", detail)
        self.version = version
