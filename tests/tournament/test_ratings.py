"""Ratings of a tournament's games, and rulings that take one out of them."""

import pytest

from events.tournament import commands as asks
from events.tournament.facts import Effect, RoundEntrant, SetResult, TableReference
from events.tournament.schedule import due_commands
from events.tournament.state import entrant_name
from projections import ratings
from tests.tournament.test_log import Event

pytestmark = pytest.mark.integration

POOL = "example.2.correspondence"
CLOCK = {"kind": "correspondence", "per_decision_ms": 86_400_000}


def count(log):
    log.sequence()
    while ratings.follow_log(log):
        pass


def told(pool, query):
    with pool.connection() as connection:
        return connection.execute(query).fetchall()


def rated(pool):
    """The games that changed ratings."""
    found = told(
        pool,
        "SELECT DISTINCT g.game_id::text, position FROM rating_change JOIN rating_game g USING (position)"
        " ORDER BY position",
    )
    return [game for game, _ in found]


def one_round(tournaments, timed):
    """A tournament whose first round was played; protests may still be made."""
    event = Event(tournaments, timed, protest_ms=600_000, clock=CLOCK)
    while not event.state.next_round > 1:
        tournaments.command(event.id, None, due_commands(event.state)[0][1])
    for table in event.state.rounds[0].tables:
        event.play(event.state.rounds[0], table)
    return event, [table.game for table in event.state.rounds[0].tables]


def test_a_ruling_takes_a_game_out_and_nothing_else_does(tournaments, timed, pool):
    """A result that is ruled changes no rating, unless it is said that the game is void: then its pool is
    counted again without it, and so it is when all is counted again.
    """
    event, (one, other) = one_round(tournaments, timed)
    count(tournaments.log)
    assert sorted(rated(pool)) == sorted([one, other])
    assert told(pool, "SELECT DISTINCT pool FROM rating") == [(POOL,)]
    before = told(pool, "SELECT * FROM rating ORDER BY subject")
    result = Effect(result=SetResult(1, (1, 1)))
    tournaments.command(event.id, "d1", asks.Rule("error", (result,)))
    count(tournaments.log)
    assert told(pool, "SELECT * FROM rating ORDER BY subject") == before
    tournaments.command(event.id, "d1", asks.Rule("error", (result, Effect(rating="void"))))
    count(tournaments.log)
    assert rated(pool) == [other]
    ((void, position),) = told(pool, "SELECT game_id::text, position FROM rating_void")
    assert (void, position > told(pool, "SELECT max(position) FROM rating_game")[0][0]) == (one, True)
    assert len(told(pool, "SELECT FROM rating")) == 2
    assert ratings.rebuild(tournaments.log)[2]
    assert rated(pool) == [other]


def test_which_game_a_ruling_is_about(tournaments, timed):
    """Of a table whose result it sets or that plays again, of who forfeits, or that its dispute is about."""
    event, (one, other) = one_round(tournaments, timed)
    void = Effect(rating="void")
    tables = event.state.rounds[0].tables
    second = entrant_name(tables[1].entrants[0])
    tournaments.command(event.id, second, asks.RaiseDispute(table=2))
    for games, effects, more in (
        ([], (void,), {}),
        ([other], (void,), {"dispute": 1}),
        ([other], (Effect(forfeit=RoundEntrant(second, 1)), void), {}),
        ([one, other], (Effect(result=SetResult(1, (2, 1))), Effect(result=SetResult(2, (2, 1))), void), {}),
        ([one], (Effect(replay=TableReference(1)), void), {}),
    ):
        tournaments.command(event.id, "d1", asks.Rule("error", effects, **more))
        records = tournaments.records(event.id)
        last = max(n for n, record in enumerate(records, 1) if record.type == "Ruled")
        assert list(ratings.find_voided_games(event.id, records[:last])) == games
