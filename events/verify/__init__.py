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

from collections.abc import Iterable, Sequence

import msgspec

from events.beacon import CHAINS, SECOND
from events.folding import fold_one
from events.game import Game, start
from events.moments import micros
from events.record import Record, may_open
from events.tlog.notes import Verifier
from events.verify import creation as creations
from events.verify import form, held, links
from events.verify.bodies import ENDS
from events.verify.copy import Copy
from events.verify.course import Progress
from events.verify.creation import Creation
from events.verify.drops import dropped
from events.verify.errors import BadBundle, CannotCheck, Equivocation
from events.verify.form import Sheet
from events.verify.logged import Judged
from events.verify.parts import Opener
from events.verify.play import BotMove, RerunBot, Whole
from events.verify.report import Receipts, Report
from events.verify.trust import Trust


def _silent(_done: int, _all: int) -> None:
    """No progress is shown."""


class Checked(msgspec.Struct):
    """A bundle whose form, signature, chain, bodies and parts hold; its meaning is not looked at."""

    sheet: Sheet
    records: list[Record]
    hashes: list[bytes]
    ends: list[int]
    """The last event of each batch."""
    receipts: Receipts
    """How the receipts agree that players hold."""


class Verified(msgspec.Struct):
    """A bundle that holds: what is told of it, and the game that its events give."""

    report: Report
    game: Game
    first: bytes
    """The hash of its first event."""


