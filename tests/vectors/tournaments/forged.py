"""Forged tournaments: a forger holds the log's key, writes what they like, chains it and signs it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from events.base.timestamps import add_milliseconds
from events.clocks.absence_policy import Absence
from events.proof import canonical
from events.proof.randomness import Secrets, sha
from events.rules.bot_names import BotVersion
from events.table import creation
from events.table.engine import Batch
from events.table.seated_bots import settle_bot_versions
from events.table.terms import SeatOccupant
from events.tournament import bundle
from events.tournament import commands as asks
from events.tournament.facts import Effect, RoundEntrant
from events.tournament.state import Round, Table
from events.tournament.table_games import TableGame, make_table_game
from tests.events.forging import SIGNER, STRANGER
from tests.tournament.event_files import (
    ForgedEvent,
    PlayedEvent,
    TableRecording,
    open_honestly,
    receipt_line,
    receipt_of,
)
from tests.tournament.ladders import EVERYBODY
from tests.tournament.recording import bytes_of, contribution
from tests.vectors.tournaments import honest
from tests.vectors.tournaments.honest import SHORT, told_ladder

Change = Callable[[dict[str, Any]], Any]
"""A function that changes the body of an event."""


def changed(made: Any, kind: str, change: Change, nth: int = 0) -> list[bytes]:
    """The bundle of *made* with another body in the place of an event of that *kind*."""
    forged = ForgedEvent(made)
    change(forged.bodies[forged.index(kind, nth)])
    return forged.lines()


def with_data(change: Change) -> Change:
    """A change of the data of an event."""
    return lambda body: change(body["data"])


def digest_again(data: dict[str, Any]) -> None:
    """Let the digest of a pairing fit its pods."""
    data["digest"] = sha(canonical.encode({"byes": data["byes"], "pods": data["pods"]})).hex()


# --- 13a: lines ----------------------------------------------------------------------------------------


def surplus_game() -> list[bytes]:
    """The header and the file have a game of another tournament."""
    lines = honest.ruled_unplayed().lines()
    lines[0] = lines[0].replace(b'"games":0', b'"games":1')
    return [*lines, *PlayedEvent(**SHORT, seed=1).whole(2, (1, 2)).game_lines()]


def running_with_game() -> list[bytes]:
    """The file of a running tournament has the bundle of one of its games."""
    made = honest.running()
    return [*made.own_lines(), *next(iter(made.games.values())).lines()]


def other_scope() -> list[bytes]:
    """The header of a whole tournament says that it runs."""
    lines = honest.ruled_unplayed().lines()
    lines[0] = lines[0].replace(b'"scope":"whole"', b'"scope":"running"')
    return lines


def other_text() -> list[bytes]:
    """The name beside the event is not the one whose digest the event holds."""
    digest, kept = honest.digest_text("name", honest.NAME)
    made = honest.ToldEvent(honest.DUELS, name=digest)
    lines = list(bundle.write_lines(made.state, made.records, {digest: kept}, SIGNER))
    lines[1] = lines[1].replace(honest.NAME.encode(), b"Harbour Cup!")
    return lines


# --- 13b: bodies and commands --------------------------------------------------------------------------


def closed_by_an_entrant() -> list[bytes]:
    """An entrant closes entry."""
    return changed(honest.running(), "EntryClosed", lambda body: body.update(by="e1"))


def closed_early() -> list[bytes]:
    """The server records a confirmation before the time to protest is over."""
    made = honest.ruled()
    forged = ForgedEvent(made)
    at = forged.index("ResultRecorded") + 1
    body = {
        **forged.bodies[at],
        "by": "sys",
        "cmd": "0198f3b2-7c1a-4d3e-9a41-3f2b6c7d8e90",
        "command": {"type": "confirm_result", "round": 1, "table": 1},
        "t": "ResultConfirmed",
        "data": {"by": "sys", "round": 1, "table": 1},
    }
    forged.bodies.insert(at, body)
    return forged.lines()


def time_backwards() -> list[bytes]:
    """An event is older than the one before it."""
    earlier = add_milliseconds(honest.BEGAN, -1)
    return changed(honest.running(), "EntryClosed", lambda body: body.update(at=earlier))


def after_the_end() -> list[bytes]:
    """An event follows on the end."""
    forged = ForgedEvent(honest.ruled_unplayed())
    forged.bodies.append({**forged.bodies[1], "cmd": "0198f3b2-7c1a-4d3e-9a41-3f2b6c7d8e90"})
    return forged.lines()


def same_id_twice() -> list[bytes]:
    """Two tables name one game."""

    def change(data: dict[str, Any]) -> None:
        data["games"][1] = data["games"][0]

    return changed(honest.running(), "RoundStarted", with_data(change))


# --- 13c: randomness -----------------------------------------------------------------------------------


def other_mix() -> list[bytes]:
    """U leaves out what an entrant revealed."""
    return changed(honest.running(), "RandomnessFixed", with_data(lambda data: data.update(mix="00" * 32)))


def other_reveal() -> list[bytes]:
    """A revealed contribution is not the one that was committed to."""

    def change(body: dict[str, Any]) -> None:
        for part in (body["data"], body["command"]):
            part["contribution"] = contribution(7).hex()

    return changed(honest.running(), "ContributionRevealed", change)


def other_secret() -> list[bytes]:
    """A disclosed secret is not the one that was committed to."""
    return changed(
        honest.ruled_unplayed(),
        "TournamentClosed",
        with_data(lambda data: data["disclosed"].update(tables="00" * 32)),
    )


def skipped_draw() -> list[bytes]:
    """A pairing leaves a draw out and takes the next one."""
    made = honest.running()
    forged = ForgedEvent(made)
    data = forged.bodies[forged.index("RoundPaired")]["data"]
    data["draw"] = {"k": 2, "s": made.chain.element(2).hex()}
    return forged.lines()


def foreign_element() -> list[bytes]:
    """The last draw of a running tournament shows an element that is not on the chain."""

    def change(data: dict[str, Any]) -> None:
        data["draw"]["s"] = "00" * 32

    return changed(honest.running(), "RoundPaired", with_data(change), 1)


@cache
def _without_a_reveal() -> PlayedEvent:
    made = PlayedEvent(**SHORT)
    made.give("d1", asks.OpenEntry())
    made.enter(2, contributing=(1, 2))
    made.give("d1", asks.CloseEntry())
    made.give("e1", asks.Reveal(contribution(1).hex()))
    return honest.finished(made)


def dropped_reveal() -> list[bytes]:
    """The operator drops the reveal of e2 and goes on with the luck that follows."""
    return _without_a_reveal().lines()


def held_receipts() -> list[bytes]:
    """The receipt that e2 holds for their reveal."""
    made = honest.duel()
    record = [one for one in made.records if one.type == "ContributionRevealed"][1]
    return [receipt_line(receipt_of(made, record))]


# --- 13d and 13e: pairings and seats ---------------------------------------------------------------------


def exchanged_pairing() -> list[bytes]:
    """Two entrants change tables, and the digest says so."""

    def change(data: dict[str, Any]) -> None:
        pods = data["pods"]
        pods[0][0], pods[1][0] = pods[1][0], pods[0][0]
        digest_again(data)

    return changed(honest.waiting(), "RoundPaired", with_data(change))


def drawn_twice() -> list[bytes]:
    """A director has the round drawn once more."""
    forged = ForgedEvent(honest.waiting())
    again = {
        **forged.bodies[-1],
        "by": "d1",
        "cmd": "0198f3b2-7c1a-4d3e-9a41-3f2b6c7d8e90",
    }
    forged.bodies.append(again)
    return forged.lines()


def other_bye() -> list[bytes]:
    """Somebody else has the bye of the second round."""

    def change(data: dict[str, Any]) -> None:
        data["pods"][0][0], data["byes"][0] = data["byes"][0], data["pods"][0][0]
        digest_again(data)

    return changed(honest.byes(), "RoundPaired", with_data(change), 2)


def other_plan() -> list[bytes]:
    """In a plan of all rounds the tables of the last two rounds change places."""
    forged = ForgedEvent(honest.rotation())
    third, fourth = (forged.bodies[forged.index("RoundPaired", nth)]["data"] for nth in (2, 3))
    for name in ("pods", "byes", "repeats"):
        third[name], fourth[name] = fourth[name], third[name]
    digest_again(third)
    digest_again(fourth)
    return forged.lines()


def other_seeds() -> list[bytes]:
    """The drawn seeds of a knockout are others."""

    def change(data: dict[str, Any]) -> None:
        data["seeds"].reverse()

    return changed(honest.knockout_drawn(), "RoundPaired", with_data(change))


def paired_by_a_director() -> list[bytes]:
    """A director pairs a ladder by ratings of their own."""
    return changed(told_ladder(), "RoundPaired", lambda body: body.update(by="d1"))


def made_up_ratings() -> list[bytes]:
    """The server pairs a ladder by a rating that the export does not have."""
    return told_ladder(("e2", 1700)).lines()


def exchanged_seats() -> list[bytes]:
    """Two entrants of one table change seats, and the digest says so."""

    def change(data: dict[str, Any]) -> None:
        data["pods"][0].reverse()
        digest_again(data)

    return changed(honest.waiting(), "RoundPaired", with_data(change))


# --- 13f: the start --------------------------------------------------------------------------------------


def struck_plays() -> list[bytes]:
    """Who left before the start sits at a table all the same."""
    drawn = honest.struck().state.rounds[0].drawn

    def change(data: dict[str, Any]) -> None:
        data["pods"] = [[f"e{number}" for number in pod] for pod in drawn.pods]
        data["byes"] = []
        data["games"] = [f"0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e9{number}" for number in range(3)]

    return changed(honest.struck(), "RoundStarted", with_data(change))


def joined_elsewhere() -> list[bytes]:
    """The member of a dissolved table who has a bye changes places with one who found a table."""

    def change(data: dict[str, Any]) -> None:
        data["pods"][0][-1], data["byes"][0] = data["byes"][0], data["pods"][0][-1]

    return changed(honest.struck(), "RoundStarted", with_data(change))


# --- 13g: standings ----------------------------------------------------------------------------------------


def other_standings() -> list[bytes]:
    """The digest of the final standings is that of others."""
    return changed(
        honest.byes(), "TournamentClosed", with_data(lambda data: data.update(standings="ab" * 32))
    )


def not_closed_again() -> list[bytes]:
    """A ruling takes a game from an entrant after the round, whose standings stay as they were."""
    made = honest.ToldEvent(honest.DUELS)
    made.begin(4, EVERYBODY)
    made.play()
    made.house(asks.PairRound)
    forfeit = Effect(forfeit=RoundEntrant("e1", 1))
    made.give("d1", asks.Rule("conduct", (forfeit,)))
    forged = ForgedEvent(made)
    forged.bodies = forged.bodies[: forged.index("Ruled") + 1]
    return forged.lines()


def other_advancing() -> list[bytes]:
    """Another order of seeds goes on to the next stage."""
    return changed(honest.knockout(), "StageClosed", with_data(lambda data: data["advancing"].reverse()))


# --- 13h: games --------------------------------------------------------------------------------------------


class OtherSecretsEvent(PlayedEvent):
    """A tournament whose games have secrets that the forger chose."""

    def create(self, one: Round, table: Table) -> TableRecording:
        """Create the game of a table."""
        wanted = make_table_game(self.state, self.secrets.tables or b"", one, table)
        chosen = Secrets(*(bytes_of(name, "chosen") for name in ("anchor", "deal", "hide", "bot")))
        wanted = replace(wanted, tied=replace(wanted.tied, secrets=chosen))
        made = TableRecording(wanted, one.started_at, open_honestly)
        self.games[table.game] = made
        return made


def _opened(create: Callable[[TableGame, Mapping[str, str]], Batch]) -> list[bytes]:
    return PlayedEvent(**SHORT, openings={(1, 1): create}).whole(2, (1, 2)).lines()


def bot_in_a_seat() -> list[bytes]:
    """A bot sits in the seat of an entrant."""

    def create(wanted: TableGame, commitments: Mapping[str, str]) -> Batch:
        batch = open_honestly(wanted, commitments)
        seated = creation.seat_facts(1, SeatOccupant(bot="random"))
        made = settle_bot_versions({}, seated, lambda _bot: BotVersion(1))
        return Batch([*batch.facts[:-1], *made])

    return _opened(create)


def chosen_position() -> list[bytes]:
    """The game starts from a position of the operator's making."""

    def create(wanted: TableGame, commitments: Mapping[str, str]) -> Batch:
        position = {**SHORT["position"], "points": [20, 0]}
        return open_honestly(replace(wanted, position=position), commitments)

    return _opened(create)


