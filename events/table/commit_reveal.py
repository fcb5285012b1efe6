"""The opening of a game, from the first seat taken to the first move: joins, contributions, beginning.

1. Seats are taken, each with a commitment to a contribution or without.
2. When all are taken, those who have committed reveal. From then on nothing else can be recorded before the
   game begins: nobody can leave and come back with another commitment after seeing what others revealed.
3. Where a director or a beacon contributes, the server closes the reveals. Only then the director reveals,
   and the beacon's round is drawn, which nobody could know when it was settled whose contribution counts.
4. The game begins. Or it is abandoned, where something without which it cannot begin is never revealed. To go
   on without would let one player choose.

Every rule about order and time stands here, in functions of the game and the time `at` of the event. The
service records what they decide, `rutter verify` decides every batch again by the same lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from events.base.timestamps import add_milliseconds
from events.proof import beacon
from events.proof.randomness import ReverseChain, Secrets, commit, mix, seat_commitment
from events.rules.fact import Fact, Json, Seat
from events.rules.steps import INVALID_PARAMETERS, Rejected
from events.rules.title import Title
from events.table import lifecycle_facts, terms
from events.table.creation import create_game, seat_facts
from events.table.engine import Batch, ProvenChance, close_if_ended, disclose_secrets, draws_since
from events.table.game import ClosedReveals, Game
from events.table.record import SYSTEM, Record, decode_fact, pseudonym
from events.table.seated_bots import read_bot_versions
from events.table.terms import SeatOccupant
from events.table.tournament_link import Reference

CONTRIBUTION_BYTES = 32
"""Bytes of a contribution to the randomness."""
BEACON_TIMEOUT_MS = 3_600_000
"""The time after that of a beacon's round for which the round is waited for."""

F = TypeVar("F", bound=Fact)

_HEX32 = re.compile(r"[0-9a-f]{64}")


# --- what seats and directors do ---------------------------------------------------------------------


def take_seat(
    game: Game, seat: Seat, commitment: str | None, key: str | None = None, who: str | None = None
) -> Batch:
    """Decide that a player takes a seat, with a commitment to a contribution or without.

    *key* (hex) signs the seat's commands from then on. *who* is the salted digest of the account; a seat that
    is kept for a player demands theirs. Raises :class:`Rejected`.
    """
    _require_open(game)
    if not 0 <= seat < len(game.seats):
        raise Rejected(
            "unknown_seat", f"This game has no such seat. Name a seat from 0 to {len(game.seats) - 1}."
        )
    if game.seats[seat].taken:
        raise Rejected("seat_taken", "This seat is taken. Choose an open seat.")
    kept_for = game.terms.find_reservation(seat)
    if kept_for is not None and kept_for != who:
        raise Rejected(
            "not_invited",
            "This seat is reserved for an account. If it is yours, send the `salt` that came with the"
            " reservation.",
        )
    if commitment is not None and game.closing:
        raise Rejected(
            "commitments_closed", "A seat has revealed its contribution. Join without a commitment."
        )
    sits = SeatOccupant(None, who, key, commitment)
    terms.check_occupant(sits, game.terms.contributions)
    return Batch(seat_facts(seat, sits))


def reveal(game: Game, seat: Seat, contribution: str) -> Batch:
    """Decide that a seat opens the contribution (hex) that it committed to. Raises :class:`Rejected`."""
    _require_open(game)
    _require_full(game)
    if game.closed is not None:
        raise Rejected(
            "reveals_closed", "The reveals are closed, so no contribution is accepted. Continue without it."
        )
    commitment = game.seats[seat].commitment
    if commitment is None:
        raise Rejected(
            "nothing_committed",
            "This seat made no commitment when it joined, so it has nothing to reveal. Nothing needs to be"
            " done.",
        )
    if game.seats[seat].contribution is not None:
        raise Rejected(
            "already_answered", "This seat has already revealed its contribution. Nothing needs to be done."
        )
    _check_contribution(contribution)
    if seat_commitment(game.key, pseudonym(seat), bytes.fromhex(contribution)).hex() != commitment:
        raise Rejected(
            "commitment_mismatch",
            "The contribution does not match the commitment. Send the bytes that you committed to.",
        )
    return Batch([lifecycle_facts.SeatRevealed(seat, contribution)])


