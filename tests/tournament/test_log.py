"""Tournaments in the log of a real Postgres: the same table, chain, sequencer and idempotency as games."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from events.proof.randomness import seat_commitment
from events.rules.catalogue import find_title
from events.rules.steps import Rejected
from events.store.event_log import EventLog, VersionConflict
from events.store.games import NoSuchEvent, SeatPlan, UnknownGame
from events.store.stream_writer import ReusedKey, StaleVersion
from events.store.tournaments import Tournaments, UnknownTournament
from events.table import bundle
from events.table.record import Record
from events.tlog.notes import SigningKey
from events.tournament import commands as asks
from events.tournament import table_games
from events.tournament.folding import fold
from events.tournament.outcomes import result_command, summarize_game
from events.tournament.schedule import due_commands
from events.tournament.state import initial_tournament
from events.verify import BadBundle
from events.verify import verify as verify_game
from events.verify.tournaments.verification import verify_tournament
from tests.playing import advance
from tests.tournament.recording import DUELS, SIXTEEN, contribution

pytestmark = pytest.mark.integration

SIGNER = SigningKey("rutter", b"signer".ljust(32, b"."))


def test_read_back_it_is_the_same(tournaments, pool):
    """What one process appended, another folds to the same value; its fold at any event is what it was."""
    made = tournaments.create(SIXTEEN)
    tournaments.command(made.id, "d1", asks.OpenEntry())
    for _ in range(16):
        tournaments.enter(made.id, asks.Enter())
    state = tournaments.command(made.id, "d1", asks.CloseEntry()).tournament
    while due_commands(state)[:1] and due_commands(state)[0][0] <= state.at:
        state = tournaments.command(made.id, None, due_commands(state)[0][1]).tournament
    other = Tournaments(EventLog(pool))
    assert other.load(made.id) == state
    assert fold(initial_tournament(made.id), other.records(made.id)) == state
    assert other.load(made.id, 3) == fold(initial_tournament(made.id), other.records(made.id, 0, 3))
    with pytest.raises(NoSuchEvent):
        other.load(made.id, state.seq + 1)
    assert tournaments.log.keys(made.id).tables is not None
    assert verify_tournament(made.id, other.records(made.id), "rutter", partial=True).rounds == 1


def test_streams_are_told_apart(tournaments, games):
    """The id of a game is no tournament, and the other way round; what is in no stream is neither."""
    tournament = tournaments.create(SIXTEEN)
    title = find_title("example")
    game = games.create(title, title.Options(), [SeatPlan()] * 2)
    with pytest.raises(UnknownTournament):
        tournaments.load(game.id)
    with pytest.raises(UnknownGame):
        games.load(tournament.id)
    with pytest.raises(UnknownTournament):
        tournaments.load(str(uuid.uuid4()))


def test_idempotency(tournaments):
    """The same id gives the first result, another command under it is refused, as is an old version."""
    made = tournaments.create(SIXTEEN)
    key = str(uuid.uuid4())
    first = tournaments.command(made.id, "d1", asks.OpenEntry(), command_id=key)
    again = tournaments.command(made.id, "d1", asks.OpenEntry(), command_id=key)
    assert (again.replayed, again.seq) == (True, first.seq)
    with pytest.raises(ReusedKey):
        tournaments.command(made.id, "d1", asks.CloseEntry(), command_id=key)
    with pytest.raises(StaleVersion):
        tournaments.command(made.id, "d1", asks.CloseEntry(), expected=1)
    with pytest.raises(VersionConflict):
        tournaments.create(SIXTEEN, tournament_id=made.id)


def test_sixteen_enter_at_once(tournaments):
    """Each gets a number of their own; the same account, sent twice, gets one."""
    made = tournaments.create(SIXTEEN)
    tournaments.command(made.id, "d1", asks.OpenEntry())
    claims = [str(uuid.uuid4()) for _ in range(16)] * 2
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda claim: tournaments.enter(made.id, asks.Enter(), command_id=claim), claims))
    assert [one.number for one in tournaments.load(made.id).entrants] == list(range(1, 17))


def test_the_sequencer_numbers_them(tournaments):
    """Their events get positions like those of games."""
    made = tournaments.create(SIXTEEN)
    while tournaments.log.sequence() > 0:
        pass
    with tournaments.log.pool.connection() as connection:
        found = connection.execute("SELECT count(*) FROM es.log WHERE game_id = %s", (made.id,)).fetchone()
    assert found == (1,)


def another(digits):
    """Other hexadecimal digits: the last one is the next."""
    return digits[:-1] + f"{(int(digits[-1], 16) + 1) % 16:x}"


def opening_of(records):
    """The records of a game's creation, and the one that follows."""
    created = sum(record.command_id == records[0].command_id for record in records)
    return tuple(records[: created + 1])


