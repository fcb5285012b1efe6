"""Tournaments recorded without servers: the core decides, records are sealed as the service seals them."""

from __future__ import annotations

import hashlib
import itertools
import random

from events.base.timestamps import add_milliseconds
from events.proof.randomness import ReverseChain, Secrets, seat_commitment
from events.rules.catalogue import find_title
from events.store.stream_writer import _uuid
from events.store.tournaments import make_inputs
from events.table.creation import PUBLIC_DRAWS
from events.table.game import initial_game
from events.table.lifecycle_facts import PROTOCOL, TableBegun
from events.table.record import BatchCause, canonical_command, seal_facts
from events.tournament import commands as asks
from events.tournament import settings as terms
from events.tournament.command_rules import decide, open_tournament
from events.tournament.draft import DecisionInputs
from events.tournament.folding import fold
from events.tournament.schedule import due_commands
from events.tournament.state import DRAWS, VERSION, entrant_name, initial_tournament
from events.tournament.table_games import make_table_game, open_table_game

BEGAN = "2026-03-01T12:00:00.000000Z"
MINUTE = 60_000
SIXTEEN = {
    "title": "colonial_empires",
    "table": {"size": 4, "least": 3},
    "stages": [{"format": "swiss_pods", "rounds": 4, "look_ahead": True}],
    "points": {"4": [5, 3, 2, 1], "3": [5, 3, 1]},
    "schedule": {"starts_at": BEGAN},
    "protest_ms": MINUTE,
}
DUELS = {
    "title": "example",
    "table": {"size": 2, "least": 2},
    "stages": [{"format": "swiss_pods", "rounds": 2}],
    "schedule": {"starts_at": BEGAN},
    "tie_breaks": ["wins", "opponents_average", "lot"],
    "protest_ms": 0,
}


def bytes_of(*words) -> bytes:
    """32 bytes that follow from *words*."""
    return hashlib.sha256(repr(words).encode()).digest()


def contribution(number: int) -> bytes:
    """What an entrant of these tournaments contributes."""
    return bytes_of("contribution", number)


def opening_of(recorded, one, table):
    """The records of the creation of a table's game, and its beginning without the title's set-up."""
    wanted = make_table_game(recorded.state, recorded.secrets.tables, one, table)
    secrets, game = wanted.tied.secrets, initial_game(wanted.game)
    commitments = secrets.commitments(wanted.tied.key, PUBLIC_DRAWS)
    batch = open_table_game(wanted, commitments, [None] * len(table.entrants), "rutter.example/log")
    records = []
    for facts in (batch.facts, [TableBegun(wanted.tied.mixed.hex(), ())]):
        cause = BatchCause(one.started_at, None, _uuid(4, bytes_of("cmd", wanted.game, len(records))[:16]))
        records += seal_facts(
            facts,
            cause,
            game_id=wanted.game,
            version=wanted.version if records else PROTOCOL,
            seq=len(records),
            head=records[-1].hash if records else game.head,
            secrets=secrets,
        )
    return tuple(records)


