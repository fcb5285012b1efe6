"""The steady player of Colonialism: it looks one action ahead, region by region.

For each action it asks what every region would bring if it were colonized now, and takes the action that
improves this most. Cards are refilled after each colonization phase, so it plays them rather than saving
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from events.fact import Seat
from events.fast_chance import FastChance
from events.kit.values import put
from events.steps import Command, Draft
from events.title import Title
from events.titles.colonialism import commands as c
from events.titles.colonialism.data import COUNTS, REGION_IDS, REGION_INDEX, ZONE_IDS, ZONE_REGIONS
from events.titles.colonialism.derived import (
    collector,
    due_bounds,
    has_most,
    influence,
    influences,
    offered,
    policy_count,
)
from events.titles.colonialism.parts import CubeColor, PolicyCard, Region
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.collection import collect_resources, take_color
from events.titles.colonialism.steps.conflict import resolve_conflict
from events.titles.colonialism.steps.losses import split_loss
from events.titles.colonialism.steps.policy_resolution import resolve_policy_cards
from events.titles.colonialism.steps.scoring import best_score
from workers.bots import Bot
from workers.bots.colonialism_worth import WORTH, Prospects
from workers.bots.search import thinkers

SCORE, CUBE, RIVALS = 3.0, 0.8, 0.3
"""What a point of score and a cube are worth, and how much the rivals' worth counts against them."""
HOPE, FUTURE, DISC = 1.2, 0.15, 0.01
"""What influence is worth where nothing can be collected yet, for later cubes, and a disc in reserve."""
DRAW, MOVE = 0.12, 0.05
SAMPLES = 2
"""Rolls that an action with a die is judged by."""
WITH_DIE = (c.PlayDiplomacy, c.PlayMercenaries, c.PlayMilitaryCampaign)

CARD_ORDER = (
    "military_campaign",
    "influence_region_5",
    "consolidate_holdings",
    "influence_region_4",
    "empire",
    "fleet",
    "commerce",
    "hegemony",
    "missionaries",
    "dominion",
    "influence_region_3",
    "army",
    "diplomacy",
    "monopoly",
    "mercenaries",
    "plague",
    "resources_mineral",
    "resources_natural",
    "resources_agricultural",
    "unrest_at_home",
    "influence_region_2",
    "land_grab",
    "treaty",
    "trade",
)
"""Which cards to keep, the best first."""


class Prospect(NamedTuple):
    """What a region would bring if it were colonized now: cubes by seat and colour, and what remains to
    hope for.
    """

    cubes: tuple[tuple[int, int, int], ...]
    hope: float


def choose(title: Title[Any], state: State, seat: Seat, chance: FastChance, _budget: int) -> Command:
    """The steady player's command in the state that it imagines."""
    mine = next(d for d in title.decisions(state) if d.seat == seat)
    match mine.kind:
        case "action":
            return _action(title, state, seat, chance)
        case "starting_hand":
            return c.KeepStartingHand(
                cards=tuple(sorted(state.hands[seat], key=CARD_ORDER.index)[: COUNTS.kept])
            )
        case "card_to_keep":
            return c.KeepInfluenceCard(card=min(state.hands[seat], key=CARD_ORDER.index))
        case "ship_placement":
            return c.PlaceShip(sea_zone=max(ZONE_IDS, key=lambda zone: _zone_worth(state, seat, zone)))
        case "resource_color":
            return c.CollectResourceColor(color=_best_color(state, seat))
        case _:
            return title.default(state, mine)


# --- actions -----------------------------------------------------------------------------------


