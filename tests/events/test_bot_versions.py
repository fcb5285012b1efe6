"""The version of a bot is fixed when it sits down: only the server raises it, and nobody lowers it.

In every example the honest file, untouched, is accepted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from events.rules.bot_names import BotVersion, FindBotVersion, UnknownBot
from events.rules.catalogue import find_title
from events.rules.fact import Fact
from events.rules.steps import Command, Rejected
from events.table import bundle
from events.table.commands.bots import TableRaiseBot
from events.table.commands.leaving import TableLeave, TableReturn, TableSeat
from events.table.conduct_facts import TableResumed
from events.table.lifecycle_facts import BotRaised, SeatGiven, SeatVacated
from events.table.record import Actor
from events.verify import BadBundle, verify
from tests.events.forging import SIGNER as FORGER
from tests.events.forging import Forgery, Table
from tests.events.seated import Seated, refused
from tests.recorded_table import SIGNER
from tests.titles.example import bot as example
from workers import bots

WEIGHTS = "ab" * 32


@pytest.fixture(autouse=True)
def two_versions(monkeypatch):
    """The steady bot of the example title is there in two versions, of which the newer plays otherwise."""

    def choose(title: Any, state: Any, seat: int, chance: Any, budget: int) -> Any:
        return max(title.legal(state, seat), key=lambda command: command.sail)

    monkeypatch.setattr(example, "KEPT", (example.STEADY,), raising=False)
    monkeypatch.setattr(example, "STEADY", replace(example.STEADY, version=2, choose=choose))


def at_hand(version: int, weights: str | None = None) -> FindBotVersion:
    """What a program finds in which `steady` has that version."""
    return lambda name: BotVersion(version, weights) if name == "steady" else BotVersion(1)


class Bench(Seated):
    """Two people, of whom one has left; `steady` plays on at seat 1, in the *version* that was installed."""

    def __init__(self, version: int = 1, people: int = 2, title: str = "example") -> None:
        super().__init__(people, title=title, absence={"least_people": 1})
        self.install(version)
        self.give(1, TableLeave())

    def install(self, version: int, weights: str | None = None) -> None:
        """Another program has this version of `steady`."""
        self.find_bot = at_hand(version, weights)  # type: ignore[method-assign]

    def lines(self, seat: int | None = None) -> list[bytes]:
        """The bundle: whole, or the copy of *seat*."""
        return list(bundle.write_lines(self.game, self.records, seat, SIGNER))

    def verdicts(self) -> list[str]:
        """What is said of the copy of seat 0, then of the whole game, which ends with the next to leave."""
        copy = self.lines(0)
        for seat in self.game.persons:
            self.rule(seat, TableLeave())
        assert self.game.has_ended
        return [said_of(copy, partial=True), said_of(self.lines())]


def said_of(lines: list[bytes], **more: Any) -> str:
    """Why `rutter verify` refuses a bundle; empty where it is accepted."""
    try:
        verify(lines, key=more.pop("key", SIGNER.verifier), **more)
    except BadBundle as bad:
        return str(bad)
    return ""


def test_a_bot_that_sits_down_has_a_version():
    """In the creation, and where it takes over a seat; a person has none."""
    table = Seated(1, bots=1, title="example")
    assert [(table.data(n)["bot"], table.data(n)["bot_version"]) for n in (1, 2)] == [
        (None, None),
        ("random", 1),
    ]
    bench = Bench(version=2)
    assert bench.data(-1) == {
        "seat": 1,
        "tenure": 2,
        "who": None,
        "key": None,
        "bot": "steady",
        "bot_version": 2,
        "bot_weights": None,
    }
    bench.give(1, TableReturn(bench.who(1)))
    assert bench.data(-1)["bot_version"] is bench.game.seats[1].bot_version is None
    assert bench.verdicts() == ["", ""]


def test_a_bot_plays_in_its_version_until_it_is_raised():
    """A newer one is installed: nothing changes before the server says so, and the verdict names both."""
    bench = Bench()
    bench.play(8)
    assert {one.bot["version"] for r in bench.records if (one := r.envelope()).bot} == {1}
    bench.give(None, TableRaiseBot(1, 2, None))
    assert bench.data(-1) == {"seat": 1, "version": 2, "weights": None}
    copy = bench.lines(0)
    assert said_of(copy, partial=True) == ""
    bench.play()
    report = verify(bench.lines(), key=SIGNER.verifier, rerun_bot=bots.think_again)
    (bot,) = report.bot_seats
    assert (bot.name, bot.versions, bot.is_rethought, bot.thought_again > 2) == ("steady", [1, 2], True, True)
    assert "seat 1 steady 1, 2: " in report.summary()


@pytest.fixture
def two_bots():
    """The example title has two bots only: what others have is unknown to it."""
    title = find_title("example")
    usual = title.bots
    object.__setattr__(title, "bots", ("random", "steady"))
    yield title
    object.__setattr__(title, "bots", usual)


def test_a_title_knows_its_own_bots(two_bots):
    """Whatever bots there are elsewhere: none other sits down, plays on, or is accepted in a bundle."""
    lines = Table(seats=(None, "steady")).begin().play().lines()
    assert said_of(lines, key=FORGER.verifier) == ""
    forgery = Forgery(lines)
    forgery.first("SeatTaken", 1)["data"]["bot"] = "brisk"
    assert "a seat has a bot that the title does not have" in said_of(forgery.lines(), key=FORGER.verifier)
    bench = Bench()
    assert refused(bench, "d0", TableSeat(1, "brisk")) == "invalid_parameters"
    bench.give("d0", TableSeat(1, "random"))
    with pytest.raises(Rejected, match="has the bots random, steady"):
        Seated(2, title="example", absence={"then": "bot:brisk"})
    with pytest.raises(UnknownBot):
        bots.find_bot("example", "brisk")
    assert bots.find_bot("example", "defaults").name == "defaults"


def test_seeds_count_the_commands_of_bots_alone():
    """What people did at the seat, and those who came between, has no say in it."""
    table = Seated(2, title="example", absence={"least_people": 1})
    table.play(3)
    for count in range(2):
        assert table.game.seats[1].commands > table.game.seats[1].bot_commands == count
        table.give(1, TableLeave())
        run = bots.bot_run(table.game, 1, table.secrets)
        assert run.seed == table.secrets.bot_seed(table.game.mixed, 1, count).hex()
        while table.game.seats[1].bot_commands == count:
            table.play(1)
        table.give(1, TableReturn(table.who(1)))
        table.play(1)
    table.play()
    report = verify(
        bundle.write_lines(table.game, table.records, None, SIGNER),
        key=SIGNER.verifier,
        rerun_bot=bots.think_again,
    )
    assert [bot.thought_again for bot in report.bot_seats] == [2]


def test_who_raises_a_bot_and_to_what():
    """The server alone, a bot alone, to a newer version alone."""
    bench = Bench(version=2)
    for actor in (0, 1, "d0", "d1"):
        assert refused(bench, actor, TableRaiseBot(1, 3, None)) == "not_your_decision"
    for seat, version, weights in ((1, 1, None), (1, 2, None), (1, 2, WEIGHTS), (0, 3, None)):
        assert refused(bench, None, TableRaiseBot(seat, version, weights)) == "not_newer"
    for seat, version, weights in ((1, 0, None), (1, 2**53, None), (1, 3, "short"), (1, 3, WEIGHTS.upper())):
        assert refused(bench, None, TableRaiseBot(seat, version, weights)) == "invalid_parameters"
    assert refused(bench, None, TableRaiseBot(2, 3, None)) == "unknown_seat"
    bench.give(None, TableRaiseBot(1, 3, WEIGHTS))
    assert bench.verdicts() == ["", ""]


def test_no_bot_sits_down_in_an_older_version():
    """A player returned and left again, when the program had been set back: the bot is what it was."""
    bench = Bench(version=2)
    bench.give(1, TableReturn(bench.who(1)))
    bench.install(1)
    bench.give(1, TableLeave())
    assert bench.data(-1)["bot_version"] == 2
    bench.give(1, TableReturn(bench.who(1)))
    bench.install(2, WEIGHTS)  # one version, other weights
    bench.give(1, TableLeave())
    assert (bench.data(-1)["bot_version"], bench.data(-1)["bot_weights"]) == (2, None)
    assert bench.verdicts() == ["", ""]


def test_a_seat_is_raised_to_what_others_play_in():
    """One bot has one newest version at a table: none in between, and no other weights."""
    bench = Bench(people=4, title="colonial_empires")
    bench.install(5, WEIGHTS)
    bench.give(2, TableLeave())
    assert [bench.game.seats[seat].bot_version for seat in (1, 2)] == [1, 5]
    for version, weights in ((2, None), (5, None)):
        assert refused(bench, None, TableRaiseBot(1, version, weights)) == "not_newer"
    bench.give(None, TableRaiseBot(1, 5, WEIGHTS))
    assert bench.verdicts() == ["", ""]


# --- forgers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"bot_version": None},
        {"bot_version": 0},
        {"bot_version": 1},
        {"bot_version": 2**53},
        {"bot_weights": WEIGHTS},
        {"bot_version": 3, "bot_weights": "none"},
        {"bot": None},
        {"bot": None, "bot_version": None, "bot_weights": WEIGHTS},
    ],
    ids=str,
)
def test_a_forged_version_of_who_sits_down(members):
    """None, an older one, other weights, one for a person: refused in whole games and in copies."""
    bench = Bench(version=2)
    bench.give(1, TableReturn(bench.who(1)))
    given = {"bot": "steady", "bot_version": 2, "bot_weights": None, **members}
    bench.wait(1)
    bench.forge(SeatVacated(1, "left"), SeatGiven(1, tenure=4, **given), by=1, command=TableLeave())
    event = bench.game.seq
    for said in bench.verdicts():
        assert said.startswith((f"event {event}: ", f"event {event - 1}: ")) == bool(members), said


@pytest.mark.parametrize(
    ("by", "command", "fact"),
    [
        (None, TableRaiseBot(1, 3, None), BotRaised(1, 3, None)),
        (None, TableRaiseBot(1, 3, None), BotRaised(1, 1, None)),
        (None, TableRaiseBot(1, 1, None), BotRaised(1, 1, None)),
        (None, TableRaiseBot(1, 2, None), BotRaised(1, 2, None)),
        (None, TableRaiseBot(1, 2, WEIGHTS), BotRaised(1, 2, WEIGHTS)),
        (None, TableRaiseBot(1, 3, None), BotRaised(1, 4, None)),
        (None, TableRaiseBot(1, 3, "x"), BotRaised(1, 3, "x")),
        (None, TableRaiseBot(0, 3, None), BotRaised(0, 3, None)),
        (0, TableRaiseBot(1, 3, None), BotRaised(1, 3, None)),
        ("d0", TableRaiseBot(1, 3, None), BotRaised(1, 3, None)),
    ],
    ids=str,
)
def test_a_forged_raise(by: Actor, command: Command, fact: Fact):
    """Down, sideways, at a person's seat, by somebody else; the first is what the server does."""
    bench = Bench(version=2)
    bench.wait(1)
    bench.forge(fact, by=by, command=command)
    honest = (by, command, fact) == (None, TableRaiseBot(1, 3, None), BotRaised(1, 3, None))
    event = bench.game.seq
    for said in bench.verdicts():
        assert said.startswith(f"event {event}: ") != honest, said


