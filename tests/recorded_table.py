"""A table recorded without servers: by the rules, or by a forger who has all keys and keeps to no rule."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import msgspec

from events.proof.randomness import ReverseChain, Seed, seat_commitment
from events.rules.bot_names import BotVersion
from events.rules.catalogue import find_title
from events.rules.fact import Fact
from events.rules.fast_chance import FastChance
from events.store.games import new_id
from events.table import bundle, clock_updates, commit_reveal, creation, engine
from events.table.commands import command_rules
from events.table.engine import Batch
from events.table.game import initial_game
from events.table.record import Actor, BatchCause
from events.table.terms import SeatOccupant, Terms
from events.tlog.notes import SigningKey
from events.verify import Report, verify
from tests.batches import Recording
from tests.clock import Clock
from workers.bots import find_bot_version

ORIGIN = "rutter.example/log"
SIGNER = SigningKey(ORIGIN, b"desk".ljust(32, b"."))
GIFTS = [bytes([n + 1]) * 32 for n in range(4)]
"""What the seats contribute."""


class RecordedTable(Recording):
    """One game and its clock. What *opened* says of its seats is made with :meth:`sits` and None."""

    def __init__(
        self, *seats: SeatOccupant | None, game_id: str | None = None, title: str = "example", **terms: Any
    ) -> None:
        super().__init__()
        self.clock = Clock()
        self.title = find_title(title)
        self.game = initial_game(game_id or new_id())
        self.key = uuid.UUID(self.game.id).bytes
        self.secrets = Seed(b"desk", bytes(16)).secrets()
        self.chain = ReverseChain(self.secrets.anchor, self.key, creation.PUBLIC_DRAWS)
        if seats:
            self.open(seats, Terms(**terms))

    def open(self, seats: Sequence[SeatOccupant | None], terms: Terms) -> None:
        """Record the creation."""
        commitments = self.secrets.commitments(self.key, creation.PUBLIC_DRAWS)
        options = msgspec.to_builtins(self.title.Options(), str_keys=True)
        self.do(
            creation.create_game(
                self.title,
                self.key,
                options,
                seats,
                commitments,
                service=ORIGIN,
                wanted=terms,
                find_bot=self.find_bot,
            ),
            None,
        )

    def find_bot(self, name: str) -> BotVersion:
        """The version in which a bot sits down."""
        return find_bot_version(self.title, name)

    def commitment(self, seat: int) -> str:
        """To what this seat contributes."""
        return seat_commitment(self.key, f"p{seat}", GIFTS[seat]).hex()

    def do(self, batch: Batch, by: Actor, command: Any = None) -> None:
        """Record what was decided."""
        note = clock_updates.make_clock_note(self.game, by, command, batch, self.clock())
        self.forge(*batch.facts, by=by, draws=batch.draws, command=command, clock=note)

    def command(self, seat: int | None, command: Any) -> None:
        """A command of the title."""
        self.do(self.decided(seat, command), seat, command)

    def decided(self, seat: int | None, command: Any) -> Batch:
        """What a command of the title leads to."""
        return engine.decide(self.game, seat, command, self.secrets, self.chain)

    def rule(self, actor: Actor, command: Any) -> None:
        """A command of the table."""
        keys = (self.secrets, self.chain)
        batch = command_rules.decide(self.game, actor, command, self.clock(), keys, self.find_bot)
        self.do(batch, actor, command)

    def forge(self, *facts: Fact, by: Actor = None, **cause: Any) -> None:
        """Record facts, no matter who decided them."""
        given = {key: value for key, value in cause.items() if value is not None}
        self.record(facts, BatchCause(self.clock(), by, str(uuid.uuid4()), **given))

    def take(self, seat: int, **more: Any) -> None:
        """A seat is taken, with a commitment."""
        self.do(commit_reveal.take_seat(self.game, seat, self.commitment(seat), **more), seat)

    def reveal(self, seat: int) -> None:
        """A seat reveals what it committed to."""
        self.do(commit_reveal.reveal(self.game, seat, GIFTS[seat].hex()), seat)

    def house(self, *, asked: bool = False) -> None:
        """The next that the server does."""
        self.do(
            commit_reveal.decide_next(self.game, self.clock(), self.secrets, self.chain, asked=asked), None
        )

    def play(self) -> None:
        """To the end, at random."""
        chance = FastChance(1)
        while not self.game.has_ended:
            decision = self.title.awaited(self.game.state)[0]
            if decision.seat is None:
                command = self.title.default(self.game.state, decision)
            else:
                command = self.title.sample(self.game.state, decision.seat, chance)
            assert command is not None
            self.command(decision.seat, command)

    def verdict(self) -> Report:
        """What `rutter verify` says of the whole bundle. Raises BadBundle."""
        return verify(bundle.write_lines(self.game, self.records, None, SIGNER), key=SIGNER.verifier)
