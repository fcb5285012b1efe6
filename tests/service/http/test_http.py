"""What HTTP promises beyond the answers: what may be kept, in how many bytes it comes, who is asked twice."""

from __future__ import annotations

import gzip
import json
import random
import re

import brotli
import pytest

from service.http.responses import MIN_BYTES, pack_gzip
from tests.service.factories import GameRequest

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def game(ada):
    """A running game of one person."""
    return ada.post("/v1/games", GameRequest(hotseat=2), status=201)


def act(ada, game):
    """One command in *game*."""
    move = ada.get(f"/v1/games/{game['id']}/decisions")["legal"][0]
    return ada.post(f"/v1/games/{game['id']}/commands", {**move["command"], "seat": move["seat"]})


def test_long_answers_are_compressed_for_who_takes_that(ada, game):
    """From 1 KB on; what was packed is what would have come otherwise, under the same tag."""
    for path in ("/openapi.json", "/v1/titles/colonies", f"/v1/games/{game['id']}", "/docs/samples.js"):
        packed = ada.send("GET", path, Accept_Encoding="gzip")
        plain = ada.send("GET", path)
        assert packed.headers["Content-Encoding"] == "gzip", path
        assert "Content-Encoding" not in plain.headers
        assert gzip.decompress(packed.data) == plain.data
        assert len(plain.data) >= MIN_BYTES
        assert len(packed.data) < len(plain.data)
        assert packed.headers["ETag"] == plain.headers["ETag"]
        assert "Accept-Encoding" in packed.headers["Vary"]
    short = ada.send("GET", "/healthz", Accept_Encoding="gzip")
    assert "Content-Encoding" not in short.headers
    refused = ada.send("GET", "/openapi.json", Accept_Encoding="gzip;q=0")
    assert "Content-Encoding" not in refused.headers
    part = ada.send("GET", "/docs/samples.js", Accept_Encoding="gzip", Range="bytes=0-1999")
    assert "Content-Encoding" not in part.headers


@pytest.mark.parametrize("size", [0, 1, 511, 512, 1024, 4095, 4096, 16_384, 32_767, 32_768, 70_000])
def test_what_is_packed_is_as_small_as_gzip_makes_it(size):
    """Tables that fit a short answer cost nothing of what large ones give."""
    words = random.Random(size).choices([b'{"seat":1}', b'"move_fleet"', b'"colonial"', b"0192d0"], k=size)
    data = b",".join(words)[:size]
    packed = pack_gzip(data, 5)
    assert gzip.decompress(packed) == data
    assert len(packed) <= len(gzip.compress(data, 5)) + 8


def test_a_file_of_the_page_is_sent_in_the_smallest_coding_that_is_taken(ada):
    """Brotli, else gzip, else as it is; it is the same file, and caches keep the forms apart."""
    place = re.search(r"/edition/\w+/bundle/main\.js", ada.send("GET", "/").text)[0]
    forms = {coding: ada.send("GET", place, Accept_Encoding=coding) for coding in ("br", "gzip", "identity")}
    plain = forms["identity"].data
    assert brotli.decompress(forms["br"].data) == plain
    assert gzip.decompress(forms["gzip"].data) == plain
    assert len(forms["br"].data) < len(forms["gzip"].data) < len(plain)
    told = {coding: form.headers.get("Content-Encoding", "identity") for coding, form in forms.items()}
    assert told == {coding: coding for coding in forms}
    assert ada.send("GET", place, Accept_Encoding="gzip, br").headers["Content-Encoding"] == "br"
    assert {form.headers["Vary"] for form in forms.values()} == {"Accept-Encoding"}


def test_a_stream_is_not_compressed(ada, game):
    """It is told as it comes."""
    answer = ada.send("GET", f"/v1/games/{game['id']}/stream", Accept_Encoding="gzip")
    assert "Content-Encoding" not in answer.headers
    assert next(answer.iter_encoded()).startswith(b"retry:")
    answer.close()


