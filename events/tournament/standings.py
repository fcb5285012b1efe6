"""The standings after any round, folded from results and then from rulings.

The service shows them, the digest in `RoundClosed` is made from them, and a verifier makes them again: all by
the function :func:`make_standings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from events.proof import canonical
from events.proof.randomness import UniformStream, derive_public_draw_key, sha
from events.rules.fact import Json
from events.tournament.pairing import shuffle
from events.tournament.scoring import UNIT, move_up_stayers, place_values, score_shares, share_points
from events.tournament.settings import Settings
from events.tournament.state import Draw, Entrant, Round, Table, Tournament, entrant_name
from events.tournament.tie_breaks import RankedEntrant, ScoreSheet, TableScore, rank_entrants


class Places(msgspec.Struct, frozen=True):
    """The outcome of a table, by seat."""

    places: tuple[int, ...]
    points: tuple[int, ...]
    left: tuple[int | None, ...]
    """By seat the event by which its entrant left; 0 where a ruling took their game from them."""
    substitutes: Mapping[int, int]
    """By entrant the points of those who played on for others."""


def score_table(settings: Settings, table: Table) -> Places | None:
    """Return the places and points of *table*; None while nothing can be counted."""
    size = len(table.entrants)
    values = place_values(size, settings.points)
    left = _list_leaving_events(table)
    if table.ruled is not None:
        return Places(table.ruled, share_points(table.ruled, values), left, {})
    if not table.has_places:
        return None
    played = table.result.places if table.result is not None else None
    if played is None:  # by the rules nobody has won: those who did nothing wrong are equal
        return _place_leavers_last((1,) * size, left, values)
    if settings.forfeit == "last":
        return _place_leavers_last(played, left, values)
    as_played = share_points(played, values)
    substitutes = {}
    if settings.forfeit == "substitute":
        substitutes = {change.into: as_played[change.seat] // 2 for change in table.substitutes}
    points = tuple(0 if gone is not None else n for n, gone in zip(as_played, left, strict=True))
    return Places(played, points, left, substitutes)


def _place_leavers_last(played: Sequence[int], left: tuple[int | None, ...], values: Sequence[int]) -> Places:
    places = move_up_stayers(played, left)
    return Places(places, share_points(places, values), left, {})


def _list_leaving_events(table: Table) -> tuple[int | None, ...]:
    left = table.result.left if table.result is not None else (None,) * len(table.entrants)
    return tuple(
        0 if entrant in table.forfeits else gone for entrant, gone in zip(table.entrants, left, strict=True)
    )


def make_standings(state: Tournament, upto: int | None = None, lots: bytes | None = None) -> list[Json]:
    """Return everybody in order after round *upto* (default: the newest), as the digest has them.

    The service shows the same. *lots*: the key of the draw behind the lots, where ties are broken by lot and
    it has been drawn. All are integers: points in units of 1/2520, shares in millionths, the lot a place in
    the drawn order.
    """
    upto = len(state.rounds) if upto is None else upto
    entrants = [one for one in state.entrants if _is_listed(one, upto)]
    rounds = [one for one in state.rounds[:upto] if one.started_at]
    sheet = _make_sheet(state, entrants, rounds, upto, lots)
    groups = _group_equals(state, entrants, rounds, sheet)
    breaks = state.settings.tie_breaks or ()
    return [_make_line(state, rounds, sheet, one) for one in rank_entrants(groups, sheet, breaks)]


def lot_key(state: Tournament, draw: Draw | None) -> bytes | None:
    """Return the key with which the lots of standings are drawn; None where there was no draw."""
    return None if draw is None else derive_public_draw_key(bytes.fromhex(draw.s), state.mixed, draw.k)


def compute_closed_standings(state: Tournament, number: int) -> list[Json]:
    """Return the standings after a round that has been closed, as its digest has them."""
    return make_standings(state, number, lot_key(state, state.rounds[number - 1].lot))


def standings_digest(lines: Sequence[Json]) -> str:
    """Return the digest (hex) of standings that the log holds."""
    return sha(canonical.encode(lines)).hex()


def points_of(state: Tournament, upto: int | None = None) -> dict[int, int]:
    """Return the points of each entrant after round *upto* (default: the newest), in units of 1/2520."""
    upto = len(state.rounds) if upto is None else upto
    rounds = [one for one in state.rounds[:upto] if one.started_at]
    return dict(_make_sheet(state, list(state.entrants), rounds, upto, None).points)


def _is_listed(one: Entrant, upto: int) -> bool:
    return one.accepted is True and not (one.reserve or one.left_early) and one.since <= max(1, upto)


def _make_sheet(
    state: Tournament,
    entrants: Sequence[Entrant],
    rounds: Sequence[Round],
    upto: int,
    lots: bytes | None,
) -> ScoreSheet:
    lines: dict[int, list[TableScore]] = {one.number: [] for one in entrants}
    by_round: dict[int, list[int]] = {one.number: [] for one in entrants}
    for played in rounds:
        worth_now = _score_round(state, played, lines)
        for number, all_rounds in by_round.items():
            all_rounds.append(worth_now.get(number, 0))
    points = {
        one.number: sum(by_round[one.number])
        + (UNIT * state.settings.entry.late_points if one.late else 0)
        + sum(award.add for award in state.awards if award.entrant == one.number and award.round <= upto)
        for one in entrants
    }
    numbers = sorted(points)
    in_lots = shuffle(UniformStream(lots), numbers) if lots is not None else []
    return ScoreSheet(
        lines,
        points,
        by_round,
        state.settings.table.size,
        {number: place for place, number in enumerate(in_lots, 1)},
    )


def _score_round(state: Tournament, played: Round, lines: dict[int, list[TableScore]]) -> dict[int, int]:
    """Return the points of a round by entrant; add its tables to *lines*."""
    worth_now = {number: bye_points(state, played, number) for number in played.byes}
    for table in played.tables:
        scored = score_table(state.settings, table)
        if scored is None:
            continue
        scores = (table.result.scores if table.result is not None else None) or (0,) * len(table.entrants)
        share = score_shares(scores)
        best = min(scored.places)
        for seat, number in enumerate(table.entrants):
            worth_now[number] = scored.points[seat]
            if number in lines:
                lines[number].append(
                    TableScore(
                        played.number,
                        table.number,
                        seat,
                        scored.places[seat],
                        scored.points[seat],
                        share[seat],
                        scores[seat],
                        scored.places[seat] == best,
                        tuple(other for other in table.entrants if other != number),
                        scored.left[seat] is not None,
                    )
                )
        for number, points in scored.substitutes.items():
            worth_now[number] = worth_now.get(number, 0) + points
    return worth_now


def bye_points(state: Tournament, played: Round, number: int) -> int:
    """Return the points of an entrant's bye in a round: half of them for one who asked; in a ladder none."""
    if state.settings.stages[played.stage - 1].format == "ladder":
        return 0
    full = UNIT * state.settings.bye_points
    return full // 2 if played.number in state.entrants[number - 1].asked else full


