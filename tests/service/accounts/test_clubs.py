"""Clubs: who belongs to one, whose games they are, and that strangers learn nothing."""

import uuid

import pytest

from tests.service.addresses import said
from tests.service.factories import GameRequest, Open, You

pytestmark = pytest.mark.integration


@pytest.fixture
def people(api):
    """An owner, a manager, a member, a stranger, and their club."""
    owner, manager, member, stranger = (api.account(name) for name in ("Olga", "Max", "Mia", "Sam"))
    club = owner.post("/v1/clubs", {"name": "Lisbon Navigators"}, status=201)["id"]
    put(owner, club, manager, "manager")
    put(manager, club, member)
    return owner, manager, member, stranger, club


def put(by, club, who, role="member", **settings):
    return by.call("PUT", f"/v1/clubs/{club}/members/{who.me['id']}", {"role": role}, **settings)


def make(api, club, *seats, **more):
    body = {**GameRequest(seats=[You(), *seats]), "club": club, **more}
    return api.post("/v1/games", body, status=201)["id"]


def listed(api, address):
    return [one["id"] for one in api.get(address)["games"]]


def test_a_club_has_owners_managers_and_members(people):
    """Managers take members in and out, owners say who manages, and one owner always stays."""
    owner, manager, member, stranger, club = people
    address = f"/v1/clubs/{club}"
    assert {**member.get(address), "made_at": 0} == {
        "id": club, "name": "Lisbon Navigators", "role": "member", "members": 3, "made_at": 0,
    }  # fmt: skip
    assert [(one["account"]["name"], one["role"]) for one in member.get(f"{address}/members")["members"]] == [
        ("Olga", "owner"), ("Max", "manager"), ("Mia", "member"),
    ]  # fmt: skip
    assert member.get(f"{address}/members/{manager.me['id']}")["role"] == "manager"
    assert [one["id"] for one in manager.get("/v1/clubs")["clubs"]] == [club]

    def refused(by, who, method="PUT", **body):
        return by.refused(method, f"{address}/members/{who.me['id']}", *([body] if method == "PUT" else []))

    assert refused(member, stranger) == (403, "not_a_manager")
    assert refused(manager, stranger, role="manager") == (403, "not_a_manager")
    assert refused(manager, owner, "DELETE") == (403, "not_a_manager")
    assert refused(owner, owner, role="member") == (409, "last_owner")
    assert refused(owner, owner, "DELETE") == (409, "last_owner")
    assert refused(owner, stranger, "DELETE") == (404, "unknown_account")
    put(owner, club, manager, "owner")
    owner.call("DELETE", f"{address}/members/{owner.me['id']}", status=204)
    assert owner.refused("GET", address) == (404, "unknown_club")
    assert member.refused("DELETE", address) == (403, "not_a_manager")
    manager.call("DELETE", address, status=204)
    assert member.get("/v1/clubs")["clubs"] == []


def test_a_club_is_made_once_for_each_key(ada):
    first, again = (ada.post("/v1/clubs", {"name": "One"}, status=201, Idempotency_Key="k") for _ in "ab")
    assert first == again
    other = ada.refused("POST", "/v1/clubs", {"name": "Two"}, Idempotency_Key="k")
    assert other == (409, "idempotency_key_reused")


def test_strangers_cannot_tell_a_club_from_none(people, api):
    """Every address below it answers them as for a random id, in bytes and headers."""
    *_, stranger, club = people
    nothing, account = str(uuid.uuid4()), stranger.me["id"]
    paths = api.get("/openapi.json")["paths"]
    bodies = {"join": {"invitation": "inv_x"}, "members/{account}": {}, "invitations": {}}
    tried = 0
    for path, methods in paths.items():
        if not path.startswith("/v1/clubs/{club}"):
            continue
        filled = path.replace("{account}", account).replace("{invitation}", account)
        for method in methods.keys() - {"parameters"}:
            body = (
                bodies.get(path.removeprefix("/v1/clubs/{club}/"), {}) if method in ("post", "put") else ...
            )
            one, other = (
                said(stranger.send(method.upper(), filled.replace("{club}", each), body))
                for each in (club, nothing)
            )
            assert one == other, (method, path)
            assert one[0] == 404, (method, path)
            tried += 1
    assert tried >= 11
    body = {**GameRequest(), "club": club}
    assert said(stranger.send("POST", "/v1/games", body)) == said(
        stranger.send("POST", "/v1/games", {**body, "club": nothing})
    )


