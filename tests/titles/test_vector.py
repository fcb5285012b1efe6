"""Observations within their bounds, and many games in one process: the same as one at a time."""

from __future__ import annotations

import jsonschema_rs
import msgspec
import pytest

from events.research.encoding import EncodingError, vocabulary
from events.research.features import NUMBER_BOUNDS, layout
from events.research.observations import (
    NEAR,
    RECENT_WORDS,
    Bound,
    observation_bounds,
    observe,
    recent_words,
)
from events.research.simulation import begin_game, choices
from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from tests.titles.test_research import TITLES, visited

LONGEST = {"colonial_empires": ({"event_turns": "one_card"},), "colonies": ({"trade_agreement_max": 20},)}
"""Options with which lists grow longer and numbers greater than without."""


@pytest.mark.parametrize("title_id", TITLES)
def test_observations_keep_their_bounds(title_id):
    """In random games at tables of every size, before and within a command, scaled and not."""
    title, chance = find_title(title_id), FastChance("bounds")
    for number, (state, seat, _) in enumerate(visited(title, 300)):
        if number % 10:
            continue
        bounds, said = observation_bounds(title, state.seats), ()
        if options := choices(title, state, seat):
            said = (chance.pick(options),)
        row = observe(title, state, seat, said)
        assert len(row) == len(bounds) == len(layout(title)) + RECENT_WORDS
        for bound, value in zip(bounds, row, strict=True):
            assert bound.low <= value <= bound.high, bound
            assert -1 <= bound.scale(value) <= 1, bound


@pytest.mark.parametrize("title_id", TITLES)
def test_bounds_are_those_of_the_row(title_id):
    """Every place of the layout has them, under its name; every scaling keeps both ends."""
    title = find_title(title_id)
    bounds = observation_bounds(title, max(title.seats))
    for place, bound in zip(layout(title), bounds, strict=False):
        assert (place.name, place.least, place.most) == (bound.name, bound.low, bound.high)
        assert place.low <= place.least <= 0 <= place.most <= place.high
    assert bounds[-1].high == len(vocabulary(title))
    for bound in bounds:
        assert -1 <= bound.scale(bound.low) <= 0 <= bound.scale(bound.high) <= 1
        assert (bound.scaling == "linear") == (max(-bound.low, bound.high) <= NEAR)
    with pytest.raises(ValueError, match="has no table of 99 seats: give"):
        observation_bounds(title, 99)


@pytest.mark.parametrize("title_id", TITLES)
def test_views_declare_bounds(title_id):
    """Of each title, 95 of 100 places are bounded by more than the type of a number."""
    bounds = observation_bounds(title := find_title(title_id), max(title.seats))
    far = [bound.name for bound in bounds if bound.greatest >= NUMBER_BOUNDS[1]]
    assert len(far) <= len(bounds) / 20, far


@pytest.mark.parametrize("title_id", TITLES)
def test_views_keep_what_they_declare(title_id):
    """In random games, the view of a seat and of a spectator fits the schema that shows the bounds."""
    title = find_title(title_id)
    schema = jsonschema_rs.validator_for(msgspec.json.schema(title.View))
    for chosen in ({}, *LONGEST.get(title_id, ())):
        options = msgspec.convert(chosen, title.Options)
        for number, (state, seat, _) in enumerate(visited(title, 1000, options=options)):
            if number % 25 == 0:
                for viewer in (seat, None):
                    schema.validate(msgspec.to_builtins(title.view(state, viewer), str_keys=True))


def test_a_far_place_counts_digits():
    """Both ends fit, the sign stays, and small numbers stay apart."""
    far = Bound("treasury", -(2**20 - 1), 2**20 - 1, "log")
    assert [far.scale(value) for value in (-(2**20 - 1), -1, 0, 1, 2**20 - 1)] == [-1, -1 / 20, 0, 1 / 20, 1]
    assert far.scale(3) > far.scale(2) > far.scale(1)


def test_the_latest_words_stand_last():
    """Older ones fall out."""
    assert recent_words((4, 0)) == (*(0,) * (RECENT_WORDS - 2), 5, 1)
    assert recent_words(range(RECENT_WORDS + 3)) == tuple(range(4, RECENT_WORDS + 4))