@pytest.mark.parametrize(
    ("command", "facts"),
    [
        (TableRaiseBot(1, 3, None), [BotRaised(1, 3, None), BotRaised(1, 4, None)]),
        (TableRaiseBot(1, 3, None), [BotRaised(1, 3, None), BotRaised(0, 3, None)]),
        (TableRaiseBot(1, 3, None), [SeatGiven(1, "steady", 3, None, None, 3, None)]),
        (TableRaiseBot(1, 3, None), [BotRaised(1, 3, None), TableResumed()]),
        (TableSeat(1, "steady"), [BotRaised(1, 3, None)]),
        (TableSeat(1, "steady"), [SeatGiven(1, "steady", 3, None, None, 2, None), BotRaised(1, 3, None)]),
        (None, [BotRaised(1, 3, None)]),
    ],
    ids=str,
)
def test_a_raise_in_another_batch(command, facts):
    """It stands in a batch of its own: nothing of it hangs on another command, or on none."""
    bench = Bench(version=2)
    bench.wait(1)
    begun = bench.game.seq + 1
    bench.forge(*facts, by="d0" if isinstance(command, TableSeat) else None, command=command)
    for said in bench.verdicts():
        assert said.startswith(tuple(f"event {begun + n}: " for n in range(len(facts) + 1))), said


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"bot_version": None},
        {"bot_version": True},
        {"bot_version": "1"},
        {"bot_version": 0},
        {"bot_version": 2},
        {"bot_weights": "zz"},
        {"bot_weights": WEIGHTS},
        {"bot": None},
    ],
    ids=str,
)
@pytest.mark.parametrize("partial", [False, True])
def test_a_forged_version_in_the_creation(change, partial):
    """Of bots that are in their seats from the start: a version of its form, one for all seats of a bot."""
    table = Table(seats=("steady", "steady"), find_bot=at_hand(1)).begin().play(5 if partial else 999)
    lines = table.lines(0 if partial else None)
    for seat in (0, 1):
        forgery = Forgery(lines)
        forgery.first("SeatTaken", seat)["data"].update(change)
        said = said_of(forgery.lines(), key=FORGER.verifier, partial=partial)
        assert bool(said) == bool(change), said


