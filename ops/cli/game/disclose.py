"""`rutter disclose BUNDLE --seat I`: open some of one's hidden parts to a director."""

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
            self.fail("events are numbers with commas between them", param, ctx)
        return frozenset(map(int, words))


@click.command("disclose")
@click.argument("bundle", type=FILE)
@click.option("--seat", type=click.IntRange(0, 15), required=True, help="Whose parts are opened.")
@click.option("--events", type=EventNumbers(), help="Of which events; left out: of all.")
def command(bundle: Path, seat: int, events: frozenset[int] | None) -> None:
    """Write BUNDLE to standard output with no hidden parts but those chosen of one seat.

    What comes out is a copy of that seat: `rutter verify --partial` checks it and lists the parts opened.
    Nothing else than these parts is shown, for all the rest is public. Opening is final: give the file to the
    director alone. A part that other seats know as well is named on standard error.
    """
    with ExitStatusReporter(None), open_input(bundle) as stream:
        found = check_bundle(read_lines(stream), Trust())
        own = found.sheet.header.seat
        if found.sheet.header.scope == "seat" and own != seat:
            raise BadBundle(None, f"this is a copy of {'a spectator' if own is None else f'seat {own}'}")
        if not any(
            disclosure.seat_parts(record, seat)
            for record in found.records
            if events is None or record.seq in events
        ):
            raise BadBundle(None, f"nothing of seat {seat} is hidden in these events")
        for n, name in disclosure.find_shared_parts(found, seat, events):
            click.echo(
                escape_controls(f"event {n}: the part of {name} is known to other seats too"), err=True
            )
        for line in disclosure.write_disclosed(found, seat, events):
            click.echo(line, nl=False)