def reveal_director(game: Game, contribution: str) -> Batch:
    """Decide that the director opens the contribution (hex) committed to when the table was opened.

    Raises :class:`Rejected`.
    """
    closed = _require_closed(game)
    if game.terms.director is None:
        raise Rejected(
            "nothing_committed",
            "No director committed to a contribution to this game. Nothing needs to be done.",
        )
    if closed.director is not None:
        raise Rejected(
            "already_answered",
            "The director has already revealed the contribution. Nothing needs to be done.",
        )
    _check_contribution(contribution)
    if commit("director", game.key, bytes.fromhex(contribution)).hex() != game.terms.director:
        raise Rejected(
            "commitment_mismatch",
            "The contribution does not match the commitment. Send the bytes that you committed to.",
        )
    return Batch([lifecycle_facts.DirectorRevealed(contribution)])


# --- what the server does ----------------------------------------------------------------------------


def close(game: Game, at: str) -> Batch:
    """Close the reveals: settle the seats that are missing, and the round of the beacon that counts.

    Raises :class:`Rejected`.
    """
    _require_open(game)
    _require_full(game)
    if not game.terms.has_outside_contributor:
        raise Rejected(
            "nothing_to_close",
            "Only seats contribute to this game, so there is nothing to close. Begin the game.",
        )
    if game.closed is not None:
        raise Rejected("reveals_closed", "The reveals are already closed. Nothing needs to be done.")
    source = game.terms.beacon
    number = None
    if source is not None:
        number = beacon.CHAINS[source.chain].first_round_at(add_milliseconds(at, source.after * 1000))
    return Batch([lifecycle_facts.RevealsClosed(_give_up_missing(game, at), number)])


def draw_beacon(game: Game, at: str, signature: str) -> Batch:
    """Decide that the beacon's round named at the close is drawn. Raises :class:`Rejected`.

    Of *signature* only the form is checked.
    """
    closed = _require_closed(game)
    source, number = game.terms.beacon, closed.round
    if source is None or number is None:
        raise Rejected("nothing_to_draw", "No beacon contributes to this game. Nothing needs to be done.")
    if game.terms.director is not None and closed.director is None:
        raise Rejected(
            "director_awaited", "The director's contribution is not revealed yet. Wait for that first."
        )
    if closed.beacon is not None:
        raise Rejected(
            "already_answered", "The round of the beacon has already been drawn. Nothing needs to be done."
        )
    if at < beacon.CHAINS[source.chain].round_time(number):
        raise Rejected("round_not_due", "The round of the beacon is not published yet. Wait until it is due.")
    try:
        return Batch([lifecycle_facts.BeaconDrawn(number, signature, beacon.round_randomness(signature))])
    except ValueError as error:
        raise Rejected("invalid_round", f"{error}.") from error


def begin(
    game: Game,
    at: str,
    secrets: Secrets | None,
    chain: ReverseChain | None,
    mixed: bytes | None = None,
) -> Batch:
    """Fix the randomness and set up: all seats are taken and nothing is awaited any more.

    Without *secrets* and *chain* only the beginning itself is decided, and the title's set-up is left out.
    *mixed* is U of a game of a tournament, where it follows from what its entrants contributed there.
    """
    _require_open(game)
    _require_full(game)
    absent = _settle_missing(game, at)
    if game.tournament is None or mixed is None:
        mixed = mix_contributions(game)
    facts: list[Fact] = [lifecycle_facts.TableBegun(mixed.hex(), absent)]
    if secrets is None or chain is None:
        return Batch(facts)
    title = game.title
    if game.position is not None:
        state = title.from_position(game.position)
        return close_if_ended(game, title, Batch(facts, state=state), secrets)
    chance = ProvenChance(secrets, chain, mixed, game.public_draws, game.hidden_draws)
    draft = title.open(len(game.seats), game.get_typed_options(), chance)
    batch = Batch(facts + draft.facts, draws_since(game, chance), draft.state)
    return close_if_ended(game, title, batch, secrets)


