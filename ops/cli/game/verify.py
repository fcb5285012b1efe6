"""`rutter verify FILE`: check an audit bundle offline, or evidence of an equivocation."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click
import msgspec

from events.tlog.notes import Verifier
from events.tlog.text import escape_controls
from events.tournament.ladder_ratings import RatedGame
from events.verify import (
    BadBundle,
    BotMove,
    Report,
    Trust,
    UnreadableFile,
    check_bundle,
    evidence,
    limits,
    verify_game,
)
from events.verify.foreign_files import check_first_line
from events.verify.scan import is_deeper_than
from events.verify.talk import is_talk, verify_talk
from events.verify.tournaments.bundle import is_tournament
from ops.cli.options import FILE, LogKeyParam, RevokedKeyParam, SuccessorParam
from ops.verify import tournament_bundle
from ops.verify.bot_replay import ALL, ReplayRequest, replay_bot_moves
from ops.verify.input import (
    GOOD,
    UNCHECKED,
    ExitStatusReporter,
    open_input,
    read_lines,
    read_policy,
    show_progress,
)

REQUIREMENTS = ("whole", "ordinary", "contributions", "beacon", "signed", "bots", "receipts", "log")
TOURNAMENT = ("whole", "ordinary", "contributions", "bots")
"""The requirements of the profile of an organiser."""
SHOWN = ("signed", "receipts", "log")
"""The words that the profile does not require: it says in a line each what is not shown."""


class ShareParam(click.ParamType[Any]):
    """A percentage."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the share in millionths."""
        if isinstance(value, int):
            return value
        try:
            share = round(float(value.removesuffix("%")) * ALL / 100)
        except (ValueError, OverflowError):
            share = 0
        if not 0 < share <= ALL:
            self.fail(f"{value!r} is not a share. Give a percentage up to 100%, such as 5%.", param, ctx)
        return share


class CommitmentParam(click.ParamType[Any]):
    """A commitment to a contribution."""

    name = "commitment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the commitment, 64 hex digits."""
        if re.fullmatch("[0-9a-f]{64}", value) is None:
            self.fail("a commitment has 64 hex digits in lower case", param, ctx)
        return value