def _action(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    """The action with the best prospects; equal ones as the list has them."""
    # As if everybody else still had an action, so that trying one never ends the round.
    trial = replace(state, actions_taken=tuple(0 if s == seat else 2 for s in range(len(state.rows))))
    before = [_prospect(trial, index, chance) for index in range(len(REGION_IDS))]
    best: tuple[float, Command] | None = None
    for command in title.legal(trial, seat):
        if isinstance(command, c.WithdrawInfluenceDiscs):
            continue
        worth = _command_worth(title, trial, seat, command, before, chance)
        if best is None or worth > best[0]:
            best = worth, command
    if best is None:
        raise ValueError(f"seat {seat} has no action")
    return best[1]


def _command_worth(
    title: Title[Any], trial: State, seat: Seat, command: Command, before: list[Prospect], chance: FastChance
) -> float:
    if isinstance(command, c.DrawInfluenceCard):
        return _worth(trial, seat, before) + DRAW
    if isinstance(command, c.MoveShip):
        return _worth(trial, seat, before) + MOVE * _move_worth(trial, seat, command)
    samples = SAMPLES if isinstance(command, WITH_DIE) else 1
    total = 0.0
    for _ in range(samples):
        after = _settled(title, title.decide(trial, seat, command, chance).state, chance)
        prospects = [
            old if after.regions[i] is trial.regions[i] else _prospect(after, i, chance)
            for i, old in enumerate(before)
        ]
        total += _worth(after, seat, prospects)
    return total / samples


def _settled(title: Title[Any], state: State, chance: FastChance) -> State:
    """The state after the choices that the action caused, made the usual way."""
    while state.losses or state.collection:
        mine = title.decisions(state)[0]
        state = title.decide(state, mine.seat, title.default(state, mine), chance).state
    return state


def _worth(state: State, seat: Seat, prospects: list[Prospect]) -> float:
    """How good the state is for the seat: cubes collected and in prospect, against the rivals', and hope."""
    mine, rivals = 0.0, 0.0
    for other in range(len(state.rows)):
        worth = _cubes_worth(_sum(state.collected[other], prospects, other))
        if other == seat:
            mine = worth
        else:
            rivals = max(rivals, worth)
    hope = sum(_hope(state, at, seat) * p.hope for at, p in zip(state.regions, prospects, strict=True))
    return mine - RIVALS * rivals + hope + DISC * state.reserve[seat]


def _sum(collected: tuple[int, ...], prospects: list[Prospect], seat: Seat) -> tuple[int, ...]:
    gains = [p.cubes[seat] for p in prospects]
    return tuple(count + sum(gain[i] for gain in gains) for i, count in enumerate(collected))


def _cubes_worth(counts: tuple[int, ...]) -> float:
    return SCORE * best_score(counts) + CUBE * sum(counts)


def _hope(state: State, at: Region, seat: Seat) -> float:
    """How far the seat is on the way to clearing the region of natives and being first there."""
    own = influences(at)
    mine = own[seat] + _laid(state, at, seat)
    rival = max((n for s, n in enumerate(own) if s != seat), default=0)
    needed = at.limit + at.natives if at.natives else 1 + rival
    reached: float = min(1.2, mine / max(1, needed)) ** 1.5
    return reached * (HOPE * sum(at.cubes) + FUTURE * at.value)


def _laid(state: State, at: Region, seat: Seat) -> float:
    """Roughly what the seat's cards at the region will place."""
    return min(state.reserve[seat], 3.5 * len(at.policy[seat]))


# --- prospects ---------------------------------------------------------------------------------


def _prospect(state: State, index: int, chance: FastChance) -> Prospect:
    """Colonize one region alone, in a working copy, with the usual choices."""
    at, key = state.regions[index], REGION_IDS[index]
    none = ((0, 0, 0),) * len(state.rows)
    if not any(at.policy) and at.natives + sum(influences(at)) <= at.limit:
        return Prospect(none, 1.0)
    draft: Draft[State] = Draft(replace(state, collection=None, losses=()), chance)
    resolve_policy_cards(draft, key)
    _choose_losses(draft)
    resolve_conflict(draft, key)
    _choose_losses(draft)
    collect_resources(draft, key, "colonization")
    while (collection := draft.state.collection) is not None:
        seat = collector(collection)
        color = _best_color(draft.state, seat)
        take_color(draft, color)
        if not offered(draft.state):
            break
    gains = [
        tuple(new - old for new, old in zip(draft.state.collected[s], state.collected[s], strict=True))
        for s in range(len(state.rows))
    ]
    collected = any(map(any, gains))
    return Prospect(tuple(gains), 0.3 if collected else 1.0)  # type: ignore[arg-type]


def _choose_losses(draft: Draft[State]) -> None:
    while draft.state.losses:
        loss = draft.state.losses[0]
        most = due_bounds(draft.state, loss)[1]
        split_loss(draft, most)


def _best_color(state: State, seat: Seat) -> CubeColor:
    """The colour on offer that is worth most to the seat."""
    if state.collection is None:
        return "black"
    at = state.regions[REGION_IDS.index(state.collection.region)]
    colors = offered(state)

    def worth(color: str) -> float:
        index = ("black", "brown", "yellow").index(color)
        counts = tuple(n + (at.cubes[i] if i == index else 0) for i, n in enumerate(state.collected[seat]))
        return _cubes_worth(counts) - 0.1 * state.collected[seat][index]

    return max(colors, key=worth)


# --- ships -------------------------------------------------------------------------------------


def _zone_worth(state: State, seat: Seat, zone: str) -> float:
    """What a ship in the zone can reach, less where own ships are already."""
    near = sum(_region_worth(state.regions[i], seat) for i in ZONE_REGIONS[zone])
    crowd = sum(ship.sea_zone == zone for ship in state.ships[seat])
    return near / (1 + crowd)


def _region_worth(at: Region, seat: Seat) -> float:
    leading = 0.5 * has_most(at, seat) + 0.05 * influence(at, seat)
    return (1 + sum(at.cubes) + at.value) / (at.limit + at.natives) + leading


def _move_worth(state: State, seat: Seat, command: c.MoveShip) -> float:
    here = state.ships[seat][int(command.ship.rpartition("_")[2]) - 1].sea_zone
    return _zone_worth(state, seat, command.sea_zone) - _zone_worth(state, seat, here)


# --- lightly -----------------------------------------------------------------------------------

TAKEN = 6
"""Commands among which the light player chooses."""
DRAWN, SAILED = 120, 50
"""What drawing a card promises, in thousandths; and a ship that moves, for each unit of what it reaches."""
DIE = 2
"""What a die shows on the average."""


def _discs(at: Region, seat: Seat, more: int) -> Region:
    """With *more* own discs, or fewer influence of whatever kind."""
    if more < 0:
        away = min(-more, at.mercenaries[seat])
        left = max(0, at.discs[seat] + more + away)
        return replace(
            at,
            mercenaries=put(at.mercenaries, seat, at.mercenaries[seat] - away),
            discs=put(at.discs, seat, left),
        )
    return replace(at, discs=put(at.discs, seat, at.discs[seat] + more))


def _shifted(at: Region, faction: int | str, more: int) -> Region:
    if isinstance(faction, int):
        return _discs(at, faction, more)
    return replace(at, natives=max(0, at.natives + more))


def _explored(state: State, seat: Seat, at: Region, _command: Any) -> Region:
    return _discs(at, seat, min(1, state.reserve[seat]))


def _laid_card(_state: State, seat: Seat, at: Region, command: Any) -> Region:
    card = PolicyCard(command.card, face_up=True)
    return replace(at, policy=put(at.policy, seat, (*at.policy[seat], card)))


def _grabbed(state: State, seat: Seat, at: Region, _command: Any) -> Region:
    return _discs(at, seat, min(policy_count(at), state.reserve[seat]))


def _recruited(_state: State, seat: Seat, at: Region, _command: Any) -> Region:
    return replace(at, mercenaries=put(at.mercenaries, seat, at.mercenaries[seat] + DIE + 1))


def _campaigned(_state: State, _seat: Seat, at: Region, command: Any) -> Region:
    return _shifted(at, command.faction, -DIE - 1)


def _befriended(_state: State, _seat: Seat, at: Region, command: Any) -> Region:
    return _shifted(at, command.faction, DIE + 1)


def _converted(_state: State, seat: Seat, at: Region, _command: Any) -> Region:
    losers = [other for other, count in enumerate(influences(at)) if other != seat and count >= 2]
    natives = at.natives >= 2
    for other in losers:
        at = _discs(at, other, -1)
    return _discs(replace(at, natives=at.natives - natives), seat, len(losers) + natives)


def _halved(_state: State, _seat: Seat, at: Region, _command: Any) -> Region:
    for other, count in enumerate(influences(at)):
        at = _discs(at, other, -(count // 2))
    return replace(at, natives=at.natives - at.natives // 2)


_LAYS: Mapping[type[Command], Callable[[State, Seat, Region, Any], Region]] = {
    c.ExploreRegion: _explored,
    c.PlayPolicyCard: _laid_card,
    c.PlayLandGrab: _grabbed,
    c.PlayMercenaries: _recruited,
    c.PlayMilitaryCampaign: _campaigned,
    c.PlayDiplomacy: _befriended,
    c.PlayMissionaries: _converted,
    c.PlayPlague: _halved,
}
"""What the region is like after each command, as far as it can be foreseen."""


def _elsewhere(state: State, seat: Seat, command: Command) -> int:
    """What a command promises that lays nothing on a region."""
    if isinstance(command, c.DrawInfluenceCard):
        return DRAWN
    if isinstance(command, c.MoveShip):
        return int(SAILED * _move_worth(state, seat, command))
    return -DRAWN


def _light_action(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    """The best of a few commands at random."""
    listed = tuple(title.legal(state, seat))
    some = [chance.pick(listed, hidden=True) for _ in range(TAKEN)]
    prospects = Prospects(state, seat)
    best: tuple[int, Command | None] = (0, None)
    for command in dict.fromkeys(some):
        lay, worth = _LAYS.get(type(command)), 0
        if lay is None:
            worth = _elsewhere(state, seat, command)
        else:
            index = REGION_INDEX[command.region]  # type: ignore[attr-defined]
            at = state.regions[index]
            worth = prospects.change(index, lay(state, seat, at, command))
        if best[1] is None or worth > best[0]:
            best = worth, command
    return best[1] or listed[0]


def choose_lightly(title: Title[Any], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """A fair command in a fraction of the time: how games go on in the minds of those who think."""
    if next(d for d in title.decisions(state) if d.seat == seat).kind == "action":
        return _light_action(title, state, seat, chance)
    return choose(title, state, seat, chance, budget)


STEADY = Bot(name="steady", version=1, budget=0, choose=choose)
LIGHT = choose_lightly
THINKERS = thinkers("colonialism", choose, WORTH, light=LIGHT)
