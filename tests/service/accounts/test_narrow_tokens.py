"""Every operation with every narrow token: what is private is shown, and changed, only to tokens for it."""

import uuid

import pytest

from service.base.scopes import SCOPES
from tests.service.client import Api
from tests.service.factories import GameRequest
from tests.service.organising import DUELS

pytestmark = pytest.mark.integration

ELSEWHERE = "for another game"
HERE = "for this game"
READ = {"game:read", HERE}
"""The tokens that see a private game; the two that are for one game have all scopes."""
ENTRY = {"game:read", "tournament:enter", "tournament:direct"}


def _spread(table):
    """Return a table by operation from one by several, whose names stand in one text."""
    return {name: kinds for names, kinds in table.items() for name in names.split()}


SHOWN = _spread(
    {
        "me list_my_games": READ,
        "list_games export_events export_games": {"game:read"},
        "get_game get_table get_roster get_decisions get_events get_history get_receipt get_audit": READ,
        "get_position get_imagined get_advice get_review get_game_rating get_proof": READ,
        "get_war_odds stream_game": READ,
        "get_notes": READ,
        "list_messages get_talk_audit": READ,
        "list_mutes": {"account:write"},
        "list_invitations_to_game": {"game:direct", HERE},
        "list_clubs get_club list_club_games list_members get_member": {"game:read"},
        "list_invitations_to_club": {"game:direct"},
        "list_tournaments list_my_tournaments get_tournament list_entrants list_rounds get_round": ENTRY,
        "list_disputes get_standings export_tournament get_tournament_events get_tournament_history": ENTRY,
        "get_tournament_receipt get_tournament_audit stream_tournament get_tournament_proof": ENTRY,
        "list_club_tournaments": {"game:read"},
        "list_invitations_to_tournament": {"tournament:direct"},
        "list_turns list_notices stream_me": {"game:read"},
        "export_me": set(),  # needs two scopes
        "list_service_accounts": {"account:write"},
        "list_webhooks list_deliveries list_push_subscriptions": {"webhook:write"},
        "list_tokens get_recovery": {"token:write"},
        "get_vacation": {*SCOPES, HERE, ELSEWHERE},  # it belongs to the account, and names no game
    }
)
"""The tokens that are shown what is private, by operation; all other operations show nothing private."""
BETWEEN = {
    "list_my_games": ("/v1/games?mine=true", "list_games"),
    "list_my_tournaments": ("/v1/tournaments?mine=true", "list_tournaments"),
    "list_club_tournaments": ("/v1/tournaments?club={club}", "list_tournaments"),
}
"""Lists that one operation has beside its own."""
LISTS = {
    "me",
    "list_games",
    "list_my_games",
    "export_events",
    "export_games",
    "list_clubs",
    "list_tournaments",
}
LISTS |= {"list_my_tournaments", "list_club_tournaments"}
"""Operations that answer everybody, with more for those who may see it."""
CHANGED = _spread(
    {
        "change_me delete_me delete_service_account take_vacation end_vacation": {"account:write"},
        "create_token revoke_token rotate_token revoke_recovery_codes": {"token:write"},
        "create_service_account create_recovery_codes fork_game": set(),  # need several scopes
        "create_webhook change_webhook delete_webhook rotate_webhook test_webhook": {"webhook:write"},
        "redeliver create_push_subscription delete_push_subscription": {"webhook:write"},
        "create_game": {"game:create"},
        "delete_fork": {"game:create", HERE},
        "narrow_game invite_to_game revoke_invitation_to_game": {"game:direct", HERE},
        "join_game reveal_contribution start_game give_command put_notes": {"game:play", HERE},
        "say erase_message": {"game:play", HERE},
        "report_message": READ,
        "mute unmute": {"account:write"},
        "create_club delete_club put_member remove_member invite_to_club": {"game:direct"},
        "revoke_invitation_to_club": {"game:direct"},
        "join_club": {"game:play"},
        "create_tournament invite_to_tournament revoke_invitation_to_tournament": {"tournament:direct"},
        "give_tournament_command": {"tournament:direct"},
    }
)
"""The tokens that may change something, by operation."""
BODIES = {
    "change_me": {"name": "Eve"},
    "create_token": {"label": "more", "scopes": ["game:read"]},
    "take_vacation": {"until": "2999-01-01T00:00:00Z"},
    "create_webhook": {"url": "https://example.org/hook"},
    "change_webhook": {"enabled": False},
    "create_push_subscription": {
        "endpoint": "https://push.example.org/a",
        "keys": {"p256dh": "", "auth": ""},
    },
    "narrow_game": {"visibility": "private"},
    "reveal_contribution": {"contribution": "00" * 32},
    "put_notes": {"notes": []},
    "give_command": {"type": "table_leave"},
    "say": {"text": "Hello"},
    "report_message": {},
    "create_club": {"name": "Another"},
    "join_club": {"invitation": "inv_" + "0" * 49},
    "delete_me": {"confirm": "Eve"},
    "create_service_account": {"name": "Bot"},
    "give_tournament_command": {"type": "open_entry"},
}
QUERIES = {"n": "1", "seed": "1", "target": "1"}
REFUSED = {401, 403, 404}
ABSENT = {"unknown_round", "no_wars", "no_leaf", "not_yet_logged", "no_such_message"}
"""The codes for what there is not in a tournament or game that one sees."""


@pytest.fixture(scope="module")
def owner(api):
    """An account with much that is private."""
    return api.account("Ada")


