"""Games before their first decision: they are made, people take seats, and the server opens them."""

from __future__ import annotations

import uuid
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from events.base.timestamps import add_milliseconds
from events.proof.randomness import ReverseChain, Secrets, Seed
from events.rules.bot_names import BotVersion
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.rules.title import Title
from events.store import entropy
from events.store.event_log import DuplicateCommand, EventLog, VersionConflict
from events.store.stream_writer import (
    Appended,
    CommandResult,
    StreamWriter,
    WriteRequest,
    new_command_id,
    new_id,
)
from events.table import clock_updates, commit_reveal, creation
from events.table.commands import expiry
from events.table.engine import Batch, fold
from events.table.game import Game, initial_game
from events.table.record import BatchCause, Record
from events.table.terms import SeatOccupant, Terms, settle_terms
from events.table.tournament_link import TournamentSeed


class GameCommandResult(CommandResult[Game], frozen=True):
    """A command that was appended: its events, and the game after them."""

    @property
    def game(self) -> Game:
        """The game after them."""
        return self.after


class SeatPlan(msgspec.Struct, frozen=True):
    """The planned occupant of one seat of a new game."""

    bot: str | None = None
    taken: bool = True
    """False for an open seat."""
    commitment: str | None = None
    """The commitment to a contribution to the randomness."""
    key: str | None = None
    """The public key (hex) that is to sign the seat's commands."""


Guard = Callable[[Game], None]
"""A check on the very state that is decided on.

It refuses those who may not act there, whatever held when they were looked up."""
FindTitleBot = Callable[[Title[Any], str], BotVersion]
"""``(title, name)``: the version in which a bot of that name takes a seat.

Raises :class:`events.rules.bot_names.UnknownBot`.
"""
IdentityRecorder = Callable[[], Mapping[Seat, str]]
"""Writes down who holds the seats of a new game; by seat the ``who`` that the log is to tell of each."""


def allow_all(_game: Game) -> None:
    """Allow everybody: the caller has settled who acts, and nothing can change it."""


def no_identities() -> Mapping[Seat, str]:
    """Return no identities: the log tells nothing of the account that takes a seat."""
    return {}


def generate_secrets(game_id: str) -> Secrets:
    """Draw the keys of a new game."""
    return Secrets(*(entropy.draw(f"{game_id}/{name}") for name in ("anchor", "deal", "hide", "bot")))


