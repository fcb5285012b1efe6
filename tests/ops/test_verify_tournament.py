"""Bundles of tournaments in the hands of forgers who hold the log key: what `rutter verify` says of each.

In every example the honest file, untouched, is accepted.
"""

import json
import re
from functools import cache

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from events.base.timestamps import add_milliseconds
from events.clocks.absence_policy import Absence
from events.clocks.clock import LiveClock
from events.proof import canonical
from events.rules.bot_names import BotVersion
from events.table import creation
from events.table.engine import Batch
from events.table.seated_bots import settle_bot_versions
from events.table.terms import Delay, Seating, SeatOccupant
from events.tournament import commands as asks
from events.tournament.facts import (
    Effect,
    EntrantReference,
    GivePoints,
    RoundEntrant,
    SetResult,
    TableReference,
)
from events.tournament.standings import standings_digest
from ops import cli
from ops.verify.log_monitor import read_bundle
from tests.events.forging import ORIGIN, SIGNER, STRANGER, Forgery, Table
from tests.tournament.event_files import (
    ForgedEvent,
    PlayedEvent,
    list_ends,
    open_honestly,
    prove_last,
    receipt_line,
    receipt_of,
    write_policy,
)
from tests.tournament.ladders import EVERYBODY, HOUR, export_of, ladder
from tests.tournament.recording import BEGAN, contribution
from tests.vectors.tournaments.honest import SHORT

START = SHORT["position"]
POSITION = ("--require", "whole,ordinary,contributions")


def rutter(*words):
    """Exit status and all that was said; a traceback is never one of both."""
    result = CliRunner().invoke(cli.rutter, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@cache
def event():
    """Four who contributed play two rounds of duels."""
    return PlayedEvent().whole(4, EVERYBODY)


@cache
def small():
    """Two play one game."""
    return PlayedEvent(stages=[{"format": "swiss_pods", "rounds": 1}]).whole(2, (1, 2))


@pytest.fixture
def verdict(files):
    """``(lines, *words) -> (exit status, what was said)`` of `rutter verify`, the service's key pinned."""

    def run(lines, *words):
        status, said = rutter("verify", files("event.ndjson", lines), "--key", SIGNER.vkey, *words)
        if status == 1:
            assert re.fullmatch(r"BAD: [^\n]*\n", said), said
            assert "cannot be checked (" not in said, said
        return status, said

    return run


def test_the_honest_event_is_accepted(verdict):
    """The control: also when a forger chains and signs it again without a change."""
    status, said = verdict(event().lines(), *POSITION)
    assert status == 0
    assert "2 rounds, 4 tables, 0 never played" in said
    assert "pairings       all drawn" in said
    assert "rulings        none" in said
    assert "people         nobody intervened" in said
    assert "bots           none" in said
    assert ForgedEvent(event()).lines() == event().lines()


# --- malformed members -------------------------------------------------------------------------------


MALFORMED = {
    "v": (True, False, None, "2", [2], 2**53 - 1),
    "n": (True, None, "1", []),
    "t": ("Sailed", "TableOpened"),
    "by": (True, None, [], "p0", "e0", "d", "e99999"),
    "at": (True, None, 0, "", "2026-03-01"),
    "cmd": ("", "x", "0" * 36),
    "game": (True, None, 7, ""),
    "data": (True, None, [], "", {}),
    "command": (True, None, [], "", {}, {"type": 7}, {"type": ["pair_round"]}),
}


@pytest.mark.parametrize("kind", ["TournamentOpened", "RoundPaired", "TournamentClosed"])
@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_members_never_raise(verdict, kind, name):
    """Whatever stands in a member, it is named in one line."""
    for value in MALFORMED[name]:
        forged = ForgedEvent(small())
        forged.bodies[forged.index(kind)][name] = value
        assert verdict(forged.lines())[0] == 1, value


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        *("TournamentOpened", "Entered", "RandomnessFixed", "RoundPaired", "RoundStarted", "TableLinked"),
        *("ResultRecorded", "RoundClosed", "TournamentClosed"),
    ],
)
def test_malformed_data_never_raise(verdict, kind):
    """Each member of the data as a truth, a text, a list, an object, and left out."""
    whole = ForgedEvent(small())
    for name in whole.bodies[whole.index(kind)]["data"]:
        for value in (True, "x", [[7]], {"x": {}}, -1, ...):
            forged = ForgedEvent(small())
            data = forged.bodies[forged.index(kind)]["data"]
            if value is ...:
                del data[name]
            else:
                data[name] = value
            # rules of a version that is not here cannot be judged
            expected = 3 if (name, value) == ("title_version", -1) else 1
            assert verdict(forged.lines())[0] == expected, (name, value)


def no_hex(data):
    """An element of the chain that is no hex."""
    data["draw"]["s"] = "x" * 64


