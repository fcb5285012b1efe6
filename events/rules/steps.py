"""Steps and moves: who is asked, what may be done, and what a command leads to.

A title's turn is an ordered list of steps. A :class:`Step` says who is asked, which moves there are and what
an absent player does; a :class:`Move` says which command it answers, what that does, which commands of its
type are legal, how they read on a button, and one at random. Deciding, the open decisions, the legal list,
labels, samples and defaults all follow from these (:class:`Play`), so that a rule stands in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from events.rules.chance import Chance
from events.rules.fact import Fact, Seat, snake, type_name
from events.rules.kit.offers import choose_evenly


class State(Protocol):
    """The part of a title's state that the platform knows."""

    @property
    def seats(self) -> int:
        """The number of seats in the game."""
        ...


S = TypeVar("S", bound=State)


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=snake):
    """A command of a seat or of the server. Subclasses are named in the rulebook's words.

    The acting seat is not a field: it comes with the command, from the token or the job.
    """

    sealed: ClassVar[bool] = False
    """True hides the *whole* command, its type included, from all but the seat that gave it.

    Set it on every command whose type or arguments reveal something secret, and on all
    the alternatives of one sealed answer (buying and declining must look alike).
    """

    house: ClassVar[bool] = False
    """True for commands that only the server gives (slow resolution such as a year of war)."""