class NewGames(StreamWriter[Game, GameCommandResult]):
    """The one way in which games are made and opened."""

    def __init__(
        self,
        log: EventLog,
        now: Callable[[], str],
        appended: Appended,
        origin: Callable[[], str],
        find_bot: FindTitleBot,
    ) -> None:
        super().__init__(log, now, appended)
        self._origin = origin
        self._find_bot = find_bot

    @property
    def origin(self) -> str:
        """The name under which the server signs; every game names it. Raises ReadOnly without one."""
        return self.retry_on_disconnect(self._origin)

    @abstractmethod
    def load(self, game_id: str, at: int | None = None) -> Game:
        """Return the game after event *at* (default: the newest). Raises UnknownGame, NoSuchEvent."""

    @abstractmethod
    def records(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*, whole: redact with :meth:`Record.redact_for` before showing them."""

    # --- making ----------------------------------------------------------------------------------

    def create(
        self,
        title: Title[Any],
        options: Any,
        seats: Sequence[SeatPlan],
        *,
        game_id: str | None = None,
        command_id: str | None = None,
        terms: Terms = Terms(),  # noqa: B008 - a value that nobody can change
        seated: IdentityRecorder = no_identities,
        seed: Seed | None = None,
        position: dict[str, Any] | None = None,
        origin: dict[str, Any] | None = None,
        waits_ms: int = expiry.OPEN_TABLE_MS,
        tied: TournamentSeed | None = None,
    ) -> Game:
        """Make a game; it begins at once where no seat is open and nobody contributes to its randomness.

        *options* is the title's own type. A *seed*, a *position* or an *origin* makes it an analysis game;
        not so a *tied* one, a game of a tournament, from which its secrets derive: there nobody commits.
        *waits_ms*: how long it waits for people, where the terms do not say until when.
        *command_id*: of the first batch. *seated* is called when the rules have agreed, before the log is
        written, for what must stand before it. Raises :class:`Rejected` for options, terms or positions that
        are refused, :class:`VersionConflict` where a game of that id is there.
        """
        game_id = game_id or new_id()
        if len(seats) not in title.seats:
            least, most = title.seats[0], title.seats[-1]
            raise Rejected(
                "invalid_options",
                f"{title.name} does not have this number of seats. Choose {least} to {most} seats.",
            )
        title.check_options(len(seats), options)
        planned = [_make_occupant(plan, None) for plan in seats]
        settle_terms(terms, planned, title.bots, seeded=seed is not None)
        terms = self._with_expiry(terms, game_id, waits_ms)
        key, keys = _key_and_secrets(game_id, seed, tied)
        who = seated()
        made = creation.create_game(
            title,
            key,
            msgspec.to_builtins(options, str_keys=True),
            [_make_occupant(plan, who.get(seat)) for seat, plan in enumerate(seats)],
            keys.commitments(key, creation.PUBLIC_DRAWS),
            service=self.origin,
            wanted=terms,
            position=position,
            origin=origin,
            seeded=seed is not None,
            tied=None if tied is None else (tied.at, tied.rated),
            find_bot=partial(self._find_bot, title),
        )
        game = initial_game(game_id)
        cause = BatchCause(self.next_time(game), None, command_id or new_command_id())
        records = self.seal_batch(game, made, cause, keys)
        game = fold(game, records)
        while commit_reveal.is_due(game, self.next_time(game)):
            records += self._opening_records(game, keys, None if tied is None else tied.mixed)
            game = fold(game, records[game.seq :])
        try:
            self.retry_on_disconnect(
                lambda: self.log.append(game_id, records, keys, keyed=command_id is not None)
            )
        except (VersionConflict, DuplicateCommand):
            if self.records(game_id, 0, 1)[0].hash != records[0].hash:
                raise VersionConflict from None
            # It was appended at the first attempt, and only the answer was lost.
        self.publish(game)
        return game

    def _with_expiry(self, terms: Terms, game_id: str, waits_ms: int) -> Terms:
        """*terms* with the time until which the table waits for people. Raises :class:`Rejected`."""
        at = self.next_time(initial_game(game_id))
        if terms.expires_at is None:
            return msgspec.structs.replace(terms, expires_at=add_milliseconds(at, waits_ms))
        if terms.expires_at < add_milliseconds(at, expiry.MIN_EXPIRY_MS):
            raise Rejected(
                "invalid_terms", "`expires_at` is too early. Send a time at least five seconds from now."
            )
        return terms

    def _opening_records(self, game: Game, keys: Secrets, mixed: bytes | None) -> list[Record]:
        """Return the events of what the server does with a new game for which nobody is awaited."""
        at = self.next_time(game)
        chain = ReverseChain(keys.anchor, game.key, game.draws)
        batch = commit_reveal.decide_next(game, at, keys, chain, mixed=mixed)
        note = clock_updates.make_clock_note(game, None, None, batch, at)
        return self.seal_batch(
            game, batch, BatchCause(at, None, new_command_id(), draws=batch.draws, clock=note), keys
        )

    def fork(
        self,
        game_id: str,
        at: int | None,
        mine: Sequence[Seat],
        seats: Sequence[SeatPlan],
        seed: Seed,
        *,
        new_game_id: str | None = None,
        command_id: str | None = None,
        seated: IdentityRecorder = no_identities,
        ended: bool = True,
    ) -> Game:
        """Make an analysis game from event *at*: whole if the game has ended, else as *mine* may know it.

        Not *ended* if the account that forks it may not know yet that it has.

        From a running game each hidden part is drawn again for the lowest of my seats (a spectator gets
        what seat 0 could imagine with nothing of its own: refused), so that nothing is learnt.
        """
        now = self.load(game_id)
        game = now if at is None else self.load_whole_command(game_id, at)
        if game.state is None:
            raise Rejected(
                "game_not_running", "The game had not begun at this event. Fork from a later event."
            )
        state = game.state
        if not (ended and now.has_ended):
            if not mine:
                raise Rejected(
                    "not_a_player", "Only its players may fork a running game. Wait until the game has ended."
                )
            state = game.title.imagine(state, mine[0], FastChance(seed.derive("fork")))
        return self.create(
            game.title,
            game.get_typed_options(),
            seats,
            game_id=new_game_id,
            command_id=command_id,
            seated=seated,
            seed=seed,
            position=game.title.position(state),
            origin={"game": game_id, "seq": game.seq},
            terms=Terms(undo="own"),
        )

    def load_whole_command(self, game_id: str, at: int) -> Game:
        """The game after the whole command to which event *at* belongs. Raises UnknownGame, NoSuchEvent."""
        game = self.load(game_id, at)
        records = self.records(game_id, at - 1, 1000)
        same = [r for r in records if r.command_id == records[0].command_id]
        return fold(game, same[1:])

    # --- opening ---------------------------------------------------------------------------------

    def take_seat(
        self,
        game_id: str,
        seat: Seat,
        commitment: str | None = None,
        *,
        key: str | None = None,
        who: str | None = None,
        command_id: str | None = None,
        allowed: Guard = allow_all,
    ) -> GameCommandResult:
        """Let an account take an open seat. *command_id*: its claim to the seat.

        *key* (hex) signs its commands, *who* is the salted digest of the account.
        """

        def decide(game: Game, _at: str) -> Batch:
            allowed(game)
            return commit_reveal.take_seat(game, seat, commitment, key, who)

        return self.write(
            WriteRequest(
                stream=game_id,
                actor=seat,
                decide=decide,
                command_id=command_id,
                said={"commitment": commitment, "key": key},
            )
        )

    def reveal(
        self, game_id: str, seat: Seat, contribution: str, *, command_id: str | None = None
    ) -> GameCommandResult:
        """Let a seat open its contribution to the randomness (hex)."""
        return self.write(
            WriteRequest(
                stream=game_id,
                actor=seat,
                decide=lambda game, _at: commit_reveal.reveal(game, seat, contribution),
                command_id=command_id,
                said={"contribution": contribution},
            )
        )

    def reveal_director(
        self, game_id: str, contribution: str, *, command_id: str | None = None
    ) -> GameCommandResult:
        """Open the director's contribution to the randomness (hex)."""
        return self.write(
            WriteRequest(
                stream=game_id,
                actor=None,
                decide=lambda game, _at: commit_reveal.reveal_director(game, contribution),
                command_id=command_id,
                said={"contribution": contribution},
            )
        )

    def draw_beacon(self, game_id: str, number: int, signature: str) -> GameCommandResult:
        """Record the round *number* of the beacon, by its signature (hex)."""

        def draw(game: Game, at: str) -> Batch:
            if commit_reveal.find_awaited_round(game) != number:
                raise Rejected(
                    "nothing_to_draw",
                    f"This game does not wait for round {number}. Nothing needs to be done.",
                )
            return commit_reveal.draw_beacon(game, at, signature)

        return self.write(WriteRequest(stream=game_id, actor=None, decide=draw))

    def begin(self, game_id: str, *, command_id: str | None = None) -> GameCommandResult:
        """Do the next that leads to the beginning of a game, asked by a player of its table."""
        return self._advance_by_server(game_id, asked=True, command_id=command_id)

    def advance_opening(self, game: Game) -> Game:
        """*game* after all that the server does by itself before it begins, and nobody is awaited for."""
        while commit_reveal.is_due(game, self.next_time(game)):
            before = game.seq
            try:
                game = self._advance_by_server(game.id, asked=False).game
            except Rejected:
                game = self.load(game.id)
                if game.seq == before:  # else another process was quicker
                    raise
        return game

    def _advance_by_server(
        self, game_id: str, *, asked: bool, command_id: str | None = None
    ) -> GameCommandResult:
        return self.write(
            WriteRequest(
                stream=game_id,
                actor=None,
                decide=lambda game, at: commit_reveal.decide_next(game, at, *self.keys(game), asked=asked),
                command_id=command_id,
            )
        )


def _key_and_secrets(game_id: str, seed: Seed | None, tied: TournamentSeed | None) -> tuple[bytes, Secrets]:
    """Return the key that stands for a new game in its randomness, and its secrets."""
    if tied is not None:
        return tied.key, tied.secrets
    if seed is not None:
        return seed.key(), seed.secrets()
    return uuid.UUID(game_id).bytes, generate_secrets(game_id)


def _make_occupant(plan: SeatPlan, who: str | None) -> SeatOccupant | None:
    return SeatOccupant(plan.bot, who, plan.key, plan.commitment) if plan.taken else None