@pytest.mark.parametrize(
    ("kind", "change", "told"),
    [
        ("RoundPaired", no_hex, "round 1: draw 1: not 64 hex digits in lower case (event 13)"),
        ("RoundPaired", lambda data: data["pods"][0].append(7), "its pods is not what follows"),
        ("RoundStarted", lambda data: data.pop("games"), "its games are no list"),
        ("RoundStarted", lambda data: data.update(games=[7]), "a UUIDv7 that no other table has"),
        ("TournamentOpened", lambda data: data["chance"].update(deal="x"), "event 1: the commitment deal"),
        (
            "TournamentOpened",
            lambda data: data["settings"].update(bye_points=4000),
            "cannot be read: ",
        ),
    ],
)
def test_malformed_members_of_a_running_tournament(verdict, kind, change, told):
    """Each is named with its place, also where nothing is disclosed yet."""
    running = PlayedEvent()
    running.begin(4, EVERYBODY)
    assert verdict(running.own_lines(), "--partial")[0] == 0
    forged = ForgedEvent(running)
    change(forged.bodies[forged.index(kind)]["data"])
    status, said = verdict(forged.lines(), "--partial")
    assert (status, told in said) == (1, True), said


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda game: game.first("TableBegun")["data"].update(mix="x" * 64), "The mix is wrong."),
        (
            lambda game: game.part(1, "house", {"position": {**START, "chosen": [{}, None]}}),
            "event 2: its position is not one of Landfall: ",
        ),
    ],
)
def test_malformed_games(verdict, change, told):
    """What only the rules or the tournament can judge is named as well."""
    made = PlayedEvent(position=START, stages=[{"format": "swiss_pods", "rounds": 1}]).whole(2, (1, 2))
    (lines,) = (game.lines() for game in made.games.values())
    assert verdict([*made.own_lines(), *lines])[0] == 0
    forged = Forgery(lines)
    change(forged)
    status, said = verdict([*made.own_lines(), *forged.lines()])
    assert (status, told in said) == (1, True), said


@pytest.mark.parametrize(
    ("member", "value"),
    [
        *(("scope", value) for value in ("running", "seat", True)),
        *(("games", value) for value in (0, 2, True, -1)),
        *(("events", value) for value in (0, 1, 999, True)),
        ("version", True),
        *(("tournament", value) for value in ("x", True, "019a9f00-0000-7000-8000-000000000001")),
        *(("origin", value) for value in ("", "another.example/log", True)),
        ("surplus", 1),
    ],
)
def test_the_header_is_checked(verdict, member, value):
    """Its scope and its games too say what the events say, also with --partial."""
    lines = small().lines()
    header = {**ForgedEvent(small()).header, member: value}
    lines[0] = canonical.encode(header) + b"\n"
    for words in ((), ("--partial",)):
        assert verdict(lines, *words)[0] == 1


@pytest.mark.parametrize("version", [1, 3])
def test_another_version_of_the_rules_cannot_be_checked(verdict, version):
    """It is not said to be forged: another version of the program may know these rules."""
    lines = small().lines()
    header = {**ForgedEvent(small()).header, "version": version}
    lines[0] = canonical.encode(header) + b"\n"
    status, said = verdict(lines)
    assert (status, said.startswith("CANNOT CHECK: "), f"version {version}" in said) == (3, True, True), said


def test_a_running_tournament_has_no_games(verdict):
    """While it runs the file holds its own events; games of it belong to no such file."""
    running = PlayedEvent()
    running.begin(4, EVERYBODY)
    running.play()
    lines = running.own_lines()
    assert verdict(lines)[0] == 1
    status, said = verdict(lines, "--partial")
    assert (status, "2 missing" in said) == (0, True), said
    (game, *_) = running.games.values()
    status, said = verdict([*lines, *game.lines()], "--partial")
    assert (status, "1 bundles of games follow, but the header names 0" in said) == (1, True), said


# --- games to the byte -------------------------------------------------------------------------------


def altered(**members):
    """A creation on other terms than the tournament's, or with another title's options."""

    def create(wanted, commitments):
        return open_honestly(replace(wanted, **members), commitments)

    return create


def with_terms(**changes):
    return lambda wanted, commitments: open_honestly(
        replace(wanted, terms=replace(wanted.terms, **changes)), commitments
    )


def with_seat(**occupant):
    """Seat 1 is taken by somebody else than the honest occupant."""

    def create(wanted, commitments):
        batch = open_honestly(wanted, commitments)
        seated = creation.seat_facts(1, SeatOccupant(**occupant))
        made = settle_bot_versions({}, seated, lambda _bot: BotVersion(1))
        return Batch([*batch.facts[:-1], *made])

    return create


def tied(wanted, **changes):
    return replace(wanted.tied, **changes)