class Event:
    """A whole event of duels: its steward is the test."""

    def __init__(self, tournaments, games, **settings):
        self.tournaments, self.games = tournaments, games
        self.id = tournaments.create({**DUELS, **settings}).id
        tournaments.command(self.id, "d1", asks.OpenEntry())
        for number in range(1, 5):
            key = uuid.UUID(self.id).bytes
            given = seat_commitment(key, f"e{number}", contribution(number)).hex() if number < 4 else None
            tournaments.enter(self.id, asks.Enter(given))
        tournaments.command(self.id, "d1", asks.CloseEntry())
        for number in range(1, 4):
            tournaments.command(self.id, f"e{number}", asks.Reveal(contribution(number).hex()))

    @property
    def state(self):
        return self.tournaments.load(self.id)

    def go(self):
        """To its end."""
        while not self.state.over:
            for step in due_commands(self.state)[:1]:
                self.tournaments.command(self.id, None, step[1])
            for one in self.state.rounds:
                for table in one.tables:
                    if one.is_running and table.result is None:
                        self.play(one, table)

    def play(self, one, table):
        """The game of a table, from its creation to its result in the tournament."""
        secret = self.tournaments.keys(self.state)[0].tables
        wanted = table_games.make_table_game(self.state, secret, one, table)
        title = find_title(wanted.title, wanted.version, wanted.data_hash)
        game = self.games.create(
            title,
            title.Options(),
            [SeatPlan()] * len(wanted.entrants),
            game_id=wanted.game,
            terms=wanted.terms,
            tied=wanted.tied,
        )
        first = self.games.records(game.id, 0, 1)[0].hash
        link = asks.LinkTable(table.number, game.id, first.hex(), one.number)
        self.tournaments.command(self.id, None, link)
        game = advance(self.games, game, 1000)
        self.tournaments.command(self.id, None, result_command(summarize_game(game), one.number, table))

    def played(self):
        """By id what its games say, each verified by itself."""
        return {table.game: self.verified(table.game) for one in self.state.rounds for table in one.tables}

    def verified(self, game_id):
        """A game, verified by itself."""
        records = self.games.records(game_id)
        game = self.games.load(game_id)
        lines = list(bundle.write_lines(game, records, None, SIGNER))
        report = verify_game(lines, key=SIGNER.verifier)
        assert not report.analysis
        assert report.kind == "game of a tournament, to be checked with its bundle"
        assert "tournament" in report.randomness.text()
        return summarize_game(game, opening_of(records))


def test_a_whole_event(tournaments, timed):
    """Games that derive from the tournament are played, recorded and verified; then come the forgeries.

    Each game's four secrets, key and mix follow from what the tournament disclosed; one other key, a result
    changed and signed again, a game that is missing or another one: each is named by round and table.
    """
    event = Event(tournaments, timed)
    event.go()
    records, found = tournaments.records(event.id), event.played()
    report = verify_tournament(event.id, records, "rutter", games=found)
    assert (report.whole, report.games, report.contributed, report.missing) == (True, 4, 3, [])
    table = event.state.rounds[1].tables[1]
    true = found[table.game]
    for name, value in (
        ("head", another(true.head)),
        ("places", (1, 2) if true.places == (1, 1) else (1, 1)),
        ("seq", true.seq + 1),
        ("opening", true.opening[:-1]),
        ("opening", (*true.opening, true.opening[-1])),
        ("opening", (replace(true.opening[0], hash=bytes(32)), *true.opening[1:])),
    ):
        assert value != getattr(true, name), f"{name} is not forged"
        forged = replace(true, **{name: value})
        with pytest.raises(BadBundle, match="round 2, table 2: "):
            verify_tournament(event.id, records, "rutter", games={**found, table.game: forged})
    without = {game: told for game, told in found.items() if game != table.game}
    with pytest.raises(BadBundle, match=r"round 2, table 2: .* is missing"):
        verify_tournament(event.id, records, "rutter", games=without)
    report = verify_tournament(event.id, records, "rutter", games=without, partial=True)
    assert report.missing == [table.game]


def test_a_tied_game_is_no_analysis(tournaments, timed):
    """Its first event names table and key, and that it is rated; nobody can make another of the same id."""
    event = Event(tournaments, timed)
    while not event.state.next_round > 1:
        tournaments.command(event.id, None, due_commands(event.state)[0][1])
    one = event.state.rounds[0]
    event.play(one, one.tables[0])
    game = timed.load(event.state.rounds[0].tables[0].game)
    assert (game.analysis, game.tournament["table"], game.tournament["attempt"]) == (False, 1, 0)
    assert game.tournament["hash"] == one.hash.hex()
    with pytest.raises(VersionConflict):
        event.play(one, one.tables[0])
    with pytest.raises(Rejected):
        tournaments.command(event.id, "d1", asks.StartRound())


def test_type_of_records(tournaments):
    """Events of a tournament hide nothing."""
    made = tournaments.create(SIXTEEN)
    assert all(isinstance(one, Record) and not one.parts for one in tournaments.records(made.id))
