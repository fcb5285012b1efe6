"""The data files are checked when they are loaded."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from events.titles.colonialism.data import BOARD, GAME, REGION_IDS, TILES, check_board, check_tiles


def test_adjacency_must_be_mutual():
    """CSM-012: a one-sided adjacency is refused."""
    first = replace(BOARD.regions[0], neighbours=("china",))
    with pytest.raises(ValueError, match="not adjacent"):
        check_board(replace(BOARD, regions=(first, *BOARD.regions[1:])))


def test_every_region_touches_a_sea():
    """CSM-071: otherwise no policy card could be played there."""
    last = replace(BOARD.regions[-1], seas=())
    with pytest.raises(ValueError, match="sea zone"):
        check_board(replace(BOARD, regions=(*BOARD.regions[:-1], last)))


def test_tiles_are_complete():
    """CSM-023: one tile for each region and number of players, with usable numbers."""
    with pytest.raises(ValueError, match="exactly one tile"):
        check_tiles(TILES[1:], REGION_IDS, GAME)
    with pytest.raises(ValueError, match="at least 5"):
        check_tiles((replace(TILES[0], limit=4), *TILES[1:]), REGION_IDS, GAME)


def test_too_many_cubes_warn():
    """CSM-027: values with a sum above 15 would empty the bag."""
    with pytest.warns(UserWarning, match="bag"):
        check_tiles((replace(TILES[0], value=4), *TILES[1:]), REGION_IDS, GAME)


def test_unknown_fields_are_refused():
    """A misspelt field of a data file does not pass unnoticed."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**msgspec.to_builtins(BOARD), "oceans": []}, type(BOARD))
