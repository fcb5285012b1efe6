"""`rutter disclose BUNDLE --seat I`: open some hidden parts of a seat to a director."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import click

from events.tlog.text import escape_controls
from events.verify import BadBundle, Trust, check_bundle, disclosure
from events.verify.talk import check_talk, is_talk
from ops.cli.options import FILE
from ops.verify.input import ExitStatusReporter, open_input, read_lines


class EventNumbers(click.ParamType[Any]):
    """Numbers of events with commas between them."""

    name = "n,m"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the numbers."""
        words = str(value).split(",")
        if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
            self.fail(f"{value!r} is not a list of event numbers. Write them as 5,8,13.", param, ctx)
        return frozenset(map(int, words))


@click.command("disclose")
@click.argument("bundle", type=FILE)
@click.option("--seat", type=click.IntRange(0, 15), help="The seat whose parts to open.")
@click.option("--events", type=EventNumbers(), help="The numbers of the events to open. Default: all.")
@click.option("--message", type=click.IntRange(2), help="Of a talk: the number of the message to open.")
def command(bundle: Path, seat: int | None, events: frozenset[int] | None, message: int | None) -> None:
    """Write BUNDLE to standard output with only the hidden parts of one seat that you choose.

    The output is a copy of that seat's bundle. `rutter verify --partial` checks it and lists the open parts.
    Everything else in it is public. You cannot take it back: give the file to the director only. If other
    seats know a part too, the command names it on standard error.

    If BUNDLE is that of a talk, name a --message: the output has the words of that message only. With them
    anyone can check who said it, to whom, and after which event of the game.
    """
    with ExitStatusReporter(None), open_input(bundle) as stream:
        lines = read_lines(stream)
        first = next(lines, b"")
        whole = chain([first] if first else [], lines)
        if is_talk(first):
            _disclose_message(whole, message)
            return
        if seat is None or message is not None:
            raise click.UsageError("Name the --seat of a game, or the --message of a talk.")
        found = check_bundle(whole, Trust())
        own = found.sheet.header.seat
        if found.sheet.header.scope == "seat" and own != seat:
            raise BadBundle(None, f"this is the copy of {'a spectator' if own is None else f'seat {own}'}")
        if not any(
            disclosure.seat_parts(record, seat)
            for record in found.records
            if events is None or record.seq in events
        ):
            raise BadBundle(None, f"seat {seat} has no hidden parts in these events")
        for n, name in disclosure.find_shared_parts(found, seat, events):
            click.echo(escape_controls(f"event {n}: other seats know the part of {name} too"), err=True)
        for line in disclosure.write_disclosed(found, seat, events):
            click.echo(line, nl=False)


def _disclose_message(lines: Iterator[bytes], number: int | None) -> None:
    """Write a talk with the words of one message only."""
    if number is None:
        raise click.UsageError("Name the --message to open.")
    found = check_talk(lines, Trust())
    if not any(one.n == number and one.content is not None for one in found.messages):
        raise BadBundle(None, f"it does not have the words of message {number}")
    for line in disclosure.write_message(found, number):
        click.echo(line, nl=False)
