"""The client library for JavaScript in Node: whole games, lost answers, limits, receipts, types."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from events.tlog.notes import SigningKey, Verifier, open_receipt, sign_receipt
from events.verify import verify
from tests.acceptance.client import Client, events_of
from tests.announced import announce, keys_page
from tests.clients.generated import run as run_program
from tests.clients.javascript import PACKAGE, JavaScriptPlayer, run
from tests.clients.library import Script, make_script
from tests.clients.test_library import END, TURN, UNKNOWN
from tests.conftest import ROOT, LiveServer
from tests.events.test_tlog import CMD, GAME, LOG, TIME
from tests.http_server import QuietHandler
from tests.http_server import serving as serving_handler
from tests.losing_proxy import LosingProxy, Loss
from tests.tools import need, need_generated

integration = pytest.mark.integration
slow = pytest.mark.slow
OPTIONS = {"colonial": {"turn_limit": 8}}
"""A whole game at random would last a hundred turns."""
MOST_LINES = 400
PAGE = ROOT / "service" / "docs" / "pages" / "build" / "library.md"
KEEPERS = {
    "contribution.js",
    "ed25519.js",
    "files.js",
    "keys.js",
    "receipts.js",
    "sha256.js",
    "sha512.js",
    "storage.js",
}
"""Files of receipts, contributions, and where they are kept."""
Play = Callable[..., JavaScriptPlayer]


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Play]:
    """Makes players, and ends them."""
    made: list[JavaScriptPlayer] = []

    def make(address: str, title: str, seats: int, **settings: Any) -> JavaScriptPlayer:
        wishes = [{"you": True}] * seats
        made.append(JavaScriptPlayer(address, tmp_path / "kept", title, wishes, pause=0.2, **settings))
        return made[-1]

    yield make
    for one in made:
        one.discard()


def check_game(address: str, said: list[dict[str, Any]], seats: int) -> None:
    """All that was accepted stands in the log as it was answered, once; the receipts are those of the log."""
    end = next(line for line in said if "over" in line)
    assert (end["status"], end["isSame"]) == ("finished", True)
    nobody = Client(address, said[0]["token"])
    copy = nobody.send("GET", f"/v1/games/{end['over']}/audit").body
    assert verify(copy.splitlines(keepends=True)).events == end["seq"]
    lines = events_of(copy)
    bodies = [json.loads(line["body"]) for line in lines]
    events = nobody.get(f"/v1/games/{end['over']}/events?limit=1000")["events"]
    assert [event["data"]["missing"] for event in events if event["type"] == "TableBegun"] == [[]]
    accepted = [line["events"] for line in said if "events" in line]
    mine = {f"p{seat}" for seat in range(seats)}
    given = {body["cmd"] for body in bodies if body["by"] in mine and body["t"] != "SeatRevealed"}
    assert len(given) == len(accepted) > 3
    assert all(event["hash"] == lines[event["seq"] - 1]["hash"] for one in accepted for event in one)
    keys = [Verifier.read(nobody.get("/v1/keys")["keys"][0]["vkey"])]
    kept = [json.loads(line) for line in end["receipts"].splitlines()]
    assert len(kept) > len(accepted)
    for one in kept:
        receipt, _ = open_receipt(one["note"], keys)
        assert receipt.hash.hex() == lines[receipt.n - 1]["hash"]


@integration
@slow
def test_a_whole_game(player: Play, live_server: LiveServer) -> None:
    """With contributions, receipts, and a look back; of all titles in tests/campaigns."""
    plays_a_whole_game(player, live_server.address, "example", 2)


def plays_a_whole_game(player: Play, address: str, title: str, seats: int) -> None:
    """Play at all of so many seats, and compare what was told with the log."""
    one = player(address, title, seats, options=OPTIONS.get(title, {}))
    check_game(address, one.finish(), seats)


@slow
@integration
@pytest.mark.parametrize("kind", list(Loss))
def test_lost_answers_are_found_again(player: Play, live_server: LiveServer, kind: Loss) -> None:
    """At each turn the next answer never arrives; each command counts once."""
    port = int(live_server.address.rpartition(":")[2])
    with closing(LosingProxy(lambda: ("127.0.0.1", port))) as proxy:
        one = player(f"http://127.0.0.1:{proxy.port}", "example", 2, stepwise=True, silence=0.5)
        asked = 0
        while (line := one.listen()) is not None:
            if "asked" in line:
                asked += 1
                proxy.lose(1, kind)
                one.tell()
        assert min(proxy.lost, asked) > 3
    check_game(live_server.address, one.said, 2)


@pytest.fixture
def script() -> type[Script]:
    """A dishonest server's class of handlers."""
    return make_script()