def think_in(version: int, weights: str | None = None) -> Any:
    """One move of seat 1 is thought in another version, with its right seed."""
    seen: list[int] = []

    def think(table: Table, move: Any) -> Any:
        seat, command, run = move
        seen.extend([1] * (seat == 1))
        if seat != 1 or len(seen) != 2:
            return move
        other = msgspec.structs.replace(run, version=version, weights=weights)
        return (
            seat,
            bots.think(table.game, seat, other) if (version, weights) == (2, None) else command,
            other,
        )

    return think


@pytest.mark.parametrize(("version", "weights"), [(1, None), (2, None), (9, None), (1, WEIGHTS)])
def test_the_version_is_not_chosen_at_each_move(version, weights):
    """The operator takes the version whose move suits them: refused at that move, whether bots think again
    or not, in whole games and in copies.
    """
    for moves, more in ((999, {}), (999, {"rerun_bot": bots.think_again}), (6, {"partial": True})):
        table = Table(seats=(None, "steady"), find_bot=at_hand(1), think=think_in(version, weights))
        given = table.begin().play(moves).lines(0 if moves < 999 else None)
        said = said_of(given, key=FORGER.verifier, **more)
        honest = (version, weights) == (1, None)
        assert (f"moves in version {version}, but sits there in version 1" in said) != honest, said
        assert bool(said) != honest
