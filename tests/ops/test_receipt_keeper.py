"""What a client remembers of a service, and what it does not let the service take back."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest

from events.tlog.notes import COSIGNATURE, SigningKey, sign_receipt
from service.client import contribution
from service.client import receipts as receipts_of_clients
from service.client.contribution import Contribution, make_commitment
from service.client.receipts import BadReceipt, Key, ReceiptStore, UnknownKey, load_pinned_keys
from tests.announced import announce, forgeries, keys_page
from tests.events.test_tlog import CMD, GAME, LOG, TIME, V

OTHER = "019a9f00-0000-7000-8000-000000000002"
THIEF = SigningKey("rutter.example/log", bytes(32))
KEY = Key.read(LOG.vkey)


def note(n, head=b"\1" * 32, game=GAME, key=LOG):
    return sign_receipt(key, game, n, head, CMD, TIME)


@pytest.fixture
def keeper(tmp_path):
    return ReceiptStore([KEY], tmp_path)


def test_receipts_are_kept_as_the_verifier_reads_them(keeper, tmp_path):
    """One canonical line each, in a folder with the pinned origin's name; the vector among them."""
    keeper.keep(GAME, V["receipt"])
    keeper.keep(GAME, note(4))
    lines = (tmp_path / "rutter.example_log" / f"{GAME}.ndjson").read_bytes().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"kind": "receipt", "note": V["receipt"]},
        {"kind": "receipt", "note": note(4)},
    ]
    assert lines[0] == json.dumps(json.loads(lines[0]), ensure_ascii=False, separators=(",", ":")).encode()
    assert keeper.find_newest(GAME).n == 4
    assert keeper.find_newest(OTHER) is None


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (None, "no receipt"),
        (note(5, game=OTHER), "instead of"),
        (note(5, key=THIEF), "another key than the pinned ones"),
        (note(5, key=SigningKey("elsewhere/log", bytes(range(32)))), "another key than the pinned ones"),
        (note(5).replace("\n5\n", "\n6\n"), "is not valid"),
        (note(3), "after one for event 4"),
        (note(4, b"\2" * 32), "two hashes"),
    ],
)
def test_a_receipt_that_contradicts_or_does_not_hold_is_refused(keeper, tmp_path, bad, why):
    """Unknown key, another game, a changed bit, an earlier event, another hash: nothing of it is kept."""
    keeper.keep(GAME, note(4))
    with pytest.raises(BadReceipt, match=re.escape(why)):
        keeper.keep(GAME, bad)
    assert len((tmp_path / "rutter.example_log" / f"{GAME}.ndjson").read_bytes().splitlines()) == 1


def test_a_repeated_answer_may_name_an_earlier_event(keeper):
    """The answer that was lost comes again with its own receipt, while others have moved on."""
    keeper.keep(GAME, note(4))
    keeper.keep(GAME, note(3, b"\3" * 32), repeated=True)
    keeper.keep(GAME, note(4))
    with pytest.raises(BadReceipt, match="two hashes"):
        keeper.keep(GAME, note(3), repeated=True)


def test_a_view_older_than_the_newest_receipt_is_refused(keeper):
    """A server that was set back to a backup shows fewer events than it acknowledged."""
    keeper.check_view(GAME, 0)
    keeper.keep(GAME, note(4))
    keeper.check_view(GAME, 4)
    with pytest.raises(BadReceipt, match="event 4 was acknowledged"):
        keeper.check_view(GAME, 3)
    keeper.check_event(GAME, 4, "01" * 32)
    keeper.check_event(GAME, 3, "02" * 32)
    with pytest.raises(BadReceipt, match="another one than the server acknowledged"):
        keeper.check_event(GAME, 4, "02" * 32)


def test_another_client_of_the_folder_remembers(keeper, tmp_path):
    """What a process kept the next one knows, even if the last line was cut off by a kill."""
    keeper.keep(GAME, note(4))
    path = tmp_path / "rutter.example_log" / f"{GAME}.ndjson"
    path.write_bytes(path.read_bytes() + b'{"kind":"rec')
    again = ReceiptStore([KEY], tmp_path)
    with pytest.raises(BadReceipt, match="two hashes"):
        again.keep(GAME, note(4, b"\2" * 32))
    again.keep(GAME, note(5))
    assert [json.loads(line)["kind"] for line in path.read_bytes().splitlines()] == ["receipt"] * 2


def test_clocks_are_compared_at_the_first_answer_only(tmp_path, caplog):
    """A receipt has the time of its event: asked for again an hour later, it says nothing of the clock."""
    now = [TIME]
    keeper = ReceiptStore([KEY], tmp_path, lambda: now[0])
    for n, now[0] in enumerate((TIME, TIME + 60, TIME - 60), 1):
        keeper.keep(GAME, note(n), first=True)
    now[0] = TIME + 3600
    keeper.keep(GAME, note(3))
    keeper.keep(GAME, note(1), repeated=True)
    assert not caplog.records
    keeper.keep(GAME, note(4), first=True)
    assert [record.getMessage() for record in caplog.records] == [
        "the receipt for event 4 is dated -3600 s from this clock"
    ]


def test_a_deadline_that_is_put_off_is_refused(keeper):
    """It is a minute after the time, even if another one is signed."""
    text = note(4).split("\n\n")[0] + "\n"
    late = LOG.sign(text.replace(str(TIME + 60), str(TIME + 61)))
    with pytest.raises(BadReceipt, match="deadline"):
        keeper.keep(GAME, late)


def test_keys_are_those_of_the_first_contact(tmp_path):
    """A service that later calls itself something else is not believed, nor asked again."""
    told = [keys_page((LOG, None, None))]
    assert load_pinned_keys(tmp_path, "https://rutter.example", told.pop) == [KEY]
    assert load_pinned_keys(tmp_path, "https://rutter.example", told.pop) == [KEY]


