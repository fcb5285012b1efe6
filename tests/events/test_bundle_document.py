"""The description of bundles for other programs, against the code and against a game that is kept."""

import json
import re
from pathlib import Path

from events.proof import canonical
from events.proof.randomness import (
    ReverseChain,
    Secrets,
    UniformStream,
    derive_hidden_draw_key,
    derive_public_draw_key,
    seat_commitment,
)
from events.table.engine import fold
from events.table.game import initial_game
from events.tlog.notes import Verifier
from events.verify import limits, verify
from tests.events.forging import Table
from workers import bots

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "events/proof/BUNDLE.md").read_text(encoding="utf-8")
LINES = (ROOT / "tests/vectors/bundle.ndjson").read_bytes().splitlines(keepends=True)


def told():
    """The table of values."""
    values = TEXT.partition("## 12.")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| ([^|`]+?) \| `([^`]+)` \|$", values, re.MULTILINE))


def test_the_kept_game_verifies():
    """The example file is a whole game under the key that the document names."""
    report = verify(LINES, key=Verifier.read(told()["key of the server"]), rerun_bot=bots.think)
    assert report.whole
    assert report.is_pinned
    assert report.randomness.is_proven


def test_the_values_are_those_of_the_code():
    """Each value follows from the kept file by the formulas of the code."""
    bodies = [json.loads(json.loads(line)["body"]) for line in LINES[1:-1]]
    hashes = [json.loads(line)["hash"] for line in LINES[1:-1]]
    game = bodies[0]["game"]
    key = initial_game(game).id.replace("-", "")
    disclosed = bodies[-1]["data"]["disclosed"]
    secrets = Secrets(*(bytes.fromhex(disclosed[name]) for name in ("anchor", "deal", "hide", "bot")))
    elements = ReverseChain(secrets.anchor, bytes.fromhex(key), bodies[0]["data"]["draws"])
    mixed = bytes.fromhex(next(b for b in bodies if b["t"] == "TableBegun")["data"]["mix"])
    hidden = derive_hidden_draw_key(secrets.deal, mixed, 1)
    assert told() == {
        "key of the server": told()["key of the server"],
        "h_0": canonical.genesis(game).hex(),
        "h_1": hashes[0],
        "h_4 = h_close": hashes[3],
        "commitment of p0": seat_commitment(bytes.fromhex(key), "p0", bytes([1]) * 32).hex(),
        "U": mixed.hex(),
        "s_0": elements.element(0).hex(),
        "s_1": elements.element(1).hex(),
        "stream key of public draw 1": derive_public_draw_key(elements.element(1), mixed, 1).hex(),
        "stream key of hidden draw 1": hidden.hex(),
        "below(12) of hidden draw 1": str(UniformStream(hidden).draw_below(12)),
        "seed of the bot's first command": secrets.bot_seed(mixed, 1, 0).hex(),
    }


def test_the_limits_are_those_of_the_code():
    """The document names each limit."""
    for number in (limits.EVENTS, limits.CHAIN, limits.DRAWS):
        assert f"{number:,}" in TEXT
    assert limits.FILE == 256 << 20
    assert limits.LINE == 1 << 20
    assert limits.BODY == 256 << 10


def test_the_kept_game_is_played_again():
    """The engine makes the kept game again from the same secrets, byte by byte."""
    table = Table(commits=[0], reveals=[0]).begin().play()
    assert table.lines() == LINES
    assert fold(initial_game(table.game.id), table.records).has_ended
