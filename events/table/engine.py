"""The course of a game: a request becomes a batch of facts and draws, and events change the game.

Deciding is a pure function of a game and its secrets: the server uses it to record, `rutter verify` to check,
so both decide by the same lines. Folding is one of a game and its events: the platform's facts change the
game, the title's facts the title's state.

On the way the states are kept that can come back by taking commands back: the title's states since the last
barrier. A barrier is a draw, a fact that discloses something, a sealed command, a batch of the server or of a
director, and a command of the table that has nothing to do with taking back. Where each seat takes back its
own commands only, another seat's batch is one too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from events.base.timestamps import DAY_MS, add_milliseconds, parse_timestamp
from events.clocks import clock
from events.clocks.clock import IDLE_SPAN_MS, MAX_IDLE_SPANS
from events.proof.randomness import (
    PublicDraw,
    ReverseChain,
    Secrets,
    derive_hidden_draw_key,
    derive_public_draw_key,
    draw_values,
)
from events.rules.chance import Chance
from events.rules.fact import Fact, Seat, type_name
from events.rules.steps import ALREADY_ANSWERED, GAME_NOT_RUNNING, Command, Rejected
from events.rules.title import Outcome, Title
from events.table import lifecycle_facts
from events.table.conduct_facts import UNDO, SeatOnVacation, TablePaused, TableWarned
from events.table.game import Game, KeptState, Offer, UndoStack
from events.table.record import COMMAND_PART, Draws, Envelope, Record, decode_batch, decode_fact, seat_of
from events.table.tournament_link import seat_claim

MAX_REPLACEMENTS = 20
"""Times that a seat may replace its covered answer in one step: each is an event that stays in the log."""
CLOSED = type_name(lifecycle_facts.TableClosed)
"""The last event of a game: its result."""
WARNED = type_name(TableWarned)
"""The one event on which a game goes on as if nothing had happened."""
MAX_BATCHES_BACK = 16
"""The most batches that can be taken back."""
_NOTHING = UndoStack()


class Batch(msgspec.Struct):
    """The facts of one command, with the draws behind them."""

    facts: list[Fact]
    draws: Draws = Draws()
    state: Any = None
    """The title's state after the facts (None where the title has none yet)."""


# --- the draws behind a batch ------------------------------------------------------------------------------


class ProvenChance(Chance):
    """The randomness of one command of a recorded game, with a journal of its draws."""

    def __init__(self, secrets: Secrets, chain: ReverseChain, mixed: bytes, public: int, hidden: int) -> None:
        self._secrets = secrets
        self._chain = chain
        self._mixed = mixed
        self._public = public
        self.hidden = hidden
        self.journal: list[PublicDraw] = []

    @property
    def public(self) -> int:
        """The number of public draws that the game has made, this command's included."""
        return self._public

    def draw(self, bounds: Sequence[int], *, hidden: bool) -> list[int]:
        """Draw, and note a public draw in the journal."""
        if hidden:
            self.hidden += 1
            return draw_values(derive_hidden_draw_key(self._secrets.deal, self._mixed, self.hidden), bounds)
        self._public += 1
        key, shown = self._find_public_key(self._public)
        got = draw_values(key, bounds)
        self.journal.append(PublicDraw(self._public, shown, tuple(bounds), tuple(got)))
        return got

    def _find_public_key(self, k: int) -> tuple[bytes, str]:
        """Return the key of public draw *k*, and the element of the chain that it shows."""
        if k > self._chain.length:
            return derive_public_draw_key(self._secrets.deal, self._mixed, k), ""
        element = self._chain.element(k)
        return derive_public_draw_key(element, self._mixed, k), element.hex()


def draws_since(game: Game, chance: ProvenChance) -> Draws:
    """Return the draws that *chance* has made since the newest event of *game*."""
    return Draws(tuple(chance.journal), chance.hidden - game.hidden_draws)


# --- what a request leads to -------------------------------------------------------------------------------


def decide(game: Game, seat: Seat | None, command: Command, secrets: Secrets, chain: ReverseChain) -> Batch:
    """Return the facts that *command* of *seat* (None: the server) leads to. Raises :class:`Rejected`."""
    if game.status != "running":
        raise Rejected(GAME_NOT_RUNNING, _NOT_RUNNING[game.status])
    if game.paused is not None:
        raise PausedGame(game.paused.until)
    chance = ProvenChance(secrets, chain, game.mixed, game.public_draws, game.hidden_draws)
    title = game.title
    if seat is not None and game.replaced.get(seat, 0) >= MAX_REPLACEMENTS:
        _check_replacements(game, seat, command)
    draft = title.decide(game.state, seat, command, chance)
    batch = Batch(list(draft.facts), draws_since(game, chance), draft.state)
    return close_if_ended(game, title, batch, secrets)


