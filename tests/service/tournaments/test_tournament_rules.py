"""Who may do what in tournaments, and who sees what."""

import json
import uuid

import pytest

from events.base.timestamps import add_milliseconds
from events.proof.randomness import seat_commitment
from tests.service.examples import JSON
from tests.service.openapi.test_described import checked, description
from tests.service.organising import DUELS, Event

pytestmark = pytest.mark.integration


def test_settings_that_cannot_be_are_named_by_field(olga):
    """422 with the field and what to do; what has no such shape is told likewise."""
    answer = olga.send("POST", "/v1/tournaments", {**DUELS, "points": {"2": [1, 5]}})
    problem = answer.get_json()
    assert (answer.status_code, problem["code"]) == (422, "invalid_settings")
    assert list(problem["errors"]) == ["points.2"]
    assert olga.refused("POST", "/v1/tournaments", {**DUELS, "surplus": 1}) == (422, "invalid_parameters")
    wrong = {**DUELS, "schedule": {"starts_at": "tomorrow"}}
    assert olga.refused("POST", "/v1/tournaments", wrong) == (422, "invalid_parameters")
    for name, known in (("undo", "none"), ("talk", "all, none, phrases, public")):
        problem = olga.send("POST", "/v1/tournaments", {**DUELS, name: "loud"}).get_json()
        assert problem["errors"] == {name: [f"Must be one of: {known}."]}
    answer = olga.send("POST", "/v1/tournaments", {**DUELS, "title": "chess"})
    assert (answer.status_code, list(answer.get_json()["errors"])) == (422, ["title"])


@pytest.mark.parametrize(
    ("schedule", "by", "at"),
    [
        (None, "director", None),
        ({"starts_at": None}, "director", None),
        ({"starts_at": "2030-01-01T12:00:00Z"}, "server", "2030-01-01T12:00:00.000000Z"),
        ({"round": "manual", "starts_at": "2030-01-01T12:00:00Z"}, "director", None),
        ({"round": "fixed", "at": ["2030-01-02T12:00:00Z"]}, "server", "2030-01-02T12:00:00.000000Z"),
    ],
)
def test_the_answer_says_who_starts_the_first_round(olga, schedule, by, at):
    """Without a time it is the director, by `start_round`; a schedule with a time of its own says that."""
    settings = DUELS if schedule is None else {**DUELS, "schedule": schedule}
    made = olga.post("/v1/tournaments", settings, status=201)
    command = "start_round" if by == "director" else None
    assert made["first_round"] == {"started_by": by, "at": at, "command": command}


def test_a_creation_can_be_sent_again(olga):
    """The same key makes one tournament; with another wish it is refused, as is an id that is taken."""
    key = str(uuid.uuid4())
    first = olga.send("POST", "/v1/tournaments", DUELS, Idempotency_Key=key)
    again = olga.send("POST", "/v1/tournaments", DUELS, Idempotency_Key=key)
    assert first.get_json()["id"] == again.get_json()["id"]
    assert again.headers["Idempotency-Replayed"] == "true"
    other = {**DUELS, "bye_points": 1}
    assert olga.refused("POST", "/v1/tournaments", other, Idempotency_Key=key) == (
        409,
        "idempotency_key_reused",
    )


def test_who_may_enter(api, olga, players):
    """Once each; not before entry is open; programs only where they may; a key repeats the entry."""
    event = Event(olga, players)
    path = f"{event.path}/commands"
    assert players[0].refused("POST", path, {"type": "enter"}) == (409, "entry_closed")
    event.do("open_entry")
    first = players[0].send("POST", path, {"type": "enter"}, Idempotency_Key="one")
    again = players[0].send("POST", path, {"type": "enter"}, Idempotency_Key="one")
    assert first.get_json() == again.get_json()
    assert players[0].refused("POST", path, {"type": "enter"}) == (409, "already_entered")
    made = olga.post(
        "/v1/me/service_accounts", {"name": "Machine", "scopes": ["tournament:enter"]}, status=201
    )
    machine = type(olga)(api.app, made["token"], made["account"])
    assert machine.refused("POST", path, {"type": "enter"}) == (403, "not_eligible")
    assert players[1].refused("POST", path, {"type": "close_entry"}) == (403, "not_a_director")
    assert olga.refused("POST", path, {"type": "close_entry"}) == (409, "too_few_entrants")
    assert olga.refused("POST", path, {"type": "link_table"}) == (422, "unknown_command")
    assert olga.refused("POST", path, {"type": "withdraw"}) == (409, "not_entered")
    assert olga.refused("POST", path, {"type": "open_entry"}, If_Match='"1"') == (412, "version_conflict")
    reading = olga.post("/v1/me/tokens", {"label": "r", "scopes": ["game:read"]}, status=201)["token"]
    answer = type(olga)(api.app, reading).send("POST", path, {"type": "close_entry"})
    assert (answer.status_code, answer.get_json()["scope"]) == (403, "tournament:direct")


