"""Whole games on the whole service: live views against time travel, and the bundles that prove them.

Of one title, and the beginning of another; of all in `tests/campaigns`. Forgeries are made of bundles of all
titles.
"""

from __future__ import annotations

import base64
import json
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from events.proof import canonical
from events.rules.catalogue import title_ids
from events.table import bundle
from events.table.bundle import BadBundle
from events.table.terms import SeatOccupant
from events.tlog.notes import SigningKey, Verifier
from events.verify import verify
from tests.acceptance.client import Client, without_proofs
from tests.acceptance.players import LIVE, TITLES, Match, begin
from tests.installation import paths, rutter
from tests.playing import three_or_so
from tests.recorded_table import SIGNER, RecordedTable

pytestmark = pytest.mark.integration
EARLY = 25
"""Commands after which running games are audited."""
PLACES = 12
"""Of a game that are travelled to, first and last aside.

`tests/service/play/test_play.py` compares each view.
"""


@dataclass
class Played:
    """A finished match, and what was kept of it while it ran."""

    match: Match
    copies: list[bytes]
    """Each viewer's audit copy of the running game."""
    whole: bytes
    key: str


def play_early(address: str, title_id: str) -> Played:
    """The beginning of a game, by players who know nothing of its rules; nothing of it is whole yet."""
    nobody = Client(address)
    title = next(t for t in nobody.get("/v1/titles")["titles"] if t["id"] == title_id)
    match = begin(nobody, title)
    match.play(EARLY)
    assert not match.finished, "too short a game to be audited in between"
    copies = [one.send("GET", f"{match.path}/audit").body for one in match.viewers]
    return Played(match, copies, b"", nobody.get("/v1/keys")["keys"][0]["vkey"])


def play_whole(address: str, title_id: str) -> Played:
    """A game from the first event to the last."""
    played = play_early(address, title_id)
    match = played.match
    assert match.play(), "the game has ended"
    for number in range(len(match.viewers)):
        match.look(number)
    whole = without_proofs(match.nobody.send("GET", f"{match.path}/audit").body)
    return replace(played, whole=whole)


def test_the_service_offers_every_title(live_server):
    assert [t["id"] for t in Client(live_server.address).get("/v1/titles")["titles"]] == list(title_ids())


def check_that_every_view_seen_live_is_found_again_by_time_travel(played: Played, folder: Path) -> None:
    match = played.match
    assert len(match.seen) > EARLY
    for (number, seq), live in match.seen.items():
        # What is past can be kept for ever, so it does not say how long the game has become.
        then = match.viewers[number].get(f"{match.path}?at={seq}")
        lasting = {name: value for name, value in live.items() if name != "last"}
        assert json.dumps(then) == json.dumps(lasting), (number, seq)