def unrated(wanted, commitments):
    return open_honestly(replace(wanted, tied=tied(wanted, rated=False)), commitments)


def other_table(wanted, commitments):
    at = replace(wanted.tied.at, table=2)
    return open_honestly(replace(wanted, tied=tied(wanted, at=at)), commitments)


def from_a_position(wanted, commitments):
    """The table starts from the middle of a game, where seat 0 leads."""
    title = event().games[next(iter(event().games))].game.title
    position = {"hands": [[6, 6, 5], [1, 1, 2]], "points": [20, 0], "deck": [3, 4], "island": 6}
    state = title.from_position({**title.position(title.State()), **position})
    return open_honestly(replace(wanted, position=title.position(state)), commitments)


def changed_fact(kind, **members):
    """Another creation fact, as only a forger can write it."""

    def create(wanted, commitments):
        facts = open_honestly(wanted, commitments).facts
        at = next(n for n, fact in enumerate(facts) if isinstance(fact, kind))
        return Batch([*facts[:at], replace(facts[at], **members), *facts[at + 1 :]])

    return create


OPENINGS = {
    "a position of the operator's making": (from_a_position, "PositionSet in the place of SeatTaken"),
    "a bot in an entrant's seat": (with_seat(bot="random"), "SeatTaken has another bot"),
    "another absence": (with_terms(absence=Absence(misses=9)), "TableOpened has another absence"),
    "a clock": (with_terms(clock=LiveClock(base_ms=60_000)), "TableOpened has another (clock|absence)"),
    "unrated": (unrated, "TableOpened has another rated"),
    "other directors": (with_terms(directors=1), "TableOpened has another directors"),
    "its maker as director": (with_terms(directors=None), "TableOpened has another directors"),
    "a delay": (with_terms(delay=Delay(60_000)), "TableOpened has another delay"),
    "reliable players only": (with_terms(seating=Seating(90)), "TableOpened has another seating"),
    "another table": (other_table, "names another table"),
}


@pytest.mark.parametrize("name", OPENINGS)
def test_a_game_that_opens_otherwise(verdict, name):
    """Whatever differs in the creation of a game is named, with round and table."""
    create, told = OPENINGS[name]
    forged = PlayedEvent(openings={(2, 1): create}).whole(4, EVERYBODY)
    status, said = verdict(forged.lines(), *POSITION)
    assert status == 1
    assert re.match(r"BAD: round 2, table 1: the game \S+ ", said), said
    assert re.search(told, said), said
    assert said.endswith(f"(event {find_link(forged, 2, 1)})\n")


def test_a_commitment_in_a_seat(verdict):
    """At a table of a tournament nobody commits: the game's own creation is refused."""
    create = with_seat(commitment="ab" * 32)
    forged = PlayedEvent(openings={(2, 1): create}).whole(4, EVERYBODY)
    assert verdict(forged.lines())[0] == 1


def find_link(recorded, number, table):
    """The number of the event that links a table."""
    marks = (f'"round":{number},"table":{table}'.encode(), b'"t":"TableLinked"')
    return next(one.seq for one in recorded.records if all(mark in one.body for mark in marks))


def test_contributions_that_are_mixed_otherwise(verdict):
    """U of a game is that of its table."""
    forged = PlayedEvent(mixed={(1, 2): bytes(32)}).whole(4, EVERYBODY)
    status, said = verdict(forged.lines())
    assert (status, "round 1, table 2" in said, "TableBegun has another mix" in said) == (1, True, True), said


def test_a_table_that_starts_from_a_position_by_its_settings(verdict):
    """Where the settings have a position, every game begins from it, and from no other."""
    title = event().games[next(iter(event().games))].game.title
    start = title.position(title.from_position(title.position(middle(title))))
    honest = PlayedEvent(position=start).whole(4, EVERYBODY)
    assert verdict(honest.lines(), *POSITION)[0] == 0
    forged = PlayedEvent(position=start, openings={(1, 1): altered(position=None)}).whole(4, EVERYBODY)
    status, said = verdict(forged.lines())
    assert (status, "SeatTaken in the place of PositionSet" in said) == (1, True), said
    other = {**start, "points": [5, 0]}
    forged = PlayedEvent(position=start, openings={(1, 1): altered(position=other)}).whole(4, EVERYBODY)
    status, said = verdict(forged.lines())
    assert (status, "begins from another position than its table" in said) == (1, True), said


def middle(title):
    """A position of a game that was played for a while."""
    return title.from_position(
        {**title.position(title.State()), "hands": [[6, 5], [1, 2]], "deck": [3, 4], "island": 3}
    )


def test_a_game_of_another_service(verdict):
    """All games are signed by the service that signed the tournament."""
    made = event()
    (game, *others) = made.games.values()
    lines = [line for one in others for line in one.lines()]
    status, said = verdict([*made.own_lines(), *game.lines(STRANGER), *lines])
    assert (status, said.startswith("BAD: round 1, table 1: game ")) == (1, True), said