class Rejected(Exception):
    """A command that the rules refuse. Nothing has changed.

    *code* is stable snake_case; *detail* is a sentence that tells the player what to do instead.
    Neither may depend on anything that the asking seat does not know.

    >>> str(Rejected("no_ship", "You have no ship here. Choose another sea zone."))
    'no_ship: You have no ship here. Choose another sea zone.'
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


# One code for what every title can answer, whatever its rulebook calls the case.
NOT_YOUR_DECISION = "not_your_decision"
ALREADY_ANSWERED = "already_answered"
INVALID_PARAMETERS = "invalid_parameters"
UNKNOWN_COMMAND = "unknown_command"
GAME_NOT_RUNNING = "game_not_running"
COMMON_CODES = frozenset(
    {NOT_YOUR_DECISION, ALREADY_ANSWERED, INVALID_PARAMETERS, UNKNOWN_COMMAND, GAME_NOT_RUNNING}
)


class GameOver(Exception):
    """Raised inside a move when the game has ended there: what was emitted stands, the rest is not done."""


class Decision(msgspec.Struct, frozen=True):
    """Something that the game waits for now. All of it is public (whatever hands hold)."""

    seat: Seat | None
    """The seat that decides; None for the server."""
    kind: str
    """A stable word for the kind of decision, such as ``event_turn``."""
    commands: tuple[str, ...]
    """The types of command that answer it."""
    free: bool = False
    """True for what a seat *may* do now although the game does not wait for it (a gift at any time)."""


class Draft(Generic[S]):
    """The facts of one command, the working state after them, and the chance behind them.

    Later facts of a command see what earlier ones did: each is folded as it is emitted.

    >>> class Paid(Fact, frozen=True):
    ...     amount: int
    ...
    ...     def fold(self, state):
    ...         return state - self.amount
    >>> draft = Draft(10, None)
    >>> draft.emit(Paid(3))
    >>> draft.emit(Paid(2))
    >>> draft.state, len(draft.facts)
    (5, 2)
    """

    __slots__ = ("chance", "facts", "state")

    watched: ClassVar[frozenset[type[Fact]]] = frozenset()
    """The facts after which a title's own draft tests something, in :meth:`judge`."""

    def __init__(self, state: S, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.facts: list[Fact] = []

    def emit(self, fact: Fact) -> None:
        """Append *fact* and fold it into the working state; then :meth:`judge`, where it is watched."""
        self.facts.append(fact)
        self.state = fact.fold(self.state)
        if type(fact) in self.watched:
            self.judge()

    def judge(self) -> None:
        """Test what a watched fact may have led to: emit what follows, or raise :class:`GameOver`."""


D = TypeVar("D", bound=Draft[Any])


REACH = 5000
"""So many commands of a type are looked at where a list shows as much of each target: a rich player's gifts
are more than anybody could count."""


def return_true(_state: Any, _seat: Any) -> bool:
    """True, whatever the state and the seat."""
    return True


def return_false(_state: Any, _seat: Any) -> bool:
    """False, whatever the state and the seat."""
    return False


def follow_nothing(_draft: Any) -> None:
    """Nothing follows by itself."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Move(Generic[S]):
    """One command of a step: what it does, and which commands of its type are legal now."""

    command: type[Command]
    take: Callable[[Any, Any, Any], None]
    """``(draft, seat, command)``: checks the command, emits its facts and what follows from it at once.
    Raises :class:`Rejected`. The seat is asked this now, unless :attr:`own_words`."""
    may: Callable[[S, Seat], bool] = return_true
    """True if a seat that is asked has this move now, from public facts only.

    The move then stands among the commands of its decision. It must be True for whatever `take` accepts."""
    legal: Callable[[S, Seat], Iterable[Command]] | None = None
    """``(state, seat)``: its legal commands, most natural first, in a stable order; a faithful selection
    where they are too many. Depends on nothing that the seat does not know. May be left out for a command
    without fields: then it is legal as it is."""
    most: int | None = None
    """The maximum number of commands listed; None for all that `legal` gives."""
    target: Callable[[Any], Hashable] | None = None
    """``(command)``: what it aims at (a Territory, another player). Where `legal` gives more than
    :attr:`most`, as many are listed for each target as for any other. None: the first of them are listed,
    so that `legal` has to put one for each target first."""
    complete: Callable[[S, Seat], bool] = return_true
    """True if `legal` gives every legal command of this type (:attr:`most` is counted besides)."""
    label: str | Callable[[S, Seat, Any], str]
    """The text on the button: short, in the rulebook's words; a function of
    ``(state, seat, command)`` where it depends on the command."""
    sample: Callable[[S, Seat, Chance], Command | None] | None = None
    """One legal command at random, fast, every kind reachable; None where there is none. Left out: one of
    those listed."""
    own_words: bool = False
    """True where the rulebook has words of its own for refusing this command out of turn: `take` is then
    asked in any state of a running game, by any seat, and refuses by itself."""

    def list_legal(self, state: S, seat: Seat) -> Iterator[Command]:
        """Return the legal commands of this move, :attr:`most` of them at most."""
        found = (self.command(),) if self.legal is None else self.legal(state, seat)
        if self.most is None or self.target is None:
            return islice(found, self.most)
        return iter(choose_evenly(islice(found, REACH), self.most, self.target))

    def is_listed_whole(self, state: S, seat: Seat) -> bool:
        """Return True if :meth:`list_legal` leaves none out."""
        if not self.complete(state, seat):
            return False
        if self.most is None or self.legal is None:
            return True
        return next(islice(self.legal(state, seat), self.most, None), None) is None

    def one(self, state: S, seat: Seat, chance: Chance) -> Command | None:
        """Return one legal command at random, None where there is none."""
        if self.sample is not None:
            return self.sample(state, seat, chance)
        listed = tuple(self.list_legal(state, seat))
        return chance.pick(listed, hidden=True) if listed else None


Asked = Callable[[S], Iterable[Seat | None]]


def _cache_latest(asked: Asked[S]) -> Asked[S]:
    """Return *asked* as a function that remembers its latest answer.

    The same state is asked about at the end of one command, for its decisions, for a legal list or a sample,
    and at the gate of the next. States never change.
    """
    latest: tuple[S | None, tuple[Seat | None, ...]] = (None, ())

    def ask(state: S) -> tuple[Seat | None, ...]:
        nonlocal latest
        known, seats = latest  # both in one, for threads
        if known is not state:
            seats = tuple(asked(state))
            latest = (state, seats)
        return seats

    return ask


@dataclass(frozen=True, kw_only=True, eq=False)
class Step(Generic[S]):
    """One step of the turn: who is asked, which moves there are, and what an absent player does."""

    kind: str
    """A stable word for its decisions, such as ``event_turn``."""
    asked: Asked[S]
    """The seats that still have to decide in this step, in order; None for the server.

    Public, like all of a decision."""
    moves: tuple[Move[S], ...]
    default: Callable[[S, Any], Command]
    """``(state, seat)``: the next command of an absent player; repeated, it always leads on, without any
    draw by the player. For the server: what it does."""
    free: bool = False
    """True where the game does not wait for it: the seats that are asked may answer, and need not."""
    covered: Callable[[S, Seat], bool] = return_false
    """True if the answer of this seat lies covered while others are still asked.

    It may be replaced until the last one is in: the fact of the newer answer undoes that of the older one.
    """
    final: bool = False
    """True where a covered answer stands as it was first given."""
    answered: Callable[[S, Seat], bool] = return_false
    """As :attr:`covered` with :attr:`final`: in versions of titles from before answers could be replaced."""
    choice: Callable[[S, Seat], Iterable[Move[S]]] | None = None
    """The moves of a seat that is asked, where one look tells them all better than each :attr:`Move.may`."""
    listing: Callable[[S, Seat], Iterable[Move[S]]] | None = None
    """The moves of a seat that is asked, in the order of the legal list where that is not :attr:`moves`: as
    cards stand in a hand, say. Moves without any legal command may be left out."""
    legal: Callable[[S, Seat], Iterable[Command]] | None = None
    """``(state, seat)``: the legal commands of all its moves, where their natural order is not that of the
    moves (each answer beside the other, offer by offer)."""
    sample: Callable[[S, Seat, Chance], Command | None] | None = None
    """One legal command of this step at random. Left out: of a move at random, one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "asked", _cache_latest(self.asked))

    def open_moves(self, state: S, seat: Seat) -> Iterable[Move[S]]:
        """Return the moves that a seat that is asked has now, in the order of :attr:`moves`."""
        if self.choice is not None:
            return self.choice(state, seat)
        return [move for move in self.moves if move.may(state, seat)]

    def list_legal(self, state: S, seat: Seat) -> Iterable[Command]:
        """Return the legal commands of a seat that is asked, most natural first."""
        if self.legal is not None:
            return self.legal(state, seat)
        return (command for move in self.list_moves(state, seat) for command in move.list_legal(state, seat))

    def list_moves(self, state: S, seat: Seat) -> Iterable[Move[S]]:
        """Return the moves whose commands make up the legal list of a seat that is asked, in its order."""
        return self.open_moves(state, seat) if self.listing is None else self.listing(state, seat)

    def one(self, state: S, seat: Seat, chance: Chance) -> Command | None:
        """Return one legal command of this step at random, None where there is none."""
        if self.sample is not None:
            return self.sample(state, seat, chance)
        moves = list(self.open_moves(state, seat))
        while moves:
            move = moves.pop(chance.pick(range(len(moves)), hidden=True) if len(moves) > 1 else 0)
            command = move.one(state, seat, chance)
            if command is not None:
                return command
        return None