def test_what_may_be_gone_in_a_moment_is_asked_again(script: type[Script]) -> None:
    """With the same key, after the pause that the server names; a pause that is too long is told."""
    page = b"<html>Bad gateway</html>"
    script.answers["/v1/me"] = [
        (429, {"Retry-After": "0"}, {}),
        (502, {}, page),
        (503, {}, {}),
        (200, {}, {"a": 1}),
    ]
    script.answers["/v1/you"] = (429, {"Retry-After": "60"}, {"code": "too_many_requests", "detail": "Wait."})
    script.answers["/v1/none"] = (422, {}, {"code": "invalid", "detail": "Say more.", "clause": "/rules"})
    with serving_handler(script) as address:
        told = run(
            """
            const me = new Client(given.address, null, { waits: 5, pause: 0.01 });
            const done = await me.request("POST", "/v1/me", {}, { key: "k" });
            const ask = (path) => caught(() => me.request("GET", path));
            say([done, await ask("/v1/you"), await ask("/v1/none")]);
            """,
            address=address,
        )
    assert told == [{"a": 1}, ["Refused", "too_many_requests", "Wait."], ["Refused", "invalid", "Say more."]]
    assert [path for path, _ in script.seen] == ["/v1/me"] * 4 + ["/v1/you", "/v1/none"]
    assert {headers["Idempotency-Key"] for path, headers in script.seen if path == "/v1/me"} == {"k"}


def test_unknown_messages_are_handed_on_and_end_nothing(script: type[Script]) -> None:
    """`follow` gives them to the program; `play` waits for the turn behind them."""
    move = {"seat": 0, "label": "Pass", "command": {"type": "pass"}}
    end = END % json.dumps({**TURN, "legal": [move]}).encode()
    script.answers |= {
        "/v1/keys": (200, {}, keys_page((LOG, None, None))),
        f"/v1/games/{GAME}": (200, {}, {**LOOK, "seq": 1, "last": 1}),
        f"/v1/games/{GAME}/stream": (200, {}, b": alive\n\n" + UNKNOWN + end),
    }
    with serving_handler(script) as address:
        told = run(
            """
            const me = new Client(given.address);
            const names = [];
            for await (const { name } of me.follow(given.game)) if (names.push(name) === 6) break;
            const turns = [];
            await me.play((turn) => { turns.push(turn.seq); return null; }, given.game);
            say([names, turns]);
            """,
            address=address,
            game=GAME,
        )
    assert told == [["presence", *["weather"] * 3, "turn", "game"], [1]]


def test_one_that_never_answers_is_given_up() -> None:
    with closing(LosingProxy(lambda: ("127.0.0.1", 1))) as proxy:
        told = run(
            """
            const me = new Client(given.address, "rut_secret", { waits: 0.5, pause: 0.1, silence: 0.2 });
            say(await caught(() => me.request("GET", "/v1/me")));
            """,
            address=f"http://127.0.0.1:{proxy.port}",
        )
    assert told[:2] == ["Unanswered", "unreachable"]
    assert "rut_secret" not in told[2]


def test_a_token_goes_to_its_origin_only(script: type[Script]) -> None:
    """A redirect elsewhere is a refusal, whether the address is of another host or of this one."""
    other = make_script()
    other.answers["/v1/me"] = (200, {}, {})
    with serving_handler(script) as address, serving_handler(other) as elsewhere:
        statuses = (301, 302, 303, 307, 308)
        script.answers["/v1/me"] = [
            (status, {"Location": f"{elsewhere}/v1/me"}, b"") for status in statuses for _ in range(2)
        ]
        script.answers["/v1/games"] = (200, {}, {"games": [], "next": f"{elsewhere}/v1/me"})
        told = run(
            """
            const me = new Client(given.address, "rut_secret");
            const told = [];
            for (const method of "GET POST ".repeat(5).trim().split(" "))
              told.push(await caught(() => me.request(method, "/v1/me")));
            const host = given.elsewhere.slice(7);
            const paths = [`//${host}/v1/me`, `/\\\\${host}`, "v1/me"];
            for (const path of paths) told.push(await caught(() => me.read(path)));
            told.push(await caught(async () => { for await (const game of me.games()) say(game); }));
            say(told);
            """,
            address=address,
            elsewhere=elsewhere,
        )
    assert [one[:2] for one in told] == [["Refused", "redirected"]] * 10 + [["TypeError", ""]] * 4
    assert {headers["Authorization"] for _, headers in script.seen} == {"Bearer rut_secret"}
    assert other.seen == []


