"""The page in Firefox: a board, a turn by clicks, the way through time; each title in tests/campaigns/web."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.conftest import LiveServer
from tests.waiting import until
from tests.web import firefox as firefox_module
from tests.web.firefox import Firefox, FirefoxError
from tests.web.table import Player
from tests.web.test_board import ANSWER, CHOICE, DRAWN, LIT, PHONE, SEATS, SIZES

pytestmark = [pytest.mark.browser, pytest.mark.integration]

COMMANDS = 2
"""That are given by clicks."""
WHERE = "Number(document.querySelector('.where b').textContent)"
MARKS = "[...document.querySelectorAll('[data-part=mark]')].map((mark) => Number(mark.dataset.seq))"
STATE = "document.querySelector('[data-page]').dataset"
BOARD = """(phone) => {
    const box = document.querySelector('[data-role=board]').getBoundingClientRect();
    const names = [...document.querySelectorAll('[data-role=board] [data-part=label]')];
    const page = document.documentElement;
    return {
        seen: (Math.min(innerHeight, box.bottom) - Math.max(0, box.top)) / innerHeight,
        names: names.map((each) => [each.textContent, each.getBoundingClientRect().height]),
        over: [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight],
        bar: document.querySelector('[data-part=bar]').getBoundingClientRect().bottom <= innerHeight,
    };
}"""
UNDRAWN = """(wanted) => wanted.filter((kind) => {
    const drawn = [...document.querySelectorAll(`[data-role=board] ${kind}`)];
    return !drawn.some((each) => each.getBoundingClientRect().width > 0);
})"""
"""Of what is wanted on the board, as selectors, what has no extent there."""
PALE = """() => [...document.querySelectorAll('.game-page, .game-page *')].filter((each) =>
    each.scrollHeight > each.clientHeight && getComputedStyle(each).scrollbarColor === 'auto'
).map((each) => each.className)"""
"""What scrolls and has a bar in the colours of the browser, which are no theme's."""
LEGIBLE = 12
"""Pixels that a name on the map is high."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Firefox]]:
    """The browser of this module; another one where it had to be ended."""
    started: list[Firefox] = []

    def one() -> Firefox:
        if not started or not started[-1].alive:
            started.append(Firefox(tmp_path_factory.mktemp("firefox")))
        return started[-1]

    yield one
    for each in started:
        each.close()


@pytest.fixture
def firefox(running: Callable[[], Firefox]) -> Iterator[Firefox]:
    """A Firefox in which no script of the page may fail."""
    browser = running()
    yield browser
    assert browser.errors() == []


@pytest.fixture
def anna(live_server: LiveServer) -> Player:
    return Player(live_server.address, "Anna")


def sit(firefox: Firefox, anna: Player, game: str) -> None:
    """Anna's page of *game*, drawn."""
    firefox.open(rutter__token=anna.token, rutter__pace="0", rutter__confirm="off")
    firefox.goto(f"{anna.address}/g/{game}")
    firefox.see("[data-role=board]")


def is_drawn(firefox: Firefox, player: Player, game: str) -> None:
    """Wait until what has happened is drawn, and what is asked can be answered."""
    firefox.wait(DRAWN, player.call("GET", f"/v1/games/{game}")["last"])


@pytest.mark.campaign
@pytest.mark.parametrize("title", ["colonial"])
def test_a_board_is_drawn_at_every_width(firefox: Firefox, anna: Player, title: str) -> None:
    """First, whole, and with names that can be read; nothing is wider or higher than the window."""
    game, others = anna.with_others(title, SEATS[title])
    others.move()
    sit(firefox, anna, game)
    is_drawn(firefox, anna, game)
    panels = anna.call("GET", f"/v1/games/{game}/table")["panels"]
    boards = [panel for panel in panels if panel["role"] == "board"]
    areas = [area for panel in boards if panel["kind"] == "map" for area in panel["areas"]]
    keys = [f"[data-area='{area['key']}']" for area in areas]
    shapes = [f"path.region[data-area='{area['key']}']" for area in areas if area.get("borders")]
    for width, height in SIZES:
        firefox.resize(width, height)
        firefox.wait("([width, height]) => innerWidth === width && innerHeight === height", [width, height])
        firefox.wait(f"(wanted) => ({UNDRAWN})(wanted).length === 0", [*keys, *shapes])
        firefox.rendered()
        told = firefox.evaluate(BOARD)
        assert told["seen"] >= (0.4 if width < PHONE else 0.45), (width, told["seen"])
        assert max(told["over"]) <= 0, (width, told["over"])
        assert told["bar"], width
        assert len(told["names"]) >= len(keys)
        assert [name for name in told["names"] if name[1] < LEGIBLE] == [], width
        assert firefox.evaluate(PALE) == [], width


@pytest.mark.parametrize("title", ["colonial_empires"])
def test_a_turn_is_played_by_clicks(firefox: Firefox, anna: Player, title: str) -> None:
    """On what is lit and what is asked; the service has each command, and the log tells it."""
    game, others = anna.with_others(title, SEATS[title])
    others.move()
    sit(firefox, anna, game)
    while (given := commands_of(anna, game)) < COMMANDS:
        is_drawn(firefox, anna, game)
        firefox.see(f"{CHOICE}, {LIT}, {ANSWER}")
        if firefox.count(CHOICE) or not firefox.count(LIT):
            firefox.click(CHOICE if firefox.count(CHOICE) else ANSWER)
            until(lambda before=given: commands_of(anna, game) > before, "the command in the log")
            firefox.gone(".popover")
            others.move()
        else:
            firefox.click(LIT)
            firefox.rendered()
    last = anna.call("GET", f"/v1/games/{game}/history?limit=500")["history"]
    mine = [line["seq"] for line in last if line["by"] == "p0"][-1]
    firefox.see(f"[data-part=line][data-seq='{mine}']")


