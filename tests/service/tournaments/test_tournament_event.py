"""A whole event: somebody leaves, a ruling comes late, and in the end somebody forges the file."""

import uuid

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from events.tlog.notes import SigningKey
from events.tournament import bundle
from ops.cli import rutter
from tests.service.organising import Event
from tests.tournament.test_verify import forged

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def event(api):
    """Six play three rounds; one withdraws in the first, whose other table is ruled on in the second."""
    organiser = api.account("Olga")
    players = [api.account(f"Player {number}") for number in range(1, 7)]
    made = Event(organiser, players, stages=[{"format": "swiss_pods", "rounds": 3}], name="Stormy Open")
    made.begin()
    left = next(table for table in made.tables() if "e1" in table["holders"])
    made.do("withdraw", by=players[0])
    made.house()
    winner = [1, 2] if left["holders"][1] == "e1" else [2, 1]
    made.do("rule", kind="forfeit", effects=[{"result": {"table": left["table"], "places": winner}}])
    for table in made.tables():
        made.play(table)
    made.house()
    made.house()
    return made


def last(event, kind):
    """The newest event of that kind."""
    return [one for one in event.get("/events?limit=1000")["events"] if one["type"] == kind][-1]


def test_from_beginning_to_end(event, tmp_path):
    """A ruling after the round changes its standings; the old digest stays in the log. The file proves it;
    with one result changed, all of it chained and signed again, round and table are named.
    """
    before = event.get("/standings?round=1")["standings"]
    digest = event.get("/rounds/1")["standings"]
    played = next(
        t
        for t in event.get("/rounds/1")["tables"]
        if t["status"] == "confirmed" and "e1" not in t["entrants"]
    )
    turned = other(played["places"])
    ruling = {"result": {"round": 1, "table": played["table"], "places": turned}}
    event.do("rule", kind="result", effects=[ruling], text="The wrong side was written down.")
    assert event.get("/rounds/1")["standings"] != digest
    assert digest in {
        one["data"]["standings"]
        for one in event.get("/events?limit=1000")["events"]
        if one["type"] == "RoundClosed"
    }
    assert event.get("/standings?round=1")["standings"] != before
    event.go()
    file = tmp_path / "event.ndjson"
    file.write_bytes(event.audit())
    result = CliRunner().invoke(rutter, ["verify", str(file), "--jobs", "2"])
    assert result.exit_code == 3, result.output  # no key was named
    assert "NOT PINNED" in result.output
    assert not {"e1"} & {e for t in event.get("/rounds/2")["tables"] for e in t["entrants"]}
    _forge(event, file)
    result = CliRunner().invoke(rutter, ["verify", str(file)])
    assert result.exit_code == 1, result.output
    assert "BAD: round 3, table 1: " in result.output


def other(places):
    """Another result of a duel."""
    return [2, 1] if list(places) == [1, 2] else [1, 2]


def _forge(event, file):
    """The same file, in which the first table of the third round ended the other way round."""
    here = event.organiser.app.extensions["rutter"]
    state, records = here.tournaments.load(event.id), here.tournaments.records(event.id)
    results = [one for one in records if one.type == "ResultRecorded"]
    number = next(
        n
        for n, one in enumerate(results)
        if b'"round":3' in bytes(one.envelope().data) and b'"table":1' in bytes(one.envelope().data)
    )

    class Recorded:
        id = event.id

    Recorded.records = records

    def turn(body):
        for part in (body["data"], body["command"]):
            part["places"] = other(part["places"])

    made = forged(Recorded, "ResultRecorded", turn, number)
    lines = file.read_bytes().splitlines(keepends=True)
    own = bundle.write_lines(
        replace(state, head=made[-1].hash), made, {}, SigningKey(state.service, uuid.uuid4().bytes * 2)
    )
    file.write_bytes(b"".join([*own, *lines[state.seq + 2 :]]))
