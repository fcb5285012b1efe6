"""`rutter replay`: the release check over every stored game and tournament."""

import sys
from collections import Counter
from collections.abc import Collection
from pathlib import Path

import click
import msgspec

from events import verify
from events.rules.catalogue import RulesMissing
from events.store.archived_games import ArchiveUnavailable
from events.store.event_log import EventLog, Pool
from events.store.games import Games
from events.store.talks import OPENING_TYPE as TALK
from events.store.tournaments import OPENING_TYPE as TOURNAMENT
from events.table import bundle
from events.table.engine import fold
from events.table.game import initial_game
from events.table.record import Record
from events.talk import bundle as talk_bundle
from events.talk.folding import fold as fold_talk
from events.talk.state import initial_talk
from events.tlog.notes import SigningKey
from events.tournament import folding
from events.tournament.state import initial_tournament as start_tournament
from events.verify.talk import check_talk
from events.verify.tournaments.verification import verify_tournament
from ops.cli.options import data_option
from ops.runtime.servers import open_pool

VERDICTS = ("same", "changed", "missing", "broken")


@click.command("replay")
@data_option
def command(data: Path) -> None:
    """Replay every stored game, talk and tournament under its own rules, and count the results.

    A finished game is verified completely: the rules decide every command again. For a running game, the
    state is computed from the events.

    \b
    same      the rules decide as they did
    changed   the rules decide otherwise: such a change needs a new version of the title
    missing   something that the game needs is not installed, or its bundle cannot be read
    broken    the stored events cannot be replayed

    To bring back a missing version of a title, use `rutter keep TITLE --from DIR` with a copy of the program
    that has it.

    Exit status: 0 if all are the same, 1 if one is changed or broken, 3 if none is but some are missing.
    """  # noqa: D301 - \b is how click keeps lines
    found: Counter[str] = Counter()
    with open_pool(data, 2) as pool:
        games = Games(EventLog(pool))
        for game_id in _list_game_ids(pool):
            verdict, reason = _judge(games, game_id)
            found[verdict] += 1
            if verdict != "same":
                click.echo(f"{verdict}: {game_id}: {reason}")
    click.echo(", ".join(f"{found[word]} {word}" for word in VERDICTS))
    sys.exit(_choose_status(found))


def _choose_status(verdicts: Collection[str]) -> int:
    """Return the exit status for all verdicts together."""
    if "changed" in verdicts or "broken" in verdicts:
        return 1
    return 3 if "missing" in verdicts else 0


def _list_game_ids(pool: Pool) -> list[str]:
    with pool.connection() as connection:
        rows = connection.execute(
            "SELECT game_id::text FROM es.event WHERE seq = 1 ORDER BY game_id"
        ).fetchall()
    return [row[0] for row in rows]


def _judge_tournament(tournament_id: str, records: list[Record]) -> tuple[str, str]:
    """Return (verdict, reason) on one tournament. Raises RulesMissing.

    Its games are judged by themselves.
    """
    state = folding.fold(start_tournament(tournament_id), records)
    _ = state.title
    try:
        verify_tournament(tournament_id, records, state.service, partial=not state.over)
    except bundle.BadBundle as bad:
        return "changed", str(bad)
    except verify.UncheckableClaim as missing:
        return "missing", str(missing)
    return "same", ""


def _judge_talk(stream: str, records: list[Record]) -> tuple[str, str]:
    """Return (verdict, reason) on the talk of a game, from its events alone."""
    state = fold_talk(initial_talk(stream), records)
    lines = talk_bundle.write_lines(state, records, (), {}, SigningKey("rutter", bytes(32)))
    try:
        check_talk(lines, verify.Trust())
    except bundle.BadBundle as bad:
        return "changed", str(bad)
    return "same", ""


def _judge(games: Games, game_id: str) -> tuple[str, str]:
    """Return (verdict, reason) on one game, folded without snapshots."""
    try:
        records = games.records(game_id)
        if records[0].type == TALK:
            return _judge_talk(game_id, records)
        if records[0].type == TOURNAMENT:
            return _judge_tournament(game_id, records)
        _ = fold(initial_game(game_id), records[:1]).title
        game = verify.fold_all(game_id, records)
    except (RulesMissing, ArchiveUnavailable, ImportError) as missing:
        return "missing", str(missing)
    except (ValueError, LookupError, TypeError, AttributeError, msgspec.MsgspecError) as error:
        return "broken", str(error)
    if not game.has_ended:
        return "same", ""
    try:
        key = SigningKey(game.service, bytes(32))
        verify.verify(bundle.write_lines(game, records, None, key))
    except bundle.BadBundle as bad:
        return "changed", str(bad)
    except verify.UncheckableClaim as missing:
        return "missing", str(missing)
    return "same", ""
