"""The client library against the service: each test with the client that blocks, and with the other."""

from __future__ import annotations

import ast
import asyncio
import io
import json
import re
import stat
import sys
import tokenize
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest

from events.tlog.notes import SigningKey, sign_receipt
from events.verify import verify
from ops.server.wsgi import create_app
from rutter.client import AsyncClient, BadReceipt, Client, Refused, Unanswered, UnknownKey
from rutter.client.core import check_origin
from tests.announced import announce, keys_page
from tests.clients.library import KINDS, SEATS, Player, make_script, play, serving
from tests.conftest import ROOT
from tests.events.test_tlog import CMD, GAME, LOG, TIME
from tests.http_server import serving as serving_handler
from tests.losing_proxy import LosingProxy, Loss
from tests.waiting import until

integration = pytest.mark.integration
FOLDER = ROOT / "service" / "client"


@pytest.fixture(params=KINDS.values(), ids=KINDS)
def client(request):
    """Makes clients of one of the two kinds."""
    with ExitStack() as made:
        yield lambda *words, **more: made.enter_context(
            closing(request.param(*words, **{"pause": 0.2, **more}))
        )


@pytest.fixture(scope="module")
def service(app):
    """Address and port of the service."""
    with serving(app) as place:
        yield place


@pytest.fixture
def proxy(service):
    """Loses answers on their way from the service."""
    with closing(LosingProxy(lambda: ("127.0.0.1", service[1]))) as made:
        yield made


def begin(client, address, *folders, **settings):
    """Two players of one kind, and their game."""
    ada, bob = (client(address, folder=folder, **settings) for folder in folders)
    ada.sign_up("Ada")
    bob.sign_up("Bob")
    game = ada.create("example", SEATS)
    bob.join(game, 1)
    return game.id, ada, bob


def read_events(one, game):
    return one.request("GET", f"/v1/games/{game}/events?limit=1000")["events"]


def check_log(players, game):
    """Each command that the players gave stands in the log once, and nothing else of them does."""
    events = read_events(players[0].client, game)
    for seat, player in enumerate(players):
        given = [event for event in events if event["by"] == f"p{seat}" and "command" in event]
        assert len(given) == len(player.asked)


@integration
def test_a_whole_game_with_proofs(client, service, tmp_path):
    """Both contribute, and keep receipts that the verifier takes; the past is what each of them saw."""
    game, ada, bob = begin(client, service[0], tmp_path / "ada", tmp_path / "bob")
    seen = {}
    players = [Player(ada, game), Player(bob, game, seed=1)]
    looker = client(service[0], bob.token)
    play(players, lambda: seen.update({now.seq: now for now in [looker.look(game)]}))
    check_log(players, game)
    end = ada.look(game)
    assert (end.status, end.title, end.view) == ("finished", "example", ada.at(game, end.seq).view)
    for seq, now in seen.items():
        assert bob.at(game, seq).view == now.view
        assert ada.at(game, seq, seat=1).view == now.view, "all may look from every seat after the end"
    opened = next(event for event in read_events(ada, game) if event["type"] == "TableBegun")
    assert opened["data"]["missing"] == []
    bundle = ada.read(f"/v1/games/{game}/audit").splitlines(keepends=True)
    [kept] = tmp_path.glob(f"ada/*/{game}.ndjson")
    assert verify(bundle).events == end.seq
    assert len(kept.read_bytes().splitlines()) > 3
    stored = tmp_path / "ada" / "contributions" / f"{game}.0"
    assert stat.S_IMODE(stored.stat().st_mode) == 0o600
    assert len(bytes.fromhex(stored.read_text())) == 32


@integration
@pytest.mark.parametrize("kind", list(Loss))
def test_lost_answers_are_found_again(client, proxy, tmp_path, kind):
    """At each turn of one player the next answer never arrives; each command counts once."""
    address = f"http://127.0.0.1:{proxy.port}"
    game, *both = begin(client, address, tmp_path / "ada", tmp_path / "bob", silence=0.5)
    players = [Player(one, game, seed=seat) for seat, one in enumerate(both)]
    usual, armed = players[0].choose, []

    def choose(turn):
        move = usual(turn)
        if move is not None:
            armed.append(turn.seq)
            proxy.lose(1, kind)
        return move

    players[0].choose = choose
    play(players)
    assert proxy.lost >= len(armed) > 3
    check_log(players, game)
    assert both[0].look(game).status == "finished"


