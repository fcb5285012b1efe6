"""The games of a tournament, held to the byte against what their tournament settled for them.

Nobody chooses anything of such a game: its creation and its beginning follow from the tournament, but for the
salted digests of the accounts who sit there.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from events.proof import canonical
from events.rules.catalogue import RulesMissing
from events.rules.fact import Fact, Json
from events.table import lifecycle_facts
from events.table.record import SYSTEM, Record, split_fact
from events.tournament import table_games
from events.tournament.outcomes import PlayedGame
from events.tournament.state import Round, Table, Tournament
from events.verify.bodies import InvalidForm
from events.verify.errors import UncheckableClaim

F = TypeVar("F", bound=Fact)


def check_game(
    state: Tournament, played: Round, table: Table, tables: bytes | None, game: PlayedGame
) -> None:
    """Raise :class:`InvalidForm` unless *game* is that of the *table*, which *state* has linked.

    *tables* is k_t, None while it is not disclosed: then the game's commitments cannot be checked.
    """
    opening = game.opening
    if not opening or opening[0].hash.hex() != table.head:
        raise InvalidForm(f"the game {game.game} is not the one that was linked")
    try:
        _check_opening(state, played, table, tables, game)
    except msgspec.MsgspecError as error:
        raise InvalidForm(f"the game {game.game} cannot be read: {error}") from error
    except RulesMissing as missing:
        raise UncheckableClaim(str(missing)) from missing


def _check_opening(
    state: Tournament, played: Round, table: Table, tables: bytes | None, game: PlayedGame
) -> None:
    opened = _decode(game.opening[0], lifecycle_facts.TableOpened)
    wanted = table_games.make_table_game(state, tables or b"", played, table)
    if opened.tournament != msgspec.to_builtins(wanted.tied.at):
        raise InvalidForm(f"the game {game.game} names another table")
    wanted = msgspec.structs.replace(
        wanted, options=_select_recorded_options(state, wanted.options, opened.options)
    )
    commitments = opened.chance
    if tables is not None:
        commitments = wanted.tied.secrets.commitments(wanted.tied.key, opened.draws)
    batch = table_games.open_table_game(wanted, commitments, _list_accounts(game, table), opened.service)
    begun = lifecycle_facts.TableBegun(wanted.tied.mixed.hex(), ())
    for number, fact in enumerate([*batch.facts, begun]):
        if number >= len(game.opening):
            raise InvalidForm(f"the game {game.game} lacks {type(fact).__name__} in its opening")
        _compare(game, game.opening[number], fact)
    if len(game.opening) > len(batch.facts) + 1:
        surplus = game.opening[len(batch.facts)].type
        raise InvalidForm(f"the game {game.game} opens with {surplus}, which no table of a tournament has")


def _select_recorded_options(state: Tournament, wanted: Json, recorded: Json) -> Json:
    """Return the *wanted* options, less those with their default that came to the title later."""
    defaults = table_games.complete_options(state, {})
    return {
        name: value
        for name, value in wanted.items()
        if name in recorded or name not in defaults or value != defaults[name]
    }


def _list_accounts(game: PlayedGame, table: Table) -> list[str | None]:
    """Return by seat the salted digest of the account there, which only its holder can check."""
    who: list[str | None] = [None] * len(table.entrants)
    for record in game.opening:
        if record.type == "SeatTaken":
            taken = _decode(record, lifecycle_facts.SeatTaken)
            if 0 <= taken.seat < len(who):
                who[taken.seat] = taken.who
    return who


def _compare(game: PlayedGame, record: Record, fact: Fact) -> None:
    """Raise :class:`InvalidForm` unless *record* says exactly *fact*, its hidden parts included."""
    kind = type(fact).__name__
    if record.type != kind:
        raise InvalidForm(f"the game {game.game} opens with {record.type} in the place of {kind}")
    data, hidden = split_fact(fact)
    envelope = record.envelope()
    if bytes(envelope.data) != canonical.encode(data):
        name = _find_difference(msgspec.json.decode(envelope.data), data)
        raise InvalidForm(f"the game {game.game} is not that of its table: {kind} has another {name}")
    if envelope.by != SYSTEM or envelope.command is not None:
        raise InvalidForm(f"the game {game.game} was not opened by the server: {kind} is by {envelope.by}")
    parts = {name: part.body for name, part in record.parts.items()}
    if parts and parts != {name: canonical.encode(part) for name, part in hidden.items()}:
        raise InvalidForm(f"the game {game.game} begins from another position than its table")


def _find_difference(recorded: Json, wanted: Json) -> str:
    """Return the name of the first member that differs."""
    names = [name for name in (*wanted, *recorded) if recorded.get(name, ...) != wanted.get(name, ...)]
    return names[0] if names else "spelling"


def _decode(record: Record, kind: type[F]) -> F:
    return msgspec.json.decode(record.envelope().data, type=kind)