def commands_of(anna: Player, game: str) -> int:
    """How many commands of the first seat the log of *game* has."""
    events = anna.call("GET", f"/v1/games/{game}/events?limit=500")["events"]
    return sum(
        event["by"] == "p0" and ("command" in event or "command" in event["hidden"]) for event in events
    )


def at_event(firefox: Firefox, seq: int) -> None:
    """The page stands there, and what it draws is that table."""
    firefox.wait("(seq) => document.querySelector('.where b').textContent === seq", str(seq))
    firefox.wait(f"(seq) => {STATE}.seq === seq", str(seq))
    firefox.see(".stage[aria-busy=false]")


def where(firefox: Firefox) -> int:
    return int(firefox.text(".where b"))


def test_keys_lead_through_time(firefox: Firefox, ended: tuple[Player, str]) -> None:
    """By event, by command, by turn, to the ends; space plays, and Escape comes back to now."""
    host, game = ended
    firefox.open()
    firefox.goto(f"{host.address}/g/{game}?at=20")
    at_event(firefox, 20)
    firefox.see("[data-part=line]")  # before, each event is a stop
    firefox.press("Shift+ArrowLeft")
    at_event(firefox, 19)
    firefox.press("Shift+ArrowRight")
    at_event(firefox, 20)
    firefox.press("ArrowLeft")
    firefox.wait(f"() => {WHERE} < 20")
    command = where(firefox)
    firefox.press("ArrowRight")
    firefox.wait(f"(seq) => {WHERE} > seq", command)
    firefox.press("ArrowDown")
    firefox.wait(f"() => [1, ...({MARKS})].includes({WHERE})")
    turn = where(firefox)
    firefox.press("ArrowUp")
    firefox.wait(f"(seq) => {WHERE} > seq", turn)
    firefox.press("Home")
    at_event(firefox, 1)
    firefox.press(" ")
    firefox.wait(f"() => {WHERE} > 1")
    firefox.press(" ")
    firefox.gone("[data-part=tempo]")
    firefox.press("Escape")
    at_event(firefox, int(firefox.evaluate(f"() => {STATE}.last")))
    firefox.press("/")
    firefox.wait("() => document.activeElement.type === 'search'")


def test_slider_marks_and_lines_lead_through_time(firefox: Firefox, ended: tuple[Player, str]) -> None:
    """A click on the slider, on the mark of a turn, on a line of the log; the address names the event."""
    host, game = ended
    firefox.open(width=1440, height=900)
    firefox.goto(f"{host.address}/g/{game}")
    last = int(firefox.wait(f"() => {STATE}.last"))
    at_event(firefox, last)
    firefox.click(".slider")
    firefox.wait(f"(last) => {WHERE} < last", last)
    at_event(firefox, where(firefox))
    firefox.see(".looking-back")
    firefox.see("[data-part=mark]")
    mark = firefox.evaluate("() => document.querySelector('[data-part=mark]').dataset.seq")
    firefox.click(f"[data-part=mark][data-seq='{mark}']")
    at_event(firefox, int(mark))
    firefox.wait("(search) => location.search === search", f"?at={mark}")
    line = firefox.evaluate(
        "(here) => [...document.querySelectorAll('[data-part=line]')].map((l) => l.dataset.seq)"
        ".find((seq) => seq !== here)",
        mark,
    )
    firefox.click(f"[data-part=line][data-seq='{line}']")
    at_event(firefox, int(line))
    firefox.press("Escape")
    at_event(firefox, last)
    firefox.gone(".looking-back")


def test_an_ended_game_is_seen_through_every_seat(firefox: Firefox, ended: tuple[Player, str]) -> None:
    """Of a moment in the middle: each hand as its owner saw it then; all of them at once with all open."""
    host, game = ended
    moment = 12
    firefox.open()
    firefox.goto(f"{host.address}/g/{game}?at={moment}")
    at_event(firefox, moment)
    for seat in (0, 1):
        firefox.click("[data-part=menu]")
        firefox.click(f"[data-part=eyes] [data-eyes='{seat}']")
        firefox.wait(f"(eyes) => {STATE}.eyes === eyes", str(seat))
        told = host.call("GET", f"/v1/games/{game}/table?at={moment}&seat={seat}")
        cards = {c["name"] for panel in told["panels"] if panel["role"] == "hand" for c in panel["items"]}
        firefox.wait(
            "(wanted) => [...document.querySelectorAll('.hand .card-name')].map((e) => e.innerText).sort()"
            ".join('|') === wanted",
            "|".join(sorted(cards)),
        )
    firefox.click("[data-part=menu]")
    firefox.click("[data-part=eyes] [data-eyes='all']")
    firefox.wait("() => document.querySelectorAll('.hand .panel').length === 2")


def test_a_browser_that_hangs_is_ended(
    running: Callable[[], Firefox], monkeypatch: pytest.MonkeyPatch, ended: tuple[Player, str]
) -> None:
    """What was told to it stands in the error; the next test gets another one."""
    hanging = running()
    hanging.open()
    monkeypatch.setattr(firefox_module, "PATIENCE", 1.0)
    with pytest.raises(FirefoxError, match="did not answer within 1 seconds: evaluate"):
        hanging.evaluate("() => { for (;;); }")
    monkeypatch.undo()
    another = running()
    assert another is not hanging
    another.open()
    another.goto(f"{ended[0].address}/")
    another.see("[data-part=play]")