class RequirementsParam(click.ParamType[Any]):
    """Requirements with commas between them."""

    name = "list"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the words, each of :data:`REQUIREMENTS`."""
        words = tuple(word for word in value.split(",") if word)
        for word in words:
            if word not in REQUIREMENTS:
                self.fail(f"{word!r} is unknown. Choose from {', '.join(REQUIREMENTS)}.", param, ctx)
        return words


@click.command("verify")
@click.argument("file", type=FILE)
@click.option(
    "--key", type=LogKeyParam(), help="The log key that must have signed. Note it before the game begins."
)
@click.option("--policy", type=FILE, help="A policy: the logs and witnesses that you trust, and the quorum.")
@click.option(
    "--director",
    "directors",
    type=CommitmentParam(),
    multiple=True,
    help="The commitment of a director who contributes, noted before the game began.",
)
@click.option(
    "--receipts",
    "held",
    type=FILE,
    multiple=True,
    help="A file of receipts from players, or of notes from drop boxes. A bundle is such a file too.",
)
@click.option(
    "--ratings",
    type=FILE,
    help="The export of ratings of a ladder's pool: pairings are recomputed by it.",
)
@click.option("--game", "table", type=FILE, help="The bundle of the game, to compare its talk with it.")
@click.option("--bots", is_flag=True, help="Also recompute every move of every bot from its seed.")
@click.option(
    "--sample", type=ShareParam(), default=ALL, help="With --bots: recompute only a share, such as 5%."
)
@click.option("--sample-seed", default="", help="Any word. Another word draws another sample.")
@click.option("--partial", is_flag=True, help="Accept a seat's copy or a running tournament.")
@click.option(
    "--require",
    type=RequirementsParam(),
    default="",
    help=f"What must be true, with commas between: {', '.join(REQUIREMENTS)}.",
)
@click.option(
    "--tournament",
    is_flag=True,
    help=(
        f"An organiser's profile: require {', '.join(TOURNAMENT)}, and log with --policy."
        f' Lines "not shown" tell the rest.'
    ),
)
@click.option(
    "--revoked",
    type=RevokedKeyParam(),
    multiple=True,
    help="A stolen key, and the size of the log from which it is not trusted.",
)
@click.option(
    "--successor",
    type=SuccessorParam(),
    multiple=True,
    help="The key of a lost log, and the key of its successor.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="The number of processes that verify games of a tournament or recompute moves of bots.",
)
@click.option(
    "--evidence",
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With exit status 4: write both statements to this file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON object.")
def command(
    file: Path,
    key: Verifier | bytes | None,
    policy: Path | None,
    directors: tuple[str, ...],
    held: tuple[Path, ...],
    ratings: Path | None,
    table: Path | None,
    bots: bool,
    sample: int,
    sample_seed: str,
    partial: bool,
    require: tuple[str, ...],
    tournament: bool,
    revoked: tuple[tuple[Verifier, int], ...],
    successor: tuple[tuple[Verifier, Verifier], ...],
    jobs: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Verify the audit bundle FILE of a game, its talk or a tournament, without any server.

    The checks run in this order:

    \b
      1. form, signature, hash chain and receipts
      2. every event, and every hidden part against its digest
      3. the creation and the opening of the game
      4. every command by the rules, with every random draw
      5. proofs and policy

    Of a tournament, the command also recomputes every pairing and verifies every game. It compares the
    creation and the result of each game with those of its table. The output names the first bad event, or the
    round and table of the first fault.

    Of a talk, the output tells which seat said what to whom after which event of the game. It says "before
    event M" only where the log of all games shows that.

    FILE may also be evidence of an equivocation, as --evidence writes it.

    \b
    Exit status:
      0  OK: everything is correct, and a key that you named signed it
      1  BAD: something is wrong (the first bad event is named), or a
         requirement is not met
      2  wrong usage, or a file cannot be read
      3  INCOMPLETE or CANNOT CHECK: what was checked is correct; the
         lines "not checked" say what is missing and how to give it
      4  EQUIVOCATION: one key signed two statements that contradict
         each other (--evidence writes both)
    """  # noqa: D301 - \b is how click keeps lines
    trust = Trust(
        keys=[key] if isinstance(key, Verifier) else [],
        raw_key=key if isinstance(key, bytes) else None,
        policy=read_policy(policy),
        directors=directors,
        receipts=_read_notes(held, "receipt"),
        drops=_read_notes(held, "drop"),
        revoked=dict(revoked),
        successors=successor,
    )
    judges = trust.policy is not None and trust.policy.judges
    profile = (*TOURNAMENT, *(["log"] if judges else [])) if tournament else ()
    wanted = tuple(dict.fromkeys([*require, *profile]))
    shown = tuple(word for word in SHOWN if tournament and word not in wanted)
    again = ReplayRequest(sample, sample_seed, jobs) if bots or "bots" in wanted else None
    with ExitStatusReporter(out), open_input(file) as stream:
        lines = read_lines(stream)
        first = next(lines, b"")
        check_first_line(first)
        if is_talk(first):
            if wanted:
                raise click.UsageError("--require and --tournament do not apply to talk.")
            _verify_talk(_prepend(first, lines), trust, table, as_json=as_json)
        if is_tournament(first):
            export = None if ratings is None else _read_ratings(ratings)
            asked = tournament_bundle.VerificationRequest(trust, wanted, partial, again, jobs, export, shown)
            _verify_tournament(file, first, lines, asked, as_json=as_json)
        if evidence.is_evidence(first):
            evidence.check_evidence(_prepend(first, lines), trust)
        moves: list[BotMove] | None = None if again is None else []
        report = verify_game(
            _prepend(first, lines), partial=partial, bot_moves=moves, trust=trust, progress=show_progress
        ).report
        if moves is not None and again is not None:
            replay_bot_moves(report, moves, again)
        report.unshown = report.list_unshown(shown)
        _print_and_exit(report, wanted, as_json=as_json)


