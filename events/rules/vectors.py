"""Worked examples as data: given a position, when commands are given, then this must hold.

The format is described in ``tests/vectors/README.md``. The runner is pure: it needs no server.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import yaml

from events.rules.catalogue import UnusableTitle, find_title
from events.rules.chance import Chance
from events.rules.fact import Fact
from events.rules.fast_chance import FastChance
from events.rules.scripted_chance import ScriptedChance, ScriptMismatch
from events.rules.steps import INVALID_PARAMETERS, UNKNOWN_COMMAND, Decision, Rejected
from events.rules.title import InvalidPosition, Title

SEED = 20_260_101
"""Draws that a vector does not script come from a generator with this seed."""

_KEYS = frozenset({"id", "title", "clauses", "note", "given", "when", "then"})
_GIVEN = frozenset({"seats", "options", "set", "setup", "chance"})
_STEP = frozenset(
    {"seat", "command", "chance", "rejected", "events", "position", "decisions", "views", "outcome"}
)
_THEN = frozenset({"rejected", "events", "position", "decisions", "views", "outcome", "absent"})


if TYPE_CHECKING:
    from yaml import SafeLoader as _Safe
else:  # the one over libyaml is several times as quick; both read the same, and PyYAML may be without it
    _Safe = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Safe):
    """YAML as JSON people expect it: ``yes``, ``no``, ``on`` and ``off`` are words, not truth values."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"(?:true|false)\Z"), list("tf"))


class VectorFailure(AssertionError):
    """A vector that does not hold, or is malformed; the message tells where and why."""


