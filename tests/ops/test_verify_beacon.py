"""What `rutter verify` says of a beacon and a director: whether somebody who knew the rest could choose."""

import uuid

import pytest

from events.base.timestamps import add_milliseconds, parse_timestamp
from events.proof import beacon
from events.proof.beacon import MICROS_PER_SECOND
from events.proof.randomness import commit
from events.table import bundle, commit_reveal, lifecycle_facts
from events.table.terms import SeatOccupant, Terms
from tests.events.forging import Forgery
from tests.events.test_opening import (
    CHAIN,
    DIRECTOR,
    GAME,
    RANDOMNESS,
    ROUND,
    SIGNATURE,
    SOURCE,
    before_the_round,
    directed,
    drawn,
)
from tests.ops.test_verify import Log, policy, proof_line, rutter
from tests.recorded_table import SIGNER, RecordedTable

DUE = parse_timestamp(CHAIN.round_time(ROUND)) // MICROS_PER_SECOND
"""When the round is due, POSIX seconds."""
KNOWN = beacon.find_spec(beacon.LIBRARY) is not None
HOLDS = 0 if KNOWN else 3
"""The exit status where all holds: without the library the round's signature is left unchecked, and said."""


@pytest.fixture(scope="module")
def desk() -> RecordedTable:
    """A whole game whose reveals were closed half a minute before the round that contributed."""
    desk = before_the_round()
    desk.house()
    desk.clock.go_to(CHAIN.round_time(ROUND))
    desk.do(commit_reveal.draw_beacon(desk.game, desk.clock(), SIGNATURE), None)
    desk.house()
    desk.play()
    return desk


@pytest.fixture
def judged(files, desk):
    """``(when witnesses cosigned, requirements) -> (status, the line about randomness)``; None: no proof."""
    trusted = files("policy", policy(log=SIGNER))
    closed = next(record.seq for record in desk.records if record.type == "RevealsClosed")

    def verdict(at, *words, policy=True):
        lines = list(bundle.write_lines(desk.game, desk.records, None, SIGNER))
        log, last = Log(desk), len(desk.records)
        if at is not None:
            lines.append(proof_line(closed, log.proof(closed, key=SIGNER, at=at)))
        lines.append(proof_line(last, log.proof(last, key=SIGNER)))
        trust = ("--policy", trusted) if policy else ("--key", SIGNER.vkey)
        return rutter("verify", files("beacon.ndjson", lines), *trust, *words)

    return verdict


def test_reveals_that_a_quorum_saw_closed_in_time(judged):
    """A quorum cosigned the close before its round was due: the verdict says so, and it may be required."""
    for words in ((), ("--require", "beacon")):
        status, said = judged(DUE - 1, *words)
        assert (status, "beacon: witnessed before its round" in said) == (HOLDS, True), said
        assert ("library for BLS is not installed" in said) != KNOWN


@pytest.mark.parametrize("at", [None, DUE, DUE + 3600, (DUE - 1, DUE)], ids=str)
def test_reveals_that_no_quorum_saw_closed_in_time(judged, at):
    """Nobody, nobody in time, or too few in time: who closes late may know the round. Said, never passed."""
    status, said = judged(at)
    assert (status, "beacon: not witnessed before its round" in said) == (HOLDS, True), said
    status, said = judged(at, "--require", "beacon")
    told = (
        "BAD: required, but it does not hold: beacon (not witnessed before its round; name the witnesses who "
        "saw the reveals closed in time with --policy FILE)\n"
    )
    assert (status, said) == (1, told)


@pytest.mark.parametrize("at", [DUE - 1, DUE, None], ids=str)
def test_a_beacon_alone_counts_if_it_was_witnessed(files, at):
    """Nobody else contributed: without a quorum that saw the close in time, the server can have chosen."""
    desk = drawn(RecordedTable(game_id=GAME))
    desk.open([SeatOccupant(), SeatOccupant()], Terms(beacon=SOURCE))
    desk.clock.go_to(CHAIN.round_time(ROUND - 10))
    desk.house()
    closed = desk.game.closed.n
    desk.clock.go_to(CHAIN.round_time(ROUND))
    desk.do(commit_reveal.draw_beacon(desk.game, desk.clock(), SIGNATURE), None)
    desk.house()
    desk.play()
    lines = list(bundle.write_lines(desk.game, desk.records, None, SIGNER))
    if at is not None:
        lines.append(proof_line(closed, Log(desk).proof(closed, key=SIGNER, at=at)))
    file, words = files("alone.ndjson", lines), ("--require", "contributions")
    status, said = rutter("verify", file, "--policy", files("policy", policy(log=SIGNER)), *words)
    assert status == (HOLDS if at == DUE - 1 else 1), said
    assert ("beacon: not witnessed before its round" in said) == (at != DUE - 1)
    status, said = rutter("verify", file, "--key", SIGNER.vkey, *words)
    assert (status, "contributions: no policy with a quorum was given (--policy FILE" in said) == (3, True)