Steps = Callable[[Any], Sequence[Step[Any]]]
_OpenStep = tuple[Step[S], tuple[Seat | None, ...]]
"""A step that is under way, and who is asked in it."""


def _list_all(step: Step[S], move: Move[S], state: S, seat: Seat) -> Iterable[Command]:
    """Return all legal commands of one kind that a step or its move lists."""
    if step.legal is not None:
        return (command for command in step.legal(state, seat) if type(command) is move.command)
    return (move.command(),) if move.legal is None else move.legal(state, seat)


class Play(Generic[S]):
    """All that follows from a title's steps: deciding, decisions, legal lists, labels, samples, defaults."""

    def __init__(
        self,
        steps: tuple[Step[S], ...],
        *,
        now: Steps | None,
        draft: Callable[[S, Chance], Draft[S]],
        outcome: Callable[[S], object | None],
        ended: Callable[[S], bool] | None,
        follow: Callable[[Any], None],
    ) -> None:
        self._now = now or (lambda _state: steps)
        self._names: dict[tuple[Move[S], ...], tuple[str, ...]] = {}
        self._latest: tuple[S | None, tuple[_OpenStep[S], ...]] = (None, ())
        self._latest_kinds: tuple[S | None, tuple[Decision, ...]] = (None, ())
        self._draft = draft
        self.ended = ended or (lambda state: outcome(state) is not None)
        self._follow = follow
        self.steps = steps
        self._covering = frozenset(
            step for step in steps if step.covered is not return_false and not step.final
        )
        self.moves: dict[type[Command], Move[S]] = {}
        for move in (move for step in steps for move in step.moves):
            self.moves.setdefault(move.command, move)
        self._name = {move: type_name(move.command) for step in steps for move in step.moves}
        self._move = {step: {move.command: move for move in step.moves} for step in steps}
        self._same = {  # the commands of steps that offer everybody the same
            step: tuple(self._name[move] for move in step.moves)
            for step in steps
            if step.choice is None and all(move.may is return_true for move in step.moves)
        }

    def decide(self, state: S, seat: Seat | None, command: Command, chance: Chance) -> Draft[S]:
        """Return the facts of *command*. Checks come in order: command, running game, seat, decision, rules.

        Raises :class:`Rejected`; total: any well-typed command of any seat is answered in any state.
        """
        kind = type(command)
        move = self.moves.get(kind)
        if move is None:
            raise Rejected(UNKNOWN_COMMAND, "This title has no such command. Use one that a decision names.")
        if self.ended(state):
            raise Rejected(GAME_NOT_RUNNING, "The game has ended. Read its result, or begin a new game.")
        if kind.house != (seat is None):
            giver = "the server" if kind.house else "a player"
            told = f"Only {giver} can give this command. Give one that a decision names."
            raise Rejected(NOT_YOUR_DECISION, told)
        if seat is not None and not 0 <= seat < state.seats:
            raise Rejected(NOT_YOUR_DECISION, "Only players of this game decide in it. Take a seat first.")
        if not move.own_words:
            move = self._move_of(state, seat, kind)
        draft = self._draft(state, chance)
        try:
            move.take(draft, seat, command)
            self._follow(draft)
        except GameOver:
            pass
        return draft

    def _move_of(self, state: S, seat: Seat | None, kind: type[Command]) -> Move[S]:
        """Return the move by which *seat*, which is asked it now, gives a command of this kind."""
        for opened in (self._steps_awaited, self._steps_under_way, self._steps_covered):
            for step, seats in opened(state):
                move = self._move[step].get(kind) if seat in seats else None
                if move is not None:
                    return move
        if seat is not None and self._has_answered(state, seat, kind):
            raise Rejected(ALREADY_ANSWERED, "You have already answered. Wait for the other players.")
        raise Rejected(NOT_YOUR_DECISION, self._advice(state, seat))

    def _has_answered(self, state: S, seat: Seat, kind: type[Command]) -> bool:
        """Return True if *seat* has given such an answer, for good, while others are still asked."""
        return any(
            kind in self._move[step] and (step.answered(state, seat) or step.covered(state, seat))
            for step in self._now(state)
        )

    def _advice(self, state: S, seat: Seat | None) -> str:
        """Return advice, in words, for a seat that asks for the wrong thing."""
        mine = [name for d in self.decisions(state) if d.seat == seat for name in d.commands]
        if mine:
            return f"This is not your decision now. Give one of: {' or '.join(mine)}."
        return "The game does not wait for you now. Wait for your turn."

    def decisions(self, state: S) -> tuple[Decision, ...]:
        """Return everything that the game now waits for, then what seats may do freely."""
        return self._open_decisions(self._steps_under_way(state), state)

    def awaited(self, state: S) -> tuple[Decision, ...]:
        """Return the decisions without which the game does not go on."""
        return self._open_decisions(self._steps_awaited(state), state)

    def list_awaited_kinds(self, state: S) -> tuple[Decision, ...]:
        """Return the same without the commands of each, which take most of the time: remembered as well."""
        known, found = self._latest_kinds
        if known is not state:
            found = tuple(
                [
                    Decision(seat, step.kind, ())
                    for step, seats in self._steps_awaited(state)
                    for seat in seats
                ]
            )
            self._latest_kinds = (state, found)
        return found

    def list_awaited_seats(self, state: S) -> tuple[Seat | None, ...]:
        """Return the seats without whose decisions the game does not go on, None for the server; cheaper."""
        return tuple([seat for _, seats in self._steps_awaited(state) for seat in seats])

    def replaceable(self, state: S) -> tuple[Decision, ...]:
        """Return the decisions of seats whose covered answers may be replaced: nobody waits for them."""
        return self._open_decisions(self._steps_covered(state), state)

    def _steps_covered(self, state: S) -> tuple[_OpenStep[S], ...]:
        """Return the steps with covered answers that may be replaced, with the seats that gave them."""
        if not self._covering:
            return ()
        found = []
        for step, asked in self._steps_awaited(state):
            if step in self._covering:
                seats = tuple(
                    [seat for seat in range(state.seats) if seat not in asked and step.covered(state, seat)]
                )
                if seats:
                    found.append((step, seats))
        return tuple(found)

    def _steps_awaited(self, state: S) -> tuple[_OpenStep[S], ...]:
        """Return the steps that the game waits for, with whom they ask: remembered for the latest state."""
        known, found = self._latest  # both in one, for threads
        if known is not state:
            found = tuple(
                [
                    (step, tuple(seats))
                    for step in self._now(state)
                    if not step.free and (seats := step.asked(state))
                ]
            )
            self._latest = (state, found)
        return found

    def _steps_under_way(self, state: S) -> tuple[_OpenStep[S], ...]:
        """Return the steps that ask a seat now, with whom they ask: those that the game waits for first."""
        free = [step for step in self._now(state) if step.free]
        return self._steps_awaited(state) + tuple([(step, tuple(step.asked(state))) for step in free])

    def _open_decisions(self, steps: tuple[_OpenStep[S], ...], state: S) -> tuple[Decision, ...]:
        made = []
        for step, seats in steps:
            kind, free, same = step.kind, step.free, self._same.get(step)
            for seat in seats:
                names = same or self._names_of(step, state, seat)
                made.append(Decision(seat, kind, names, free))
        return tuple(made)

    def _names_of(self, step: Step[S], state: S, seat: Seat | None) -> tuple[str, ...]:
        moves = step.moves if seat is None else tuple(step.open_moves(state, seat))
        names = self._names.get(moves)
        if names is None:
            names = self._names[moves] = tuple(self._name[move] for move in moves)
        return names

    def _steps_of(self, state: S, seat: Seat) -> list[Step[S]]:
        """Return the steps in which *seat* is asked now."""
        return [step for step, seats in self._steps_under_way(state) if seat in seats]

    def commands_open(self, state: S, seat: Seat) -> dict[type[Command], Callable[[], Iterable[Command]]]:
        """Return the kinds of command that *seat* may give now, each with its legal commands.

        These are all that there is a list of, not cut at :attr:`Move.most`.
        """
        found: dict[type[Command], Callable[[], Iterable[Command]]] = {}
        for step in self._steps_of(state, seat):
            for move in step.list_moves(state, seat):
                found.setdefault(move.command, partial(_list_all, step, move, state, seat))
        return found

    def default(self, state: S, decision: Decision) -> Command:
        """Return the next command of an absent player; for the server, what it does.

        Raises ValueError for a decision that is not open.
        """
        for step, seats in self._steps_under_way(state):
            if step.kind == decision.kind and decision.seat in seats:
                return step.default(state, decision.seat)
        raise ValueError(f"{decision.kind} is not asked of seat {decision.seat} now")

    def legal(self, state: S, seat: Seat) -> Iterator[Command]:
        """Legal commands of this seat, most natural first, in a stable order."""
        for step in self._steps_of(state, seat):
            yield from step.list_legal(state, seat)

    def replacements(self, state: S, seat: Seat) -> Iterator[Command]:
        """Legal commands by which this seat may replace its covered answer, most natural first."""
        for step, seats in self._steps_covered(state):
            if seat in seats:
                yield from step.list_legal(state, seat)

    def replacements_complete(self, state: S, seat: Seat) -> bool:
        """Return True if `replacements` lists every command that may take the place of this seat's answer."""
        return all(
            move.is_listed_whole(state, seat)
            for step, seats in self._steps_covered(state)
            if seat in seats
            for move in step.list_moves(state, seat)
        )

    def complete(self, state: S, seat: Seat) -> bool:
        """Return True if `legal` lists every legal command of this seat now."""
        return all(
            move.is_listed_whole(state, seat)
            for step in self._steps_of(state, seat)
            for move in step.list_moves(state, seat)
        )

    def sample(self, state: S, seat: Seat, chance: Chance) -> Command | None:
        """Return a random legal command, of an awaited decision if there is one; None for a seat without."""
        for step, seats in self._steps_awaited(state):
            if seat in seats:
                command = step.one(state, seat, chance)
                if command is not None:
                    return command
        free = (step for step in self._steps_of(state, seat) if step.free)
        return next((given for step in free if (given := step.one(state, seat, chance)) is not None), None)

    def label(self, state: S, seat: Seat, command: Command) -> str:
        """Return the text on the button of this command."""
        label = self.moves[type(command)].label
        return label if isinstance(label, str) else label(state, seat, command)
