"""What the code says about the recorded games is what it always said."""

from __future__ import annotations

import pytest

from events.rules.catalogue import packages
from tests.titles.corpus import GAMES, KINDS, differences, games_of, read_words

TITLES = [title_id for title_id, package in packages().items() if package.startswith("events.titles.")]

FIRST = 12
"""So many games of each title are checked in every run."""
CHUNK = 22
"""So many at a time of the others."""


def assert_as_recorded(title_id, numbers):
    found = {kind: games for kind, games in differences(title_id, numbers).items() if games}
    assert not found, f"{title_id}: `python -m tests.titles.corpus dump` shows what differs"


@pytest.mark.parametrize("title_id", TITLES)
def test_first_games(title_id):
    """Facts, positions, sentences, views, panels, decisions, commands: all as recorded."""
    assert_as_recorded(title_id, range(FIRST))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(FIRST, GAMES, CHUNK))
@pytest.mark.parametrize("title_id", TITLES)
def test_other_games(title_id, start):
    """The same in all the other games."""
    assert_as_recorded(title_id, range(start, min(start + CHUNK, GAMES)))


@pytest.mark.parametrize("title_id", TITLES)
def test_every_game_has_every_digest(title_id):
    """No game is forgotten, and no kind."""
    games = games_of(title_id)
    assert len(games) == GAMES
    assert all(game.digests.keys() == KINDS.keys() for game in games)


RENAMED = """
[common.facts]
GameStarted = "GameBegan"
[colonies.facts]
TurnStarted = "TurnBegan"
[colonies.keys]
boats = "merchant_fleets"
phase = "stage"
[colonies.values]
war = "strife"
[colonies.values.phase]
setup = "opening"
[colonial.keys]
boats = "vessels"
"""
OLD = {
    "phase": "setup",
    "step": "setup",
    "boats": [{"boats": 3, "at": "war"}, "warship"],
    "phases": {"phase": ["setup", "war", None, 1]},
}
NEW = {
    "stage": "opening",
    "step": "setup",
    "merchant_fleets": [{"merchant_fleets": 3, "at": "strife"}, "warship"],
    "phases": {"stage": ["opening", "strife", None, 1]},
}


def test_words_are_renamed_there_and_back():
    """Keys, whole values, and values under one key; a word inside a longer one is left alone."""
    words = read_words(RENAMED, "colonies")
    assert words.renamed(OLD) == NEW
    assert words.reversed().renamed(NEW) == OLD


def test_words_belong_to_a_title():
    """What is common holds for every title, the rest for its own."""
    words = read_words(RENAMED, "colonial")
    assert words.renamed({"boats": "war"}) == {"vessels": "war"}
    assert words.reversed().facts == {"GameBegan": "GameStarted"}
    assert read_words(RENAMED, "colonies").reversed().facts == {
        "GameBegan": "GameStarted",
        "TurnBegan": "TurnStarted",
    }


def test_two_words_cannot_become_one():
    """The way back would be lost."""
    words = read_words('[colonies.keys]\na = "c"\nb = "c"', "colonies")
    with pytest.raises(ValueError, match="two old words"):
        words.reversed()
