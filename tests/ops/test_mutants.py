"""A few mutants of bundles in the hands of a forger; thousands in `tests/campaigns/test_mutants.py`."""

from contextlib import suppress

import pytest

from tests.events import mutants

SEED = "rutter"


@pytest.fixture
def verdict(tmp_path):
    """``(name) -> what is said of the true bundle of that name``."""

    def read(name):
        return mutants.read_verdict(mutants.judge(tmp_path, *mutants.read_source(name))[1])

    return read


@pytest.mark.parametrize("name", [*mutants.GAMES, *mutants.TOURNAMENTS])
def test_true_files_are_accepted(tmp_path, name):
    """The control: also when the forger seals it without a change."""
    lines, options = mutants.read_source(name)
    kind = mutants.ForgedTournament if name in mutants.TOURNAMENTS else mutants.Forgery
    assert kind(lines).lines() == list(lines)
    assert mutants.judge(tmp_path, lines, options)[0] == 0


@pytest.mark.parametrize(("names", "count"), [(mutants.GAMES, 40), (mutants.TOURNAMENTS, 20)])
def test_no_mutant_deceives(tmp_path, names, count):
    """Each is refused in one line, for a reason of the format, or says what the true file says."""
    tally = mutants.try_mutants(tmp_path, list(names), SEED, count)
    assert (tally.made, tally.faults) == (count, [])
    assert tally.refused > count / 2


@pytest.mark.parametrize(
    ("name", "member", "other"),
    [
        ("bot", "winners", [0]),
        ("bot", "bot_seats", []),
        ("bot", "randomness", {}),
        ("signed", "interventions", ["another"]),
        ("copy", "status", "finished"),
        ("duel", "winners", ["e2", "e1"]),
        ("duel", "games", []),
        ("ruled", "rulings", []),
        ("byes", "standings", []),
    ],
)
def test_another_verdict_is_a_difference(verdict, name, member, other):
    """What is compared has winners, standings, rulings, randomness and bots."""
    true = verdict(name)
    assert mutants.find_differences(true, verdict(name)) == {}
    assert true[member] != other
    assert set(mutants.find_differences(true, {**true, member: other})) == {member}


def test_what_unsigned_people_did_may_be_told_otherwise(verdict):
    """A forger can give a ruling to another director; what the server did stays the same."""
    true = verdict("directed")
    other = [dict(one, by="d2") if one["by"] == "d1" else one for one in true["interventions"]]
    assert mutants.find_differences(true, {**true, "interventions": other}) == {}
    signed = {**true, "unsigned_commands": 0}
    assert mutants.find_differences(signed, {**signed, "interventions": other})


def never_end():
    """Go on for ever, as a verifier that swallows every error."""
    while True:
        with suppress(Exception):
            sum(range(1000))


def test_a_verification_that_does_not_end_is_stopped():
    """After its CPU seconds."""
    with pytest.raises(mutants.TooSlow), mutants.limited_cpu(0.05):
        never_end()
