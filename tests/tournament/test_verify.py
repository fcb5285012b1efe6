"""Forged tournaments: the holder of the server's key writes anything, chains it again, and is found out."""

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from events.proof import canonical
from events.proof.randomness import mix, sha
from events.table.record import Record
from events.tournament import commands as asks
from events.tournament import table_games
from events.tournament.facts import Effect, EntrantReference
from events.tournament.outcomes import PlayedGame
from events.tournament.table_games import GameSlot
from events.verify import BadBundle
from events.verify.tournaments.verification import verify_tournament
from tests.tournament.recording import DUELS, Recorded, bytes_of, opening_of

SERVICE = "rutter.example/log"
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "tables.json").read_text())
SALT = bytes(range(16))
WORDS = "They stayed away without a word."


@pytest.fixture(scope="module")
def event():
    """A tournament of sixteen that is over, with a ruling whose reason was written down."""
    recorded = Recorded(name=canonical.part_digest(SALT, canonical.encode("Lisbon Open")))
    recorded.begin(16, (1, 2, 3))
    recorded.play()
    text = canonical.part_digest(SALT, canonical.encode(WORDS))
    recorded.give("d1", asks.Rule("conduct", (Effect(warn=EntrantReference("e5")),), text=text))
    while not recorded.state.over:
        recorded.house()
        recorded.play()
    return recorded


def forged(recorded, kind, change, number=0):
    """The records when the event *number* of that *kind* says something else, all of it chained again."""
    at = [record.seq for record in recorded.records if record.type == kind][number]
    made, head = [], canonical.genesis(recorded.id)
    for record in recorded.records:
        body = msgspec.json.decode(record.body)
        if record.seq == at:
            change(body)
        text = canonical.encode(body)
        head = canonical.link(head, text)
        made.append(Record(record.seq, body["t"], text, head, body["cmd"]))
    return made


def games_of(recorded):
    """What honest games of *recorded* say."""
    return {
        table.game: PlayedGame(
            table.game,
            100,
            bytes_of("end", table.game).hex(),
            True,
            table.result.places,
            table.result.scores,
            table.result.left,
            opening_of(recorded, one, table),
        )
        for one in recorded.state.rounds
        for table in one.tables
    }


def test_the_honest_one(event):
    """Untouched it holds, with its games, and while it ran; erased texts are counted."""
    texts = {(1, "name"): (SALT, "Lisbon Open")}
    report = verify_tournament(event.id, event.records, SERVICE, games=games_of(event), texts=texts)
    assert (report.games, report.tables, report.texts, report.erased) == (16, 16, 2, 1)
    for count in (1, 20, 40, 60):
        assert not verify_tournament(event.id, event.records[:count], SERVICE, partial=True).whole


@pytest.mark.parametrize("talk", ["public", "phrases"])
def test_games_that_talk_as_the_settings_say(talk):
    """A tournament whose games take messages verifies; a game that began with other talk is named."""
    recorded = Recorded(DUELS, talk=talk).whole(2, ())
    assert verify_tournament(recorded.id, recorded.records, SERVICE, games=games_of(recorded)).games == 2
    silent = replace(recorded.state, settings=replace(recorded.state.settings, talk="none"))
    recorded.state = silent
    with pytest.raises(BadBundle, match=r"^round 1, table 1: "):
        verify_tournament(recorded.id, recorded.records, SERVICE, games=games_of(recorded))


def test_a_result_that_the_game_did_not_have(event):
    """A result changed with its command, the chain signed again: round and table are named."""
    records = [record for record in event.records if record.type == "ResultRecorded"]
    told = [msgspec.json.decode(record.envelope().data) for record in records]
    number = next(n for n, data in enumerate(told) if (data["round"], data["table"]) == (3, 2))

    def change(body):
        for part in (body["data"], body["command"]):
            part["places"] = part["places"][::-1]

    with pytest.raises(BadBundle, match=r"^round 3, table 2: the game .* ended otherwise"):
        verify_tournament(
            event.id, forged(event, "ResultRecorded", change, number), SERVICE, games=games_of(event)
        )


def exchanged(body):
    """Two entrants change tables."""
    pods = body["data"]["pods"]
    pods[0][0], pods[1][0] = pods[1][0], pods[0][0]


def digest_too(body):
    """Two entrants change tables, and the digest says so."""
    exchanged(body)
    data = body["data"]
    data["digest"] = sha(canonical.encode({"byes": data["byes"], "pods": data["pods"]})).hex()