class Recorded:
    """A tournament on its way, with its records, its time and results that follow from a seed."""

    def __init__(self, settings=None, seed=0, **changes) -> None:
        given = {**(settings or SIXTEEN), **changes}
        self.random = random.Random(seed)
        self.id = _uuid(7, bytes_of("id", seed)[:16])
        self.secrets = Secrets(
            *(bytes_of(name, seed) for name in ("anchor", "deal", "hide", "bot", "tables"))
        )
        self.state = initial_tournament(self.id)
        self.chain = ReverseChain(self.secrets.anchor, self.state.key, DRAWS)
        self.at = BEGAN
        self.records = []
        self._ids = (_uuid(7, bytes_of("game", seed, n)[:16]) for n in itertools.count())
        wanted = terms.parse_settings(given)
        title = find_title(wanted.title)
        batch = open_tournament(
            wanted, title, self.secrets.commitments(self.state.key, DRAWS), "rutter.example/log"
        )
        self._append(batch, None, None)

    @property
    def means(self) -> DecisionInputs:
        """What decisions need."""
        return make_inputs(self.secrets, self.chain, lambda: next(self._ids))

    def _append(self, batch, actor, command) -> None:
        cmd = _uuid(4, bytes_of("cmd", self.id, len(self.records))[:16])
        self.records += seal_facts(
            batch.facts,
            BatchCause(self.at, actor, cmd, command),
            game_id=self.id,
            version=VERSION if self.state.seq else PROTOCOL,
            seq=self.state.seq,
            head=self.state.head,
            secrets=self.secrets,
        )
        self.state = fold(self.state, self.records[self.state.seq :])

    def give(self, actor, command):
        """*command* of *actor* now; the state after it. Raises Rejected."""
        command = canonical_command(command)
        batch = decide(self.state, actor, command, self.at, self.means)
        self._append(batch, actor, command)
        return self.state

    def wait(self, milliseconds) -> None:
        """So much time passes."""
        self.at = add_milliseconds(self.at, milliseconds)

    def enter(self, count, *, contributing=()):
        """So many enter; some commit to contributions."""
        for _ in range(count):
            number = len(self.state.entrants) + 1
            commitment = None
            if number in contributing:
                name = entrant_name(number)
                commitment = seat_commitment(self.state.key, name, contribution(number)).hex()
            self.give(entrant_name(number), asks.Enter(commitment))

    def begin(self, entrants=16, contributing=(), until=None):
        """Entry, from its opening to its close, and the randomness."""
        self.give("d1", asks.OpenEntry())
        self.enter(entrants, contributing=contributing)
        self.give("d1", asks.CloseEntry())
        for number in contributing:
            self.give(entrant_name(number), asks.Reveal(contribution(number).hex()))
        return self.house(until)

    def house(self, until=None, *, most=200):
        """The server does what is due, waiting for what lies ahead, until it waits for games or *until*."""
        for _ in range(most):
            steps = due_commands(self.state)
            if not steps or (until is not None and type(steps[0][1]) is until):
                break
            when, command = steps[0]
            self.at = max(self.at, when)
            self.give(None, command)
        return self.state

    def play(self, *, left=None, places=None):
        """The games of all tables end, with random scores unless *places* says by (round, table)."""
        for played in self.state.rounds:
            if not played.is_running:
                continue
            for table in played.tables:
                if table.result is None:
                    self.end(
                        played.number, table.number, (places or {}).get((played.number, table.number)), left
                    )

    def link(self, round_number, number):
        """The game of a table is there."""
        one = self.state.rounds[round_number - 1]
        table = one.tables[number - 1]
        head = opening_of(self, one, table)[0].hash.hex()
        self.give(None, asks.LinkTable(number, table.game, head, round_number))

    def end(self, round_number, number, places=None, left=None):
        """The game of a table ends."""
        if self.state.rounds[round_number - 1].tables[number - 1].head is None:
            self.link(round_number, number)
        table = self.state.rounds[round_number - 1].tables[number - 1]
        size = len(table.entrants)
        scores = tuple(self.random.randrange(60) for _ in range(size))
        if places is None:
            places = tuple(1 + sum(other > score for other in scores) for score in scores)
        gone = (left or {}).get((round_number, number), (None,) * size)
        self.give(
            None,
            asks.RecordResult(
                number,
                table.game,
                100,
                bytes_of("end", table.game).hex(),
                tuple(places),
                scores,
                gone,
                round_number,
            ),
        )

    def whole(self, entrants=16, contributing=(1, 2, 3)):
        """The whole tournament, to its end."""
        self.begin(entrants, contributing)
        return self.finish()

    def finish(self, *unplayed):
        """Play on to the end, but for the tables *unplayed*, each named by its round and number."""
        for _ in range(100):
            self.house()
            if self.state.over:
                return self
            for one in self.state.rounds:
                for table in one.tables if one.is_running else ():
                    if table.result is None and (one.number, table.number) not in unplayed:
                        self.end(one.number, table.number)
        raise AssertionError(f"no end after round {len(self.state.rounds)}")
