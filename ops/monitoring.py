"""The monitor behind `rutter audit LOG_URL`: all entries of a log, receipts and bundles held against them."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from events.tlog import checkpoints, leaves, tree
from events.tlog.checkpoints import Checkpoint
from events.tlog.leaves import Entry, read_entry
from events.tlog.monitor import BadEntry, Equivocation, Monitor
from events.tlog.notes import BadNote, NotSigned, Verifier
from events.tlog.policy import Policy
from events.tlog.receipts import Receipt, open_receipt
from events.verify import check_bundle
from events.verify import trust as verifiers
from ops.log_reader import LogAway, LogReader
from ops.successions import BadSuccession, Takeover

SILENT = 30 * 86_400
"""Seconds after which a game in which nothing happens is called silent."""

Progress = Callable[[int, int], None]


class Bad(Exception):
    """Something does not hold."""


class Proven(Exception):
    """The log is convicted by its own signatures. *evidence* is what shows it."""

    def __init__(self, reason: str, evidence: dict[str, Any]) -> None:
        super().__init__(reason)
        self.evidence = evidence


class Trust(msgspec.Struct, frozen=True):
    """Whom the monitor believes."""

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


class Given(msgspec.Struct, frozen=True):
    """What is held against the log."""

    receipts: tuple[str, ...] = ()
    """Notes."""
    game: str | None = None
    """Of a bundle: the game."""
    ends: tuple[tuple[int, bytes], ...] = ()
    """Of a bundle: number and hash of the last event of each batch."""


class Seen(msgspec.Struct):
    """What the monitor found, where nothing is wrong."""

    origin: str = ""
    size: int = 0
    quorum: str = ""
    games: int = 0
    keys: list[dict[str, Any]] = []
    succeeds: str = ""
    """Which log this one took over from, where it says so."""
    receipts: dict[str, int] = {}
    bundle: str = ""
    shown: dict[str, int] = {}
    """How many games of each status the service shows; empty where it could not be asked."""
    silent: int = 0
    unchecked: list[str] = []
    """What was asked for and could not be checked."""


def monitor(reader: LogReader, trust: Trust, given: Given, progress: Progress) -> Seen:
    """Read the whole log. Raises :class:`Bad`, :class:`Proven`, :class:`ops.log_reader.LogAway`."""
    note = reader.checkpoint()
    checkpoint, signers = _opened(note, trust)
    seen = Seen(checkpoint.origin, checkpoint.size)
    seen.quorum = _quorum(trust, signers, seen)
    known, told = _receipts(given.receipts, trust)
    seen.receipts = told
    frozen = _ask_the_lobby(reader, seen)
    games = {held.receipt.game for held in known} | set(frozen) | ({given.game} if given.game else set())
    takeover = Takeover()
    watched = map(leaves.log_name, games)
    reading = _read(reader, note, checkpoint, Monitor(watched), takeover, progress)
    seen.games = len(reading.heads)
    seen.keys = [{"index": index, **entry.members} for index, entry in reading.keys]
    seen.succeeds = _succession(reading, takeover, trust, checkpoint.origin, seen)
    _check_frozen(frozen, reading, takeover)
    now = max((time for time in signers.values() if time is not None), default=int(time.time()))
    for held in known:
        _hold_receipt(held, reading, takeover, note, now, seen)
    if given.game is not None:
        seen.bundle = _hold_bundle(given, reading)
    return seen


def _opened(note: str, trust: Trust) -> tuple[Checkpoint, dict[Verifier, int | None]]:
    reason = "no key was given"
    for log in trust.logs:
        try:
            checkpoint, opened = checkpoints.open_checkpoint(note, log, trust.witnesses)
        except BadNote as error:
            reason = str(error)
        else:
            return checkpoint, {one: at for one, at in opened.signers.items() if one in trust.witnesses}
    raise Bad(f"the checkpoint: {reason}")


def _quorum(trust: Trust, signers: Mapping[Verifier, int | None], seen: Seen) -> str:
    if trust.policy is None:
        return "no policy given"
    of = "{} of {} witnesses".format(*trust.policy.count_witnesses(signers))
    if trust.policy.is_quorum(signers):
        return f"holds ({of})"
    seen.unchecked.append("the newest checkpoint is not cosigned by a quorum")
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
            raise _two_histories(reader, note, checkpoint, error) from None
        except (BadEntry, BadSuccession) as error:
            raise Bad(str(error)) from None
        if index % 5_000 == 0:
            progress(index, checkpoint.size)
    progress(checkpoint.size, checkpoint.size)
    if reading.frontier.root() != checkpoint.root:
        raise Bad("the entries that are served do not give the root that was signed")
    return reading


def _two_histories(reader: LogReader, note: str, checkpoint: Checkpoint, error: Equivocation) -> Bad | Proven:
    """The two entries that cannot both be there, each with its proof of inclusion in the signed tree."""
    before = None
    for index, raw in enumerate(reader.entries(error.index)):
        told = read_entry(raw)
        if isinstance(told, Entry) and told.g == error.g:
            before = index, raw
    pair = [(error.index, error.raw)] + ([before] if before else [])
    tiles = tree.Tiles(reader.tile, checkpoint.size)
    proofs = []
    for index, raw in pair:
        hashes = tuple(tree.inclusion_proof(tiles.read, index, checkpoint.size))
        proof = checkpoints.Proof(index, hashes, note)
        if not proof.holds(tree.leaf_hash(raw), checkpoint):
            return Bad(f"{error}; but the entry is not in the tree that was signed")
        proofs.append({"entry": raw.decode(), "proof": proof.text()})
    return Proven(str(error), {"kind": "two_histories", "origin": checkpoint.origin, "entries": proofs})


# --- succession --------------------------------------------------------------------------------------------


def _succession(reading: Monitor, takeover: Takeover, trust: Trust, origin: str, seen: Seen) -> str:
    """Which log this one took over from: entry 0 names its own key, entry 1 the other's last checkpoint."""
    demanded = [old for old, new in trust.successors if new.name == origin]
    try:
        open_question = takeover.judge(reading.size, reading.keys)
    except BadSuccession as error:
        raise Bad(str(error)) from None
    old = takeover.old
    if old is None or takeover.note is None:
        if demanded:
            raise Bad(f"the log does not say that it succeeds {demanded[0].name}: its entry 1 must")
        return ""
    if takeover.key not in {log.vkey for log in trust.logs if log.name == origin}:
        raise Bad("entry 0 of a log that succeeds another names the key that signs it; here it does not")
    if old.origin == origin:
        raise Bad("entry 1: a log does not succeed itself")
    if open_question is not None:
        seen.unchecked.append(open_question)
    told = f"{old.origin}, whose last cosigned checkpoint had {old.size} entries"
    if demanded and old.origin not in {key.name for key in demanded}:
        raise Bad(f"the log says that it succeeds {old.origin}, not {demanded[0].name}")
    known = [key for key in [*demanded, *trust.logs] if key.name == old.origin]
    if not known:
        return f"{told}; not checked without its key (--successor OLD=NEW)"
    _check_last(takeover.note, known, trust, seen)
    return f"{told}; {takeover.kept} of them are its beginning"


