"""My own notes to a game: mine alone, bounded, never overwritten unnoticed, gone with my account."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.base.text_limits import MAX_NOTE_LENGTH, MAX_NOTES, MAX_NOTES_LENGTH
from tests.service.factories import GameRequest, Open, You

pytestmark = pytest.mark.integration


@pytest.fixture
def game(ada):
    return ada.post("/v1/games", GameRequest(), status=201)["id"]


def put(api, game, *notes, status=200, **headers):
    return api.call("PUT", f"/v1/games/{game}/notes", {"notes": list(notes)}, status=status, **headers)


def notes(api, game):
    return api.get(f"/v1/games/{game}/notes")["notes"]


WHOLE = {"text": "Ada never trades cotton."}
THIRD = {"event": 3, "text": "Here it went wrong.\nOr before?"}


def test_notes_are_kept_for_one_account_and_are_no_part_of_the_log(ada, bob, game, api):
    """To the game as a whole and to its events; others who may see the game have notes of their own."""
    before = ada.get(f"/v1/games/{game}")["seq"]
    assert ada.get(f"/v1/games/{game}/notes") == {"version": 0, "notes": [], "changed_at": None}
    kept = put(ada, game, WHOLE, THIRD)
    assert kept["notes"] == [{"event": None, **WHOLE}, THIRD]
    assert ada.get(f"/v1/games/{game}/notes") == kept
    assert notes(bob, game) == []
    put(bob, game, {"text": "A game to watch."})
    assert notes(ada, game) == kept["notes"]
    assert api.refused("GET", f"/v1/games/{game}/notes") == (401, "unauthenticated")
    assert ada.get(f"/v1/games/{game}")["seq"] == before
    assert "cotton" not in ada.send("GET", f"/v1/games/{game}/audit").text


def test_two_tabs_do_not_overwrite_one_another_unnoticed(ada, game):
    """Both have read version 1 and write: the second is told, with the version that stands there. The same
    request sent again has the same answer; without If-Match whatever stands there is replaced.
    """
    path = f"/v1/games/{game}/notes"
    assert ada.send("GET", path).headers["ETag"] == '"0"'
    answer = ada.send("PUT", path, {"notes": [WHOLE]}, If_Match='"0"')
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"1"')
    assert ada.send("GET", path, If_None_Match='"1"').status_code == 304
    first = put(ada, game, WHOLE, THIRD, If_Match='"1"')
    stale = ada.send("PUT", path, {"notes": [{"text": "From the other tab"}]}, If_Match='"1"')
    assert (stale.status_code, stale.get_json()["code"]) == (412, "version_conflict")
    assert stale.headers["ETag"] == '"2"'
    assert put(ada, game, WHOLE, THIRD, If_Match='"1"') == first
    put(ada, game, If_Match='"2"')
    assert ada.send("PUT", path, {"notes": [WHOLE]}, If_Match='"0"').status_code == 412, "no version twice"
    assert put(ada, game, WHOLE)["version"] == 4
    assert put(ada, game, THIRD, If_Match="*")["version"] == 5


def test_of_many_writers_of_one_version_one_writes(ada, game):
    def write(number):
        body = {"notes": [{"text": f"Tab {number}"}]}
        answer = ada.again().send("PUT", f"/v1/games/{game}/notes", body, If_Match='"0"')
        return answer.status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(write, range(8))) == [200] + [412] * 7


def test_what_is_too_much_or_makes_no_sense_is_refused(ada, game):
    """One note for each event that there is, each and all together of a bounded size."""
    path = f"/v1/games/{game}/notes"
    long = {"text": "x" * MAX_NOTE_LENGTH}
    for wrong in (
        [WHOLE, WHOLE],
        [THIRD, {**THIRD, "text": "Twice"}],
        [{"text": ""}],
        [{"text": "x" * (MAX_NOTE_LENGTH + 1)}],
        [{**long, "event": number} for number in range(1, MAX_NOTES_LENGTH // MAX_NOTE_LENGTH + 2)],
        [{"text": "n", "event": number} for number in range(1, MAX_NOTES + 2)],
        [{"text": "n", "event": 0}],
        [{"text": "n", "by": "me"}],
    ):
        assert ada.refused("PUT", path, {"notes": wrong}) == (422, "invalid_parameters"), wrong
    assert ada.refused("PUT", path, {"notes": [{"text": "n", "event": 999}]}) == (404, "no_such_event")
    assert ada.refused("PUT", path, {"notes": []}, If_Match="x") == (400, "invalid_parameters")
    assert ada.refused("PUT", path, {"notes": [{"text": "\x00"}]})[0] in (400, 422)
    assert notes(ada, game) == []


def test_what_somebody_may_not_see_they_cannot_note(ada, bob, game):
    """A private game is nowhere for a stranger, and a token for reading does not write."""
    private = ada.post(
        "/v1/games", GameRequest(seats=[You(), Open(), Open()], visibility="private"), status=201
    )["id"]
    for method, *body in (("GET",), ("PUT", {"notes": []})):
        assert bob.refused(method, f"/v1/games/{private}/notes", *body) == (404, "unknown_game")
    wish = {"label": "reads", "scopes": ["game:read"]}
    reader = ada.again()
    reader.token = ada.post("/v1/me/tokens", wish, status=201)["token"]
    assert notes(reader, game) == []
    assert reader.refused("PUT", f"/v1/games/{game}/notes", {"notes": []}) == (403, "missing_scope")


def test_notes_stand_in_the_export_and_go_with_the_account(api, game, pool):
    dan = api.account("Dan")
    put(dan, game, WHOLE)
    (told,) = dan.get("/v1/me/export")["notes"]
    assert (told["game"], told["notes"]) == (game, [{"event": None, **WHOLE}])
    dan.call("DELETE", "/v1/me", {"confirm": "Dan"}, status=204)
    with pool.connection() as connection:
        row = connection.execute("SELECT count(*) FROM note WHERE account_id = %s", (dan.me["id"],))
        assert row.fetchone() == (0,)