def test_a_director_alone_counts_if_you_know_the_commitment(files):
    """An operator can name a director of their own: only who noted the commitment before is convinced."""
    promise = commit("director", uuid.UUID(GAME).bytes, DIRECTOR).hex()
    desk = RecordedTable(SeatOccupant(), SeatOccupant(), game_id=GAME, director=promise)
    desk.house()
    desk.do(commit_reveal.reveal_director(desk.game, DIRECTOR.hex()), None)
    desk.house()
    desk.play()
    lines = list(bundle.write_lines(desk.game, desk.records, None, SIGNER))
    file = files("director.ndjson", lines)
    for words, wanted, told in (
        (
            (),
            3,
            "contributions: the director counts only if you noted the commitment (--director ",
        ),
        (("--director", promise), 0, "director revealed, pinned"),
        (("--director", "ab" * 32), 1, "director revealed, not the one that --director names"),
        (("--director", "ab" * 32, "--director", promise), 0, "director revealed, pinned"),
        (("--director", "ab"), 2, "a commitment has 64 hex digits"),
    ):
        status, said = rutter("verify", file, "--key", SIGNER.vkey, "--require", "contributions", *words)
        assert (status, told in said) == (wanted, True), said
    status, said = rutter("verify", file, "--key", SIGNER.vkey)
    assert (status, "director revealed, not pinned (--director)" in said) == (0, True)


def test_a_cosignature_of_whom_nobody_named_shows_nothing(judged):
    """Without a policy it is not known whose word counts."""
    status, said = judged(DUE - 1, policy=False)
    assert (status, "beacon: not witnessed before its round" in said) == (HOLDS, True)
    status, said = judged(DUE - 1, "--require", "beacon", policy=False)
    assert (status, "beacon: no policy with a quorum was given (--policy FILE" in said) == (3, True)


def abandoned(desk):
    """The bundle of a game that its operator ended when it stood at this point."""
    reason = "beacon_silent"
    told = desk.secrets
    secrets = {name: getattr(told, name).hex() for name in ("anchor", "deal", "hide", "bot")}
    desk.clock.at = add_milliseconds(desk.clock.at, 3_700_000)
    desk.forge(lifecycle_facts.TableAbandoned(reason, "sys", secrets))
    return bundle.write_lines(desk.game, desk.records, None, SIGNER)


@pytest.mark.parametrize("number", [ROUND + 1, ROUND - 1, None])
def test_a_close_that_names_another_round(files, number):
    """The one who names the round cannot wait for a good one: only the first late enough is accepted."""
    desk = before_the_round()
    desk.forge(lifecycle_facts.RevealsClosed((), number))
    closed = len(desk.records)
    status, said = rutter("verify", files("late.ndjson", abandoned(desk)), "--key", SIGNER.vkey)
    assert (status, said.startswith(f"BAD: event {closed}: RevealsClosed")) == (1, True), said


@pytest.mark.parametrize(
    "drawn",
    [
        lifecycle_facts.BeaconDrawn(ROUND + 1, SIGNATURE, RANDOMNESS),
        lifecycle_facts.BeaconDrawn(ROUND, SIGNATURE, "00" * 32),
        lifecycle_facts.BeaconDrawn(ROUND, "00" * 48, RANDOMNESS),
        lifecycle_facts.BeaconDrawn(ROUND, "zz" * 48, RANDOMNESS),
    ],
    ids=["round", "randomness", "signature", "no hex"],
)
def test_a_draw_of_another_round(files, drawn):
    """Round, signature and randomness belong together; what is no hex never comes near the library."""
    desk = before_the_round()
    desk.house()
    desk.clock.go_to(CHAIN.round_time(ROUND + 1))
    desk.forge(drawn)
    event = len(desk.records)
    status, said = rutter("verify", files("drawn.ndjson", abandoned(desk)), "--key", SIGNER.vkey)
    assert (status, said.startswith(f"BAD: event {event}: ")) == (1, True), said


def test_a_director_who_reveals_before_the_close(files):
    """Seats that had not revealed could have chosen by what they saw: refused at that event."""
    desk = directed()
    desk.clock.wait(61)
    desk.house()
    desk.do(commit_reveal.reveal_director(desk.game, DIRECTOR.hex()), None)
    desk.house()
    desk.play()
    forgery = Forgery(list(bundle.write_lines(desk.game, desk.records, None, SIGNER)))
    words = ("--key", SIGNER.vkey, "--require", "contributions")
    assert rutter("verify", files("honest.ndjson", forgery.lines(key=SIGNER)), *words)[0] == 0
    closed = forgery.index("RevealsClosed")
    close, reveal = forgery.events[closed : closed + 2]
    forgery.events[closed : closed + 2] = [reveal, close]
    reveal["body"]["at"] = close["body"]["at"]
    status, said = rutter("verify", files("early.ndjson", forgery.lines(key=SIGNER)), "--key", SIGNER.vkey)
    assert (status, said.startswith(f"BAD: event {closed + 1}: ")) == (1, True), said
