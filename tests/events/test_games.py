"""The one loop in which commands are decided and appended, on a real Postgres."""

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import msgspec
import psycopg
import pytest

from events.proof.randomness import Seed, seat_commitment
from events.rules.catalogue import find_title, title_ids
from events.rules.steps import Rejected
from events.store.event_log import DuplicateCommand, EventLog, VersionConflict, decode_game, encode_game
from events.store.games import Games, NoSuchEvent, ReusedKey, SeatPlan, StaleVersion, UnknownGame
from events.table import engine
from events.table.engine import fold
from events.table.game import initial_game
from events.table.record import BatchCause, seal_facts
from tests.playing import advance, three_or_so

SEED = Seed(b"s", bytes(16))

pytestmark = pytest.mark.integration


def until_fate(games, game):
    """Play on until several seats answer at once."""
    while game.state.step != "fate_extra":
        decision = game.title.awaited(game.state)[0]
        game = games.command(game.id, decision.seat, game.title.default(game.state, decision)).game
    return game


def test_a_guard_is_asked_on_each_state_that_was_not_checked(games, new_game, pool):
    """The caller has checked one state; on the one that the log holds by then the guard checks again."""

    def refuse(_game):
        raise Rejected("not_a_player", "You no longer hold this seat. Read the game to see its holder.")

    def give(game, checked):
        decision = game.title.awaited(game.state)[0]
        command = game.title.default(game.state, decision)
        return games.command(game.id, decision.seat, command, allowed=refuse, checked=checked).game

    game = advance(games, new_game(), 10)
    with pytest.raises(Rejected, match="not_a_player"):
        give(game, None)
    assert give(game, game).seq > game.seq
    game = games.load(game.id)
    advance(Games(EventLog(pool)), game, 1)  # another process is first
    with pytest.raises(Rejected, match="not_a_player"):
        give(game, game)


def test_other_process_sees_the_same(games, new_game, pool):
    """What one process appended, another folds to the same value."""
    game = advance(games, new_game(), 60)
    assert Games(EventLog(pool)).load(game.id) == game


@pytest.mark.parametrize("title_id", title_ids())
def test_other_process_sees_the_same_to_the_letter(games, pool, title_id):
    """Not only equal: the same bytes, down to the order of keys, so that one ETag names one answer."""
    title = find_title(title_id)
    game = games.create(title, title.Options(), [SeatPlan()] * three_or_so(title_id))
    game = advance(games, game, 60)
    assert encode_game(Games(EventLog(pool)).load(game.id)) == encode_game(game)


def test_state_at_any_event(games, new_game, pool):
    """The state at any event is the fold of the events up to it, with or without snapshots."""
    game = advance(games, new_game(), 120)
    other = Games(EventLog(pool))
    records = games.records(game.id)
    folded = initial_game(game.id)
    for record in records:
        folded = fold(folded, [record])
        if record.seq % 37 == 0 or record.seq == game.seq:
            assert other.load(game.id, record.seq) == folded
    for seq in (0, -1, game.seq + 1):
        with pytest.raises(NoSuchEvent):
            other.load(game.id, seq)


def test_unknown_game(games):
    """A game that does not exist is told so."""
    with pytest.raises(UnknownGame):
        games.load(str(uuid.uuid4()))
    with pytest.raises(UnknownGame):
        games.load(str(uuid.uuid4()), 5)


def test_snapshot_round_trip(games, new_game):
    """A game survives its stored form."""
    game = advance(games, new_game(), 30)
    assert decode_game(encode_game(game)) == game


def test_expected_version(games, new_game):
    """A command with an expected version is refused when another came first, and changes nothing."""
    game = new_game()
    decision = game.title.awaited(game.state)[0]
    command = game.title.default(game.state, decision)
    games.command(game.id, decision.seat, command, expected=game.seq)
    after = games.load(game.id)
    with pytest.raises(StaleVersion) as stale:
        games.command(game.id, decision.seat, command, expected=game.seq)
    assert stale.value.seq == after.seq
    assert games.load(game.id) == after


def test_same_command_id_gives_the_first_result(games, new_game, pool):
    """Sent again with its id a command answers its first events, much later and elsewhere too."""
    game = new_game()
    decision = game.title.awaited(game.state)[0]
    command, key = game.title.default(game.state, decision), str(uuid.uuid4())
    first = games.command(game.id, decision.seat, command, command_id=key)
    later = advance(games, first.game, 20)
    for process in (games, Games(EventLog(pool))):
        again = process.command(game.id, decision.seat, command, command_id=key)
        assert again.replayed
        assert [r.hash for r in again.records] == [r.hash for r in first.records]
    assert games.load(game.id).seq == later.seq


