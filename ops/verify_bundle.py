"""`rutter verify FILE`: check an audit bundle offline."""

import sys
from pathlib import Path

import click

from events.bundle import BadBundle
from events.tlog.notes import Verifier
from events.verify import Report, verify
from workers.bots import think


@click.command("verify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "--partial", is_flag=True, help="Accept a seat's copy of a running game, and check what it allows."
)
@click.option("--key", metavar="VKEY", help="The key that must have signed (see /v1/keys of the service).")
@click.option(
    "--bots", is_flag=True, help="Also let every bot think again: the same seed must give the same move."
)
def command(file: Path, *, partial: bool, key: str | None, bots: bool) -> None:
    """Verify the audit bundle FILE without any server.

    Checked are the hash chain, every hidden part against its digest, the signature, the commitments to the
    randomness, every random draw, every command by the rules, and the result. Exit status 0 only if all of
    it holds; otherwise the first bad event is named.
    """
    try:
        signer = Verifier.read(key) if key else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--key") from None
    with click.open_file(str(file), "rb") as text:
        lines = text.readlines()
    try:
        report = verify(
            lines,
            partial=partial,
            key=signer,
            rerun_bot=think if bots else None,
            progress=_progress,
        )
    except BadBundle as bad:
        click.echo(f"BAD: {bad}", err=True)
        sys.exit(1)
    click.echo(_summary(report, pinned=signer is not None, bots=bots))


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty() and (done == of or done % 200 == 0):
        click.echo(f"\r{done} of {of} events", nl=done == of, err=True)


def _summary(report: Report, *, pinned: bool, bots: bool) -> str:
    scope = (
        "whole game"
        if report.whole
        else "a seat's copy; hidden parts of others are checked when the game has ended"
    )
    lines = [
        f"OK: {report.title}, game {report.game} ({scope})",
        f"  {report.events} events, {report.commands} commands",
        f"  {report.public_draws} public draws, {report.hidden_draws} hidden draws",
        f"  head {report.head}",
        f"  signed by {report.origin}" + ("" if pinned else "  (compare with /v1/keys, or give --key)"),
    ]
    if bots:
        lines.append(f"  {report.bots} bot moves thought again with the same result")
    if report.winners:
        lines.append(f"  won by seat {', '.join(map(str, report.winners))}")
    return "\n".join(lines)