# --- every table has its game, or a ruling -----------------------------------------------------------


def other_places(made, number):
    """Places that the game of a table of round 1 did not end with."""
    played = made.state.rounds[0].tables[number - 1].result.places
    return (1, 2) if played == (2, 1) else (2, 1)


def test_a_table_that_was_ruled_without_a_game_is_named(verdict):
    """The bundle says of the table that its game was never played, and which ruling gave the places."""
    unlinked = PlayedEvent(protest_ms=0)
    unlinked.begin(4, EVERYBODY)
    unlinked.give("d1", asks.Rule("absence", (Effect(result=SetResult(1, (2, 1))),)))
    unlinked.end(1, 2)
    unlinked.finish((1, 1))
    status, said = verdict(unlinked.lines())
    assert status == 0
    assert "never played   round 1, table 1: a ruling gave the places" in said
    assert "round 1, table 1: ruling 1 of d1 (absence) gave the places 2, 1; no game was played" in said
    hidden = unlinked.create(unlinked.state.rounds[0], unlinked.state.rounds[0].tables[0])
    hidden.play()
    lines = unlinked.lines()
    lines[0] = lines[0].replace(b'"games":3', b'"games":4')
    status, said = verdict([*lines, *hidden.lines()])
    assert (status, "round 1, table 1: the game" in said, "never linked" in said) == (1, True, True), said


def test_a_receipt_of_a_game_that_was_never_linked(verdict, files):
    """A player whose game vanished behind a ruling holds its receipt."""
    made = PlayedEvent(protest_ms=0)
    made.begin(4, EVERYBODY)
    one = made.state.rounds[0]
    hidden = made.create(one, one.tables[0])
    hidden.play()
    made.give("d1", asks.Rule("absence", (Effect(result=SetResult(1, (2, 1))),)))
    made.finish((1, 1))
    assert verdict(made.lines())[0] == 0
    held = files("held.ndjson", [receipt_line(receipt_of(hidden.game, hidden.records[-1]))])
    status, said = verdict(made.lines(), "--receipts", held)
    assert (status, "was acknowledged, but the game was never linked" in said) == (1, True), said
    strange = files("held.ndjson", [receipt_line(receipt_of(hidden.game, hidden.records[-1], STRANGER))])
    assert verdict(made.lines(), "--receipts", strange)[0] == 0


def test_a_ruling_against_the_game_is_named(verdict):
    """What a ruling gave stands beside what the game says."""
    made = PlayedEvent(protest_ms=60_000)
    made.begin(4, EVERYBODY)
    made.play()
    places = other_places(made, 1)
    made.give("d1", asks.Rule("conduct", (Effect(result=SetResult(1, places)),)))
    entrant = f"e{made.state.rounds[0].tables[1].entrants[0]}"
    made.give("d1", asks.Rule("absence", (Effect(forfeit=RoundEntrant(entrant, 1)),)))
    made.finish()
    status, said = verdict(made.lines())
    assert status == 0
    given, played = ", ".join(map(str, places)), made.state.rounds[0].tables[0].result.places
    own = ", ".join(map(str, played))
    told = f"ruling 1 of d1 (conduct) gave the places {given}; the game ended {own}"
    assert f"rulings        round 1, table 1: {told}" in said
    assert f"ruling 2 of d1 (absence) took the game from {entrant}; the game ended" in said


def test_every_ruling_is_named(verdict):
    """Points, warnings, disqualifications and words without an effect stand beside rulings about tables."""
    made = PlayedEvent(protest_ms=60_000)
    made.begin(4, EVERYBODY)
    made.play()
    effects = (Effect(points=GivePoints("e1", -1260)), Effect(points=GivePoints("e2", 840)))
    made.give("d1", asks.Rule("conduct", effects))
    made.give("d1", asks.Rule("conduct", (Effect(warn=EntrantReference("e3")),)))
    made.give("d1", asks.Rule("conduct", (Effect(disqualify=EntrantReference("e4")),)))
    made.give("d1", asks.Rule("other", ()))
    made.finish()
    status, said = verdict(made.lines())
    told = [line[17:] for line in said.splitlines() if line.startswith("  rulings")]
    assert (status, told) == (
        0,
        [
            "ruling 1 of d1 (conduct) took 0.5 points from e1",
            "ruling 1 of d1 (conduct) gave 0.333 points to e2",
            "ruling 2 of d1 (conduct) warned e3",
            "ruling 3 of d1 (conduct) disqualified e4",
            "ruling 4 of d1 (other) changed nothing",
        ],
    )
    read = json.loads(verdict(made.lines(), "--json")[1])
    assert [one["effect"] for one in read["other_rulings"]] == ["points", "points", "warn", "disqualify", ""]


