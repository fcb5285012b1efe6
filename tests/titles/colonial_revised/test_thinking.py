"""The players of Colonial Revised that think, and the rules of thumb by which they do."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from tests.titles.colonial_revised.given import fresh, played
from tests.titles.match import wins_against_steady
from workers.bots import choose_move, find_bot, find_worth
from workers.bots.colonial_revised import choose_thriftily
from workers.bots.trials.arena import Match, play
from workers.bots.worth import UNFINISHED, load_weights

TITLE = find_title("colonial_revised")
WORTH, GUIDE = find_worth(TITLE)
WEIGHTS, DIGEST = load_weights("colonial_revised")
FEW = 3
"""Games that are played out for a move: to their end, which takes long."""


@cache
def positions(count: int, every: int = 7, seats: int = 3):
    """Positions in which somebody decides something that is thought about, and who; by the light rules."""
    chance, found, number = FastChance("positions"), [], 0
    state = TITLE.open(seats, TITLE.Options(), chance).state
    while len(found) < count:
        decision = TITLE.awaited(state)[0]
        given = TITLE.default(state, decision)
        if decision.seat is not None:
            number += decision.kind in WORTH.searched
            if decision.kind in WORTH.searched and number % every == 0:
                found.append((state, decision.seat))
            given = choose_thriftily(TITLE, state, decision.seat, chance, 0)
        state = TITLE.decide(state, decision.seat, given, chance).state
    return found


def test_the_features_are_those_of_the_weights():
    """By name and in order, in whole numbers, as many as there are names, for every seat."""
    assert WEIGHTS.features == WORTH.names
    for state, _ in positions(4):
        rows = WORTH.features(state)
        assert len(rows) == state.seats
        assert all(len(row) == len(WORTH.names) and all(type(n) in {int, bool} for n in row) for row in rows)
        assert 0 <= WORTH.progress(state) <= 1000


def test_chances_are_shares():
    """Together they are what an unfinished game is worth; somebody with more Prestige has more of them."""
    state = positions(1)[0][0]
    shares = WORTH.judge(WEIGHTS, state)
    assert UNFINISHED - len(shares) <= sum(shares) <= UNFINISHED
    position = TITLE.position(state)
    ahead = {**position, "players": [dict(player) for player in position["players"]]}
    ahead["players"][0]["war_pp"] += 4
    more = WORTH.judge(WEIGHTS, TITLE.from_position(ahead))
    assert more[0] > shares[0]


def test_the_clock_rises():
    """With every round and every turn: in the mind a game goes on for about a turn."""
    chance, seen = FastChance(3), []
    state = TITLE.open(3, TITLE.Options(), chance).state
    while state.turn < 3:
        decision = TITLE.awaited(state)[0]
        given = choose_thriftily(TITLE, state, decision.seat, chance, 0)
        state = TITLE.decide(state, decision.seat, given, chance).state
        seen.append(WORTH.clock(state))
    assert seen == sorted(seen)
    assert len(set(seen)) > 10


def test_it_sees_what_its_seat_may_know():
    """The same seed gives the same legal move, also in another world that looks the same to the seat."""
    bot = replace(find_bot("colonial_revised", "brisk"), budget=FEW)
    for number, (state, seat) in enumerate(positions(2)):
        other = TITLE.imagine(state, seat, FastChance(number))
        given = choose_move(TITLE, bot, state, seat, b"seed")
        assert given == choose_move(TITLE, bot, other, seat, b"seed")
        assert TITLE.decide(state, seat, given, FastChance(1)).facts


def test_versions():
    """The newest steady player is the fourth, the others are kept; those that think are their weights."""
    assert find_bot("colonial_revised", "steady").version == 4
    assert [find_bot("colonial_revised", f"steady@{number}").version for number in (1, 2, 3)] == [1, 2, 3]
    assert find_bot("colonial_revised", "strong").weights == DIGEST


@pytest.mark.campaign
def test_the_second_version_is_better():
    """At three seats; at five in `tests/campaigns`."""
    second_is_better(3)


def second_is_better(seats):
    """The second wins more of rotated deals against the first than its share; no move of it is refused."""
    match = Match("colonial_revised", seats, ("steady@2", "steady@1"), "better")
    games = [play(match, deal, seat) for deal in range(48 // seats) for seat in range(seats)]
    won = sum((game.challenger in game.winners) / len(game.winners) for game in games)
    assert won / len(games) > 1 / seats
    assert not sum(game.rejected for game in games)


def test_sets_aside_the_card_that_must_be_used_or_helps_least():
    """Sovereign/Rebel where it can; else exploring early in the game and progress later (REV-055)."""
    used = {"sovereign_rebel": {"status": "played", "round": 5, "character": "rebel"}}
    for cards, turn, spared in (
        ({}, 2, "explorer_conqueror"),
        ({}, 5, "scientist_missionary"),
        (used, 2, "sovereign_rebel"),
        (used, 5, "sovereign_rebel"),
    ):
        hands = {seat: {"cards": held["cards"] | cards} for seat, held in played(0, 1, 2).items()}
        state = fresh(players=hands, turn=turn, phase="choosing_cards", round=5)
        assert choose_thriftily(TITLE, state, 0, FastChance(1), 0).card_id == spared


@pytest.mark.slow
def test_thrift_wins_games_against_steady():
    """Without a thought, the rules of thumb of the bots that think win far more than their share."""
    assert wins_against_steady(TITLE, choose_thriftily, seats=3, deals=10) > 0.7