def load(path: Path) -> list[dict[str, Any]]:
    """Return all vectors of a YAML file, or of every ``*.yaml`` below a folder that holds a list.

    Other files are of another kind.
    """
    files = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
    found: list[dict[str, Any]] = []
    for file in files:
        content = yaml.load(file.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 - a safe loader or []
        if isinstance(content, dict) and path.is_dir():
            continue
        if not isinstance(content, list):
            raise VectorFailure(f"{file.name}: a vector file holds one list")
        found += content
    return found


OnRefusal = Callable[[Title[Any], Rejected], None]
"""A function that takes each refusal that a vector expects, with its traceback."""


def _ignore_refusal(_title: Title[Any], _refused: Rejected) -> None:
    return


def run(vector: Mapping[str, Any], refused: OnRefusal = _ignore_refusal) -> None:
    """Run one vector. Raises :class:`VectorFailure` unless all of it holds.

    Raises :class:`events.rules.catalogue.UnusableTitle` where its title cannot be loaded.
    """
    try:
        _check_keys(vector, _KEYS, "vector")
        _VectorRun(_find_title(vector), vector, refused).run()
    except (VectorFailure, UnusableTitle):
        raise
    except (InvalidPosition, ScriptMismatch, msgspec.ValidationError, Rejected) as error:
        raise VectorFailure(f"{type(error).__name__}: {error}") from error
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise VectorFailure(f"the vector is malformed ({type(error).__name__}: {error})") from error


def _find_title(vector: Mapping[str, Any]) -> Title[Any]:
    try:
        return find_title(vector["title"])
    except UnusableTitle:
        raise
    except LookupError as error:
        raise VectorFailure(f"no such title, or none named: {error}") from None


def _check_keys(part: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    surplus = set(part) - known
    if surplus:
        raise VectorFailure(f"{where}: unknown key {sorted(surplus)}; known are {sorted(known)}")


class _MalformedCommand(Rejected):
    """A command that fails on its shape, before the rules see it."""


_SHAPE_WORDS = ("invalid_", "malformed_", "unknown_")
"""Beginnings of specifications' codes for what is refused here for its shape.

For example a key that no list has, or a negative count."""


class _VectorRun:
    def __init__(self, title: Title[Any], vector: Mapping[str, Any], refused: OnRefusal) -> None:
        self.title = title
        self.refused = refused
        self.vector = vector
        self.fallback: Chance = FastChance(SEED)
        self.state: Any = None
        self.facts: list[Fact] = []
        self.rejected: Rejected | None = None

    def run(self) -> None:
        self.prepare(self.vector.get("given") or {})
        steps: Sequence[Mapping[str, Any]] = self.vector.get("when") or []
        then = self.vector.get("then") or {}
        _check_keys(then, _THEN, "then")
        for number, step in enumerate(steps, 1):
            last = number == len(steps)
            self.step(step, f"step {number}", may_reject="rejected" in step or (last and "rejected" in then))
        if "rejected" in then:
            self.expect_rejected(then["rejected"], "then")
        self.expect(then, "then", self.facts)

    def prepare(self, given: Mapping[str, Any]) -> None:
        _check_keys(given, _GIVEN, "given")
        title, seats = self.title, given.get("seats", self.title.seats[0])
        options = msgspec.convert(given.get("options") or {}, title.Options)
        title.check_options(seats, options)
        chance = ScriptedChance(given.get("chance") or [], self.fallback)
        draft = title.open(seats, options, chance)
        self.state = draft.state
        self.facts = list(draft.facts)
        setup = given.get("setup", "default")
        if setup == "default":
            while title.in_setup(self.state):
                self.default_step(title.awaited(self.state)[0], chance)
        elif isinstance(setup, list):
            for number, step in enumerate(setup, 1):
                self.step(step, f"given.setup {number}", may_reject=False)
        elif setup != "open":
            raise VectorFailure("given.setup is 'default', 'open' or a list of steps")
        if chance.remaining:
            raise VectorFailure(f"given.chance: {chance.remaining} outcomes were never drawn")
        if given.get("set"):
            self.state = title.from_position(merge(title.position(self.state), given["set"]))
        if given.get("set") or self.vector.get("when"):
            self.facts = []

    def default_step(self, decision: Decision, chance: Chance) -> None:
        command = self.title.default(self.state, decision)
        draft = self.title.decide(self.state, decision.seat, command, chance)
        self.state = draft.state
        self.facts += draft.facts

    def step(self, step: Mapping[str, Any], where: str, *, may_reject: bool) -> None:
        _check_keys(step, _STEP, where)
        chance = ScriptedChance(step.get("chance") or [], self.fallback)
        before = len(self.facts)
        self.rejected = None
        try:
            draft = self.title.decide(self.state, step.get("seat"), self.command(step["command"]), chance)
        except Rejected as rejected:
            self.rejected = rejected
            if not may_reject:
                raise VectorFailure(f"{where}: rejected with {rejected}") from None
        else:
            self.state = draft.state
            self.facts += draft.facts
            self.resolve_house(chance)
        if chance.remaining:
            raise VectorFailure(f"{where}: {chance.remaining} outcomes of the script were never drawn")
        if "rejected" in step:
            self.expect_rejected(step["rejected"], where)
        self.expect(step, where, self.facts[before:])

    def resolve_house(self, chance: Chance) -> None:
        """Do at once what the server resolves, with the outcomes of the same step."""
        while True:
            waiting = [d for d in self.title.decisions(self.state) if d.seat is None]
            if not waiting:
                return
            self.default_step(waiting[0], chance)

    def command(self, raw: Mapping[str, Any]) -> Any:
        """Return the typed command; what the edge of the service would refuse is refused with its codes."""
        kind = self.title.command_type(raw.get("type", ""))
        if kind is None:
            raise Rejected(UNKNOWN_COMMAND, f"There is no command {raw.get('type')!r}. Use one of the title.")
        try:
            return msgspec.convert(_stringify_keys(raw), kind)
        except msgspec.ValidationError as error:
            raise _MalformedCommand(INVALID_PARAMETERS, f"{error}.") from error

    def expect_rejected(self, code: str, where: str) -> None:
        wanted = self.title.codes.get(code, code)
        if self.rejected is None:
            raise VectorFailure(f"{where}: expected the rejection {code}, but the command was accepted")
        unreadable = isinstance(self.rejected, _MalformedCommand) and code.startswith(_SHAPE_WORDS)
        if self.rejected.code not in (code, wanted) and not unreadable:
            raise VectorFailure(f"{where}: expected the rejection {code}, got {self.rejected}")
        self.refused(self.title, self.rejected)

    def expect(self, wanted: Mapping[str, Any], where: str, facts: Iterable[Fact]) -> None:
        title, state = self.title, self.state
        happened = [_to_json(fact) for fact in facts]
        if "events" in wanted:
            check_in_order(wanted["events"], happened, f"{where}.events")
        for absent in wanted.get("absent") or []:
            if any(not differences(absent, event, "") for event in happened):
                raise VectorFailure(f"{where}.absent: {absent} did happen")
        if "position" in wanted:
            _check_subset(wanted["position"], _to_json(title.position(state)), f"{where}.position")
        if "decisions" in wanted:
            _check_each_found(wanted["decisions"], _to_json(title.decisions(state)), f"{where}.decisions")
        if "outcome" in wanted:
            _check_subset(wanted["outcome"], _to_json(title.outcome(state)), f"{where}.outcome")
        for viewer, view in (wanted.get("views") or {}).items():
            seat = None if viewer == "spectator" else int(viewer)
            _check_subset(view, _to_json(title.view(state, seat)), f"{where}.views.{viewer}")


def _to_json(value: Any) -> Any:
    return msgspec.to_builtins(value, str_keys=True)


def _stringify_keys(value: Any) -> Any:
    """YAML reads ``0:`` as an integer key; JSON knows only texts."""
    if isinstance(value, Mapping):
        return {str(k): _stringify_keys(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_stringify_keys(v) for v in value]
    return value


def merge(base: Any, change: Any) -> Any:
    """*change* merged deeply into *base*: mappings key by key (into a list: by index), the rest replaced.

    A key that ends in ``!`` replaces the whole value instead of merging into it.
    """
    if not isinstance(change, Mapping):
        return _stringify_keys(change)
    if isinstance(base, list | tuple) and all(str(k).isdigit() for k in change):
        return _merge_by_index(list(base), change)
    merged = dict(base) if isinstance(base, Mapping) else {}
    for key, value in change.items():
        name = str(key)
        if name.endswith("!"):
            merged[name[:-1]] = _stringify_keys(value)
        else:
            merged[name] = merge(merged.get(name), value)
    return merged


def _merge_by_index(base: list[Any], change: Mapping[Any, Any]) -> list[Any]:
    for key, value in change.items():
        index = int(key)
        if index >= len(base):
            raise VectorFailure(f"given.set: there is no element {index} in a list of {len(base)}")
        base[index] = merge(base[index], value)
    return base


def differences(wanted: Any, got: Any, where: str) -> list[str]:
    """Return the places where *got* lacks something of *wanted*.

    Mappings may hold more; lists must agree in full.
    """
    if isinstance(wanted, Mapping):
        return _mapping_differences(wanted, got, where)
    if isinstance(wanted, list) and isinstance(got, list | tuple):
        if len(wanted) != len(got):
            return [f"{where}: expected {wanted!r}, got {list(got)!r}"]
        return [d for i, w in enumerate(wanted) for d in differences(w, got[i], f"{where}[{i}]")]
    same = wanted == got and isinstance(wanted, bool) == isinstance(got, bool)
    return [] if same else [f"{where}: expected {wanted!r}, got {got!r}"]


def _mapping_differences(wanted: Mapping[Any, Any], got: Any, where: str) -> list[str]:
    if isinstance(got, list | tuple):
        got = {str(index): value for index, value in enumerate(got)}
    if not isinstance(got, Mapping):
        return [f"{where}: expected {dict(wanted)!r}, got {got!r}"]
    found: list[str] = []
    for key, value in wanted.items():
        if str(key) not in got:
            found.append(f"{where}.{key}: missing (there are {sorted(got)})")
        else:
            found += differences(value, got[str(key)], f"{where}.{key}")
    return found


def _check_subset(wanted: Any, got: Any, where: str) -> None:
    found = differences(wanted, got, where)
    if found:
        raise VectorFailure("; ".join(found))


def check_in_order(wanted: Sequence[Any], got: Sequence[Any], where: str) -> None:
    """Check that each of *wanted* is a part of some element of *got*, in this order."""
    rest = iter(got)
    for index, part in enumerate(wanted):
        if not any(not differences(part, candidate, "") for candidate in rest):
            names = [event.get("type") for event in got]
            near = [e for e in got if e.get("type") == part.get("type")]
            raise VectorFailure(
                f"{where}[{index}]: no {part!r} (in order) among {names}; of that type: {near!r}"
            )


def _check_each_found(wanted: Sequence[Any], got: Sequence[Any], where: str) -> None:
    if wanted == [] and got:
        raise VectorFailure(f"{where}: expected none, got {got!r}")
    for part in wanted:
        if not any(not differences(part, candidate, "") for candidate in got):
            raise VectorFailure(f"{where}: no {part!r} among {got!r}")
