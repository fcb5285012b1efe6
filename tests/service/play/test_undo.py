"""Taking commands back over the API: what a seat may take back, what stands then, and what others see."""

from __future__ import annotations

import pytest

from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from events.store.games import Replay
from events.verify import verify
from ops.server.wsgi import create_app
from tests.playing import advance
from tests.service.client import Api
from tests.service.factories import GameRequest, Open, You
from workers import jobs

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def people(api):
    return [api.account(name) for name in ("Ada", "Bob", "Cid")]


def open_table(people, title="colonies", **settings):
    """A running game of Ada (seat 0), Bob and Cid."""
    seats = [You(), *[Open() for _ in people[1:]]]
    game = people[0].post("/v1/games", GameRequest(title=title, seats=seats, **settings), status=201)
    for other in people[1:]:
        game = other.post(f"/v1/games/{game['id']}/join", {})
    return game


def decisions(api, game_id):
    return api.get(f"/v1/games/{game_id}/decisions")


def play_until_undoable(games, game_id, least=1):
    """Random commands until so many batches can be taken back; the game."""
    game = games.load(game_id)
    while len(game.undoable.kept) < least:
        decision = game.title.awaited(game.state)[0]
        command = (
            game.title.default(game.state, decision)
            if decision.seat is None
            else next(game.title.legal(game.state, decision.seat))
        )
        game = games.command(game_id, decision.seat, command).game
    return game


def undo(api, game_id, to, seq, **more):
    path = f"/v1/games/{game_id}/commands"
    return api.send("POST", path, {"type": "table_undo", "to": to, **more}, If_Match=f'"{seq}"')


def test_a_player_takes_back_what_they_did(people, games):
    """The decisions tell what can be; it needs If-Match; the history, the past and the bundle keep it."""
    made = open_table(people)
    assert made["undo"] == "own"
    game = play_until_undoable(games, made["id"])
    kept = game.undoable.kept[-1]
    mine, other = people[kept.seat], people[(kept.seat + 1) % 3]
    shown = decisions(mine, game.id)["undo"]
    assert shown[0] == {"to": kept.seq, "seat": kept.seat, "by": kept.seat}
    assert decisions(other, game.id)["undo"] == []
    path = f"/v1/games/{game.id}"
    body = {"type": "table_undo", "to": kept.seq}
    assert mine.refused("POST", f"{path}/commands", body) == (428, "version_required")
    assert undo(mine, game.id, kept.seq, game.seq - 1).status_code == 412
    assert undo(other, game.id, kept.seq, game.seq).get_json()["code"] == "cannot_undo"
    view = mine.get(f"{path}?at={kept.seq}")["view"]
    done = undo(mine, game.id, kept.seq, game.seq)
    assert [event["type"] for event in done.get_json()["events"]] == ["CommandUndone"]
    assert mine.get(path)["view"] == view
    assert mine.get(f"{path}?at={game.seq}")["view"] != view, "the past shows what stood then"
    lines = mine.get(f"{path}/history?limit=1000")["history"]
    struck = [line["seq"] for line in lines if line.get("taken_back")]
    assert struck == list(range(kept.seq + 1, game.seq + 1))
    assert "taken back" in lines[-1]["text"]
    advance(games, games.load(game.id), 5)
    bundle = mine.send("GET", f"{path}/audit").data.splitlines(keepends=True)
    assert verify(bundle, partial=True).status == "running"


def test_a_cold_process_takes_back_the_same(people, games, settings):
    """What can be taken back follows from the log, with a snapshot amid it and without."""
    game = play_until_undoable(games, open_table(people, undo="ask", title="colonial")["id"], 3)
    games.log.save_snapshot(game, f"{game.title_id}/{game.version}/{game.data_hash[:16]}")
    assert Replay(games.log).load(game.id) == game
    app = create_app(settings)
    try:
        elsewhere = Api(app, people[0].token)
        kept = game.undoable.kept
        assert [one["to"] for one in decisions(elsewhere, game.id)["undo"]] == [b.seq for b in reversed(kept)]
        assert undo(elsewhere, game.id, kept[0].seq, game.seq).status_code == 200
    finally:
        app.extensions["rutter"].close()