def abandon(game: Game, at: str, reason: str, secrets: Secrets) -> Batch:
    """Abandon a game that can never begin: what it waits for was not revealed in time.

    Raises :class:`Rejected`.
    """
    _require_open(game)
    overdue = _next_deadline(game)
    if overdue is None or overdue[0] != reason:
        raise Rejected(
            "nothing_overdue",
            f"This game cannot be abandoned as {reason}, because it does not wait for that. Nothing needs to"
            f" be done.",
        )
    if at < overdue[1]:
        raise Rejected("not_overdue", f"The game waits until {overdue[1]}. Wait until then.")
    return Batch([lifecycle_facts.TableAbandoned(overdue[0], SYSTEM, disclose_secrets(secrets))])


def decide_next(
    game: Game,
    at: str,
    secrets: Secrets,
    chain: ReverseChain,
    *,
    asked: bool = False,
    mixed: bytes | None = None,
) -> Batch:
    """Return the next step of the server that brings the game to its beginning.

    By itself the server waits for reveals until the time settled for them is up. *asked* by a player of the
    table, it waits only for the minute that every seat has. Raises :class:`Rejected` if there is nothing to
    do.
    """
    _require_open(game)
    _require_full(game)
    overdue = _next_deadline(game)
    if overdue is not None and at >= overdue[1]:
        return abandon(game, at, overdue[0], secrets)
    if game.closed is None and missing_seats(game) and not asked and at < _reveal_until(game):
        raise Rejected(
            "reveals_open", f"Contributions can be revealed until {_reveal_until(game)}. Wait until then."
        )
    if game.terms.has_outside_contributor and game.closed is None:
        return close(game, at)
    return begin(game, at, secrets, chain, mixed)


def next_due(game: Game) -> str | None:
    """Return the time of the server's next step before the beginning; None if it waits for others."""
    if game.status != "open" or not _is_full(game):
        return None
    closed = game.closed
    if closed is None:
        return _reveal_until(game) if missing_seats(game) else game.at
    if _is_beacon_awaited(game, closed):
        return _round_time(game, closed)
    overdue = _next_deadline(game)
    return overdue[1] if overdue else game.at


def is_due(game: Game, at: str) -> bool:
    """Return True if the server itself has something to do now: :func:`decide_next` decides what."""
    since = next_due(game)
    if since is None or at < since:
        return False
    overdue = _next_deadline(game)
    return find_awaited_round(game) is None or (overdue is not None and at >= overdue[1])


def find_awaited_round(game: Game) -> int | None:
    """Return the round of the beacon that is to be drawn next; None if the game does not wait for one."""
    closed = game.closed
    if game.status != "open" or closed is None or not _is_beacon_awaited(game, closed):
        return None
    return closed.round


def missing_seats(game: Game) -> tuple[Seat, ...]:
    """Return the seats that have committed and not revealed."""
    return tuple(n for n, seat in enumerate(game.seats) if seat.commitment and seat.contribution is None)


def is_reveal_missing(game: Game) -> bool:
    """Return True if reveals are taken now and a seat has not revealed."""
    return game.status == "open" and game.closed is None and _is_full(game) and bool(missing_seats(game))


def is_awaited_reveal(game: Game, seat: Seat, contribution: bytes) -> bool:
    """Return True if *seat* committed to this contribution and its reveal is missing."""
    if not is_reveal_missing(game) or seat not in missing_seats(game):
        return False
    return seat_commitment(game.key, pseudonym(seat), contribution).hex() == game.seats[seat].commitment


# --- order and time ----------------------------------------------------------------------------------


def _require_open(game: Game) -> None:
    if game.status != "open":
        what = "was abandoned" if game.status == "abandoned" else "has begun"
        raise Rejected("game_not_open", f"This game {what}. GET /v1/games?status=open lists games to join.")


def _is_full(game: Game) -> bool:
    return all(seat.taken for seat in game.seats)


def _require_full(game: Game) -> None:
    if not _is_full(game):
        raise Rejected(
            "seats_open",
            "Some seats are still open, so nothing can be revealed and the game cannot begin. Wait until all "
            "seats are taken.",
        )