@pytest.fixture(scope="module")
def private(owner):
    """What it has: the ids that an address may name."""
    club = owner.post("/v1/clubs", {"name": "Club"}, status=201)["id"]
    game = owner.post("/v1/games", {**GameRequest(hotseat=2, analysis=True), "club": club}, status=201)["id"]
    settings = {**DUELS, "visibility": "private", "club": club}
    found = {
        "id": game,
        "club": club,
        "tournament": owner.post("/v1/tournaments", settings, status=201)["id"],
        "webhook": owner.post("/v1/me/webhooks", {"url": "https://example.org/hook"}, status=201)["id"],
        "account": owner.me["id"],
        "number": 1,
        "n": 2,
        "token": str(uuid.uuid4()),
        "invitation": str(uuid.uuid4()),
        "subscription": str(uuid.uuid4()),
        "delivery": f"ntc_1_{uuid.uuid4()}",
    }
    owner.project()
    return found


@pytest.fixture(scope="module")
def tokens(owner, private):
    """The API with a token of each kind: with one scope, or with all for one game."""
    other = owner.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    kinds = {scope: ([scope], None) for scope in SCOPES}
    kinds |= {HERE: (SCOPES, [private["id"]]), ELSEWHERE: (SCOPES, [other])}
    return {kind: _make_token(owner, kind, *wanted) for kind, wanted in kinds.items()}


def _make_token(owner, kind, scopes, games):
    body = {"label": kind, "scopes": list(scopes), **({"games": games} if games else {})}
    return Api(owner.app, owner.post("/v1/me/tokens", body, status=201)["token"], owner.me)


def _operations(api, private, *methods):
    """Operation and address, as the description of the API has them, with the ids of what is private."""
    for path, described in api.get("/openapi.json")["paths"].items():
        for method, operation in described.items():
            if method in methods and operation.get("security") != []:
                asked = [
                    f"{one['name']}={QUERIES[one['name']]}"
                    for one in operation.get("parameters", [])
                    if one["in"] == "query" and one.get("required")
                ]
                address = path.format(**private) + ("?" + "&".join(asked) if asked else "")
                yield operation["operationId"], method.upper(), address
                for name, (other, like) in BETWEEN.items():
                    if like == operation["operationId"] and method == "get":
                        yield name, "GET", other.format(**private)


def _is_shown(answer, name, private):
    """Return True if an answer tells something private."""
    if name not in LISTS:
        absent = answer.status_code == 404 and answer.get_json(force=True)["code"] in ABSENT
        answer.close()
        return absent or answer.status_code not in REFUSED
    ids = ("club",) if name == "list_clubs" else ("tournament",) if "tournament" in name else ("id",)
    return answer.status_code == 200 and any(private[one] in answer.text for one in ids)


def test_what_is_private_is_shown_to_tokens_for_it(api, private, tokens):
    """A token for something else sees as much as a stranger: neither a list nor an address tells more."""
    operations = list(_operations(api, private, "get"))
    assert {name for name, _, _ in operations} == set(SHOWN), "every operation that takes a token stands here"
    for name, method, address in operations:
        seen = {kind for kind, one in tokens.items() if _is_shown(one.send(method, address), name, private)}
        assert seen == SHOWN[name], (name, address)
        assert name == "get_vacation" or not _is_shown(api.send(method, address), name, private), name


def test_nothing_is_changed_by_tokens_for_something_else(api, owner, private, tokens):
    operations = list(_operations(api, private, "post", "put", "patch", "delete"))
    assert {name for name, _, _ in operations} == set(CHANGED), (
        "every operation that takes a token stands here"
    )
    for name, method, address in operations:
        body = {} if method == "DELETE" else BODIES.get(name, {})
        for kind, one in tokens.items():
            if kind not in CHANGED[name]:
                status, code = one.refused(method, address, body)
                assert status in REFUSED, (name, kind, status, code)
    assert owner.get(f"/v1/games/{private['id']}")["status"] == "running"


def test_a_token_for_a_game_lists_that_game_alone(owner, private, tokens):
    for path in ("/v1/me", "/v1/games?mine=true", "/v1/games?role=owner"):
        assert [one["id"] for one in tokens[HERE].get(path)["games"]] == [private["id"]]
    assert len(owner.get("/v1/me")["games"]) == 2


def test_a_list_of_mine_names_what_the_token_lacks(tokens):
    assert tokens["webhook:write"].refused("GET", "/v1/games?mine=true") == (403, "missing_scope")
    assert tokens["webhook:write"].refused("GET", "/v1/tournaments?mine=true") == (403, "missing_scope")
    assert tokens[HERE].refused("GET", "/v1/tournaments?mine=true") == (403, "other_games_only")
    assert tokens["webhook:write"].get("/v1/me")["games"] == []


def test_a_narrow_token_does_its_own_in_what_is_private(owner, private, tokens):
    """What a token is for goes without `game:read`."""
    path = f"/v1/games/{private['id']}"
    assert tokens["game:play"].send("POST", f"{path}/start").status_code == 200
    assert tokens["game:play"].send("PUT", f"{path}/notes", {"notes": []}).status_code == 200
    assert (
        tokens["game:direct"].send("POST", f"{path}/visibility", {"visibility": "private"}).status_code == 200
    )
    assert tokens["tournament:direct"].post(
        f"/v1/tournaments/{private['tournament']}/commands", {"type": "open_entry"}
    )
    hook = {"url": "https://example.org/hook", "game": private["id"], "tournament": private["tournament"]}
    made = tokens["webhook:write"].post("/v1/me/webhooks", hook, status=201)
    assert (made["game"], made["tournament"]) == (private["id"], private["tournament"])
