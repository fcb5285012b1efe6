"""A table with people at it who give commands of the table, decided and recorded without servers."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from events.clocks import clock as clocks
from events.clocks.absence_policy import Absence
from events.rules.fast_chance import FastChance
from events.rules.steps import Command, Rejected
from events.table import bundle, clock_updates, commit_reveal, engine
from events.table.commands import command_rules
from events.table.record import Actor, Record, canonical_command
from events.table.terms import SeatOccupant, Terms
from events.verify import Report, verify
from tests.recorded_table import SIGNER, RecordedTable
from workers import bots as thinking


class Seated(RecordedTable):
    """So many people and *bots* sit at a table, save at its *open_seats*; without those the game has begun.

    With *commit* they have committed to contributions, and the table waits for their reveals. What is settled
    besides (`absence`, `directors`, ...) are its terms.
    """

    def __init__(
        self,
        people: int,
        *,
        bots: int = 0,
        open_seats: Iterable[int] = (),
        commit: bool = False,
        title: str = "colonial_empires",
        absence: dict[str, Any] | None = None,
        clock: dict[str, Any] | None = None,
        game_id: str | None = None,
        **settled: Any,
    ) -> None:
        super().__init__(title=title, game_id=game_id)
        settled["absence"] = absence and msgspec.convert(absence, Absence)
        settled["clock"] = clocks.parse_settings(clock)
        left_open = set(open_seats)
        sits = [
            None
            if n in left_open
            else SeatOccupant(who=self.who(n), commitment=self.commitment(n) if commit else None)
            for n in range(people)
        ]
        terms = msgspec.convert(settled, Terms)
        self.open([*sits, *[SeatOccupant(bot="random")] * bots], terms)
        if not left_open and not commit:
            self.begin()

    @property
    def at(self) -> str:
        """Now."""
        return self.clock()

    @staticmethod
    def who(number: int) -> str:
        """What the log calls one of the people."""
        return base64.b64encode(bytes([number + 1]) * 32).decode()

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.wait(seconds)

    def begin(self) -> None:
        """The server begins the game."""
        self.do(commit_reveal.begin(self.game, self.at, self.secrets, self.chain), None)

    def sit(self, seat: int) -> None:
        """Somebody takes an open seat."""
        wanted = self.commitment(seat) if any(sits.commitment for sits in self.game.seats) else None
        self.do(commit_reveal.take_seat(self.game, seat, wanted, None, self.who(seat)), seat)

    def give(self, actor: Actor, command: Command) -> None:
        """A command of the table is decided and recorded, a second after what was before."""
        self.wait(1)
        command = canonical_command(command)
        keys = (self.secrets, self.chain)
        batch = command_rules.decide(self.game, actor, command, self.at, keys, self.find_bot)
        self.do(batch, actor, command)

    def newest(self) -> list[Record]:
        """The events of the newest batch."""
        return [record for record in self.records if record.command_id == self.records[-1].command_id]

    def data(self, index: int) -> dict[str, Any]:
        """What an event says."""
        told: dict[str, Any] = msgspec.json.decode(self.records[index].envelope().data)
        return told

    def play(self, moves: int = 10_000) -> None:
        """Bots think, people move at random, the server does its part, so often or until the end."""
        chance = FastChance(7)
        while self.game.status == "running" and self.game.paused is None and moves:
            moves -= 1
            self.wait(1)
            title, state = self.title, self.game.state
            decision = title.awaited(state)[0]
            seat, run = decision.seat, None
            if seat is None:
                command = title.default(state, decision)
            elif self.game.seats[seat].bot is not None:
                run = thinking.bot_run(self.game, seat, self.secrets)
                command = thinking.think(self.game, seat, run)
            else:
                command = title.sample(state, seat, chance)
            command = canonical_command(command)
            batch = engine.decide(self.game, seat, command, self.secrets, self.chain)
            note = clock_updates.make_clock_note(self.game, seat, command, batch, self.at)
            self.forge(*batch.facts, by=seat, draws=batch.draws, command=command, bot=run, clock=note)

    def verdict(self, seat: int | None = None, *, partial: bool = False) -> Report:
        """What `rutter verify` says of the bundle. Raises BadBundle."""
        lines = bundle.write_lines(self.game, self.records, seat, SIGNER)
        return verify(lines, key=SIGNER.verifier, partial=partial)


def refused(table: Seated, actor: Actor, command: Command) -> str:
    """The code with which a command of the table is refused."""
    keys, given = (table.secrets, table.chain), canonical_command(command)
    with pytest.raises(Rejected) as told:
        command_rules.decide(table.game, actor, given, table.at, keys, table.find_bot)
    assert told.value.detail.strip()
    return told.value.code


__all__ = ["Seated", "refused"]