def other_terms() -> list[bytes]:
    """Who is absent is treated otherwise than the tournament settled."""

    def create(wanted: TableGame, commitments: Mapping[str, str]) -> Batch:
        return open_honestly(
            replace(wanted, terms=replace(wanted.terms, absence=Absence(misses=9))), commitments
        )

    return _opened(create)


def other_contributions() -> list[bytes]:
    """U of the game leaves the contributions out."""
    return PlayedEvent(**SHORT, mixed={(1, 1): bytes(32)}).whole(2, (1, 2)).lines()


def other_game_secrets() -> list[bytes]:
    """The secrets of the game are not those that follow from the tournament's."""
    return OtherSecretsEvent(**SHORT).whole(2, (1, 2)).lines()


def other_result() -> list[bytes]:
    """The result of a game is recorded with the places exchanged."""

    def change(body: dict[str, Any]) -> None:
        for part in (body["data"], body["command"]):
            part["places"] = part["places"][::-1]

    return changed(honest.duel(), "ResultRecorded", change)


def missing_game() -> list[bytes]:
    """A table played again, and its first game is left out."""
    made = honest.replayed()
    first = made.state.rounds[0].tables[0].games[0]
    lines = [*made.own_lines(), *made.game_lines(first)]
    lines[0] = lines[0].replace(b'"games":2', b'"games":1')
    return lines


