"""Titles as learning machines meet them: every command can be said, every way through the masks is legal."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import pickle
import subprocess
import sys
import warnings
from itertools import pairwise
from pathlib import Path

import pytest

from events.base.settings import RUTTER_EXTRA_TITLES
from events.research.encoding import EncodingError, command_words, decode, encode, vocabulary
from events.research.features import features, layout
from events.research.simulation import (
    ExplicitChance,
    MissingOutcome,
    begin_game,
    choices,
    utilities,
    way_of,
)
from events.rules.catalogue import find_title, title_ids
from events.rules.fast_chance import FastChance
from events.titles.colonies.commands import ShowFingers

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).parent / "golden"
TITLES = tuple(title_id for title_id in title_ids() if (GOLDEN / f"{title_id}.txt").exists())
"""Those of the project."""
TWO = ("colonial_revised", "colonies")
"""What is dear is tried with these; with all of them in tests/campaigns."""
SHORT = 200


def visited(title, count, *, free=5, options=None):
    """States of random games at tables of every size, with the seat that is asked and a sampled command."""
    seed = found = 0
    while True:
        chance = FastChance(f"research {seed}")
        state = begin_game(title, title.seats[seed % len(title.seats)], chance, options).state
        seed += 1
        while title.awaited(state):
            asked = title.decisions(state) if found % free == 0 else title.awaited(state)
            decision = chance.pick(asked)
            seat = decision.seat
            command = title.default(state, decision) if seat is None else title.sample(state, seat, chance)
            if command is None:
                continue
            if seat is not None:
                yield state, seat, command
                found += 1
                if found == count:
                    return
            state = title.decide(state, seat, command, chance).state


def check_actions(title, count):
    """Each sampled command is said word by word as the masks allow, and read back; each second time a random
    way through the masks is a command that the rules accept.
    """
    chance = FastChance("masks")
    for number, (state, seat, command) in enumerate(visited(title, count)):
        spelt = encode(title, command)
        assert decode(title, spelt) == command
        for at, word in enumerate(spelt):
            assert word in choices(title, state, seat, spelt[:at]), (command, at)
        assert choices(title, state, seat, spelt) == ()
        if number % 2:
            walk: tuple[int, ...] = ()
            while options := choices(title, state, seat, walk):
                walk = (*walk, chance.pick(options))
            title.decide(state, seat, decode(title, walk), FastChance(0))


@pytest.mark.parametrize("title_id", TITLES)
def test_actions_are_complete_and_masks_exact(title_id):
    """What `sample` gives can be said; what can be said is accepted (ten thousand times in a campaign)."""
    check_actions(find_title(title_id), SHORT)


@pytest.mark.parametrize("title_id", TITLES)
def test_what_legal_lists_can_be_said(title_id):
    """Every listed command is a way through the masks."""
    title = find_title(title_id)
    for number, (state, seat, _) in enumerate(visited(title, SHORT)):
        if number % 40:
            continue
        start = way_of(title, state, seat)
        for command in title.legal(state, seat):
            way = start
            for word in command_words(command):
                way = way.next[word]
            assert not way.next


def test_what_says_nothing_is_refused():
    """A sequence that breaks off, goes on, or says nothing; a word off the mask."""
    title = find_title("colonial_empires")
    state = begin_game(title, 2, FastChance(1)).state
    (first, *_) = choices(title, state, title.awaited(state)[0].seat)
    whole = encode(title, title.default(state, title.awaited(state)[0]))
    for wrong in ((), (first,), (*whole, whole[-1]), (0,), (10**6,), (-1,)):
        with pytest.raises(EncodingError):
            decode(title, wrong)
    with pytest.raises(EncodingError):
        choices(title, state, title.awaited(state)[0].seat, (0,))


# --- stable from release to release ---------------------------------------------------------------


def fixed(title):
    """What must not change within a version of a title: vocabulary, encodings, the row of features."""
    rows = [
        (title.view(state, seat), command)
        for number, (state, seat, command) in enumerate(visited(title, 300))
        if number % 10 == 0
    ]
    places = [(place.name, place.low, place.high) for place in layout(title)]
    return {
        "vocabulary": list(vocabulary(title)),
        "commands": {" ".join(command_words(c)): list(encode(title, c)) for _, c in rows},
        "layout": {"places": len(places), "sha256": digest(places), "first": places[:40]},
        "features": digest([features(title, view) for view, _ in rows]),
    }


def digest(value):
    return hashlib.sha256(json.dumps(value, separators=(",", ":")).encode()).hexdigest()


def golden_file(title):
    return GOLDEN / f"{title.id}.v{title.version}.research.json"


@pytest.mark.parametrize("title_id", TITLES)
def test_encoding_and_features_are_fixed(title_id):
    """They are as recorded for this version: networks that were trained on it can be used.

    `python -m tests.titles.test_research` records them again, with a new version of the title.
    """
    title = find_title(title_id)
    assert json.loads(json.dumps(fixed(title))) == json.loads(golden_file(title).read_text())


@pytest.mark.parametrize("title_id", TITLES)
def test_features_have_the_shape_that_is_told(title_id):
    """At every table size, for each seat and a spectator, each number within the bounds of its place."""
    title = find_title(title_id)
    places = layout(title)
    assert len({place.name for place in places}) == len(places)
    for number, (state, _, _) in enumerate(visited(title, 200)):
        if number % 20 == 0:
            for seat in (None, *range(state.seats)):
                row = features(title, title.view(state, seat))
                assert len(row) == len(places)
                assert all(p.low <= value <= p.high for p, value in zip(places, row, strict=True))


# --- chance, information, utilities ---------------------------------------------------------------


@pytest.mark.parametrize("title_id", TITLES)
def test_chance_is_explicit(title_id):
    """Outcomes are asked for one by one; the same outcomes give the same game, and none is asked in vain."""
    title, random = find_title(title_id), FastChance("outcomes")

    def drawn(attempt):
        outcomes = []
        while True:
            try:
                return attempt(ExplicitChance(outcomes)), outcomes
            except MissingOutcome as missing:
                outcomes.append(random.draw_below(missing.bound))

    playing, outcomes = drawn(lambda chance: begin_game(title, title.seats[0], chance))
    assert begin_game(title, title.seats[0], ExplicitChance(outcomes)) == playing
    for _ in range(60):
        seat = playing.to_move
        if seat is None:
            break
        command = title.sample(playing.state, seat, random)
        following, outcomes = drawn(lambda chance, p=playing, c=command: p.play_command(c, chance))
        assert playing.play_command(command, ExplicitChance(outcomes)) == following
        if outcomes:
            with pytest.raises(MissingOutcome):
                playing.play_command(command, ExplicitChance(outcomes[:-1]))
            with pytest.raises(ValueError, match="no outcome"):
                playing.play_command(command, ExplicitChance([10**6]))
        playing = following


@pytest.mark.parametrize("title_id", TITLES)
def test_seats_that_saw_the_same_cannot_tell_states_apart(title_id):
    """A state drawn again looks the same to its seat, allows it the same, and leaves what it has seen."""
    title = find_title(title_id)
    playing, chance = begin_game(title, title.seats[-1], FastChance(3)), FastChance(4)
    for number in range(60):
        seat = playing.to_move
        if seat is None:
            break
        if number % 10 == 0:
            other = playing.resample(seat, chance)
            assert title.view_json(other.state, seat) == title.view_json(playing.state, seat)
            assert other.seen[seat] == playing.seen[seat]
            assert choices(title, other.state, seat) == choices(title, playing.state, seat)
        before = playing.seen
        playing = playing.play_command(title.sample(playing.state, seat, chance), chance)
        assert all(len(mine) == 32 for mine in playing.seen)
        assert playing.seen[seat] != before[seat]


def test_information_leaves_out_what_is_hidden():
    """Two games that differ in a sealed answer alone are the same to everybody else."""
    title = find_title("colonies")
    playing = begin_game(title, 3, FastChance(1))
    first = playing.to_move
    one, two = (playing.play_command(ShowFingers(count), FastChance(2)) for count in (0, 5))
    assert one.seen[first] != two.seen[first]
    others = [seat for seat in range(3) if seat != first]
    assert [one.seen[seat] for seat in others] == [two.seen[seat] for seat in others]


@pytest.mark.parametrize("title_id", TITLES)
def test_utilities_add_up_to_nothing(title_id):
    """By places, -1 to 1, shared places alike; nothing before the end."""
    title, chance = find_title(title_id), FastChance(5)
    playing = begin_game(title, title.seats[-1], chance)
    assert set(utilities(title, playing.state)) == {0.0}
    while (seat := playing.to_move) is not None:
        playing = playing.play_command(title.sample(playing.state, seat, chance), chance)
    won = utilities(title, playing.state)
    assert abs(sum(won)) < 1e-9
    outcome = title.outcome(playing.state)
    assert max(won) == won[outcome.places.index(1)] <= 1
    assert [a <= b for a, b in pairwise(won)] == [a >= b for a, b in pairwise(outcome.places)]


def test_a_game_can_be_sent_to_another_process():
    """Its title is pickled by id and version, which leads to the same rules; a copy is the game itself."""
    playing = begin_game(find_title("colonial"), 3, FastChance(1))
    sent = pickle.loads(pickle.dumps(playing))  # noqa: S301 - its own
    assert sent == playing
    assert sent.title is playing.title
    assert copy.deepcopy(playing) is playing


def test_it_needs_nothing_but_the_core():
    """Of others' packages only msgspec is imported, by the adapters' modules too until they are used."""
    program = (
        "import sys\nbefore = set(sys.modules)\n"
        "from events import research\nfrom events.research.adapters import openspiel, pettingzoo\n"
        "from events.rules.catalogue import find_title, title_ids\n"
        "[research.vocabulary(find_title(t)) for t in title_ids()]\n"
        "new = {n.partition('.')[0] for n in set(sys.modules) - before}\n"
        "print(new - set(sys.stdlib_module_names) - {'events'})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != RUTTER_EXTRA_TITLES.name},
        capture_output=True,
        text=True,
        check=True,
    )
    assert eval(done.stdout) <= {"msgspec", "typing_extensions"}  # noqa: S307 - its own; msgspec takes that too


# --- other people's interfaces --------------------------------------------------------------------


@pytest.fixture
def quiet():
    """What PettingZoo says of every masked environment, and OpenSpiel's bindings of themselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def check_pettingzoo(title_id, cycles):
    from pettingzoo.test import api_test, seed_test

    from events.research.adapters.pettingzoo import env

    api_test(env(title_id, commands=cycles), num_cycles=cycles)
    seed_test(lambda: env(title_id), num_cycles=min(cycles, 100))


