"""Who leaves a table, who plays on, who comes back: by the rules, and by the bundle that proves it."""

from __future__ import annotations

import pytest

from events.base.timestamps import add_milliseconds
from events.rules.steps import Rejected
from events.table import engine
from events.table.commands import command_rules
from events.table.commands.leaving import TableLeave, TableRemove, TableReturn, TableSeat, TableSwap
from events.table.commands.rulings import TableResume
from events.table.terms import SeatOccupant
from tests.events.seated import Seated, refused

PEOPLE = [SeatOccupant(who=None)] * 3


def types(table):
    return [record.type for record in table.newest()]


def test_who_resigns_is_replaced_and_the_game_ends_by_its_rules():
    """The seat is vacated, a bot is given it in the same batch and plays to the end; the bundle holds."""
    table = Seated(3)
    table.give(1, TableLeave(resign=True))
    assert types(table) == ["SeatVacated", "SeatGiven"]
    assert table.data(-2) == {"seat": 1, "reason": "resigned"}
    assert table.game.seats[1].bot == "steady"
    assert table.game.seats[1].tenure == 2
    assert [held.until for held in table.game.past] == [table.game.seq - 1]
    table.play()
    report = table.verdict()
    assert report.status == "finished"
    assert table.game.ended_by == "rules"
    assert [bot.seat for bot in report.bot_seats] == [1]


def test_with_too_few_people_the_game_is_abandoned():
    """Of two people one leaves: the secrets are disclosed in the same batch, and the bundle is whole."""
    table = Seated(2)
    table.give(0, TableLeave())
    assert types(table) == ["SeatVacated", "TableAbandoned"]
    assert table.data(-1)["reason"] == "deserted"
    assert table.verdict().status == "abandoned"
    assert table.game.ended_by == "abandoned"


@pytest.mark.parametrize(
    ("then", "follows"),
    [
        ("bot:random", ["SeatVacated", "SeatGiven"]),
        ("defaults", ["SeatVacated", "SeatGiven"]),
        ("open", ["SeatVacated", "TablePaused"]),
        ("end", ["SeatVacated", "TableAbandoned"]),
    ],
)
def test_what_follows_was_settled_at_the_creation(then, follows):
    """A bot by name, the server's own answers, an offered seat, or the end."""
    table = Seated(3, absence={"then": then})
    table.give(2, TableLeave())
    assert types(table) == follows


def test_who_left_returns_as_themselves_while_a_bot_plays_for_them():
    """By their digest in the log; it is a tenure of their own, and nobody else gets the seat so."""
    table = Seated(3)
    whos = [sits.who for sits in table.game.seats]
    assert refused(table, 1, TableReturn(whos[1])) == "seat_given"
    table.give(1, TableLeave())
    assert refused(table, 1, TableReturn(whos[0])) == "not_a_player"
    assert refused(table, 0, TableReturn(whos[0])) == "seat_given"
    table.give(1, TableReturn(whos[1]))
    assert types(table) == ["SeatGiven"]
    assert table.data(-1) == {
        "seat": 1,
        "tenure": 3,
        "who": whos[1],
        "key": None,
        "bot": None,
        "bot_version": None,
        "bot_weights": None,
    }
    assert table.game.seats[1].person
    table.play()
    table.verdict()


def test_who_was_removed_does_not_return():
    """Nor anybody where the table has settled that nobody does."""
    table = Seated(3)
    who = table.game.seats[1].who
    table.give("d0", TableRemove(1, "conduct"))
    assert refused(table, 1, TableReturn(who)) == "not_allowed"
    other = Seated(3, absence={"may_return": False})
    who = other.game.seats[1].who
    other.give(1, TableLeave())
    assert refused(other, 1, TableReturn(who)) == "not_allowed"


def test_a_vacant_seat_is_taken_over_and_the_game_goes_on():
    """It was paused for anyone who comes; the newcomer's tenure is the seat's second."""
    table = Seated(3, absence={"then": "open", "fill_ms": 60_000})
    table.give(1, TableLeave())
    assert table.game.paused is not None
    assert table.game.paused.until == add_milliseconds(table.at, 60_000)
    assert refused(table, 0, TableSeat(1, who=Seated.who(0))) == "not_a_director"
    assert refused(table, 2, TableSeat(2)) == "seat_taken"
    table.give(1, TableSeat(1, who=Seated.who(7)))
    assert types(table) == ["SeatGiven", "TableResumed"]
    assert table.game.seats[1].person
    assert (table.game.seats[1].tenure, table.game.paused) == (2, None)
    table.play()
    table.verdict()


def test_a_seat_that_nobody_takes_goes_to_a_bot():
    """When the time of the offer is up the server goes on with the game, not before."""
    table = Seated(3, absence={"then": "open", "fill_ms": 60_000})
    table.give(1, TableLeave())
    assert refused(table, None, TableResume()) == "not_due"
    table.wait(60)
    table.give(None, TableResume())
    assert types(table) == ["SeatGiven", "TableResumed"]
    assert table.game.seats[1].bot == "steady"
    table.play()
    table.verdict()


def test_where_directors_seat_substitutes_nobody_takes_a_seat_alone():
    table = Seated(3, absence={"then": "open", "substitutes": "directors"})
    table.give(1, TableLeave())
    assert refused(table, 1, TableSeat(1, who=Seated.who(7))) == "not_invited"