# --- the order -----------------------------------------------------------------------------------------


def _group_equals(
    state: Tournament, entrants: Sequence[Entrant], rounds: Sequence[Round], sheet: ScoreSheet
) -> list[list[int]]:
    """Return groups of those who are equal before any tie-break, best first."""
    knockout = [one for one in rounds if state.settings.stages[one.stage - 1].format == "knockout"]

    def key(one: Entrant) -> tuple[Any, ...]:
        reached = _knockout_depth(state, knockout, one.number)
        return one.disqualified, *reached, 0 if reached[0] else -sheet.points[one.number]

    in_order = sorted(entrants, key=lambda one: (*key(one), one.number))
    return [[one.number for one in same] for _, same in groupby(in_order, key=key)]


def _knockout_depth(state: Tournament, knockout: Sequence[Round], number: int) -> tuple[int, int, int]:
    """Return a key for how far an entrant came in the knockout; the lowest is best.

    The later the round, the better; then the place there, then the seed; in the final the place alone counts.
    """
    for depth in range(len(knockout), 0, -1):
        played = knockout[depth - 1]
        for table in played.tables:
            if number in table.entrants:
                scored = score_table(state.settings, table)
                place = scored.places[table.entrants.index(number)] if scored is not None else 0
                final = len(played.tables) == 1 and scored is not None
                return -depth, place, 0 if final else seed_of(state, number)
    return 0, 0, 0


def seed_of(state: Tournament, number: int) -> int:
    """Return an entrant's place among the seeds, from 0.

    An entrant who was no seed, such as a substitute, comes after them.
    """
    return state.seeds.index(number) if number in state.seeds else len(state.seeds)


def _make_line(state: Tournament, rounds: Sequence[Round], sheet: ScoreSheet, one: RankedEntrant) -> Json:
    keys: Json = {name: list(key) if isinstance(key, tuple) else key for name, key in one.keys.items()}
    if "lot" in keys:
        keys["lot"] = sheet.lots.get(one.entrant, 0)
    lines = sheet.lines[one.entrant]
    return {
        "rank": one.rank,
        "entrant": entrant_name(one.entrant),
        "points": sheet.points[one.entrant],
        **keys,
        "played": len(lines),
        "byes": sum(one.entrant in played.byes for played in rounds),
        "forfeits": sum(line.forfeit for line in lines),
        "rounds": [
            {"round": line.round, "table": line.table, "place": line.place, "points": line.points}
            for line in lines
        ],
    }
