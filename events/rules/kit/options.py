"""What a table should know of an option before it chooses: the clause that it concerns, and what it does."""

from __future__ import annotations

import msgspec

from events.rules.data_files import load


class OptionNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One option of a title in words; its type, bounds and default stand in the schema of the options."""

    clause: str
    """Where the rules as this service implements them speak of it: ``REV-058, RUL-17``."""
    effect: str
    """What it changes, for somebody who knows the game: sentences, the meaning of each value in them."""


def option_notes(package: str) -> dict[str, OptionNote]:
    """The notes on a title's options, by option: its ``options.toml``, which is no part of the data hash.

    A table for each field of the title's ``Options``::

        [war_box_counts_privateer_war]
        clause = "REV-058, RUL-17"
        effect = "A fight with Privateers counts as a war ..."
    """
    return load(package, "options.toml", dict[str, OptionNote])