NEW, NEXT = (SigningKey(LOG.name, bytes([fill]) * 32) for fill in (7, 8))


def pinned(folder, *pages):
    """The keys of a server that answers these pages one after the other, as a client has pinned them."""
    told = list(reversed(pages))
    return load_pinned_keys(folder, "https://rutter.example", told.pop)


def test_a_key_that_a_pinned_one_announced_is_learned(tmp_path):
    """Over a rotation and its end, without a visit in between, and over a second one; then for ever."""
    first = keys_page((LOG, None, None))
    keys = pinned(tmp_path, first)
    ReceiptStore(keys, tmp_path).keep(GAME, note(4))
    ended = (LOG, 9, None), (NEW, 11, announce(NEW, [LOG])), (NEXT, None, announce(NEXT, [NEW]))
    keys = pinned(tmp_path, keys_page(*ended))
    keeper = ReceiptStore(keys, tmp_path)
    keeper.keep(GAME, note(5, key=NEXT))
    assert keys == [Key.read(NEXT.vkey)]
    assert keeper.find_newest(GAME).n == 5
    again = ReceiptStore(pinned(tmp_path), tmp_path)
    with pytest.raises(BadReceipt, match="two hashes"):
        again.keep(GAME, note(5, b"\2" * 32, key=NEXT))
    with pytest.raises(UnknownKey):  # it has ended: a thief acknowledges nothing more with it
        ReceiptStore(pinned(tmp_path, first), tmp_path).keep(GAME, note(6))


def test_while_both_sign_either_is_enough(tmp_path):
    """Whichever line is the first one, and though the new key is announced by nobody."""
    keeper = ReceiptStore(pinned(tmp_path, keys_page((LOG, None, None))), tmp_path)
    text = note(4).split("\n\n")[0] + "\n"
    for n, lines in enumerate(((LOG, NEW), (NEW, LOG)), 4):
        signed = text.replace("\n4\n", f"\n{n}\n")
        keeper.keep(GAME, f"{signed}\n" + "".join(key.line(signed) for key in lines))


@pytest.mark.parametrize(("what", "proof"), forgeries(LOG, NEW, THIEF))
def test_a_key_that_no_pinned_one_announced_is_not_learned(tmp_path, what, proof):
    """It says what to do: only the operator can tell that a key was replaced."""
    keys = pinned(tmp_path, keys_page((LOG, None, None)), keys_page((LOG, 9, None), (NEW, None, proof)))
    with pytest.raises(UnknownKey, match=r"Then remove the file .*pins"):
        ReceiptStore(keys, tmp_path).keep(GAME, note(5, key=NEW))
    assert keys == [KEY], what


def test_a_log_of_another_name_is_not_learned(tmp_path):
    """A log that succeeds another has keys of its own, which the lost one could not announce."""
    other = SigningKey("elsewhere/log", bytes(range(32)))
    keys = pinned(tmp_path, keys_page((LOG, None, None)), keys_page((other, None, None)))
    with pytest.raises(UnknownKey, match="Trust it only if the operator"):
        ReceiptStore(keys, tmp_path).keep(GAME, note(5, key=other))


def test_a_key_that_signs_no_receipts_is_refused():
    """A witness's key, a changed name, a changed id."""
    name, known, encoded = LOG.vkey.split("+", 2)
    witness = SigningKey("press/w1", bytes(32), COSIGNATURE).vkey
    for bad in (witness, f"other+{known}+{encoded}", f"{name}+00000000+{encoded}", name):
        with pytest.raises(ValueError, match="not a key that signs receipts"):
            Key.read(bad)


def test_copies_of_the_clients_need_nothing_of_ours(tmp_path):
    """Both files run in a folder of their own, beside `cryptography` alone."""
    for module in (contribution, receipts_of_clients):
        shutil.copy(module.__file__, tmp_path)
    program = tmp_path / "client.py"
    program.write_text(
        "import sys, contribution, receipts\n"
        "store = receipts.ReceiptStore([receipts.Key.read(sys.argv[1])])\n"
        "print(store.keep(sys.argv[2], sys.argv[3]).n, contribution.Contribution.make(sys.argv[2], 0).seat)\n"
        "print({name.partition('.')[0] for name in sys.modules} & {'events', 'ops', 'service', 'rutter'})\n"
    )
    words = [sys.executable, program, LOG.vkey, GAME, note(7)]
    said = subprocess.run(words, cwd=tmp_path, env={}, capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["7 0", "set()"]


def test_a_name_that_is_no_folder_is_refused(keeper, tmp_path):
    for name in (".", ".."):
        with pytest.raises(ValueError, match="cannot be the name of a folder"):
            ReceiptStore([Key(name, bytes(4), bytes(32))], tmp_path)
    with pytest.raises(BadReceipt, match="is not the id of a game"):
        keeper.find_newest("../../keys")
    with pytest.raises(ValueError, match="several servers"):
        ReceiptStore([])


def test_a_contribution_is_committed_as_the_service_checks_it():
    """The formula for third parties gives what the core asks for."""
    from uuid import UUID

    from events.proof.randomness import seat_commitment

    mine = Contribution.make(GAME, 2)
    assert len(mine.bytes) == 32
    assert mine.bytes != Contribution.make(GAME, 2).bytes
    wanted = seat_commitment(UUID(GAME).bytes, "p2", mine.bytes).hex()
    assert mine.join_request == {"seat": 2, "commitment": wanted}
    assert mine.reveal_request == {"seat": 2, "contribution": mine.bytes.hex()}
    assert make_commitment(bytes(16), 1, b"") == seat_commitment(bytes(16), "p1", b"").hex()