def _check_replacements(game: Game, seat: Seat, command: Command) -> None:
    """Raise Rejected if *command* would replace a covered answer that was replaced often enough."""
    name = type_name(type(command))
    if any(one.seat == seat and name in one.commands for one in game.title.replaceable(game.state)):
        raise Rejected(
            ALREADY_ANSWERED,
            f"You have replaced this answer {MAX_REPLACEMENTS} times. Wait for the other players.",
        )


class PausedGame(Rejected):
    """The rejection of a command because the game is paused: nobody plays meanwhile."""

    def __init__(self, until: str) -> None:
        super().__init__(
            "game_paused", f"The game is paused until {until}. Wait until then, or propose to resume it."
        )
        self.until = until


_NOT_RUNNING = {
    "open": "The game has not begun. Wait until all seats are taken and it begins.",
    "finished": "The game has ended. You can still read its history and audit bundle.",
    "abandoned": "The game was abandoned. You can still read its history and audit bundle.",
}


def close_if_ended(game: Game, title: Title[Any], batch: Batch, secrets: Secrets) -> Batch:
    """Close the batch with the result, and disclose the secrets, when the game has ended."""
    outcome = title.outcome(batch.state)
    if outcome is not None:
        batch.facts.append(make_closing_fact(outcome, secrets))
    return batch


def make_closing_fact(outcome: Outcome, secrets: Secrets) -> lifecycle_facts.TableClosed:
    """Return the last fact of a game."""
    return lifecycle_facts.TableClosed(
        winners=outcome.winners,
        places=outcome.places,
        scores=outcome.scores,
        reason=outcome.reason,
        disclosed=disclose_secrets(secrets),
    )


def disclose_secrets(secrets: Secrets) -> dict[str, str]:
    """Return the secrets of a game that has ended, as its last fact tells them."""
    return {
        "anchor": secrets.anchor.hex(),
        "deal": secrets.deal.hex(),
        "hide": secrets.hide.hex(),
        "bot": secrets.bot.hex(),
    }


# --- the game after its events -----------------------------------------------------------------------------