def test_command_id_reused(games, new_game):
    """The same id with another command, or by another seat, is refused."""
    game = new_game()
    decision = game.title.awaited(game.state)[0]
    options = list(game.title.legal(game.state, decision.seat))
    key = str(uuid.uuid4())
    games.command(game.id, decision.seat, options[0], command_id=key)
    with pytest.raises(ReusedKey):
        games.command(game.id, decision.seat, options[1], command_id=key)
    with pytest.raises(ReusedKey):
        games.command(game.id, (decision.seat + 1) % 4, options[0], command_id=key)


def test_rejected_changes_nothing(games, new_game):
    """A refused command leaves no trace."""
    game = new_game()
    decision = game.title.awaited(game.state)[0]
    with pytest.raises(Rejected):
        games.command(game.id, (decision.seat + 1) % 4, game.title.default(game.state, decision))
    assert games.load(game.id).seq == game.seq


def test_sealed_answers_do_not_conflict(games, new_game, pool):
    """Players who answer at the same time, through several processes, all get through."""
    game = until_fate(games, new_game())
    waiting = game.title.awaited(game.state)
    assert len(waiting) > 2
    barrier = threading.Barrier(len(waiting))

    def answer(decision):
        process = Games(EventLog(pool))
        process.load(game.id)
        barrier.wait()
        return process.command(game.id, decision.seat, game.title.default(game.state, decision)).seq

    with ThreadPoolExecutor(len(waiting)) as threads:
        seqs = list(threads.map(answer, waiting))
    assert len(set(seqs)) == len(waiting)
    final = games.load(game.id)
    assert fold(initial_game(game.id), games.records(game.id)) == final


def test_many_writers_one_game(games, new_game, pool):
    """Thirty-two writers race for the same version: exactly one wins, and the log stays dense."""
    game = new_game()
    decision = game.title.awaited(game.state)[0]
    command = game.title.default(game.state, decision)
    barrier = threading.Barrier(32)

    def write(_):
        process = Games(EventLog(pool))
        process.load(game.id)
        barrier.wait()
        try:
            process.command(game.id, decision.seat, command, expected=game.seq)
        except StaleVersion:
            return 0
        return 1

    with ThreadPoolExecutor(32) as threads:
        assert sum(threads.map(write, range(32))) == 1
    seqs = [r.seq for r in games.records(game.id)]
    assert seqs == list(range(1, len(seqs) + 1))


def test_append_conflict_and_repeat(games, new_game):
    """The log itself tells a conflict from a command that is known already."""
    game = new_game()
    decision = game.title.awaited(game.state)[0]
    given = game.title.default(game.state, decision)
    done = games.command(game.id, decision.seat, given, command_id=str(uuid.uuid4()))
    with pytest.raises(DuplicateCommand):
        games.log.append(game.id, done.records, keyed=True)
    later = [msgspec.structs.replace(r, seq=r.seq + 100) for r in done.records]
    with pytest.raises(DuplicateCommand):
        games.log.append(game.id, later, keyed=True)
    game = done.game
    keys, chain = games.keys(game)
    decision = game.title.awaited(game.state)[0]
    batch = engine.decide(game, decision.seat, game.title.default(game.state, decision), keys, chain)
    games.command(game.id, decision.seat, game.title.default(game.state, decision))
    stale = seal_facts(
        batch.facts,
        BatchCause("2026-01-01T00:00:00.000000Z", decision.seat, str(uuid.uuid4())),
        game_id=game.id,
        version=1,
        seq=game.seq,
        head=game.head,
        secrets=keys,
    )
    with pytest.raises(VersionConflict):
        games.log.append(game.id, stale)


@pytest.mark.parametrize("table", ["event", "secret", "game_secret", "log"])
@pytest.mark.parametrize(
    "change", ["UPDATE es.{} SET game_id = game_id", "DELETE FROM es.{}", "TRUNCATE es.{}"]
)
def test_the_past_cannot_be_changed(games, new_game, owner, table, change):
    """Nothing in the log can be updated, deleted or truncated, not even by the owner of the tables."""
    advance(games, new_game(), 10)
    games.log.sequence()
    with psycopg.connect(owner) as connection, pytest.raises(psycopg.Error, match="forbidden"):
        connection.execute(change.format(table))


def test_sequencer_keeps_the_order(games, new_game, pool):
    """Positions are dense, and keep the order of events within each game."""
    for seed in range(3):
        advance(games, new_game(), 10, seed)
    while games.log.sequence() > 0:
        pass
    with pool.connection() as connection:
        rows = connection.execute("SELECT position, game_id, seq FROM es.log ORDER BY position").fetchall()
        events = connection.execute("SELECT count(*) FROM es.event").fetchone()[0]
    assert [r[0] for r in rows] == list(range(1, events + 1))
    seen = {}
    for _, game_id, seq in rows:
        assert seq == seen.get(game_id, 0) + 1
        seen[game_id] = seq


