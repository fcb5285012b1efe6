"""The contract that every title fulfils.

A title is a small object of pure functions over one immutable state type. The
platform (log, views, bots, API, web page) knows titles only through it, and has
no special case for any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, cast

import msgspec

from events.rules.bot_names import BOTS
from events.rules.chance import Chance
from events.rules.fact import Fact, Json, Seat, Telling, type_name
from events.rules.kit.options import OptionNote
from events.rules.kit.panels import whole, with_measures
from events.rules.kit.pointing import Pointing
from events.rules.kit.values import plain
from events.rules.kit.words import capital
from events.rules.steps import Command, Decision, Draft, Play, S, Step, Steps, follow_nothing


class InvalidPosition(ValueError):
    """A position that is no state of the title; the message names the part that is wrong."""


MOST_VALUES = 10_000
MOST_TOGETHER = 1_000
"""Values in a position, and in one list or object of it: no game has a tenth of that."""


def check_size(position: Any) -> None:
    """Raise :class:`InvalidPosition` for a position with more in it than any game has.

    It costs one step for each value, and comes before anything that could cost more.
    """
    count, left = 0, [position]
    while left:
        value = left.pop()
        inside = value.values() if isinstance(value, dict) else value
        if not isinstance(value, dict | list | tuple):
            continue
        count += len(inside)
        if len(inside) > MOST_TOGETHER or count > MOST_VALUES:
            raise InvalidPosition(
                f"a position has at most {MOST_VALUES:,} values, and {MOST_TOGETHER:,} in one list"
            )
        left.extend(inside)


class Outcome(msgspec.Struct, frozen=True):
    """The result of a finished game."""

    winners: tuple[Seat, ...]
    """All seats that share the victory, in seat order; empty if nobody wins."""
    places: tuple[int, ...]
    """The places, by seat: 1 for the first place. Equal results share a place."""
    scores: tuple[int, ...]
    """The scores, by seat, in the unit that the title ranks by."""
    reason: str = ""
    """A stable word for the way the game ended, if the title has several."""


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a title that has none."""


def _bound_size(read: Callable[[Json], S]) -> Callable[[Json], S]:
    """Return *read*, which makes a state of a position, for positions of a bounded size."""

    def read_bounded(position: Json) -> S:
        check_size(position)
        return read(position)

    return read_bounded


def _require_member(*_: Any) -> Any:
    raise TypeError("a title sets this member when it is made")


def _accept_any_table(_seats: int, _options: Any) -> None:
    """Every number of seats and every options are playable."""


def _seat_label(_state: Any, seat: Seat) -> str:
    return f"Seat {seat}"


def _name_no_colours(_seats: int, _options: Any) -> tuple[str, ...]:
    """A title whose pieces have no colours of their own."""
    return ()


def _deal_no_colours(_state: Any) -> tuple[str, ...]:
    """A title that deals no colours by lot."""
    return ()


def _measure_nothing(_view: Json) -> Mapping[str, Sequence[int | None]]:
    """A title without curves."""
    return {}


def _no_setup(_state: Any) -> bool:
    return False


def _no_cost(_state: Any, _seat: Seat, _command: Any) -> str:
    return ""


def _no_likelihood(_state: Any, _seat: Seat, _command: Any) -> float | None:
    return None


def _no_quantities(_state: Any) -> Mapping[str, int]:
    return {}


_FROM_STEPS = (
    "ended",
    "decide",
    "decisions",
    "awaited",
    "list_awaited_kinds",
    "list_awaited_seats",
    "replaceable",
    "replacements",
    "replacements_complete",
    "default",
    "legal",
    "commands_open",
    "complete",
    "label",
)


