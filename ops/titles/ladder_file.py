"""The file of the ladder: what was played, and how strong that says the bots are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from events.rules.bot_names import BOTS
from ops.base.errors import OpsError
from workers.bots.trials.ladder import FIRST, Pair, Rung, Table, Tally, is_current, list_pairs, result, rungs

Tables = dict[str, list[Table]]
"""The tables by title, the smallest first."""


class _File(msgspec.Struct, frozen=True):
    titles: Tables


def read(path: Path) -> Tables:
    """Return the games played; empty if there is no file. Raises :class:`OpsError` if it is another file."""
    if not path.exists():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=_File).titles
    except msgspec.MsgspecError as error:
        raise OpsError(
            f"{path} is not a file of `rutter ladder` ({error}). Choose another with --out."
        ) from None


def write(path: Path, titles: Mapping[str, Iterable[Table]]) -> None:
    """Write the games played and their results, a line for each level and each pair. In one step."""
    body = ",\n".join(
        f'  "{title}": [\n' + ",\n".join(map(_format_table, tables)) + "\n  ]"
        for title, tables in sorted(_drop_unplayed(titles).items())
    )
    aside = path.with_name(f"{path.name}.new")
    aside.write_text('{\n "titles": {\n' + body + "\n }\n}\n", encoding="utf-8")
    aside.replace(path)


def _drop_unplayed(titles: Mapping[str, Iterable[Table]]) -> Tables:
    """Return the same without the pairs, tables and titles of which nothing was played."""
    found: Tables = {}
    for title_id, tables in titles.items():
        for table in tables:
            pairs = tuple(pair for pair in table.pairs if pair.tally.deals)
            if pairs:
                found.setdefault(title_id, []).append(msgspec.structs.replace(table, pairs=pairs))
    return found


def _format_table(table: Table) -> str:
    levels = [msgspec.to_builtins(rung) for rung in rungs(table)]
    pairs = [
        {**msgspec.to_builtins(pair), "result": msgspec.to_builtins(result(pair, table.seats))}
        for pair in table.pairs
    ]
    head = f'   {{"seats": {table.seats}, "rules": {table.rules},\n'
    return head + f'    "levels": {_format_lines(levels)},\n    "pairs": {_format_lines(pairs)}}}'


def _format_lines(rows: Iterable[object]) -> str:
    return "[" + ",".join(f"\n     {json.dumps(row)}" for row in rows) + "]"


def format_markdown(titles: Tables) -> str:
    """Return the strengths as a table for workers/bots/README.md.

    It has a row for each size of table, with points, their intervals and the number of games.
    """
    names = [FIRST, *BOTS[1:]]
    lines = ["| title, seats |" + "".join(f" `{name}` |" for name in names), "|---" * (len(names) + 1) + "|"]
    for title_id, tables in sorted(titles.items()):
        for table in tables:
            texts = {
                rung.name: _format_cell(rung) for rung in rungs(table) if not _is_superseded(rung, table)
            }
            texts |= {rung.full: _format_cell(rung) for rung in rungs(table) if _is_superseded(rung, table)}
            cells = "".join(f" {texts.get(name, '')} |" for name in names)
            lines.append(f"| {title_id}, {table.seats} |{cells}")
    return "\n".join(lines) + "\n"


def _is_superseded(rung: Rung, table: Table) -> bool:
    """Return True if a newer version of the same name plays at the same table."""
    return any(other.name == rung.name and other.version > rung.version for other in rungs(table))


def _format_cell(rung: Rung) -> str:
    return f"{rung.elo} ({rung.low} to {rung.high}), {rung.games} games"


def find_table(tables: Iterable[Table], seats: int, rules: int) -> Table:
    """Return the table of that size, or an empty one."""
    return next((table for table in tables if table.seats == seats), Table(seats, rules, ()))


def continue_table(title_id: str, table: Table, rules: int, asked: Iterable[Pair]) -> Table:
    """Return a table that is continued with the pairs *asked* for, as far as they were played.

    Then come other games of bots that are here, and at the end those of bots that are kept beside newer ones.
    Games of other bots are left out.
    """
    found = [pair for pair in table.pairs if is_current(title_id, table, pair) and pair.tally.deals]
    found += [pair for pair in asked if not any(_is_same_pair(pair, other) for other in found)]
    order = [(pair.challenger, pair.other) for pair in list_pairs(title_id)]

    def place(pair: Pair) -> tuple[int, str, str]:
        both = (pair.challenger, pair.other)
        return (order.index(both) if both in order else len(order), both[0].full, both[1].full)

    found.sort(key=place)
    return Table(table.seats, rules, tuple(found))


def add_deal(table: Table, pair: Pair, deal: Tally) -> Table:
    """Return the table with one more deal of a pair."""
    pairs = tuple(
        msgspec.structs.replace(each, tally=each.tally + deal) if _is_same_pair(each, pair) else each
        for each in table.pairs
    )
    return msgspec.structs.replace(table, pairs=pairs)


def _is_same_pair(one: Pair, other: Pair) -> bool:
    return (one.challenger, one.other, one.seed) == (other.challenger, other.other, other.seed)


def replace_table(tables: Iterable[Table], table: Table) -> list[Table]:
    """Return the tables of a title, with another one of its size."""
    others = [each for each in tables if each.seats != table.seats]
    return sorted([*others, table], key=lambda each: each.seats)


def find_outdated(titles: Tables) -> list[str]:
    """Return a line for each pair whose bots or rules are no longer available unchanged."""
    return [
        f"{title_id}, {table.seats} seats: {pair.challenger.full} against {pair.other.full}"
        for title_id, tables in titles.items()
        for table in tables
        for pair in table.pairs
        if not is_current(title_id, table, pair)
    ]