def test_joining_and_contributions(timed, clock, title):
    """Seats join with commitments and reveal them; what is missing counts as empty and is recorded."""
    games = timed
    game = games.create(title, title.Options(), [SeatPlan(), SeatPlan(taken=False), SeatPlan(taken=False)])
    assert game.status == "open"
    mine = b"\x07" * 32
    games.take_seat(game.id, 1, seat_commitment(game.key, "p1", mine).hex())
    with pytest.raises(Rejected, match="seats_open"):
        games.reveal(game.id, 1, mine.hex())
    with pytest.raises(Rejected, match="seats_open"):
        games.begin(game.id)
    games.take_seat(game.id, 2, seat_commitment(game.key, "p2", b"x").hex())
    for seat, code in ((2, "seat_taken"), (9, "unknown_seat"), (-1, "unknown_seat")):
        with pytest.raises(Rejected, match=code):
            games.take_seat(game.id, seat)
    with pytest.raises(Rejected, match="commitment_mismatch"):
        games.reveal(game.id, 1, b"other".hex())
    with pytest.raises(Rejected, match="nothing_committed"):
        games.reveal(game.id, 0, mine.hex())
    games.reveal(game.id, 1, mine.hex())
    with pytest.raises(Rejected, match="already_answered"):
        games.reveal(game.id, 1, mine.hex())
    with pytest.raises(Rejected, match="reveals_open"):
        games.begin(game.id)
    clock.wait(60)
    begun = games.begin(game.id).game
    assert begun.status == "running"
    fact = next(r for r in games.records(game.id) if r.type == "TableBegun")
    assert b'"missing":[2]' in fact.body
    with pytest.raises(Rejected, match="game_not_open"):
        games.take_seat(game.id, 1)


def test_seed_repeats_a_game(games, new_game):
    """The draws of analysis games follow from the seed and its salt alone."""
    one, two, other = (new_game(seed=Seed(b"1234", bytes([salt]) * 16)) for salt in (1, 1, 2))
    assert one.analysis
    assert one.state == two.state
    played = [advance(games, game, 80).state for game in (one, two, other)]
    assert played[0] == played[1]
    assert played[0] != played[2]


def test_fork_of_a_finished_game_is_whole(games, new_game):
    """A fork of a game that has ended goes on from the very same position."""
    game = advance(games, new_game(), 10_000)
    assert game.status == "finished"
    fork = games.fork(game.id, game.seq // 2, (), [SeatPlan()] * 4, SEED)
    middle = games.load(game.id, fork.origin["seq"])
    assert fork.state == middle.state
    assert game.seq // 2 <= middle.seq < game.seq // 2 + 40
    assert fork.analysis
    assert advance(games, fork, 10_000).status == "finished"


def test_fork_of_a_running_game_tells_nothing(games, new_game):
    """A fork of a running game keeps my view and draws the rest again; without a seat there is none."""
    game = advance(games, new_game(), 40)
    fork = games.fork(game.id, None, (1,), [SeatPlan()] * 4, SEED)
    assert fork.title.view(fork.state, 1) == game.title.view(game.state, 1)
    assert fork.state != game.state
    with pytest.raises(Rejected, match="not_a_player"):
        games.fork(game.id, None, (), [SeatPlan()] * 4, SEED)


def test_position_starts_a_game(games, new_game, title):
    """A game may begin from any position."""
    game = advance(games, new_game(), 25)
    again = new_game(position=title.position(game.state))
    assert again.state == game.state
    assert again.analysis
    assert advance(games, again, 10_000).status == "finished"


@pytest.mark.parametrize("rounds", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_many_join_one_seat_in_the_same_moment(games, title, rounds):
    """Eight claim it at once, again and again: one event takes it each time, and who holds it is the claim
    that this event names.
    """
    plans = [SeatPlan(), SeatPlan(taken=False), SeatPlan("random")]
    with ThreadPoolExecutor(8) as threads:
        for _ in range(rounds):
            made = games.create(title, title.Options(), plans)
            claims = [str(uuid.uuid4()) for _ in range(8)]
            together = threading.Barrier(len(claims))
            won = list(threads.map(lambda claim, g=made.id, b=together: joined(games, g, claim, b), claims))
            assert won.count(True) == 1
            taken = [r for r in games.records(made.id) if r.type == "SeatTaken" and b'"seat":1' in r.body]
            assert len(taken) == 1
            assert games.load(made.id).claims[1] == claims[won.index(True)] == taken[0].command_id


def joined(games, game_id, claim, together):
    """Whether this claim got seat 1, for which all try together."""
    together.wait()
    try:
        games.take_seat(game_id, 1, command_id=claim)
    except Rejected as refused:
        return refused.code not in ("seat_taken", "game_not_open")
    return True
