"""The facts of a tournament. All of it is public; texts are digests, people are ``e7`` and ``d1``.

Each fact folds the :class:`events.tournament.state.Tournament`, whose place in the chain and time are already
those of its own event (`evolve.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from events.rules.fact import Fact, Json, Who
from events.rules.kit.values import put
from events.rules.kit.words import format_count, format_list, plural, sentences
from events.table.conduct_facts import RulingCause, clock_time
from events.tournament import settings as terms
from events.tournament.pairing import RoundDraw, sort_pair
from events.tournament.settings import Digest
from events.tournament.state import (
    Award,
    Dispute,
    Draw,
    Entrant,
    Order,
    Result,
    Role,
    Round,
    Ruling,
    Substitute,
    Table,
    Tournament,
    number_of,
)

EntrantName = Annotated[str, Meta(pattern="^e[1-9][0-9]{0,3}$")]
DirectorName = Annotated[str, Meta(pattern="^d[1-9][0-9]?$")]
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Uuid = Annotated[str, Meta(pattern="^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
Number = Annotated[int, Meta(ge=1, le=4096)]


def _entrant_label(name: str) -> str:
    """Return the label of an entrant whose name is not known here, such as ``Entrant 7``."""
    return (
        f"{'Entrant' if name.startswith('e') else 'Director'} {name[1:]}" if name != "sys" else "The server"
    )


def _join_entrants(names: Any) -> str:
    return format_list([_entrant_label(name) for name in names], "nobody")


says = sentences(
    name=_entrant_label,
    names=_join_entrants,
    time=clock_time,
    tables=lambda pods: format_count(len(pods), "table"),
    play=lambda many: f"{format_count(len(many), 'entrant')} {plural(len(many), 'plays', 'play')}",
    go_on=lambda many: f"{format_count(len(many), 'entrant')} {plural(len(many), 'goes', 'go')} on",
)


# --- settings and people -------------------------------------------------------------------------------


class TournamentOpened(Fact, frozen=True):
    """The first event of every tournament: versions of the rules, commitments, settings."""

    settings: Json
    """All settings of the tournament."""
    version: int
    """The version of the rules of tournaments."""
    title_version: int
    """The version of the title's rules."""
    data_hash: str
    """The hash of the title's static data (hex)."""
    position_hash: str | None
    """SHA-256 (hex) of the canonical position from which every table starts."""
    chance: dict[str, str]
    """Commitments (hex): ``s_0``, ``deal``, ``hide``, ``bot``, ``tables``."""
    draws: int
    """L, the number of draws that the reverse chain provides for."""
    proto: int
    """The version of the protocol of events."""
    service: str
    """The origin of the server: the name under which it signs."""
    tell = says("A tournament is set up.")

    def fold(self, state: Tournament) -> Tournament:
        settings = msgspec.convert(self.settings, terms.Settings)
        return replace(
            state,
            settings=settings,
            title_version=self.title_version,
            data_hash=self.data_hash,
            commitments=self.chance,
            draws=self.draws,
            service=self.service,
            directors={number: one.role for number, one in enumerate(settings.directors, 1)},
            named=len(settings.directors),
            appointed=dict.fromkeys(range(1, len(settings.directors) + 1), state.cmd),
            created_at=state.at,
            opened=state.cmd,
            stage_opened_at=state.at,
        )


class SettingsChanged(Fact, frozen=True):
    """Settings are changed, each to a whole new value."""

    changes: Json
    """The settings that change, each with its whole new value."""
    tell = says("The settings were changed.")

    def fold(self, state: Tournament) -> Tournament:
        return replace(state, settings=terms.apply_changes(state.settings, self.changes))


class DirectorNamed(Fact, frozen=True):
    """A director is named, or gets another role."""

    director: DirectorName
    """The director, such as `d1`."""
    role: Role
    """The role that the director gets."""
    tell = says("{director:name} is named ({role}).")

    def fold(self, state: Tournament) -> Tournament:
        number = number_of(self.director)
        return replace(
            state,
            directors={**state.directors, number: self.role},
            named=max(state.named, number),
            appointed={number: state.cmd, **state.appointed},
        )