class BrokenChain(ValueError):
    """Events that are not one unbroken chain; *seq* is the first bad one."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(reason)
        self.seq = seq
        self.reason = reason


def fold(game: Game, records: Iterable[Record]) -> Game:
    """Return *game* after *records*, which hold all their hidden parts.

    Raises :class:`BrokenChain` on a gap.
    """
    for record in records:
        if record.seq != game.seq + 1:
            raise BrokenChain(record.seq, f"event {record.seq} does not follow on {game.seq}")
        game = fold_one(game, record)
    return game


def fold_one(game: Game, record: Record) -> Game:
    """Return *game* after one event."""
    envelope = record.envelope()
    seat = seat_of(envelope.by)
    game = begin_batch(game, envelope, seat)
    game = _count_replacement(game, envelope, seat)
    kind = lifecycle_facts.FACTS.get(record.type)
    if kind is None:
        game = _fold_title_fact(game, record, envelope)
    else:
        game = _fold_table_fact(game, decode_fact(record, envelope, kind), envelope)
    return apply_envelope(game, record, envelope, seat)


def fold_batch(game: Game, batch: Sequence[Record]) -> Game:
    """Return *game* after the events of one command, as :func:`fold` does, and quicker.

    The title's facts are read together and folded one after the other. What the platform says of the whole
    command follows once. Batches with other facts of the table than the result go event by event.
    """
    if game.status != "running" or any(
        record.type in lifecycle_facts.FACTS and record.type != CLOSED for record in batch
    ):
        return fold(game, batch)
    find = game.title.fact_type
    kinds = []
    for record in batch:
        kind = lifecycle_facts.FACTS.get(record.type) or find(record.type)
        if kind is None:
            raise BrokenChain(record.seq, f"{game.title_id} has no event of type {record.type}")
        kinds.append(kind)
    first, facts = decode_batch(batch, kinds)
    state = game.state
    for fact in facts:
        if not isinstance(fact, lifecycle_facts.TableClosed):
            state = fact.fold(state)
    return apply_batch(game, batch, first, facts, state)


def _claim_to_seat(game: Game, seat: Seat, cmd: str) -> str:
    """Return the claim by which a seat is held.

    One command takes all the seats of a tournament's game; each gets a claim of its own.
    """
    return seat_claim(cmd, seat) if game.tournament and cmd == game.opened else cmd


def _fold_table_fact(game: Game, fact: Fact, envelope: Envelope) -> Game:
    """Return *game* after a fact of the platform."""
    game = fact.fold(game)
    if isinstance(fact, lifecycle_facts.SeatTaken | lifecycle_facts.SeatGiven):
        game = replace(game, claims={**game.claims, fact.seat: _claim_to_seat(game, fact.seat, envelope.cmd)})
    if isinstance(fact, lifecycle_facts.SeatTaken):
        game = replace(game, full_at=envelope.at)
    elif isinstance(fact, lifecycle_facts.ClockAdjusted) and fact.cause == "gift":
        game = _remember_gift(game, seat_of(envelope.by), fact.add_ms, envelope.at)
    elif isinstance(fact, SeatOnVacation):
        game = _set_vacation(game, fact, envelope.at)
    elif isinstance(fact, TablePaused) and game.paused is not None:
        game = replace(game, paused=replace(game.paused, since=envelope.at))
    elif isinstance(fact, lifecycle_facts.RevealsClosed) and game.closed is not None:
        game = replace(game, closed=replace(game.closed, at=envelope.at))
    return game


def _remember_gift(game: Game, giver: Seat | None, add_ms: int, at: str) -> Game:
    """Return *game*, remembering what a seat has given to another."""
    if giver is None:
        return game
    since, before = game.gifts.get(giver, (at, 0))
    fresh = at >= add_milliseconds(since, DAY_MS)
    return replace(game, gifts={**game.gifts, giver: (at, add_ms) if fresh else (since, before + add_ms)})


def _set_vacation(game: Game, fact: SeatOnVacation, at: str) -> Game:
    """Return *game* when a vacation has begun or ended."""
    sits = game.seats[fact.seat].end_vacation(at)
    if fact.until > at:
        sits = replace(sits, vacation=fact.until, away=at, rested=at)
    return replace(game, seats=game.seats_with(fact.seat, sits))


def apply_batch(
    game: Game, batch: Sequence[Record], first: Envelope, facts: Iterable[Fact], state: Any
) -> Game:
    """Return *game* after a *batch* that a command of a running game led to.

    The title's *state* after its *facts* is known, so only what the platform itself says is folded. *first*:
    the envelope of its first event.
    """
    seat = seat_of(first.by)
    game = begin_batch(game, first, seat)
    game = _count_replacement(game, first, seat)
    game = apply_envelope(replace(game, state=state), batch[0], first, seat, batch[-1])
    for fact in facts:
        if type_name(type(fact)) in lifecycle_facts.FACTS:
            game = _fold_table_fact(game, fact, first)
        else:
            game = meet_fact(game, type(fact))
    return game


def _count_replacement(game: Game, envelope: Envelope, seat: Seat | None) -> Game:
    """Return *game* with the answers counted that were replaced, before the first event of a command.

    Only sealed commands answer covered. With the first answer of a step nobody's answer lies covered, so all
    counts begin again.
    """
    if seat is None or envelope.by + COMMAND_PART not in (envelope.hid or {}) or game.status != "running":
        return game
    covered = {decision.seat for decision in game.title.replaceable(game.state)}
    counts = {one: count for one, count in game.replaced.items() if one in covered}
    if seat in covered:
        counts[seat] = counts.get(seat, 0) + 1
    return game if counts == game.replaced else replace(game, replaced=counts)


def apply_envelope(
    game: Game, record: Record, envelope: Envelope, seat: Seat | None, last: Record | None = None
) -> Game:
    """Apply what any event changes, whatever its fact: place in the chain, time, draws, acting *seat*.

    With *last*, apply what a whole batch changes, from *record*, its first event, on.
    """
    last = last or record
    changes: dict[str, Any] = {"seq": last.seq, "head": last.hash, "at": envelope.at, "cmd": envelope.cmd}
    if game.warned is not None and last.type != WARNED:
        changes["warned"] = None
    if record.seq == 1:
        changes |= {"created_at": envelope.at, "opened": envelope.cmd}
    drawn = envelope.draws
    if drawn is not None:
        changes["hidden_draws"] = game.hidden_draws + drawn.hidden
        changes["public_draws"] = game.public_draws + len(drawn.public)
    if seat is not None:
        sits = game.seats[seat]
        given = sits.commands + _has_command(envelope)
        thought = sits.bot_commands + (envelope.bot is not None)
        sits = replace(sits, commands=given, bot_commands=thought, last=last.seq)
        if sits.vacation is not None and given > game.seats[seat].commands:
            sits = sits.end_vacation(envelope.at)
        if _is_timely_answer(game, envelope):
            sits = replace(sits, misses=0)
        changes["seats"] = game.seats_with(seat, sits)
    settings = game.terms.clock
    if settings is not None:
        changes["calm"] = _idle_spans(game, envelope.at)
    if envelope.clock is not None and settings is not None:
        changes["clocks"] = clock.apply_note(
            settings,
            game.clocks,
            envelope.clock,
            parse_timestamp(envelope.at),
            _find_restarted_seats(record, envelope),
        )
    return replace(game, **changes)


def _idle_spans(game: Game, at: str) -> tuple[tuple[str, str], ...]:
    """Return the times without an event, after an event at the time *at*."""
    if not game.at or at < add_milliseconds(game.at, IDLE_SPAN_MS):
        return game.calm
    return (*game.calm, (game.at, at))[-MAX_IDLE_SPANS:]


def _is_timely_answer(game: Game, envelope: Envelope) -> bool:
    """Return True if a seat on the clock answers, where that makes its misses undone."""
    spent = (envelope.clock or {}).get("spent", {})
    return envelope.by in spent and game.absence is not None and game.absence.count == "consecutive"


def _find_restarted_seats(record: Record, envelope: Envelope) -> frozenset[Seat]:
    """Return the seat whose spell on the clock begins again by the fact of this event; empty if none does."""
    if record.type not in ("SeatTimedOut", "SeatGiven"):
        return frozenset()
    return frozenset({msgspec.json.decode(envelope.data)["seat"]})


def _has_command(envelope: Envelope) -> bool:
    return envelope.command is not None or envelope.by + COMMAND_PART in (envelope.hid or {})


def _fold_title_fact(game: Game, record: Record, envelope: Envelope) -> Game:
    kind = game.title.fact_type(record.type)
    if kind is None:
        raise BrokenChain(record.seq, f"{game.title_id} has no event of type {record.type}")
    state = decode_fact(record, envelope, kind).fold(game.state)
    return replace(meet_fact(game, kind), state=state)


# --- what can be taken back --------------------------------------------------------------------------------


def begin_batch(game: Game, first: Envelope, by: Seat | None) -> Game:
    """Return *game* before a batch of the seat *by*, whose *first* event this is.

    Its state is kept, or a barrier is met.
    """
    if game.terms.undo == "none" or game.status != "running":
        return game
    if first.cmd == game.cmd or _is_undo(game, first):
        return game
    seat = _find_mover(game, first, by)
    if seat is None:
        return meet_barrier(game)
    since = game.undoable
    if game.terms.undo == "own" and since.seat != seat:
        since = UndoStack(seat=seat)
    kept = (*since.kept, KeptState(game.seq, seat, game.state, game.clocks))[-MAX_BATCHES_BACK:]
    return replace(game, undoable=replace(since, kept=kept), offers=_without_undo(game))


def meet_barrier(game: Game) -> Game:
    """Return *game*, in which nothing before this can be taken back any more."""
    return replace(game, undoable=_NOTHING, offers=_without_undo(game))


def meet_fact(game: Game, kind: type[Fact]) -> Game:
    """Return *game* at a fact of the title: it is a barrier if it discloses something."""
    return meet_barrier(game) if kind.discloses and game.terms.undo != "none" else game


def _without_undo(game: Game) -> tuple[Offer, ...]:
    return tuple(offer for offer in game.offers if offer.what != UNDO)


def _is_undo(game: Game, first: Envelope) -> bool:
    """Return True if this batch takes commands back, offers to, or answers that."""
    given = first.command or {}
    if given.get("type") == "table_undo":
        return True
    return given.get("type") == "table_answer" and any(
        offer.what == UNDO and offer.offer == given.get("offer") for offer in game.offers
    )


def _find_mover(game: Game, first: Envelope, seat: Seat | None) -> Seat | None:
    """Return the seat that plays in this batch, openly and without a draw; None for a barrier.

    One that comes back from a vacation is a barrier too: its time had stood still before.
    """
    given = first.command
    if seat is None or given is None or first.draws is not None or game.seats[seat].vacation is not None:
        return None
    return None if str(given.get("type")).startswith("table_") else seat
