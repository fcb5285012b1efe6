"""Whose commands are signed: all people count, also those who have left; and keys that prove nothing."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.rules.steps import Rejected
from events.table import clock_updates, command_signatures, commit_reveal
from events.table.commands import command_rules
from events.table.commands.leaving import TableLeave, TableReturn, TableSeat
from events.table.engine import Batch
from events.table.record import Actor, BatchCause, Signature, canonical_command
from events.table.terms import SeatOccupant
from events.tlog.notes import COSIGNATURE, ED25519, SigningKey, Verifier
from events.tlog.weak_keys import is_weak_key
from events.verify import verify
from tests.events.forging import SIGNER, Table, public
from tests.events.seated import Seated
from tests.recorded_table import RecordedTable

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(64, 96)))
PRIME = 2**255 - 19


class Signing(Seated):
    """A table where seats whose keys are known sign what they do."""

    signers: Mapping[int, Ed25519PrivateKey] = MappingProxyType({})

    def do(self, batch: Batch, by: Actor, command: Any = None) -> None:
        """Record what was decided, signed where its seat has a key."""
        cmd, sig = str(uuid.uuid4()), None
        if command is not None and isinstance(by, int) and self.game.seats[by].key is not None:
            given = msgspec.to_builtins(command, str_keys=True)
            told = (cmd, given, self.game.id, self.game.head, self.game.seq, by)
            raw = self.signers[by].sign(command_signatures.make_signed_message(*told))
            sig = Signature(self.game.seq, base64.b64encode(raw).decode())
        note = clock_updates.make_clock_note(self.game, by, command, batch, self.clock())
        self.record(batch.facts, BatchCause(self.clock(), by, cmd, command, batch.draws, sig=sig, clock=note))

    def move(self, seat: int) -> None:
        """A person gives a legal command."""
        self.wait(1)
        command = canonical_command(next(iter(self.title.legal(self.game.state, seat))))
        self.do(self.decided(seat, command), seat, command)

    def is_required(self) -> bool:
        """Whether `--require signed` holds of the bundle."""
        return not self.verdict().list_unmet_requirements(["signed"])


def table(*, leaves: bool, moves: bool) -> Signing:
    """A game whose seat 0 is left by somebody without a key and played on by somebody with one."""
    made = Signing(1, bots=2, absence={"then": "open", "least_people": 0})
    if moves:
        while not any(True for _ in made.title.legal(made.game.state, 0)):
            made.play(1)
        made.move(0)
    made.give(0, TableLeave())
    made.signers = {0: KEY}
    taken = TableSeat(0, key=public(KEY)) if leaves else TableReturn(Seated.who(0), public(KEY))
    made.give(0, taken)
    made.give(0, TableLeave())
    made.give("d0", TableSeat(0, bot="random"))
    made.play()
    return made


@pytest.mark.parametrize("leaves", [True, False], ids=["somebody else", "the same"])
@pytest.mark.parametrize("moves", [True, False], ids=["moved", "only left"])
def test_who_has_left_counts_as_well(leaves, moves):
    """Somebody who signs what is done in the end makes nothing signed that was done before."""
    made = table(leaves=leaves, moves=moves)
    told = made.verdict()
    assert (told.signed, told.unsigned) == ([], [0])
    assert (told.signed_commands, told.unsigned_commands) == (1, 1 + moves)
    assert f"not signed: seat 0; 1 of {2 + moves} commands of people are signed" in told.summary()
    assert not made.is_required()


def test_who_signs_all_is_signed_without_signing_that_they_sit_down():
    """Joining and returning are no commands that a key could sign."""
    made = Signing(1, bots=2, open_seats=[0])
    made.signers = {0: KEY}
    made.do(commit_reveal.take_seat(made.game, 0, None, public(KEY), Seated.who(0)), 0)
    made.begin()
    made.give(0, TableLeave())
    assert made.verdict().signed == [0]
    assert made.is_required()


def test_hidden_signatures_are_not_taken_for_good():
    """A copy of another seat cannot tell whether a sealed command was signed: it is left open."""
    sealed = Table("colonial_empires", (None, "random", None), keys={0: KEY, 2: KEY}).begin().play(30)
    told = verify(sealed.lines(1), key=SIGNER.verifier, partial=True)
    assert told.unread_signatures > 0
    assert told.list_unmet_requirements(["signed"]) == []
    assert "sealed commands are hidden" in told.missing_inputs(["signed"])["signed"]


# --- weak keys -----------------------------------------------------------------------------------------


def spelt(y: int, sign: int = 0) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


def root_of(square: int) -> int:
    """A square root modulo the prime."""
    root = pow(square, (PRIME + 3) // 8, PRIME)
    return root if (root * root - square) % PRIME == 0 else root * pow(2, (PRIME - 1) // 4, PRIME) % PRIME


def find_order_eight() -> list[int]:
    """The y of the points whose double has y = 0: of d y^4 + 2 y^2 - 1 = 0 the roots that there are."""
    d = -121665 * pow(121666, -1, PRIME) % PRIME
    squares = [(sign * root_of((1 + d) % PRIME) - 1) * pow(d, -1, PRIME) % PRIME for sign in (1, -1)]
    found = [root_of(square) for square in squares if (root_of(square) ** 2 - square) % PRIME == 0]
    return [y for root in found for y in (root, PRIME - root)]


WEAK = [
    spelt(y, sign)
    for y in (0, 1, PRIME - 1, PRIME, PRIME + 1, PRIME + 3, 2**255 - 1, *find_order_eight())
    for sign in (0, 1)
]


@pytest.mark.parametrize("weak", WEAK, ids=lambda key: key.hex()[:8] + key.hex()[-2:])
def test_keys_of_small_order_are_refused(weak):
    """By the rules of the table, at every way to a seat; as keys of logs and witnesses; by every reader."""
    assert is_weak_key(weak)
    for kind in (ED25519, COSIGNATURE):
        with pytest.raises(ValueError, match="small order"):
            Verifier.read(Verifier("rutter.example/log", kind, weak).vkey)
    with pytest.raises(Rejected, match="anybody can sign"):
        RecordedTable(SeatOccupant(key=weak.hex()), SeatOccupant())
    opened = Seated(3, open_seats=[1])
    with pytest.raises(Rejected, match="anybody can sign"):
        commit_reveal.take_seat(opened.game, 1, None, weak.hex(), None)
    left = Seated(3, absence={"then": "open"})
    left.give(1, TableLeave())
    for command in (TableSeat(1, key=weak.hex()), TableReturn(Seated.who(1), weak.hex())):
        with pytest.raises(Rejected, match="anybody can sign"):
            command_rules.decide(left.game, 1, command, left.at, (left.secrets, left.chain))


def test_honest_keys_are_none_of_those():
    chance = [Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in range(50)]
    assert not any(is_weak_key(key.public_key().public_bytes_raw()) for key in chance)
    assert SigningKey("a", bytes(32)).verifier == Verifier.read(SigningKey("a", bytes(32)).vkey)
