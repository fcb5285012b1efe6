"""The cross table and FIDE's report say the same as the standings: read back by parsers of these tests."""

from fractions import Fraction

import pytest

from events.tournament import commands as asks
from events.tournament.facts import Effect, GivePoints
from events.tournament.standings import compute_closed_standings
from service.presenters import cross_table, tournament_presenter
from service.presenters.trf16 import Heading, UnfitTournament, write_trf16
from tests.tournament.recording import DUELS, SIXTEEN, Recorded

STANDARD = {"points": {"2": [1, 0]}, "bye_points": 1}
HEADING = Heading("Lisbon\nOpen", "Olga")


@pytest.fixture(scope="module")
def duels():
    """Seven play three rounds: a draw, somebody who leaves, a bye asked for, and one who withdraws."""
    recorded = Recorded(DUELS, stages=[{"format": "swiss_pods", "rounds": 3}], **STANDARD)
    recorded.begin(7, until=asks.StartRound)
    recorded.give("e6", asks.AskBye(2))
    recorded.house()
    recorded.play(places={(1, 1): (1, 1), (1, 2): (2, 1)}, left={(1, 3): (57, None)})
    recorded.house(asks.PairRound)
    gone = next(one for one in range(1, 8) if one != 6 and one not in recorded.state.rounds[0].byes)
    recorded.give(f"e{gone}", asks.Withdraw())
    recorded.give("d1", asks.Rule("bonus", (Effect(points=GivePoints(entrant="e6", add=2520)),)))
    return recorded.finish()


def tables(recorded):
    """The tournament, its standings as the log has them, and its cross table."""
    state, last = recorded.state, len(recorded.state.rounds)
    lines = compute_closed_standings(state, last)
    page = tournament_presenter.present_standings(state, last, {})
    return state, lines, cross_table.make_cross_table(state, last, page.standings)


def read_trf(text):
    """The players of a report by their numbers, from the columns of FIDE's specification."""
    players = {}
    for line in text.decode().split("\r\n"):
        if line.startswith("001"):
            assert line[3] == line[8] == line[10] == line[13] == line[47] == line[79] == line[84] == " "
            line = line.ljust(89 + 10 * 16)  # noqa: PLW2901 - the spaces at the end of a line are left out
            players[int(line[4:8])] = {
                "name": line[14:47].strip(),
                "points": Fraction(line[80:84].strip()),
                "rank": int(line[85:89]),
                "games": [(line[at : at + 4], line[at + 5], line[at + 7]) for at in range(91, 120, 10)],
            }
    return players


def test_the_report_for_fide_agrees_with_the_standings(duels):
    """Totals, ranks, opponents, colours and results; each game is told from both sides."""
    state, lines, table = tables(duels)
    players = read_trf(write_trf16(state, table, HEADING))
    assert len(players) == len(lines) == 7
    worth = {"1": 1, "+": 1, "U": 1, "F": 1, "=": Fraction(1, 2), "H": Fraction(1, 2)}
    other = {"1": "0", "0": "1", "+": "-", "-": "+", "=": "="}
    kinds = set()
    for line in lines:
        number = int(line["entrant"][1:])
        mine = players[number]
        assert (mine["points"], mine["rank"]) == (Fraction(line["points"], 2520), line["rank"])
        counted = sum(worth.get(result, 0) for _, _, result in mine["games"])
        assert mine["points"] == counted + (1 if number == 6 else 0), "a ruling gave e6 a point"
        assert sum(result == "-" for _, _, result in mine["games"]) == line["forfeits"]
        for played, (opponent, colour, result) in enumerate(mine["games"]):
            kinds.add(result)
            if opponent == "0000":
                assert (colour, result) in {("-", "U"), ("-", "H"), ("-", "Z")}
                continue
            back = players[int(opponent)]["games"][played]
            assert (int(back[0]), {back[1], colour}, back[2]) == (number, {"w", "b"}, other[result])
            pod = next(t.entrants for t in state.rounds[played].tables if number in t.entrants)
            assert pod.index(number) == "wb".index(colour)
    assert kinds >= set("10=+-UHZ")


def test_the_head_of_the_report(duels):
    state, _, table = tables(duels)
    lines = write_trf16(state, table, HEADING).decode().split("\r\n")
    assert lines[0] == "012 Lisbon Open"
    assert "062 7" in lines
    assert "102 Olga" in lines
    assert "XXR 3" in lines
    [dates] = [line for line in lines if line.startswith("132")]
    assert [dates[at : at + 8] for at in (91, 101, 111)] == ["26/03/01"] * 3
    assert not any(line.startswith("BB") for line in lines), "1, 1/2, 0 and 1 need not be said"
    usual = Recorded(DUELS).whole(4, ())
    state, _, table = tables(usual)
    lines = write_trf16(state, table, HEADING).decode().split("\r\n")
    assert [line for line in lines if line.startswith("BB")] == [
        "BBW  5.0",
        "BBD  2.5",
        "BBL  0.0",
        "BBU  3.0",
    ]


@pytest.mark.parametrize("forfeit", ["last", "zero"])
def test_the_spreadsheet_adds_up(forfeit):
    """At tables of three and four: the points of all rounds and what was awarded are the total."""
    recorded = Recorded(SIXTEEN, forfeit=forfeit, stages=[{"format": "swiss_pods", "rounds": 2}])
    recorded.begin(9)
    recorded.play(left={(1, 1): (57, None, None)})
    recorded.finish()
    state, lines, table = tables(recorded)
    columns = cross_table.list_columns(state, table)
    rows = [dict(zip(columns, row, strict=True)) for row in cross_table.make_rows(table, columns)]
    for row, line in zip(rows, lines, strict=True):
        assert (row["entrant"], int(row["rank"])) == (line["entrant"], line["rank"])
        rounds = [int(row[f"round_{number}_points_2520"]) for number in (1, 2)]
        assert int(row["points_2520"]) == line["points"] == sum(rounds) + int(row["awarded_2520"])
        for played in line["rounds"]:
            at = f"round_{played['round']}"
            assert (int(row[f"{at}_table"]), int(row[f"{at}_place"])) == (played["table"], played["place"])
            pod = state.rounds[played["round"] - 1].tables[played["table"] - 1].entrants
            others = row[f"{at}_opponents"].split()
            others.insert(int(row[f"{at}_seat"]), row["entrant"])
            assert others == [f"e{number}" for number in pod]
    assert [row["round_1_part"] for row in rows].count("left") == 1


def test_what_the_format_cannot_hold_is_refused(duels):
    state, _, table = tables(Recorded(SIXTEEN, stages=[{"format": "swiss_pods", "rounds": 1}]).whole(8, ()))
    with pytest.raises(UnfitTournament, match="cross_table"):
        write_trf16(state, table, HEADING)
    state, _, table = tables(Recorded(DUELS, points={"2": [50, 0]}).whole(2, ()))
    with pytest.raises(UnfitTournament, match=r"99\.9"):
        write_trf16(state, table, HEADING)