def test_a_token_needs_an_origin_that_keeps_it() -> None:
    """HTTPS, or this machine."""
    bad = [
        "http://rutter.example", "http://10.0.0.1:8000", "http://127.0.0.1.example", "ftp://localhost", "https://",
        "rutter.example", "https://rutter.example/v1", "https://user@rutter.example", "https://rutter.example?a",
        "http://127.0.0.1@a.example", "http://localhost.example", "http://[::2]", "https://a b",
        "http:\\\\localhost",
    ]  # fmt: skip
    good = [
        "https://rutter.example/",
        "https://rutter.example:444",
        "http://localhost:1",
        "http://[::1]:8000",
        "http://127.0.0.1",
    ]
    told = run(
        """
        const made = async (server) =>
          (await caught(() => new Client(server, "rut_secret"))) ?? new Client(server).server;
        say([await Promise.all(given.bad.map(made)), await Promise.all(given.good.map(made))]);
        """,
        bad=bad,
        good=good,
    )
    assert [one[0] for one in told[0]] == ["TypeError"] * len(bad)
    assert told[1] == [server.rstrip("/") for server in good]
    assert not [one for one in told[0] if "rut_secret" in one[2]]


def note(n: int, head: bytes = b"\1" * 32, key: SigningKey = LOG) -> str:
    return sign_receipt(key, GAME, n, head, CMD, TIME)


ACT = """
const me = new Client(given.address, null, { storage: new FileStorage(given.folder), pause: 0.01 });
const act = () => caught(() => me.act(given.game, { type: "pass" }));
const first = async (messages) => { for await (const message of messages) return message; };
"""
LOOK = {"id": GAME, "title": "example", "status": "running", "view": {}, "seats": []}
EVENT = b'event: event\nid: %d\ndata: {"seq": %d, "hash": "%s", "type": "Passed"}\n\n'
NEW, THIEF = (SigningKey(LOG.name, bytes([fill]) * 32) for fill in (7, 9))


def test_what_was_acknowledged_cannot_be_taken_back(script: type[Script], tmp_path: Path) -> None:
    """Another hash, fewer events, an unknown key, a wrong signature: in another process as well."""
    path = f"/v1/games/{GAME}"
    forged = note(6).split("\n\n")[0] + "\n\n" + note(7).split("\n\n")[1]

    def answer(receipt: str | None, **more: Any) -> tuple[int, dict[str, str], dict[str, Any]]:
        return (200, {}, {"seq": 5, "events": [], "receipt": receipt, **more})

    script.answers["/v1/keys"] = (200, {}, keys_page((LOG, None, None)))
    script.answers[f"{path}/commands"] = [
        answer(note(5)),
        answer(None),
        answer(note(4)),
        answer(note(6, key=NEW)),
        answer(forged),
        answer(note(5), events=[{"seq": 5, "hash": "02" * 32}]),
        answer(note(5, b"\2" * 32)),
    ]
    script.answers[path] = (200, {}, {**LOOK, "seq": 4, "last": 4})
    script.answers[f"{path}/stream"] = [
        (200, {}, EVENT % (5, 5, b"02" * 32)),
        (200, {}, b": alive\n\n" + EVENT % (5, 5, b"01" * 32)),
    ]
    with serving_handler(script) as address:
        given = {"address": address, "folder": str(tmp_path), "game": GAME}
        assert run(ACT + "say(await act());", **given) is None
        told = run(
            ACT
            + """
            const told = [await caught(() => me.look(given.game))];
            for (let n = 0; n < 5; n++) told.push(await act());
            told.push(await caught(() => first(me.follow(given.game))));
            const message = await first(me.follow(given.game));
            told.push(await act());
            say([told, message, me.receipts(given.game)]);
            """,
            **given,
        )
    problems, message, kept = told
    words = [
        "shows 4 events",
        "no valid receipt",
        "shows 4 events",
        "another key",
        "signature",
        "not the event",
    ]
    words += ["not the event", "two different versions"]
    for problem, word in zip(problems, words, strict=True):
        assert word in problem[2], problem
    assert problems[3][0] == "UnknownKey"
    assert {problem[0] for problem in problems} == {"BadReceipt", "UnknownKey"}
    assert message["id"] == 5
    assert [json.loads(line)["note"] for line in kept.splitlines()] == [note(4), note(5), note(5, b"\2" * 32)]
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize(("by", "error"), [(LOG, None), (THIEF, "UnknownKey")], ids=["announced", "forged"])
def test_a_new_key_needs_a_proof_of_the_old_one(
    script: type[Script], tmp_path: Path, by: SigningKey, error: str | None
) -> None:
    """After the change the old one alone is believed no more."""
    over = keys_page((LOG, 9, None), (NEW, None, announce(NEW, [by])))
    script.answers["/v1/keys"] = [(200, {}, keys_page((LOG, None, None))), (200, {}, over), (200, {}, over)]
    script.answers[f"/v1/games/{GAME}/commands"] = [
        (200, {}, {"seq": 5, "receipt": one}) for one in (note(5), note(6, key=NEW), note(7))
    ]
    with serving_handler(script) as address:
        told = run(
            ACT + "say([await act(), await act(), await act()]);",
            address=address,
            folder=str(tmp_path),
            game=GAME,
        )
    assert told[0] is None
    assert told[1] == error or told[1][0] == error
    assert (told[2] or [None])[0] == ("UnknownKey" if error is None else None)