def test_what_directors_did_to_people_is_named(verdict):
    """A director withdraws an entrant, pauses, and another one is named; what entrants do is not named."""
    made = PlayedEvent(protest_ms=60_000)
    made.begin(4, EVERYBODY)
    made.play()
    made.give("d1", asks.WithdrawEntrant("e2", "conduct"))
    made.give("e3", asks.Withdraw())
    made.finish()
    status, said = verdict(made.lines())
    number = next(one.seq for one in made.records if one.type == "Withdrew")
    told = [line[17:] for line in said.splitlines() if line.startswith("  people")]
    assert (status, told[0]) == (0, f"event {number} by d1: Entrant 2 withdraws. Cause: conduct.")
    assert not any(" by e" in line for line in told)
    read = json.loads(verdict(made.lines(), "--json")[1])
    assert read["interventions"][0] == {
        "event": number,
        "by": "d1",
        "type": "Withdrew",
        "told": "Entrant 2 withdraws.",
        "cause": "conduct",
    }


def test_interventions_in_games_are_named_by_their_table(verdict):
    """A director's end of a game of the event is seen in the event's own summary."""
    made = PlayedEvent(stages=[{"format": "swiss_pods", "rounds": 1}])
    made.begin(2, (1, 2))
    made.link(1, 1)
    game = made.games[made.state.rounds[0].tables[0].game]
    game.abandon()
    made.end(1, 1)
    made.give("d1", asks.Rule("technical", (Effect(result=SetResult(1, (1, 2))),)))
    made.finish()
    status, said = verdict(made.lines())
    assert status == 0
    told = [line[17:] for line in said.splitlines() if line.startswith("  people")]
    assert told[0].startswith("round 1, table 1: event ")
    assert " by d1: The game is abandoned: a director ended it." in told[0]
    assert told[0].endswith("Cause: other.")


def test_the_standings_and_the_winner(verdict):
    """They are those of the digest in the log: the winner has the first rank."""
    made = event()
    status, said = verdict(made.lines())
    read = json.loads(verdict(made.lines(), "--json")[1])
    closing = json.loads(made.records[-1].body)["data"]["standings"]
    assert (status, standings_digest(read["standings"])) == (0, closing)
    ranks = [(line["rank"], line["entrant"]) for line in read["standings"]]
    assert read["winners"] == [entrant for rank, entrant in ranks if rank == 1]
    assert f"winner         {', '.join(read['winners'])}" in said
    row = next(line for line in said.splitlines() if line.startswith("  standings"))
    assert re.findall(r"(\d+) (e\d+) \(", row) == [(str(rank), entrant) for rank, entrant in ranks]
    running = PlayedEvent()
    running.begin(4, EVERYBODY)
    running.play()
    status, said = verdict(running.own_lines(), "--partial")
    assert (status, "winner         none" in said) == (0, True), said


def test_the_profile_of_an_organiser(verdict, files):
    """An honest event passes with what its bundle holds; what it cannot show is said in a line each."""
    made = event()
    status, said = verdict(made.lines(), "--tournament")
    assert (status, said.count("  not shown")) == (0, 3), said
    assert "not shown      signed (in 4 of 4 games, not all commands of people are signed)" in said
    assert "not shown      receipts (no receipt of this tournament by a known key was given" in said
    assert "not shown      log (no policy with a quorum was given (--policy" in said
    assert json.loads(verdict(made.lines(), "--tournament", "--json")[1])["unshown"][0].startswith("signed")
    assert "not shown" not in verdict(made.lines())[1]
    # what is asked for besides is required
    status, said = verdict(made.lines(), "--tournament", "--require", "log")
    assert (status, "not checked    log: no policy" in said) == (3, True), said
    # with a policy the log is required
    policy = files("policy", write_policy())
    assert verdict(made.lines(proven=True), "--tournament", "--policy", policy)[0] == 0
    status, said = verdict(made.lines(), "--tournament", "--policy", policy)
    assert (status, "log (the file has no proof" in said) == (1, True), said
    nobody = PlayedEvent().whole(4, ())
    status, said = verdict(nobody.lines(), "--tournament")
    assert (status, "contributions (0 entrants contributed" in said) == (1, True), said


def test_a_game_that_was_played_in_vain(verdict):
    """A replayed table has two games, both in the file, and the ruling is named."""
    made = PlayedEvent(protest_ms=60_000)
    made.begin(4, EVERYBODY)
    made.play()
    vain = made.state.rounds[0].tables[0].game
    made.give("d1", asks.Rule("error", (Effect(replay=TableReference(1)),)))
    made.finish()
    status, said = verdict(made.lines())
    assert (status, "5 compared with their results" in said) == (0, True), said
    assert "round 1, table 1: ruling 1 of d1 (error) let the table play again; the game ended" in said
    lines = [*made.own_lines(), *made.game_lines(vain)]
    lines[0] = lines[0].replace(b'"games":5', b'"games":4')
    status, said = verdict(lines)
    assert (status, said.startswith(f"BAD: round 1, table 1: the game {vain} is missing")) == (1, True), said