def _verify_talk(lines: Iterator[bytes], trust: Trust, table: Path | None, *, as_json: bool) -> NoReturn:
    """Verify a talk, perhaps with the bundle of its game, say what holds, and exit."""
    game = None
    if table is not None:
        with open_input(table) as stream:
            game = check_bundle(read_lines(stream), trust)
    report = verify_talk(lines, trust, game)
    click.echo(json.dumps(report.to_json(), sort_keys=True) if as_json else report.summary())
    sys.exit(GOOD if report.is_complete else UNCHECKED)


def _verify_tournament(
    file: Path,
    first: bytes,
    lines: Iterator[bytes],
    wanted: tournament_bundle.VerificationRequest,
    *,
    as_json: bool,
) -> NoReturn:
    """Verify a tournament, say what holds, and exit."""
    outcome = tournament_bundle.verify_file(file, _prepend(first, lines), wanted)
    click.echo(json.dumps(outcome.to_builtins(), sort_keys=True) if as_json else outcome.summary())
    sys.exit(GOOD if outcome.is_complete else UNCHECKED)


def _prepend(first: bytes, lines: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from lines


def _print_and_exit(report: Report, wanted: Sequence[str], *, as_json: bool) -> NoReturn:
    """Say what holds, and exit."""
    if report.randomness.elsewhere and "contributions" in wanted:
        report.unchecked.append(
            "contributions: only the file of its tournament shows who contributed; verify that one"
        )
        wanted = [word for word in wanted if word != "contributions"]
    lacking = report.list_unmet_requirements(wanted)
    if lacking:
        raise BadBundle(None, "required, but it does not hold: " + ", ".join(map(report.explain, lacking)))
    report.unchecked += [f"{word}: {reason}" for word, reason in report.missing_inputs(wanted).items()]
    click.echo(json.dumps(report.to_json(), sort_keys=True) if as_json else report.summary())
    sys.exit(GOOD if report.is_complete else UNCHECKED)


def _read_notes(files: Sequence[Path], kind: str) -> list[str]:
    """Return the notes in the lines of that kind. Raises click's error for a file that is no NDJSON."""
    notes: list[str] = []
    for file in files:
        with open_input(file) as stream:
            for number, line in enumerate(read_lines(stream), 1):
                parsed = _parse_line(line, file, number, "--receipts")
                if parsed.get("kind") == kind and isinstance(parsed.get("note"), str):
                    notes.append(parsed["note"])
    return notes


def _read_ratings(file: Path) -> tuple[RatedGame, ...]:
    """Return the lines of an export of ratings. Raises click's error for what is none."""
    games = []
    with open_input(file) as stream:
        for number, line in enumerate(read_lines(stream), 1):
            try:
                games.append(msgspec.convert(_parse_line(line, file, number, "--ratings"), RatedGame))
            except msgspec.ValidationError as error:
                told = escape_controls(f"line {number} of {file} is no rated game: {error}")
                raise click.BadParameter(told, param_hint="--ratings") from None
    return tuple(games)


def _parse_line(line: bytes, file: Path, number: int, option: str) -> dict[str, Any]:
    try:
        parsed = msgspec.json.decode(line) if len(line) <= limits.LINE and not is_deeper_than(line) else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        parsed = None
    if isinstance(parsed, dict):
        return parsed
    told = f"line {number} of {file} is not a JSON object."
    if number == 1:
        try:
            check_first_line(line)
        except UnreadableFile as reason:
            told = f"{file}: {reason}"
    raise click.BadParameter(escape_controls(told), param_hint=option)