def test_a_view_of_the_past_never_changes(ada, game):
    """It lacks what tells of now, and is the same after more has happened. Only what names nobody is kept."""
    for path, is_kept in (
        (f"/v1/games/{game['id']}?at=2", False),
        (f"/v1/games/{game['id']}/table?at=2", True),
    ):
        then = ada.send("GET", path)
        assert ("immutable" in then.headers["Cache-Control"]) == is_kept
        assert "Ada" not in then.text or not is_kept
        assert "last" not in then.get_json()
        act(ada, game)
        assert ada.send("GET", path).data == then.data
        known = ada.send("GET", path, If_None_Match=then.headers["ETag"])
        assert (known.status_code, known.data) == (304, b"")
    assert ada.get(f"/v1/games/{game['id']}")["last"] > 2


def test_who_may_yet_sit_down_asks_again(ada, bob, game):
    """A spectator who takes a seat over sees more of the past than before: they keep nothing for ever."""
    looked = bob.send("GET", f"/v1/games/{game['id']}?at=2")
    assert looked.headers["Cache-Control"] == "private, no-cache"
    assert (
        bob.send("GET", f"/v1/games/{game['id']}?at=2", If_None_Match=looked.headers["ETag"]).status_code
        == 304
    )


def test_what_has_not_changed_is_not_sent_again(ada, game):
    """Decisions, lists of games, the description: each has a tag."""
    ada.project()
    path = f"/v1/games/{game['id']}/decisions"
    for one in (path, "/v1/games?mine=true", "/openapi.json"):
        tag = ada.send("GET", one).headers["ETag"]
        assert ada.send("GET", one, If_None_Match=tag).status_code == 304
    before = ada.send("GET", path).headers["ETag"]
    act(ada, game)
    after = ada.send("GET", path, If_None_Match=before)
    assert after.status_code == 200
    assert after.headers["ETag"] != before


def test_pages_elsewhere_may_say_who_they_are_and_what_to_keep(api):
    answer = api.send(
        "OPTIONS",
        "/v1/games",
        Origin="https://elsewhere.example",
        Access_Control_Request_Method="POST",
        Access_Control_Request_Headers="cache-control, rutter-client",
    )
    allowed = answer.headers["Access-Control-Allow-Headers"]
    assert {"Cache-Control", "Rutter-Client"} <= set(allowed.split(", "))
    assert "Content-Type" not in answer.headers
    assert "Content-Type" not in api.send("OPTIONS", "/v1/titles").headers
    assert "Content-Disposition" in api.send("GET", "/v1/titles").headers["Access-Control-Expose-Headers"]


def test_deprecation_has_a_policy(api):
    """Months of warning, and the headers that tell it, stand in the docs."""
    page = api.send("GET", "/docs/reference/versions").text
    for word in ("Deprecation", "Sunset", "six months", "semver.org"):
        assert word in page


def test_a_note_of_a_witness_is_heard_as_text_and_as_bytes(api):
    for kind in ("text/plain", "application/octet-stream"):
        assert api.refused("POST", "/log/cosignature", b"nothing", Content_Type=kind) == (
            403,
            "unknown_witness",
        )
    assert api.refused("POST", "/log/cosignature", b"{}") == (415, "unsupported_media_type")


# --- positions for programs that search -------------------------------------------------------------


def test_an_imagined_position_is_one_that_my_seat_could_be_in(ada, bob):
    """The same for the same seed, another for another; a game can begin from it; nobody else is told one."""
    game = ada.post("/v1/games", GameRequest(title="colonial_empires", hotseat=3), status=201)
    path = f"/v1/games/{game['id']}"
    for _ in range(8):
        act(ada, game)
    told = ada.get(f"{path}/imagined?seed=5&seat=1")
    assert told == ada.get(f"{path}/imagined?seed=5&seat=1")
    others = [json.dumps(ada.get(f"{path}/imagined?seed={n}&seat=1")["position"]) for n in range(6)]
    assert len(set(others)) > 1
    again = {name: told[name] for name in ("title", "version", "options", "position")}
    begun = ada.post("/v1/games", {**again, "seats": [{"you": True}] * told["seats"]}, status=201)
    seen, real = (ada.get(f"/v1/games/{one}?seat=1")["view"] for one in (begun["id"], game["id"]))
    assert seen == real
    assert bob.refused("GET", f"{path}/imagined?seed=5") == (403, "not_a_player")
    assert ada.refused("GET", f"{path}/imagined") == (400, "invalid_parameters")
