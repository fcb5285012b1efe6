"""Reproducible randomness and its proof.

Rules ask for outcomes through one small interface, :class:`Chance`. What stands behind
it decides the use: :class:`ProvenChance` for recorded games, :class:`FastChance` for bots
and tests, :class:`ScriptedChance` for worked examples. The outcome stands in the fact;
replay never draws.

Outcomes of a recorded game derive from secrets that were committed before any seat
contributed, from those contributions, and from the count of draws so far, which is
folded state. Never from times, ids, hashes or anything else that a server could vary.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
D6: tuple[int, ...] = (1, 2, 3, 4, 5, 6)


class Chance(ABC):
    """Where random outcomes come from. One call is one draw, counted in order.

    How many draws a command makes must follow from public facts alone, since the count is public.
    """

    @abstractmethod
    def draw(self, bounds: Sequence[int], *, hidden: bool) -> list[int]:
        """One draw: for each bound m a uniform integer in 0 .. m-1. *hidden* draws can be
        checked by anyone only after the game; others at once.
        """

    def pick(self, options: Sequence[T], *, hidden: bool = False) -> T:
        """One of *options*, uniformly (equal options count singly). Use ``hidden=True`` for anything
        that not everybody sees, such as a card drawn into a hand. *options* must not be empty.
        """
        return options[self.draw((len(options),), hidden=hidden)[0]]

    def roll(self, count: int = 1, faces: Sequence[T] = D6) -> tuple[T, ...]:  # type: ignore[assignment]
        """*count* dice thrown in the open as one draw. Zero dice make no draw."""
        if not count:
            return ()
        return tuple(faces[index] for index in self.draw((len(faces),) * count, hidden=False))


class FastChance(Chance):
    """A seeded generator of its own: for bots, imagination and tests. Proves nothing."""

    __slots__ = ("_random",)

    def __init__(self, seed: int | str | bytes) -> None:
        self._random = random.Random(seed).random

    def draw(self, bounds: Sequence[int], *, hidden: bool = False) -> list[int]:
        """See :meth:`Chance.draw`; hidden or not makes no difference here."""
        rnd = self._random
        return [int(rnd() * bound) for bound in bounds]

    def pick(self, options: Sequence[T], *, hidden: bool = False) -> T:
        """See :meth:`Chance.pick`."""
        return options[int(self._random() * len(options))]

    def below(self, bound: int) -> int:
        """A uniform integer in 0 .. bound-1."""
        return int(self._random() * bound)


class ScriptMismatch(AssertionError):
    """A worked example lists an outcome that the draw cannot have, too few, or too many."""


class ScriptedChance(Chance):
    """Outcomes listed in advance, one entry a draw: the option picked, or the list of faces rolled.

    Without an entry left, *fallback* (if given) draws on, so that examples need list only
    the outcomes that matter at the front.
    """

    def __init__(self, script: Sequence[Any], fallback: Chance | None = None) -> None:
        self._script = list(script)
        self._fallback = fallback

    @property
    def left(self) -> int:
        """How many entries no draw has used yet."""
        return len(self._script)

    def _next(self, what: str) -> Any:
        if not self._script:
            raise ScriptMismatch(f"the script lists no outcome for the draw of {what}")
        return self._script.pop(0)

    def draw(self, bounds: Sequence[int], *, hidden: bool) -> list[int]:
        """The next entry, as the list of integers drawn (a bare integer for one)."""
        if not self._script and self._fallback:
            return self._fallback.draw(bounds, hidden=hidden)
        entry = self._next(f"integers below {list(bounds)}")
        got = [entry] if isinstance(entry, int) else list(entry)
        if len(got) != len(bounds) or any(not 0 <= g < b for g, b in zip(got, bounds, strict=True)):
            raise ScriptMismatch(f"{entry!r} is no outcome of integers below {list(bounds)}")
        return got

    def pick(self, options: Sequence[T], *, hidden: bool = False) -> T:
        """The next entry, which must be one of *options*."""
        if not self._script and self._fallback:
            return self._fallback.pick(options, hidden=hidden)
        entry = self._next(f"one of {list(options)[:8]!r}...")
        for option in options:
            if option == entry or msgspec.to_builtins(option) == entry:
                return option
        raise ScriptMismatch(f"{entry!r} is none of the options {list(options)!r}")

    def roll(self, count: int = 1, faces: Sequence[T] = D6) -> tuple[T, ...]:  # type: ignore[assignment]
        """The next entry, as the list of faces (a bare face for one die)."""
        if not count:
            return ()
        if not self._script and self._fallback:
            return self._fallback.roll(count, faces)
        entry = self._next(f"{count} dice")
        got = tuple(entry) if isinstance(entry, list | tuple) else (entry,)
        if len(got) != count or any(face not in faces for face in got):
            raise ScriptMismatch(f"{entry!r} is no roll of {count} dice with faces {list(faces)!r}")
        return got


# --- the proof ---------------------------------------------------------------------------------


def tag(name: str) -> bytes:
    """A domain label: the ASCII name and one zero byte."""
    return name.encode("ascii") + b"\0"


def sha(*parts: bytes) -> bytes:
    """SHA-256 of the concatenation."""
    return hashlib.sha256(b"".join(parts)).digest()


def mac(key: bytes, *parts: bytes) -> bytes:
    """HMAC-SHA256 of the concatenation."""
    return hmac.digest(key, b"".join(parts), "sha256")


def u32(value: int) -> bytes:
    """Four bytes, big endian."""
    return value.to_bytes(4, "big")


def u64(value: int) -> bytes:
    """Eight bytes, big endian."""
    return value.to_bytes(8, "big")


class Stream:
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

    def below(self, bound: int) -> int:
        """A uniform integer in 0 .. bound-1."""
        limit = 2**64 - (2**64 % bound)
        while True:
            word = self._word()
            if word < limit:
                return word % bound


class Secrets(msgspec.Struct, frozen=True):
    """What the house committed to in a game's first event; disclosed when the game has ended."""

    anchor: bytes
    """s_L, the last element of the reverse hash chain behind the public draws."""
    deal: bytes
    """k_deal, behind the hidden draws."""
    hide: bytes
    """k_hide, behind the salts of secret fields."""
    bot: bytes
    """k_bot, behind the seeds of bots."""

    def commitments(self, game: bytes, length: int) -> dict[str, str]:
        """What the first event publishes; *length* is L, the number of public draws provided for."""
        return {
            "s_0": chain_element(self.anchor, game, length, 0).hex(),
            "deal": commit("deal", game, self.deal).hex(),
            "hide": commit("hide", game, self.hide).hex(),
            "bot": commit("bot", game, self.bot).hex(),
        }

    def salt(self, seq: int, audience: str) -> bytes:
        """The salt of the secret part of event *seq* for *audience*."""
        return mac(self.hide, tag("bg/salt/1"), u64(seq), audience.encode())

    def bot_seed(self, game: bytes, seq: int) -> bytes:
        """The seed of the bot whose command becomes event *seq*."""
        return mac(self.bot, tag("bg/bot/1"), game, u64(seq))