@integration
def test_a_silent_stream_is_opened_again(client, proxy, service):
    """Nothing comes any more, not even a sign of life: the next stream goes on after the last event."""
    ada = client(f"http://127.0.0.1:{proxy.port}", silence=1)
    ada.sign_up("Ada")
    game = ada.create("example", [{"you": True}] * 2)
    messages = ada.follow(game, after=game.seq - 1)
    first = next(messages)
    assert (first.name, first.id) == ("event", game.seq)
    with proxy.lose_share(1, Loss.SILENCE):
        move = next(messages)
        assert move.name == "turn"
    direct = client(service[0], ada.token)
    done = direct.act(game, direct.request("GET", f"/v1/games/{game.id}/decisions")["legal"][0]["command"])
    found = next(message for message in messages if message.name == "event")
    assert found.id == done["events"][0]["seq"]
    messages.close()


@integration
def test_a_stream_ends_with_its_task(service):
    """A task that waits for the next message is cancelled at once, and nothing is left of it."""

    async def main():
        async with AsyncClient(service[0]) as me:
            await me.sign_up("Ada")
            game = await me.create("example", [{"you": True}] * 2)
            seen = asyncio.Event()

            async def watch():
                async for message in me.follow(game):
                    if message.name == "turn":
                        seen.set()

            task = asyncio.create_task(watch())
            await seen.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        me._threads.shutdown(wait=True)

    with ThreadPoolExecutor(1) as apart:  # a process that drives a browser has a running loop already
        apart.submit(asyncio.run, main()).result()


@integration
def test_all_games_of_an_account(client, live_server):
    """One stream plays two games at once, until another stream takes over; lists have both."""
    ada = client(live_server.address)
    account = ada.sign_up("Ada")
    games = [ada.create("example", [{"you": True}] * 2).id for _ in range(2)]
    player = Player(ada, None)
    player.start()
    other = client(live_server.address, ada.token)
    until(
        lambda: player.failure or {other.look(game).status for game in games} == {"finished"},
        "both games end",
    )
    news = other.news()
    assert next(news).name == "turns"
    player.finish()
    news.close()
    assert {one["id"] for one in other.games(player=account["id"], limit=1)} == set(games)


@integration
def test_limits_are_waited_for(client, settings, tmp_path):
    """A 429 costs the time that it names, and nothing else; one that takes too long is told."""
    limits = tmp_path / "limits.toml"
    limits.write_text('[commands]\nrate = "2/second"\n[create]\nrate = "1/hour"\n')
    app = create_app(replace(settings, limits=str(limits)))
    with serving(app) as (address, _):
        game, *both = begin(client, address, None, None, waits=30)
        players = [Player(one, game, seed=seat) for seat, one in enumerate(both)]
        play(players)
        check_log(players, game)
        with pytest.raises(Refused, match="too_many_requests") as refused:
            both[0].create("example", SEATS)
        assert refused.value.status == 429
    app.extensions["rutter"].close()


@integration
def test_a_refusal_says_what_to_do(client, service):
    """A bot whose command is illegal ends with it, in place of waiting for a turn that never comes."""
    ada = client(service[0])
    ada.sign_up("Ada")
    game = ada.create("example", [{"you": True}] * 2)
    with pytest.raises(Refused) as refused:
        ada.play(lambda turn: {"type": "example_no_such_thing"}, game)
    assert refused.value.detail in str(refused.value)
    with pytest.raises(Refused, match="unknown_game"):
        ada.look(GAME)
    with pytest.raises(ValueError, match="badly formed"):
        ada.look("../me")


