"""The Sovereign: declaring war, or the war against the Privateers in his own box."""

from __future__ import annotations

from events.chance import Chance
from events.steps import INVALID_PARAMETERS, Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.commands import SeatCount
from events.titles.colonial_revised.data import CONSTANTS, TABLES
from events.titles.colonial_revised.derived import privateers_in_box
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import play
from events.titles.colonial_revised.steps.checks import known_seat
from events.titles.colonial_revised.steps.settlement import move_diplomacy


def war_targets(state: State, seat: int) -> tuple[int, ...]:
    """Whom the seat may declare war on: nobody further right on Diplomacy (REV-132, REV-301)."""
    mine = state.players[seat].diplomacy
    return tuple(
        other for other, player in enumerate(state.players) if other != seat and player.diplomacy <= mine
    )


def can_fight_privateers(state: State, seat: int) -> bool:
    """At least 1 Privateer in his box and 1 Squadron (REV-375)."""
    return state.players[seat].squadrons > 0 and privateers_in_box(state, seat) > 0


def declare_war(draft: Draft[State], seat: int, command: c.DeclareWar, chance: Chance) -> None:
    """War on a player who is not further right; 1 left; the War box (REV-301 to REV-303)."""
    target = known_seat(draft.state, command.target)
    players = draft.state.players
    if players[target].diplomacy > players[seat].diplomacy:
        raise Rejected(
            "target_more_advanced",
            "That player is further right on Diplomacy: choose one level or left of you.",
        )
    if target == seat:
        raise Rejected("self_target", "Declare war on another player.")
    play(draft, seat, "sovereign")
    draft.emit(f.WarDeclared(attacker=seat, defender=target))
    move_diplomacy(draft, seat, -1, "war_declared")
    if draft.state.war_box:
        draft.emit(f.WarBoxTaken(seat=seat, amount=draft.state.war_box))


def fight_privateers(draft: Draft[State], seat: int, command: c.FightPrivateers, chance: Chance) -> None:
    """Two rounds against the Privateers in his box (REV-375 to REV-378)."""
    state = draft.state
    order = [known_seat(state, owner) for owner in command.sink_order]
    if len(set(order)) < len(order):
        raise Rejected(INVALID_PARAMETERS, "Name each owner of Privateers once.")
    if not privateers_in_box(state, seat):
        raise Rejected(
            "no_privateers", "No Privateers lie in your box: declare war or play the Rebel instead."
        )
    if not state.players[seat].squadrons:
        raise Rejected("no_squadrons", "You have no Squadron to fight them with.")
    play(draft, seat, "sovereign")
    sinking = (*order, *(owner for owner in state.order if owner not in order))
    for number in range(1, CONSTANTS.privateer_war_rounds + 1):
        if draft.state.players[seat].squadrons and privateers_in_box(draft.state, seat):
            _fight_round(draft, seat, number, sinking, chance)


def _fight_round(
    draft: Draft[State], seat: int, number: int, sinking: tuple[int, ...], chance: Chance
) -> None:
    state = draft.state
    dice = min(CONSTANTS.war_dice_max, state.players[seat].squadrons)
    faces = chance.roll(dice, TABLES.success_faces)
    hits, sunk = sum(faces), []
    for owner in sinking:
        count = min(hits, state.players[owner].privateers[seat])
        if count:
            sunk.append(SeatCount(owner, count))
            hits -= count
    left = privateers_in_box(state, seat) - sum(entry.count for entry in sunk)
    back: tuple[int, ...] = chance.roll(left)
    lost = min(state.players[seat].squadrons, back.count(CONSTANTS.sinking_face))
    draft.emit(f.PrivateerWarRoundFought(seat, number, faces, tuple(sunk), back, lost))