def test_who_may_enter_by_rating(olga, players):
    """Who has no rating yet is a novice; bounds on either side keep them out, or not."""
    for bounds, allowed in (({"least": 1600}, False), ({"most": 1400}, False), ({"least": 1500}, True)):
        event = Event(olga, players, entry={"rating": bounds})
        event.do("open_entry")
        if allowed:
            event.do("enter", by=players[0])
        else:
            refused = players[0].refused("POST", f"{event.path}/commands", {"type": "enter"})
            assert refused == (403, "not_eligible")


def test_contributions_are_committed_and_shown(olga, players):
    """The formula that the description gives is the one that is checked; who is overtaken is told so."""
    event = Event(olga, players)
    event.do("open_entry")
    secret = bytes(range(32))
    made = seat_commitment(uuid.UUID(event.id).bytes, "e1", secret).hex()
    wrong = {"type": "enter", "commitment": made, "entrant": "e2"}
    assert players[0].refused("POST", f"{event.path}/commands", wrong) == (412, "version_conflict")
    event.do("enter", by=players[0], commitment=made, entrant="e1")
    event.do("enter", by=players[1])
    event.do("close_entry")
    other = {"type": "reveal", "contribution": "00" * 32}
    assert players[0].refused("POST", f"{event.path}/commands", other) == (409, "commitment_mismatch")
    event.do("reveal", by=players[0], contribution=secret.hex())
    event.house()
    assert event.get("/entrants")["entrants"][0]["revealed"] is True


def test_strangers_learn_nothing_of_a_clubs_tournament(api, olga, players):
    """Members see it and its games; for all others every address answers as for one that there is not."""
    club = olga.post("/v1/clubs", {"name": "Navigators"}, status=201)["id"]
    for player in players[:2]:
        olga.call("PUT", f"/v1/clubs/{club}/members/{player.me['id']}", {})
    event = Event(olga, players[:2], club=club, stages=[{"format": "swiss_pods", "rounds": 1}])
    event.begin()
    table, stranger = event.tables()[0], api.account("Stranger")
    assert players[1].get(event.path)["visibility"] == "private"
    nowhere = f"/v1/tournaments/{uuid.uuid4()}"
    for what in ("", "/events", "/history", "/entrants", "/rounds", "/rounds/1", "/standings", "/disputes",
                 "/audit", "/export", "/stream", "/invitations"):  # fmt: skip
        hidden, missing = (stranger.send("GET", base + what) for base in (event.path, nowhere))
        assert (hidden.status_code, hidden.data) == (404, missing.data), what
    assert stranger.refused("POST", f"{event.path}/commands", {"type": "enter"}) == (
        404,
        "unknown_tournament",
    )
    assert stranger.refused("GET", f"/v1/games/{table['game']}") == (404, "unknown_game")
    assert event.id not in str(stranger.get("/v1/tournaments"))
    assert [one["id"] for one in olga.get(f"/v1/tournaments?club={club}")["tournaments"]] == [event.id]
    member = api.account("Member")
    olga.call("PUT", f"/v1/clubs/{club}/members/{member.me['id']}", {})
    assert member.get(f"/v1/games/{table['game']}")["status"] == "running"