class DirectorDropped(Fact, frozen=True):
    """A director is removed, and no longer runs the tournament."""

    director: DirectorName
    """The director, such as `d1`."""
    tell = says("{director:name} is a director no more.")

    def fold(self, state: Tournament) -> Tournament:
        gone = number_of(self.director)
        return replace(state, directors={n: role for n, role in state.directors.items() if n != gone})


class EntryOpened(Fact, frozen=True):
    """Entry is open: everybody who meets the conditions can enter."""

    tell = says("Entry is open.")

    def fold(self, state: Tournament) -> Tournament:
        return replace(state, status="open")


class EntryClosed(Fact, frozen=True):
    """Entry is closed: from now on it is fixed who plays.

    The hash of this event is fixed before anybody reveals a contribution.
    """

    entrants: tuple[EntrantName, ...]
    """The entrants who play."""
    tell = says("Entry is closed: {entrants:play}.")

    def fold(self, state: Tournament) -> Tournament:
        playing = {number_of(name) for name in self.entrants}
        entrants = tuple(
            replace(one, reserve=False) if one.number in playing else one for one in state.entrants
        )
        return replace(
            state, status="running", entrants=entrants, closing=state.head, entry_closed_at=state.at
        )


class Entered(Fact, frozen=True):
    """An entrant joins the tournament."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    late: int
    """The first round of an entrant who enters late; 0 for all who entered before the close."""
    reserve: bool
    """True if the entrant is in the reserve and waits for a free place."""
    commitment: Hex32 | None
    """The commitment to a contribution to the randomness."""
    tell = says("{entrant:name} enters.")

    def fold(self, state: Tournament) -> Tournament:
        one = Entrant(
            number_of(self.entrant),
            None if state.settings.entry.approval else True,
            claim=state.cmd,
            late=self.late,
            since=self.late,
            reserve=self.reserve,
            commitment=self.commitment,
        )
        return replace(state, entrants=(*state.entrants, one))


class EntryDecided(Fact, frozen=True):
    """A director admits or rejects an entrant."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    accepted: bool
    """True if the entrant is admitted."""

    def fold(self, state: Tournament) -> Tournament:
        since = state.next_round if state.entry_closed_at else 0
        return state.with_entrant(number_of(self.entrant), accepted=self.accepted, since=since)

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells a yes or a no."""
        return f"{_entrant_label(data['entrant'])} is {'' if data['accepted'] else 'not '}admitted."


class CheckedIn(Fact, frozen=True):
    """An entrant checks in for a round."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    round: Number
    """The number of the round, from 1."""
    contribution: Hex32 | None
    """The contribution to the randomness, if the entrant committed to one and reveals it now."""
    tell = says("{entrant:name} is there for round {round}.")

    def fold(self, state: Tournament) -> Tournament:
        found = state.entrant(self.entrant)
        contribution = found.contribution if self.contribution is None else self.contribution
        return state.with_entrant(found.number, checked=self.round, contribution=contribution)


class ContributionRevealed(Fact, frozen=True):
    """An entrant reveals a contribution to the randomness, in a tournament without check-in."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    contribution: Hex32
    """The contribution (hex)."""
    tell = says("{entrant:name} reveals a contribution to the randomness.")

    def fold(self, state: Tournament) -> Tournament:
        return state.with_entrant(number_of(self.entrant), contribution=self.contribution)


class Withdrew(Fact, frozen=True):
    """An entrant withdraws, and plays no further rounds."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    by: str
    """The actor that caused it, such as `e7`, `d1`, or `sys` for the server."""
    cause: RulingCause | None
    """The cause, one of a fixed list."""
    text: Digest | None
    """The digest of a text that was sent with it, or null without one."""
    tell = says("{entrant:name} withdraws.")

    def fold(self, state: Tournament) -> Tournament:
        return state.strike_entrant(number_of(self.entrant), withdrawn=True)


