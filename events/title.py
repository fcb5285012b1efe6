"""The contract that every title fulfils.

A title is a small object of pure functions over one immutable state type. The
platform (log, views, bots, API, web page) knows titles only through it, and has
no special case for any of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from events.chance import Chance

Json = dict[str, Any]
Seat = int
"""The number of a seat: 0, 1, ... clockwise."""

NOBODY: tuple[str, ...] = ()
"""The audience of a secret that no seat may know while the game runs."""


def snake(name: str) -> str:
    """``PlayEventCard`` -> ``play_event_card``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=snake):
    """What a seat (or the house) asks for. Subclasses are named in the rulebook's words.

    The acting seat is not a field: it comes with the command, from the token or the job.
    """

    sealed: ClassVar[bool] = False
    """True hides the *whole* command, its type included, from all but the seat that gave it.

    Set it on every command whose type or arguments betray something secret, and on all
    the alternatives of one sealed answer (buying and declining must look alike).
    """

    house: ClassVar[bool] = False
    """True for commands that only the house gives (slow resolution such as a year of war)."""


class Fact(msgspec.Struct, frozen=True, tag_field="type"):
    """Something that happened: the content of one event, with all random outcomes in it."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Secret fields and their audiences: ``{"cards": ("seat",), "give.hand_cards": ("from_", "to")}``.

    Keys are field names as they stand in JSON, dotted for a field inside an object. Values
    are the Python names of fields of the same fact that hold the seats who may know (each
    a seat number, a tuple of them or None); :data:`NOBODY` hides the field from every seat.
    Redaction is generic: a title never filters by hand.
    """