def commit(what: str, game: bytes, secret: bytes) -> bytes:
    """The published commitment to one of the game's keys."""
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
    """The reverse hash chain with every 64th element kept, so that any costs at most 64 hashes."""

    STRIDE = 64

    def __init__(self, anchor: bytes, game: bytes, length: int) -> None:
        self._game = game
        self.length = length
        self._kept = {length: anchor}
        element = anchor
        for i in range(length, 0, -1):
            element = step_back(game, i, element)
            if (i - 1) % self.STRIDE == 0:
                self._kept[i - 1] = element

    def element(self, index: int) -> bytes:
        """s_index, for 0 <= index <= length."""
        at = min(-(-index // self.STRIDE) * self.STRIDE, self.length)
        element = self._kept[at]
        for i in range(at, index, -1):
            element = step_back(self._game, i, element)
        return element


def seat_commitment(game: bytes, seat: str, contribution: bytes) -> bytes:
    """What a seat publishes before it contributes; *seat* is its pseudonym, ``p0``."""
    return sha(tag("bg/seat-commit/1"), game, seat.encode(), b"\0", contribution)


def mix(
    game: bytes, closing: bytes, contributions: Sequence[tuple[str, bytes]], beacon: bytes = bytes(32)
) -> bytes:
    """U: everybody's contributions, bound to the event after which nobody could commit any more."""
    parts = [tag("bg/mix/1"), game, closing]
    for seat, contribution in contributions:
        name = seat.encode()
        parts += [bytes([len(name)]), name, contribution]
    return sha(*parts, beacon)


def public_key(element: bytes, mixed: bytes, k: int, fresh: bytes = b"") -> bytes:
    """The key of public draw *k* (from 1)."""
    return mac(element, tag("bg/public/1"), mixed, u32(k), fresh)


def hidden_key(deal: bytes, mixed: bytes, d: int, fresh: bytes = b"") -> bytes:
    """The key of hidden draw *d* (from 1)."""
    return mac(deal, tag("bg/deal/1"), mixed, u32(d), fresh)


class PublicDraw(msgspec.Struct, frozen=True):
    """A public draw as an event records it: enough to check it at once."""

    k: int
    s: str
    """s_k in hex, or "" where the chain is used up (then it derives from k_deal, checked after the game)."""
    of: tuple[int, ...]
    got: tuple[int, ...]


class ProvenChance(Chance):
    """The randomness of one command of a recorded game, with a journal of its draws."""

    def __init__(self, secrets: Secrets, chain: ReverseChain, mixed: bytes, public: int, hidden: int) -> None:
        self._secrets = secrets
        self._chain = chain
        self._mixed = mixed
        self._public = public
        self.hidden = hidden
        self.journal: list[PublicDraw] = []

    @property
    def public(self) -> int:
        """How many public draws the game has made, this command's included."""
        return self._public

    def draw(self, bounds: Sequence[int], *, hidden: bool) -> list[int]:
        """Draw, and note a public draw in the journal."""
        if hidden:
            self.hidden += 1
            stream = Stream(hidden_key(self._secrets.deal, self._mixed, self.hidden))
            return [stream.below(bound) for bound in bounds]
        self._public += 1
        stream, shown = self._public_stream(self._public)
        got = [stream.below(bound) for bound in bounds]
        self.journal.append(PublicDraw(self._public, shown, tuple(bounds), tuple(got)))
        return got

    def _public_stream(self, k: int) -> tuple[Stream, str]:
        if k > self._chain.length:
            return Stream(public_key(self._secrets.deal, self._mixed, k)), ""
        element = self._chain.element(k)
        return Stream(public_key(element, self._mixed, k)), element.hex()
