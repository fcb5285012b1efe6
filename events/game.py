"""One game as its events tell it: the platform's own state around the title's, and how both fold."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from events import chain, platform
from events.record import Envelope, Record, decode_fact
from events.title import Fact, Outcome, Seat, Title
from events.titles import find_title
from events.values import put


class SeatState(msgspec.Struct, frozen=True):
    """Who sits at one seat, as far as the log tells, and what the seat contributed."""

    taken: bool = False
    bot: str | None = None
    commitment: str | None = None
    contribution: str | None = None


class Game(msgspec.Struct, frozen=True):
    """Everything that folding a game's events gives. Immutable; one value for each event."""

    id: str
    title_id: str = ""
    version: int = 0
    data_hash: str = ""
    options: dict[str, Any] = {}
    status: str = "open"
    """``open`` while seats may be taken, then ``running``, then ``finished``."""
    seats: tuple[SeatState, ...] = ()
    seq: int = 0
    head: bytes = b""
    commitments: dict[str, str] = {}
    draws: int = 0
    public_draws: int = 0
    hidden_draws: int = 0
    closing: bytes = b""
    """Hash of the event after which nobody could commit any more (empty while one still can)."""
    mixed: bytes = b""
    analysis: bool = False
    origin: dict[str, Any] | None = None
    created_at: str = ""
    opened: str = ""
    """Id of the command that opened the game: the claim of whoever made it."""
    claims: dict[Seat, str] = {}
    """By seat the id of the command that took it: of the claims to a seat this one holds."""
    result: Outcome | None = None
    state: Any = None
    """The title's state; None while the game is open."""
    position: dict[str, Any] | None = None
    """Where an open analysis game will begin."""
    seeded: str | None = None
    """What stands for the id in the randomness of a game that a seed repeats."""

    @property
    def title(self) -> Title[Any]:
        """The rules of this game, in the version pinned at its creation."""
        return find_title(self.title_id, self.version)

    @property
    def key(self) -> bytes:
        """The 16 bytes that stand for this game in its randomness: its id, unless a seed is to repeat it."""
        return bytes.fromhex(self.seeded) if self.seeded else uuid.UUID(self.id).bytes

    def typed_options(self) -> Any:
        """The options as the title's own type."""
        return msgspec.convert(self.options, self.title.Options)

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is open or runs."""
        return self.result


def start(game_id: str) -> Game:
    """A game before its first event."""
    return Game(id=game_id, head=chain.genesis(game_id))


def fold(game: Game, records: Iterable[Record]) -> Game:
    """*game* after *records*, which hold all their hidden parts. Raises :class:`BrokenChain` on a gap."""
    for record in records:
        if record.seq != game.seq + 1:
            raise BrokenChain(record.seq, f"event {record.seq} does not follow on {game.seq}")
        game = fold_one(game, record)
    return game


class BrokenChain(ValueError):
    """Events that are not one unbroken chain; *seq* is the first bad one."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(reason)
        self.seq = seq
        self.reason = reason


def fold_one(game: Game, record: Record) -> Game:
    """*game* after one event."""
    envelope = record.envelope()
    kind = platform.FACTS.get(record.type)
    if kind is None:
        changes: dict[str, Any] = {"state": _title_state(game, record, envelope)}
    else:
        fact = decode_fact(record, envelope, kind)
        changes = _PLATFORM[kind](game, fact)
        if isinstance(fact, platform.SeatTaken):
            changes["claims"] = {**game.claims, fact.seat: envelope.cmd}
        if kind is platform.TableOpened:
            changes |= {"created_at": envelope.at, "opened": envelope.cmd}
    drawn = envelope.draws
    if drawn is not None:
        changes["hidden_draws"] = game.hidden_draws + drawn.hidden
        changes["public_draws"] = game.public_draws + len(drawn.public)
    return msgspec.structs.replace(game, seq=record.seq, head=record.hash, **changes)


def _title_state(game: Game, record: Record, envelope: Envelope) -> Any:
    title = game.title
    kind = title.fact_type(record.type)
    if kind is None:
        raise BrokenChain(record.seq, f"{game.title_id} knows no event of type {record.type}")
    return title.fold[kind](game.state, decode_fact(record, envelope, kind))


Changes = dict[str, Any]


def _created(_game: Game, fact: platform.TableOpened) -> Changes:
    return {
        "title_id": fact.title,
        "version": fact.version,
        "data_hash": fact.data_hash,
        "options": fact.options,
        "seats": (SeatState(),) * fact.seats,
        "commitments": fact.chance,
        "draws": fact.draws,
        "analysis": fact.analysis,
        "origin": fact.origin,
        "seeded": fact.key,
    }


def _seat(game: Game, seat: Seat, **changes: Any) -> Changes:
    return {"seats": put(game.seats, seat, msgspec.structs.replace(game.seats[seat], **changes))}


def _taken(game: Game, fact: platform.SeatTaken) -> Changes:
    return _seat(game, fact.seat, taken=True, bot=fact.bot)


def _committed(game: Game, fact: platform.SeatCommitted) -> Changes:
    return _seat(game, fact.seat, commitment=fact.commitment)


def _revealed(game: Game, fact: platform.SeatRevealed) -> Changes:
    return {"closing": game.closing or game.head, **_seat(game, fact.seat, contribution=fact.contribution)}


def _begun(game: Game, fact: platform.TableBegun) -> Changes:
    title = game.title
    if game.position is None:
        state = title.blank(len(game.seats), game.typed_options())
    else:
        state = title.from_position(game.position)
    return {
        "status": "running",
        "closing": game.closing or game.head,
        "mixed": bytes.fromhex(fact.mix),
        "state": state,
        "position": None,
    }


def _position(_game: Game, fact: platform.PositionSet) -> Changes:
    return {"position": fact.position}


def _finished(_game: Game, fact: platform.TableClosed) -> Changes:
    return {"status": "finished", "result": Outcome(fact.winners, fact.places, fact.scores, fact.reason)}


_PLATFORM: dict[type[Fact], Callable[[Game, Any], Changes]] = {
    platform.TableOpened: _created,
    platform.PositionSet: _position,
    platform.SeatTaken: _taken,
    platform.SeatCommitted: _committed,
    platform.SeatRevealed: _revealed,
    platform.TableBegun: _begun,
    platform.TableClosed: _finished,
}
