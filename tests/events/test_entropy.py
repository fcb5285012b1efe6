"""Secrets that follow from a seed, for tests alone: never in a log that was made without it."""

import pytest

from events.base.settings import WrongSetting
from events.store import entropy
from events.store.entropy import SeededSource, find_configured_seed
from events.store.event_log import ReadOnly
from events.store.signing_keys import Keyring
from events.store.stream_writer import new_id
from tests import seeds

KEY = [bytes(32)]


def test_a_seed_is_refused_where_no_tests_are_run():
    assert find_configured_seed({}) is None
    with pytest.raises(WrongSetting, match="set RUTTER_ENV=test"):
        find_configured_seed({"RUTTER_TEST_SEED": "1"})
    assert (
        find_configured_seed({"RUTTER_TEST_SEED": "1", "RUTTER_ENV": "test"}).fingerprint
        == SeededSource("1").fingerprint
    )


def test_the_same_seed_and_label_give_the_same_bytes():
    assert SeededSource("1")("game/deal", 70) == SeededSource("1")("game/deal", 70)
    assert (
        len({SeededSource(seed)(label, 32) for seed in "12" for label in ("a/deal", "a/hide", "b/deal")}) == 6
    )
    assert len(SeededSource("1")("a", 70)) == 70
    assert SeededSource("1").fingerprint != SeededSource("2").fingerprint


def test_what_a_test_draws_follows_from_its_name():
    def drawn(name, place=1):
        with seeds.draws(name, place):
            return [new_id(), entropy.draw("x/deal"), new_id(), entropy.draw("y/deal")]

    assert drawn("a") == drawn("a")
    assert len({*drawn("a"), *drawn("b")}) == 8
    assert max(drawn("a", 1)[::2]) < min(drawn("a", 2)[::2]), "ids grow with the lines of a file"


@pytest.mark.integration
def test_a_log_is_made_with_a_seed_or_without_one(pool, monkeypatch):
    def origin(seed):
        monkeypatch.setenv("RUTTER_ENV", "test")
        monkeypatch.setenv("RUTTER_TEST_SEED", seed)
        return Keyring(pool, KEY).origin

    found = origin("1")
    assert origin("1") == found
    for other in ("2", ""):
        with pytest.raises(ReadOnly, match="with a test seed") as caught:
            origin(other)
        assert caught.value.code == "another_test_seed"
