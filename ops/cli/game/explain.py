"""`rutter explain FILE SEQ`: the judgement of a bot on a decision of a finished game."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import msgspec

from events.rules.bot_names import THINKERS
from events.rules.fact import Seat
from events.rules.steps import Command
from events.table.engine import fold
from events.table.game import Game, initial_game
from events.table.record import decode_command, seat_of
from events.tlog.text import escape_controls
from events.verify import BadBundle, CheckedBundle, Trust, check_bundle
from ops.cli.options import FILE
from ops.verify.input import ExitStatusReporter, open_input, read_lines
from workers.bot_types import Candidate, Thought
from workers.bots import consider, find_bot

SHOWN = 3
"""The number of candidates that are printed beside the command that was given."""


@click.command("explain")
@click.argument("file", type=FILE)
@click.argument("seq", type=click.IntRange(1))
@click.option(
    "--bot",
    "name",
    type=click.Choice(sorted(THINKERS)),
    default="strong",
    show_default=True,
    help="The bot that thinks.",
)
@click.option("--seed", default="explain", show_default=True, help="The same seed gives the same result.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def command(file: Path, seq: int, name: str, seed: str, as_json: bool) -> None:
    """Show how a bot judges the decision that led to event SEQ of the finished game in FILE.

    FILE is a whole audit bundle. The bot knows only what the seat could know then. It simulates games after
    the given command and after its own candidates. The output shows the commands most likely to win, and the
    given one. The command checks form, hash chain and hidden parts of FILE; `rutter verify` also checks the
    rules.
    """
    with ExitStatusReporter(None), open_input(file) as stream:
        found = check_bundle(read_lines(stream), Trust())
        if found.sheet.header.scope != "whole":
            raise BadBundle(
                None, "this is a seat's copy. Give the whole bundle, which exists when the game has ended"
            )
        game, seat, given = _find_decision(found, seq)
        bot = find_bot(game.title_id, name, game.title)
        came = consider(game.title, bot, game.state, seat, seed.encode(), also=(given,))
        _print_explanation(game, seat, given, came, name, as_json=as_json)


def _find_decision(found: CheckedBundle, seq: int) -> tuple[Game, Seat, Command]:
    """Return the game before the command that led to event *seq*, who gave it, and what it was."""
    ends = [0, *found.ends]
    before = next((first for first, last in pairwise(ends) if first < seq <= last), None)
    if before is None:
        raise click.BadParameter(
            f"the game has {ends[-1]} events. Give a number from 1 to {ends[-1]}.", param_hint="SEQ"
        )
    first = found.records[before]
    envelope = first.envelope()
    seat = seat_of(envelope.by)
    try:
        game = fold(initial_game(found.sheet.header.game), found.records[:before]) if before else None
    except (LookupError, ValueError, TypeError, msgspec.MsgspecError) as error:
        raise BadBundle(None, f"cannot be replayed ({type(error).__name__})") from error
    given = None
    if game is not None and game.state is not None:
        given = decode_command(first, envelope, game.title.command_type)
    if game is None or seat is None or given is None:
        raise click.BadParameter(
            "no player's decision led to this event. Choose an event of a move.", param_hint="SEQ"
        )
    if not any(decision.seat == seat for decision in game.title.awaited(game.state)):
        raise click.BadParameter(
            "the seat had nothing to decide there and acted freely. Choose another event.", param_hint="SEQ"
        )
    return game, seat, given


def _print_explanation(
    game: Game, seat: Seat, given: Command, came: Thought, name: str, *, as_json: bool
) -> None:
    shown = came.list_likeliest(SHOWN, given) if came.candidates else []
    rows = [_format_row(game, seat, each, given, came) for each in shown]
    if as_json:
        explanation = {
            "game": game.id,
            "seq": game.seq,
            "seat": seat,
            "bot": name,
            "simulations": came.simulations,
        }
        click.echo(json.dumps({**explanation, "candidates": rows}, sort_keys=True))
        return
    click.echo(
        escape_controls(f"Seat {seat} after event {game.seq}, {came.simulations} games simulated by {name}:")
    )
    if not rows:
        click.echo("  There was nothing to choose.")
    for row in rows:
        marks = [word for word in ("given", "chosen") if row[word]]
        said = (
            f"  {row['chance'] / 10_000:5.1f} %  {row['label']}  {json.dumps(row['command'], sort_keys=True)}"
        )
        click.echo(escape_controls(said + (f"  <- {', '.join(marks)}" if marks else "")))


def _format_row(game: Game, seat: Seat, each: Candidate, given: Command, came: Thought) -> dict[str, Any]:
    return {
        "command": msgspec.to_builtins(each.command, str_keys=True),
        "label": game.title.label(game.state, seat, each.command),
        "chance": each.chance,
        "games": each.games,
        "given": each.command == given,
        "chosen": each.command == came.command,
    }
