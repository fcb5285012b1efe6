"""The monitor behind `rutter audit LOG_URL`: all entries of a log, compared with receipts and bundles."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from events.base.timestamps import read_time
from events.tlog import checkpoints, leaves, tree
from events.tlog.checkpoints import Checkpoint
from events.tlog.leaves import Entry, read_entry
from events.tlog.monitor import BadEntry, Equivocation, Monitor
from events.tlog.notes import RECEIPT_DELAY, BadNote, Receipt, UnsignedNote, Verifier, open_receipt
from events.tlog.policy import Policy
from events.verify import CheckedStream, check_bundle
from events.verify import trust as verifiers
from events.verify.talk import check_talk, is_talk
from events.verify.tournaments.bundle import check_own_part, is_tournament
from ops.verify.log_reader import LogReader, UnavailableLog
from ops.verify.log_succession import BadSuccession, Takeover

SILENT = 30 * 86_400
"""Seconds after which a game in which nothing happens is called silent."""

Progress = Callable[[int, int], None]


class InvalidLog(Exception):
    """Something does not hold."""


class ConvictedLog(Exception):
    """The log is convicted by its own signatures. *evidence* is what shows it."""

    def __init__(self, reason: str, evidence: dict[str, Any]) -> None:
        super().__init__(reason)
        self.evidence = evidence


class LogTrust(msgspec.Struct, frozen=True):
    """The logs, witnesses and keys that the monitor believes."""

    logs: tuple[Verifier, ...]
    policy: Policy | None
    pinned: bool
    """False where the log itself was asked for its key."""
    successors: tuple[tuple[Verifier, Verifier], ...] = ()
    """``(old, new)``: the log of *new* must say that it took over from that of *old*."""

    @property
    def witnesses(self) -> list[Verifier]:
        """The witnesses of the policy."""
        return list(self.policy.witnesses.values()) if self.policy else []

    def list_keys(self, origin: str) -> list[Verifier]:
        """Return the known keys of the log of that name, also of one that was named as lost."""
        return [key for key in (*(old for old, _ in self.successors), *self.logs) if key.name == origin]


class Exhibits(msgspec.Struct, frozen=True):
    """The evidence that the log is checked against: receipts, and the events of a bundle."""

    receipts: tuple[str, ...] = ()
    """Notes."""
    game: str | None = None
    """Of a bundle: the game."""
    ends: tuple[tuple[int, bytes], ...] = ()
    """Of a bundle: number and hash of the last event of each batch."""
    closing: str | None = None
    """Of a whole bundle: the body of the event that ended the game; None of a copy."""


class MonitorReport(msgspec.Struct):
    """The findings of the monitor, where nothing is wrong."""

    origin: str = ""
    size: int = 0
    quorum: str = ""
    games: int = 0
    keys: list[dict[str, Any]] = []
    succeeds: str = ""
    """The log that this one took over from, where it says so."""
    receipts: dict[str, int] = {}
    bundle: str = ""
    shown: dict[str, int] = {}
    """The number of games of each status that the service shows; empty where it could not be asked."""
    silent: int = 0
    unchecked: list[str] = []
    """The checks that were asked for and could not be made."""


def monitor(reader: LogReader, trust: LogTrust, given: Exhibits, progress: Progress) -> MonitorReport:
    """Read the whole log. Raises :class:`InvalidLog`, :class:`ConvictedLog`, :class:`UnavailableLog`."""
    note = reader.checkpoint()
    checkpoint, signers = _open_checkpoint(note, trust)
    seen = MonitorReport(checkpoint.origin, checkpoint.size)
    seen.quorum = _judge_quorum(trust, signers, seen)
    opened, seen.receipts = _open_receipts(given.receipts, trust)
    frozen = _count_shown_games(reader, seen)
    games = {held.receipt.game for held in opened} | set(frozen) | ({given.game} if given.game else set())
    takeover = Takeover()
    watched = map(leaves.log_name, games)
    reading = _read(reader, note, checkpoint, Monitor(watched), takeover, progress)
    seen.games = len(reading.heads)
    seen.keys = [{"index": index, **entry.members} for index, entry in reading.keys]
    seen.succeeds = _check_succession(reading, takeover, trust, checkpoint.origin, seen)
    _check_frozen(frozen, reading, takeover)
    log = _ReadLog(reading, takeover, note, _find_latest_time(signers), _open_last(takeover, trust))
    known = [held for held in opened if log.is_signer(held.receipt.origin, checkpoint.origin)]
    seen.receipts["of other logs"] = len(opened) - len(known)
    for held in known:
        _check_receipt(held, log, int(time.time()), seen)
    if given.game is not None:
        seen.bundle = _check_bundle(given, log, known)
    return seen


def _find_latest_time(signers: Mapping[Verifier, int | None]) -> int | None:
    """Return the latest time at which a witness cosigned; None without a witness."""
    return max((time for time in signers.values() if time is not None), default=None)


def _open_checkpoint(note: str, trust: LogTrust) -> tuple[Checkpoint, dict[Verifier, int | None]]:
    reason = "no key was given"
    for log in trust.logs:
        try:
            checkpoint, opened = checkpoints.open_checkpoint(note, log, trust.witnesses)
        except BadNote as error:
            reason = str(error)
        else:
            return checkpoint, {one: at for one, at in opened.signers.items() if one in trust.witnesses}
    raise InvalidLog(f"the checkpoint: {reason}")


def _judge_quorum(trust: LogTrust, signers: Mapping[Verifier, int | None], seen: MonitorReport) -> str:
    if trust.policy is None:
        return "no policy given"
    if not trust.policy.judges:
        return "not judged: the quorum of the policy is none"
    of = "{} of {} witnesses".format(*trust.policy.count_witnesses(signers))
    if trust.policy.is_quorum(signers):
        return f"holds ({of})"
    seen.unchecked.append("no quorum cosigned the newest checkpoint")
    return f"not met ({of})"


def _read(
    reader: LogReader,
    note: str,
    checkpoint: Checkpoint,
    reading: Monitor,
    takeover: Takeover,
    progress: Progress,
) -> Monitor:
    for index, raw in enumerate(reader.entries(checkpoint.size)):
        try:
            reading.add(index, raw)
            takeover.add(index, raw)
        except Equivocation as error:
            raise _prove_two_histories(reader, note, checkpoint, error) from None
        except (BadEntry, BadSuccession) as error:
            raise InvalidLog(str(error)) from None
        if index % 5_000 == 0:
            progress(index, checkpoint.size)
    progress(checkpoint.size, checkpoint.size)
    if reading.frontier.root() != checkpoint.root:
        raise InvalidLog("the served entries do not give the signed root")
    return reading


def _prove_two_histories(
    reader: LogReader, note: str, checkpoint: Checkpoint, error: Equivocation
) -> InvalidLog | ConvictedLog:
    """Return the two entries that cannot both be there.

    Each has its proof of inclusion in the signed tree.
    """
    before = None
    for index, raw in enumerate(reader.entries(error.index)):
        entry = read_entry(raw)
        if isinstance(entry, Entry) and entry.g == error.g:
            before = index, raw
    pair = [(error.index, error.raw)] + ([before] if before else [])
    tiles = tree.Tiles(reader.tile, checkpoint.size)
    proofs = []
    for index, raw in pair:
        hashes = tuple(tree.inclusion_proof(tiles.read, index, checkpoint.size))
        proof = checkpoints.Proof(index, hashes, note)
        if not proof.holds(tree.leaf_hash(raw), checkpoint):
            return InvalidLog(f"{error}; but the entry is not in the tree that was signed")
        proofs.append({"entry": raw.decode(), "proof": proof.text()})
    return ConvictedLog(str(error), {"kind": "two_histories", "origin": checkpoint.origin, "entries": proofs})


# --- succession --------------------------------------------------------------------------------------------


def _check_succession(
    reading: Monitor, takeover: Takeover, trust: LogTrust, origin: str, seen: MonitorReport
) -> str:
    """Return a description of the log that this one took over from; empty if it names none.

    Entry 0 of a log names its own key, entry 1 the last checkpoint of the other.
    Raises InvalidLog where they do not fit.
    """
    demanded = [old for old, new in trust.successors if new.name == origin]
    try:
        open_question = takeover.judge(reading.size, reading.keys)
    except BadSuccession as error:
        raise InvalidLog(str(error)) from None
    old = takeover.old
    if old is None or takeover.note is None:
        if demanded:
            raise InvalidLog(f"the log does not say that it succeeds {demanded[0].name}: its entry 1 must")
        return ""
    if takeover.key not in {log.vkey for log in trust.logs if log.name == origin}:
        raise InvalidLog(
            "entry 0 of a log that succeeds another must name the key that signs it; here it does not"
        )
    if old.origin == origin:
        raise InvalidLog("entry 1: a log cannot succeed itself")
    if open_question is not None:
        seen.unchecked.append(open_question)
    end = f"{old.origin}, whose last cosigned checkpoint had {old.size} entries"
    if demanded and old.origin not in {key.name for key in demanded}:
        raise InvalidLog(f"the log says that it succeeds {old.origin}, not {demanded[0].name}")
    known = trust.list_keys(old.origin)
    if not known:
        return f"{end}; not checked without its key (--successor OLD=NEW)"
    _check_last(takeover.note, known, trust, seen)
    return f"{end}; {takeover.kept_count} of them are its beginning"


def _check_last(note: str, known: Iterable[Verifier], trust: LogTrust, seen: MonitorReport) -> None:
    """Check that the log that was succeeded signed its last checkpoint, and that a quorum cosigned it."""
    problem: BadNote | None = None
    for key in known:
        try:
            _, opened = checkpoints.open_checkpoint(note, key, trust.witnesses)
        except BadNote as error:
            problem = error
            continue
        if trust.policy is not None and trust.policy.judges and not trust.policy.is_quorum(opened.signers):
            seen.unchecked.append("no quorum cosigned the last checkpoint of the earlier log")
        return
    raise InvalidLog(f"entry 1: the last checkpoint of the earlier log: {problem}")


def _check_frozen(frozen: Iterable[str], reading: Monitor, takeover: Takeover) -> None:
    """Check that games that the service calls frozen have nothing behind the entries taken over."""
    for game in frozen:
        if _continues(reading.kept[leaves.log_name(game)], takeover):
            raise InvalidLog(f"game {game} is frozen since the earlier log, but it went on")


def _continues(kept: list[tuple[int, bytes]], takeover: Takeover) -> bool:
    """Return True if a game with these *kept* entries has any behind those that were taken over."""
    return any(index >= takeover.end for index, _ in kept)


# --- receipts ----------------------------------------------------------------------------------------------


class SignedReceipt(msgspec.Struct, frozen=True):
    """A receipt of this log, and the note that says it."""

    receipt: Receipt
    note: str


class _ReadLog(msgspec.Struct, frozen=True):
    """A log whose entries were all read, and what is known of its times."""

    reading: Monitor
    takeover: Takeover
    note: str
    """Its newest checkpoint."""
    cosigned_at: int | None
    """The latest time at which a witness cosigned that; None where none did."""
    ended_at: int | None
    """The same of the last checkpoint of the log before it; None as well where that did not hold."""

    def is_signer(self, origin: str, own: str) -> bool:
        """Return True if *origin* signs for this log (*own*), or for the one that it took over from.

        A receipt of any other log says nothing of this one, even if a policy names both.
        """
        return origin == own or (self.takeover.old is not None and origin == self.takeover.old.origin)


def _open_last(takeover: Takeover, trust: LogTrust) -> int | None:
    """Return the latest time at which a witness cosigned the last checkpoint of the log before this one."""
    if takeover.old is None or takeover.note is None:
        return None
    for key in trust.list_keys(takeover.old.origin):
        try:
            _, opened = checkpoints.open_checkpoint(takeover.note, key, trust.witnesses)
        except BadNote:
            continue
        return _find_latest_time(opened.signers)
    return None


def _open_receipts(notes: Iterable[str], trust: LogTrust) -> tuple[list[SignedReceipt], dict[str, int]]:
    """Return the receipts that known keys signed, and how many there were of which kind."""
    counts = {"logged": 0, "not yet due": 0, "of unknown keys": 0}
    known: list[SignedReceipt] = []
    for note in notes:
        try:
            receipt, _ = open_receipt(note, trust.logs)
        except UnsignedNote:
            counts["of unknown keys"] += 1
        except BadNote as error:
            raise InvalidLog(f"a receipt: {error}") from None
        else:
            known.append(SignedReceipt(receipt, note))
    return known, counts


def _check_receipt(held: SignedReceipt, log: _ReadLog, now: int, seen: MonitorReport) -> None:
    """Raise unless an acknowledged event is in the log, or not due yet, or was not to be taken over.

    *now*: the auditor's own time (POSIX seconds).
    """
    receipt, takeover = held.receipt, log.takeover
    kept = log.reading.kept[leaves.log_name(receipt.game)]
    what = f"event {receipt.n} of game {receipt.game}"
    old = takeover.old is not None and receipt.origin == takeover.old.origin
    if old and all(leaves.read_event_number(raw) < receipt.n for index, raw in kept if index < takeover.end):
        if takeover.is_complete and log.ended_at is not None and log.ended_at > receipt.deadline:
            raise _make_omission(held, what, log.ended_at, takeover.note or "", kept)
        if _continues(kept, takeover):
            raise InvalidLog(
                f"the earlier log acknowledged {what}, which its last checkpoint does not cover: "
                "this game must be frozen, but it went on"
            )
        seen.receipts["beyond the log before"] = seen.receipts.get("beyond the log before", 0) + 1
        return
    for _, raw in kept:
        entry = read_entry(raw)
        if isinstance(entry, Entry) and entry.n == receipt.n:
            if entry.h == receipt.hash.hex():
                seen.receipts["logged"] += 1
                return
            reason = f"EQUIVOCATION: {what} was acknowledged with another hash than the log has"
            raise ConvictedLog(reason, _make_evidence("equivocation", held, log.note, kept))
    shown_at = now if log.cosigned_at is None else log.cosigned_at
    if shown_at > receipt.deadline:
        raise _make_omission(held, what, shown_at, log.note, kept)
    if receipt.time > now + RECEIPT_DELAY:
        seen.unchecked.append(f"{what}: its receipt is dated {receipt.time - now} s ahead of this clock")
    elif now > receipt.deadline:
        seen.unchecked.append(
            f"{what} should have been in the log {now - receipt.deadline} s ago, but the newest checkpoint "
            "that a witness cosigned is older: ask again later, or another witness"
        )
    else:
        seen.receipts["not yet due"] += 1


def _make_omission(
    held: SignedReceipt, what: str, shown_at: int, note: str, kept: list[tuple[int, bytes]]
) -> ConvictedLog:
    """Return the conviction of a log whose checkpoint *note* at the time *shown_at* leaves an event out."""
    late = shown_at - held.receipt.deadline
    reason = f"OMISSION: {what} was acknowledged, and should have been in the log {late} s before"
    return ConvictedLog(reason, _make_evidence("omission", held, note, kept))


def _make_evidence(
    kind: str, held: SignedReceipt, note: str, kept: list[tuple[int, bytes]]
) -> dict[str, Any]:
    return {
        "kind": kind,
        "origin": held.receipt.origin,
        "receipt": held.note,
        "checkpoint": note,
        "entries": [{"index": index, "entry": raw.decode()} for index, raw in kept],
    }


# --- a bundle ----------------------------------------------------------------------------------------------


def read_bundle(lines: Sequence[bytes]) -> Exhibits:
    """Return the stream of a bundle and the ends of its batches. Raises BadBundle for what is none.

    Of the bundle of a tournament only its own part is looked at.
    """
    check: Callable[[Sequence[bytes], verifiers.Trust], CheckedStream] = check_bundle
    if lines and is_tournament(lines[0]):
        check = check_own_part
    elif lines and is_talk(lines[0]):
        check = check_talk
    bundle = check(lines, verifiers.Trust())
    ends = tuple((n, bundle.hashes[n - 1]) for n in bundle.ends)
    whole = bundle.sheet.header.scope == "whole"
    return Exhibits(
        game=bundle.sheet.header.game,
        ends=ends,
        closing=bundle.records[-1].body.decode() if whole else None,
    )


def _check_bundle(given: Exhibits, log: _ReadLog, known: Iterable[SignedReceipt]) -> str:
    """Return how much of a bundle the log holds.

    Raises where it holds another history, or more of a game than there is.
    """
    assert given.game is not None  # noqa: S101 - asked before
    made = leaves.make_entries(given.game, given.ends)
    kept = log.reading.kept[leaves.log_name(given.game)]
    for number, (index, raw) in enumerate(kept[: len(made)]):
        if raw != made[number]:
            raise InvalidLog(
                f"entry {index} of the log differs from the one in the bundle of game {given.game}"
            )
    if given.closing is not None and len(kept) > len(made):
        raise _make_surplus(given, log, known, kept[len(made) :])
    return f"{min(len(kept), len(made))} of its {len(made)} entries are logged, {len(kept)} in all"


def _make_surplus(
    given: Exhibits, log: _ReadLog, known: Iterable[SignedReceipt], surplus: list[tuple[int, bytes]]
) -> InvalidLog | ConvictedLog:
    """Return what is said of a log with entries behind the end of a game.

    It is convicted if it signed the end: its receipt is among those that are *known*.
    """
    n, digest = given.ends[-1]
    many = "entry" if len(surplus) == 1 else "entries"
    reason = f"{len(surplus)} {many} behind event {n}, which ended game {given.game}"
    for held in known:
        if (held.receipt.game, held.receipt.n, held.receipt.hash) == (given.game, n, digest):
            evidence = _make_evidence("equivocation", held, log.note, surplus)
            return ConvictedLog(f"EQUIVOCATION: the log has {reason}", {**evidence, "closing": given.closing})
    return InvalidLog(f"the log has {reason}")


# --- what the service shows --------------------------------------------------------------------------------


def _count_shown_games(reader: LogReader, seen: MonitorReport) -> list[str]:
    """Count the games that the service shows: what was opened and is not shown is silent or hidden.

    Answers which of them it calls frozen.
    """
    frozen: list[str] = []
    try:
        path: str | None = "/v1/games?limit=1000"
        while path:
            page = reader.json(path)
            for game in page["games"]:
                status = str(game["status"])
                seen.shown[status] = seen.shown.get(status, 0) + 1
                seen.silent += status != "finished" and _is_silent(reader, game)
                frozen += [str(uuid.UUID(game["id"]))] if "frozen" in game else []
            path = page["next"]
    except (UnavailableLog, KeyError, TypeError, ValueError) as error:
        seen.shown = {}
        seen.unchecked.append(f"the list of games: {error}")
    return frozen


def _is_silent(reader: LogReader, game: Mapping[str, Any]) -> bool:
    if _seconds_since(game["created_at"]) < SILENT:
        return False
    newest = reader.json(f"/v1/games/{game['id']}/events?after={int(game['seq']) - 1}&limit=1")["events"]
    return bool(newest) and _seconds_since(newest[-1]["at"]) >= SILENT


def _seconds_since(at: str) -> float:
    return (datetime.now(UTC) - read_time(at)).total_seconds()


def read_receipts(lines: Iterable[bytes]) -> list[str]:
    """Return the notes of the receipt lines of an NDJSON file, without other lines.

    Raises ValueError for a line that is no JSON.
    """
    found = []
    for line in lines:
        parsed = json.loads(line)
        if (
            isinstance(parsed, dict)
            and parsed.get("kind") == "receipt"
            and isinstance(parsed.get("note"), str)
        ):
            found.append(parsed["note"])
    return found