@cache
def _hidden_game() -> tuple[PlayedEvent, TableRecording]:
    made = honest.ruled_unplayed()
    one = made.state.rounds[0]
    table = replace(one.tables[0], ruled=None)
    hidden = made.create(one, table)
    hidden.play()
    return made, hidden


def never_linked() -> list[bytes]:
    """A game that was played vanishes behind a ruling: it is in the file, but no event links it."""
    made, hidden = _hidden_game()
    lines = made.own_lines()
    lines[0] = lines[0].replace(b'"games":0', b'"games":1')
    return [*lines, *hidden.lines()]


def hidden_receipts() -> list[bytes]:
    """The receipt of a player of the game that was never linked."""
    _, hidden = _hidden_game()
    return [receipt_line(receipt_of(hidden.game, hidden.records[-1]))]


# --- 13i: the order --------------------------------------------------------------------------------------


def strange_key() -> list[bytes]:
    """A stranger signs a forged pairing: the signature is looked at first."""
    forged = ForgedEvent(honest.waiting())
    forged.bodies[-1]["data"]["pods"][0].reverse()
    return forged.lines(STRANGER)


def broken_chain() -> list[bytes]:
    """The body of an event is changed without its hash, and it is no command of a tournament either."""
    lines = honest.waiting().lines()
    line = json.loads(lines[3])
    line["body"] = line["body"].replace('"by":"e1"', '"by":"e9"')
    lines[3] = canonical.encode(line) + b"\n"
    return lines