def test_a_cancelled_event_names_what_was_not_played(verdict):
    """A table without a game is named, though no ruling speaks of it."""
    made = PlayedEvent()
    made.begin(4, EVERYBODY)
    made.link(1, 1)
    made.give("d1", asks.CancelTournament("technical"))
    (game,) = made.games.values()
    game.abandon()
    made.record_end(1, 1)
    made.house()
    status, said = verdict(made.lines())
    assert status == 0
    assert "never played   round 1, table 2: the tournament was cancelled" in said


def test_a_game_left_out_with_its_link(verdict):
    """Without its link, its result cannot be recorded: the first event that does not follow is named."""
    forged = ForgedEvent(event())
    del forged.bodies[forged.index("TableLinked", 1)]
    status, said = verdict(forged.lines())
    assert (status, "wrong_game" in said) == (1, True), said


# --- receipts, compare, evidence, revoked keys, the log ------------------------------------------------


def without_a_reveal():
    """The operator drops the reveal of e2, and goes on with the luck that follows."""
    made = PlayedEvent()
    made.give("d1", asks.OpenEntry())
    made.enter(4, contributing=EVERYBODY)
    made.give("d1", asks.CloseEntry())
    for number in (1, 3, 4):
        made.give(f"e{number}", asks.Reveal(contribution(number).hex()))
    return made.finish()


def held_for(made, kind, nth=0):
    """The receipt that somebody holds for an event."""
    found = [one for one in made.records if one.type == kind][nth]
    return receipt_line(receipt_of(made, found))


@pytest.mark.parametrize("kind", ["ContributionRevealed", "Entered", "RoundPaired", "TournamentClosed"])
def test_receipts_that_contradict_the_file(verdict, files, kind):
    """An acknowledged event that is another one, or is not there: exit status 4, with evidence."""
    held = files("held.ndjson", [held_for(event(), kind, -1)])
    assert verdict(event().lines(), "--receipts", held, "--require", "receipts")[0] == 0
    forged = without_a_reveal()
    assert verdict(forged.lines())[0] == 0
    if kind == "Entered":  # both tell alike so far
        assert verdict(forged.lines(), "--receipts", held)[0] == 0
        return
    proof = files("proof.ndjson", [])
    status, said = verdict(forged.lines(), "--receipts", held, "--evidence", proof)
    assert (status, said.startswith("EQUIVOCATION: event ")) == (4, True), said
    assert rutter("verify", proof, "--key", SIGNER.vkey)[0] == 4
    assert rutter("verify", proof, "--key", STRANGER.vkey)[0] == 1


def test_a_receipt_behind_the_end(verdict, files):
    """The tournament went on after the end that the file tells of."""
    made = event()
    last = made.records[-1]
    held = files("held.ndjson", [receipt_line(receipt_of(made, replace(last, seq=last.seq + 1)))])
    proof = files("proof.ndjson", [])
    status, said = verdict(made.lines(), "--receipts", held, "--evidence", proof)
    assert (status, f"but the tournament ends with event {last.seq}" in said) == (4, True), said
    assert rutter("verify", proof, "--key", SIGNER.vkey)[0] == 4


def test_a_running_file_that_ends_too_early(verdict, files):
    """It lacks an event that was acknowledged."""
    running = PlayedEvent()
    running.begin(4, EVERYBODY)
    lines = running.own_lines()
    running.play()
    held = files("held.ndjson", [held_for(running, "ResultRecorded")])
    status, said = verdict(lines, "--partial", "--receipts", held)
    assert (status, "ends before event" in said) == (1, True), said
    assert verdict(running.own_lines(), "--partial", "--receipts", held)[0] == 0


def test_receipts_are_counted(verdict, files):
    """Those of the tournament and of its games agree, others are of other games or of unknown keys."""
    made = event()
    (game, *_) = made.games.values()
    notes = [
        held_for(made, "Entered"),
        receipt_line(receipt_of(game.game, game.records[3])),
        receipt_line(receipt_of(Table().game, made.records[3])),
        receipt_line(receipt_of(made, made.records[3], STRANGER)),
    ]
    status, said = verdict(made.lines(), "--receipts", files("held.ndjson", notes))
    assert status == 0
    assert "1 agree, 1 of other games, 1 of unknown keys; 1 agree with its games\n" in said
    status, said = verdict(made.lines(), "--require", "receipts")
    assert (status, "receipts: no receipt of this tournament" in said) == (3, True), said


