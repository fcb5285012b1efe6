"""Signed commands: the formula against vectors that an independent program printed, and what is demanded."""

from __future__ import annotations

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.table import command_signatures
from events.table.game import Game, SeatState
from events.table.record import Signature
from events.tlog.text import b64
from tests.events.test_tlog import CMD, GAME, V, heads

COMMAND = {"empire": "spain", "type": "choose_empire"}
HEAD = heads()[0]
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(64, 96)))
SIGNATURE = Signature(1, b64(bytes.fromhex(V["command_sig"])))
GIVEN = {
    "key": V["player_key"],
    "signature": SIGNATURE,
    "cmd": CMD,
    "command": COMMAND,
    "game": GAME,
    "head": HEAD,
    "seat": 1,
}


def test_the_bytes_that_are_signed():
    made = command_signatures.make_signed_message(CMD, COMMAND, GAME, HEAD, 1, 1)
    assert made.hex() == V["command_signed"]
    assert KEY.public_key().public_bytes_raw().hex() == V["player_key"]
    assert KEY.sign(made).hex() == V["command_sig"]
    assert command_signatures.is_valid(**GIVEN)


@pytest.mark.parametrize(
    "other",
    [
        {"cmd": GAME},
        {"command": {**COMMAND, "empire": "france"}},
        {"game": CMD},
        {"head": heads()[1]},
        {"seat": 2},
        {"signature": msgspec.structs.replace(SIGNATURE, n=2)},
        {"signature": msgspec.structs.replace(SIGNATURE, s=b64(bytes(64)))},
        {"signature": msgspec.structs.replace(SIGNATURE, s=SIGNATURE.s[:-4])},
        {"signature": msgspec.structs.replace(SIGNATURE, s="!" * 88)},
        {"key": V["player_key"].upper()},
        {"key": V["player_key"][2:]},
        {"key": "00" * 32},
    ],
)
def test_a_signature_fits_one_place_in_one_history(other):
    """Another id, command, game, history, seat or event; a damaged signature or key is false, no error."""
    assert not command_signatures.is_valid(**{**GIVEN, **other})


def at(key: str | None = V["player_key"]) -> Game:
    return Game(id=GAME, seq=9, seats=(SeatState(), SeatState(key=key, last=6)))


@pytest.mark.parametrize("n", [6, 7, 9])
def test_what_is_demanded_of_a_seat_with_a_key(n):
    game = at()
    assert command_signatures.last_own_event(game, 1) == 6
    assert command_signatures.find_required_key(game, 1, Signature(n, "")) == V["player_key"]
    with pytest.raises(command_signatures.MissingSignature):
        command_signatures.find_required_key(game, 1, None)


@pytest.mark.parametrize("n", [-1, 0, 1, 5, 10])
def test_a_signature_is_not_older_than_the_seats_newest_batch_nor_of_the_future(n):
    with pytest.raises(command_signatures.BadSignature, match="from 6, "):
        command_signatures.find_required_key(at(), 1, Signature(n, ""))


def test_who_has_no_key_does_not_sign():
    for seat in (None, 0):
        assert command_signatures.find_required_key(at(), seat, None) is None
        with pytest.raises(command_signatures.BadSignature, match="no key"):
            command_signatures.find_required_key(at(), seat, SIGNATURE)
    fresh = Game(id=GAME, seq=3, seats=(SeatState(key=V["player_key"]),))
    with pytest.raises(command_signatures.BadSignature, match="from 1, "):
        command_signatures.find_required_key(fresh, 0, Signature(0, ""))
