"""Tournaments over the API: from their creation to the file that proves them."""

import csv
import hashlib
import io
import json

import pytest
import rfc8785
from click.testing import CliRunner

from events.tlog import checkpoints, leaves, tree
from events.tlog.notes import Verifier, open_receipt
from events.verify.report import NO_POLICY
from ops.cli import rutter
from projections import ratings
from projections.tree.grower import Grower
from projections.tree.log_state import LogState
from service.presenters.spreadsheet import make_cell, make_decimal, make_row
from tests.service.organising import Event

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def event(olga, players):
    """A tournament of duels that is over."""
    made = Event(olga, players, name="Lisbon Open")
    made.begin()
    made.go()
    return made


def verify(path, *options):
    """`rutter verify`."""
    return CliRunner().invoke(rutter, ["verify", str(path), *options])


def test_a_whole_event(event, tmp_path):
    """Made, entered, paired, played, recorded, closed: and one file proves all of it."""
    told = event.get()
    assert (told["status"], told["over"], told["round"], told["name"]) == ("finished", True, 2, "Lisbon Open")
    standings = event.get("/standings")
    assert [line["rank"] for line in standings["standings"]] == sorted(
        line["rank"] for line in standings["standings"]
    )
    assert not standings["provisional"]
    file = tmp_path / "event.ndjson"
    file.write_bytes(event.audit())
    key = event.organiser.get("/v1/keys")["keys"][0]["vkey"]
    for options in ((), ("--jobs", "2")):
        result = verify(file, "--key", key, *options)
        assert result.exit_code == 0, result.output
        assert "checked: round 1, table 1: " in result.output
        assert "OK: " in result.output
        assert "4 compared with their results" in result.output


def test_players_talk_where_a_director_says_so(olga, players, tmp_path):
    """The games of the tournament take messages said aloud and no whispers, and its bundle verifies."""
    event = Event(olga, players[:2], talk="public", stages=[{"format": "swiss_pods", "rounds": 1}])
    event.begin()
    (table,) = event.tables()
    messages = f"/v1/games/{table['game']}/messages"
    players[0].post(messages, {"text": "Good luck!"}, status=201)
    seat = table["holders"].index("e2")
    whisper = {"text": "A draw?", "to": [seat]}
    assert players[0].refused("POST", messages, whisper) == (409, "no_whispers")
    assert [one["text"] for one in players[1].get(messages)["messages"]] == ["Good luck!"]
    event.go()
    file = tmp_path / "event.ndjson"
    file.write_bytes(event.audit())
    result = verify(file, "--key", olga.get("/v1/keys")["keys"][0]["vkey"])
    assert result.exit_code == 0, result.output
    assert "1 compared with their results" in result.output


def test_without_clocks_no_rating_changes(event):
    """Though all of its games were played to their ends, by people alone."""
    here = event.organiser.app.extensions["rutter"]
    here.games.log.sequence()
    while ratings.follow_log(here.games.log):
        pass
    for one in event.get("/rounds")["rounds"]:
        for table in one["tables"]:
            told = event.organiser.get(f"/v1/games/{table['game']}/rating")
            assert (told["status"], told["why"], told["changes"]) == ("unrated", "untimed", [])


def test_what_a_requirement_lacks_is_said(event, tmp_path):
    """An honest event without a policy: nothing is BAD; what is missing is named, with the way to give it."""
    file = tmp_path / "event.ndjson"
    file.write_bytes(event.audit())
    key = event.organiser.get("/v1/keys")["keys"][0]["vkey"]
    result = verify(file, "--require", "whole,ordinary,bots,log", "--key", key)
    assert result.exit_code == 3, result.output
    assert "INCOMPLETE: " in result.output
    assert "OK" not in result.output
    assert "BAD" not in result.output
    missing = [line for line in result.output.splitlines() if line.startswith("  not checked")]
    assert missing == [f"  {'not checked':<14} log: {NO_POLICY}"]
    result = verify(file, "--tournament", "--key", key)
    told = "contributions (0 entrants contributed, 0 withheld; no option changes that)"
    assert (result.exit_code, result.output) == (1, f"BAD: required, but it does not hold: {told}\n")
    unpinned = verify(file).output
    assert "OK" not in unpinned
    assert "not checked    who signed: name the key that you noted (--key VKEY, or --policy FILE)" in unpinned