# --- many games in one process --------------------------------------------------------------------


@pytest.fixture
def vector():
    pytest.importorskip("numpy")
    from events.research.adapters.vector import VectorEnv

    return VectorEnv


def choose(step, chance):
    """A random word for each game, as an array."""
    import numpy as np

    return np.array([chance.pick(mask.nonzero()[0]) for mask in step.masks])


def same(one, two):
    return all((mine == other).all() for mine, other in zip(one, two, strict=True))


def test_many_games_are_those_of_single_environments(vector):
    """Observation, mask, player, rewards and ends of each, over broken-off games and those that follow."""
    pytest.importorskip("pettingzoo")
    from events.research.adapters.pettingzoo import env

    chance, ended = FastChance("many"), 0
    games = vector("colonialism", 3, seed=7, commands=12)
    tables, begun = [env("colonialism", commands=12) for _ in range(3)], [0] * 3
    step = games.reset()
    for place, table in enumerate(tables):
        table.reset(seed=games.game_seed(place, 0))
    for _ in range(150):
        for place, table in enumerate(tables):
            seen = table.observe(table.agent_selection)
            assert f"seat_{step.players[place]}" == table.agent_selection
            assert (step.observations[place] == seen["observation"]).all()
            assert (step.masks[place] == seen["action_mask"]).all()
        words = choose(step, chance)
        step = games.step(words)
        for place, table in enumerate(tables):
            table.step(int(words[place]))
            over = any(table.truncations.values()) or any(table.terminations.values())
            assert over == (step.truncations[place] or step.terminations[place])
            assert step.rewards[place].tolist() == pytest.approx(list(table.rewards.values()))
            if over:
                ended += 1
                begun[place] += 1
                table.reset(seed=games.game_seed(place, begun[place]))
    assert ended > 3


def test_a_seed_repeats_all_games(vector):
    """Whole games end with rewards that add up to nothing; another seed gives others."""
    one, two = (vector("colonialism", 2, seed=3) for _ in range(2))
    steps, chances = [one.reset(), two.reset()], [FastChance(1), FastChance(1)]
    first, ends = steps[0], 0
    while ends < 2:
        steps = [
            games.step(choose(step, chance))
            for games, step, chance in zip((one, two), steps, chances, strict=True)
        ]
        assert same(*steps)
        ends += steps[0].terminations.sum()
        assert abs(steps[0].rewards.sum()) < 1e-6
        assert bool(steps[0].rewards.any()) <= bool(steps[0].terminations.any())
    assert same(one.reset(), first)
    assert not same(one.reset(4), first)


def test_scaled_games_are_scaled_as_told(vector):
    """Each number is what `Bound.scale` says."""
    plain, scaled = (vector("colonies", 2, seed=1, scaled=flag) for flag in (False, True))
    whole, parts = plain.reset(), scaled.reset()
    for row, told in zip(whole.observations, parts.observations, strict=True):
        expected = [bound.scale(int(value)) for bound, value in zip(plain.bounds, row, strict=True)]
        assert told.tolist() == pytest.approx(expected, abs=1e-6)


def test_what_cannot_be_played_is_refused(vector):
    """No game, a step before the first, too few words, a word that the mask excludes."""
    import numpy as np

    with pytest.raises(ValueError, match="give 1 or more"):
        vector("colonies", 0)
    games = vector("colonies", 2)
    with pytest.raises(ValueError, match="call reset first"):
        games.step(np.zeros(2, int))
    step = games.reset()
    with pytest.raises(ValueError, match="give one for each game"):
        games.step(np.zeros(1, int))
    with pytest.raises(EncodingError):
        games.step(np.array([int((~mask).argmax()) for mask in step.masks]))


def test_a_single_observation_is_the_same(vector):
    """What the core gives without NumPy, and the arrays."""
    games = vector("colonies", 1, seed=2)
    step, title = games.reset(), games.title
    import numpy as np

    seed = int(np.random.SeedSequence(games.game_seed(0, 0)).generate_state(1)[0])
    game = begin_game(title, games.seats, FastChance(seed))
    assert step.observations[0].tolist() == observe(title, game.state, game.to_move)