def test_all_agree_to_take_back(people, games):
    """The proposal stands among the offers; the others say yes; then it is done."""
    game = play_until_undoable(games, open_table(people, undo="ask", title="colonial")["id"], 2)
    to, state = game.undoable.kept[0].seq, game.undoable.kept[0].state
    undo(people[1], game.id, to, game.seq)
    offer = people[0].get(f"/v1/games/{game.id}")["offers"][0]
    assert (offer["what"], offer["by"], offer["to"]) == ("undo", "p1", to)
    for other in (people[0], people[2]):
        body = {"type": "table_answer", "offer": offer["offer"], "yes": True}
        other.post(f"/v1/games/{game.id}/commands", body)
    assert games.load(game.id).state == state
    assert people[0].get(f"/v1/games/{game.id}")["offers"] == []


def test_where_nothing_is_taken_back(people, games):
    """`none` says so, and a bot's command after mine closes what I could take back of my own."""
    none = games.load(open_table(people, undo="none")["id"])
    advance(games, none, 20)
    answer = undo(people[0], none.id, 3, games.load(none.id).seq)
    assert answer.get_json()["code"] == "undo_not_allowed"
    seats = [You(), {"bot": "steady"}, {"bot": "steady"}]
    game = games.load(
        people[0].post("/v1/games", GameRequest(title="colonial", seats=seats), status=201)["id"]
    )
    while not (game.undoable.kept and game.undoable.seat == 0):
        decision = game.title.awaited(game.state)[0]
        if decision.seat == 0:
            games.command(game.id, 0, next(game.title.legal(game.state, 0)))
        else:
            jobs.make_bot_move(games, game, decision)
        game = games.load(game.id)
    kept = game.undoable.kept[-1]
    done = undo(people[0], game.id, kept.seq, game.seq)
    assert done.status_code == 200
    game = games.load(game.id)
    assert game.undoable.kept == ()
    games.command(game.id, 0, next(game.title.legal(game.state, 0)))
    game = games.load(game.id)
    decision = next((d for d in game.title.awaited(game.state) if d.seat != 0), None)
    if decision is not None:
        jobs.make_bot_move(games, game, decision)
        assert decisions(people[0], game.id)["undo"] == []


def test_an_undo_is_repeated_by_its_key(people, games):
    """Sent again with its key it is one undo, with the first answer."""
    game = play_until_undoable(games, open_table(people)["id"])
    kept = game.undoable.kept[-1]
    path, headers = f"/v1/games/{game.id}/commands", {"If_Match": f'"{game.seq}"', "Idempotency_Key": "once"}
    body = {"type": "table_undo", "to": kept.seq}
    first, again = (people[kept.seat].send("POST", path, body, **headers) for _ in range(2))
    assert first.get_json()["events"] == again.get_json()["events"]
    assert again.headers["Idempotency-Replayed"] == "true"
    assert games.load(game.id).seq == game.seq + 1


def test_what_can_be_taken_back_tells_nothing_hidden(people, games):
    """In two games that a seat cannot tell apart it is offered the same, before an undo and after it."""
    title = find_title("colonial")
    state = play_until_undoable(games, open_table(people, title="colonial")["id"]).state
    told = []
    for variant in (state, title.imagine(state, 0, FastChance(3))):
        made = open_table(people, title="colonial", undo="ask", position=title.position(variant))
        game = games.load(made["id"])
        for seat in range(3):
            for command in list(title.legal(game.state, seat))[:1]:
                game = games.command(game.id, seat, command).game
        looks = [people[0].get(f"/v1/games/{game.id}/decisions")]
        if game.undoable.kept:
            undo(people[0], game.id, game.undoable.kept[0].seq, game.seq)
            looks.append(people[0].get(f"/v1/games/{game.id}/decisions"))
        told.append(looks)
    assert told[0] == told[1]
    assert len(told[0]) > 1