def check_openspiel(title_id, commands):
    import pyspiel

    from events.research.adapters import openspiel

    assert f"rutter_{title_id}" in openspiel.register()
    game = pyspiel.load_game(f"rutter_{title_id}(commands={commands})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False, mask_test=True)


@pytest.mark.slow
@pytest.mark.parametrize("title_id", TWO)
def test_pettingzoo(quiet, title_id):
    """Its own tests pass: of the API, and that seeds repeat (at length in a campaign)."""
    pytest.importorskip("pettingzoo")
    check_pettingzoo(title_id, 60)


@pytest.mark.slow
@pytest.mark.parametrize("title_id", TWO)
def test_openspiel(quiet, title_id):
    """Its own test passes: random play, every state serialized and read back (at length in a campaign)."""
    pytest.importorskip("pyspiel")
    check_openspiel(title_id, 40)


def test_openspiel_draws_a_state_again(quiet):
    """A resampled state is one that the player cannot tell from the real one."""
    pyspiel = pytest.importorskip("pyspiel")
    from events.research.adapters import openspiel

    openspiel.register()
    state = pyspiel.load_game("rutter_colonial_empires(players=3)").new_initial_state()
    random = FastChance("states")
    for _ in range(200):
        state.apply_action(random.pick(state.legal_actions()))
    while state.is_chance_node():
        state.apply_action(random.pick(state.legal_actions()))
    player = state.current_player()
    other = state.resample_from_infostate(player, lambda: 0.25)
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.legal_actions() == state.legal_actions()


if __name__ == "__main__":
    for each in map(find_title, TITLES):
        golden_file(each).write_text(json.dumps(fixed(each), indent=0) + "\n")