def test_one_that_never_answers_is_given_up(client):
    with closing(LosingProxy(lambda: ("127.0.0.1", 1))) as proxy:
        one = client(f"http://127.0.0.1:{proxy.port}", "rut_secret", waits=0.5)
        with pytest.raises(Unanswered) as lost:
            one.request("GET", "/v1/me")
        assert "rut_secret" not in str(lost.value)


@pytest.fixture
def script():
    """A dishonest server's class of handlers."""
    return make_script()


def test_a_token_goes_to_its_origin_only(client, script):
    """A redirect elsewhere is a refusal, whether the address is of another host or of this one."""
    other = make_script()
    other.answers["/v1/me"] = (200, {}, {})
    with serving_handler(script) as address, serving_handler(other) as elsewhere:
        one = client(address, "rut_secret")
        for status in (301, 302, 303, 307, 308):
            script.answers["/v1/me"] = (status, {"Location": f"{elsewhere}/v1/me"}, b"")
            for method in ("GET", "POST"):
                with pytest.raises(Refused, match=f"http_{status}"):
                    one.request(method, "/v1/me")
        script.answers["/v1/games"] = (200, {}, {"games": [], "next": f"{elsewhere}/v1/me"})
        with pytest.raises(ValueError, match="is not a path"):
            list(one.games())
    assert {headers["Authorization"] for _, headers in script.seen} == {"Bearer rut_secret"}
    assert other.seen == []


@pytest.mark.parametrize(
    "server",
    ["http://rutter.example", "http://10.0.0.1:8000", "http://127.0.0.1.example", "ftp://localhost", "https://",
     "rutter.example", "https://rutter.example/v1", "https://user@rutter.example", "https://rutter.example?a",
     "http://127.0.0.1@a.example"],
)  # fmt: skip
def test_other_addresses_are_refused(server):
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match=r"origin|use https"):
            kind(server, "rut_secret")


def test_this_machine_and_https_are_origins():
    for server in (
        "https://rutter.example/",
        "https://rutter.example:444",
        "http://localhost:1",
        "http://[::1]:8000",
    ):
        assert check_origin(server) == server.rstrip("/")


def note(n, head=b"\1" * 32, key=LOG):
    return sign_receipt(key, GAME, n, head, CMD, TIME)


LOOK = {"id": GAME, "title": "example", "status": "running", "view": {}, "seats": []}
EVENT = b'event: event\nid: %d\ndata: {"seq": %d, "hash": "%s", "type": "Passed"}\n\n'


def test_what_was_acknowledged_cannot_be_taken_back(client, script, tmp_path):
    """Another hash, fewer events, a key that nobody announced: each is told, in another process as well."""
    act, path = {"type": "pass"}, f"/v1/games/{GAME}"
    script.answers |= {
        "/v1/keys": (200, {}, keys_page((LOG, None, None))),
        f"{path}/commands": (200, {}, {"seq": 5, "events": [], "receipt": note(5)}),
    }
    with serving_handler(script) as address:
        client(address, folder=tmp_path).act(GAME, act)
        one = client(address, folder=tmp_path)
        script.answers[path] = (200, {}, {**LOOK, "seq": 4, "last": 4})
        with pytest.raises(BadReceipt, match="event 5"):
            one.look(GAME)

        def answers(receipt, match, error=BadReceipt, **more):
            script.answers[f"{path}/commands"] = (
                200,
                {},
                {"seq": 5, "events": [], "receipt": receipt, **more},
            )
            with pytest.raises(error, match=match):
                one.act(GAME, act)

        answers(None, "no receipt")
        answers(note(5, b"\2" * 32), "two hashes")
        answers(note(4), "event 5")
        answers(note(6, key=SigningKey(LOG.name, bytes(32))), "another key than the pinned ones", UnknownKey)
        answers(note(5), "another one", events=[{"seq": 5, "hash": "02" * 32}])
        script.answers[f"{path}/stream"] = (200, {}, EVENT % (5, 5, b"02" * 32))
        with pytest.raises(BadReceipt, match="another one"):
            next(one.follow(GAME))
        script.answers[f"{path}/stream"] = (200, {}, b": alive\n\n" + EVENT % (5, 5, b"01" * 32))
        assert next(one.follow(GAME)).id == 5