def check_that_every_event_can_be_travelled_to(played: Played, folder: Path) -> None:
    match = played.match
    last = match.nobody.get(match.path)["seq"]
    for at in {1, 2, 3, *range(4, last, max(1, last // PLACES)), last}:
        for number, one in enumerate(match.viewers):
            game = one.get(f"{match.path}?at={at}")
            assert game["seq"] == at
            table = one.get(f"{match.path}/table?at={at}")
            assert table["seq"] == at
            assert bool(table["panels"]) == (game["view"] is not None), (number, at)


def check_that_a_finished_game_offers_nothing_and_says_how_it_ended(played: Played, folder: Path) -> None:
    match = played.match
    game = match.nobody.get(match.path)
    assert game["outcome"]["winners"]
    assert len(game["outcome"]["scores"]) == len(game["seats"])
    player = match.players[0]
    assert player.do("get_decisions", id=match.game_id) == {
        "title": game["title"], "seq": game["seq"], "decisions": [], "legal": [], "complete": True,
        "replaceable": [], "undo": [],
    }  # fmt: skip
    answer = player.api.send("POST", f"{match.path}/commands", {"type": "nothing"})
    assert answer.code in ("unknown_command", "game_not_running")


def check_that_everybody_gets_the_same_bundle_of_a_finished_game(played: Played, folder: Path) -> None:
    for one in played.match.viewers:
        bundle = one.send("GET", f"{played.match.path}/audit").body
        assert without_proofs(bundle) == played.whole


def rutter_verify(bundle: bytes, folder: Path, *words: str) -> tuple[int, str]:
    """What `rutter verify` says of *bundle*, in a process that has no server."""
    file = folder / "game.ndjson"
    file.write_bytes(bundle)
    done = subprocess.run(
        rutter("verify", str(file), *words),
        env={**paths(), "PATH": "/usr/bin:/bin"},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def check_that_a_finished_game_is_proved_by_the_command_line(played: Played, folder: Path) -> None:
    words = ("--key", played.key, "--bots", "--require", "whole,ordinary,contributions")
    status, said = rutter_verify(played.whole, folder, *words)
    assert status == 0, said
    assert said.startswith("OK: ")
    assert " moves recomputed, 0 fallbacks" in said
    status, said = rutter_verify(
        played.whole, folder, "--key", SigningKey(Verifier.read(played.key).name, bytes(32)).vkey
    )
    assert status == 1, said
    assert "no known key signed" in said


def check_that_copies_of_a_running_game_are_proved_as_far_as_they_go(played: Played, folder: Path) -> None:
    key = Verifier.read(played.key)
    for number, copy in enumerate(played.copies):
        report = verify(copy.splitlines(keepends=True), partial=True, key=key)
        assert not report.whole
        header = json.loads(copy.splitlines()[0])
        assert header["seat"] == (None if number == len(played.copies) - 1 else number)
    status, said = rutter_verify(played.copies[0], folder, "--partial", "--key", played.key)
    assert status == 0, said
    assert "a seat's copy" in said
    status, said = rutter_verify(played.copies[0], folder)
    assert status == 1
    assert "--partial" in said


def check_that_a_copy_is_a_prefix_of_the_whole(played: Played, folder: Path) -> None:
    """Nothing that was shown of the running game was another game."""
    whole = [json.loads(line) for line in played.whole.splitlines()]
    for copy in played.copies:
        for line in (json.loads(line) for line in copy.splitlines()[1:-1]):
            final = whole[line["n"]]
            assert (line["hash"], line["body"]) == (final["hash"], final["body"])
            parts = line.get("parts", {})
            assert {name: final["parts"][name] for name in parts} == parts


def damaged(bundle: bytes) -> list[tuple[str, bytes, int | None]]:
    """Forgeries of *bundle*: what was done, the result, and the event that must be named (None: any)."""
    lines = [json.loads(line) for line in bundle.splitlines()]
    count = len(lines) - 2
    middle = count // 2
    with_part = next(n for n in range(middle, 0, -1) if lines[n].get("parts"))
    name, part = next(iter(lines[with_part]["parts"].items()))

    def forged(*changes: tuple[int, Any]) -> bytes:
        new = list(lines)
        for number, line in changes:
            new[number] = line
        return b"".join(canonical.encode(line) + b"\n" for line in new if line is not None)

    def event(number: int, **changes: Any) -> tuple[int, Any]:
        return number, {**lines[number], **changes}

    body = json.loads(lines[middle]["body"])
    later = json.dumps({**body, "at": "2001-01-01T00:00:00.000000Z"}, separators=(",", ":"), sort_keys=True)
    salt = base64.b64encode(bytes(32)).decode()
    parts = lines[with_part]["parts"]
    swapped = [event(middle, n=middle + 1), event(middle + 1, n=middle)]
    return [
        ("another time", forged(event(middle, body=later)), middle),
        ("another hash", forged(event(middle, hash="0" * 64)), middle),
        ("an event is missing", forged((middle, None)), middle),
        ("an event stands twice", forged((middle, lines[middle - 1])), middle),
        ("two events change places", forged((middle, swapped[1][1]), (middle + 1, swapped[0][1])), middle),
        ("another salt", forged(event(with_part, parts={**parts, name: {**part, "salt": salt}})), with_part),
        ("another secret", forged(event(with_part, parts={**parts, name: {**part, "body": {"x": 1}}})),
         with_part),
        ("a secret is missing", forged(event(with_part, parts={})), with_part),
        ("a secret too many", forged(event(with_part, parts={**parts, "p9": part})), with_part),
        ("the end is missing", forged((count, None)), None),
        ("no signature", forged((count + 1, None)), None),
        ("another game's name", forged((0, {**lines[0], "game": "0" * 8 + lines[0]["game"][8:]})), 1),
        ("another title", forged((0, {**lines[0], "title": "chess"})), 1),
        ("not whole after all", forged((0, {**lines[0], "scope": "seat"})), None),
        ("cut off", bundle[: len(bundle) // 2], None),
        ("a bit flipped", _flipped(bundle), None),
        ("no bundle", b"\xff{}[]\n", None),
    ]  # fmt: skip


def _flipped(bundle: bytes) -> bytes:
    where = bundle.index(b'\\"at\\":\\"20', len(bundle) // 2) + 10
    return bundle[:where] + bytes([bundle[where] ^ 1]) + bundle[where + 1 :]


def check_that_every_damage_is_found_and_named(played: Played, folder: Path) -> None:
    key = Verifier.read(played.key)
    forgeries = damaged(played.whole)
    for what, forgery, named in forgeries:
        with pytest.raises(BadBundle) as found:
            verify(forgery.splitlines(keepends=True), key=key)
        assert named is None or found.value.seq == named, f"{what}: {found.value}"
    what, forgery, named = forgeries[0]
    status, said = rutter_verify(forgery, folder, "--key", played.key)
    assert status == 1, what
    assert said.startswith(f"BAD: event {named}: "), said


@pytest.mark.parametrize("title_id", TITLES)
def test_every_damage_is_found_and_named(title_id):
    """Of a whole game of every title, recorded without servers."""
    desk = RecordedTable(*[SeatOccupant()] * three_or_so(title_id), title=title_id)
    desk.house()
    desk.play()
    assert desk.verdict().whole
    whole = b"".join(bundle.write_lines(desk.game, desk.records, None, SIGNER))
    for what, forgery, named in damaged(whole):
        with pytest.raises(BadBundle) as found:
            verify(forgery.splitlines(keepends=True), key=SIGNER.verifier)
        assert named is None or found.value.seq == named, f"{what}: {found.value}"


def check_that_a_history_written_again_is_not_what_was_signed(played: Played, folder: Path) -> None:
    """Another end that fits the rules, with all hashes made again: nothing but the signature tells."""
    lines = [json.loads(line) for line in played.whole.splitlines()]
    last = json.loads(lines[-2]["body"])["cmd"]
    head = canonical.genesis(lines[0]["game"])
    for line in lines[1:-1]:
        body = json.loads(line["body"])
        if body["cmd"] == last:
            line["body"] = canonical.encode({**body, "at": "2101-01-01T00:00:00.000000Z"}).decode()
        head = canonical.link(head, line["body"].encode())
        line["hash"] = head.hex()
    forged = [canonical.encode(line) + b"\n" for line in lines]
    with pytest.raises(BadBundle, match="the receipt names another hash of the last event"):
        verify(forged, key=Verifier.read(played.key))


EARLY_CHECKS = (
    check_that_every_event_can_be_travelled_to,
    check_that_copies_of_a_running_game_are_proved_as_far_as_they_go,
)
"""What can be said of a game that goes on."""
CHECKS = (
    check_that_every_view_seen_live_is_found_again_by_time_travel,
    check_that_every_event_can_be_travelled_to,
    check_that_a_finished_game_offers_nothing_and_says_how_it_ended,
    check_that_everybody_gets_the_same_bundle_of_a_finished_game,
    check_that_a_finished_game_is_proved_by_the_command_line,
    check_that_copies_of_a_running_game_are_proved_as_far_as_they_go,
    check_that_a_copy_is_a_prefix_of_the_whole,
    check_that_every_damage_is_found_and_named,
    check_that_a_history_written_again_is_not_what_was_signed,
)


@pytest.mark.whole
def test_the_beginning_of_a_game(live_server, tmp_path):
    """It is begun on the wheel too (tests/ops/test_wheel.py)."""
    played = play_early(live_server.address, LIVE[1])
    events = played.match.nobody.get(f"{played.match.path}/events")["events"]
    assert any("bot" in event for event in events), "a worker has moved"
    for check in EARLY_CHECKS:
        check(played, tmp_path)


@pytest.mark.slow
def test_a_whole_game(live_server, tmp_path):
    """All titles are played in the campaigns."""
    check_whole_game(live_server.address, LIVE[0], tmp_path)


def check_whole_game(address, title_id, folder):
    """Play one, and look at it from all sides."""
    played = play_whole(address, title_id)
    for check in CHECKS:
        check(played, folder)
