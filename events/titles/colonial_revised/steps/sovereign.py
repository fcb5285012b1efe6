"""The Sovereign: declaring war, or the war against the Privateers in the seat's own box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from events.rules.chance import Chance
from events.rules.kit.overseas.offers import grid
from events.rules.kit.words import format_list
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import require_seat
from events.titles.colonial_revised.data import CONSTANTS, TABLES
from events.titles.colonial_revised.derived import privateers_in_box
from events.titles.colonial_revised.offers import draw_percent, pick
from events.titles.colonial_revised.parts import SeatCount
from events.titles.colonial_revised.state import State, require
from events.titles.colonial_revised.steps.alliances import declare_war, take_war_box
from events.titles.colonial_revised.steps.cards import Character, character, use


def war_targets(state: State, seat: int) -> tuple[int, ...]:
    """Return the seats to declare war on: nobody further right on Diplomacy (REV-132, REV-301)."""
    mine = state.players[seat].diplomacy
    return tuple(
        other for other, player in enumerate(state.players) if other != seat and player.diplomacy <= mine
    )


def can_fight_privateers(state: State, seat: int) -> bool:
    """Return True if the seat has at least 1 Privateer in its box and 1 Squadron (REV-375)."""
    return state.players[seat].squadrons > 0 and privateers_in_box(state, seat) > 0


def fight_privateers(draft: Draft[State], seat: int, command: c.FightPrivateers) -> None:
    """Fight two rounds against the Privateers in the seat's box (REV-375 to REV-378)."""
    state = draft.state
    if not privateers_in_box(state, seat):
        raise Rejected(
            "no_privateers", "No Privateers lie in your box: declare war or play the Rebel instead."
        )
    if not state.players[seat].squadrons:
        raise Rejected("no_squadrons", "You have no Squadron to fight them with: choose another action.")
    use(draft, seat, "sovereign")
    if state.options.war_box_counts_privateer_war:
        take_war_box(draft, seat)
    _fight_rounds(draft, seat, 1)


def _fight_rounds(draft: Draft[State], seat: int, first: int) -> None:
    """Fight the rounds from that one on, until the player has to share out the hits (REV-376, REV-378)."""
    for number in range(first, CONSTANTS.privateer_war_rounds + 1):
        held = count_in_box(draft.state, seat)
        if not draft.state.players[seat].squadrons or not held:
            return
        dice = min(CONSTANTS.war_dice_max, draft.state.players[seat].squadrons)
        faces = draft.chance.roll(dice, TABLES.success_faces)
        hits = min(sum(faces), sum(held.values()))
        asked = len(held) > 1 and 0 < hits < sum(held.values())
        draft.emit(f.PrivateerWarRolled(seat, number, faces, hits, asked))
        if asked:
            return
        _sink(draft, seat, number, sink_in_order(held, hits))


def count_in_box(state: State, seat: int) -> dict[int, int]:
    """Privateers in the seat's Merchant Fleet box by owner, in player order."""
    return {owner: count for owner in state.order if (count := state.players[owner].privateers[seat])}


def sink_in_order(held: Mapping[int, int], hits: int) -> tuple[SeatCount, ...]:
    """So many Privateers, one owner after the other."""
    sunk: list[SeatCount] = []
    for owner, count in held.items():
        gone = min(hits, count)
        if gone:
            sunk.append(SeatCount(owner, gone))
            hits -= gone
    return tuple(sunk)


def _sink(draft: Draft[State], seat: int, number: int, sunk: tuple[SeatCount, ...]) -> None:
    """Sink Privateers; those that are left roll back (REV-376, REV-377)."""
    state = draft.state
    left = privateers_in_box(state, seat) - sum(entry.count for entry in sunk)
    back: tuple[int, ...] = draft.chance.roll(left)
    lost = min(state.players[seat].squadrons, back.count(CONSTANTS.sinking_face))
    draft.emit(f.PrivateerWarRoundFought(seat, number, sunk, back, lost))


def sink_privateers(draft: Draft[State], seat: int, command: c.SinkPrivateers) -> None:
    """Share the hits of a round out over owners, then fight on (REV-376)."""
    state, fight = draft.state, require(draft.state.privateer_war)
    held, counts = count_in_box(state, seat), dict[int, int]()
    for entry in command.sunk:
        owner = require_seat(state, entry.seat)
        counts[owner] = counts.get(owner, 0) + entry.count
    if any(count > held.get(owner, 0) for owner, count in counts.items()):
        raise Rejected("no_privateers", "An owner has fewer Privateers in your box: sink at most those.")
    if sum(counts.values()) != fight.hits:
        raise Rejected("wrong_total", f"Sink exactly {w.privateers(fight.hits)}.")
    sunk = tuple(SeatCount(owner, counts[owner]) for owner in held if owner in counts)
    _sink(draft, seat, fight.round, sunk)
    _fight_rounds(draft, seat, fight.round + 1)


# --- offers --------------------------------------------------------------------------------------


def _wars(state: State, seat: int) -> Iterator[c.DeclareWar]:
    for target in war_targets(state, seat):
        yield c.DeclareWar(target=target)


def _fights(state: State, seat: int) -> Iterator[c.FightPrivateers]:
    if can_fight_privateers(state, seat):
        yield c.FightPrivateers()


def _label_war(state: State, seat: int, command: c.DeclareWar) -> str:
    left = ["1 left on Diplomacy"] if state.players[seat].diplomacy > 1 else []
    box = [f"{state.war_box} T from the War box"] if state.war_box else []
    price = f" ({', '.join([*left, *box])})" if left or box else ""
    return f"Sovereign: declare war on {w.seat_name(command.target)}{price}"


def _label_fight(state: State, seat: int, _command: c.FightPrivateers) -> str:
    dice = w.dice(min(CONSTANTS.war_dice_max, state.players[seat].squadrons))
    return f"Sovereign: fight the Privateers in your box with {dice}"


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


# --- sharing out the hits ------------------------------------------------------------------------


def _sinkings(state: State, seat: int) -> Iterator[c.SinkPrivateers]:
    """One owner after the other first, then every other way."""
    hits, held = require(state.privateer_war).hits, count_in_box(state, seat)
    first = sink_in_order(held, hits)
    yield c.SinkPrivateers(first)
    for counts in grid(range(min(count, hits), -1, -1) for count in held.values()):
        sunk = tuple(SeatCount(owner, n) for owner, n in zip(held, counts, strict=True) if n)
        if sum(counts) == hits and sunk != first:
            yield c.SinkPrivateers(sunk)


def _label_sinking(_state: State, _seat: int, command: c.SinkPrivateers) -> str:
    parts = (f"{w.privateers(entry.count)} of {w.seat_name(entry.seat)}" for entry in command.sunk)
    return f"Sink {format_list(parts)}"


SINK_PRIVATEERS: Step[State] = Step(
    kind="sink_privateers",
    asked=lambda state: (require(state.privateer_war).seat,),
    default=lambda state, seat: next(_sinkings(state, seat)),
    moves=(Move(command=c.SinkPrivateers, take=sink_privateers, legal=_sinkings, label=_label_sinking),),
)
