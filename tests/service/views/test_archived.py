"""An archived game answers as it did before; where its bundle is away, it alone does not answer."""

from __future__ import annotations

import json
import uuid

import msgspec
import psycopg
import pytest

from events.store.signing_keys import load_seeds
from events.verify import verify
from ops.server.wsgi import create_app
from projections.claim_cleanup import ClaimCleanup
from projections.rebuild import rebuild
from tests.archiving import follow, long_ago, run_archiver
from tests.playing import play_to_the_end
from tests.service.client import Api, check_problem
from tests.service.factories import Bot, GameRequest, Open, You
from tests.service.streams.test_stream import Stream
from workers import jobs

pytestmark = [pytest.mark.integration, pytest.mark.slow]
TITLES = ("colonial_empires", "colonies")
PAGE = 400


class Moved:
    """Games that have ended, what everybody was told of them, and where they went."""

    def __init__(self, app, ada, bob, eve, owner, folder):
        self.app, self.owner, self.folder = app, owner, folder
        self.people = (ada, bob, eve)
        self.process = app.extensions["rutter"]
        self.key = str(uuid.uuid4())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.process.games, "now", long_ago)
            self.games = [self._played(title, ada, bob) for title in TITLES] + [self._called_off(ada, bob)]
        self.seq = {game: self.process.games.load(game).seq for game in self.games}
        follow(self.process.games.log, self.process.keyring)

    def _played(self, title, ada, bob):
        """Played from its first command on; that one has a key, and Bob came by an invitation."""
        seats = [You(), Open(), Bot(bot="random")]
        game = ada.post("/v1/games", GameRequest(title=title, seats=seats, visibility="private"), status=201)
        path = f"/v1/games/{game['id']}"
        letter = ada.post(f"{path}/invitations", {"uses": 3}, status=201)
        bob.post(f"{path}/join", {"invitation": letter["invitation"]}, Idempotency_Key=self.key)
        self.first = self._move(path, ada, bob)
        ada.send("PUT", f"{path}/notes", {"notes": [{"event": 2, "text": "the beginning"}]}, If_Match="*")
        play_to_the_end(self.process.games, self.process.games.load(game["id"]))
        return game["id"]

    def _move(self, path, *who):
        """One command with a key, as soon as a person is awaited: who gave it, which it was, the answer."""
        while True:
            for one in who:
                legal = one.get(f"{path}/decisions")["legal"]
                if legal:
                    answer = one.post(f"{path}/commands", legal[0]["command"], Idempotency_Key=self.key)
                    return path, one, legal[0]["command"], answer
            self._others_move(path.rpartition("/")[2])

    def _others_move(self, game_id):
        """What comes before people are awaited: bots, and the server."""
        game = self.process.games.load(game_id)
        decision = game.title.awaited(game.state)[0]
        if decision.seat is None:
            self.process.games.command(game_id, None, game.title.default(game.state, decision))
        else:
            jobs.make_bot_move(self.process.games, game, decision)

    def _called_off(self, ada, bob):
        """A game that never began, with words beside what ended it."""
        game = ada.post("/v1/games", GameRequest(seats=[Open(), Bot(), Open()]), status=201)["id"]
        bob.post(f"/v1/games/{game}/join", {})
        end = {"type": "table_end", "cause": "other", "text": "Nobody came but Bob."}
        ada.post(f"/v1/games/{game}/commands", end)
        return game

    def asked(self, app):
        """All that *app* answers, of each game and to everybody."""
        nobody = Api(app)
        told = {}
        for who in (*(Api(app, one.token, one.me) for one in self.people), nobody):
            for address in self.addresses():
                answer = who.send("GET", address)
                assert answer.status_code != 500, (address, answer.text)
                told[who.me.get("id"), address] = (
                    answer.status_code,
                    body(answer),
                    answer.headers.get("ETag"),
                )
        return told

    def addresses(self):
        for game, seq in self.seq.items():
            path, plain = f"/v1/games/{game}", seq < 20
            yield from (
                f"{path}{what}" for what in ("", "/table", "/receipt", "/audit", "/decisions", "/roster")
            )
            yield from (f"{path}{what}" for what in ("/invitations", "/notes", "/rating", "/history?limit=7"))
            for after in range(0, seq, PAGE):
                yield f"{path}/events?after={after}&limit={PAGE}"
                yield f"{path}/history?after={after}&limit={PAGE}"
                yield f"{path}/history?after={after}&limit={PAGE}&seat=1"
            for at in sorted({1, 2, 3, seq - 1, seq, *range(1, seq, max(1, seq // 9))}):
                for eyes in ("", "&seat=0", "&seat=1"):
                    yield f"{path}?at={at}{eyes}"
                    if not plain:
                        yield f"{path}/table?at={at}{eyes}"
                yield f"{path}/proof?n={at}"
                yield f"{path}/position?at={at}"
        yield "/v1/games?mine=true"
        yield "/v1/export/games?status=finished"
        yield "/v1/export/events?status=finished&games=5"


def body(answer):
    """What is compared of an answer: JSON as values, other text as it is."""
    if answer.content_type in ("application/json", "application/problem+json"):
        return json.loads(answer.data)
    return answer.data


@pytest.fixture(scope="module")
def moved(app, ada, bob, api, owner, tmp_path_factory):
    return Moved(app, ada, bob, api.account("Eve"), owner, tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="module")
def before(moved):
    return moved.asked(moved.app)


@pytest.fixture(scope="module")
def told(moved, before, settings):
    """The games are archived."""
    return run_archiver(moved.owner, load_seeds(None, settings.data), moved.folder, moved.games)


@pytest.fixture(scope="module")
def cold(told, settings):
    """Another process, which has nothing in its memory."""
    made = create_app(settings)
    yield made
    made.extensions["rutter"].close()


def rows(owner, table, game):
    with psycopg.connect(owner) as connection:
        found = connection.execute(f"SELECT count(*) FROM {table} WHERE game_id = %s", (game,)).fetchone()
    return found[0]


def test_the_rows_are_gone(moved, told):
    """But for the first event and the last, the keys and what tells of the game among others."""
    assert (told.games, told.left, told.events) == (len(moved.games), [], sum(moved.seq.values()))
    for game, seq in moved.seq.items():
        assert rows(moved.owner, "es.event", game) == min(seq, 2)
        assert rows(moved.owner, "es.snapshot", game) == rows(moved.owner, "history", game) == 0
        assert rows(moved.owner, "es.game_secret", game) == rows(moved.owner, "lobby", game) == 1
        assert rows(moved.owner, "es.log", game) == seq


def test_every_answer_is_the_same(moved, before, cold):
    """All who ask, of the game, at any event, through any eyes; also those that refuse."""
    after = moved.asked(cold)
    assert len(before) > 400
    assert sum(status == 200 for status, _, _ in before.values()) > 300
    assert {asked: answer for asked, answer in after.items() if answer != before[asked]} == {}


def test_the_bundle_verifies_as_before(moved, cold):
    """What is fetched over HTTP proves the game, to those who know the key of the log."""
    ada = Api(cold, moved.people[0].token)
    for game in moved.games:
        lines = ada.send("GET", f"/v1/games/{game}/audit").data.splitlines(keepends=True)
        assert verify(lines, key=moved.process.keyring.signer.verifier).events == moved.seq[game]


def test_its_stream_tells_all_of_it(moved, cold):
    """From the beginning, and from the middle."""
    game = moved.games[0]
    ada = Api(cold, moved.people[0].token)
    for after in (0, moved.seq[game] - 5):
        stream = Stream(ada, game, f"?after={after}")
        events = stream.events(moved.seq[game])
        stream.close()
        assert [event["seq"] for event in events] == list(range(after + 1, moved.seq[game] + 1))


def test_a_command_that_is_sent_again_finds_its_result(moved, cold):
    """By its key, in the bundle; another one is refused, for the game is over and archived."""
    path, who, command, answer = moved.first
    again = Api(cold, who.token)
    sent = again.send("POST", f"{path}/commands", command, Idempotency_Key=moved.key)
    assert sent.headers["Idempotency-Replayed"] == "true"
    assert sent.get_json() == answer
    refused = again.send("POST", f"{path}/commands", command)
    assert check_problem(refused) == (409, "archived")
    assert "make a fork" in refused.get_json()["detail"]
    assert again.refused("POST", f"{path}/join", {}, Idempotency_Key="new")[0] == 409


def test_a_fork_begins_where_it_was_taken(moved, cold):
    """An analysis game from an event in the middle."""
    game = moved.games[0]
    ada = Api(cold, moved.people[0].token)
    half = moved.seq[game] // 2
    seats = [You()] * 3
    fork = ada.post(f"/v1/games/{game}/forks", {"at": half, "seats": seats}, status=201)
    assert fork["origin"]["game"] == game
    assert fork["view"] is not None


def test_read_models_are_built_again_from_bundles(moved, cold):
    """All the same as before; histories of archived games are told, not kept."""
    ada = Api(cold, moved.people[0].token)
    ada.project()
    found = {result.name: result for result in rebuild(cold.extensions["rutter"].games.log)}
    assert [name for name, result in found.items() if not result.equal or result.failed] == []
    assert rows(moved.owner, "history", moved.games[0]) == 0


def test_claims_are_not_swept(moved, cold):
    """Although the events that name them are not in the database."""
    held = rows(moved.owner, "seat_claim", moved.games[0])
    with psycopg.connect(moved.owner) as connection:
        connection.execute("UPDATE seat_claim SET made_at = now() - interval '1 year'")
    assert ClaimCleanup(cold.extensions["rutter"].pool)() == 0
    assert rows(moved.owner, "seat_claim", moved.games[0]) == held > 0


def test_a_bundle_that_is_away(moved, told, settings, ada):
    """Its game answers 503 with a code of its own, all others as ever; it is back with its bundle."""
    game, other = moved.games[:2]
    (file,) = moved.folder.rglob(f"{game}.*")
    data = file.read_bytes()
    for damage in (file.unlink, lambda: file.write_bytes(data[:-1] + b"x")):
        damage()
        app = create_app(settings)  # nothing is in its memory
        here = Api(app, ada.token)
        for what in ("", "?at=3", "/events", "/history", "/audit", "/stream", "/table"):
            answer = here.send("GET", f"/v1/games/{game}{what}")
            assert check_problem(answer) == (503, "archive_away"), what
            assert answer.headers["Retry-After"]
            assert str(moved.folder) not in answer.text, "where it is, is nobody's business"
        refused = here.refused("POST", f"/v1/games/{game}/commands", {"type": "choose_empire"})
        assert refused == (503, "archive_away")
        assert here.get(f"/v1/games/{other}/history")["history"]
        assert game in {one["id"] for one in here.get("/v1/games?mine=true")["games"]}
        exported = here.send("GET", "/v1/export/games?status=finished").data.splitlines()
        ids = {json.loads(line)["game"] for line in exported}
        assert other in ids
        assert game not in ids
        file.write_bytes(data)
        assert here.get(f"/v1/games/{game}")["status"] == "finished"
        app.extensions["rutter"].close()


def test_what_is_told(moved, told):
    """A bundle takes a fraction of the bytes that its events had."""
    size = sum(file.stat().st_size for file in moved.folder.rglob("*.xz"))
    assert (told.bytes, msgspec.to_builtins(told)["left"]) == (size, [])
    assert size / told.events < 200
