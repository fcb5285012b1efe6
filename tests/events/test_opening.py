"""From the first seat to the first move: what may happen when, and that a verifier decides it again.

The forger of these tests has every key, chains and signs again what they like, and writes whatever serves
them.
"""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import pytest

from events.base.timestamps import format_timestamp, parse_timestamp
from events.clocks.absence_policy import Absence
from events.proof import beacon
from events.proof.randomness import Secrets, commit, mix
from events.rules.steps import Rejected
from events.table import bundle, commit_reveal, engine, lifecycle_facts
from events.table.bundle import BadBundle
from events.table.engine import fold
from events.table.game import initial_game
from events.table.terms import Beacon, SeatOccupant, Terms, account_digest
from tests.recorded_table import GIFTS, SIGNER, RecordedTable

V = json.loads((Path(__file__).parents[1] / "vectors" / "proof.json").read_text())
ROUND = 657413
SIGNATURE = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
RANDOMNESS = "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"
DIRECTOR = b"\x06" * 32
CHAIN = beacon.CHAINS[beacon.QUICKNET]
SOURCE = Beacon(beacon.QUICKNET, 30)
GAME = "019a9f00-0000-7000-8000-000000000001"


def two(**terms) -> RecordedTable:
    """A table of two that everybody has joined with a commitment."""
    desk = RecordedTable(None, None, **terms)
    desk.take(0)
    desk.clock.wait(5)
    desk.take(1)
    return desk


def refused(code):
    return pytest.raises(Rejected, match=code)


def directed(**terms) -> RecordedTable:
    """A table of two with a director, all of whose seats have revealed."""
    game_id = terms.pop("game_id", GAME)
    promise = commit("director", uuid.UUID(game_id).bytes, DIRECTOR).hex()
    desk = RecordedTable(None, None, game_id=game_id, director=promise, **terms)
    desk.take(0)
    desk.take(1)
    desk.reveal(0)
    desk.reveal(1)
    return desk


def drawn(desk):
    """The clock at which the recorded round is the one that the rule names."""
    desk.clock.at = "2023-01-01T00:00:00.000000Z"
    return desk


def before_the_round() -> RecordedTable:
    """A table with a beacon, whose reveals will be closed when the recorded round is half a minute ahead."""
    desk = RecordedTable(game_id=GAME)
    drawn(desk)
    desk.open([None, None], Terms(beacon=SOURCE))
    desk.take(0)
    desk.take(1)
    desk.reveal(0)
    desk.reveal(1)
    desk.clock.go_to(CHAIN.round_time(ROUND - 10))
    return desk


# --- vectors -----------------------------------------------------------------------------------------


def test_the_name_of_an_account_is_the_vectors():
    """A salt, an account and an origin give the digest that an independent program printed."""
    assert account_digest(b"\x44" * 16, "ada", "rutter.example/log") == V["who"]


def test_director_and_beacon_enter_the_mix_as_in_the_vectors():
    """One contribution of a seat, one of a director and one of a beacon give the vector's U."""
    h_1 = bytes.fromhex("742c30d23eed27bddc2290ad94ecd2f8f2eacc72982f3198c9c9b29ec81c8f63")
    gifts = [("p0", b"\x01" * 32), ("p1", b"")]
    made = mix(uuid.UUID(GAME).bytes, h_1, gifts, b"\x06" * 32, b"\x07" * 32)
    assert made.hex() == V["mix2"]


def test_seeds_of_bots_are_the_vectors():
    """The secret of the seeded game and the U above give the seeds that an independent program printed."""
    secrets = Secrets(b"", b"", b"", bytes.fromhex(V["seed_bot"]))
    for seat, count in ((0, 0), (1, 7)):
        seed = secrets.bot_seed(bytes.fromhex(V["mix2"]), seat, count)
        assert seed.hex() == V[f"bot_seed_{seat}_{count}"]


def test_the_rounds_of_a_chain_have_their_times():
    """The first round that is not due before a moment, from the chain's genesis on."""
    assert beacon.round_randomness(SIGNATURE) == RANDOMNESS
    at = CHAIN.round_time(ROUND)
    assert CHAIN.first_round_at(at) == ROUND
    assert CHAIN.first_round_at(format_timestamp(parse_timestamp(at) + 1)) == ROUND + 1
    assert CHAIN.first_round_at("2020-01-01T00:00:00.000000Z") == 1
    with pytest.raises(ValueError, match="96 hex digits"):
        beacon.round_randomness("zz" * 48)