def _check_contribution(contribution: str) -> None:
    if not _HEX32.fullmatch(contribution):
        raise Rejected(
            "commitment_mismatch",
            "The contribution has the wrong form. Send 32 bytes as 64 lower-case hex digits.",
        )


def _require_closed(game: Game) -> ClosedReveals:
    """Return the closed reveals. Raises :class:`Rejected` as long as they are open."""
    _require_open(game)
    if game.closed is None:
        raise Rejected(
            "reveals_not_closed",
            "The seats can still reveal their contributions. Wait until the reveals are closed.",
        )
    return game.closed


def _give_up_missing(game: Game, at: str) -> tuple[Seat, ...]:
    """Return the seats whose contribution counts as empty from now on.

    Raises :class:`Rejected` where none may.
    """
    absent = missing_seats(game)
    if absent and game.terms.contributions == "required":
        raise Rejected(
            "contributions_missing", f"This game needs all contributions. {_describe_missing(absent)}"
        )
    if absent and at < add_milliseconds(game.full_at, terms.MIN_REVEAL_MS):
        raise Rejected(
            "reveals_open",
            f"Every seat has a minute to reveal after the last seat is taken. {_describe_missing(absent)}",
        )
    return absent


def _describe_missing(absent: Sequence[Seat]) -> str:
    return f"Wait for the reveals of: {', '.join(f'seat {seat}' for seat in absent)}."


def _settle_missing(game: Game, at: str) -> tuple[Seat, ...]:
    """Return the seats missing at the beginning. Raises :class:`Rejected` while anything is awaited."""
    if not game.terms.has_outside_contributor:
        return _give_up_missing(game, at)
    closed = _require_closed(game)
    if game.terms.director is not None and closed.director is None:
        raise Rejected(
            "director_awaited",
            "The director's contribution is not revealed yet. Wait until the creator of the game reveals it.",
        )
    if closed.round is not None and closed.beacon is None:
        raise Rejected("beacon_awaited", "The round of the beacon has not been drawn yet. Wait for it.")
    return closed.missing


def _next_deadline(game: Game) -> tuple[lifecycle_facts.AbandonReason, str] | None:
    """Return the reason and time at which the game will be abandoned if nothing more is revealed.

    None if it waits for nothing that could be overdue.
    """
    closed = game.closed
    if closed is None:
        if game.terms.contributions == "required" and missing_seats(game) and _is_full(game):
            return "required_missing", _reveal_until(game)
        return None
    if game.terms.director is not None and closed.director is None:
        return "director_silent", add_milliseconds(closed.at, _reveal_ms(game))
    if _is_beacon_awaited(game, closed):
        return "beacon_silent", add_milliseconds(_round_time(game, closed), BEACON_TIMEOUT_MS)
    return None


def _reveal_ms(game: Game) -> int:
    return terms.MIN_REVEAL_MS if game.terms.reveal_by_ms is None else game.terms.reveal_by_ms


def _reveal_until(game: Game) -> str:
    return add_milliseconds(game.full_at, _reveal_ms(game))


def _is_beacon_awaited(game: Game, closed: ClosedReveals) -> bool:
    director_done = game.terms.director is None or closed.director is not None
    return director_done and closed.round is not None and closed.beacon is None


def _round_time(game: Game, closed: ClosedReveals) -> str:
    source = game.terms.beacon
    if source is None or closed.round is None:
        raise ValueError("a round without a beacon")
    return beacon.CHAINS[source.chain].round_time(closed.round)


# --- the randomness ----------------------------------------------------------------------------------


def mix_contributions(game: Game) -> bytes:
    """Return U of a game whose contributions are settled. Raises :class:`Rejected`.

    U of a game that a seed repeats depends on nothing else. U of a game of a tournament cannot be told from
    here: it is rejected.
    """
    if game.tournament is not None:
        raise Rejected(
            "not_your_decision",
            "The randomness of this game follows from its tournament. Leave commitments and a beacon out.",
        )
    if game.seeded:
        return mix(game.key, bytes(32), [(name, b"") for name, _ in contributions(game)])
    closed = game.closed or ClosedReveals("", (), None)
    director, drawn = (bytes.fromhex(value or "00" * 32) for value in (closed.director, closed.beacon))
    return mix(game.key, game.closing or game.head, contributions(game), director, drawn)


