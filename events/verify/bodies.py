"""The bodies of events: canonical form, exact members, times, actors, batches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from events.rules.bot_names import is_bot
from events.table.bundle import BadBundle
from events.table.lifecycle_facts import PROTOCOL
from events.table.record import BESIDE_FACT, HOUSE, SYSTEM
from events.tlog.text import check_uuid, unb64, unhex
from events.verify import limits
from events.verify.form import decode_canonical

ENDING_TYPES = ("TableClosed", "TableAbandoned")
"""The types of event that end a game; nothing follows on them."""

_REQUIRED = frozenset({"at", "by", "cmd", "data", "game", "n", "t", "v"})
_CAUSE = frozenset({"command", "draws", "bot", "sig", "clock"})
"""Members that stand on the first event of a batch only."""
_OPTIONAL = _CAUSE | {"hid"}
_BOT = frozenset({"budget", "name", "simulations", "thought_at", "version", "weights"})

_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z", re.ASCII)
_ACTOR = re.compile(r"p(0|[1-9][0-9]?)")
_DIRECTOR = re.compile(r"d(0|[1-9][0-9]?)")
_TYPE = re.compile(r"[A-Z][A-Za-z0-9]{0,63}")
_NAME = re.compile(r"[a-z0-9_]{1,64}")
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class InvalidForm(ValueError):
    """A value that does not have its form; the message says which."""


def check_integer(value: Any, least: int, most: int, what: str) -> int:
    """*value*, if it is an integer between *least* and *most*. Raises :class:`InvalidForm`."""
    if type(value) is not int or not least <= value <= most:
        raise InvalidForm(f"{what} is not a number from {least} to {most}")
    return value


def check_members(
    value: Any, required: frozenset[str], optional: frozenset[str], what: str
) -> dict[str, Any]:
    """*value*, if it is an object of these members, none of them null. Raises :class:`InvalidForm`."""
    if not isinstance(value, dict):
        raise InvalidForm(f"{what} is not an object")
    found = value.keys()
    if found != required and not (required <= found and found - required <= optional):
        wrong = sorted((required - set(value)) | (set(value) - required - optional))
        raise InvalidForm(f"{what} has missing or unknown members: {', '.join(wrong)}")
    return value


def check_time(value: Any, what: str = "at") -> str:
    """*value*, if it is a real time in UTC with microseconds. Raises :class:`InvalidForm`."""
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise InvalidForm(f"{what} is not a time")
    year, month, day = map(int, found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not (1 <= month <= 12 and year and 1 <= day <= _DAYS[month - 1] + (month == 2 and leap)):
        raise InvalidForm(f"{what} is not a day of the calendar")
    return found[0]


def check_hex(value: Any, length: int, what: str) -> bytes:
    """Return the *length* bytes that *value* spells in hex. Raises :class:`InvalidForm`."""
    try:
        return unhex(value if isinstance(value, str) else "?", length)
    except ValueError as error:
        raise InvalidForm(f"{what}: {error}") from error


def check_b64(value: Any, length: int, what: str) -> bytes:
    """Return the *length* bytes that *value* spells in base64. Raises :class:`InvalidForm`."""
    try:
        return unb64(value if isinstance(value, str) else "?", length)
    except ValueError as error:
        raise InvalidForm(f"{what}: {error}") from error


def check_id(value: Any, what: str) -> str:
    """*value*, if it is a UUID in lower case. Raises :class:`InvalidForm`."""
    try:
        return check_uuid(value if isinstance(value, str) else "?")
    except ValueError as error:
        raise InvalidForm(f"{what}: {error}") from error


class BodyChecker:
    """The bodies of one game, looked at in order.

    Args:
        game: its id.
        version: the title's version, as the header has it.
        events: how many there are.
        whole: whether the last event must end the game.
    """

    def __init__(self, game: str, version: int, events: int, *, whole: bool) -> None:
        self._game = game
        self._version = version
        self._events = events
        self._whole = whole
        self._seats = 0
        self._commands: set[str] = set()
        self._last: dict[str, Any] = {}
        self.ends: list[int] = []
        """The number of the last event of each batch."""

    def check_body(self, text: bytes, n: int) -> dict[str, Any]:
        """Return the envelope of event *n*, if it is what it must be there. Raises :class:`BadBundle`."""
        if len(text) > limits.BODY:
            raise BadBundle(n, f"its body is longer than {limits.BODY} bytes")
        body = decode_canonical(text, "its body", n)
        try:
            self._check(body, n)
        except InvalidForm as problem:
            raise BadBundle(n, str(problem)) from problem
        self._last = body
        return body  # type: ignore[no-any-return]

    def _check(self, body: Any, n: int) -> None:
        check_members(body, _REQUIRED, _OPTIONAL, "its body")
        if body["n"] != n or type(body["n"]) is not int or body["game"] != self._game:
            raise InvalidForm("its body names another event or another game")
        if type(body["t"]) is not str or len(body["t"]) > 64 or not _is_type(body["t"]):
            raise InvalidForm("its t is not a type of an event")
        if not isinstance(body["data"], dict):
            raise InvalidForm("its data are not an object")
        self._check_type(body, n)
        first = not self._last or body["cmd"] != self._last["cmd"]
        version = PROTOCOL if not self.ends and (n == 1 or not first) else self._version
        if body["v"] != version or type(body["v"]) is not int:
            raise InvalidForm(f"its v is not {version}")
        if first:
            self._check_first(body, n)
        else:
            self._check_follower(body)
        if n == self._events:
            self.ends.append(n)

    def _check_type(self, body: Mapping[str, Any], n: int) -> None:
        kind = body["t"]
        if (kind == "TableOpened") != (n == 1):
            raise InvalidForm("a game is opened once, by event 1")
        if n == 1:
            self._seats = check_integer(body["data"].get("seats"), 1, limits.SEATS, "seats")
        if kind in ENDING_TYPES and n != self._events:
            raise InvalidForm(f"{kind} ends the game, but {self._events - n} events follow on it")
        if kind not in ENDING_TYPES and self._whole and n == self._events:
            raise InvalidForm("a whole bundle ends with TableClosed or TableAbandoned")

    def _check_actor(self, by: Any) -> None:
        if by == SYSTEM or (isinstance(by, str) and _DIRECTOR.fullmatch(by)):
            return
        found = _ACTOR.fullmatch(by) if isinstance(by, str) else None
        if found is None or int(found[1]) >= self._seats:
            raise InvalidForm("its by is neither a seat of this game nor a director")

    def _check_hidden(self, body: Mapping[str, Any]) -> None:
        if "hid" not in body:
            return
        hid, by = body["hid"], body["by"]
        if not isinstance(hid, dict) or not 1 <= len(hid) <= limits.PARTS:
            raise InvalidForm(f"its hid is not an object of 1 to {limits.PARTS} digests")
        own = _own_parts(by) if _ACTOR.fullmatch(by) else ()
        for name, digest in hid.items():
            if name != HOUSE and name not in own:
                self._check_audience(name)
            check_b64(digest, 32, "a digest")

    def _check_audience(self, name: str) -> None:
        found = [_ACTOR.fullmatch(word) for word in name.split("_")]
        seats = [int(one[1]) for one in found if one]
        rising = all(a < b for a, b in pairwise(seats))
        if len(seats) != len(found) or not rising or seats[-1] >= self._seats:
            raise InvalidForm("its hid names an unknown audience")

    def _check_first(self, body: Mapping[str, Any], n: int) -> None:
        """Check the first event of a batch."""
        check_time(body["at"])
        if self._last and body["at"] < self._last["at"]:
            raise InvalidForm("at runs backwards")
        self._check_actor(body["by"])
        self._check_hidden(body)
        for name, check in _MEMBERS.items():
            if name in body:
                check(body[name])
        if any(int(who[1:]) >= self._seats for members in body.get("clock", {}).values() for who in members):
            raise InvalidForm("a clock is that of a seat of this game")
        cmd = check_id(body["cmd"], "its cmd")
        if cmd in self._commands:
            raise InvalidForm("its cmd stood in an earlier batch")
        self._commands.add(cmd)
        if n > 1:
            self.ends.append(n - 1)

    def _check_follower(self, body: Mapping[str, Any]) -> None:
        """Check an event that is not the first of its batch."""
        for name in ("by", "at"):
            if body[name] != self._last[name]:
                raise InvalidForm(f"its {name} is another than that of its batch")
        self._check_hidden(body)
        if not _CAUSE.isdisjoint(body) or not _own_parts(body["by"]).isdisjoint(body.get("hid", ())):
            raise InvalidForm(
                "two causes in one batch: only its first event has command, draws, bot, sig, clock"
            )


@lru_cache(4096)
def _is_type(name: str) -> bool:
    return bool(_TYPE.fullmatch(name))


@lru_cache(64)
def _own_parts(by: str) -> frozenset[str]:
    """Return the parts that only the first event of a batch of *by* has."""
    return frozenset(by + suffix for suffix in BESIDE_FACT)


def check_command(command: Any) -> None:
    """Raise :class:`InvalidForm` unless *command* is an object with a type."""
    if not isinstance(command, dict) or not isinstance(command.get("type"), str):
        raise InvalidForm("its command is not valid")


def _check_draws(draws: Any) -> None:
    check_members(draws, frozenset(), frozenset({"public", "hidden"}), "draws")
    if not draws:
        raise InvalidForm("draws are left out where there are none")
    if "hidden" in draws:
        check_integer(draws["hidden"], 1, limits.DRAWS, "the number of hidden draws")
    if "public" in draws:
        public = draws["public"]
        if not isinstance(public, list) or not 1 <= len(public) <= limits.DRAWS:
            raise InvalidForm(f"public draws are not a list of 1 to {limits.DRAWS}")
        for draw in public:
            _check_draw(draw)


def _check_draw(draw: Any) -> None:
    check_members(draw, frozenset({"got", "k", "of", "s"}), frozenset(), "a public draw")
    check_integer(draw["k"], 1, limits.BOUND, "k of a public draw")
    of, got = draw["of"], draw["got"]
    if not isinstance(of, list) or not isinstance(got, list) or not 1 <= len(of) <= limits.DRAWS:
        raise InvalidForm("the outcomes of a public draw are not a list, or too many")
    if len(of) != len(got):
        raise InvalidForm("a public draw must have one outcome for each bound")
    for bound, outcome in zip(of, got, strict=True):
        check_integer(bound, 1, limits.BOUND, "a bound of a public draw")
        check_integer(outcome, 0, bound - 1, "an outcome of a public draw")
    if draw["s"] != "":
        check_hex(draw["s"], 32, "the element of a public draw")


def _check_bot(bot: Any) -> None:
    check_members(bot, _BOT, frozenset({"fallback"}), "bot")
    named = bot["name"]
    if not isinstance(named, str) or not (_NAME.fullmatch(named) or is_bot(named, ())):
        raise InvalidForm("the bot's name is not valid")
    for name in ("budget", "simulations", "thought_at", "version"):
        check_integer(bot[name], 0, 2**53 - 1, f"the bot's {name}")
    if bot["weights"] is not None:
        check_hex(bot["weights"], 32, "the bot's weights")
    if bot.get("fallback", True) is not True:
        raise InvalidForm("the bot's fallback is true or left out")


def _check_signature(sig: Any) -> None:
    check_members(sig, frozenset({"n", "s"}), frozenset(), "sig")
    check_integer(sig["n"], 1, limits.EVENTS, "the event that was signed on")
    check_b64(sig["s"], 64, "the signature")


def _check_clock(clock: Any) -> None:
    check_members(clock, frozenset(), frozenset(_ON_CLOCKS), "clock")
    if not clock:
        raise InvalidForm("clock is left out where nothing changed")
    for name, values in clock.items():
        if not isinstance(values, dict) or not values:
            raise InvalidForm(f"the clock's {name} is not an object with members")
        for who, value in values.items():
            if not _ACTOR.fullmatch(who):
                raise InvalidForm("a clock is that of a seat")
            _ON_CLOCKS[name](value)


def _check_span(value: Any) -> None:
    check_integer(value, 0, 2**53 - 1, "a time on a clock")


def _check_deadline(value: Any) -> None:
    if value is not None:
        check_time(value, "a deadline")


_ON_CLOCKS: dict[str, Callable[[Any], None]] = {
    "left": _check_span,
    "on": _check_deadline,
    "spent": _check_span,
    "still": _check_span,
}

_MEMBERS: dict[str, Callable[[Any], None]] = {
    "command": check_command,
    "draws": _check_draws,
    "bot": _check_bot,
    "sig": _check_signature,
    "clock": _check_clock,
}