class Returned(Fact, frozen=True):
    """An entrant who withdrew plays again. The missed rounds count nothing."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    points: int
    """The points for the missed rounds, in units of 1/2520."""
    tell = says("{entrant:name} is back.")

    def fold(self, state: Tournament) -> Tournament:
        one = state.entrant(self.entrant)
        since = max(one.since, state.next_round) if one.left_early and state.next_round > 1 else one.since
        return state.with_entrant(one.number, withdrawn=False, left_early=False, since=since)


class PairForbidden(Fact, frozen=True):
    """Two entrants may not meet."""

    entrants: tuple[EntrantName, EntrantName]
    """The two entrants."""
    cause: RulingCause
    """The cause, one of a fixed list."""
    text: Digest | None
    """The digest of a text that was sent with it, or null without one."""
    tell = says("{entrants:names} are not to meet ({cause}).")

    def fold(self, state: Tournament) -> Tournament:
        two = sort_pair(map(number_of, self.entrants))
        return state if two in state.forbidden else replace(state, forbidden=(*state.forbidden, two))


class ByeAsked(Fact, frozen=True):
    """An entrant does not play a round, for half of what a bye is worth."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    round: Number
    """The number of the round, from 1."""
    tell = says("{entrant:name} asks for a bye in round {round}.")

    def fold(self, state: Tournament) -> Tournament:
        found = state.entrant(self.entrant)
        return state.with_entrant(found.number, asked=(*found.asked, self.round))


class Ready(Fact, frozen=True):
    """An entrant waits for a game of the ladder."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    tell = says("{entrant:name} is ready.")

    def fold(self, state: Tournament) -> Tournament:
        return state.with_entrant(number_of(self.entrant), ready=True)


class NotReady(Fact, frozen=True):
    """An entrant stops waiting for a game of the ladder."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    tell = says("{entrant:name} is not ready any more.")

    def fold(self, state: Tournament) -> Tournament:
        return state.with_entrant(number_of(self.entrant), ready=False)


# --- rounds --------------------------------------------------------------------------------------------


class RandomnessFixed(Fact, frozen=True):
    """All contributions are in: from now on every draw is fixed."""

    mix: Hex32
    """The mixed contributions (hex), from which all draws follow."""
    missing: tuple[EntrantName, ...]
    """The entrants who committed and did not reveal. Their contributions count as empty."""

    def fold(self, state: Tournament) -> Tournament:
        return replace(state, mixed=bytes.fromhex(self.mix), fixed_at=state.at)

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the event; it names those who kept their contribution back."""
        late = f" {_join_entrants(data['missing'])} did not reveal a contribution." if data["missing"] else ""
        return f"The randomness is fixed.{late}"


class RoundPaired(Fact, frozen=True):
    """The pairing of a round. It is drawn once; a pairing that a director sets replaces it."""

    stage: Number
    """The number of the stage, from 1."""
    round: Number
    """The number of the round, from 1."""
    pods: tuple[tuple[EntrantName, ...], ...]
    """The entrants by table, in seat order."""
    byes: tuple[EntrantName, ...]
    """The entrants who have a bye."""
    draw: Draw | None
    """The draw behind the pairing. Null if a director set it, or if nothing was drawn."""
    repeats: int
    """The number of pairs at one table that have met before."""
    gap: int
    """The largest difference at one table, in whole points."""
    attempts: int
    """The number of orders that were drawn."""
    digest: Hex32
    """SHA-256 over the canonical JSON of byes and pods."""
    by: str | None = None
    """The director who set the pairing, or null if it was drawn."""
    cause: RulingCause | None = None
    """The cause, one of a fixed list."""
    text: Digest | None = None
    """The digest of a text that was sent with it, or null without one."""
    seeds: tuple[EntrantName, ...] | None = None
    """The entrants by seed, best first. Set if a tournament begins with a knockout; then the seeds are
    drawn."""
    position: int | None = None
    """Of a ladder: the position of the rating export at which the ratings stood."""
    tell = says("Round {round} is paired: {pods:tables}.")

    def fold(self, state: Tournament) -> Tournament:
        drawn = RoundDraw(
            tuple(tuple(map(number_of, pod)) for pod in self.pods),
            tuple(map(number_of, self.byes)),
            self.repeats,
            self.gap,
            self.attempts,
        )
        tables = tuple(Table(number, pod) for number, pod in enumerate(drawn.pods, 1))
        paired = Round(self.round, self.stage, drawn, self.draw, state.at, tables, drawn.byes)
        there = {*paired.players, *drawn.byes}
        entrants = tuple(
            replace(_take_from_reserve(one, self.round), ready=one.ready and one.number not in paired.players)
            if one.number in there
            else one
            for one in state.entrants
        )
        drawn_so_far = state.drawn if self.draw is None else max(state.drawn, self.draw.k)
        seeds = state.seeds if self.seeds is None else tuple(map(number_of, self.seeds))
        return replace(state.with_round(paired), entrants=entrants, drawn=drawn_so_far, seeds=seeds)


def _take_from_reserve(one: Entrant, number: int) -> Entrant:
    """Return an entrant who plays from round *number* on; one of the reserve leaves it."""
    return replace(one, reserve=False, since=number) if one.reserve else one


class SeatChosen(Fact, frozen=True):
    """A finalist chooses a seat."""

    round: Number
    """The number of the round, from 1."""
    table: Number
    """The number of the table, from 1."""
    entrant: EntrantName
    """The entrant, such as `e7`."""
    seat: int
    """The number of the seat: 0, 1, 2 and so on."""
    tell = says("{entrant:name} chooses seat {seat}.")

    def fold(self, state: Tournament) -> Tournament:
        found = state.rounds[self.round - 1]
        return state.with_round(replace(found, chosen=(*found.chosen, (number_of(self.entrant), self.seat))))


class RoundStarted(Fact, frozen=True):
    """A round begins. It names the game of each table. Entrants who left since the pairing are struck."""

    round: Number
    """The number of the round, from 1."""
    games: tuple[Uuid, ...]
    """By table, the id of its game."""
    pods: tuple[tuple[EntrantName, ...], ...]
    """The entrants by table, in seat order: as paired, or as seats were chosen."""
    byes: tuple[EntrantName, ...]
    """The entrants who have a bye."""
    tell = says("Round {round} begins.")

    def fold(self, state: Tournament) -> Tournament:
        found = state.rounds[self.round - 1]
        tables = tuple(
            Table(number, tuple(map(number_of, pod)), game)
            for number, (pod, game) in enumerate(zip(self.pods, self.games, strict=True), 1)
        )
        byes = tuple(map(number_of, self.byes))
        for number in found.players.intersection(byes) if state.format.format == "ladder" else ():
            state = state.with_entrant(number, ready=True)
        started = replace(found, started_at=state.at, hash=state.head, tables=tables, byes=byes)
        return state.with_round(started)


class TableLinked(Fact, frozen=True):
    """The game of a table has been created and is linked to it."""

    round: Number
    """The number of the round, from 1."""
    table: Number
    """The number of the table, from 1."""
    game: Uuid
    """The id of the game."""
    head: Hex32
    """The hash of the game's first event."""
    tell = says("Table {table} of round {round} plays.")

    def fold(self, state: Tournament) -> Tournament:
        return state.with_table(self.round, self.table, head=self.head)


