"""The bundle of a talk that is kept for other programs: made again to the byte, and verified."""

import json
from pathlib import Path

from click.testing import CliRunner
from msgspec.structs import replace

from events.proof import canonical
from events.proof.randomness import Secrets
from events.table.game import SeatState, initial_game
from events.table.record import BatchCause, seal_facts
from events.table.terms import Terms
from events.talk import bundle, rules
from events.talk.content import Content
from events.talk.folding import fold
from events.talk.state import VERSION, initial_talk, talk_id
from events.tlog.notes import SigningKey
from events.verify import Trust
from events.verify.talk import verify_talk
from ops import cli

GAME = "019a9f00-0000-7000-8000-000000000001"
FILE = Path(__file__).parents[1] / "vectors" / "talk.ndjson"
KEY = SigningKey("rutter.example/log", bytes(32))
SAID = (
    (0, None, Content("Peace until turn five?")),
    (1, (0, 2), Content("I will stay out of Africa.", "stay_out", {"area": "africa"})),
    (2, (1,), Content("Then I go there.")),
)


def make_lines():
    """The copy of seat 0 of a talk of three messages, each after another event of the game."""
    game = replace(
        initial_game(GAME), terms=Terms(talk="all"), seats=(SeatState(taken=True),) * 3, status="running"
    )
    talk = initial_talk(talk_id(GAME))
    batches = [rules.open_talk(game, canonical.link(game.head, b"1"))]
    records, words = [], {}
    for number, (seat, to, content) in enumerate(SAID):
        salt = bytes([number + 1]) * 32
        game = replace(game, seq=number + 3, head=canonical.link(game.head, b"%d" % number))
        if batches:
            talk = _append(talk, records, batches.pop(), None, 0)
        at = f"2026-03-01T12:00:0{number + 1}.000000Z"
        said = rules.say(talk, game, seat, to, content.digest(salt), at, phrase=content.phrase is not None)
        talk = _append(talk, records, said, seat, number + 1)
        if to is None or 0 in (seat, *to):
            words[records[-1].command_id] = (salt, content)
    return list(bundle.write_lines(talk, records, (0,), words, KEY))


def _append(talk, records, batch, by, number):
    cause = BatchCause(
        f"2026-03-01T12:00:0{number}.000000Z", by, f"00000000-0000-8000-8000-00000000000{number}"
    )
    made = seal_facts(
        batch.facts,
        cause,
        game_id=talk.id,
        version=VERSION,
        seq=talk.seq,
        head=talk.head,
        secrets=Secrets(b"", b"", b"", b""),
    )
    records += made
    return fold(talk, made)


def test_the_kept_talk_is_made_again_to_the_byte():
    assert make_lines() == FILE.read_bytes().splitlines(keepends=True)


def test_the_kept_talk_verifies():
    """Its holder reads what was said aloud and to seat 0, and sees that more was whispered."""
    lines = FILE.read_bytes().splitlines(keepends=True)
    report = verify_talk(lines, Trust(keys=[KEY.verifier]))
    assert report.signer.startswith("rutter.example/log+")
    assert [one.content and one.content.text for one in report.messages] == [
        "Peace until turn five?",
        "I will stay out of Africa.",
        None,
    ]
    assert [one.at_event for one in report.messages] == [3, 4, 5]
    assert json.loads(lines[0])["talk"] == talk_id(GAME)


def rutter(*words):
    """Exit status and all that a command says."""
    result = CliRunner().invoke(cli.rutter, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_the_command_tells_who_said_what_to_whom():
    status, told = rutter("verify", FILE, "--key", KEY.verifier.vkey)
    assert status == 3, told  # the bundle of the game is not given
    assert 'seat 0 to everybody, after event 3, as the server recorded it: "Peace until turn five?"' in told
    assert "seat 2 to seat 1, after event 5: words not in this file" in told
    assert "--game FILE" in told
    assert rutter("verify", FILE, "--require", "log")[0] == 2


def test_one_message_is_disclosed_without_the_others(tmp_path):
    status, copy = rutter("disclose", FILE, "--message", 3)
    assert status == 0, copy
    (tmp_path / "one.ndjson").write_text(copy)
    told = rutter("verify", tmp_path / "one.ndjson")[1]
    assert "I will stay out of Africa." in told
    assert "Peace" not in told
    assert rutter("disclose", FILE, "--message", 4)[0] == 1  # its words are not there
    assert rutter("disclose", FILE)[0] == 2
