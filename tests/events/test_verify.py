"""Audit bundles: a sound one verifies, and any damage names the first bad event."""

import base64
import json
import random

import pytest

from events.proof import canonical
from events.rules.catalogue import find_title
from events.store.event_log import EventLog
from events.store.games import Games, SeatPlan
from events.table import bundle
from events.table.bundle import BadBundle
from events.table.engine import fold
from events.table.game import initial_game
from events.tlog.notes import SigningKey, sign_receipt
from events.verify import UnreadableFile, verify
from tests.events.forging import dated
from tests.playing import play_to_the_end
from workers import bots

pytestmark = pytest.mark.integration
SIGNER = SigningKey("rutter", b"s" * 32)


@pytest.fixture(scope="module")
def finished(request, pool):
    """A finished game of two bots and two players, and its records."""
    title, games = find_title("colonial_empires"), Games(EventLog(pool), find_bot=bots.find_bot_version)
    plan = [SeatPlan(bot="random"), SeatPlan(), SeatPlan(bot="random"), SeatPlan()]
    game = play_to_the_end(games, games.create(title, title.Options(), plan))
    return game, games.records(game.id)


@pytest.fixture
def lines(finished):
    """The bundle of the finished game."""
    game, records = finished
    return list(bundle.write_lines(game, records, None, SIGNER))


@pytest.fixture
def copy(finished):
    """What seat 1 holds of the same game, half-way."""
    game, records = finished
    half = len(records) // 2
    running = chain_head(game, records, half)
    return list(bundle.write_lines(running, records[:half], 1, SIGNER))


def chain_head(game, records, count):
    return fold(initial_game(game.id), records[:count])


def test_whole_game_verifies(finished, lines):
    """Every command is decided again, every bot thinks again, and the result is the same."""
    game, records = finished
    report = verify(lines, key=SIGNER.verifier, rerun_bot=bots.think)
    assert report.events == len(records) == game.seq
    assert report.bots > 10
    assert report.hidden_draws == game.hidden_draws
    assert report.winners == game.result.winners


def test_copy_needs_partial(copy):
    """A seat's copy says what it is, and verifies as far as it goes."""
    with pytest.raises(BadBundle, match="partial"):
        verify(copy)
    report = verify(copy, partial=True)
    assert not report.whole
    assert report.public_draws == 1


def test_copy_holds_only_what_the_seat_may_know(finished, copy):
    """No hidden part of another seat, and no key, stands in a seat's copy."""
    game, records = finished
    text = b"".join(copy)
    for record in records[: len(copy) - 2]:
        for name, part in record.parts.items():
            salt = base64.b64encode(part.salt)
            assert (salt in text) == ("p1" in name.split("_")), name
    assert game.title_id.encode() in text


def test_other_key(lines):
    """A bundle signed by another key than the expected one is refused."""
    with pytest.raises(BadBundle, match="no known key signed"):
        verify(lines, key=SigningKey("rutter", b"t" * 32).verifier)


def edit(line, change):
    data = json.loads(line)
    change(data)
    return spelt(data)


def spelt(data):
    """A line in the one spelling that a bundle has."""
    return canonical.encode(data) + b"\n"


def rehash(lines, first):
    """Chain and sign everything again from event *first* on, as a forger with the signing key would."""
    out, previous = lines[:first], bytes.fromhex(json.loads(lines[first - 1])["hash"])
    for text in lines[first:-1]:
        data = json.loads(text)
        previous = canonical.link(previous, data["body"].encode())
        data["hash"] = previous.hex()
        out.append(spelt(data))
    last = dated(json.loads(json.loads(out[-1])["body"]))
    game = json.loads(lines[0])["game"]
    note = sign_receipt(SIGNER, game, len(out) - 1, previous, **last)
    return [*out, spelt({"kind": "receipt", "note": note})]


@pytest.mark.parametrize("seed", range(12))
def test_dropped_event_is_named(lines, seed):
    """Drop any event: the gap is named."""
    at = random.Random(seed).randrange(1, len(lines) - 2)
    with pytest.raises(BadBundle) as bad:
        verify(lines[:at] + lines[at + 1 :])
    assert bad.value.seq == at


@pytest.mark.parametrize("seed", range(12))
def test_reordered_events_are_named(lines, seed):
    """Exchange two neighbours: the first is named."""
    at = random.Random(seed).randrange(1, len(lines) - 2)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    with pytest.raises(BadBundle) as bad:
        verify(lines)
    assert bad.value.seq == at


