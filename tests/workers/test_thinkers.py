"""Thinking players of the titles whose games go on by faster rules of thumb in the mind."""

import hashlib
import re
import tomllib
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from events.rules.bot_names import THINKERS, UnknownBot
from events.rules.catalogue import find_title, title_ids
from events.rules.fast_chance import FastChance
from tests.conftest import ROOT
from workers import bots
from workers.bot_types import CERTAIN, Bot
from workers.bots import choose_move, find_bot, find_worth
from workers.bots.search import CANDIDATES, CROWD, OTHERS, Search, load_budgets
from workers.bots.trials import arena
from workers.bots.trials.arena import Match, play, summarize_games
from workers.bots.trials.truth import find_search
from workers.bots.worth import UNFINISHED, load_weights, rate_lead

TITLES = ("colonial_empires", "colonialism", "colonies")
FEW = 8
"""Games played out for a move: enough to see that it is always the same."""


def positions(title_id, count, every, seats=None):
    """Positions in which somebody decides something that is thought about, and who."""
    title, (worth, light) = find_title(title_id), find_worth(find_title(title_id))
    chance = FastChance("positions")
    state = title.open(seats or title.seats[1], title.Options(), chance).state
    found, number = [], 0
    while len(found) < count:
        if not title.awaited(state):
            state = title.open(state.seats, title.Options(), chance).state
        decision = title.awaited(state)[0]
        if decision.kind in worth.searched:
            number += 1
            if number % every == 0:
                found.append((state, decision.seat))
        seat = decision.seat
        given = title.default(state, decision) if seat is None else light(title, state, seat, chance, 0)
        state = title.decide(state, seat, given, chance).state
    return found


@pytest.mark.parametrize("title_id", TITLES)
def test_the_features_are_those_of_the_weights(title_id):
    """By name and in order, whole numbers for every seat; shares of a victory come out of them."""
    (worth, _), (weights, digest) = find_worth(find_title(title_id)), load_weights(title_id)
    assert weights.features == worth.names
    assert len(worth.names) <= 25
    assert find_bot(title_id, "strong").weights == find_bot(title_id, "brisk").weights == digest
    for state, _ in positions(title_id, 4, 9):
        rows = worth.features(state)
        assert len(rows) == state.seats
        assert all(len(row) == len(worth.names) and all(type(value) is int for value in row) for row in rows)
        assert 0 <= worth.progress(state) <= 1000
        assert UNFINISHED - state.seats <= sum(worth.judge(weights, state)) <= UNFINISHED


@pytest.mark.parametrize("title_id", TITLES)
def test_the_same_move_in_every_world_that_looks_alike(title_id):
    """The same seed gives the same move, and nothing hidden is looked at: another world changes nothing."""
    title, choose = find_title(title_id), find_bot(title_id, "brisk").choose
    for number, (state, seat) in enumerate(positions(title_id, 2, 11)):
        other = title.imagine(state, seat, FastChance(number))
        moves = [
            choose(title, title.imagine(one, seat, chance), seat, chance, FEW)
            for one in (state, state, other)
            for chance in [FastChance("thought")]
        ]
        assert moves[0] == moves[1] == moves[2]


@pytest.mark.parametrize("title_id", TITLES)
def test_the_clock_of_the_mind_never_runs_back(title_id):
    """It rises from the first command to the last, so that every game in the mind comes to its horizon."""
    title, (worth, light) = find_title(title_id), find_worth(find_title(title_id))
    chance = FastChance("clock")
    state = title.open(title.seats[0], title.Options(), chance).state
    times = [(worth.clock(state), worth.progress(state))]
    while waiting := title.awaited(state):
        seat = waiting[0].seat
        given = title.default(state, waiting[0]) if seat is None else light(title, state, seat, chance, 0)
        state = title.decide(state, seat, given, chance).state
        times.append((worth.clock(state), worth.progress(state)))
    assert times == sorted(times)
    assert times[-1][0] > times[0][0] + worth.horizon


def test_every_title_has_its_budgets():
    """Each level of each title; what tells nothing about its positions has those of all others.

    `strong` plays four to ten times as many games out: less where a game to its end takes long.
    """
    budgets = load_budgets()
    assert {name for name in title_ids() if find_worth(find_title(name))} == budgets.keys() - {OTHERS}
    for title_id in title_ids():
        own = budgets.get(title_id, budgets[OTHERS])
        assert own.keys() == THINKERS
        for name in THINKERS:
            assert find_bot(title_id, name).budget == own[name].simulations
        assert 4 * own["brisk"].simulations <= own["strong"].simulations <= 10 * own["brisk"].simulations


def test_a_crowded_table_thinks_less():
    """The simulations of a large table are fewer where the file says so, and never more than those."""
    title = find_title("colonial_empires")
    search = Search(find_bot(title.id, "steady").choose, *_judge(title), commands=4, crowd=6)
    counts = {}
    for seats in (CROWD - 1, CROWD):
        state, seat = positions(title.id, 1, 3, seats)[0]
        known = title.imagine(state, seat, FastChance("world"))
        counts[seats] = search.think(title, known, seat, FastChance("crowd"), 60).simulations
    assert counts[CROWD] <= 6 + CANDIDATES * 4 < counts[CROWD - 1]