def contributions(game: Game) -> list[tuple[str, bytes]]:
    """Return the contribution of each seat, in seat order; empty for a seat that revealed none."""
    return [(pseudonym(n), bytes.fromhex(s.contribution or "")) for n, s in enumerate(game.seats)]


# --- decided again -----------------------------------------------------------------------------------


def redecide_creation(
    batch: Sequence[Record], title: Title[Any], key: bytes, position: dict[str, Any] | None
) -> Batch:
    """Return a game's creation (its first batch) as the engine makes it from what its facts ask for.

    Nothing of it is believed but the commitments to the secrets, which only those can check who know them.
    *key* stands for the game in its randomness. *position* is what a fact of the batch says of it, where it
    is not hidden from the reader. Raises :class:`Rejected`, ValueError for a fact that has no place there,
    and msgspec's errors where one does not fit its type.
    """
    asked = _decode(batch[0], lifecycle_facts.TableOpened)
    seats: list[SeatOccupant | None] = [None] * asked.seats
    for record in batch[1:]:
        if record.type == "SeatTaken":
            taken = _decode(record, lifecycle_facts.SeatTaken)
            if not 0 <= taken.seat < asked.seats or seats[taken.seat] is not None:
                raise ValueError(f"seat {taken.seat} cannot be taken")
            seats[taken.seat] = SeatOccupant(taken.bot, taken.who, taken.key)
        elif record.type == "SeatCommitted":
            committed = _decode(record, lifecycle_facts.SeatCommitted)
            sits = seats[committed.seat] if 0 <= committed.seat < asked.seats else None
            if sits is None:
                raise ValueError(f"nobody commits at seat {committed.seat}")
            seats[committed.seat] = msgspec.structs.replace(sits, commitment=committed.commitment)
        elif record.type != "PositionSet":
            raise ValueError(f"{record.type} does not belong to a creation")
    return create_game(
        title,
        key,
        _read_recorded_options(asked.options, title.Options),
        seats,
        asked.chance,
        service=asked.service,
        wanted=asked.terms(),
        position=position,
        origin=asked.origin,
        seeded=asked.key is not None and asked.tournament is None,
        tied=_read_tournament(asked),
        find_bot=read_bot_versions(batch),
    )


def _read_tournament(asked: lifecycle_facts.TableOpened) -> tuple[Reference, bool] | None:
    if asked.tournament is None:
        return None
    if asked.origin is not None or asked.key is None:
        raise ValueError("a game of a tournament has a key of its own, and is forked from nowhere")
    return msgspec.convert(asked.tournament, Reference), asked.rated


def _read_recorded_options(options: Json, kind: type[msgspec.Struct]) -> Json:
    """Return the options as they are read now, less those that came to the title after the game was made."""
    read: Json = msgspec.to_builtins(msgspec.convert(options, kind), str_keys=True)
    return {name: value for name, value in read.items() if name in options}


def redecide(
    game: Game, batch: Sequence[Record], secrets: Secrets | None, chain: ReverseChain | None
) -> Batch | None:
    """Decide a recorded batch of the opening again; return None for a batch that is none.

    The request is read from its facts, whose hidden parts must all be known. A caller that has neither
    *secrets* nor *chain* gets all that is public: of a beginning the first fact only, without the title's
    set-up. The signature of a beacon is not verified here, see :func:`events.proof.beacon.is_signed`. Raises
    :class:`Rejected`, and msgspec's errors where a fact does not fit its type.
    """
    decide = _REDECIDE.get(batch[0].type)
    if decide is None:
        return None
    by, again = decide(game, batch, secrets, chain)
    if batch[0].envelope().by != by:
        raise Rejected("not_your_decision", f"This is done by {by}. No other actor may do it.")
    return again


Redecide = Callable[
    [Game, Sequence[Record], Secrets | None, ReverseChain | None],
    tuple[str, Batch],
]
"""A function that decides a recorded batch again: its actor, as events name it, and the batch."""