def test_a_signature_is_asked_of_the_library_only_in_its_form():
    """What is no hex never reaches the library; where that is not installed nothing is claimed."""
    with pytest.raises(ValueError, match="96 hex digits"):
        beacon.is_signed(beacon.QUICKNET, ROUND, "not hex")
    known = beacon.find_spec(beacon.LIBRARY) is not None
    assert beacon.is_signed(beacon.QUICKNET, ROUND, SIGNATURE) is (True if known else None)
    assert beacon.is_signed(beacon.QUICKNET, ROUND + 1, SIGNATURE) is (False if known else None)


# --- the creator, and what the creation may hold --------------------------------------------------------


def test_the_maker_contributes_too():
    """A commitment in the creation makes the game wait for its reveal; then it begins, and holds."""
    desk = RecordedTable(game_id=GAME)
    desk.open([SeatOccupant(commitment=desk.commitment(0)), SeatOccupant(bot="random")], Terms())
    assert [r.type for r in desk.records] == ["TableOpened", "SeatTaken", "SeatCommitted", "SeatTaken"]
    assert commit_reveal.next_due(desk.game) > desk.clock()
    with refused("reveals_open"):
        desk.house()
    desk.reveal(0)
    assert commit_reveal.is_due(desk.game, desk.clock())
    desk.house()
    assert desk.game.status == "running"


@pytest.mark.parametrize(
    ("seats", "terms", "code"),
    [
        ([SeatOccupant(), None], Terms(contributions="required"), "commitment_required"),
        ([SeatOccupant(bot="random", commitment="00" * 32), None], Terms(), "invalid_terms"),
        ([SeatOccupant(commitment="AB" * 32), None], Terms(), "invalid_terms"),
        ([SeatOccupant(key="00"), None], Terms(), "invalid_terms"),
        ([SeatOccupant(who="x"), None], Terms(), "invalid_terms"),
        ([SeatOccupant(), None], Terms(director="00"), "invalid_terms"),
        ([SeatOccupant(), None], Terms(reveal_by_ms=59_999), "invalid_terms"),
        ([SeatOccupant(), None], Terms(beacon=Beacon(beacon.QUICKNET, 29)), "invalid_terms"),
        ([SeatOccupant(), None], Terms(beacon=Beacon("00" * 32, 60)), "invalid_terms"),
        ([SeatOccupant(), None], Terms(invited=(V["who"], None)), "invalid_terms"),
        ([SeatOccupant(), None], Terms(invited=(None, V["who"], None)), "invalid_terms"),
        ([SeatOccupant(), None], Terms(invited=(None, V["who"][:-2] + "p=")), "invalid_terms"),
        ([SeatOccupant(), None], Terms(absence=Absence(then="bot:weird")), "invalid_terms"),
        ([SeatOccupant(), None], Terms(talk="loud"), "invalid_terms"),
    ],
)
def test_terms_that_are_none(seats, terms, code):
    """A table is opened on terms that can be kept, in the forms that the log knows."""
    with refused(code):
        RecordedTable().open(seats, terms)


def test_terms_are_recorded_as_they_were_settled():
    """A time for reveals stands where somebody is awaited, and nowhere else; nobody invited is null."""
    awaited = RecordedTable(SeatOccupant(), None, invited=(None, None)).game.terms
    assert (awaited.reveal_by_ms, awaited.invited) == (60_000, None)
    assert RecordedTable(SeatOccupant(), SeatOccupant()).game.terms.reveal_by_ms is None


# --- reveals -------------------------------------------------------------------------------------------


def test_nobody_reveals_or_begins_while_a_seat_is_open():
    """While somebody can still choose a commitment nothing is revealed."""
    desk = RecordedTable(None, None)
    desk.take(0)
    with refused("seats_open"):
        desk.reveal(0)
    with refused("seats_open"):
        desk.house(asked=True)
    assert commit_reveal.next_due(desk.game) is None


@pytest.mark.parametrize("contribution", ["", "02" * 31, "02" * 33, "0 " * 32, "AB" * 32, "zz" * 32])
def test_a_contribution_has_32_bytes(contribution):
    """Nothing else is taken, however it fits the commitment."""
    with refused("commitment_mismatch"):
        commit_reveal.reveal(two().game, 1, contribution)


def test_reveals_happen_once_and_fit():
    """Another one's bytes, or the same twice, are refused."""
    desk = two()
    with refused("commitment_mismatch"):
        commit_reveal.reveal(desk.game, 0, GIFTS[1].hex())
    desk.reveal(0)
    with refused("already_answered"):
        desk.reveal(0)