def _check_last(note: str, known: Iterable[Verifier], trust: Trust, seen: Seen) -> None:
    """The log that was succeeded signed its last checkpoint, and a quorum cosigned it."""
    problem: BadNote | None = None
    for key in known:
        try:
            _, opened = checkpoints.open_checkpoint(note, key, trust.witnesses)
        except BadNote as error:
            problem = error
            continue
        if trust.policy is not None and not trust.policy.is_quorum(opened.signers):
            seen.unchecked.append("the last checkpoint of the log before it is not cosigned by a quorum")
        return
    raise Bad(f"entry 1: the last checkpoint of the log before it: {problem}")


def _check_frozen(frozen: Iterable[str], reading: Monitor, takeover: Takeover) -> None:
    """Games that the service itself calls frozen have nothing behind the entries that were taken over."""
    for game in frozen:
        if _goes_on(reading.kept[leaves.log_name(game)], takeover):
            raise Bad(f"game {game} is frozen since the log before this one, and yet it went on")


def _goes_on(kept: list[tuple[int, bytes]], takeover: Takeover) -> bool:
    """Whether a game, of which these entries were *kept*, has any behind those that were taken over."""
    return any(index >= takeover.end for index, _ in kept)


# --- receipts ----------------------------------------------------------------------------------------------