def _decode(record: Record, kind: type[F]) -> F:
    fact = decode_fact(record, record.envelope(), kind)
    assert isinstance(fact, kind)  # noqa: S101 - for the type checker
    return fact


def _redecide_taken(
    game: Game, batch: Sequence[Record], _secrets: Secrets | None, _chain: ReverseChain | None
) -> tuple[str, Batch]:
    taken = _decode(batch[0], lifecycle_facts.SeatTaken)
    commitment = _decode(batch[1], lifecycle_facts.SeatCommitted).commitment if len(batch) > 1 else None
    return pseudonym(taken.seat), take_seat(game, taken.seat, commitment, taken.key, taken.who)


def _redecide_revealed(
    game: Game, batch: Sequence[Record], _secrets: Secrets | None, _chain: ReverseChain | None
) -> tuple[str, Batch]:
    revealed = _decode(batch[0], lifecycle_facts.SeatRevealed)
    if not 0 <= revealed.seat < len(game.seats):
        raise Rejected(
            "unknown_seat", f"This game has no such seat. Name a seat from 0 to {len(game.seats) - 1}."
        )
    return pseudonym(revealed.seat), reveal(game, revealed.seat, revealed.contribution)


def _redecide_closed(
    game: Game, batch: Sequence[Record], _secrets: Secrets | None, _chain: ReverseChain | None
) -> tuple[str, Batch]:
    return SYSTEM, close(game, batch[0].envelope().at)


def _redecide_director(
    game: Game, batch: Sequence[Record], _secrets: Secrets | None, _chain: ReverseChain | None
) -> tuple[str, Batch]:
    return SYSTEM, reveal_director(game, _decode(batch[0], lifecycle_facts.DirectorRevealed).contribution)


def _redecide_drawn(
    game: Game, batch: Sequence[Record], _secrets: Secrets | None, _chain: ReverseChain | None
) -> tuple[str, Batch]:
    drawn = _decode(batch[0], lifecycle_facts.BeaconDrawn)
    return SYSTEM, draw_beacon(game, batch[0].envelope().at, drawn.signature)


def _redecide_begun(
    game: Game, batch: Sequence[Record], secrets: Secrets | None, chain: ReverseChain | None
) -> tuple[str, Batch]:
    mix = None
    if game.tournament is not None:  # what its tournament proves is taken as it is
        told = _decode(batch[0], lifecycle_facts.TableBegun).mix
        if not _HEX32.fullmatch(told):
            raise Rejected(INVALID_PARAMETERS, "The mix is wrong. It has 64 hex digits in lower case.")
        mix = bytes.fromhex(told)
    return SYSTEM, begin(game, batch[0].envelope().at, secrets, chain, mix)


def _redecide_abandoned(
    game: Game, batch: Sequence[Record], _secrets: Secrets | None, _chain: ReverseChain | None
) -> tuple[str, Batch]:
    abandoned = _decode(batch[0], lifecycle_facts.TableAbandoned)
    try:
        disclosed = Secrets(
            *(bytes.fromhex(abandoned.disclosed[name]) for name in ("anchor", "deal", "hide", "bot"))
        )
    except (KeyError, ValueError):
        raise Rejected(
            "not_disclosed",
            "An abandoned game must disclose its secrets. Nothing of this event can be accepted.",
        ) from None
    if disclosed.commitments(game.key, game.draws) != game.commitments:
        raise Rejected(
            "not_disclosed",
            "The disclosed secrets do not match the commitments. Nothing of this event can be accepted.",
        )
    return SYSTEM, abandon(game, batch[0].envelope().at, abandoned.reason, disclosed)


_REDECIDE: dict[str, Redecide] = {
    "SeatTaken": _redecide_taken,
    "SeatRevealed": _redecide_revealed,
    "RevealsClosed": _redecide_closed,
    "DirectorRevealed": _redecide_director,
    "BeaconDrawn": _redecide_drawn,
    "TableBegun": _redecide_begun,
    "TableAbandoned": _redecide_abandoned,
}