NEW, THIEF = (SigningKey(LOG.name, bytes([fill]) * 32) for fill in (7, 9))


@pytest.mark.parametrize("by", [LOG, THIEF], ids=["announced", "forged"])
def test_a_new_key_needs_a_proof_of_the_old_one(client, script, tmp_path, by):
    """A key that the old one announced is believed; after the change the old one is believed no more."""
    over = keys_page((LOG, 9, None), (NEW, None, announce(NEW, [by])))
    script.answers["/v1/keys"] = [(200, {}, keys_page((LOG, None, None))), (200, {}, over), (200, {}, over)]
    script.answers[f"/v1/games/{GAME}/commands"] = [
        (200, {}, {"seq": 5, "receipt": one}) for one in (note(5), note(6, key=NEW), note(7))
    ]
    with serving_handler(script) as address:
        one = client(address, folder=tmp_path)
        one.act(GAME, {"type": "pass"})
        if by is THIEF:
            with pytest.raises(UnknownKey):
                one.act(GAME, {"type": "pass"})
        else:
            one.act(GAME, {"type": "pass"})
            with pytest.raises(UnknownKey):
                one.act(GAME, {"type": "pass"})


UNKNOWN = b"".join(
    b"event: %s\ndata: %s\n\n" % pair
    for pair in (
        (b"presence", b'{"seats": [0], "spectators": 2, "status": "finished"}'),
        (b"weather", b'{"type": "TableClosed", "status": {"sky": "clear"}}'),
        (b"weather", b"[1, 2]"),
        (b"weather", b"null"),
    )
)
"""Messages of kinds that these libraries do not know, or do not need; some look like the end of a game."""
TURN = {"game": GAME, "title": "example", "seat": 0, "seq": 1, "complete": True, "decisions": []}
END = b'event: turn\ndata: %s\n\nevent: game\ndata: {"last": 1, "status": "finished"}\n\n'


def test_unknown_messages_are_handed_on_and_end_nothing(client, script):
    """`follow` gives them to the program; `play` waits for the turn behind them."""
    move = {"seat": 0, "label": "Pass", "command": {"type": "pass"}}
    end = END % json.dumps({**TURN, "legal": [move]}).encode()
    script.answers |= {
        "/v1/keys": (200, {}, keys_page((LOG, None, None))),
        f"/v1/games/{GAME}": (200, {}, {**LOOK, "seq": 1, "last": 1}),
        f"/v1/games/{GAME}/stream": (200, {}, b": alive\n\n" + UNKNOWN + end),
    }
    turns = []
    with serving_handler(script) as address:
        one = client(address)
        messages = one.follow(GAME)
        assert [next(messages).name for _ in range(6)] == ["presence", *["weather"] * 3, "turn", "game"]
        messages.close()
        one.play(turns.append, GAME)
    assert [turn.seq for turn in turns] == [1]


def count_lines(path):
    """Lines with program on them: neither blank, nor a docstring or comment."""
    text = path.read_text(encoding="utf-8")
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    tokens = [one for one in tokenize.generate_tokens(io.StringIO(text).readline) if one.type not in skipped]
    lines = {line for one in tokens[:-1] for line in range(one.start[0], one.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines -= set(range(node.lineno, (node.end_lineno or 0) + 1))
    return len(lines)


def test_it_is_small_and_stands_alone():
    """At most 400 lines of program beside the two files that others may copy; nothing of the project."""
    copied = {"contribution.py", "receipts.py"}
    assert sum(count_lines(path) for path in FOLDER.glob("*.py") if path.name not in copied) <= 400
    source = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    found = [
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom) and not node.level
    ]
    names = {str(node.module).partition(".")[0] for node in found}
    names |= set(re.findall(r"^import (\w+)", source, re.MULTILINE))
    names -= sys.stdlib_module_names
    assert names == {"cryptography", "urllib3"}
    assert (FOLDER / "py.typed").exists()
