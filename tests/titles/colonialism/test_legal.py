"""The list of legal commands is true and, where it says so, complete."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import msgspec

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.titles.colonialism import TITLE
from events.titles.colonialism import commands as c
from events.titles.colonialism.data import CARD_IDS, COLORS, COUNTS, ZONE_IDS
from events.titles.colonialism.derived import factions, ship_id
from tests.titles.colonialism.given import REGIONS, given
from tests.titles.table import Table, play, spread


def every_command(state: Any, seat: int) -> Iterator[Any]:
    """All commands that could possibly be legal (but for equal trades)."""
    ships = [ship_id(state, seat, number) for number in range(3)]
    yield c.DrawInfluenceCard()
    yield from (c.ChooseTurnOrderPosition(row=row) for row in (1, 2, 3, 4))
    yield from (c.PlaceShip(sea_zone=zone) for zone in ZONE_IDS)
    yield from (c.MoveShip(ship=ship, sea_zone=zone) for ship, zone in product(ships, ZONE_IDS))
    yield from (c.ChooseMercenaryLosses(mercenaries=n) for n in range(17))
    yield from (c.CollectResourceColor(color=color) for color in COLORS)
    yield from (c.KeepInfluenceCard(card=card) for card in CARD_IDS)
    yield from (c.PlayMissionaries(region=key) for key in REGIONS)
    for key, faction in product(REGIONS, factions(state)):
        yield c.PlayDiplomacy(region=key, faction=faction)
        yield c.PlayMilitaryCampaign(region=key, faction=faction)
    for key, ship in product(REGIONS, ships):
        yield from (
            kind(region=key, ship=ship)
            for kind in (c.ExploreRegion, c.PlayLandGrab, c.PlayMercenaries, c.PlayPlague)
        )
        yield from (c.WithdrawInfluenceDiscs(region=key, ship=ship, count=n) for n in range(1, 6))
        yield from (c.PlayPolicyCard(card=card, region=key, ship=ship) for card in CARD_IDS)
    yield from map(c.KeepStartingHand, combinations(state.hands[seat], COUNTS.kept))


def accepted(state: Any, seat: int, command: Any) -> bool:
    try:
        return bool(TITLE.decide(state, seat, command, FastChance(1)).facts)
    except Rejected:
        return False


def test_complete_lists_hold_everything():
    """CSM-051, CSM-060: where the list is complete, no other command is accepted but those of equal effect,
    which name another of several ships alike.
    """
    game = play(Table("colonialism", 3), seed=8, keep=True)
    complete = 0
    for moment in spread(game.moments, 45):
        state = moment.state
        for decision in TITLE.decisions(state):
            seat = decision.seat
            assert seat is not None
            listed = list(TITLE.legal(state, seat))
            assert len(set(listed)) == len(listed)
            possible = {command for command in every_command(state, seat) if accepted(state, seat, command)}
            listed = [x for x in listed if not isinstance(x, c.PlayTrade)]
            assert set(listed) <= possible
            possible = {with_first_alike(state, seat, command) for command in possible}
            if TITLE.complete(state, seat):
                complete += 1
                assert set(listed) == possible
    assert complete > 30


def with_first_alike(state: Any, seat: int, command: Any) -> Any:
    """The command with the first of the ships that lie in the same zone and status as the one it names."""
    ships = state.ships[seat]
    for number, ship in enumerate(ships):
        if getattr(command, "ship", None) == ship_id(state, seat, number):
            return msgspec.structs.replace(command, ship=ship_id(state, seat, ships.index(ship)))
    return command


def test_trades_of_equal_cubes_are_listed_once():
    """CSM-103: cubes of one colour may be exchanged; as nothing changes, that is one choice for each ship."""
    cubes = {"black": 1, "brown": 1, "yellow": 1}
    lying = {key: {"cubes": cubes, "discs": [1, 1, 1]} for key in REGIONS}
    ships = [[{"sea_zone": "western_indian_ocean", "fresh": True}] * 3] * 3
    state = given(3, regions=lying, ships=ships, hands=[["trade"], [], []])
    trades = [x for x in TITLE.legal(state, 0) if isinstance(x, c.PlayTrade)]
    assert len([x for x in trades if x.color_a == x.color_b]) == 1
    assert len([x for x in trades if x.color_a != x.color_b]) == 3 * 6
    assert TITLE.complete(state, 0)


def test_sample_reaches_every_kind():
    """CSM-051: random play uses every command."""
    used = {
        type(given.command)
        for seed in range(4)
        for given in play(Table("colonialism", 4), seed=seed).commands
    }
    assert used == set(TITLE.commands)