def test_an_invitation_opens_a_private_tournament(api, olga):
    """Those who have it may enter, and see it from then on; used up it is refused."""
    event = Event(olga, [], visibility="private")
    event.do("open_entry")
    made = olga.post(f"{event.path}/invitations", {"uses": 1}, status=201)["invitation"]
    guest, late = api.account("Guest"), api.account("Late")
    assert guest.refused("GET", event.path) == (404, "unknown_tournament")
    event.do("enter", by=guest, invitation=made)
    assert guest.get(event.path)["you"]["entrant"] == "e1"
    wish = {"type": "enter", "invitation": made}
    assert late.refused("POST", f"{event.path}/commands", wish) == (403, "invitation_spent")


def test_directors_are_named_and_play_no_judge_of_themselves(api, olga, players):
    """A new director runs the games too; nobody rules about their own table; an assistant only warns."""
    event = Event(olga, players)
    event.begin()
    game = event.tables()[0]["game"]
    dora = api.account("Dora")
    assert dora.refused("POST", f"{event.path}/commands", {"type": "close_stage"}) == (403, "not_a_director")
    event.do("name_director", role="director", account=dora.me["id"])
    pause = {
        "type": "table_pause",
        "until": add_milliseconds(olga.app.extensions["rutter"].games.now(), 600_000),
        "cause": "other",
    }
    dora.post(f"/v1/games/{game}/commands", pause)
    dora.post(f"/v1/games/{game}/commands", {"type": "table_resume"})
    event.do("name_director", role="director", account=players[0].me["id"])
    mine = next(t for t in event.tables() if "e1" in t["holders"])
    wish = {
        "type": "rule",
        "kind": "result",
        "effects": [{"result": {"table": mine["table"], "places": [1, 2]}}],
    }
    assert players[0].refused("POST", f"{event.path}/commands", wish) == (403, "own_table")
    event.do("name_director", role="assistant", director="d2")
    assert dora.refused("POST", f"{event.path}/commands", wish) == (403, "not_a_director")
    event.do("rule", by=dora, kind="conduct", effects=[{"warn": {"entrant": "e1"}}], text="Late again.")
    ruled = event.get("/disputes")["rulings"][0]
    assert (ruled["by"], ruled["text"]) == ("d2", "Late again.")


def test_what_a_tournament_answers_is_described(olga, players):
    """Everything that is told of one under way, of a title that is served."""
    event = Event(olga, players, title="colonial_empires")
    olga.post(f"{event.path}/invitations", {"uses": 2}, status=201)
    event.begin()
    event.do("rule", kind="conduct", effects=[{"warn": {"entrant": "e1"}}], text="Late again.")
    for path, methods in description()["paths"].items():
        content = methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        if path.startswith("/v1/tournaments") and JSON in content:
            told = olga.get(path.format(tournament=event.id, number=1))
            checked(json.dumps(content[JSON]["schema"])).validate(told)


def test_what_comes_too_late_or_from_the_wrong_one_is_refused(api, olga, players):
    """A dispute about a result that stands, a pairing that leaves somebody out, an appeal to who ruled."""
    event = Event(olga, players)
    path = f"{event.path}/commands"
    event.do("open_entry")
    for player in players:
        event.do("enter", by=player)
    event.do("close_entry")
    event.house()
    lacking = {"type": "set_pairing", "pods": [["e1", "e2"]], "byes": ["e3"], "cause": "error"}
    assert olga.refused("POST", path, lacking) == (409, "not_a_partition")
    event.do("start_round")
    event.house()
    table = event.tables()[0]
    event.play(table)
    event.house()
    complaint = {"type": "raise_dispute", "table": table["table"], "text": "Not so."}
    by = players[int(table["holders"][0][1:]) - 1]
    assert by.refused("POST", path, complaint) == (409, "too_late")
    slow, dora = Event(olga, players, protest_ms=600_000), api.account("Dora")
    slow.begin()
    slow.do("name_director", role="director", account=dora.me["id"])
    slow.do("rule", by=dora, kind="conduct", effects=[{"warn": {"entrant": "e1"}}])
    slow.do("appeal", by=players[0], ruling=1, text="I was there.")
    decision = {"type": "rule", "kind": "appeal", "ruling": 1}
    assert dora.refused("POST", f"{slow.path}/commands", decision) == (403, "not_a_director")
    assert slow.do("rule", kind="appeal", ruling=1)["events"][0]["data"]["appeal"] == 1