def test_compare(files):
    """Two files of one tournament tell one history, or the first event that differs is named."""
    made, forged = event(), without_a_reveal()
    one, two = files("one.ndjson", made.lines()), files("two.ndjson", forged.lines())
    assert rutter("compare", one, one, "--key", SIGNER.vkey)[0] == 0
    running = PlayedEvent()
    running.begin(4, EVERYBODY)
    early = files("early.ndjson", running.own_lines())
    status, said = rutter("compare", early, one, "--key", SIGNER.vkey)
    assert (status, "A is an earlier copy of B" in said) == (0, True), said
    assert rutter("compare", early, one)[0] == 3
    proof = files("proof.ndjson", [])
    status, said = rutter("compare", one, two, "--key", SIGNER.vkey, "--evidence", proof)
    assert (status, "A has ContributionRevealed" in said) == (4, True), said
    assert rutter("verify", proof, "--key", SIGNER.vkey)[0] == 4
    (game, *_) = made.games.values()
    assert rutter("compare", one, files("game.ndjson", game.lines()), "--key", SIGNER.vkey)[0] == 1


def test_the_log_of_all_games(verdict, files):
    """A proof of the last event is judged; a profile demands it of the tournament as of each game."""
    made = event()
    policy = files("policy", write_policy())
    proven = made.lines(proven=True)
    status, said = verdict(proven, "--policy", policy, "--require", "log", "--tournament")
    assert (status, "quorum holds (2 of 3)" in said) == (0, True), said
    status, said = verdict(proven, "--require", "log")
    assert (status, "no policy with a quorum was given" in said) == (3, True), said
    own = made.own_lines(proofs=[])
    lines = [*own, *made.game_lines(proven=True)]
    status, said = verdict(lines, "--policy", policy, "--require", "log")
    assert (status, "log (the file has no proof of the tournament's last event)" in said) == (1, True), said
    assert verdict(lines, "--policy", policy)[0] == 3
    lonely = made.own_lines(proofs=[prove_last(made.id, made.records, cosigned=1)])
    status, said = verdict([*lonely, *made.game_lines()], "--policy", policy)
    assert (status, "are not a quorum" in said) == (1, True), said
    forged = without_a_reveal()
    stolen = forged.own_lines(proofs=[(len(forged.records), prove_last(made.id, made.records)[1])])
    status, said = verdict([*stolen, *forged.game_lines()], "--policy", policy)
    assert (status, "does not show this history" in said) == (1, True), said


def test_the_own_part_is_compared_with_the_log():
    """`rutter audit --bundle` takes the bundle of a tournament, too: its entries are those of its batches."""
    read = read_bundle(event().lines())
    assert (read.game, list(read.ends)) == (event().id, list_ends(event().records))


def test_a_revoked_key(verdict, files):
    """What a stolen key signed counts only where the log held it before."""
    made = event()
    policy = files("policy", write_policy())
    size = len(made.records) + 40
    revoked = ("--revoked", f"{SIGNER.vkey}@{size}")
    assert verdict(made.lines(proven=True), "--policy", policy, *revoked)[0] == 0
    status, said = verdict(made.lines(proven=True), "--policy", policy, "--revoked", f"{SIGNER.vkey}@3")
    assert (status, "its key was revoked" in said) == (1, True), said
    lines = [*made.own_lines(), *made.game_lines(proven=True)]
    status, said = verdict(lines, "--policy", policy, *revoked)
    assert (status, "its key was revoked" in said) == (1, True), said


def test_an_event_begun_under_another_name(verdict):
    """The log was succeeded meanwhile: the first event names the old one, which --successor tells of."""
    new = STRANGER.__class__("rutter.example/new", b"new".ljust(32, b"."))
    made = event()
    lines = [*made.own_lines(new), *(line for game in made.games.values() for line in game.lines(new))]
    assert verdict(lines)[0] == 1
    succession = ("--successor", f"{SIGNER.vkey}={new.vkey}")
    assert verdict(lines, *succession)[0] == 0
    assert ORIGIN in SIGNER.vkey


# --- pairings by hand and by ratings ------------------------------------------------------------------


def test_a_pairing_by_hand_is_named(verdict):
    """What a director set is not said to be recomputed."""
    made = PlayedEvent()
    made.begin(4, EVERYBODY)
    made.play()
    made.house(asks.PairRound)
    made.give("d1", asks.SetPairing((("e1", "e2"), ("e3", "e4")), (), "schedule"))
    made.give("d1", asks.ForbidPair(("e4", "e1"), "conduct"))
    made.finish()
    status, said = verdict(made.lines())
    assert status == 0
    assert "every command decided again, every pairing but 1 set by hand recomputed" in said
    assert "pairings       round 2: set by d1 (schedule)" in said
    assert "pairings       e4 and e1 kept apart by d1 (conduct), before round 2" in said