class Silent(QuietHandler):
    """A stream that says one thing, and then nothing more, not even that it is alive."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        after = int(self.headers.get("Last-Event-ID", 4))
        self.wfile.write(EVENT % (after + 1, after + 1, b"01" * 32))
        self.over.wait()

    over = threading.Event()


def test_a_silent_stream_is_opened_again() -> None:
    """The next one goes on after the last event; an abort ends it, and so does a close of the client."""
    Silent.over.clear()
    with serving_handler(Silent) as address:
        told = run(
            """
            const me = new Client(given.address, null, { silence: 0.2, pause: 0.05 });
            const seen = [];
            for await (const { id } of me.follow(given.game)) if (seen.push(id) === 3) break;
            const stop = new AbortController();
            for await (const { id } of me.follow(given.game, { after: 20, signal: stop.signal })) {
              seen.push(id);
              stop.abort();
            }
            for await (const { id } of me.stream("/v1/any", { after: 30 })) {
              seen.push(id);
              me.close();
            }
            say(seen);
            """,
            address=address,
            game=GAME,
        )
        Silent.over.set()
    assert told == [5, 6, 7, 21, 31]


def test_it_is_small_and_stands_alone() -> None:
    """At most 400 lines of program beside what keeps receipts and contributions; nothing from elsewhere."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in PACKAGE.glob("*.js")}
    lines = [line for name in texts.keys() - KEEPERS for line in texts[name].splitlines()]
    assert len([line for line in lines if line.strip() and not re.match(r"\s*(//|/?\*)", line)]) <= MOST_LINES
    for name, text in texts.items():
        named = re.findall(r'(?:from |import\()"([^"]+)"', text)
        assert all(one.removeprefix("./") in texts for one in named if not one.startswith("node:")), name
        assert name == "files.js" or "node:" not in text
    told = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))
    assert (
        told["version"]
        == tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    )
    assert "dependencies" not in told


def test_its_types_name_what_is_there() -> None:
    """No member is missing in the declarations, and none is too many."""
    declared = (PACKAGE / "index.d.ts").read_text(encoding="utf-8")
    body = declared.partition("export class Client {")[2]
    members = set(re.findall(r"^  (?:readonly )?(\w+)(?:<[^>]+>)?[(:]", body, re.MULTILINE))
    names = set(re.findall(r"^export class (\w+)", declared, re.MULTILINE))
    told = run(
        """
        const all = await import(given.index);
        say([Object.getOwnPropertyNames(Client.prototype), Object.keys(all)]);
        """,
        index=f"{PACKAGE.as_uri()}/index.js",
    )
    assert set(told[0]) == members
    assert set(told[1]) == names


@integration
@slow
def test_the_package_is_packed_and_typed(live_server: LiveServer, tmp_path: Path) -> None:
    """As `npm pack` makes it, without a net; a program that uses it compiles, and the page's bot plays."""
    modules = need_generated("node_modules/typescript").parent
    need("node")
    environment = ("env", "npm_config_offline=true", "npm_config_update_notifier=false", f"HOME={tmp_path}")
    run_program(*environment, "npm", "pack", "--silent", PACKAGE, folder=tmp_path)
    (packed,) = tmp_path.glob("rutter-client-*.tgz")
    placed = tmp_path / "node_modules"
    placed.mkdir()
    run_program("tar", "-xzf", packed, "-C", placed, folder=tmp_path)
    (placed / "package").rename(placed / "rutter-client")
    (placed / "@types").symlink_to(modules / "@types")
    (placed / "undici-types").symlink_to(modules / "undici-types")
    names = {path.name for path in (placed / "rutter-client").iterdir()}
    assert names == {path.name for path in PACKAGE.iterdir()}
    for name in ("tsconfig.json", "package.json"):
        shutil.copy(ROOT / "tests" / "clients" / "typescript" / name, tmp_path)
    shutil.copy(ROOT / "tests" / "clients" / "javascript" / "typed.ts", tmp_path)
    run_program(modules / ".bin" / "tsc", "--lib", "es2023,dom", "--skipDefaultLibCheck", folder=tmp_path)
    done = subprocess.run(
        [need("node"), "built/typed.js"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "use https\n", done.stderr
    shown = re.findall(r"^```text\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (bot,) = [text for text in shown if '"rutter-client"' in text]
    assert len(bot.splitlines()) <= 15
    (tmp_path / "bot.mjs").write_text(bot.replace("http://127.0.0.1:8000", live_server.address))
    assert "winners: [" in run_program(need("node"), "bot.mjs", folder=tmp_path)
