"""`rutter arena --truth TITLE`: test whether the moves of a bot that thinks are better in the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial

import click
import msgspec

from events.rules.bot_names import UnknownBot
from ops.base.progress import progress
from workers.bots.trials.truth import (
    Examination,
    ExaminedGame,
    Gain,
    examine_game,
    find_search,
    summarize_examined,
)


def print_truth(wanted: Examination, deals: int, jobs: int, *, as_json: bool) -> None:
    """Examine so many deals, and print the gains. Raises a ClickException where there are none."""
    try:
        find_search(wanted.title, wanted.bot)
    except UnknownBot as error:
        raise click.BadParameter(str(error)) from None
    with progress("Playing", deals) as step, _examine(wanted, deals, jobs) as examined:
        games = []
        for game in examined:
            games.append(game)
            step(1)
    try:
        told = summarize_examined(games)
    except ValueError:
        raise click.ClickException(
            f"{wanted.bot} departed from steady in none of {deals} games. Play more with --deals."
        ) from None
    if as_json:
        click.echo(json.dumps({**msgspec.to_builtins(wanted), **msgspec.to_builtins(told)}))
        return
    click.echo(f"{wanted.bot} against steady: {wanted.title}, {wanted.seats} seats")
    click.echo(f"  departures     {told.departures} of {told.asked} moves, in {told.games} games")
    click.echo(f"  claimed        {_format_gain(told.claimed)} victories, by what the bot thought")
    click.echo(f"  horizon        {_format_gain(told.horizon)} victories, in {wanted.worlds} other worlds")
    click.echo(
        f"  end            {_format_gain(told.end)} victories, in the same worlds at the end of the game"
    )


def _format_gain(gain: Gain) -> str:
    return f"{gain.mean:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"


@contextmanager
def _examine(wanted: Examination, deals: int, jobs: int) -> Iterator[Iterator[ExaminedGame]]:
    """Yield the games in order, in so many processes."""
    examine = partial(examine_game, wanted)
    if jobs == 1:
        yield map(examine, range(deals))
        return
    pool = ProcessPoolExecutor(jobs)
    try:
        yield pool.map(examine, range(deals))
    finally:
        pool.shutdown(cancel_futures=True)
