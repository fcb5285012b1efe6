"""Checking a bundle offline: what ``rutter verify`` does.

A whole bundle is proved completely: form, chain, hidden parts, signature, commitments, every random draw,
every command decided again by the rules, the result. A seat's copy is proved as far as it goes: form, chain,
the parts it holds, signature, the opening of the table, and every public draw against the event that
shows it.

The order is that of the modules: `scan` and `form` (lines, header, the receipt's signature), `links` (the
chain), `held` (receipts of players), `bodies` and `parts`, `creation`, then `play` or `copy`, and last
`logged`. With a pinned key nothing of a stranger's events reaches the rules: signature and chain come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from events.base.timestamps import parse_timestamp
from events.proof.beacon import CHAINS, MICROS_PER_SECOND
from events.table.engine import fold_one
from events.table.game import Game, initial_game
from events.table.record import Record, may_open
from events.tlog.notes import Verifier
from events.verify import creation as creations
from events.verify import form, hash_links, log_proofs, player_receipts
from events.verify.batch_verifier import Progress
from events.verify.bodies import ENDING_TYPES
from events.verify.creation import Creation
from events.verify.dropped_reveals import find_dropped_reveals
from events.verify.errors import BadBundle, Equivocation, UncheckableClaim, UnreadableFile, cannot_import
from events.verify.form import BundleLines, SignedLines
from events.verify.hidden_parts import PartReader
from events.verify.log_proofs import JudgedProofs
from events.verify.report import WITNESSED, Receipts, Report
from events.verify.seat_copy import SeatCopyVerifier
from events.verify.trust import Trust
from events.verify.whole_game import BotMove, RerunBot, WholeGameVerifier


def _no_progress(_done: int, _all: int) -> None:
    """No progress is shown."""


class CheckedStream(msgspec.Struct):
    """A stream whose form, signature and chain hold; its meaning is not looked at."""

    sheet: SignedLines
    records: list[Record]
    hashes: list[bytes]
    ends: list[int]
    """The last event of each batch."""
    receipts: Receipts
    """The comparison of the receipts that players hold with the chain."""


class CheckedBundle(CheckedStream):
    """A bundle of a game whose form, signature, chain, bodies and parts hold."""

    sheet: BundleLines


class VerifiedGame(msgspec.Struct):
    """A bundle that holds: what is told of it, and the game that its events give."""

    report: Report
    game: Game
    opening: tuple[Record, ...]
    """The records of its creation and the first one after it."""


def verify(
    text: Iterable[bytes],
    *,
    partial: bool = False,
    key: Verifier | None = None,
    rerun_bot: RerunBot | None = None,
    trust: Trust = Trust(),  # noqa: B008 - a value that nobody can change
    progress: Progress = _no_progress,
) -> Report:
    """Verify a bundle, given as its lines.

    Raises :class:`BadBundle` naming the first bad event, :class:`Equivocation` where a receipt contradicts
    it, :class:`UncheckableClaim` where the rules, a bot or a module that they need are missing,
    :class:`UnreadableFile` where it is no audit file as it was sent.

    Args:
        text: the lines, each with its line feed.
        partial: accept a seat's copy.
        key: the log key that must have signed, where nothing else is to be said in *trust*.
        rerun_bot: lets every bot think again.
        trust: what the caller knows from elsewhere.
        progress: is told how many events of how many are done.
    """
    if key is not None:
        trust = msgspec.structs.replace(trust, keys=(*trust.keys, key))
    return verify_game(text, partial=partial, rerun_bot=rerun_bot, trust=trust, progress=progress).report


def verify_game(
    text: Iterable[bytes],
    *,
    partial: bool = False,
    rerun_bot: RerunBot | None = None,
    bot_moves: list[BotMove] | None = None,
    trust: Trust = Trust(),  # noqa: B008 - a value that nobody can change
    progress: Progress = _no_progress,
) -> VerifiedGame:
    """Verify a bundle as :func:`verify` does, and return its game, for comparison with others.

    *bot_moves* is filled with the moves of bots, so that callers can think them again later.
    """
    with _blame_file():
        sheet = form.read_bundle(text, trust.list_pinned_keys(), trust.raw_key)
        _check_scope(sheet, partial=partial)
        return _verify_checked(_check_sheet(sheet, trust), trust, (rerun_bot, bot_moves), progress)


@contextmanager
def _blame_file() -> Iterator[None]:
    """Turn whatever is raised into a verdict on the file.

    A fault of the verifier itself is one, too: its reader must not take the file for sound.
    """
    try:
        yield
    except (BadBundle, UncheckableClaim, Equivocation, UnreadableFile):
        raise
    except ImportError as error:
        raise cannot_import(error) from error
    except Exception as error:
        raise BadBundle(None, f"cannot be checked ({type(error).__name__})") from error


def _check_scope(sheet: BundleLines, *, partial: bool) -> None:
    if sheet.header.scope != "whole" and not partial:
        raise BadBundle(None, "this is a seat's copy; verify it with --partial")


def check_bundle(text: Iterable[bytes], trust: Trust) -> CheckedBundle:
    """Return a bundle as far as form, signature, chain and parts go. Raises :class:`BadBundle`."""
    with _blame_file():
        return _check_sheet(form.read_bundle(text, trust.list_pinned_keys(), trust.raw_key), trust)


def _check_sheet(sheet: BundleLines, trust: Trust) -> CheckedBundle:
    lines, hashes = hash_links.check_links(sheet)
    compared, held = player_receipts.compare_receipts(sheet, hashes, trust)
    opener = PartReader(sheet.header)
    records = [
        opener.read_record(line, digest, raw)
        for line, digest, raw in zip(lines, hashes, sheet.events, strict=True)
    ]
    player_receipts.check_named_event(sheet.receipt, records[-1], "the receipt")
    for receipt in held:
        player_receipts.check_named_event(receipt, records[receipt.n - 1], "a receipt that was given")
    return CheckedBundle(sheet, records, hashes, opener.bodies.ends, compared)


def _verify_checked(
    found: CheckedBundle,
    trust: Trust,
    again: tuple[RerunBot | None, list[BotMove] | None],
    progress: Progress,
) -> VerifiedGame:
    sheet, records = found.sheet, found.records
    services = trust.list_names(sheet.header.origin)
    made = creations.check_creation(records[: found.ends[0]], sheet.header, services)
    report = _begin_report(found, made)
    course = _make_verifier(found, made, report, progress)
    if isinstance(course, WholeGameVerifier):
        course.rerun_bot, course.bot_moves = again
        report.rethought = again != (None, None)
    course.run()
    if trust.directors and made.opened.director is not None:
        report.randomness.director_pinned = made.opened.director in trust.directors
    _judge_proofs(found, trust, course.game, report)
    return VerifiedGame(report, course.game, tuple(records[: found.ends[0] + 1]))


def _begin_report(found: CheckedBundle, made: Creation) -> Report:
    header = found.sheet.header
    report = Report(
        game=header.game,
        title=f"{header.title} {header.version}",
        whole=header.scope == "whole",
        events=header.events,
        head=found.hashes[-1].hex(),
        origin=header.origin,
        analysis=made.opened.analysis,
        kind=made.kind,
        data_hash=made.opened.data_hash,
        seat=header.seat,
        receipts=found.receipts,
    )
    signer = found.sheet.signer
    report.signer = f"{signer.name}+{signer.id.hex()}" if signer else ""
    if not report.whole:
        _report_parts(found.records, report)
    return report


def _report_parts(records: Sequence[Record], report: Report) -> None:
    """Report the parts that are opened, and if they are all that the seat may know."""
    due = 0
    for record in records:
        report.parts_opened += [f"{name} of event {record.seq} ({record.type})" for name in record.parts]
        due += sum(may_open(name, report.seat) for name in record.envelope().hid or {})
    report.all_parts = report.seat is not None and due == len(report.parts_opened)


def _make_verifier(
    found: CheckedBundle, made: Creation, report: Report, progress: Progress
) -> WholeGameVerifier | SeatCopyVerifier:
    last = found.records[-1]
    keys = creations.check_disclosed_secrets(last, made) if last.type in ENDING_TYPES else None
    kind = WholeGameVerifier if report.whole else SeatCopyVerifier
    return kind(found.records, found.ends, made, keys, report, progress)


def _judge_proofs(found: CheckedBundle, trust: Trust, game: Game, report: Report) -> None:
    """Proofs, policy, and what they say about key, beacon and withheld reveals."""
    report.has_quorum = trust.policy is not None and trust.policy.judges
    judged, unchecked = log_proofs.judge_proofs(found.sheet, found.hashes, found.ends, trust)
    report.unchecked += unchecked
    if judged is not None:
        report.logged = judged.logged
        _judge_opening(found, trust, game, judged, report)


def _judge_opening(
    found: CheckedBundle, trust: Trust, game: Game, judged: JudgedProofs, report: Report
) -> None:
    """Report if others saw the reveals closed in time, and the missing reveals that they did see."""
    randomness, source, closed = report.randomness, game.terms.beacon, game.closed
    if source is not None and closed is not None and closed.beacon is not None and closed.round is not None:
        due = parse_timestamp(CHAINS[source.chain].round_time(closed.round)) // MICROS_PER_SECOND
        if judged.has_quorum_before(closed.n, due):
            randomness.beacon = WITNESSED
    randomness.dropped = find_dropped_reveals(found.records, trust, game, randomness.withheld)
    report.unchecked += [
        f"seat {seat} withheld although dropped at {name}" for seat, name in randomness.dropped.items()
    ]


def fold_all(game_id: str, records: Sequence[Record]) -> Game:
    """Return a game from all its events, without a snapshot. Raises :class:`BadBundle` at a bad one."""
    game, seq = initial_game(game_id), 0
    try:
        for record in records:
            seq = record.seq
            game = fold_one(game, record)
    except (ValueError, LookupError, TypeError, AttributeError, msgspec.MsgspecError) as error:
        raise BadBundle(seq, f"the event cannot be folded: {error}") from error
    return game


__all__ = [
    "BadBundle",
    "BotMove",
    "CheckedBundle",
    "CheckedStream",
    "Equivocation",
    "Report",
    "RerunBot",
    "Trust",
    "UncheckableClaim",
    "UnreadableFile",
    "VerifiedGame",
    "check_bundle",
    "fold_all",
    "verify",
    "verify_game",
]
