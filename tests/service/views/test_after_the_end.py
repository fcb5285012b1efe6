"""After the end nothing is hidden from those who may see a game: its events, and every seat's eyes."""

import base64

import msgspec
import pytest

from events.proof import canonical
from events.rules.catalogue import find_title
from tests.playing import advance, play_to_the_end
from tests.service.factories import GameRequest
from tests.service.streams.test_stream import Stream

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def games(app):
    return app.extensions["rutter"].games


@pytest.fixture(scope="module")
def ended(ada, games):
    """A game with secrets that has ended."""
    seats = [{"you": True}, {"you": True}, {"bot": "random"}]
    game = ada.post("/v1/games", GameRequest(title="colonial_empires", seats=seats), status=201)
    return play_to_the_end(games, games.load(game["id"]))


def opened(event, name, hidden):
    """The content of a hidden part, of what an event shows."""
    if name.endswith("_command"):
        return event["command"]
    if name.endswith("_bot"):
        return {"seed": event["bot"]["seed"]}
    content = {}
    for path in hidden["fields"]:
        *parents, last = path.split(".")
        source, target = event["data"], content
        for parent in parents:
            source, target = source[parent], target.setdefault(parent, {})
        target[last] = source[last]
    return content


def check(event):
    """Every hidden part is open and fits its digest; how many there are."""
    for name, hidden in event["hidden"].items():
        body = canonical.encode(opened(event, name, hidden))
        assert canonical.part_digest(base64.b64decode(hidden["salt"]), body) == hidden["digest"], (
            event["seq"],
            name,
        )
    return len(event["hidden"])


def pages(api, address):
    while address:
        page = api.get(address)
        yield from page["events"]
        address = page["next"]


def test_everybody_opens_every_hidden_part(api, ended):
    """All who ask, of each event of a game that has ended; they fit their digests."""
    assert sum(check(event) for event in pages(api, f"/v1/games/{ended.id}/events?limit=1000")) > 50


def test_its_stream_opens_them_as_well(api, ended):
    """Asked for from the beginning."""
    stream = Stream(api, ended.id, "?after=0")
    assert sum(check(event) for event in stream.events(60)) > 5
    stream.close()


def test_everybody_looks_through_any_seat(api, ended, ada):
    """At the end and at every event before it; that says nothing of whose seat it is."""
    path = f"/v1/games/{ended.id}"
    for seat in range(3):
        view = find_title("colonial_empires").view_json(ended.state, seat)
        shown = api.get(f"{path}?seat={seat}")
        assert shown["view"] == msgspec.to_builtins(view, str_keys=True)
        assert not any(one["you"] for one in shown["seats"])
    half = ended.seq // 2
    assert api.get(f"{path}?seat=1&at={half}")["view"] == ada.get(f"{path}?seat=1&at={half}")["view"]
    assert api.get(f"{path}?seat=0&at={half}")["view"] != api.get(f"{path}?seat=1&at={half}")["view"]
    assert api.get(f"{path}/table?seat=2&at={half}")["panels"]
    assert api.get(f"{path}/history?seat=2")["history"]
    assert api.get(f"{path}/decisions?seat=2")["decisions"] == []
    assert api.refused("GET", f"{path}?seat=3") == (403, "not_your_seat")


def test_while_it_runs_nothing_is_opened(api, ada, games):
    game = ada.post("/v1/games", GameRequest(title="example", hotseat=2), status=201)["id"]
    advance(games, games.load(game), 3)
    assert api.refused("GET", f"/v1/games/{game}?seat=0") == (403, "not_your_seat")
    hidden = [h for event in api.get(f"/v1/games/{game}/events")["events"] for h in event["hidden"].values()]
    assert hidden
    assert not any("salt" in one for one in hidden)