def test_who_withdraws_leaves_their_game(olga, players):
    """Their seat is vacated, a bot plays on; they are not paired again and return only if let."""
    event = Event(olga, players, absence={"least_people": 2})
    event.begin()
    table = next(t for t in event.tables() if "e2" in t["holders"])
    event.do("withdraw", by=players[1])
    event.house()
    game = olga.get(f"/v1/games/{table['game']}")
    assert game["ended_by"] == "abandoned"  # of two one is not enough
    state = event.get("/rounds/1")["tables"][table["table"] - 1]
    assert state["status"] == "ended"
    wish = [
        {"result": {"table": table["table"], "places": [1, 2] if table["holders"][0] != "e2" else [2, 1]}}
    ]
    event.do("rule", kind="forfeit", effects=wish, text="They left.")
    players[1].refused("POST", f"{event.path}/commands", {"type": "withdraw"})
    event.do("return_entrant", entrant="e2")
    assert event.get("/entrants")["entrants"][1]["status"] == "playing"


def test_the_reserve_plays_on_by_itself(olga, players):
    """Those who withdraw leave their game; the first of the reserve takes the seat, and it goes on."""
    event = Event(
        olga,
        players,
        title="colonial_empires",
        table={"size": 3, "least": 3},
        entry={"most": 3, "reserve": 1},
        stages=[{"format": "swiss_pods", "rounds": 1}],
    )
    event.begin()
    assert event.get("/entrants")["entrants"][3]["status"] == "reserve"
    table = event.tables()[0]
    seat = table["holders"].index("e2")
    event.do("withdraw", by=players[1])
    event.house()
    assert event.tables()[0]["holders"][seat] == "e4"
    assert event.tables()[0]["entrants"][seat] == "e2"
    told = event.get("/entrants")["entrants"][3]
    game = olga.get(f"/v1/games/{table['game']}")
    assert (game["status"], game["seats"][seat]["account"]) == ("running", told["account"])
    assert told["status"] == "playing"


def test_spectators_see_results_when_they_may(api, olga, players):
    """With a delay events and standings stop before the first result that is too new; players see on."""
    event = Event(olga, players[:2], delay={"ms": 600_000}, stages=[{"format": "swiss_pods", "rounds": 1}])
    event.begin()
    event.play(event.tables()[0])
    event.house()
    watcher = api.account("Watcher")
    full, seen = players[0].get(event.path), watcher.get(event.path)
    assert full["status"] == "finished"
    assert seen["status"] == "running"
    kinds = [one["type"] for one in watcher.get(f"{event.path}/events?limit=1000")["events"]]
    assert "ResultRecorded" not in kinds
    assert kinds[-1] == "TableLinked"
    assert watcher.get(f"{event.path}/standings")["seq"] == seen["seq"]
    assert watcher.get(f"{event.path}/rounds")["rounds"][0]["tables"][0]["status"] == "playing"
    listed = watcher.get("/v1/tournaments?limit=1000")["tournaments"]
    assert next(one for one in listed if one["id"] == event.id)["status"] == "running"


def test_mine_are_those_that_i_entered_or_run(api, olga, players):
    """And nobody else's; the list is narrowed by status and title."""
    event = Event(olga, players[:1])
    event.do("open_entry")
    event.do("enter", by=players[0])
    olga.project()
    for who, there in ((olga, True), (players[0], True), (api.account(), False)):
        found = {one["id"] for one in who.get("/v1/tournaments?mine=true&limit=1000")["tournaments"]}
        assert (event.id in found) == there
    assert event.id in {
        one["id"] for one in olga.get("/v1/tournaments?status=open&title=example")["tournaments"]
    }
    assert olga.get("/v1/tournaments?title=colonies")["tournaments"] == []


def test_an_account_can_be_deleted_and_all_holds(api, olga, players):
    """Who is deleted withdraws; the list says `Entrant 1`; an export told of it before."""
    event = Event(olga, players)
    gone = api.account("Gone")
    event.do("open_entry")
    event.do("enter", by=gone)
    assert [one["tournament"] for one in gone.get("/v1/me/export")["entries"]] == [event.id]
    gone.call("DELETE", "/v1/me", {"confirm": "Gone"}, status=204)
    told = event.get("/entrants")["entrants"][0]
    assert (told["name"], told["account"], told["status"]) == ("Entrant 1", None, "withdrawn")