@pytest.mark.parametrize("seed", range(12))
def test_added_event_is_named(lines, seed):
    """Put an event in twice: the second is named."""
    at = random.Random(seed).randrange(1, len(lines) - 1)
    with pytest.raises(BadBundle) as bad:
        verify(lines[: at + 1] + lines[at:])
    assert bad.value.seq == at + 1


@pytest.mark.parametrize("seed", range(40))
def test_flipped_byte_is_noticed(lines, seed):
    """Change any byte of an event's line: that event is named."""
    rng = random.Random(seed)
    at = rng.randrange(1, len(lines) - 1)
    text = bytearray(lines[at])
    place = rng.randrange(len(text) - 1)
    text[place] = (text[place] + 1) % 128 or 1
    lines[at] = bytes(text)
    with pytest.raises(BadBundle) as bad:
        verify(lines)
    assert bad.value.seq == at


def test_cut_short(lines):
    """A bundle without its end is refused."""
    with pytest.raises(BadBundle):
        verify(lines[:-1])
    with pytest.raises(BadBundle):
        verify(lines[:-2] + lines[-1:])
    with pytest.raises(UnreadableFile):
        verify([])


def find(lines, text):
    return next(n for n, found in enumerate(lines) if text in found)


FORGERIES = {
    "fortunes": (b"FortunesGained", lambda b: b.replace('"amount":10', '"amount":11')),
    "revenue": (b"RevenueCollected", lambda b: b.replace('"base":5', '"base":6')),
    "who": (b"EmpireChosen", lambda b: b.replace('"by":"p', '"by":"p1').replace('"by":"p10"', '"by":"p2"')),
    "draw": (b"TableBegun", lambda b: b.replace('"got":[', '"got":[9,')),
    "lead seat": (b"LeadSeatDrawn", lambda b: b.replace('"lead_seat":', '"lead_seat":1')),
    "command": (b'\\"command\\":{\\"empire', lambda b: b.replace('"empire":"', '"empire":"x', 1)),
    "version": (b"TableOpened", lambda b: b.replace('"version":', '"version":9')),
    "commitment": (b"TableOpened", lambda b: b.replace('"deal":"', '"deal":"00', 1)),
    "mix": (b"TableBegun", lambda b: b.replace('"mix":"', '"mix":"00', 1)),
    "winner": (b"TableClosed", lambda b: b.replace('"winners":[', '"winners":[7,', 1)),
    "disclosed": (b"TableClosed", lambda b: b.replace('"deal":"', '"deal":"00', 1)),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forger_with_the_key_is_found_out(lines, name):
    """Even who can sign and chains everything again cannot change what happened: the rules name the event."""
    mark, change = FORGERIES[name]
    at = find(lines, mark)

    def forge(data):
        before = data["body"]
        data["body"] = change(before)
        assert data["body"] != before

    lines[at] = edit(lines[at], forge)
    forged = rehash(lines, at) if at > 1 else rehash_all(lines)
    with pytest.raises(BadBundle) as bad:
        verify(forged)
    assert bad.value.seq in ({at} if name != "commitment" else {at, len(lines) - 2})


def rehash_all(lines):
    first = json.loads(lines[1])
    game = json.loads(lines[0])["game"]
    first["hash"] = canonical.link(canonical.genesis(game), first["body"].encode()).hex()
    return rehash([lines[0], spelt(first), *lines[2:]], 2)


def test_forged_hidden_part(finished, lines):
    """A hidden part that was exchanged does not fit its digest, in the whole bundle and in a copy."""
    at = next(n for n, text in enumerate(lines) if b'"cards"' in text and b"StartingHandDealt" in text)

    def forge(data):
        part = next(iter(data["parts"].values()))
        part["body"]["cards"] = [*part["body"]["cards"], "china_tea"]

    lines[at] = edit(lines[at], forge)
    with pytest.raises(BadBundle) as bad:
        verify(lines)
    assert bad.value.seq == at


def test_copy_damaged(copy):
    """A seat's copy that was damaged is refused too, and the public draw is recomputed."""
    at = find(copy, b"TableBegun")

    def forge(data):
        data["body"] = data["body"].replace('"got":[', '"got":[9,')

    copy[at] = edit(copy[at], forge)
    with pytest.raises(BadBundle) as bad:
        verify(copy, partial=True)
    assert bad.value.seq == at
    with pytest.raises(BadBundle) as bad:
        verify(rehash(copy, at), partial=True)
    assert bad.value.seq == at
    assert "outcome" in str(bad.value)