def test_its_games_are_its_members_alone(people, api):
    """Private to them; they sit down; its managers direct it as long as they do not play at it."""
    owner, manager, member, stranger, club = people
    game = make(member, club, Open(), Open())
    api_list = f"/v1/clubs/{club}/games"
    owner.project()
    for one in (owner, manager, member):
        assert listed(one, api_list) == [game]
        assert one.get(f"/v1/games/{game}")["visibility"] == "private"
    assert stranger.refused("GET", f"/v1/games/{game}") == (404, "unknown_game")
    assert [game in listed(one, "/v1/games?mine=true&role=director") for one in (owner, manager)] == [
        True
    ] * 2
    assert listed(member, "/v1/games?mine=true&role=seat") == [game]
    public = {**GameRequest(), "club": club, "visibility": "public"}
    assert member.refused("POST", "/v1/games", public) == (409, "invalid_terms")
    manager.post(f"/v1/games/{game}/join", {})
    owner.post(f"/v1/games/{game}/join", {"seat": 2})
    end = {"type": "table_end", "cause": "agreement"}
    assert manager.refused("POST", f"/v1/games/{game}/commands", end) == (403, "own_table")
    deputy = api.account("Dee")
    put(owner, club, deputy, "manager")
    assert deputy.post(f"/v1/games/{game}/commands", end)["events"][-1]["type"] == "TableAbandoned"


def test_its_managers_direct_beside_those_who_are_named(people, api):
    """In the log they are the last of the directors."""
    owner, manager, member, _, club = people
    referee = api.account("Ref")
    game = make(member, club, Open(), directors=[referee.me["id"]])
    assert member.get(f"/v1/games/{game}")["directors"] == 2
    owner.post(f"/v1/games/{game}/join", {})
    end = {"type": "table_end", "cause": "agreement"}
    assert member.refused("POST", f"/v1/games/{game}/commands", end)[0] == 403
    told = manager.post(f"/v1/games/{game}/commands", end)["events"][-1]
    assert told["data"]["by"] == "d2"


def test_anyone_who_is_invited_becomes_a_member(people, api):
    """Once for each use; what is no invitation tells a stranger nothing."""
    owner, manager, member, stranger, club = people
    address = f"/v1/clubs/{club}"
    assert member.refused("POST", f"{address}/invitations", {}) == (403, "not_a_manager")
    made = manager.post(f"{address}/invitations", {"uses": 1}, status=201)
    body = {"invitation": made["invitation"]}
    wrong = {"invitation": made["invitation"][:-1] + ("a" if made["invitation"][-1] != "a" else "b")}
    assert stranger.refused("POST", f"{address}/join", wrong) == (404, "unknown_club")
    assert member.refused("POST", f"{address}/join", wrong) == (403, "invitation_unknown")
    assert member.post(f"{address}/join", body)["role"] == "member"
    assert manager.get(f"{address}/invitations")["invitations"][0]["used"] == 0
    assert [stranger.post(f"{address}/join", body)["role"] for _ in "ab"] == ["member"] * 2
    assert manager.get(f"{address}/invitations")["invitations"][0]["used"] == 1
    assert api.account("Late").refused("POST", f"{address}/join", body) == (403, "invitation_spent")
    owner.call("DELETE", f"{address}/invitations/{made['id']}", status=204)


def test_the_end_of_a_club_leaves_its_games_to_their_seats(people):
    """Who sits there sees and plays on; the others have no such game any more."""
    owner, manager, member, _, club = people
    game = make(member, club, Open())
    owner.post(f"/v1/games/{game}/join", {})
    assert manager.get(f"/v1/games/{game}")["status"] == "running"
    owner.call("DELETE", f"/v1/clubs/{club}", status=204)
    assert manager.refused("GET", f"/v1/games/{game}") == (404, "unknown_game")
    assert [one.get(f"/v1/games/{game}")["visibility"] for one in (owner, member)] == ["private"] * 2


def test_a_club_outlives_the_account_of_its_owner(people):
    """Who manages it, or else has belonged to it for the longest time, owns it then; nobody left, it goes."""
    owner, manager, member, _, club = people
    assert [one["id"] for one in owner.get("/v1/me/export")["clubs"]] == [club]
    owner.call("DELETE", "/v1/me", {"confirm": "Olga"}, status=204)
    assert manager.get(f"/v1/clubs/{club}")["role"] == "owner"
    manager.call("DELETE", "/v1/me", {"confirm": "Max"}, status=204)
    assert member.get(f"/v1/clubs/{club}")["role"] == "owner"
    member.call("DELETE", "/v1/me", {"confirm": "Mia"}, status=204)
