"""Reading a position: the whole state from readable JSON, checked so that nothing fails later."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, get_args

from msgspec.structs import replace

from events.rules.fact import Json, Seat
from events.rules.kit.positions import need, read
from events.rules.steps import Rejected
from events.rules.title import InvalidPosition
from events.titles.colonies.commands import SealedAnswer
from events.titles.colonies.data import BOARD, CARD_SETS, COLOURS, TECHNOLOGIES
from events.titles.colonies.derived import effect_of, final_scores, primitive_under_way
from events.titles.colonies.effects import interpreter
from events.titles.colonies.opening import neighbours
from events.titles.colonies.options import check_options
from events.titles.colonies.parts import EffectName, Votes
from events.titles.colonies.state import AFTER_EVENT, SETUP, State, neutral_planets, new_promises, no_pirates
from events.titles.colonies.steps.order import SEALINGS, find_steps

_VOTING = ("income_colonists", "event_vote", "event_tie", "event_effects")


def from_position(data: Json) -> State:
    """Return the state of a position; raises :class:`InvalidPosition` naming the part that is wrong."""
    state = read(data, State)
    try:
        check_options(state.seats, state.options)
    except Rejected as error:
        raise InvalidPosition(f"options or stocks: {error.detail}") from None
    state = _complete(state)
    for check in (_seats, _board, _cards, _turn, _resolution, _votes, _supplies, _check_sealed, _end):
        check(state)
    return state


def _complete(state: State) -> State:
    """Complete what a position may leave to the rules.

    That is who acts first, and that turn 10 has no next card (CLN-031).
    """
    if state.phase == "actions":
        active = state.first_player if state.active is None else state.active
        state = replace(state, active=active, action_round=max(1, state.action_round))
    if state.current_card and not _has_card(state) and state.phase not in SETUP:
        put_aside = (*state.resolved_cards, state.current_card)
        state = replace(state, current_card=None, resolved_cards=put_aside)
    return state


def _has_card(state: State) -> bool:
    """Return True if an event card lies open at this time."""
    return state.phase in _VOTING or (state.phase in AFTER_EVENT and state.turn < BOARD.turns)


def _keys(found: Collection[str], wanted: Collection[str], where: str) -> None:
    need(set(found) == set(wanted), where, f"must have exactly the keys {', '.join(sorted(wanted))}")


def _seats(state: State) -> None:
    seats = state.seats
    for name in ("planets", "credits", "colonists", "levels", "hands", "deck_cards", "sealed"):
        need(len(getattr(state, name)) == seats, name, f"must have one entry for each of {seats} seats")
    need(len(set(state.planets)) == seats, "planets", "each planet belongs to one seat only")
    neutral = neutral_planets(state)
    need(len(neutral) < 2 or not neighbours(*neutral), "planets", "neutral planets may not be neighbours")


def _board(state: State) -> None:
    for where, counts in (
        ("markets", state.markets),
        *((f"stocks[{i}]", s) for i, s in enumerate(state.stocks)),
    ):
        _keys(counts, COLOURS, where)
    for seat, levels in enumerate(state.levels):
        _keys(levels, TECHNOLOGIES, f"levels[{seat}]")
    _rows(state.promise, new_promises(state.planets), "promise")
    _rows(state.pirates, no_pirates(state.planets), "pirates")
    most = state.options.trade_agreement_max
    highest = max(value for row in state.promise.values() for value in row.values())
    need(highest <= most, "promise", f"no marker exceeds {most}")


def _rows(found: dict[Any, dict[Any, int]], wanted: dict[Any, dict[Any, int]], where: str) -> None:
    _keys(found, wanted, where)
    for key, row in wanted.items():
        _keys(found[key], row, f"{where}.{key}")


def _cards(state: State) -> None:
    known = CARD_SETS[state.options.event_card_set]
    lists: Iterable[tuple[str, ...]] = (
        *state.hands,
        *state.deck_cards,
        state.deck,
        state.undealt,
        state.resolved_cards,
        (state.current_card,) if state.current_card else (),
    )
    for cards in lists:
        need(len(cards) <= len(known), "cards", f"the set {state.options.event_card_set} has {len(known)}")
        for card in cards:
            need(card in known, repr(card), f"no event card of the set {state.options.event_card_set}")
    given = state.deck_cards
    need(all(len(set(c)) == len(c) <= 2 for c in given), "deck_cards", "at most two different cards a seat")
    wanted = _has_card(state)
    need(
        (state.current_card is not None) == wanted, "current_card", f"{_must(wanted)} in this phase and turn"
    )


def _must(wanted: bool) -> str:
    return "must be given" if wanted else "must be null"


def _turn(state: State) -> None:
    first = state.first_player
    wanted = state.phase != "setup_fingers"
    need((first is not None) == wanted, "first_player", f"{_must(wanted)} in this phase")
    need(first is None or first < state.seats, "first_player", "no such seat")
    acting = state.phase == "actions"
    need((state.active is not None) == acting, "active", f"{_must(acting)} in this phase")
    need(state.active is None or state.active < state.seats, "active", "no such seat")
    need((state.action_round > 0) == acting, "action_round", "1 to 3 in the action phase, else 0")
    resupply = state.phase != "event_resupply" or state.turn == BOARD.resupply_turn
    need(resupply, "phase", f"the deck is rebuilt in turn {BOARD.resupply_turn} only")
    setup = state.phase not in SETUP or state.turn == 1
    need(setup, "turn", "1 during the set-up")


def _resolution(state: State) -> None:
    resolution = state.resolution
    wanted = state.phase == "event_effects"
    need((resolution is not None) == wanted, "resolution", f"{_must(wanted)} in this phase")
    if resolution is None:
        return
    need(bool(resolution.queue), "resolution.queue", "must name the effects still to be carried out")
    most = len(get_args(EffectName)) * state.seats
    need(len(resolution.queue) <= most, "resolution.queue", f"at most {most} effects")
    need(all(place.seat < state.seats for place in resolution.queue), "resolution.queue", "no such seat")
    place = resolution.queue[0]
    official = place.effect == "official"
    need(official or not resolution.chosen, "resolution.chosen", "only a winner chooses the effect")
    waits_for_choice = official and not resolution.chosen
    count = 1 if waits_for_choice else len(effect_of(state, place.effect))
    need(resolution.primitive < count, "resolution.primitive", "the effect has no such primitive")
    primitive = primitive_under_way(state)
    asked = primitive is None or interpreter.asks(state, place.seat, primitive)
    need(asked, "resolution", "the primitive under way asks nothing; set the position at a decision")


def _votes(state: State) -> None:
    votes: Votes | None = state.votes
    if votes is not None:
        seats = [cast.seat for cast in votes.cast]
        need(seats == list(range(state.seats)), "votes.cast", "must have one vote for each seat, in order")
    if state.phase == "event_tie":
        need(votes is not None and votes.carried is None, "votes", "must be given and open in a tie")


def _supplies(state: State) -> None:
    """Raise InvalidPosition unless there are enough cards for all the draws that must come."""
    fillers = BOARD.deck_size - state.seats
    needed_hand, needed_undealt, needed_deck = 0, 0, 0
    if state.phase == "setup_fingers":
        needed_undealt = BOARD.cards_dealt * state.seats + 2 * fillers
        need(not any(state.hands) and not state.deck, "hands, deck", "must be empty before the deal")
    elif state.phase == "setup_deck_choice":
        needed_hand, needed_undealt = 2, 2 * fillers
    elif state.turn < BOARD.resupply_turn or (
        state.turn == BOARD.resupply_turn and state.phase in (*_VOTING, "event_resupply")
    ):
        needed_hand, needed_undealt = 1, fillers
    if state.phase in (*_VOTING, *AFTER_EVENT):
        revealed = state.turn + (state.phase in AFTER_EVENT)
        last = BOARD.resupply_turn if revealed <= BOARD.resupply_turn else BOARD.turns
        needed_deck = max(0, last - revealed)
    smallest = min(len(hand) for hand in state.hands)
    need(smallest >= needed_hand, "hands", f"at least {needed_hand} cards each")
    need(len(state.undealt) >= needed_undealt, "undealt", f"at least {needed_undealt} cards")
    need(len(state.deck) >= needed_deck, "deck", f"at least {needed_deck} cards for the turns to come")


def _check_sealed(state: State) -> None:
    """Check that the step can have taken the sealed answers, and that somebody is left to decide."""
    if state.phase != "ended":
        steps = find_steps(state)
        need(bool(steps), "phase", f"nobody decides in {state.phase}; set the position at a decision")
        waiting = any(True for step in steps for _ in step.asked(state))
        need(waiting, "phase, sealed", "nobody is left to decide; set the position before the last answer")
    for seat, answer in enumerate(state.sealed):
        if answer is not None:
            _check_answer(state, seat, answer)


def _check_answer(state: State, seat: Seat, answer: SealedAnswer) -> None:
    part, sealing = f"sealed[{seat}]", SEALINGS.get(state.phase)
    if sealing is None or type(answer) is not sealing.command or seat not in sealing.concerned(state):
        raise InvalidPosition(f"{part}: no such answer is given in this phase")
    try:
        sealing.check(state, seat, answer)
    except Rejected as rejected:
        raise InvalidPosition(f"{part}: {rejected.detail}") from None


def _end(state: State) -> None:
    scores = final_scores(state) if state.phase == "ended" else ()
    need(state.scores == scores, "scores", "must be those of the ended game, and empty before the end")