def verify(
    text: Iterable[bytes],
    *,
    partial: bool = False,
    key: Verifier | None = None,
    rerun_bot: RerunBot | None = None,
    trust: Trust = Trust(),  # noqa: B008 - a value that nobody can change
    progress: Progress = _silent,
) -> Report:
    """Verify a bundle, given as its lines.

    Raises :class:`BadBundle` naming the first bad event, :class:`Equivocation` where a receipt contradicts
    it, :class:`CannotCheck` where the rules or a bot are not at hand.

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
    return verified(text, partial=partial, rerun_bot=rerun_bot, trust=trust, progress=progress).report


def verified(
    text: Iterable[bytes],
    *,
    partial: bool = False,
    rerun_bot: RerunBot | None = None,
    bot_moves: list[BotMove] | None = None,
    trust: Trust = Trust(),  # noqa: B008 - a value that nobody can change
    progress: Progress = _silent,
) -> Verified:
    """Verify a bundle as :func:`verify` does; also what game it is, for whoever compares that with others.

    *bot_moves* is filled with the moves of bots, for whoever thinks them again later.
    """
    try:
        sheet = form.read(text, trust.pinned(), trust.raw_key)
        _check_scope(sheet, partial=partial)
        return _verified(_checked(sheet, trust), trust, (rerun_bot, bot_moves), progress)
    except (BadBundle, CannotCheck, Equivocation):
        raise
    except Exception as error:
        # A fault of the verifier itself: whatever the file did, its reader must not take it for sound.
        raise BadBundle(None, f"cannot be checked ({type(error).__name__})") from error


def _check_scope(sheet: Sheet, *, partial: bool) -> None:
    if sheet.header.scope != "whole" and not partial:
        raise BadBundle(None, "this is a seat's copy; verify it with --partial")


def checked(text: Iterable[bytes], trust: Trust) -> Checked:
    """A bundle as far as form, signature, chain and parts go. Raises :class:`BadBundle`."""
    return _checked(form.read(text, trust.pinned(), trust.raw_key), trust)


def _checked(sheet: Sheet, trust: Trust) -> Checked:
    lines, hashes = links.linked(sheet)
    keys = [*trust.pinned(), *([sheet.signer] if sheet.signer else [])]
    told = held.compared(sheet, hashes, trust, list(dict.fromkeys(keys)))
    opener = Opener(sheet.header)
    records = [
        opener.record(line, digest, raw)
        for line, digest, raw in zip(lines, hashes, sheet.events, strict=True)
    ]
    if sheet.receipt.cmd != records[-1].command_id:
        raise BadBundle(len(records), "the receipt names another command")
    return Checked(sheet, records, hashes, opener.bodies.ends, told)


def _verified(
    found: Checked, trust: Trust, again: tuple[RerunBot | None, list[BotMove] | None], progress: Progress
) -> Verified:
    sheet, records = found.sheet, found.records
    made = creations.decided(records[: found.ends[0]], sheet.header, _services(sheet, trust))
    report = _report(found, made)
    course = _course(found, made, report, progress)
    if isinstance(course, Whole):
        course.rerun_bot, course.bot_moves = again
        report.rethought = again != (None, None)
    course.go()
    _tell_seats(report, course.game)
    _judge(found, trust, course.game, made, report)
    return Verified(report, course.game, found.hashes[0])


def _services(sheet: Sheet, trust: Trust) -> list[str]:
    """Names under which the game may have begun, besides that of the receipt."""
    return [old.name for old, new in trust.successors if new == sheet.signer]


def _report(found: Checked, made: Creation) -> Report:
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
        _tell_parts(found.records, report)
    return report


def _tell_parts(records: Sequence[Record], report: Report) -> None:
    """Which parts are opened, and whether they are all that the seat may know."""
    due = 0
    for record in records:
        report.parts_opened += [f"{name} of event {record.seq} ({record.type})" for name in record.parts]
        due += sum(may_open(name, report.seat) for name in record.envelope().hid or {})
    report.all_parts = report.seat is not None and due == len(report.parts_opened)


def _course(found: Checked, made: Creation, report: Report, progress: Progress) -> Whole | Copy:
    last = found.records[-1]
    keys = creations.disclosed(last, made) if last.type in ENDS else None
    kind = Whole if report.whole else Copy
    return kind(found.records, found.ends, made, keys, report, progress)


def _tell_seats(report: Report, game: Game) -> None:
    """Which persons sign what they do."""
    for seat, sits in enumerate(game.seats):
        if sits.taken and sits.bot is None:
            (report.unsigned if sits.key is None else report.signed).append(seat)


def _judge(found: Checked, trust: Trust, game: Game, made: Creation, report: Report) -> None:
    """Proofs, policy, and what they say about key, beacon and withheld reveals."""
    sheet = found.sheet
    keys = [*trust.pinned(), *([sheet.signer] if sheet.signer else [])]
    try:
        judged = Judged(sheet, found.hashes, found.ends, trust, list(dict.fromkeys(keys)))
    except CannotCheck as problem:
        report.unchecked.append(str(problem))
        return
    report.logged = judged.logged
    size = trust.revoked.get(sheet.signer) if sheet.signer else None
    if size is not None and not judged.counts_for(report.events, size):
        raise BadBundle(report.events, "its key was revoked, and no proof shows this event in the log before")
    if trust.policy is not None and not any(told.n == report.events for told in judged.logged):
        report.unchecked.append("the file has no proof for the policy to judge")
    if sheet.timestamps:
        report.unchecked.append("timestamps cannot be checked: no library for RFC 3161 is installed")
    _judge_opening(found, trust, game, judged, report)


def _judge_opening(found: Checked, trust: Trust, game: Game, judged: Judged, report: Report) -> None:
    """When others saw the reveals closed, and whether they saw one that is called missing."""
    told, source, closed = report.randomness, game.terms.beacon, game.closed
    if source is not None and closed is not None and closed.beacon is not None and closed.round is not None:
        n = next(record.seq for record in found.records if record.type == "RevealsClosed")
        due = micros(CHAINS[source.chain].time(closed.round)) // SECOND
        if judged.quorum_before(n, due):
            told.beacon = "witnessed before its round"
    told.dropped = dropped(found.records, trust, game, told.withheld)
    report.unchecked += [
        f"seat {seat} withheld although dropped at {name}" for seat, name in told.dropped.items()
    ]


def fold_all(game_id: str, records: Sequence[Record]) -> Game:
    """A game from all its events, without any snapshot. Raises :class:`BadBundle` at the first bad event."""
    game, seq = start(game_id), 0
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
    "CannotCheck",
    "Checked",
    "Equivocation",
    "Report",
    "RerunBot",
    "Trust",
    "Verified",
    "checked",
    "fold_all",
    "verified",
    "verify",
]
