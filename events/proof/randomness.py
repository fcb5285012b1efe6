"""The proof behind the randomness of recorded games.

Outcomes derive from secrets that were committed before any seat contributed, from those contributions, and
from the count of draws so far, which is folded state. Never from times, ids, hashes or anything else that a
server could vary.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

import msgspec


def tag(name: str) -> bytes:
    """Return a domain label: the ASCII name and one zero byte."""
    return name.encode("ascii") + b"\0"


def sha(*parts: bytes) -> bytes:
    """SHA-256 of the concatenation."""
    return hashlib.sha256(b"".join(parts)).digest()


def mac(key: bytes, *parts: bytes) -> bytes:
    """HMAC-SHA256 of the concatenation.

    `hmac.digest` would let other threads run meanwhile. In a busy process the caller then waits for its
    turn, a hundred times as long as the hash takes; a command needs several.
    """
    return hmac.new(key, b"".join(parts), "sha256").digest()


def u32(value: int) -> bytes:
    """Four bytes, big endian.

    >>> u32(258).hex()
    '00000102'
    """
    return value.to_bytes(4, "big")


class UniformStream:
    """Uniform integers from a key: HMAC blocks of four 64-bit words, with rejection (no modulo bias)."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            block = mac(self._key, u32(self._block))
            self._block += 1
            self._words = [int.from_bytes(block[i : i + 8], "big") for i in (24, 16, 8, 0)]
        return self._words.pop()

    def draw_below(self, bound: int) -> int:
        """Return a uniform integer in 0 .. bound-1.

        >>> stream = UniformStream(bytes(32))
        >>> [stream.draw_below(6) for _ in range(5)]
        [2, 3, 3, 3, 4]
        """
        limit = 2**64 - (2**64 % bound)
        while True:
            word = self._word()
            if word < limit:
                return word % bound


class Secrets(msgspec.Struct, frozen=True):
    """The secrets that the server commits to in a stream's first event.

    They are disclosed when the stream has ended.
    """

    anchor: bytes
    """s_L, the last element of the reverse hash chain behind the public draws."""
    deal: bytes
    """k_deal, behind the hidden draws."""
    hide: bytes
    """k_hide, behind the salts of secret fields (:func:`events.proof.canonical.derive_salt`)."""
    bot: bytes
    """k_bot, behind the seeds of bots."""
    tables: bytes | None = None
    """k_t of a tournament, behind the secrets of its tables; None of a game."""

    def commitments(self, game: bytes, length: int) -> dict[str, str]:
        """Return the commitments that the first event publishes.

        *length* is L, the number of public draws provided for.
        """
        made = {
            "s_0": chain_element(self.anchor, game, length, 0).hex(),
            "deal": commit("deal", game, self.deal).hex(),
            "hide": commit("hide", game, self.hide).hex(),
            "bot": commit("bot", game, self.bot).hex(),
        }
        return made if self.tables is None else {**made, "tables": commit("tables", game, self.tables).hex()}

    def bot_seed(self, mixed: bytes, seat: int, count: int) -> bytes:
        """Return the seed of the bot at *seat* after *count* commands of bots there: there is one try only.

        *mixed* is U: if anybody else contributed, the chooser of this secret could not know the seed.
        """
        return mac(self.bot, tag("bg/bot/3"), mixed, u32(seat), u32(count))


def commit(what: str, game: bytes, secret: bytes) -> bytes:
    """Return the published commitment to one of the game's keys.

    >>> commit("director", bytes(16), bytes(range(32))).hex()[:16]
    '67885286f5a4e6da'
    """
    return sha(tag(f"bg/{what}-commit/1"), game, secret)


def step_back(game: bytes, index: int, element: bytes) -> bytes:
    """s_{i-1} from s_i, where *index* is i."""
    return sha(tag("bg/chain/1"), game, u32(index), element)


def chain_element(anchor: bytes, game: bytes, length: int, index: int) -> bytes:
    """s_index, walked back from s_length = *anchor*."""
    element = anchor
    for i in range(length, index, -1):
        element = step_back(game, i, element)
    return element