def test_ratings_of_a_ladder_are_recomputed(verdict, files):
    """Where the export is given; else it is said that they were not."""
    made = ladder()
    status, said = verdict(made.lines())
    assert (status, "round 1: by ratings at position 100 of the rating export, NOT recomputed" in said) == (
        0,
        True,
    ), said
    status, said = verdict(made.lines(), "--ratings", files("pool.ndjson", export_of(made)))
    assert (status, "position 100 of the rating export, 4 of 4 recomputed" in said) == (0, True), said
    assert verdict(made.lines(), "--ratings", files("none.ndjson", [b"nothing\n"]))[0] == 2
    assert verdict(made.lines(), "--ratings", files("none.ndjson", [b'{"position": true}\n']))[0] == 2


@pytest.mark.parametrize(
    ("entrant", "rating", "told"),
    [
        ("e2", 1700, "e2 was paired by the rating 1700, but at position 100 of the export it is 1300"),
        ("e4", 1100, "e4 was paired by the rating 1100, but at position 100 of the export it is None"),
    ],
)
def test_ratings_that_the_server_made_up(verdict, files, entrant, rating, told):
    """The pairing follows from them, but they are not those of the export."""
    forged = ladder((entrant, rating))
    assert verdict(forged.lines())[0] == 0  # without the export it is said only
    status, said = verdict(forged.lines(), "--ratings", files("pool.ndjson", export_of(forged)))
    assert (status, f"BAD: round 1: {told}" in said) == (1, True), said


def test_ratings_between_which_a_private_game_lies(verdict, files):
    """The export leaves it out: then nothing is said of that rating, be it right or wrong."""
    forged = ladder(("e2", 1700))
    export = files("pool.ndjson", export_of(forged, gap=2))
    status, said = verdict(forged.lines(), "--ratings", export)
    assert (status, "3 of 4 recomputed" in said) == (0, True), said


def test_ratings_that_a_ruling_changed_since(verdict, files):
    """A game was voided after the pairing: the export of today does not tell what it said then."""
    forged = ladder(("e2", 1700))
    export = files("pool.ndjson", export_of(forged, recounted=101))
    status, said = verdict(forged.lines(), "--ratings", export)
    assert (status, "3 of 4 recomputed" in said) == (0, True), said
    export = files("pool.ndjson", export_of(forged, recounted=99))
    assert verdict(forged.lines(), "--ratings", export)[0] == 1


def test_no_director_gives_ratings(verdict):
    """A command of a director that brings ratings is refused, as is one without their place."""
    for by, command in (
        ("d1", {}),
        ("sys", {"type": "pair_round", "ratings": {"e1": 1500}}),
        ("d1", {"type": "pair_round", "ratings": {"e1": 1500}}),
        ("d1", {"type": "pair_round"}),
    ):
        forged = ForgedEvent(ladder())
        body = forged.bodies[forged.index("RoundPaired")]
        body["by"], body["command"] = by, {**(command or body["command"])}
        assert verdict(forged.lines())[0] == 1


# --- one draw a round ---------------------------------------------------------------------------------


def test_a_second_draw_of_a_round(verdict):
    """A pairing is drawn once: a second one with the next draw does not follow."""
    honest = PlayedEvent(schedule={"starts_at": add_milliseconds(BEGAN, HOUR)})
    honest.begin(4, EVERYBODY, until=asks.StartRound)
    leaver = honest.state.rounds[0].drawn.pods[0][0]
    honest.give(f"e{leaver}", asks.Withdraw())
    honest.finish()
    assert verdict(honest.lines())[0] == 0
    for by, told in (("d1", "round_open"), ("sys", "not_due")):
        forged = ForgedEvent(honest)
        again = {**forged.bodies[forged.index("RoundPaired")], "cmd": "0198f3b2-7c1a-4d3e-9a41-3f2b6c7d8e90"}
        at = forged.index("Withdrew") + 1
        forged.bodies.insert(at, {**again, "by": by, "at": forged.bodies[at - 1]["at"]})
        status, said = verdict(forged.lines())
        assert (status, told in said) == (1, True), said


def test_who_was_struck_sits_at_no_table(verdict):
    """The start of a round says who plays and who has a bye, as it follows from who has left."""
    honest = PlayedEvent(schedule={"starts_at": add_milliseconds(BEGAN, HOUR)})
    honest.begin(4, EVERYBODY, until=asks.StartRound)
    drawn = honest.state.rounds[0].drawn.pods
    honest.give(f"e{drawn[0][0]}", asks.Withdraw())
    honest.finish()
    for change in (
        lambda data: data.update(byes=[]),
        lambda data: data.update(pods=[[f"e{number}" for number in pod] for pod in drawn]),
        lambda data: data["pods"][0].reverse(),
    ):
        forged = ForgedEvent(honest)
        change(forged.bodies[forged.index("RoundStarted")]["data"])
        assert verdict(forged.lines())[0] == 1
