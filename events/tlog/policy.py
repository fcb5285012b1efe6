"""The trust policy of a verifier (C2SP ``tlog-policy``): logs, witnesses, groups and the quorum.

One directive a line, with spaces or tabs between its words; ``#`` begins a comment. No other white space, no
other end of a line and no other alphabet is allowed, so that every reader sees the same lines::

    log rutter.example/log+236b39fd+AQOh...
    witness w1 organiser.example/w1+5b932a85+BCms...
    witness w2 other.example/w2+...
    group both 2 w1 w2
    quorum both
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from events.tlog.notes import COSIGNATURE, ED25519, Verifier
from events.tlog.text import parse_decimal


class BadPolicy(ValueError):
    """A policy that cannot be read; the message names the line."""


@dataclass(frozen=True)
class Group:
    """Members of which *least* must have cosigned. A member is a witness or a group."""

    least: int
    members: tuple[str, ...]


class Policy:
    """A policy that was read.

    Attributes:
        logs: the pinned log keys.
        witnesses: the pinned witness keys by their name in the policy.
    """

    def __init__(self, text: str) -> None:
        self.logs: list[Verifier] = []
        self.witnesses: dict[str, Verifier] = {}
        self._groups: dict[str, Group] = {}
        self._members: set[str] = set()
        self._quorum = ""
        for number, line in enumerate(text.split("\n"), 1):
            try:
                words = _split_words(line)
                if words:
                    self._add(*words)
            except (ValueError, TypeError) as error:
                raise BadPolicy(f"line {number}: {error}") from error
        if not self._quorum:
            raise BadPolicy("a policy has one line `quorum NAME`, or `quorum none`")
        if not self.logs:
            raise BadPolicy("a policy names at least one log: `log VKEY`")

    @property
    def judges(self) -> bool:
        """True if it has a quorum; with ``quorum none`` it says nothing of cosignatures."""
        return self._quorum != "none"

    def _add(self, directive: str, *words: str) -> None:
        match directive, words:
            case "log", (vkey, *url) if len(url) <= 1:
                log = _parse_verifier(vkey, ED25519)
                if any(log.public == one.public for one in self.witnesses.values()):
                    raise ValueError("a log is no witness of itself: this key is a witness's above")
                self.logs.append(log)
            case "witness", (name, vkey, *url) if len(url) <= 1:
                self._check_new(name)
                one = _parse_verifier(vkey, COSIGNATURE)
                if any(one.public == other.public for other in self.witnesses.values()):
                    raise ValueError("a key has one name, and counts once: this one stands above")
                if any(one.public == log.public for log in self.logs):
                    raise ValueError("a log is no witness of itself: this key is a log's above")
                self.witnesses[name] = one
            case "group", (name, least, *members) if members:
                self._check_new(name)
                for member in members:
                    self._check_known(member)
                if len(set(members)) != len(members) or not self._members.isdisjoint(members):
                    raise ValueError("a member stands in one group, and there once")
                self._groups[name] = Group(_parse_least(least, len(members)), tuple(members))
                self._members.update(members)
            case "quorum", (name,):
                if self._quorum:
                    raise ValueError("there is one quorum")
                if name != "none":
                    self._check_known(name)
                self._quorum = name
            case _:
                raise ValueError(f"`{directive}` with {len(words)} words is no directive")

    def _check_new(self, name: str) -> None:
        if name == "none" or name in self.witnesses or name in self._groups:
            raise ValueError(f"the name {name!r} is taken")

    def _check_known(self, name: str) -> None:
        if name not in self.witnesses and name not in self._groups:
            raise ValueError(f"there is no witness or group {name!r} above this line")

    def log(self, origin: str) -> list[Verifier]:
        """Return the pinned keys of the log of that name."""
        return [one for one in self.logs if one.name == origin]

    def is_quorum(self, signers: Iterable[Verifier]) -> bool:
        """Return True if those who cosigned are a quorum; nobody is where the policy has none."""
        return self.judges and self._is_met(self._quorum, set(signers))

    def _is_met(self, name: str, signers: set[Verifier]) -> bool:
        if name in self.witnesses:
            return self.witnesses[name] in signers
        group = self._groups[name]
        return sum(self._is_met(member, signers) for member in group.members) >= group.least

    def count_witnesses(self, signers: Iterable[Verifier]) -> tuple[int, int]:
        """Return the number of witnesses that cosigned, and the number of all witnesses."""
        return len(set(signers) & set(self.witnesses.values())), len(self.witnesses)


def _split_words(line: str) -> list[str]:
    for character in line:
        if character != "\t" and not " " <= character <= "~":
            raise ValueError(
                f"{character!a} is no printable ASCII character. Between words there are spaces, and a line "
                "ends with a line feed alone"
            )
    return line.partition("#")[0].split()


def _parse_verifier(vkey: str, kind: int) -> Verifier:
    found = Verifier.read(vkey)
    if found.kind != kind:
        raise ValueError("a log has a signing key, a witness one for cosignatures")
    return found


def _parse_least(word: str, members: int) -> int:
    least = {"any": 1, "all": members}.get(word) or parse_decimal(word)
    if not 1 <= least <= members:
        raise ValueError(f"{word} of {members} members cannot be")
    return least