@pytest.mark.parametrize("title_id", ["colonial_empires", "colonial_revised"])
def test_games_go_on_to_their_end_in_the_mind(title_id):
    """Where a title says what a clear victory is, results are judged, and none by the weights."""
    title, judged = find_title(title_id), []

    class Watched(Search):
        def judge_state(self, of, state, seat):
            value = super().judge_state(of, state, seat)
            judged.append((title.outcome(state), seat, value))
            return value

    search, most = find_search(title_id, "brisk"), load_budgets()[title_id]["brisk"].candidates
    watched = Watched(**{name.name: getattr(search, name.name) for name in fields(search)})
    state, seat = positions(title_id, 1, 30)[0]
    known = title.imagine(state, seat, FastChance("world"))
    thought = watched.think(title, known, seat, FastChance("end"), FEW)
    ended = [each for each in judged if each[0] is not None]
    assert len(ended) == thought.simulations >= FEW
    assert len(thought.candidates) <= most
    for outcome, of, value in ended:
        assert value > UNFINISHED // 2 if outcome.winners == (of,) else value <= CERTAIN // 2


def test_a_lead_is_never_worth_all():
    """A tie is worth half, a clear lead three quarters; more is worth more, and less is worth less."""
    leads = [rate_lead((lead, 0, -9), 0, 60) for lead in (-600, -60, -1, 0, 1, 60, 600)]
    assert leads == sorted(set(leads))
    assert (leads[1], leads[3], leads[5]) == (CERTAIN // 4, CERTAIN // 2, 3 * CERTAIN // 4)
    assert 0 < leads[0] < leads[-1] < CERTAIN
    assert rate_lead((5, 5, 7), 2, 60) == rate_lead((2, 0), 0, 60)


def _judge(title):
    return find_worth(title)[0], load_weights(title.id)[0]


def test_the_former_steady_player_is_kept():
    """Recorded games of Colonies can be thought again: the old version is installed beside the newest."""
    title = find_title("colonies")
    assert (find_bot("colonies", "steady").version, find_bot("colonies", "steady@1").version) == (2, 1)
    state, seat = positions("colonies", 1, 5)[0]
    assert choose_move(title, find_bot("colonies", "steady@1"), state, seat, b"seed")


@pytest.mark.slow
@pytest.mark.parametrize("title_id", TITLES[:1])
def test_games_go_on_in_the_mind_by_fair_play(title_id, monkeypatch):
    """Beyond luck they reach at least two fifths of what the steady player does, both against random ones.

    At the smallest table of one title; of the others, and at those of four, in `tests/campaigns`.
    """
    goes_on_by_fair_play(title_id, find_title(title_id).seats[0], monkeypatch)


def goes_on_by_fair_play(title_id, seats, monkeypatch):
    """Compare the light player with the steady one, each against random ones."""
    title = find_title(title_id)
    light = Bot("light", 1, 0, find_worth(title)[1])
    monkeypatch.setattr(arena, "find_bot", lambda of, name: light if name == "light" else find_bot(of, name))
    gains = {}
    for name in ("light", "steady"):
        match = Match(title_id, seats, (name, "random"), "fair")
        told = summarize_games(play(match, deal, seat) for deal in range(8) for seat in range(seats))
        assert not told.rejected
        gains[name] = told.share - told.luck
    assert gains["light"] >= 0.4 * gains["steady"] > 0


@pytest.mark.parametrize("title_id", TITLES)
def test_bots_of_other_thoughts_are_another_version(title_id):
    """A move recorded for an older version is thought again by that one, or by none."""
    newest = find_bot(title_id, "brisk").version
    assert find_bot(title_id, "strong").version == newest
    for older in range(1, newest):
        with suppress(UnknownBot):
            kept = find_bot(title_id, f"brisk@{older}")
            assert kept.version == older
            assert kept.think != find_bot(title_id, "brisk").think


@pytest.mark.parametrize("title_id", ["colonial_empires", "colonial_revised"])
def test_kept_bots_have_their_own_weights(title_id):
    """Those beside the copy, by their SHA-256, and its budgets; the newest have those of the project."""
    kept = Path(bots.__file__).parent / "kept" / title_id / "bots1"
    budgets = tomllib.loads((kept / "budgets.toml").read_text())[title_id]
    for name in sorted(THINKERS):
        former = find_bot(title_id, f"{name}@1")
        weights = (kept / "weights" / f"{title_id}.toml").read_bytes()
        assert former.weights == hashlib.sha256(weights).hexdigest()
        assert former.budget == budgets[name]["simulations"]


def test_the_bot_of_the_page_plays_and_thinks():
    """At most 20 lines: by itself to the end of a game, and as the rules of thumb of a thinking bot."""
    text = (ROOT / "workers/bots/README.md").read_text(encoding="utf-8")
    block = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[0]
    assert len(block.splitlines()) <= 20
    made: dict[str, Any] = {}
    exec(block.replace("from rutter.", "from "), made)  # noqa: S102 - the page's own
    steady, title, chance = made["STEADY"], find_title("example"), FastChance("page")
    state = title.open(title.seats[0], title.Options(), chance).state
    moves = 0
    while awaited := title.awaited(state):
        seat = awaited[0].seat
        given = (
            title.default(state, awaited[0])
            if seat is None
            else steady.choose(title, state, seat, chance, steady.budget)
        )
        if seat is not None and moves == 0:
            thought = Search(steady.choose).think(title, state, seat, FastChance("page"), FEW)
            assert thought.simulations > 0
        moves += 1
        state = title.decide(state, seat, given, chance).state
    assert moves > 1
