"""The conditions that a position must fulfil so that play can go on from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from events.rules.kit.positions import need
from events.rules.steps import Rejected
from events.rules.title import InvalidPosition
from events.titles.colonialism.data import (
    CARD,
    COUNTS,
    INTEREST,
    PIECES,
    POLICY_IDS,
    REGION_INDEX,
    TRACK,
    ZONE_REGIONS,
)
from events.titles.colonialism.derived import (
    active_seat,
    count_conserved,
    face_down,
    factions,
    influence,
    keeping_seats,
    last_phase,
    list_offered,
    region,
)
from events.titles.colonialism.knowledge import respects_limits
from events.titles.colonialism.options import check_options
from events.titles.colonialism.parts import Loss, Region
from events.titles.colonialism.state import State

_SETUP = ("setup_turn_order", "setup_starting_hands", "setup_ships")
MOST = 99
"""No kind of piece or card may be there more often: counts stay readable however play goes on."""
_CAUSES = ("military_campaign", "missionaries", "plague", "unrest_at_home", "conflict")


def check(state: State) -> None:
    """Raise InvalidPosition, naming the part, unless every function of the title can handle *state*."""
    _check_seats(state)
    _check_board(state)
    for name, count in count_conserved(state).items():
        need(count <= MOST, name, f"there are more than {MOST}")
    for seat in range(state.seats):
        _check_cards(state, seat)
        _check_ships(state, seat)
        _check_kept(state, seat)
    _check_interests(state)
    _check_rows(state)
    _check_progress(state)
    _check_interrupts(state)


def _check_seats(state: State) -> None:
    seats = len(state.colors)
    try:
        check_options(seats, state.options)
    except Rejected as rejected:
        raise InvalidPosition(f"options: {rejected.detail}") from None
    need(len(set(state.colors)) == seats, "colors", "each seat has its own colour")
    need(state.options.colors in {(), state.colors}, "colors", "they are those of the options")
    for name in _BY_SEAT:
        need(len(getattr(state, name)) == seats, name, f"needs {seats} entries, one a seat")
    for at in state.regions:
        need(len(at.discs) == len(at.mercenaries) == len(at.policy) == seats, "regions", "one entry a seat")


_BY_SEAT = (
    "rows",
    "actions_taken",
    "chosen_rows",
    "reserve",
    "ships",
    "hands",
    "decks",
    "discards",
    "known_held",
    "interests",
    "interests_shown",
    "collected",
    "collected_this_turn",
    "kept",
)


def _check_board(state: State) -> None:
    need(sorted(state.region_order) == sorted(REGION_INDEX), "region_order", "names each region once")
    need(state.phase in TRACK.phases, "phase", f"is one of {', '.join(TRACK.phases)}")
    for at in state.regions:
        for stack in at.policy:
            need(all(p.card in POLICY_IDS for p in stack), "regions.policy", "holds policy cards only")
            need(all(p.face_up for p in stack[1:]), "regions.policy", "only the first card may lie face-down")


def _cards_of(state: State, seat: int) -> Iterator[str]:
    yield from state.hands[seat]
    yield from state.decks[seat]
    yield from state.discards[seat]
    for at in state.regions:
        yield from (p.card for p in at.policy[seat])
    if state.action_card is not None and state.action_card.seat == seat:
        yield state.action_card.card


def _check_cards(state: State, seat: int) -> None:
    cards = list(_cards_of(state, seat))
    need(all(card in CARD for card in cards), "cards", f"seat {seat} has a card that does not exist")
    if state.step in {"setup_turn_order", "setup_starting_hands"}:
        need(
            len(set(cards)) == len(cards),
            "cards",
            f"seat {seat} has a card twice before the hands are chosen",
        )
    stacks, known = face_down(state, seat), state.known_held[seat]
    hidden = Counter((*state.hands[seat], *(p.card for p in stacks)))
    need(Counter(known) <= hidden, "known_held", "names cards of the hand or face-down ones")
    fits = not known or respects_limits(stacks, [p.card for p in stacks], known)
    need(fits, "regions.policy", "drawn_limit contradicts known_held")


def _check_ships(state: State, seat: int) -> None:
    fleet = state.ships[seat]
    need(all(ship.sea_zone in ZONE_REGIONS for ship in fleet), "ships", "stand in sea zones of the board")
    if state.step in {"setup_turn_order", "setup_starting_hands"}:
        need(not fleet, "ships", "are placed after the starting hands")
    elif state.step != "setup_ships":
        need(bool(fleet), "ships", f"seat {seat} needs 1 to {PIECES.ships}")


def _check_kept(state: State, seat: int) -> None:
    hand, kept = state.hands[seat], state.kept[seat]
    if state.step == "setup_starting_hands":
        need(len(hand) == COUNTS.drawn, "hands", f"seat {seat} needs the {COUNTS.drawn} cards drawn")
        need(kept is None or len(kept) == COUNTS.kept, "kept", f"{COUNTS.kept} cards or null")
    elif state.step == "keep_one_card":
        need(kept is None or (len(kept) == 1 and len(hand) >= 2), "kept", "one of several cards, or null")
    else:
        need(kept is None, "kept", "is null while no cards are chosen")
    need(
        kept is None or (set(kept) <= set(hand) and len(set(kept)) == len(kept)),
        "kept",
        "is part of the hand",
    )


def _check_interests(state: State) -> None:
    cards = [*state.undealt_interests, *(card for mine in state.interests for card in mine)]
    need(all(card in INTEREST for card in cards), "interests", "name economic interest cards")
    if state.step == "setup_turn_order":
        needed = COUNTS.interests * state.seats
        need(not any(state.interests), "interests", "are dealt after the rows are chosen")
        need(len(state.undealt_interests) >= needed, "undealt_interests", f"needs at least {needed} cards")
        ready = all(len(deck) >= COUNTS.drawn for deck in state.decks)
        need(ready and not any(state.hands), "decks", "hold the cards before they are dealt")


def _check_rows(state: State) -> None:
    seats = state.seats
    if state.step == "setup_turn_order":
        need(not any(state.rows), "rows", "are 0 before they are chosen")
    else:
        need(0 not in state.rows and len(set(state.rows)) == seats, "rows", "are different, from 1 to 4")
    chosen = [row for row in state.chosen_rows if row]
    if state.step in {"setup_turn_order", "turn_order_choice"}:
        need(sorted(state.choosers) == list(range(seats)), "choosers", "names each seat once")
        need(
            len(set(chosen)) == len(chosen) < seats,
            "chosen_rows",
            "are different, with some row still to choose",
        )
    else:
        need(not state.choosers and not chosen, "choosers", "are empty while no rows are chosen")


def _check_progress(state: State) -> None:
    """The step fits the clock, and somebody can be waited for."""
    step = state.step
    need(step != "scoring", "step", "scoring is over at once; use ended")
    if step in _SETUP:
        need(state.turn == 1 and state.phase == TRACK.phases[0], "phase", "set-up comes before all else")
    elif step != "ended":
        acting = state.phase.startswith("action_round")
        need(acting == (step == "action_round"), "phase", f"does not fit the step {step}")
    if step == "setup_starting_hands":
        need(not state.options.quick_start_hands, "step", "quick_start_hands leaves no hands to choose")
        need(None in state.kept, "kept", "a seat must still choose")
    if step == "setup_ships":
        need(any(len(fleet) < PIECES.ships for fleet in state.ships), "ships", "one must still be placed")
    if step == "keep_one_card":
        need(bool(keeping_seats(state)), "hands", "a seat must still choose a card to keep")
    if step in {"keep_one_card", "turn_order_choice"}:
        need(not last_phase(state), "phase", "the game ends after the last colonization phase")
    if step != "action_round":
        need(not any(state.actions_taken), "actions_taken", "are 0 outside action rounds")
    need(active_seat(state) is not None, "actions_taken", "a seat must still have an action")
    _check_standings(state)


def _check_standings(state: State) -> None:
    expected = list(range(state.seats)) if state.step == "ended" else []
    need(
        [s.seat for s in state.standings] == expected, "standings", "one a seat, only when the game has ended"
    )


def _check_interrupts(state: State) -> None:
    playing, cursor = state.action_card, state.colonization
    waiting = bool(state.losses) or state.collection is not None
    need(
        not (state.losses and state.collection is not None), "losses", "are chosen before cubes are collected"
    )
    need(
        (cursor is not None) == (state.step == "colonization"),
        "colonization",
        "belongs to the step of that name",
    )
    if state.step == "action_round":
        need(waiting == (playing is not None), "action_card", "is in progress exactly while a choice is due")
        need(playing is None or playing.seat == active_seat(state), "action_card", "is the active player's")
    else:
        need(playing is None, "action_card", "is in progress in action rounds only")
        need(waiting == (state.step == "colonization"), "colonization", "stops exactly while a choice is due")
    if playing is not None:
        _check_action_card(state)
    if waiting:
        _check_choice(state, playing.region if playing is not None else _current_region(state))


def _current_region(state: State) -> str:
    return state.region_order[state.colonization.index] if state.colonization is not None else ""


def _check_action_card(state: State) -> None:
    playing = state.action_card
    if playing is None:
        return
    need(playing.card in CARD and CARD[playing.card].kind == "action", "action_card", "is an action card")
    need(playing.region in REGION_INDEX, "action_card", "names a region of the board")
    need(
        playing.target is None or playing.target in factions(state),
        "action_card",
        "aims at a faction of the game",
    )


def _check_choice(state: State, key: str) -> None:
    stage = state.colonization.stage if state.colonization is not None else None
    at = region(state, key)
    if state.losses:
        need(
            stage in {None, "unrest_at_home", "conflict"},
            "colonization",
            "losses follow Unrest at Home or conflict",
        )
        for loss in state.losses:
            _check_loss(loss, key, at, state.seats)
        owners = [loss.seat for loss in state.losses]
        need(len(set(owners)) == len(owners), "losses", "each owner has one at a time")
    if state.collection is not None:
        order = state.collection.order
        need(
            stage in {None, "collection"}, "colonization", "its stage is collection while cubes are collected"
        )
        need(state.collection.region == key, "collection", "takes place in the region in question")
        fits = bool(order) and len(set(order)) == len(order) and max(order) < state.seats
        need(fits, "collection", "names each collector once")
        need(bool(list_offered(state)), "collection", "needs a cube in the region")


def _check_loss(loss: Loss, key: str, at: Region, seats: int) -> None:
    need(loss.seat < seats, "losses", "belong to seats of the game")
    need(loss.region == key, "losses", "arise in the region in question")
    need(loss.cause in _CAUSES, "losses", f"have one of the causes {', '.join(_CAUSES)}")
    need(loss.loss <= influence(at, loss.seat), "losses", "take no more than is there")
