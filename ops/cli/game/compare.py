"""`rutter compare A B`: check that two bundles of a game or a tournament have the same history."""

import json
import sys
from itertools import chain
from pathlib import Path

import click
import msgspec

from events.tlog.notes import Verifier
from events.verify import CheckedStream, Trust, check_bundle
from events.verify.comparison import compare
from events.verify.talk import check_talk, is_talk
from events.verify.tournaments.bundle import check_own_part, is_tournament
from ops.cli.options import FILE, LogKeyParam, SuccessorParam
from ops.verify.input import GOOD, UNCHECKED, ExitStatusReporter, open_input, read_lines, read_policy


@click.command("compare")
@click.argument("a", type=FILE)
@click.argument("b", type=FILE)
@click.option("--key", type=LogKeyParam(), help="The log key that must have signed both.")
@click.option("--policy", type=FILE, help="A policy: the logs that you trust.")
@click.option(
    "--successor",
    type=SuccessorParam(),
    multiple=True,
    help="The key of a lost log, and that of the log that succeeded it.",
)
@click.option(
    "--evidence",
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With exit status 4: write both histories to this file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def command(
    a: Path,
    b: Path,
    key: Verifier | bytes | None,
    policy: Path | None,
    successor: tuple[tuple[Verifier, Verifier], ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Compare two bundles of one game or of one tournament. Each may be whole or a copy.

    First the command checks form, signature, hash chain and hidden parts of both. Then it compares their
    events. Of tournaments it compares their own events, not their games.

    \b
    Exit status:
      0  one history: the same, or one bundle is an earlier copy of the other
      1  BAD: a bundle is invalid, or they are of different games or logs
      2  wrong usage, or a file cannot be read
      3  one history, but no key that you named signed both
      4  EQUIVOCATION: two histories; the first event that differs is named
         (--evidence writes both)
    """  # noqa: D301 - \b is how click keeps lines
    trust = Trust(
        keys=[key] if isinstance(key, Verifier) else [],
        raw_key=key if isinstance(key, bytes) else None,
        policy=read_policy(policy),
        successors=successor,
    )
    with ExitStatusReporter(out):
        one, two = _read(a, trust), _read(b, trust)
        found = compare(one, two, trust)
    pinned = one.sheet.signer is not None
    result = {**msgspec.to_builtins(found), "pinned": pinned}
    note = "" if pinned else "\nNOT PINNED: you gave no key; anyone can have made these (--key, --policy)"
    click.echo(json.dumps(result, sort_keys=True) if as_json else found.text + note)
    sys.exit(GOOD if pinned else UNCHECKED)


def _read(file: Path, trust: Trust) -> CheckedStream:
    with open_input(file) as stream:
        lines = read_lines(stream)
        first = next(lines, b"")
        whole = chain([first] if first else [], lines)
        if is_talk(first):
            return check_talk(whole, trust)
        return check_own_part(whole, trust) if is_tournament(first) else check_bundle(whole, trust)
