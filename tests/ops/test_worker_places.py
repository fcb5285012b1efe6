"""The places of the API's processes: their connections, and the processors that they keep to."""

from __future__ import annotations

import os

import pytest

from ops.server.worker_places import WorkerPlaces, find_places, keep_to_processor


def test_a_place_is_taken_once_until_its_process_has_ended():
    """The lowest free one is given, with no connections."""
    places = WorkerPlaces(3)
    assert [places.take() for _ in range(3)] == [0, 1, 2]
    places[1] = 7
    with pytest.raises(RuntimeError, match="more than 3"):
        places.take()
    places.leave(1)
    assert places.take() == 1
    assert places[1] == 0


def test_each_parent_has_places_of_its_own():
    """Those of one that was killed are not counted by the next, though both were forked from one program."""
    assert find_places(1) is find_places(1)
    find_places(1).take()
    assert find_places(2).take() == 0


def test_a_process_is_fuller_if_another_one_has_fewer_connections():
    """Places without a process count for nothing; with as many as the others it takes the next."""
    places = WorkerPlaces()
    one, other = places.take(), places.take()
    assert not places.is_fuller(one)
    places[one] = 2
    assert places.is_fuller(one)
    assert not places.is_fuller(other)
    places[other] = 2
    assert not places.is_fuller(one)
    places[other] = 1
    places.leave(other)
    assert not places.is_fuller(one)


def test_the_counts_are_seen_by_a_process_that_was_forked():
    """The memory is shared: what the child notes, the parent reads."""
    places = WorkerPlaces()
    place = places.take()
    child = os.fork()
    if child == 0:
        places[place] = 5
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert places[place] == 5


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux lets a process choose")
def test_processes_keep_to_a_processor_each_if_there_are_as_many():
    """With other numbers of processes all processors stay usable for each of them."""
    usable = sorted(os.sched_getaffinity(0))
    try:
        keep_to_processor(0, len(usable) + 1)
        assert sorted(os.sched_getaffinity(0)) == usable
        for place in range(len(usable) + 1):
            os.sched_setaffinity(0, usable)
            keep_to_processor(place, len(usable))
            expected = [usable[place % len(usable)]] if len(usable) > 1 else usable
            assert sorted(os.sched_getaffinity(0)) == expected
    finally:
        os.sched_setaffinity(0, usable)
