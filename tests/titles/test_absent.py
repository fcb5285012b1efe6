"""Nobody comes any more: time-outs alone bring a game of any title to its end, from wherever it stands."""

from __future__ import annotations

import pytest

from events.rules.catalogue import find_title, title_ids
from events.table import bundle, clock_updates, engine
from events.table.commands.time_outs import TableTimeOut
from events.table.record import canonical_command
from events.verify import verify
from tests.events.seated import Seated
from tests.recorded_table import SIGNER
from workers import bots as thinking

LIVE = {"kind": "live", "base_ms": 60_000, "increment_ms": 5_000}
BOUND = 4000
"""Commands of an absent table: more would be one that does not lead on."""


def absent(title: str, **absence) -> Seated:
    """A table of as few people as the title allows, who play on by defaults when their time is up."""
    people = find_title(title).seats[0]
    settled = {"then": "defaults", "misses": 2, "least_people": 0, **absence}
    return Seated(people, title=title, clock=LIVE, absence=settled)


def leave_alone(table: Seated) -> int:
    """Nobody answers: what the server and its bots do until the end; how many commands that took."""
    done = 0
    while not table.game.has_ended:
        done += 1
        assert done < BOUND
        due = [
            (until, n) for n in table.game.persons if (until := clock_updates.seat_deadline(table.game, n))
        ]
        decisions = table.title.awaited(table.game.state)
        others = [d for d in decisions if d.seat is None or table.game.seats[d.seat].bot]
        if others:
            act(table, others[0])
        else:
            until, seat = min(due)
            table.clock.go_to(max(until, table.at))
            table.rule(None, TableTimeOut(seat, until))
    return done


def act(table: Seated, decision) -> None:
    """The server, or the bot of a seat, answers by default."""
    seat = decision.seat
    run = None if seat is None else thinking.bot_run(table.game, seat, table.secrets)
    command = table.title.default(table.game.state, decision)
    if run is not None:
        command = thinking.think(table.game, seat, run)
    command = canonical_command(command)
    batch = engine.decide(table.game, seat, command, table.secrets, table.chain)
    note = clock_updates.make_clock_note(table.game, seat, command, batch, table.at)
    table.forge(*batch.facts, by=seat, draws=batch.draws, command=command, bot=run, clock=note)


@pytest.mark.slow
@pytest.mark.parametrize("moves", [0, 150])
@pytest.mark.parametrize("title", title_ids())
def test_time_outs_alone_end_any_game(title, moves):
    """From the first move on, and from some way into the game, where nobody answers any more: the rules end
    it, and a stranger decides every time-out and every default again.
    """
    table = absent(title)
    table.play(moves)
    before = len(table.records)
    leave_alone(table)
    assert table.game.ended_by == "rules"
    assert table.verdict().status == "finished"
    assert moves or "SeatTimedOut" in {record.type for record in table.records[before:]}


def test_all_four_seats_are_absent_and_the_rules_end_the_game():
    """Four people who never come, then their defaults: it ends by the rules, and when all bots think again
    they do the same.
    """
    table = Seated(4, clock=LIVE, absence={"then": "defaults", "least_people": 0})
    leave_alone(table)
    assert table.game.ended_by == "rules"
    lines = bundle.write_lines(table.game, table.records, None, SIGNER)
    report = verify(lines, key=SIGNER.verifier, rerun_bot=thinking.think)
    assert report.status == "finished"
    assert report.bots > 0
