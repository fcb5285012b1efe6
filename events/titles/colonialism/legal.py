"""Legal commands: listed, drawn at random, and how a button names them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

from events.chance import Chance
from events.steps import Command
from events.titles.colonialism import commands as c
from events.titles.colonialism.data import (
    CARD,
    COLORS,
    COUNTS,
    NUMBERS,
    REGION_IDS,
    REGION_INDEX,
    ZONE_IDS,
    ZONE_REGIONS,
)
from events.titles.colonialism.decisions import due
from events.titles.colonialism.state import (
    Faction,
    State,
    factions,
    influence,
    influence_of,
    ship_id,
)
from events.titles.colonialism.steps.collection import offered
from events.titles.colonialism.steps.losses import due_bounds
from events.titles.colonialism.steps.turn_order import free_rows

HANDS_LISTED = 120
"""Of the 924 possible starting hands about so many are listed."""


def legal(state: State, seat: int) -> Iterator[Command]:
    """Legal commands of the seat, most natural first; interchangeable ones once (see `complete`)."""
    kind, seats = due(state)
    if seat not in seats:
        return
    match kind:
        case "turn_order_position":
            yield from (c.ChooseTurnOrderPosition(row=row) for row in free_rows(state))
        case "starting_hand":
            yield from (c.KeepStartingHand(cards=cards) for cards in _some_hands(state.hands[seat]))
        case "ship_placement":
            yield from (c.PlaceShip(sea_zone=zone) for zone in ZONE_IDS)
        case "mercenary_losses":
            least, most = due_bounds(state, state.losses[0])
            yield from (c.ChooseMercenaryLosses(mercenaries=m) for m in range(most, least - 1, -1))
        case "resource_color":
            yield from _colors(state)
        case "card_to_keep":
            yield from (c.KeepInfluenceCard(card=card) for card in dict.fromkeys(state.hands[seat]))
        case _:
            yield from actions(state, seat)


def complete(state: State, seat: int) -> bool:
    """Whether `legal` lists everything.

    It does not list all starting hands, and of actions that differ in nothing but one of several fresh
    ships in the same sea zone, or in the order in which Trade names its regions, only one.
    """
    kind, seats = due(state)
    if seat not in seats:
        return True
    if kind == "starting_hand":
        return False
    if kind != "action":
        return True
    if len(set(state.ships[seat])) < len(state.ships[seat]):
        return False
    return (
        "trade" not in state.hands[seat] or next(_trades(state, seat, fresh_ships(state, seat)), None) is None
    )


def _some_hands(hand: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The first six cards, then a spread over all the others."""
    every = list(combinations(hand, COUNTS.kept))
    return islice(every, 0, None, max(1, len(every) // HANDS_LISTED))


def _colors(state: State) -> Iterator[Command]:
    if state.collection is not None:
        for color in offered(state, state.collection):
            yield c.CollectResourceColor(color=color)  # type: ignore[arg-type]


# --- actions -----------------------------------------------------------------------------------


def fresh_ships(state: State, seat: int) -> dict[str, str]:
    """One fresh ship of the seat for each sea zone where it has one: zone to ship."""
    found: dict[str, str] = {}
    for number, ship in enumerate(state.ships[seat]):
        if ship.fresh:
            found.setdefault(ship.sea_zone, ship_id(state, seat, number))
    return found


def reachable(ships: dict[str, str]) -> list[tuple[str, str]]:
    """Pairs of region and ship that a fresh ship reaches, in table order."""
    pairs = {(i, ship) for zone, ship in ships.items() for i in ZONE_REGIONS[zone]}
    return [(REGION_IDS[i], ship) for i, ship in sorted(pairs)]


def presence(state: State, seat: int) -> list[str]:
    """The regions where the seat has influence."""
    return [key for key, at in zip(REGION_IDS, state.regions, strict=True) if influence(at, seat)]


def actions(state: State, seat: int) -> Iterator[Command]:
    """All actions: policy cards, action cards, exploring, drawing, moving, withdrawing."""
    ships = fresh_ships(state, seat)
    pairs = reachable(ships)
    hand = tuple(dict.fromkeys(state.hands[seat]))
    for card in hand:
        if CARD[card].kind == "policy":
            yield from (c.PlayPolicyCard(card=card, region=key, ship=ship) for key, ship in pairs)
    for card in hand:
        if CARD[card].kind == "action":
            yield from action_card_plays(state, seat, card)
    if state.reserve[seat]:
        yield from (c.ExploreRegion(region=key, ship=ship) for key, ship in pairs)
    if state.decks[seat] or state.discards[seat]:
        yield c.DrawInfluenceCard()
    yield from _moves(state, seat)
    yield from _withdrawals(state, seat, pairs)


def action_card_plays(state: State, seat: int, card: str) -> Iterator[Command]:
    """Every way to play that action card."""
    ships = fresh_ships(state, seat)
    here = presence(state, seat)
    with_ship = [(key, ship) for key, ship in reachable(ships) if key in here]
    match card:
        case "diplomacy":
            yield from (
                c.PlayDiplomacy(region=key, faction=f) for key in here for f in _own_first(state, seat)
            )
        case "land_grab":
            yield from (c.PlayLandGrab(region=key, ship=ship) for key, ship in with_ship)
        case "mercenaries":
            yield from (c.PlayMercenaries(region=key, ship=ship) for key, ship in with_ship)
        case "military_campaign":
            yield from _campaigns(state, here)
        case "missionaries":
            yield from (c.PlayMissionaries(region=key) for key in here)
        case "plague":
            yield from (c.PlayPlague(region=key, ship=ship) for key, ship in with_ship)
        case _:
            yield from _trades(state, seat, ships)


def _own_first(state: State, seat: int) -> list[Faction]:
    return [seat, *(f for f in factions(state) if f != seat)]


def _campaigns(state: State, here: list[str]) -> Iterator[Command]:
    for key in here:
        at = state.regions[REGION_INDEX[key]]
        for faction in factions(state):
            if influence_of(at, faction):
                yield c.PlayMilitaryCampaign(region=key, faction=faction)


def _trades(state: State, seat: int, ships: dict[str, str]) -> Iterator[Command]:
    """Each exchange once, with the regions in table order."""
    for zone, ship in ships.items():
        for a, b in combinations(ZONE_REGIONS[zone], 2):
            first, second = state.regions[a], state.regions[b]
            if not influence(first, seat) and not influence(second, seat):
                continue
            for color_a, n in zip(COLORS, first.cubes, strict=True):
                for color_b, m in zip(COLORS, second.cubes, strict=True):
                    if n and m:
                        yield c.PlayTrade(
                            ship=ship,
                            region_a=REGION_IDS[a],
                            color_a=color_a,  # type: ignore[arg-type]
                            region_b=REGION_IDS[b],
                            color_b=color_b,  # type: ignore[arg-type]
                        )


def _moves(state: State, seat: int) -> Iterator[Command]:
    done: set[tuple[str, bool]] = set()
    for number, ship in enumerate(state.ships[seat]):
        if (ship.sea_zone, ship.fresh) in done:
            continue
        done.add((ship.sea_zone, ship.fresh))
        key = ship_id(state, seat, number)
        yield from (c.MoveShip(ship=key, sea_zone=zone) for zone in ZONE_IDS if zone != ship.sea_zone)


def _withdrawals(state: State, seat: int, pairs: list[tuple[str, str]]) -> Iterator[Command]:
    for key, ship in pairs:
        there = state.regions[REGION_INDEX[key]].discs[seat]
        for count in range(1, min(NUMBERS.withdraw, there) + 1):
            yield c.WithdrawInfluenceDiscs(region=key, ship=ship, count=count)


# --- at random ---------------------------------------------------------------------------------


def sample(state: State, seat: int, chance: Chance) -> Command | None:
    """A legal command at random, without listing all."""
    kind, seats = due(state)
    if seat not in seats:
        return None
    if kind == "action":
        return _sample_action(state, seat, chance)
    if kind == "starting_hand":
        return c.KeepStartingHand(cards=_sample_hand(state.hands[seat], chance))
    return chance.pick(list(legal(state, seat)))


def _sample_hand(hand: tuple[str, ...], chance: Chance) -> tuple[str, ...]:
    left = list(hand)
    return tuple(left.pop(chance.draw((len(left),), hidden=True)[0]) for _ in range(COUNTS.kept))


def _sample_action(state: State, seat: int, chance: Chance) -> Command:
    """A card more often than not; then exploring, drawing, moving, rarely withdrawing."""
    roll = chance.draw((100,), hidden=True)[0]
    command: Command | None = None
    if roll < 60 and state.hands[seat]:
        command = _sample_card(state, seat, chance)
    elif roll < 75:
        command = _sample_exploration(state, seat, chance)
    elif roll < 78:
        withdrawals = list(_withdrawals(state, seat, reachable(fresh_ships(state, seat))))
        command = chance.pick(withdrawals) if withdrawals else None
    if command is None and roll < 90 and (state.decks[seat] or state.discards[seat]):
        command = c.DrawInfluenceCard()
    return command or chance.pick(list(_moves(state, seat)))


def _sample_card(state: State, seat: int, chance: Chance) -> Command | None:
    card = chance.pick(state.hands[seat])
    if CARD[card].kind == "action":
        plays = list(action_card_plays(state, seat, card))
        return chance.pick(plays) if plays else None
    pairs = reachable(fresh_ships(state, seat))
    if not pairs:
        return None
    key, ship = chance.pick(pairs)
    return c.PlayPolicyCard(card=card, region=key, ship=ship)


def _sample_exploration(state: State, seat: int, chance: Chance) -> Command | None:
    pairs = reachable(fresh_ships(state, seat))
    if not pairs or not state.reserve[seat]:
        return None
    key, ship = chance.pick(pairs)
    return c.ExploreRegion(region=key, ship=ship)