def strip(value, names):
    """*value* without the members of these names."""
    if isinstance(value, list):
        return [strip(one, names) for one in value]
    if isinstance(value, dict):
        return {name: strip(one, names) for name, one in value.items() if name not in names}
    return value


def test_json_has_decimals_beside_exact_points(event):
    """In the standings, in their rounds, at the tables and in the export."""
    lines = event.get("/standings")["standings"]
    tables = event.get("/rounds")["rounds"][0]["tables"]
    text = event.organiser.send("GET", f"{event.path}/export").data
    exported = [json.loads(line) for line in text.splitlines()]
    for one in (*lines, *(played for line in lines for played in line["rounds"])):
        assert one["points_decimal"] == f"{one['points'] / 2520:g}"
    for one in (*tables, *exported):
        assert one["points_decimal"] == [f"{points / 2520:g}" for points in one["points"]]
    assert (make_decimal(8400), make_decimal(7)) == ("3.333", "0.003")


def test_standings_can_be_made_again_by_others(event):
    """The lines without names, accounts and decimals have the digest that the log holds."""
    told = event.get("/standings")
    lines = strip(told["standings"], {"name", "account", "points_decimal", "tie_breaks_decimal"})
    closed = event.get("/rounds/2")["standings"]
    assert hashlib.sha256(rfc8785.dumps(lines)).hexdigest() == closed
    assert told["unit"] == 2520
    assert sum(one["points"] for one in lines) == 4 * 5 * 2520  # of each duel the winner gets five points


def test_spreadsheets_hold_no_formulas(api, olga, players):
    """A name that a spreadsheet would take for a formula begins with an apostrophe there, and only there."""
    trick = api.account("Tricky")
    made = Event(olga, [trick, players[0]], stages=[{"format": "swiss_pods", "rounds": 1}])
    with api.app.extensions["rutter"].pool.connection() as connection:  # older names were not looked at
        connection.execute("UPDATE account SET name = '=HYPERLINK(\"x\")' WHERE id = %s", (trick.me["id"],))
    made.begin()
    rows = list(csv.DictReader(io.StringIO(olga.send("GET", f"{made.path}/standings?format=csv").text)))
    assert {row["name"] for row in rows} == {'\'=HYPERLINK("x")', "Player 1"}
    lines = olga.send("GET", f"{made.path}/standings?format=ndjson").data.splitlines()
    assert {json.loads(line)["name"] for line in lines} == {'=HYPERLINK("x")', "Player 1"}


def test_spreadsheets_have_decimals_beside_exact_numbers(event):
    """Points and tie-breaks are decimals, and their exact units stand in a column beside each."""
    told = event.get("/standings")["standings"]
    text = event.organiser.send("GET", f"{event.path}/standings?format=csv").text
    for line, row in zip(told, csv.DictReader(io.StringIO(text)), strict=True):
        assert (float(row["points"]), int(row["points_2520"])) == (line["points"] / 2520, line["points"])
        assert abs(float(row["opponents_average"]) - line["opponents_average"] / 2520) < 0.001
        assert int(row["opponents_average_2520"]) == line["opponents_average"]
        first = line["rounds"][0]
        assert row["round_1"] == f"{first['table']}:{first['place']}:{first['points'] / 2520:g}"
    text = event.organiser.send("GET", f"{event.path}/export?format=csv").text
    for row in csv.DictReader(io.StringIO(text)):
        exact = [int(cell) for cell in row["points_2520"].split()]
        assert sum(exact) == 5 * 2520  # a duel may be shared
        assert row["points"].split() == [f"{points / 2520:g}" for points in exact]