@pytest.mark.parametrize(
    ("kind", "number", "change", "told"),
    [
        ("RoundPaired", 1, exchanged, r"^round 2: table 1: .* are drawn to it"),
        ("RoundPaired", 1, digest_too, r"^round 2: table 1: .* are drawn to it"),
        ("RoundPaired", 1, lambda b: b["data"]["draw"].update(k=9), r"^round 2: .*its draw"),
        ("RoundPaired", 0, lambda b: b["data"].update(repeats=1), r"^round 1: .*its repeats"),
        ("RoundClosed", 2, lambda b: b["data"].update(standings="00" * 32), r"^round 3: .*its standings"),
        ("TournamentClosed", 0, lambda b: b["data"].update(standings="00" * 32), "its standings"),
        ("TournamentClosed", 0, lambda b: b["data"]["disclosed"].update(tables="00" * 32), "do not fit"),
        ("TournamentClosed", 0, lambda b: b["data"]["disclosed"].update(anchor="xy"), "secret anchor"),
        ("TournamentOpened", 0, lambda b: b["data"].update(version=7), "version"),
        (
            "TournamentOpened",
            0,
            lambda b: b["data"]["settings"].update(bye_points=4000),
            "it cannot be read: ",
        ),
        (
            "TournamentOpened",
            0,
            lambda b: b["data"]["settings"].update(undo="own"),
            "cannot be read: .*undo",
        ),
        (
            "TournamentOpened",
            0,
            lambda b: b["data"]["settings"].update(talk="loud"),
            "cannot be read: .*talk",
        ),
        ("TournamentOpened", 0, lambda b: b["data"]["settings"].pop("talk"), "its settings"),
        ("TournamentOpened", 0, lambda b: b["data"].update(surplus=1), "its"),
        ("RandomnessFixed", 0, lambda b: b["data"].update(mix="00" * 32), "its mix"),
        ("Entered", 3, lambda b: b["data"].update(commitment="00" * 32), "its commitment"),
        ("Ruled", 0, lambda b: b.update(by="d2"), "refuse this command"),
        ("EntryClosed", 0, lambda b: b.update(by="e1"), "refuse this command"),
        ("EntryClosed", 0, lambda b: b.update(by="sys"), "not_due"),
        ("EntryClosed", 0, lambda b: b.update(at="2020-01-01T00:00:00.000000Z"), "runs backwards"),
        ("EntryClosed", 0, lambda b: b.update(by="p1"), "not a participant of a tournament"),
        ("EntryClosed", 0, lambda b: b["command"].update(surplus=1), "it cannot be read: "),
        ("EntryClosed", 0, lambda b: b.pop("command"), "no command"),
        ("EntryClosed", 0, lambda b: b.update(v=True), "its v"),
        ("EntryClosed", 0, lambda b: b.update(t="Sailed"), "no such event"),
        ("EntryClosed", 0, lambda b: b.update(draws={"hidden": 1}), "missing or unknown members"),
        ("RoundStarted", 1, lambda b: b["data"]["games"].reverse() or b["data"]["games"].pop(), r"^round 2"),
        ("TableLinked", 5, lambda b: b["data"].update(head="00" * 32), r"^round 2, table 2: .*its head"),
        ("ResultConfirmed", 0, lambda b: b["data"].update(by="e1"), r"^round 1, table 1: .*its by"),
    ],
)
def test_forgeries(event, kind, number, change, told):
    """Whatever is changed, the first thing that does not hold is named."""
    with pytest.raises(BadBundle, match=told):
        verify_tournament(event.id, forged(event, kind, change, number), SERVICE)


def test_what_is_left_out(event):
    """A stream that breaks off, lacks an event, or goes on after its end."""
    with pytest.raises(BadBundle, match="not over"):
        verify_tournament(event.id, event.records[:-1], SERVICE)
    with pytest.raises(BadBundle, match="another event"):
        verify_tournament(event.id, [*event.records[:9], *event.records[10:]], SERVICE)
    with pytest.raises(BadBundle):
        verify_tournament(event.id, [*event.records, event.records[-1]], SERVICE)
    with pytest.raises(BadBundle, match="service"):
        verify_tournament(event.id, event.records, "another.example/log")


def test_a_draw_off_the_chain(event):
    """While it runs a draw that does not lead back to the commitment is found out."""
    records = forged(event, "RoundPaired", lambda b: b["data"]["draw"].update(s="00" * 32), 0)[:40]
    with pytest.raises(BadBundle, match="draw 1"):
        verify_tournament(event.id, records, SERVICE, partial=True)


def test_texts_that_were_changed(event):
    """Words that nobody wrote do not fit their digest."""
    seq = next(record.seq for record in event.records if record.type == "Ruled")
    verify_tournament(event.id, event.records, SERVICE, texts={(seq, "text"): (SALT, WORDS)})
    with pytest.raises(BadBundle, match="not what was written"):
        verify_tournament(event.id, event.records, SERVICE, texts={(seq, "text"): (SALT, "They were late.")})


@pytest.mark.parametrize("case", VECTORS["games"])
def test_vectors_of_tables(case):
    """Key, secrets, contributions and mix of a table are those listed."""
    at = GameSlot(case["stage"], case["round"], case["table"], case["attempt"])
    key = bytes.fromhex(VECTORS["tournament_key"])
    secrets = table_games.derive_secrets(bytes.fromhex(VECTORS["k_t"]), at)
    given = [table_games.derive_contribution(bytes.fromhex(u), at) for u in VECTORS["contributions"]]
    assert table_games.derive_key(key, at).hex() == case["key"]
    assert {name: getattr(secrets, name).hex() for name in table_games.SECRET_NAMES} == case["secrets"]
    assert [u.hex() for u in given] == case["contributions"]
    closing = bytes.fromhex(VECTORS["entry_closed"])
    named = [(f"p{seat}", u) for seat, u in enumerate(given)]
    assert mix(table_games.derive_key(key, at), closing, named).hex() == case["mix"]
