"""The page keeps what the service acknowledged, and contributes to the randomness by itself."""

from __future__ import annotations

import hashlib
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Page, expect

from events.proof.randomness import seat_commitment
from events.tlog.notes import SigningKey, Verifier, open_receipt, sign_receipt
from tests.announced import announce, forgeries, keys_page
from tests.conftest import LiveServer
from tests.waiting import until
from tests.web.conftest import Visitor
from tests.web.key_changes import trust_new_key
from tests.web.table import Json, Player, enter

pytestmark = pytest.mark.browser

EMPIRES = "colonial_empires"
ME, OPEN = {"you": True}, {"open": True}
CHOICE = ".hand [data-ref^='empire:'][data-lit]"

HASH = """async ({ base, texts }) => {
  const { hex, sha256, unhex } = await import(base + "client/sha256.js");
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
  const { commitment, Contributions, newGameId } = await import(base + "client/contribution.js");
  const { unhex } = await import(base + "client/sha256.js");
  localStorage.clear();
  const mine = new Contributions(localStorage);
  const made = mine.commit(game, seat), again = mine.commit(game, seat);
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


SHA512 = """async ({ base, texts }) => {
  const { hex, unhex } = await import(base + "client/sha256.js");
  const { sha512 } = await import(base + "client/sha512.js");
  return texts.map((text) => hex(sha512(unhex(text))));
}"""
SIGNED = """async ({ base, cases }) => {
  const { unhex } = await import(base + "client/sha256.js");
  const { isSignedBy } = await import(base + "client/ed25519.js");
  return cases.map((parts) => isSignedBy(...parts.map(unhex)));
}"""


def test_the_pages_own_sha512_is_the_standards(workbench: Page, files: str) -> None:
    lengths = (0, 1, 3, 110, 111, 112, 113, 127, 128, 129, 239, 240, 256, 5000)
    texts = [bytes(n % 251 for n in range(length)) for length in lengths]
    told = workbench.evaluate(SHA512, {"base": files, "texts": [text.hex() for text in texts]})
    assert told == [hashlib.sha512(text).hexdigest() for text in texts]


SIGN = """async ({ base, cases }) => {
  const { hex, unhex } = await import(base + "client/sha256.js");
  const { publicKeyOf, sign } = await import(base + "client/ed25519.js");
  const bytes = cases.map((each) => each.map(unhex));
  return bytes.map(([secret, text]) => [publicKeyOf(secret), sign(secret, text)].map(hex));
}"""


def test_the_page_signs_as_the_standard_says(workbench: Page, files: str) -> None:
    """A secret has one public key and one signature of a message: those of `cryptography`."""
    secrets = [bytes([fill]) * 32 for fill in (0, 1, 127, 255)]
    texts = [bytes(range(fill * 40)) for fill in range(4)]
    cases = [(secret.hex(), text.hex()) for secret, text in zip(secrets, texts, strict=True)]
    keys = [Ed25519PrivateKey.from_private_bytes(secret) for secret in secrets]
    wanted = [
        [key.public_key().public_bytes_raw().hex(), key.sign(text).hex()]
        for key, text in zip(keys, texts, strict=True)
    ]
    assert workbench.evaluate(SIGN, {"base": files, "cases": cases}) == wanted


def test_the_page_checks_signatures_as_the_standard_says(workbench: Page, files: str) -> None:
    """Those of `cryptography` hold; a changed bit, a number too large, a key of small order do not."""
    right, wrong = [], []
    for fill in range(8):
        key = Ed25519PrivateKey.from_private_bytes(bytes([fill]) * 32)
        public, message = key.public_key().public_bytes_raw(), bytes(range(fill * 20))
        signature = key.sign(message)
        right.append([public, signature, message])
        for at in (0, 31, 32, 63):
            bad = bytearray(signature)
            bad[at] ^= 1 << (fill % 8)
            wrong.append([public, bytes(bad), message])
        wrong += [[public, signature, message + b"x"], [bytes(31) + b"\x02", signature, message]]
        response = int.from_bytes(signature[32:], "little") + 2**252 + 27742317777372353535851937790883648493
        wrong.append([public, signature[:32] + response.to_bytes(32, "little"), message])
        wrong.append([public, signature[:63], message])
    identity = b"\x01" + bytes(31)
    wrong += [[identity, identity + bytes(32), b"anything"], [b"\xff" * 32, bytes(64), b""]]
    cases = [[part.hex() for part in case] for case in (*right, *wrong)]
    told = workbench.evaluate(SIGNED, {"base": files, "cases": cases})
    assert told == [True] * len(right) + [False] * len(wrong)


KEEP = """async ({ base, keys, game, steps }) => {
  const { checkEvent, checkView, forgetReceipts, keep, lines } = await import(base + "js/proof/receipts.js");
  localStorage.clear();
  const real = window.fetch;
  let page = keys;
  window.fetch = async () => new Response(JSON.stringify(page));
  const act = { serve: (other) => { page = other; }, keep: (note) => keep(game, note),
    view: (last) => checkView(game, last), event: ([seq, hash]) => checkEvent(game, seq, hash) };
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
    return sign_receipt(key, game, n, bytes([fill]) * 32, "0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90", 1795201200)


def keep(workbench: Page, files: str, *steps: tuple[str, Any]) -> Any:
    keys = keys_page((LOG, None, None))
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


NEW, NEXT, THIEF = (SigningKey(LOG.name, bytes([fill]) * 32) for fill in (7, 8, 9))


def test_a_key_that_a_known_one_announced_is_learned(workbench: Page, files: str) -> None:
    """Over a rotation, its end, and another one, with and without a visit in between."""
    text = note(4).split("\n\n")[0] + "\n"
    both = keys_page((LOG, None, None), (NEW, None, announce(NEW, [LOG])))
    over = keys_page((LOG, 9, None), (NEW, None, announce(NEW, [LOG])))
    last = keys_page((LOG, 9, None), (NEW, 11, announce(NEW, [LOG])), (NEXT, None, announce(NEXT, [NEW])))
    first = ("keep", note(3))
    visits = {
        "both sign, the new one first": (
            ("serve", both),
            ("keep", f"{text}\n{NEW.line(text)}{LOG.line(text)}"),
        ),
        "the old one ended": (("serve", over), ("keep", note(5, key=NEW))),
        "two rotations later": (("serve", last), ("keep", note(6, key=NEXT))),
    }
    steps = (first, *(step for visit in visits.values() for step in visit))
    assert keep(workbench, files, *steps)["told"] == [None] * len(steps)
    for visit in visits.values():
        told = keep(workbench, files, first, *visit)
        assert told["told"] == [None] * 3
        assert len(told["kept"].splitlines()) == 2
    told = keep(workbench, files, first, *visits["the old one ended"], ("keep", note(7)))
    assert "another key" in told["told"][-1], "of an ended key nothing new is believed"


def test_a_key_that_no_known_one_announced_needs_its_reader(workbench: Page, files: str) -> None:
    """A signature beside another proves nothing, nor does a proof that the known key did not sign."""
    for what, proof in forgeries(LOG, NEW, THIEF):
        page = keys_page((LOG, 9, None), (NEW, None, proof))
        told = keep(workbench, files, ("keep", note(3)), ("serve", page), ("keep", note(5, key=NEW)))["told"]
        assert "another key" in told[-1], what
        assert "the operator tells you" in told[-1]


@pytest.mark.integration
def test_an_unknown_key_is_kept_at_the_press_of_a_button(visitor: Visitor, live_server: LiveServer) -> None:
    """The page plays on and says that the key is another one; who trusts it hears nothing more."""
    anna = Player(live_server.address, "Anna")
    page = enter(visitor(first=True), live_server.address, anna)
    origin = anna.call("GET", "/v1/keys")["origin"]
    pin = {"origin": origin, "vkeys": [SigningKey(origin, bytes(32)).vkey]}
    page.evaluate("(pin) => localStorage.setItem('rutter.keys', pin)", json.dumps(pin))
    trust_new_key(page, live_server, anna)


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


HANDED_BACK = """async ({ base }) => {
  const { giveSigned, makeKey } = await import(base + "js/proof/seatkeys.js");
  const answers = ["signature_required", "taken", "signature_invalid", "taken", "taken"];
  const real = window.fetch, sent = [];
  window.fetch = async () => new Response(JSON.stringify({ events: [{ hash: "00" }] }),
    { headers: { "Content-Type": "application/json" } });
  const send = async (headers) => {
    sent.push("Rutter-Signature" in headers);
    const code = answers.shift();
    if (code !== "taken") throw { code };
    return code;
  };
  await makeKey("game");
  const given = [];
  for (let turn = 0; turn < 3; turn++)
    given.push(await giveSigned("game", 1, 7 + turn, { type: "pass" }, send));
  window.fetch = real;
  localStorage.clear();
  return { sent, given };
}"""


def test_a_seat_that_is_handed_back_without_a_key_goes_on_unsigned(workbench: Page, files: str) -> None:
    """The page signs once the server asks for it, and stops where the seat has that key no more."""
    told = workbench.evaluate(HANDED_BACK, {"base": files})
    assert told["given"] == ["taken"] * 3
    assert told["sent"] == [False, True, True, False, False]


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
    page.locator("[data-part=menu]").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save receipts").click()
    download.value.save_as(tmp_path / "receipts.ndjson")
    key = Verifier.read(anna.call("GET", "/v1/keys")["keys"][0]["vkey"])
    hashes = {e["seq"]: e["hash"] for e in anna.call("GET", f"/v1/games/{game}/events?limit=1000")["events"]}
    lines = (tmp_path / "receipts.ndjson").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 4  # joining, the head before the reveal, the reveal, a command
    for line in map(json.loads, lines):
        assert set(line) == {"kind", "note"}
        receipt, _ = open_receipt(line["note"], [key])
        assert (receipt.game, receipt.hash.hex()) == (game, hashes[receipt.n])