@dataclass(frozen=True, kw_only=True, eq=False)  # a title is itself: compared and hashed by identity
class Title(Generic[S]):
    """One set of rules. Every member is pure, total and deterministic.

    Members without a default are required. What a title leaves out is derived, as each member says.

    >>> from events.rules.catalogue import find_title
    >>> from events.rules.fast_chance import FastChance
    >>> title, chance = find_title("colonialism"), FastChance("any seed")
    >>> draft = title.open(2, title.Options(), chance)
    >>> decision = title.awaited(draft.state)[0]
    >>> command = title.sample(draft.state, decision.seat, chance)
    >>> after = title.decide(draft.state, decision.seat, command, chance)
    >>> after.state == title.fold_all(draft.state, after.facts)
    True
    """

    id: str
    name: str
    seats: range
    """The possible numbers of seats; `check_options` may narrow it."""
    State: type[S]
    """The state: a frozen struct with a field or property ``seats``, the number of seats."""
    View: type[msgspec.Struct]
    """The struct of what a seat sees: the schema of views comes from it."""
    facts: tuple[type[Fact], ...]
    """All facts: ``facts_in(facts)`` collects those of a module."""
    steps: tuple[Step[S], ...]
    """The steps of the turn in the rulebook's order, those that nobody waits for (:attr:`Step.free`) last."""
    blank: Callable[[int, Any], S]
    """``(seats, options)``: the state before the first fact."""
    opening: Callable[[Any, int, Any], None]
    """``(draft, seats, options)``: set-up up to the first decision; *draft* begins with the blank state."""
    view: Callable[[S, Seat | None], Any]
    """All that this seat (None: a spectator) may know, and nothing else: a :attr:`View`."""
    imagine: Callable[[S, Seat, Chance], S]
    """A state that this seat cannot tell from the real one: hidden parts drawn again, consistent
    with everything the seat has seen."""
    outcome: Callable[[S], Outcome | None]
    """None while the game runs."""
    board: Json
    """Static public data for clients: names, texts, regions, cards, tracks, maps."""
    panels: Callable[[Json, Seat | None], list[Json]]
    """``(view, seat)``: how a page lays out the view, from its JSON alone (`events/rules/kit/panels.py`)."""

    version: int = 1
    """Pinned in every game; raised whenever `decide` or a fold change for any recorded game."""
    Options: type[msgspec.Struct] = NoOptions
    option_notes: Mapping[str, OptionNote] = field(default_factory=dict)
    """For each option its clause and what it does, in words: :func:`option_notes`."""
    check_options: Callable[[int, Any], None] = _accept_any_table
    """``(seats, options)``: raises ``Rejected("invalid_options", ...)`` if this table cannot be played."""
    bots: tuple[str, ...] = BOTS
    """The names of the bots that play it, weakest first: those of its data, see :func:`bot_names`."""
    data_hash: str = ""
    """SHA-256 (hex) of what its rules read of its data files, see :func:`fingerprint`; "" without any."""
    now: Steps | None = None
    """``(state)``: the steps under way, awaited ones first; by default all: those count that ask a seat."""
    follow: Callable[[Any], None] = follow_nothing
    """``(draft)``: everything automatic after a move, up to the next decision or the end."""
    draft: Callable[[S, Chance], Draft[S]] = Draft
    """The title's own :class:`Draft`, where something is to be tested after facts that it watches."""
    ended: Callable[[S], bool] = _require_member
    """True if the game has ended; by default asked of `outcome`."""
    seat_name: Callable[[S, Seat], str] = _seat_label
    """The name of the seat in sentences: its empire, colour or planet, else ``Seat n``."""
    seat_colours: Callable[[int, Any], tuple[str, ...]] = _name_no_colours
    """``(seats, options)``: the colour of each seat's pieces in the box, the same to the end; () without."""
    dealt_colours: Callable[[S], tuple[str, ...]] = _deal_no_colours
    """``(state)``: the same where a lot of the opening deals them; () before the lot."""
    measures: Callable[[Json], Mapping[str, Sequence[int | None]]] = _measure_nothing
    """``(view)``: by key and seat the numbers that a page draws as curves; None for what the view hides.
    `pointing.measures` names them; ``score`` is what decides the game and ends as `Outcome.scores`."""
    position: Callable[[S], Json] = _require_member
    """The whole state as readable JSON, secrets included; by default the state's own fields."""
    from_position: Callable[[Json], S] = _require_member
    """The inverse; raises :class:`InvalidPosition`. Checks shape, keys and ranges, not whether the
    position could have arisen. A game may begin from any position it accepts, so `decide`, `legal`,
    `view` and `imagine` must not fail on one."""
    in_setup: Callable[[S], bool] = _no_setup
    """True while set-up choices are being made (a vector's *given* starts after them)."""
    conserved: Callable[[S], Mapping[str, int]] = _no_quantities
    """Quantities that no command may change (cards of the deck, pieces of a colour), for the battery."""
    odds: Callable[[S, Seat, Seat, int, Chance], Json] | None = None
    """``(state, seat, target, simulations, chance)``: how a war of *seat* against *target* might end, from
    what the seat may know (call it on an imagined state). None in titles without wars."""
    pointing: Pointing = Pointing()  # noqa: RUF009 - immutable
    """The way to play it on its board; by default commands name what is drawn with the same key."""
    cost: Callable[[S, Seat, Any], str] = _no_cost
    """``(state, seat, command)``: what it costs for certain, in the title's units, such as ``3 T``."""
    likelihood: Callable[[S, Seat, Any], float | None] = _no_likelihood
    """``(state, seat, command)``: how likely it succeeds, 0 to 1, from what the seat knows; None where no
    chance decides it."""
    undo: bool = False
    """True if commands can be taken back: each fact that tells something hidden says so, see
    :attr:`Fact.discloses`."""
    codes: Mapping[str, str] = field(default_factory=dict)
    """The rulebook's words for cases that have a common code: ``{"wrong_phase": "not_your_decision"}``."""

    sample: Callable[[S, Seat, Chance], Command | None] = _require_member
    """One legal command at random, fast, every kind reachable; never None for a seat that is waited for,
    None for one that has no decision at all. Random play with it must come to an end. By default a step's."""

    commands: tuple[type[Command], ...] = field(init=False)
    """All commands, in the order of the steps."""
    decide: Callable[[S, Seat | None, Any, Chance], Draft[S]] = field(init=False)
    """``(state, seat, command, chance)``: the facts and the state after them; see :meth:`Play.decide`."""
    decisions: Callable[[S], tuple[Decision, ...]] = field(init=False)
    """Everything that the game now waits for, then what seats may do freely (:attr:`Decision.free`).
    Nothing is awaited exactly when the game has ended; then nothing is free either."""
    awaited: Callable[[S], tuple[Decision, ...]] = field(init=False)
    """The decisions without which the game does not go on."""
    list_awaited_kinds: Callable[[S], tuple[Decision, ...]] = field(init=False)
    """The same decisions without the commands of each: for bots, which ask for nothing else so often."""
    list_awaited_seats: Callable[[S], tuple[Seat | None, ...]] = field(init=False)
    """The seats of these decisions, in their order (None: the server), without the commands of each."""
    replaceable: Callable[[S], tuple[Decision, ...]] = field(init=False)
    """The decisions of seats whose covered answers may still be replaced (:attr:`Step.covered`)."""
    replacements: Callable[[S, Seat], Iterator[Command]] = field(init=False)
    """Legal commands by which a seat may replace its covered answer; `legal` lists none of them."""
    replacements_complete: Callable[[S, Seat], bool] = field(init=False)
    """True if `replacements` lists every legal one of this seat now."""
    default: Callable[[S, Decision], Command] = field(init=False)
    """The next command for an absent player; repeated, it always leads on. For the server: what it does."""
    legal: Callable[[S, Seat], Iterator[Command]] = field(init=False)
    """Legal commands of this seat, most natural first, in a stable order. All of them where they are finite
    and few (:attr:`complete`), otherwise a faithful selection. Each is accepted by `decide`."""
    commands_open: Callable[[S, Seat], Mapping[type[Command], Callable[[], Iterable[Command]]]] = field(
        init=False
    )
    """The kinds of command that a seat can give now, each with all its commands that `legal` could list."""
    complete: Callable[[S, Seat], bool] = field(init=False)
    """True if `legal` lists every legal command of this seat now."""
    label: Callable[[S, Seat, Any], str] = field(init=False)
    """The text on the button of this command."""
    tell: Mapping[str, Telling] = field(init=False)
    """``{fact type name: (data, who) -> sentence}``, as the facts have it."""
    command_type: Callable[[str], type[Command] | None] = field(init=False)
    """``(name)``: the command class of that type name, or None."""
    fact_type: Callable[[str], type[Fact] | None] = field(init=False)
    """``(name)``: the fact class of that type name, or None."""

    def fold_all(self, state: S, facts: Iterable[Fact]) -> S:
        """Return the state after facts in order."""
        for fact in facts:
            state = fact.fold(state)
        return state

    def view_json(self, state: S, seat: Seat | None) -> Json:
        """Return the view of a seat (None: a spectator) in JSON's own types."""
        return plain(self.view(state, seat))

    def page_panels(self, state: S, seat: Seat | None, shown: Json | None = None) -> list[Json]:
        """The panels of a page for a seat (None: a spectator); *shown* is its view, where it is known."""
        view = self.view_json(state, seat) if shown is None else shown
        names = [capital(self.seat_name(state, other)) for other in range(state.seats)]
        return with_measures(
            whole(self.panels(view, seat), names), self.pointing.measures, self.measures(view)
        )

    def list_colours(self, seats: int, options: Any, state: S | None) -> tuple[str, ...]:
        """Return the colour of each seat's pieces; () without, and before the lot that deals them."""
        fixed = self.seat_colours(seats, options)
        return fixed or (() if state is None else self.dealt_colours(state))

    def question(self, kind: str) -> str:
        """Return the sentence that tells a player what a decision of that *kind* asks."""
        return self.pointing.asks.get(kind) or capital(kind.replace("_", " ")) + "."

    def open(self, seats: int, options: Any, chance: Chance) -> Draft[S]:
        """Set-up up to the first decision."""
        draft = self.draft(self.blank(seats, options), chance)
        self.opening(draft, seats, options)
        self.follow(draft)
        return draft

    def _position(self, state: S) -> Json:
        return cast("Json", msgspec.to_builtins(state, str_keys=True))

    def _from_position(self, given: Json) -> S:
        names = {f.encode_name for f in msgspec.structs.fields(cast("type[msgspec.Struct]", self.State))}
        if names != set(given):
            wrong = ", ".join(sorted(names ^ set(given)))
            raise InvalidPosition(f"the position has wrong or missing parts; check {wrong}")
        try:
            return msgspec.convert(given, self.State, str_keys=True)
        except (msgspec.ValidationError, ValueError) as error:
            raise InvalidPosition(str(error)) from error

    def __post_init__(self) -> None:
        standard = {"position": self._position, "from_position": self._from_position}
        found: dict[str, Any] = {
            m: given for m, given in standard.items() if getattr(self, m) is _require_member
        }
        play: Play[S] = Play(
            self.steps,
            now=self.now,
            draft=self.draft,
            outcome=self.outcome,
            ended=None if self.ended is _require_member else self.ended,
            follow=self.follow,
        )
        found |= {name: getattr(play, name) for name in _FROM_STEPS}
        if self.sample is _require_member:
            found["sample"] = play.sample
        found["commands"] = tuple(play.moves)
        found["tell"] = {type_name(f): f.tell for f in self.facts}
        found["command_type"] = {type_name(c): c for c in play.moves}.get
        found["fact_type"] = {type_name(f): f for f in self.facts}.get
        found["from_position"] = _bound_size(found.get("from_position", self.from_position))
        for member, value in found.items():
            object.__setattr__(self, member, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """A title is pickled by id, version and data: anyone who reads it has these rules, or none."""
        from events.rules.catalogue import find_title

        return find_title, (self.id, self.version, self.data_hash)
