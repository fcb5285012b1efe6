"""The bots that play a title, as its data name them."""

from __future__ import annotations

import msgspec

from events.rules.data_files import load


class _Bots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bots: tuple[str, ...]


def bot_names(package: str) -> tuple[str, ...]:
    """The names of the bots that play a title, weakest first: its ``bots.toml``.

    The file is no part of the data hash: another bot makes no other game.
    """
    return load(package, "bots.toml", _Bots).bots
