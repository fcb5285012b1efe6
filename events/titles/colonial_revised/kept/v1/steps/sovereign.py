"""The Sovereign: declaring war, or the war against the Privateers in the seat's own box."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from events.rules.chance import Chance
from events.rules.steps import INVALID_PARAMETERS, Command, Draft, Rejected
from events.titles.colonial_revised.kept.v1 import commands as c
from events.titles.colonial_revised.kept.v1 import facts as f
from events.titles.colonial_revised.kept.v1 import words as w
from events.titles.colonial_revised.kept.v1.checks import require_seat
from events.titles.colonial_revised.kept.v1.data import CONSTANTS, TABLES
from events.titles.colonial_revised.kept.v1.derived import privateers_in_box
from events.titles.colonial_revised.kept.v1.offers import draw_percent, pick
from events.titles.colonial_revised.kept.v1.parts import SeatCount
from events.titles.colonial_revised.kept.v1.state import State
from events.titles.colonial_revised.kept.v1.steps.cards import Character, character, use
from events.titles.colonial_revised.kept.v1.steps.settlement import move_diplomacy


def war_targets(state: State, seat: int) -> tuple[int, ...]:
    """Return the seats to declare war on: nobody further right on Diplomacy (REV-132, REV-301)."""
    mine = state.players[seat].diplomacy
    return tuple(
        other for other, player in enumerate(state.players) if other != seat and player.diplomacy <= mine
    )


def can_fight_privateers(state: State, seat: int) -> bool:
    """Return True if the seat has at least 1 Privateer in its box and 1 Squadron (REV-375)."""
    return state.players[seat].squadrons > 0 and privateers_in_box(state, seat) > 0


def declare_war(draft: Draft[State], seat: int, command: c.DeclareWar) -> None:
    """War on a player who is not further right; 1 left; the War box (REV-301 to REV-303)."""
    target = require_seat(draft.state, command.target)
    _check_diplomacy(draft.state, seat, target)
    if target == seat:
        raise Rejected("self_target", "Declare war on another player.")
    use(draft, seat, "sovereign")
    draft.emit(f.WarDeclared(attacker=seat, defender=target))
    move_diplomacy(draft, seat, -1, "war_declared")
    _take_war_box(draft, seat)


def _check_diplomacy(state: State, seat: int, target: int) -> None:
    """Check that the target is not further right on Diplomacy (REV-132)."""
    if state.players[target].diplomacy > state.players[seat].diplomacy:
        raise Rejected(
            "target_more_advanced",
            "That player is further right on Diplomacy: choose one level or left of you.",
        )


def _take_war_box(draft: Draft[State], seat: int) -> None:
    if draft.state.war_box:
        draft.emit(f.WarBoxTaken(seat=seat, amount=draft.state.war_box))


def fight_privateers(draft: Draft[State], seat: int, command: c.FightPrivateers) -> None:
    """Fight two rounds against the Privateers in the seat's box (REV-375 to REV-378)."""
    state = draft.state
    order = [require_seat(state, owner) for owner in command.sink_order]
    if len(set(order)) < len(order):
        raise Rejected(INVALID_PARAMETERS, "Name each owner of Privateers once.")
    if not privateers_in_box(state, seat):
        raise Rejected(
            "no_privateers", "No Privateers lie in your box: declare war or play the Rebel instead."
        )
    if not state.players[seat].squadrons:
        raise Rejected("no_squadrons", "You have no Squadron to fight them with.")
    use(draft, seat, "sovereign")
    if state.options.war_box_counts_privateer_war:
        _take_war_box(draft, seat)
    sinking = (*order, *(owner for owner in state.order if owner not in order))
    for number in range(1, CONSTANTS.privateer_war_rounds + 1):
        if draft.state.players[seat].squadrons and privateers_in_box(draft.state, seat):
            _fight_round(draft, seat, number, sinking)


def _fight_round(draft: Draft[State], seat: int, number: int, sinking: tuple[int, ...]) -> None:
    state = draft.state
    dice = min(CONSTANTS.war_dice_max, state.players[seat].squadrons)
    faces = draft.chance.roll(dice, TABLES.success_faces)
    hits, sunk = sum(faces), []
    for owner in sinking:
        count = min(hits, state.players[owner].privateers[seat])
        if count:
            sunk.append(SeatCount(owner, count))
            hits -= count
    left = privateers_in_box(state, seat) - sum(entry.count for entry in sunk)
    back: tuple[int, ...] = draft.chance.roll(left)
    lost = min(state.players[seat].squadrons, back.count(CONSTANTS.sinking_face))
    draft.emit(f.PrivateerWarRoundFought(seat, number, faces, tuple(sunk), back, lost))


# --- offers --------------------------------------------------------------------------------------


def _wars(state: State, seat: int) -> Iterator[c.DeclareWar]:
    for target in war_targets(state, seat):
        yield c.DeclareWar(target=target)


def _fights(state: State, seat: int) -> Iterator[c.FightPrivateers]:
    """Every order of sinking."""
    if can_fight_privateers(state, seat):
        owners = tuple(o for o in state.order if state.players[o].privateers[seat])
        for order in permutations(owners):
            yield c.FightPrivateers(sink_order=order)


def _label_war(state: State, seat: int, command: c.DeclareWar) -> str:
    left = ["1 left on Diplomacy"] if state.players[seat].diplomacy > 1 else []
    box = [f"{state.war_box} T from the War box"] if state.war_box else []
    price = f" ({', '.join([*left, *box])})" if left or box else ""
    return f"Sovereign: declare war on {w.seat_name(command.target)}{price}"


def _label_fight(state: State, seat: int, command: c.FightPrivateers) -> str:
    """Those are sunk in this order as far as the Successes go."""
    order = ", then ".join(f"those of {w.seat_name(owner)}" for owner in command.sink_order)
    dice = w.dice(min(CONSTANTS.war_dice_max, state.players[seat].squadrons))
    first = f", first {order}" if len(command.sink_order) > 1 else ""
    return f"Sovereign: fight the Privateers in your box with {dice}{first}"


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    if can_fight_privateers(state, seat) and draw_percent(chance, 60):
        return c.FightPrivateers()
    targets = war_targets(state, seat)
    return c.DeclareWar(target=pick(chance, targets)) if targets else None


DECLARE_WAR = character("sovereign", c.DeclareWar, take=declare_war, legal=_wars, label=_label_war)
FIGHT_PRIVATEERS = character(
    "sovereign", c.FightPrivateers, take=fight_privateers, legal=_fights, label=_label_fight
)
SOVEREIGN = Character("sovereign", (DECLARE_WAR, FIGHT_PRIVATEERS), _sample)
