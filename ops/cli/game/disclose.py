"""`rutter disclose BUNDLE --seat I`: open some hidden parts of a seat to a director."""

from pathlib import Path
from typing import Any

import click

from events.tlog.text import escape_controls
from events.verify import BadBundle, Trust, check_bundle, disclosure
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
@click.option("--seat", type=click.IntRange(0, 15), required=True, help="The seat whose parts to open.")
@click.option("--events", type=EventNumbers(), help="The numbers of the events to open. Default: all.")
def command(bundle: Path, seat: int, events: frozenset[int] | None) -> None:
    """Write BUNDLE to standard output with only the hidden parts of one seat that you choose.

    The output is a copy of that seat's bundle. `rutter verify --partial` checks it and lists the open parts.
    Everything else in it is public. You cannot take it back: give the file to the director only. If other
    seats know a part too, the command names it on standard error.
    """
    with ExitStatusReporter(None), open_input(bundle) as stream:
        found = check_bundle(read_lines(stream), Trust())
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