def test_a_missing_contribution_is_named_after_a_minute():
    """It counts as empty. Before that everybody can still reveal; the server waits as long as was settled."""
    desk = two(reveal_by_ms=90_000)
    desk.reveal(0)
    desk.clock.wait(59.9)
    with refused("reveals_open"):
        desk.house(asked=True)
    desk.clock.wait(0.1)
    with refused("reveals_open"):
        desk.house()
    desk.clock.wait(30)
    assert commit_reveal.next_due(desk.game) == desk.clock()
    desk.house()
    desk.play()
    assert desk.verdict().status == "finished"
    begun = next(r for r in desk.records if r.type == "TableBegun")
    assert b'"missing":[1]' in begun.body


def test_closing_before_the_minute_is_refused_by_the_verifier():
    """An operator who begins 5 s after the last seat was taken, and calls a seat missing, is found out."""
    desk = two()
    desk.clock.wait(5)
    mixed = commit_reveal.mix_contributions(desk.game)
    desk.forge(lifecycle_facts.TableBegun(mixed.hex(), (0, 1)))
    again = pytest.raises(Rejected, match="reveals_open")
    game = fold_to(desk, 1)
    with again:
        commit_reveal.redecide(game, desk.records[-1:], None, None)


def fold_to(desk, without):
    """The game before its last *without* events."""
    return fold(initial_game(desk.game.id), desk.records[:-without])


def test_a_false_mix_and_a_false_list_of_missing_seats_are_found_without_secrets():
    """Anyone who holds no secret still makes U and `missing` again."""
    desk = two()
    desk.reveal(0)
    desk.reveal(1)
    right = commit_reveal.begin(desk.game, desk.clock(), None, None).facts
    assert [type(fact) for fact in right] == [lifecycle_facts.TableBegun]
    desk.forge(lifecycle_facts.TableBegun("00" * 32, ()))
    (again,) = commit_reveal.redecide(fold_to(desk, 1), desk.records[-1:], None, None).facts
    assert again == right[0] != lifecycle_facts.TableBegun("00" * 32, ())