def test_who_is_invited_the_log_does_not_know():
    """It takes anyone who sits down there: the service asks for the invitation first."""
    table = Seated(3, absence={"then": "open", "substitutes": "invited"})
    table.give(1, TableLeave())
    table.give(1, TableSeat(1, who=Seated.who(7)))
    assert types(table) == ["SeatGiven", "TableResumed"]
    assert table.game.seats[1].person


def test_a_bot_that_keeps_a_seat_warm_is_not_replaced():
    """But one that plays for somebody who cannot return is, and so a director's other bot."""
    table = Seated(3)
    table.give(1, TableLeave())
    assert refused(table, 1, TableSeat(1, who=Seated.who(7))) == "seat_taken"
    table.give("d0", TableSeat(1, "random"))
    assert table.game.seats[1].bot == "random"
    table.give("d0", TableRemove(2, "absence"))
    assert types(table)[-1] == "TableAbandoned", "one person alone is too few"


def test_before_the_game_begins_a_seat_is_free_again():
    """A player who leaves, or is removed, is as if they had not come; the next one sits there."""
    table = Seated(4, open_seats=(3,))
    table.give(1, TableLeave())
    assert types(table) == ["SeatFreed"]
    assert not table.game.seats[1].taken
    table.give("d0", TableRemove(2, "other"))
    assert refused(table, "d0", TableRemove(2, "other")) == "seat_vacant"
    assert refused(table, 1, TableLeave()) == "not_a_player"
    table.give("d0", TableSeat(2, "random"))
    assert table.game.seats[2].bot == "random"
    table.sit(1)
    table.sit(3)
    table.begin()
    table.play()
    assert table.verdict().status == "finished"


def test_nobody_leaves_between_the_last_seat_and_the_first_move():
    """Contributions may be known by then: a player who left could come back with another one."""
    table = Seated(3, open_seats=(2,), commit=True)
    table.sit(2)
    for command in (TableLeave(), TableReturn(None)):
        assert refused(table, 0, command) in ("reveals_open", "game_not_running")
    assert refused(table, "d0", TableRemove(1, "conduct")) == "reveals_open"


def test_two_change_places_before_the_game_begins():
    """Their claims move with them; who committed cannot be moved, and later nobody."""
    table = Seated(4, open_seats=(3,))
    before = dict(table.game.claims)
    whos = [sits.who for sits in table.game.seats]
    table.give("d0", TableSwap((0, 3)))
    assert table.game.claims == {3: before[0], 1: before[1], 2: before[2]}
    assert [sits.who for sits in table.game.seats] == [None, whos[1], whos[2], whos[0]]
    assert refused(table, "d0", TableSwap((1, 1))) == "invalid_parameters"
    assert refused(table, "d0", TableSwap((1, 9))) == "unknown_seat"
    table.sit(0)
    table.begin()
    assert refused(table, "d0", TableSwap((0, 1))) == "game_running"
    table.play()
    table.verdict()
    committed = Seated(4, open_seats=(3,), commit=True)
    assert refused(committed, "d0", TableSwap((0, 3))) == "not_allowed"


def test_only_those_whom_the_table_has_direct_it():
    """Two directors are d1 and d2; without any, the account that made the game is d0."""
    mine = Seated(3)
    assert refused(mine, "d1", TableRemove(1, "conduct")) == "not_a_director"
    theirs = Seated(3, directors=2)
    assert refused(theirs, "d0", TableRemove(1, "conduct")) == "not_a_director"
    assert refused(theirs, "d3", TableRemove(1, "conduct")) == "not_a_director"
    assert refused(theirs, 0, TableRemove(1, "conduct")) == "not_a_director"
    theirs.give("d2", TableRemove(1, "conduct"))
    assert theirs.records[-1].envelope().by == "d2"
    theirs.play()
    theirs.verdict()


def test_the_maker_of_the_table_removes_somebody_only_before_it_begins():
    """Though it has directors."""
    table = Seated(4, open_seats=(3,), directors=1)
    table.give("d0", TableRemove(1, "other"))
    assert types(table) == ["SeatFreed"]
    table.sit(1)
    table.sit(3)
    table.begin()
    assert refused(table, "d0", TableRemove(1, "other")) == "not_a_director"


def test_nothing_follows_on_the_end():
    """Every command of the table is refused then."""
    table = Seated(2)
    table.give(0, TableLeave())
    for actor, command in ((1, TableLeave()), ("d0", TableRemove(1, "other")), ("d0", TableSwap((0, 1)))):
        assert refused(table, actor, command) == "game_not_running"


def test_a_bot_has_no_say():
    """Its seat cannot leave nor propose anything."""
    table = Seated(3)
    table.give(1, TableLeave())
    assert refused(table, 1, TableLeave()) == "not_a_player"


def test_at_most_one_holds_a_seat_at_any_event():
    """Tenures of a seat follow on one another and never overlap, whatever happens."""
    table = Seated(4)
    who = table.game.seats[2].who
    for _ in range(3):
        table.give(2, TableLeave())
        table.give(2, TableReturn(who))
    ends = [held.until for held in table.game.past]
    assert ends == sorted(set(ends))
    assert table.game.seats[2].tenure == 7
    given = [record for record in table.records if record.type == "SeatGiven"]
    assert all(end < later_given.seq for end, later_given in zip(ends, given[::2], strict=True))
    with pytest.raises(Rejected):
        engine.decide(table.game, 1, TableLeave(), table.secrets, table.chain)
    assert command_rules.COMMANDS["table_leave"] is TableLeave