class Rejected(Exception):
    """A command that the rules refuse. Nothing has changed.

    *code* is stable snake_case; *detail* is a sentence that tells the player what to do instead.
    Neither may depend on anything that the asking seat does not know.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class InvalidPosition(ValueError):
    """A position that is no state of the title; the message names the part that is wrong."""


# One code for what every title can answer, whatever its rulebook calls the case.
NOT_YOUR_DECISION = "not_your_decision"
ALREADY_ANSWERED = "already_answered"
INVALID_PARAMETERS = "invalid_parameters"
UNKNOWN_COMMAND = "unknown_command"
GAME_NOT_RUNNING = "game_not_running"
COMMON_CODES = frozenset(
    {NOT_YOUR_DECISION, ALREADY_ANSWERED, INVALID_PARAMETERS, UNKNOWN_COMMAND, GAME_NOT_RUNNING}
)


class Decision(msgspec.Struct, frozen=True):
    """Something that the game waits for now. All of it is public (whatever hands hold)."""

    seat: Seat | None
    """Who decides; None for the house."""
    kind: str
    """A stable word for the kind of decision, such as ``event_turn``."""
    commands: tuple[str, ...]
    """The types of command that answer it."""
    free: bool = False
    """True for what a seat *may* do now although the game does not wait for it (a gift at any time)."""


class Outcome(msgspec.Struct, frozen=True):
    """How a finished game ended."""

    winners: tuple[Seat, ...]
    """All seats that share the victory, in seat order; empty where nobody wins."""
    places: tuple[int, ...]
    """By seat: 1 for the first place; equal places are shared."""
    scores: tuple[int, ...]
    """By seat, in the unit that the title ranks by."""
    reason: str = ""
    """A stable word for the way the game ended, where the title has several."""


S = TypeVar("S", bound=msgspec.Struct)
F = TypeVar("F", bound=Fact)
Fold = Mapping[type[Fact], Callable[[Any, Any], Any]]
Who = Callable[[Seat], str]
"""Names a seat in a sentence, such as ``the Spanish (seat 1)``."""


class Draft(Generic[S]):
    """The facts of one command, and the working state after them.

    Later facts of a command see what earlier ones did: each is folded as it is emitted.
    """

    __slots__ = ("_fold", "facts", "state")

    def __init__(self, state: S, fold: Fold) -> None:
        self.state = state
        self.facts: list[Fact] = []
        self._fold = fold

    def emit(self, fact: Fact) -> None:
        """Append *fact* and evolve the working state by it."""
        self.facts.append(fact)
        self.state = self._fold[type(fact)](self.state, fact)


@dataclass(frozen=True, kw_only=True, eq=False)  # a title is itself: compared and hashed by identity
class Title(Generic[S]):
    """One set of rules. Every member is pure, total and deterministic."""

    id: str
    name: str
    version: int
    """Pinned in every game; raised whenever `decide` or `fold` change for any recorded game."""
    seats: range
    """The possible numbers of seats; `validate_options` may narrow it."""
    Options: type[msgspec.Struct]
    State: type[S]
    commands: tuple[type[Command], ...]
    facts: tuple[type[Fact], ...]
    data_hash: str
    """SHA-256 (hex) of the title's data files, see :func:`events.data.fingerprint`."""

    check_options: Callable[[int, Any], None]
    """``(seats, options)``: raises ``Rejected("invalid_options", ...)`` if this table cannot be played."""
    blank: Callable[[int, Any], S]
    """``(seats, options)``: the state before the first fact."""
    open: Callable[[int, Any, Chance], Draft[S]]
    """``(seats, options, chance)``: set-up up to the first decision."""
    decide: Callable[[S, Seat | None, Any, Chance], Draft[S]]
    """``(state, seat, command, chance)``: at least one fact, or raises :class:`Rejected`.

    Total: any well-typed command of any seat is accepted or rejected, in any state.
    *seat* is None for the house.
    """
    fold: Fold
    """``{fact type: (state, fact) -> state}``: never rejects, never draws, never reads a clock."""
    decisions: Callable[[S], tuple[Decision, ...]]
    """Everything that the game now waits for, then what seats may do freely (:attr:`Decision.free`).
    Nothing is awaited exactly when the game has ended; then nothing is free either."""
    default: Callable[[S, Decision], Command]
    """The next command for an absent player; repeated, it always leads on. For the house: what it does."""
    legal: Callable[[S, Seat], Iterator[Command]]
    """Legal commands of this seat, most natural first, in a stable order. All of them where
    they are finite and few (:attr:`complete`), otherwise a faithful selection of at most some
    hundred. Each is accepted by `decide`. Depends on nothing that the seat does not know."""
    complete: Callable[[S, Seat], bool]
    """Whether `legal` lists every legal command of this seat now."""
    sample: Callable[[S, Seat, Chance], Command | None]
    """One legal command at random, fast, every kind reachable; never None for a seat that is waited for,
    None for one that has no decision at all. Random play with it must come to an end."""
    label: Callable[[S, Seat, Any], str]
    """What a player reads on the button of this command: short, in the rulebook's words."""
    view: Callable[[S, Seat | None], Json]
    """All that this seat (None: a spectator) may know, and nothing else. JSON builtins only."""
    imagine: Callable[[S, Seat, Chance], S]
    """A state that this seat cannot tell from the real one: hidden parts drawn anew, consistent
    with everything the seat has seen."""
    tell: Mapping[str, Callable[[Mapping[str, Any], Who], str]]
    """``{fact type name: (data, who) -> sentence}``. Secret fields that the reader may not know are
    absent from *data*; the sentence must be good without them."""
    seat_name: Callable[[S, Seat], str]
    """What the seat is called in sentences: its empire, colour or planet, else ``Seat n``."""
    outcome: Callable[[S], Outcome | None]
    """None while the game runs."""
    in_setup: Callable[[S], bool]
    """True while set-up choices are being made (a vector's *given* starts after them)."""
    position: Callable[[S], Json]
    """The whole state as readable JSON, secrets included."""
    from_position: Callable[[Json], S]
    """The inverse; raises :class:`InvalidPosition`. Checks shape, keys and ranges, not whether the
    position could have arisen. A game may begin from any position it accepts, so `decide`, `legal`,
    `view` and `imagine` must not fail on one."""
    conserved: Callable[[S], Mapping[str, int]]
    """Quantities that no command may change (cards of the deck, pieces of a colour), for the battery."""
    board: Json
    """Static public data for clients: names, texts, regions, cards, tracks, maps."""
    panels: Callable[[Json, Seat | None], list[Json]]
    """``(view, seat)``: how a page lays out the view, from the view alone; see `events/panels.py`."""
    odds: Callable[[S, Seat, Seat, int, Chance], Json] | None = None
    """``(state, seat, target, simulations, chance)``: how a war of *seat* against *target* might end, from
    what the seat may know (call it on an imagined state). None in titles without wars."""
    codes: Mapping[str, str] = field(default_factory=dict)
    """The rulebook's words for cases that have a common code: ``{"wrong_phase": "not_your_decision"}``."""

    def awaited(self, state: S) -> tuple[Decision, ...]:
        """The decisions without which the game does not go on."""
        return tuple(d for d in self.decisions(state) if not d.free)

    def command_type(self, name: str) -> type[Command] | None:
        """The command class of that type name, or None."""
        return self._commands.get(name)

    def fact_type(self, name: str) -> type[Fact] | None:
        """The fact class of that type name, or None."""
        return self._facts.get(name)

    def evolve(self, state: S, fact: Fact) -> S:
        """Fold one fact."""
        return self.fold[type(fact)](state, fact)  # type: ignore[no-any-return]

    def evolve_all(self, state: S, facts: Iterable[Fact]) -> S:
        """Fold facts in order."""
        fold = self.fold
        for fact in facts:
            state = fold[type(fact)](state, fact)
        return state

    def __post_init__(self) -> None:
        object.__setattr__(self, "_commands", {type_name(c): c for c in self.commands})
        object.__setattr__(self, "_facts", {type_name(f): f for f in self.facts})
        missing = set(self.facts) - set(self.fold)
        if missing:
            raise TypeError(f"{self.id}: no fold for {sorted(m.__name__ for m in missing)}")

    _commands: Mapping[str, type[Command]] = field(init=False, repr=False, compare=False)
    _facts: Mapping[str, type[Fact]] = field(init=False, repr=False, compare=False)


_TYPE_NAMES: dict[type[Any], str] = {}
"""Asked for every event that is written; msgspec makes the configuration anew each time."""


def type_name(kind: type[Command | Fact]) -> str:
    """The name that stands in JSON for this command or fact type."""
    name = _TYPE_NAMES.get(kind)
    if name is None:
        name = _TYPE_NAMES[kind] = str(kind.__struct_config__.tag)
    return name