class SubstituteNamed(Fact, frozen=True):
    """A substitute plays on for an entrant."""

    round: Number
    """The number of the round, from 1."""
    table: Number
    """The number of the table, from 1."""
    seat: int
    """The number of the seat: 0, 1, 2 and so on."""
    out: EntrantName
    """The entrant who leaves."""
    into: EntrantName
    """The entrant who plays on."""
    tell = says("{into:name} plays on for {out:name} at table {table} of round {round}.")

    def fold(self, state: Tournament) -> Tournament:
        found = state.rounds[self.round - 1].tables[self.table - 1]
        change = Substitute(self.seat, number_of(self.out), number_of(self.into))
        if found.head is None:  # before the game is there they take the place, else they only play on
            seated = put(found.entrants, self.seat, change.into)
            changed = state.with_table(self.round, self.table, entrants=seated)
        else:
            changed = state.with_table(self.round, self.table, substitutes=(*found.substitutes, change))
        into = _take_from_reserve(state.entrants[change.into - 1], self.round)
        return changed.with_entrant(change.into, reserve=False, since=into.since)


class ResultRecorded(Fact, frozen=True):
    """The end of the game of a table, with its result."""

    round: Number
    """The number of the round, from 1."""
    table: Number
    """The number of the table, from 1."""
    game: Uuid
    """The id of the game."""
    seq: Annotated[int, Meta(ge=1)]
    """The number of the game's last event."""
    head: Hex32
    """The hash of that event."""
    places: tuple[Annotated[int, Meta(ge=1, le=terms.MAX_SEATS)], ...] | None
    """The places by seat, or null if the rules did not end the game."""
    scores: tuple[int, ...] | None
    """By seat, the scores of the game, or null without a result."""
    left: tuple[int | None, ...]
    """By seat, the event with which its entrant left the game before the end, or null."""

    def fold(self, state: Tournament) -> Tournament:
        result = Result(self.game, self.places, self.scores, self.left, state.at)
        return state.with_table(self.round, self.table, result=result, confirms=(), confirmed=False)

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the end, with or without a result."""
        how = "has ended" if data["places"] else "ended without a result"
        return f"The game at table {data['table']} of round {data['round']} {how}."


class ResultConfirmed(Fact, frozen=True):
    """An entrant of the table confirms its result, or the server does because nobody disputed it."""

    round: Number
    """The number of the round, from 1."""
    table: Number
    """The number of the table, from 1."""
    by: str
    """The actor that caused it, such as `e7`, `d1`, or `sys` for the server."""
    tell = says("{by:name} confirms the result of table {table} of round {round}.")

    def fold(self, state: Tournament) -> Tournament:
        if self.by == "sys":
            return state.with_table(self.round, self.table, confirmed=True)
        found = state.rounds[self.round - 1].tables[self.table - 1]
        confirms = tuple(sorted({*found.confirms, number_of(self.by)}))
        everybody = set(found.holders) <= set(confirms)
        return state.with_table(self.round, self.table, confirms=confirms, confirmed=everybody)


class RoundClosed(Fact, frozen=True):
    """All results of a round are final. A later event for the same round means that a ruling changed them."""

    round: Number
    """The number of the round, from 1."""
    standings: Hex32
    """SHA-256 over the canonical JSON of the standings after it."""
    draw: Draw | None
    """The draw behind the lots, if lots break ties. It stays when the round is closed again."""
    tell = says("Round {round} is closed.")

    def fold(self, state: Tournament) -> Tournament:
        found = state.rounds[self.round - 1]
        closed = replace(
            found, standings=self.standings, lot=self.draw, closed_at=found.closed_at or state.at
        )
        drawn = state.drawn if self.draw is None else max(state.drawn, self.draw.k)
        return replace(state.with_round(closed), drawn=drawn)


class StageClosed(Fact, frozen=True):
    """A stage is over. It names the entrants who advance, best first."""

    stage: Number
    """The number of the stage, from 1."""
    advancing: tuple[EntrantName, ...]
    """The entrants who advance, best first."""
    tell = says("Stage {stage} is over. {advancing:go_on}.")

    def fold(self, state: Tournament) -> Tournament:
        return replace(
            state,
            stage=self.stage + 1,
            seeds=tuple(map(number_of, self.advancing)),
            stage_opened_at=state.at,
        )


# --- disputes and rulings ------------------------------------------------------------------------------


class DisputeRaised(Fact, frozen=True):
    """An entrant raises a dispute."""

    dispute: Number
    """The number of the dispute."""
    by: EntrantName
    """The actor that caused it, such as `e7`, `d1`, or `sys` for the server."""
    round: Number | None
    """The number of the round, from 1."""
    table: Number | None
    """The number of the table, from 1."""
    against: EntrantName | None
    """The entrant it is about, or null."""
    text: Digest | None
    """The digest of a text that was sent with it, or null without one."""
    tell = says("{by:name} raises dispute {dispute}.")

    def fold(self, state: Tournament) -> Tournament:
        made = Dispute(self.dispute, number_of(self.by), self.round, self.table)
        return replace(state, disputes=(*state.disputes, made))


class TableReference(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a round; by default of the newest round that has started."""

    table: Number
    """The number of the table, from 1."""
    round: Number | None = None
    """The number of the round, from 1."""


class SetResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The places of a table, by seat."""

    table: Number
    """The number of the table, from 1."""
    places: tuple[Annotated[int, Meta(ge=1, le=terms.MAX_SEATS)], ...]
    """By seat, the places."""
    round: Number | None = None
    """The number of the round, from 1."""


class GivePoints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points for an entrant, in units of 1/2520. Negative numbers take points."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    add: Annotated[int, Meta(ge=-(10**9), le=10**9)]
    """The points that are added, in units of 1/2520. A negative number takes points."""


class RoundEntrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entrant in a round."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    round: Number
    """The number of the round, from 1."""


class EntrantReference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entrant."""

    entrant: EntrantName
    """The entrant, such as `e7`."""


class AddTime(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Time for a seat of a game."""

    game: Uuid
    """The id of the game."""
    seat: Annotated[int, Meta(ge=0, lt=terms.MAX_SEATS)]
    """The number of the seat: 0, 1, 2 and so on."""
    add_ms: Annotated[int, Meta(ge=1, le=5_184_000_000)]
    """Milliseconds that are added."""


class GameReference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game."""

    game: Uuid
    """The id of the game."""


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One change that a ruling makes: exactly one of these members is set."""

    result: SetResult | None = None
    """A result that replaces the recorded one."""
    points: GivePoints | None = None
    """Points that are given or taken."""
    replay: TableReference | None = None
    """The table that plays again."""
    forfeit: RoundEntrant | None = None
    """An entrant who forfeits a round."""
    disqualify: EntrantReference | None = None
    """An entrant who is disqualified."""
    warn: EntrantReference | None = None
    """An entrant who is warned."""
    add_time: AddTime | None = None
    """Time that is added on a clock."""
    end_game: GameReference | None = None
    """The table whose game ends."""
    rating: Literal["void"] | None = None
    """`void`: the game of the table does not count for ratings."""

    @property
    def kind(self) -> str | None:
        """The name of the effect that is set; None if it is not exactly one."""
        found = [name for name in self.__struct_fields__ if getattr(self, name) is not None]
        return found[0] if len(found) == 1 else None


class Ruled(Fact, frozen=True):
    """A director gives a ruling. Standings follow from results, then from rulings."""

    ruling: Number
    """The number of the ruling."""
    dispute: Number | None
    """The dispute that it decides, or null."""
    appeal: Number | None
    """The ruling whose appeal it decides, or null."""
    by: DirectorName
    """The actor that caused it, such as `e7`, `d1`, or `sys` for the server."""
    kind: str
    """The kind of ruling, a word that the director chose."""
    effects: tuple[Effect, ...]
    """The changes that the ruling makes."""
    text: Digest | None
    """The digest of a text that was sent with it, or null without one."""
    tell = says("{by:name} gives ruling {ruling} ({kind}).")

    def fold(self, state: Tournament) -> Tournament:
        made = Ruling(self.ruling, number_of(self.by), state.at)
        disputes = tuple(
            replace(one, open=False) if one.number == self.dispute else one for one in state.disputes
        )
        rulings = tuple(
            replace(one, decided=True) if one.number == self.appeal else one for one in state.rulings
        )
        state = replace(state, disputes=disputes, rulings=(*rulings, made))
        for place, effect in enumerate(self.effects):
            state = _EFFECTS.get(effect.kind or "", _apply_nothing)(state, effect)
            state = self._add_order(state, place, effect)
        return state

    def _add_order(self, state: Tournament, place: int, effect: Effect) -> Tournament:
        """Return *state* with the order that *effect* gives about a game, if it gives one."""
        by = number_of(self.by)
        if effect.add_time is not None:
            added = effect.add_time
            order = Order(self.ruling, place, added.game, by, added.seat, added.add_ms)
        elif effect.end_game is not None:
            order = Order(self.ruling, place, effect.end_game.game, by)
        else:
            return state
        return replace(state, orders=(*state.orders, order))


def _apply_nothing(state: Tournament, _effect: Effect) -> Tournament:
    """Return *state* unchanged, for effects in a game or on ratings."""
    return state


def _apply_result(state: Tournament, effect: Effect) -> Tournament:
    assert effect.result is not None  # noqa: S101 - it is of this kind
    found, table = state.table(effect.result.round, effect.result.table)
    return state.with_table(found.number, table.number, ruled=effect.result.places, confirmed=True)


def _apply_points(state: Tournament, effect: Effect) -> Tournament:
    assert effect.points is not None  # noqa: S101 - it is of this kind
    since = max(1, state.closed_rounds)
    award = Award(number_of(effect.points.entrant), effect.points.add, since)
    return replace(state, awards=(*state.awards, award))


def _apply_forfeit(state: Tournament, effect: Effect) -> Tournament:
    assert effect.forfeit is not None  # noqa: S101 - it is of this kind
    number, found = number_of(effect.forfeit.entrant), state.round(effect.forfeit.round)
    for table in found.tables:
        if number in (*table.entrants, *table.holders):
            forfeits = tuple(sorted({*table.forfeits, number}))
            ended = table.result is not None
            return state.with_table(
                found.number, table.number, forfeits=forfeits, confirmed=table.confirmed or ended
            )
    return state


def _apply_disqualification(state: Tournament, effect: Effect) -> Tournament:
    assert effect.disqualify is not None  # noqa: S101 - it is of this kind
    left_early = state.entrant(effect.disqualify.entrant).left_early
    state = state.strike_entrant(number_of(effect.disqualify.entrant), disqualified=True)
    return state.with_entrant(number_of(effect.disqualify.entrant), left_early=left_early)


def _apply_warning(state: Tournament, effect: Effect) -> Tournament:
    assert effect.warn is not None  # noqa: S101 - it is of this kind
    found = state.entrant(effect.warn.entrant)
    return state.with_entrant(found.number, warnings=found.warnings + 1)


_EFFECTS = {
    "result": _apply_result,
    "points": _apply_points,
    "forfeit": _apply_forfeit,
    "disqualify": _apply_disqualification,
    "warn": _apply_warning,
}


class TableReplayed(Fact, frozen=True):
    """A table plays again. Its earlier game does not count."""

    round: Number
    """The number of the round, from 1."""
    table: Number
    """The number of the table, from 1."""
    attempt: Annotated[int, Meta(ge=1)]
    """1 for the first replay of the table, then 2 and so on."""
    game: Uuid
    """The id of its new game."""
    tell = says("Table {table} of round {round} plays again.")

    def fold(self, state: Tournament) -> Tournament:
        found = state.rounds[self.round - 1]
        before = found.tables[self.table - 1]
        fresh = Table(
            before.number,
            before.holders,
            self.game,
            self.attempt,
            (*before.games, before.game),
        )
        return state.with_round(replace(found, tables=put(found.tables, self.table - 1, fresh)))


class Appealed(Fact, frozen=True):
    """An entrant appeals against a ruling."""

    ruling: Number
    """The number of the ruling."""
    by: EntrantName
    """The actor that caused it, such as `e7`, `d1`, or `sys` for the server."""
    text: Digest | None
    """The digest of a text that was sent with it, or null without one."""
    tell = says("{by:name} appeals against ruling {ruling}.")

    def fold(self, state: Tournament) -> Tournament:
        rulings = tuple(
            replace(one, appealed=True) if one.number == self.ruling else one for one in state.rulings
        )
        return replace(state, rulings=rulings)


class TournamentPaused(Fact, frozen=True):
    """The tournament is paused: no round is paired, started or closed until then."""

    until: str
    """The time until which it lasts."""
    by: str
    """The actor that caused it, such as `e7`, `d1`, or `sys` for the server."""
    cause: RulingCause
    """The cause, one of a fixed list."""
    text: Digest | None
    """The digest of a text that was sent with it, or null without one."""
    tell = says("The tournament is paused until {until:time} ({cause}).")

    def fold(self, state: Tournament) -> Tournament:
        return replace(state, paused=self.until, pauses=(*state.pauses, self.until))


class TournamentResumed(Fact, frozen=True):
    """The tournament continues."""

    tell = says("The tournament goes on.")

    def fold(self, state: Tournament) -> Tournament:
        return replace(state, paused=None)


class TournamentCancelled(Fact, frozen=True):
    """The tournament is cancelled, without a final ranking.

    When its games have ended it is closed, and discloses its secrets.
    """

    by: str
    """The actor that caused it, such as `e7`, `d1`, or `sys` for the server."""
    cause: RulingCause
    """The cause, one of a fixed list."""
    text: Digest | None
    """The digest of a text that was sent with it, or null without one."""
    tell = says("The tournament is cancelled ({cause}).")

    def fold(self, state: Tournament) -> Tournament:
        return replace(state, status="cancelled", paused=None)


class TournamentClosed(Fact, frozen=True):
    """The tournament is over: its final standings and the secrets behind its randomness."""

    standings: Hex32
    """The digest of the final standings (hex)."""
    disclosed: dict[str, str]
    """``anchor``, ``deal``, ``hide``, ``bot``, ``tables`` (hex)."""
    tell = says("The tournament is over; the secrets behind it are disclosed.")

    def fold(self, state: Tournament) -> Tournament:
        return replace(state, over=True, status="cancelled" if state.status == "cancelled" else "finished")
