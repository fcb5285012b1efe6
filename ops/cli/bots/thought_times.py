"""`rutter arena --time TITLE`: time the thoughts of a bot, early and late in games."""

from __future__ import annotations

import json

import click
import msgspec

from events.rules.bot_names import is_engine
from ops.base.progress import progress
from workers.bots.trials.thought_times import TimedThoughts, summarize_times, time_thought


def print_times(wanted: TimedThoughts, *, as_json: bool) -> None:
    """Time a thought for each deal, and print the figures."""
    if is_engine(wanted.bot):
        raise click.BadParameter(f"{wanted.bot} runs in a process of its own. Name another bot first.")
    thoughts = []
    with progress("Thinking", wanted.deals) as step:
        for deal in range(wanted.deals):
            thoughts.append(time_thought(wanted, deal))
            step(1)
    told = summarize_times(thoughts)
    if as_json:
        click.echo(json.dumps({**msgspec.to_builtins(wanted), **msgspec.to_builtins(told)}))
        return
    click.echo(f"{wanted.bot}: {wanted.title}, {wanted.seats} seats")
    click.echo(f"  thoughts       {told.thoughts}, from the first decisions of a game to the last")
    click.echo(f"  games          {told.simulations:.0f} played out for each")
    click.echo(
        f"  CPU            {told.median:.2f} s in the middle, {told.nearly_all:.2f} s for 95 of 100, "
        f"{told.longest:.2f} s at most"
    )