class Held(msgspec.Struct, frozen=True):
    """A receipt of this log, and the note that says it."""

    receipt: Receipt
    note: str


def _receipts(notes: Iterable[str], trust: Trust) -> tuple[list[Held], dict[str, int]]:
    """The receipts of this log, and how many there were of which kind."""
    told = {"logged": 0, "not yet due": 0, "of unknown keys": 0}
    known: list[Held] = []
    for note in notes:
        try:
            receipt, _ = open_receipt(note, trust.logs)
        except NotSigned:
            told["of unknown keys"] += 1
        except BadNote as error:
            raise Bad(f"a receipt: {error}") from None
        else:
            known.append(Held(receipt, note))
    return known, told


def _hold_receipt(held: Held, reading: Monitor, takeover: Takeover, note: str, now: int, seen: Seen) -> None:
    """What was acknowledged stands in the log, or is not due yet, or was not to be taken over."""
    receipt = held.receipt
    kept = reading.kept[leaves.log_name(receipt.game)]
    what = f"event {receipt.n} of game {receipt.game}"
    old = takeover.old is not None and receipt.origin == takeover.old.origin
    if old and all(_event(raw) < receipt.n for index, raw in kept if index < takeover.end):
        if _goes_on(kept, takeover):
            raise Bad(
                f"the log before this one acknowledged {what}, which its last checkpoint does not cover: "
                "that game had to be frozen, and yet it went on"
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
            raise Proven(reason, _evidence("equivocation", held, note, kept))
    if now <= receipt.deadline:
        seen.receipts["not yet due"] += 1
        return
    late = now - receipt.deadline
    reason = f"OMISSION: {what} was acknowledged, and should have been in the log {late} s ago"
    raise Proven(reason, _evidence("omission", held, note, kept))


def _event(raw: bytes) -> int:
    """The event that an entry of a game names."""
    entry = read_entry(raw)
    return entry.n if isinstance(entry, Entry) else 0


def _evidence(kind: str, held: Held, note: str, kept: list[tuple[int, bytes]]) -> dict[str, Any]:
    return {
        "kind": kind,
        "origin": held.receipt.origin,
        "receipt": held.note,
        "checkpoint": note,
        "entries": [{"index": index, "entry": raw.decode()} for index, raw in kept],
    }


# --- a bundle ----------------------------------------------------------------------------------------------


def read_bundle(lines: Iterable[bytes]) -> Given:
    """The game of a bundle and the ends of its batches. Raises BadBundle for what is none."""
    bundle = check_bundle(lines, verifiers.Trust())
    ends = tuple((n, bundle.hashes[n - 1]) for n in bundle.ends)
    return Given(game=bundle.sheet.header.game, ends=ends)


def _hold_bundle(given: Given, reading: Monitor) -> str:
    assert given.game is not None  # noqa: S101 - asked before
    made = leaves.make_entries(given.game, given.ends)
    kept = reading.kept[leaves.log_name(given.game)]
    for number, (index, raw) in enumerate(kept[: len(made)]):
        if raw != made[number]:
            raise Bad(f"entry {index} of the log is not the one that the bundle of game {given.game} gives")
    return f"{min(len(kept), len(made))} of its {len(made)} entries are logged, {len(kept)} in all"


# --- what the service shows --------------------------------------------------------------------------------


def _ask_the_lobby(reader: LogReader, seen: Seen) -> list[str]:
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
    except (LogAway, KeyError, TypeError, ValueError) as error:
        seen.shown = {}
        seen.unchecked.append(f"which games there are: {error}")
    return frozen


def _is_silent(reader: LogReader, game: Mapping[str, Any]) -> bool:
    if _age(game["created_at"]) < SILENT:
        return False
    newest = reader.json(f"/v1/games/{game['id']}/events?after={int(game['seq']) - 1}&limit=1")["events"]
    return bool(newest) and _age(newest[-1]["at"]) >= SILENT


def _age(at: str) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds()


def read_receipts(lines: Iterable[bytes]) -> list[str]:
    """The notes of the receipt lines of an NDJSON file, other lines left out. ValueError for no JSON."""
    found = []
    for line in lines:
        told = json.loads(line)
        if isinstance(told, dict) and told.get("kind") == "receipt" and isinstance(told.get("note"), str):
            found.append(told["note"])
    return found