def test_tie_breaks_are_told_beside_their_numbers(event):
    """Each with its meaning and unit, in the order in which they rank; each line has them as decimals."""
    told = event.get("/standings")
    assert [one["name"] for one in told["tie_breaks"]] == ["wins", "opponents_average", "lot"]
    units = {one["name"]: one["unit"] for one in told["tie_breaks"]}
    assert units == {"wins": 1, "opponents_average": 2520, "lot": 1}
    for line in told["standings"]:
        assert list(line["tie_breaks_decimal"]) == list(units)
        for name, text in line["tie_breaks_decimal"].items():
            assert abs(float(text) - line[name] / units[name]) < 0.001


def test_the_cross_table_and_the_report_for_fide_are_served(event, players, olga):
    """As text/csv and text/plain; a tournament of larger tables has no report."""
    answer = event.organiser.send("GET", f"{event.path}/standings?format=cross_table")
    assert answer.content_type == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert {row["round_1_part"] for row in rows} == {"played"}
    report = event.organiser.send("GET", f"{event.path}/standings?format=trf16&round=1")
    assert report.content_type == "text/plain; charset=utf-8"
    assert report.text.startswith("012 Lisbon Open\r\n")
    assert [line[14:22] for line in report.text.split("\r\n") if line.startswith("001")] == [
        row["name"] for row in sorted(rows, key=lambda row: row["entrant"])
    ]
    larger = Event(olga, players, table={"size": 3, "least": 3}, title="colonial")
    refused = olga.refused("GET", f"{larger.path}/standings?format=trf16")
    assert refused == (409, "invalid_parameters")


def test_shares_are_decimals_beside_millionths():
    """A share is a share of one."""
    assert make_row({"share": 1_250_000}, ["share", "share_millionths"]) == ["1.25", "1250000"]


def test_no_point_is_lost_in_a_spreadsheet():
    """Thirds have three places; whole numbers none; large ones no exponent."""
    assert [make_cell(value) for value in (1 / 3, 5.0, 1234567.5, [2.5, None, 0.0])] == [
        "0.333",
        "5",
        "1234567.5",
        "2.5  0",
    ]


def test_the_export_has_a_line_for_each_table(event):
    """Four duels: who played, what they reached, how long the game was."""
    answer = event.organiser.send("GET", f"{event.path}/export")
    lines = [json.loads(line) for line in answer.data.splitlines()]
    assert [(one["round"], one["table"]) for one in lines] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    for one in lines:
        assert len(one["entrants"]) == len(one["places"]) == len(one["spent_ms"]) == 2
        assert one["events"] == event.organiser.get(f"/v1/games/{one['game']}")["seq"]
    table = event.organiser.send("GET", f"{event.path}/export?format=csv")
    assert len(list(csv.reader(io.StringIO(table.text)))) == 5


def test_what_happened_is_told_with_names(event, players):
    """Events hold nobody's name; the sentences beside them do, and receipts acknowledge the newest."""
    events = event.get("/events?limit=1000")
    assert [one["seq"] for one in events["events"]] == list(range(1, events["seq"] + 1))
    assert players[0].me["id"] not in json.dumps(events)
    told = [line["text"] for line in event.get("/history?limit=1000")["history"]]
    assert any("Player 1 enters" in line for line in told)
    assert event.get("?at=3")["entrants"] == 1
    assert event.organiser.refused("GET", f"{event.path}?at=100000") == (404, "no_such_event")


def test_its_games_are_played_by_those_who_entered(event, players):
    """Each holds a seat with a claim of their own; the games name their table and are in nobody's name."""
    table = event.get("/rounds/1")["tables"][0]
    game = event.organiser.get(f"/v1/games/{table['game']}")
    by_name = {one["entrant"]: one["account"] for one in event.get("/entrants")["entrants"]}
    assert [seat["account"] for seat in game["seats"]] == [by_name[name] for name in table["entrants"]]
    assert (game["tournament"]["id"], game["tournament"]["round"]) == (event.id, 1)
    mine = players[0].get("/v1/games?mine=true")["games"]
    seated = players[int(table["entrants"][0][1:]) - 1].get("/v1/games?mine=true")["games"]
    told = next(one for one in seated if one["id"] == table["game"])
    assert told["tournament"] == game["tournament"]  # the list says so, too
    assert {one["id"] for one in mine} >= {
        t["game"] for r in event.get("/rounds")["rounds"] for t in r["tables"] if "e1" in t["entrants"]
    }


