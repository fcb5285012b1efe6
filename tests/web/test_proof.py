"""The page keeps what the service acknowledged, and contributes to the randomness by itself."""

from __future__ import annotations

import hashlib
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from events.proof.randomness import seat_commitment
from events.tlog import receipts
from events.tlog.notes import SigningKey, Verifier
from tests.conftest import LiveServer
from tests.waiting import until
from tests.web.conftest import Visitor
from tests.web.table import Json, Player, enter

pytestmark = pytest.mark.browser

EMPIRES = "colonial_empires"
ME, OPEN = {"you": True}, {"open": True}
CHOICE = ".hand [data-ref^='empire:'][data-lit]"

HASH = """async ({ base, texts }) => {
  const { hex, sha256, unhex } = await import(base + "js/proof/sha256.js");
  return texts.map((text) => hex(sha256(unhex(text))));
}"""


def test_the_pages_own_sha256_is_the_standards(workbench: Page, files: str) -> None:
    """The examples of FIPS 180-4, and every length around the ends of blocks."""
    texts = [b"", b"abc", b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", b"a" * 100_000]
    texts += [
        bytes(range(256))[:length] for length in (54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 256)
    ]
    assert hashlib.sha256(b"abc").hexdigest() == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    told = workbench.evaluate(HASH, {"base": files, "texts": [text.hex() for text in texts]})
    assert told == [hashlib.sha256(text).hexdigest() for text in texts]


COMMIT = """async ({ base, game, seat, key }) => {
  const { commit, commitment, keyOf, newGameId } = await import(base + "js/proof/contribution.js");
  const { unhex } = await import(base + "js/proof/sha256.js");
  localStorage.clear();
  const made = commit(game, seat), again = commit(game, seat);
  const kept = localStorage.getItem(`rutter.contribution.${game}.${seat}`);
  const seeded = commitment(unhex(key), seat, unhex(kept));
  const ids = Array.from({ length: 50 }, newGameId);
  localStorage.clear();
  return { made, again, kept, seeded, ids };
}"""


def test_a_contribution_is_committed_as_the_service_checks_it(workbench: Page, files: str) -> None:
    """32 bytes that are kept; asked again the same; for a seeded game under its recorded key."""
    game, key = "01a201c8-ac20-797d-9631-588b2897709a", "0f" * 16
    told = workbench.evaluate(COMMIT, {"base": files, "game": game, "seat": 2, "key": key})
    mine = bytes.fromhex(told["kept"])
    assert len(mine) == 32
    assert told["made"] == told["again"] == seat_commitment(uuid.UUID(game).bytes, "p2", mine).hex()
    assert told["seeded"] == seat_commitment(bytes.fromhex(key), "p2", mine).hex()
    assert len({*told["ids"]}) == 50
    assert all(uuid.UUID(one).version == 7 and str(uuid.UUID(one)) == one for one in told["ids"])
    assert [one[:8] for one in told["ids"]] == sorted(one[:8] for one in told["ids"])


KEEP = """async ({ base, keys, game, steps }) => {
  const { checkEvent, checkView, forgetReceipts, keep, lines } = await import(base + "js/proof/receipts.js");
  localStorage.clear();
  const real = window.fetch;
  window.fetch = async () => new Response(JSON.stringify(keys));
  const act = { keep: (note) => keep(game, note), view: (last) => checkView(game, last),
    event: ([seq, hash]) => checkEvent(game, seq, hash) };
  const told = [];
  for (const [what, value] of steps) {
    try { await act[what](value); told.push(null); } catch (problem) { told.push(problem.detail); }
  }
  window.fetch = real;
  const kept = lines(game);
  forgetReceipts();
  return { told, kept, left: localStorage.length };
}"""
LOG = SigningKey("rutter.example/log", bytes(32))
GAME = "01a201c8-ac20-797d-9631-588b2897709a"


def note(n: int, fill: int = 1, game: str = GAME, key: SigningKey = LOG) -> str:
    return receipts.sign(key, game, n, bytes([fill]) * 32, "0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90", 1795201200)


def keep(workbench: Page, files: str, *steps: tuple[str, Any]) -> Any:
    keys = {"origin": LOG.name, "keys": [{"vkey": LOG.vkey, "since": 0, "until": None}]}
    return workbench.evaluate(KEEP, {"base": files, "keys": keys, "game": GAME, "steps": steps})


def test_receipts_that_contradict_each_other_are_told(workbench: Page, files: str) -> None:
    """Another hash, key or game, none at all; the two that contradict each other are both kept."""
    told = keep(
        workbench,
        files,
        ("keep", note(4)),
        ("keep", note(4)),
        ("keep", note(7)),
        ("keep", note(7, game="01a201c8-ac20-797d-9631-588b2897709b")),
        ("keep", note(8, key=SigningKey("rutter.example/log", bytes(31) + b"\1"))),
        ("keep", note(8, key=SigningKey("elsewhere/log", bytes(32)))),
        ("keep", ""),
        ("keep", note(7, 2)),
    )
    assert told["told"][:3] == [None] * 3
    for problem, word in zip(
        told["told"][3:],
        ("another game", "another key", "another key", "no valid receipt", "two different versions"),
        strict=True,
    ):
        assert word in problem
    lines = [json.loads(line) for line in told["kept"].splitlines()]
    assert [line["note"] for line in lines] == [note(4), note(7), note(7, 2)]
    assert {line["kind"] for line in lines} == {"receipt"}
    assert told["left"] == 0


def test_a_deadline_that_is_put_off_is_refused(workbench: Page, files: str) -> None:
    """It is a minute after the time of the event, no matter who signs another one."""
    lines = note(4).split("\n\n")[0].split("\n")
    late = LOG.sign("\n".join([*lines[:7], str(int(lines[7]) + 1), ""]))
    told = keep(workbench, files, ("keep", late), ("keep", note(4)))["told"]
    assert told[1] is None
    assert "deadline" in told[0]


def test_a_view_or_an_event_that_belies_a_receipt_is_refused(workbench: Page, files: str) -> None:
    """A server that was set back shows fewer events than it acknowledged, or others."""
    told = keep(
        workbench,
        files,
        ("view", 0),
        ("keep", note(7)),
        ("view", 7),
        ("view", 9),
        ("view", 6),
        ("event", [7, "01" * 32]),
        ("event", [6, "02" * 32]),
        ("event", [7, "02" * 32]),
    )["told"]
    assert [bool(problem) for problem in told] == [False] * 4 + [True, False, False, True]


@pytest.mark.whole
@pytest.mark.integration
def test_a_player_contributes_and_keeps_receipts_without_doing_anything(
    visitor: Visitor, live_server: LiveServer, tmp_path: Path
) -> None:
    """Sitting down commits, the last seat taken reveals, every command is acknowledged; the file verifies."""
    address = live_server.address
    anna, boris = Player(address, "Anna"), Player(address, "Boris")
    game = anna.game(EMPIRES, [ME, OPEN, OPEN])
    page = enter(visitor(first=True), address, boris, f"#/games/{game}")
    page.get_by_role("button", name="Take this seat").first.click()
    expect(page.locator(".proof")).to_contain_text("1 receipt")
    types = [event["type"] for event in anna.call("GET", f"/v1/games/{game}/events")["events"]]
    assert types[-2:] == ["SeatTaken", "SeatCommitted"]
    carla = Player(address, "Carla")
    other = enter(visitor(first=True), address, carla)
    other.locator(f".game:has(a[href='/g/{game}'])").get_by_role("button", name="Join").click()
    for each in (page, other):
        expect(each.locator(".proof")).to_contain_text("receipts")
    page.wait_for_function(
        "() => !Object.keys(localStorage).some((name) => name.startsWith('rutter.contribution'))"
    )
    other.wait_for_function(
        "() => !Object.keys(localStorage).some((name) => name.startsWith('rutter.contribution'))"
    )
    anna.call("POST", f"/v1/games/{game}/start", {})
    log = anna.call("GET", f"/v1/games/{game}/events?limit=1000")["events"]
    assert {e["data"]["seat"] for e in log if e["type"] == "SeatRevealed"} == {1, 2}
    assert [e["data"]["missing"] for e in log if e["type"] == "TableBegun"] == [[]]
    decisions, commands = f"/v1/games/{game}/decisions", f"/v1/games/{game}/commands"

    def mover() -> tuple[Player, Json] | None:
        told = ((one, one.call("GET", decisions)["legal"]) for one in (boris, anna, carla))
        return next(((one, legal[0]["command"]) for one, legal in told if legal), None)

    while (now := until(mover, "somebody's turn"))[0] is not boris:  # who chooses first is drawn
        now[0].call("POST", commands, now[1])
    expect(page.locator(CHOICE).first).to_be_visible()
    expect(page.locator("[data-page]")).to_have_attribute("data-asked", "true")
    kept = page.locator(".proof").inner_text()
    page.locator(CHOICE).first.click()
    page.locator("[data-part=give]").click()
    expect(page.locator(CHOICE)).to_have_count(0)
    expect(page.locator(".proof")).not_to_have_text(kept)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save receipts").click()
    download.value.save_as(tmp_path / "receipts.ndjson")
    key = Verifier.read(anna.call("GET", "/v1/keys")["keys"][0]["vkey"])
    hashes = {e["seq"]: e["hash"] for e in anna.call("GET", f"/v1/games/{game}/events?limit=1000")["events"]}
    lines = (tmp_path / "receipts.ndjson").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 4  # joining, the head before the reveal, the reveal, a command
    for line in map(json.loads, lines):
        assert set(line) == {"kind", "note"}
        receipt, _ = receipts.open_receipt(line["note"], [key])
        assert (receipt.game, receipt.hash.hex()) == (game, hashes[receipt.n])