@pytest.mark.parametrize(
    "slipped",
    [
        lifecycle_facts.SeatTaken(1, None, None, None),
        lifecycle_facts.SeatCommitted(1, "00" * 32),
        lifecycle_facts.PositionSet({}),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_nothing_is_slipped_in_before_the_reveals_are_over(slipped):
    """A colluder who leaves and comes back with another commitment, or commits late, is found out."""
    desk = two(contributions="required")
    desk.reveal(0)
    desk.forge(slipped, by=1 if isinstance(slipped, lifecycle_facts.SeatTaken) else None)
    desk.clock.wait(60)
    desk.forge(lifecycle_facts.TableAbandoned("required_missing", "sys", disclosed(desk)))
    with pytest.raises(BadBundle, match="event 7: "):
        desk.verdict()


def disclosed(desk):
    return engine.disclose_secrets(desk.secrets)


def test_somebody_else_may_not_reveal_for_a_seat():
    """The actor of a reveal is its seat, that of a beginning the server."""
    desk = two()
    desk.forge(lifecycle_facts.SeatRevealed(0, GIFTS[0].hex()), by=1)
    with refused("not_your_decision"):
        commit_reveal.redecide(fold_to(desk, 1), desk.records[-1:], None, None)


# --- required ------------------------------------------------------------------------------------------


def test_where_contributions_are_required_everybody_commits():
    """A join without a commitment is refused, also by a verifier; bots need none."""
    desk = RecordedTable(None, SeatOccupant(bot="random"), contributions="required")
    with refused("commitment_required"):
        commit_reveal.take_seat(desk.game, 0, None)
    desk.forge(lifecycle_facts.SeatTaken(0, None, None, None), by=0)
    with refused("commitment_required"):
        commit_reveal.redecide(fold_to(desk, 1), desk.records[-1:], None, None)


def test_a_required_contribution_that_is_missing_ends_the_game():
    """It does not begin without; when the time is up it is abandoned, and what it hid is disclosed."""
    desk = two(contributions="required", reveal_by_ms=120_000)
    desk.reveal(0)
    desk.clock.wait(60)
    with refused("contributions_missing"):
        desk.house(asked=True)
    desk.clock.wait(60)
    desk.house()
    assert (desk.game.status, desk.records[-1].type) == ("abandoned", "TableAbandoned")
    assert desk.verdict().status == "abandoned"
    assert next(bundle.write_lines(desk.game, desk.records, None, SIGNER)).count(b'"scope":"whole"') == 1
    for refuse in (lambda: commit_reveal.take_seat(desk.game, 0, None), lambda: desk.reveal(1)):
        with refused("game_not_open"):
            refuse()


def test_a_beginning_without_a_required_contribution_is_found_out():
    """However late it comes."""
    desk = two(contributions="required")
    desk.reveal(0)
    desk.clock.wait(3600)
    desk.forge(lifecycle_facts.TableBegun(commit_reveal.mix_contributions(desk.game).hex(), (1,)))
    with refused("contributions_missing"):
        commit_reveal.redecide(fold_to(desk, 1), desk.records[-1:], None, None)


def test_a_game_that_is_abandoned_discloses_the_secrets_it_committed_to():
    """Without them, with others, or followed by anything, it does not hold."""
    for told in ({}, {"anchor": "00" * 32, "deal": "00" * 32, "hide": "00" * 32, "bot": "00" * 32}):
        desk = two(contributions="required")
        desk.clock.wait(60)
        desk.forge(lifecycle_facts.TableAbandoned("required_missing", "sys", told))
        with pytest.raises(BadBundle):
            desk.verdict()
        with refused("not_disclosed"):
            commit_reveal.redecide(fold_to(desk, 1), desk.records[-1:], None, None)
    desk = two(contributions="required")
    desk.clock.wait(60)
    desk.house()
    desk.forge(lifecycle_facts.SeatRevealed(0, GIFTS[0].hex()), by=0)
    with pytest.raises(BadBundle):
        desk.verdict()


def test_a_game_is_not_abandoned_before_its_time():
    """Nor for a reason that is none: an operator cannot throw away a game whose luck they dislike."""
    desk = two(contributions="required")
    desk.clock.wait(59)
    desk.forge(lifecycle_facts.TableAbandoned("required_missing", "sys", disclosed(desk)))
    with pytest.raises(BadBundle, match="not_overdue"):
        desk.verdict()
    desk = two()
    desk.clock.wait(3600)
    desk.forge(lifecycle_facts.TableAbandoned("required_missing", "sys", disclosed(desk)))
    with pytest.raises(BadBundle, match="nothing_overdue"):
        desk.verdict()


# --- director and beacon -------------------------------------------------------------------------------


def test_the_director_contributes_after_the_close():
    """They reveal what they committed to, once; it enters the mix, and the game begins and holds."""
    desk = directed()
    with refused("reveals_not_closed"):
        commit_reveal.reveal_director(desk.game, DIRECTOR.hex())
    desk.house()
    assert desk.records[-1].type == "RevealsClosed"
    with refused("director_awaited"):
        desk.house(asked=True)
    with refused("commitment_mismatch"):
        commit_reveal.reveal_director(desk.game, "07" * 32)
    with refused("commitment_mismatch"):
        commit_reveal.reveal_director(desk.game, "06" * 31)
    before = commit_reveal.mix_contributions(desk.game)
    desk.do(commit_reveal.reveal_director(desk.game, DIRECTOR.hex()), None)
    assert commit_reveal.mix_contributions(desk.game) != before
    with refused("already_answered"):
        commit_reveal.reveal_director(desk.game, DIRECTOR.hex())
    with refused("reveals_closed"):
        desk.reveal(0)
    desk.house()
    desk.play()
    assert desk.verdict().status == "finished"


def test_a_director_who_reveals_before_the_close_is_found_out():
    """What comes from outside may not be known while it is still open whose contribution counts."""
    desk = directed()
    desk.clock.wait(1)
    fact = lifecycle_facts.DirectorRevealed(DIRECTOR.hex())
    game = desk.game
    with pytest.raises(ValueError, match="not closed"):
        desk.forge(fact)
    with refused("reveals_not_closed"):
        commit_reveal.redecide(game, desk.records[-1:], None, None)


def test_a_silent_director_ends_the_game():
    """There is no beginning without them: that would be a choice. Their time is that of the seats."""
    desk = directed(reveal_by_ms=70_000)
    desk.house()
    desk.clock.wait(69)
    with refused("director_awaited"):
        desk.house()
    desk.clock.wait(1)
    assert commit_reveal.next_due(desk.game) == desk.clock()
    desk.house()
    assert desk.game.status == "abandoned"
    assert desk.verdict().status == "abandoned"


def test_the_beacon_is_drawn_from_the_round_that_the_close_named():
    """The first round that is late enough; it enters the mix, and the game begins and holds."""
    desk = before_the_round()
    desk.house()
    assert desk.game.closed.round == ROUND
    assert commit_reveal.find_awaited_round(desk.game) == ROUND
    with refused("round_not_due"):
        commit_reveal.draw_beacon(desk.game, desk.clock(), SIGNATURE)
    assert not commit_reveal.is_due(desk.game, desk.clock.go_to(CHAIN.round_time(ROUND)))
    with refused("invalid_round"):
        commit_reveal.draw_beacon(desk.game, desk.clock(), "00" * 47)
    with refused("beacon_awaited"):
        desk.house()
    desk.do(commit_reveal.draw_beacon(desk.game, desk.clock(), SIGNATURE), None)
    assert desk.game.closed.beacon == RANDOMNESS
    desk.house()
    desk.play()
    assert desk.verdict().status == "finished"


@pytest.mark.parametrize("number", [ROUND - 1, ROUND + 1, None])
def test_another_round_than_the_rule_demands_is_found_out(number):
    """Anyone who may name the round would wait until they like one."""
    desk = before_the_round()
    desk.forge(lifecycle_facts.RevealsClosed((), number))
    (again,) = commit_reveal.redecide(fold_to(desk, 1), desk.records[-1:], None, None).facts
    assert again == lifecycle_facts.RevealsClosed((), ROUND)


@pytest.mark.parametrize(
    "fact",
    [
        lifecycle_facts.BeaconDrawn(ROUND + 1, SIGNATURE, RANDOMNESS),
        lifecycle_facts.BeaconDrawn(ROUND, SIGNATURE, "00" * 32),
    ],
)
def test_another_round_or_randomness_than_was_named_is_found_out(fact):
    """The randomness is the hash of the signature, and the round the one of the close."""
    desk = before_the_round()
    desk.house()
    desk.clock.go_to(CHAIN.round_time(ROUND))
    desk.forge(fact)
    (again,) = commit_reveal.redecide(fold_to(desk, 1), desk.records[-1:], None, None).facts
    assert again == lifecycle_facts.BeaconDrawn(ROUND, SIGNATURE, RANDOMNESS) != fact


def test_the_director_comes_before_the_beacon():
    """Anyone who knew the round could not choose any more whether to reveal."""
    desk = RecordedTable(game_id=GAME)
    drawn(desk)
    promise = commit("director", desk.key, DIRECTOR).hex()
    desk.open([SeatOccupant(), SeatOccupant()], Terms(director=promise, beacon=SOURCE))
    desk.clock.go_to(CHAIN.round_time(ROUND - 10))
    desk.house()
    desk.clock.go_to(CHAIN.round_time(ROUND))
    with refused("director_awaited"):
        commit_reveal.draw_beacon(desk.game, desk.clock(), SIGNATURE)
    desk.do(commit_reveal.reveal_director(desk.game, DIRECTOR.hex()), None)
    desk.do(commit_reveal.draw_beacon(desk.game, desk.clock(), SIGNATURE), None)
    desk.house()
    assert desk.game.status == "running"


def test_a_silent_beacon_ends_the_game():
    """An hour after its round, and not before."""
    desk = before_the_round()
    desk.house()
    desk.clock.go_to(CHAIN.round_time(ROUND))
    desk.clock.wait(3599)
    with refused("beacon_awaited"):
        desk.house()
    desk.clock.wait(1)
    assert commit_reveal.is_due(desk.game, desk.clock())
    desk.house()
    assert desk.game.status == "abandoned"
    assert desk.verdict().status == "abandoned"


def test_a_close_names_who_is_missing_and_gives_everybody_a_minute():
    """As a beginning does where nobody contributes from outside."""
    desk = RecordedTable(game_id=GAME)
    promise = commit("director", desk.key, DIRECTOR).hex()
    desk.open([None, SeatOccupant()], Terms(director=promise))
    desk.take(0)
    with refused("reveals_open"):
        commit_reveal.close(desk.game, desk.clock())
    desk.clock.wait(60)
    desk.house()
    assert desk.game.closed.missing == (0,)
    with refused("reveals_closed"):
        desk.reveal(0)
    with refused("nothing_to_close"):
        commit_reveal.close(two().game, desk.clock())


# --- invited -------------------------------------------------------------------------------------------


def test_a_kept_seat_is_taken_by_whom_it_is_kept_for():
    """Not by another, not without a name: neither by the service nor in a log that is verified."""
    desk = RecordedTable(None, None, invited=(V["who"], None))
    for name in (None, account_digest(bytes(16), "bob", "rutter.example/log")):
        with refused("not_invited"):
            commit_reveal.take_seat(desk.game, 0, None, None, name)
    desk.forge(lifecycle_facts.SeatTaken(0, None, None, None), by=0)
    with refused("not_invited"):
        commit_reveal.redecide(fold_to(desk, 1), desk.records[-1:], None, None)
    invited = RecordedTable(None, None, invited=(V["who"], None))
    invited.take(0, who=V["who"], key="ab" * 32)
    assert invited.game.seats[0].key == "ab" * 32