class ReverseChain:
    """The reverse hash chain with every 64th element kept, so that any costs at most 64 hashes.

    It is walked when an element is first asked for: most commands draw nothing in public.
    """

    STRIDE = 64

    def __init__(self, anchor: bytes, game: bytes, length: int) -> None:
        self._anchor = anchor
        self._game = game
        self.length = length
        self._kept: dict[int, bytes] = {}
        self._near: dict[int, bytes] = {}

    def element(self, index: int) -> bytes:
        """s_index, for 0 <= index <= length. Those behind it, which are asked for next, are remembered."""
        near = self._near.get(index)
        if near is not None:
            return near
        if not self._kept:
            self._kept = self._walk()
        at = min(-(-index // self.STRIDE) * self.STRIDE, self.length)
        element = self._kept[at]
        passed = {at: element}
        for i in range(at, index, -1):
            element = passed[i - 1] = step_back(self._game, i, element)
        self._near = passed
        return element

    def _walk(self) -> dict[int, bytes]:
        """Return the anchor, and every 64th element before it."""
        kept = {self.length: self._anchor}
        element, begin = self._anchor, tag("bg/chain/1") + self._game
        for i in range(self.length, 0, -1):  # as `step_back`, without its calls: a game has thousands
            element = hashlib.sha256(begin + i.to_bytes(4, "big") + element).digest()
            if (i - 1) % self.STRIDE == 0:
                kept[i - 1] = element
        return kept


Keys = tuple[Secrets, ReverseChain]
"""The sources of the randomness of a game: its secrets, and the chain that they anchor."""


def seat_commitment(game: bytes, seat: str, contribution: bytes) -> bytes:
    """Return the commitment that a seat publishes before it contributes; *seat* is its pseudonym, ``p0``.

    >>> seat_commitment(bytes(16), "p0", bytes(range(32))).hex()[:16]
    '96daa64ebaad5cdd'
    """
    return sha(tag("bg/seat-commit/1"), game, seat.encode(), b"\0", contribution)


def mix(
    game: bytes,
    closing: bytes,
    contributions: Sequence[tuple[str, bytes]],
    director: bytes = bytes(32),
    beacon: bytes = bytes(32),
) -> bytes:
    """U: everybody's contributions, bound to the event after which nobody could commit any more.

    *contributions* names every seat in order; one that gave nothing has an empty contribution.
    """
    parts = [tag("bg/mix/2"), game, closing, u32(len(contributions))]
    for seat, contribution in contributions:
        name = seat.encode()
        parts += [bytes([len(name)]), name, bytes([len(contribution)]), contribution]
    return sha(*parts, director, beacon)


class Seed(msgspec.Struct, frozen=True):
    """The source of a seeded game: the seed that its creator chose, and the salt that the server added.

    Without the salt anyone who guesses the seed could compute every card from the commitments of event 1.
    Neither enters the log.
    """

    seed: bytes
    salt: bytes
    """16 bytes."""

    def derive(self, name: str) -> bytes:
        """Return the 32 bytes that stand for *name* (``key``, ``anchor``, ``deal``, ``hide``, ``bot``)."""
        root = sha(tag("bg/seed/2"), u32(len(self.seed)), self.seed, self.salt)
        return sha(tag(f"bg/seed-{name}/2"), root)

    def key(self) -> bytes:
        """Return the key that stands for the game's id in its randomness."""
        return self.derive("key")[:16]

    def secrets(self) -> Secrets:
        """Return the game's keys."""
        return Secrets(*(self.derive(name) for name in ("anchor", "deal", "hide", "bot")))


def draw_values(key: bytes, bounds: Sequence[int]) -> list[int]:
    """Return a value below each of *bounds*, in order, from the key of a draw."""
    stream = UniformStream(key)
    return [stream.draw_below(bound) for bound in bounds]


def derive_public_draw_key(element: bytes, mixed: bytes, k: int, fresh: bytes = b"") -> bytes:
    """Return the key of public draw *k* (from 1)."""
    return mac(element, tag("bg/public/1"), mixed, u32(k), fresh)


def derive_hidden_draw_key(deal: bytes, mixed: bytes, d: int, fresh: bytes = b"") -> bytes:
    """Return the key of hidden draw *d* (from 1)."""
    return mac(deal, tag("bg/deal/1"), mixed, u32(d), fresh)


class PublicDraw(msgspec.Struct, frozen=True):
    """A public draw as an event records it: enough to check it at once."""

    k: int
    """The number of the draw in the reverse chain."""
    s: str
    """s_k in hex, or "" if the chain is used up. Then it derives from k_deal, checked after the game."""
    of: tuple[int, ...]
    """For each value drawn, the number of possible values."""
    got: tuple[int, ...]
    """The values drawn, counted from 0."""