def test_everybody_is_told(event, players):
    """That a round is paired and begins, of results and the end: to players and to who runs it."""
    told = [one for one in players[1].get("/v1/me/notices")["notices"] if one.get("tournament") == event.id]
    kinds = [one["type"] for one in told]
    assert kinds.count("tournament.paired") == kinds.count("tournament.round_started") == 2
    assert kinds.count("tournament.result") == 2
    assert kinds[-1] == "tournament.finished"
    begun = next(one for one in told if one["type"] == "tournament.round_started")
    assert {"round", "table", "seat", "game", "entrant"} <= set(begun["data"])
    staff = event.organiser.get("/v1/me/notices?limit=1000")["notices"]
    assert any(one.get("tournament") == event.id for one in staff)


def test_a_stream_begins_with_everything(event):
    """First all of the tournament, then events with their numbers."""
    answer = event.organiser.send("GET", f"{event.path}/stream?after=0")
    text = b""
    for piece in answer.response:
        text += piece
        if b"TournamentClosed" in text:
            break
    answer.close()
    ids = [int(line[4:]) for line in text.decode().splitlines() if line.startswith("id: ")]
    assert ids == list(range(1, event.get()["seq"] + 1))


def test_forged_files_are_refused(event, tmp_path):
    """A game that is missing or is there twice, a text or an event that was changed: each is named."""
    lines = event.audit().splitlines(keepends=True)
    heads = [n for n, line in enumerate(lines) if b'"kind":"header"' in line]
    file = tmp_path / "event.ndjson"

    def refused(made, told, *options):
        file.write_bytes(b"".join(made))
        result = verify(file, *options)
        assert result.exit_code == 1, result.output
        assert told in result.output, result.output

    refused([*lines[: heads[1]], *lines[heads[2] :]], "bundles of games follow")
    twice = [*lines[: heads[2]], *lines[heads[1] : heads[2]], *lines[heads[3] :]]
    refused(twice, "is there twice")
    middle = (heads[2] + heads[3]) // 2
    broken = [*lines[:middle], lines[middle].replace(b'"n":', b'"n":1', 1), *lines[middle + 1 :]]
    refused(broken, "round 1, table 2: game ", "--jobs", "2")
    other = lines[1].replace(b"Lisbon Open", b"Oporto Open")
    refused([lines[0], other, *lines[2:]], "name is not what was written")
    result = verify(file, "--partial")
    assert result.exit_code == 1
    file.write_bytes(b"".join([*lines[: heads[1]], *lines[heads[2] :]]))
    partial = verify(file, "--partial")
    assert "1 missing" in partial.output, partial.output


def test_its_events_stand_in_the_log_of_all_games(event):
    """Each command has a leaf, whose proof holds in the tree that the service signs, and a receipt."""
    here, api = event.organiser.app.extensions["rutter"], event.organiser
    api.project()
    Grower(here.pool, here.keyring, LogState.locate(None, here.settings.data)).run()
    log = Verifier.read(api.get("/v1/keys")["keys"][0]["vkey"])
    last = {one.command_id: one for one in here.tournaments.records(event.id)}
    ends = [(one.seq, one.hash) for one in last.values()]
    for (n, _), entry in zip(ends, leaves.make_entries(event.id, ends), strict=True):
        proof = checkpoints.Proof.read(api.send("GET", f"{event.path}/proof?n={n}").text)
        checkpoint, _ = checkpoints.open_checkpoint(proof.checkpoint, log)
        assert proof.holds(tree.leaf_hash(entry), checkpoint)
    newest, _ = open_receipt(event.get("/receipt")["receipt"], [log])
    assert (newest.game, newest.n, newest.hash) == (event.id, *ends[-1])
    assert api.refused("GET", f"{event.path}/proof?n=99999") == (404, "no_such_event")
