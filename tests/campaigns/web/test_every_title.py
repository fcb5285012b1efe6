"""What the ordinary tests show with two titles, and in some colours, holds with all of them, and in all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import pytest

from tests.conftest import LiveServer
from tests.web import (
    test_access,
    test_board,
    test_docs,
    test_firefox,
    test_first_visit,
    test_invitations,
    test_lessons,
    test_log,
    test_telling,
    test_violations,
)
from tests.web.conftest import Visitor
from tests.web.firefox import Firefox
from tests.web.insight import is_in_sight
from tests.web.table import Player, enter
from tests.web.test_access import TITLES

pytestmark = [pytest.mark.browser, pytest.mark.integration]

COLOURS = ("light", "dark")
DECISIONS = 30
"""Of each title, at which one looks whether what is asked for is in sight."""
Claim = Callable[[Visitor, Player, str], None]
CLAIMS: tuple[Claim, ...] = (
    test_access.test_axe_finds_nothing_at_a_table,
    test_access.test_whatever_is_asked_for_is_near,
    test_access.test_a_command_is_given_by_keys_alone,
    test_access.test_a_large_letter_leaves_room_to_play,
    test_board.test_the_board_comes_first_at_every_width,
    test_invitations.test_a_first_visit_reaches_its_first_move_in_three_clicks,
    test_telling.test_nothing_jumps_while_one_plays,
)
PLACES: tuple[Callable[[Visitor, Player], None], ...] = (
    test_violations.test_nothing_is_wrong_with_a_page,
    test_violations.test_nothing_is_wrong_with_a_dialog,
    test_violations.test_nothing_is_wrong_with_a_view_of_a_table,
    test_access.test_what_is_chosen_can_be_read,
)


@pytest.fixture(autouse=True)
def looked_at_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    """At each width in each of the colours."""
    monkeypatch.setattr(test_access, "LOOKED_AT", test_access.EVERY_LOOK)
    monkeypatch.setattr(test_access, "LOOKS", 2)
    monkeypatch.setattr(test_access, "STEPS", 150)
    monkeypatch.setattr(test_access, "COLOURS", [test_access.DAY_AND_NIGHT])
    monkeypatch.setattr(test_access, "CHOSEN_IN", TITLES)
    monkeypatch.setattr(test_first_visit, "LOOKED_AT", dict.fromkeys(COLOURS, test_first_visit.WINDOWS))
    monkeypatch.setattr(test_telling, "COMMANDS", 20)
    monkeypatch.setattr(test_violations, "PAGES", TITLES)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__.removeprefix("test_"))
def test_of_every_title(visitor: Visitor, anna: Player, claim: Claim, title: str) -> None:
    """What two titles show each of the others shows too."""
    claim(visitor, anna, title)


@pytest.mark.parametrize("title", TITLES)
def test_in_sight(visitor: Visitor, anna: Player, title: str) -> None:
    """What is asked for, at thirty decisions of each title."""
    game, others = anna.with_others(title, 3)
    others.move()
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    for _ in range(DECISIONS):
        if not test_board.is_drawn(page, anna, game):
            break
        is_in_sight(page)
        anna.move(game)
        others.move()


@pytest.mark.parametrize("title", test_lessons.TITLES)
def test_guided_turn_of_every_title(visitor: Visitor, live_server: LiveServer, title: str) -> None:
    """A newcomer plays it by what is lit."""
    test_lessons.test_a_newcomer_plays_the_guided_turn_by_what_is_lit(visitor, live_server, title)


def test_an_operation_is_tried_among_all(visitor: Visitor, live_server: LiveServer) -> None:
    """The reference draws every operation that there is; the ordinary test lets it draw two."""
    test_docs.is_tried_and_its_samples_run(visitor(), live_server, "create_game", '"status":"running"')


@pytest.mark.parametrize("name", ["/build/streams", "/reference/errors"])
def test_of_the_documentation(visitor: Visitor, live_server: LiveServer, name: str) -> None:
    """Its longest page, and one with much code, at every width and in every colour."""
    test_docs.test_pages_hold_the_rules_of_access(visitor, live_server, name, test_access.EVERY_LOOK)


@pytest.mark.parametrize("scheme", COLOURS)
def test_of_a_first_visit(visitor: Visitor, anna: Player, scheme: Literal["light", "dark"]) -> None:
    """At every width, by day and by night."""
    test_first_visit.test_a_first_visit_is_calm_and_whole(visitor, anna, scheme)


@pytest.mark.parametrize("window", test_first_visit.WINDOWS[0:3:2], ids=["desk", "tablet"])
def test_of_anyone_who_watches(visitor: Visitor, anna: Player, window: tuple[int, int]) -> None:
    """A game stands still also where there is more room than on a phone."""
    test_first_visit.test_a_game_stands_still(visitor, anna, window, plays=False)


def test_the_example_has_its_board_first_too(visitor: Visitor, anna: Player) -> None:
    """It is no title that is played, and has the same page."""
    test_board.test_the_board_comes_first_at_every_width(visitor, anna, "example")


@pytest.mark.parametrize("look", PLACES, ids=lambda look: look.__name__.removeprefix("test_"))
def test_of_every_place(visitor: Visitor, anna: Player, look: Callable[[Visitor, Player], None]) -> None:
    """At every width by day, by night and in the colours of the system."""
    look(visitor, anna)


def test_of_the_end_of_a_game(visitor: Visitor, anna: Player, ended: tuple[Player, str]) -> None:
    """The same where a game has ended."""
    test_violations.test_nothing_is_wrong_with_the_end_of_a_game(visitor, anna, ended)


def test_of_the_log(visitor: Visitor, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps up with a hundred quick commands."""
    monkeypatch.setattr(test_log, "QUICK_COMMANDS", 100)
    test_log.test_the_log_keeps_up_with_quick_commands(visitor, live_server)


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """The second browser."""
    running = Firefox(tmp_path_factory.mktemp("firefox"))
    yield running
    running.close()


@pytest.mark.parametrize("title", TITLES)
def test_in_firefox(firefox: Firefox, live_server: LiveServer, title: str) -> None:
    """Each board at each width, and a turn by clicks."""
    anna = Player(live_server.address, "Anna")
    test_firefox.test_a_board_is_drawn_at_every_width(firefox, anna, title)
    test_firefox.test_a_turn_is_played_by_clicks(firefox, anna, title)
    assert firefox.errors() == []
