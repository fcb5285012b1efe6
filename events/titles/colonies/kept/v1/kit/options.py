"""Notes on options for a table that chooses: the clause concerned, and the effect."""

from __future__ import annotations

import msgspec

from events.rules.data_files import load


class OptionNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One option of a title in words; its type, bounds and default stand in the schema of the options."""

    clause: str
    """The clauses that speak of it, in the rules as this service implements them: ``REV-058, RUL-17``."""
    effect: str
    """The change that it makes, for somebody who knows the game: sentences with the meaning of each value."""


def option_notes(package: str) -> dict[str, OptionNote]:
    """The notes on a title's options, by option: its ``options.toml``, which is no part of the data hash.

    A table for each field of the title's ``Options``::

        [war_box_counts_privateer_war]
        clause = "REV-058, RUL-17"
        effect = "A fight with Privateers counts as a war ..."
    """
    return load(package, "options.toml", dict[str, OptionNote])
