"""Rounds: the entrants present, their pairing and seats, the start, the end of rounds and stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from msgspec.structs import replace

from events.proof import canonical
from events.proof.randomness import UniformStream, sha
from events.rules.steps import Rejected
from events.tournament import commands as asks
from events.tournament import facts, pairing, schedule, seating
from events.tournament.draft import TournamentDraft
from events.tournament.pairing import PairingField, Pods, RoundDraw, pairs_of
from events.tournament.scoring import UNIT
from events.tournament.standings import (
    compute_closed_standings,
    make_standings,
    points_of,
    score_table,
    seed_of,
    standings_digest,
)
from events.tournament.standings import lot_key as key_of_lots
from events.tournament.state import (
    Draw,
    Entrant,
    Round,
    Tournament,
    entrant_name,
    entrant_names,
    number_of,
)

DEFAULT_RATING = 1500
"""The rating of an entrant who has none."""
RATING_STEP = 100
"""The difference in rating that counts as one point between those who meet on a ladder."""
REMEMBERED_PERIODS = 3
"""Of a ladder: the number of periods for which earlier meetings count."""


# --- who is there --------------------------------------------------------------------------------------


def present_entrants(state: Tournament, number: int) -> list[Entrant]:
    """Return the entrants present for round *number*, with those who have a bye because they asked for it."""
    if state.format.format == "ladder":
        return [one for one in state.entrants if one.is_playing and one.ready]
    there = [one for one in state.entrants if _may_play(state, one, number)]
    if number > 1:
        return [one for one in there if not one.reserve]
    playing = [one for one in there if not one.reserve]
    free = max(0, state.settings.entry.most - len(playing))
    chosen = {one.number for one in (*playing, *[one for one in there if one.reserve][:free])}
    return [one for one in there if one.number in chosen]


def _may_play(state: Tournament, one: Entrant, number: int) -> bool:
    in_stage = not state.seeds or state.stage == 1 or one.number in state.seeds
    unchecked = schedule.check_in_window(state, number) is not None and one.checked < number
    here = not unchecked or number in one.asked
    return one.is_playing and one.late <= number and in_stage and here


def _pairing_field(state: Tournament, number: int, ratings: dict[str, int]) -> PairingField:
    """Return the entrants to be paired, and what is known of them."""
    before = [one for one in state.rounds[: number - 1] if one.started_at]
    ladder = state.format.format == "ladder"
    remembered = before[-REMEMBERED_PERIODS:] if ladder else before
    met = Counter(two for one in remembered for table in one.tables for two in pairs_of(table.entrants))
    byes = Counter(e for one in before for e in one.byes if one.number not in state.entrants[e - 1].asked)
    playing = [one.number for one in present_entrants(state, number) if number not in one.asked]
    points = points_of(state, number - 1)
    if ladder:
        points = {n: ratings.get(entrant_name(n), DEFAULT_RATING) * UNIT // RATING_STEP for n in playing}
    return PairingField(
        entrants=tuple(playing),
        size=state.settings.table.size,
        least=state.settings.table.least,
        points=points,
        met=met,
        forbidden=frozenset(state.forbidden),
        byes=byes,
        asked=frozenset(one.number for one in state.entrants if any(r < number for r in one.asked)),
    )


# --- pairing -------------------------------------------------------------------------------------------


def pair_round(draft: TournamentDraft, _command: asks.PairRound) -> None:
    """Pair the coming round. Raises :class:`Rejected`."""
    state = draft.state
    number = _next_round_number(state)
    if state.format.format == "ladder":
        raise Rejected(
            "not_allowed", "The server pairs a ladder at the end of each period. Nothing needs to be done."
        )
    _PAIR[state.format.format](draft, number, _require_field(state, number, {}))


def pair_by_ratings(draft: TournamentDraft, command: asks.PairByRatings) -> None:
    """Pair the coming period of a ladder. Raises :class:`Rejected`."""
    state = draft.state
    number = _next_round_number(state)
    if state.format.format != "ladder":
        raise Rejected("not_allowed", "Only a ladder is paired by ratings. Use `pair_round`.")
    field = _require_field(state, number, command.ratings)
    strangers = sorted(set(command.ratings) - set(entrant_names(field.entrants)))
    if strangers:
        raise Rejected("unknown_entrant", f"{strangers[0]} is not ready for this period. Leave them out.")
    draw, key = draft.draw()
    drawn = pairing.pair_swiss(field, UniformStream(key))
    _record_pairing(draft, number, drawn, draw, position=command.position)


def _require_field(state: Tournament, number: int, ratings: dict[str, int]) -> PairingField:
    """Return the entrants to be paired for a round that is not. Raises :class:`Rejected`."""
    if schedule.find_round(state, number) is not None:
        raise Rejected(
            "round_open", f"Round {number} is already paired, and no round is paired twice. Start it."
        )
    field = _pairing_field(state, number, ratings)
    if not schedule.table_sizes_for(state, len(field.entrants)):
        raise Rejected(
            "too_few_entrants",
            "There are too few entrants for a table. Wait for more, or cancel the tournament.",
        )
    return field


def _next_round_number(state: Tournament) -> int:
    """Return the round that comes next. Raises :class:`Rejected` where none can be paired now."""
    _require_running(state)
    if not state.mixed:
        raise Rejected(
            "not_due",
            f"Entrants can reveal contributions until {schedule.reveal_deadline(state)}. Wait until then.",
        )
    if schedule.is_waiting_for_results(state):
        raise Rejected("results_missing", "A round is still being played. Wait until it is closed.")
    if not schedule.has_stages_left(state) or schedule.has_all_rounds(state):
        raise Rejected("round_open", "This stage has no further round. Close the stage.")
    return state.next_round


def _require_running(state: Tournament) -> None:
    """Raise :class:`Rejected` unless rounds are played now."""
    if not state.is_running:
        raise Rejected("not_due", "Entry is not closed yet. Close it first.")
    if state.paused is not None:
        raise Rejected(
            "tournament_paused",
            f"The tournament is paused until {state.paused}. Wait until then, or resume it.",
        )


def _pair_swiss(draft: TournamentDraft, number: int, field: PairingField) -> None:
    stage = draft.state.format
    draw, key = draft.draw()
    left = (stage.rounds or 0) - (number - schedule.first_round_of_stage(draft.state)) - 1
    drawn = pairing.pair_swiss(field, UniformStream(key), left if stage.look_ahead else 0)
    _record_pairing(draft, number, drawn, draw)


def _pair_rotation(draft: TournamentDraft, number: int, field: PairingField) -> None:
    draw, key = draft.draw()
    _record_plan(
        draft, number, pairing.pair_rotation(field, UniformStream(key), draft.state.format.rounds or 0), draw
    )


def _pair_round_robin(draft: TournamentDraft, number: int, field: PairingField) -> None:
    draw, key = draft.draw()
    try:
        plan = pairing.pair_round_robin(field, UniformStream(key))
    except pairing.MissingDesign:
        raise Rejected(
            "no_such_design",
            f"There is no plan in which {len(field.entrants)} entrants meet exactly once at tables of "
            f"{field.size}. Pair by hand, or play a rotation.",
        ) from None
    _record_plan(draft, number, plan, draw)


def _record_plan(draft: TournamentDraft, number: int, plan: Iterable[RoundDraw], draw: Draw) -> None:
    for offset, drawn in enumerate(plan):
        _record_pairing(draft, number + offset, drawn, draw)


def _pair_knockout(draft: TournamentDraft, number: int, field: PairingField) -> None:
    state = draft.state
    before = state.stage_rounds
    if before:
        _record_pairing(
            draft,
            number,
            pairing.pair_knockout(field, _list_advancing_entrants(state, before[-1], field)),
            None,
        )
        return
    if state.seeds:
        seeds = [seed for seed in state.seeds if seed in field.entrants]
        _record_pairing(draft, number, _first_knockout(state, field, seeds), None)
        return
    draw, key = draft.draw()
    order = pairing.shuffle(UniformStream(key), field.entrants)
    seeds = order[: state.format.cut or len(order)]
    _record_pairing(draft, number, _first_knockout(state, field, seeds), draw, tuple(seeds))


def _first_knockout(state: Tournament, field: PairingField, seeds: Sequence[int]) -> RoundDraw:
    """Return the first tables of a knockout.

    Raises :class:`Rejected` where nobody could come out of it alone.
    """
    drawn = pairing.pair_knockout(field, seeds)
    if len(drawn.pods) > 1 and not 1 <= state.format.advance < min(map(len, drawn.pods)):
        raise Rejected(
            "no_such_design",
            "This number of tables never leads to one final. Pair by hand, or cancel the tournament.",
        )
    return drawn


def _list_advancing_entrants(state: Tournament, before: Round, field: PairingField) -> list[int]:
    """Return those who go on from a round of a knockout, best seed first. Raises :class:`Rejected`.

    The next one takes the place of an entrant who is gone.
    """
    going: list[int] = []
    for table in before.tables:
        scored = score_table(state.settings, table)
        if scored is None:
            raise Rejected(
                "results_missing", f"Table {table.number} has no result. Wait for it, or give a ruling."
            )
        order = sorted(
            zip(scored.places, table.entrants, strict=True), key=lambda one: (one[0], seed_of(state, one[1]))
        )
        going += [entrant for _, entrant in order if entrant in field.entrants][: state.format.advance]
    going += [bye for bye in before.byes if bye in field.entrants]
    return sorted(going, key=lambda entrant: seed_of(state, entrant))


_PAIR = {
    "swiss_pods": _pair_swiss,
    "rotation": _pair_rotation,
    "round_robin": _pair_round_robin,
    "knockout": _pair_knockout,
}


def set_pairing(draft: TournamentDraft, command: asks.SetPairing) -> None:
    """Set the pairing of the coming round by hand. Raises :class:`Rejected`."""
    state = draft.state
    number = _next_round_number(state)
    pods: Pods = tuple(tuple(state.entrant(name).number for name in pod) for pod in command.pods)
    byes = tuple(state.entrant(name).number for name in command.byes)
    named = [*(entrant for pod in pods for entrant in pod), *byes]
    there = {one.number for one in present_entrants(state, number)}
    sizes = {len(pod) for pod in pods}
    table = state.settings.table
    if not pods or len(set(named)) != len(named) or set(named) != there:
        lacking = ", ".join(entrant_names(sorted(there - set(named))))
        cure = f"Add {lacking}" if lacking else "Leave the others out"
        raise Rejected(
            "not_a_partition",
            f"The pairing does not name every present entrant exactly once. {cure}.",
        )
    if not all(table.least <= size <= table.size for size in sizes):
        raise Rejected(
            "not_a_partition",
            f"A table has the wrong size. Name {table.least} to {table.size} entrants for each.",
        )
    forbidden = set(state.forbidden)
    for pod in pods:
        for two in pairs_of(pod):
            if two in forbidden:
                raise Rejected(
                    "forbidden_pair",
                    f"{' and '.join(entrant_names(two))} may not meet. Move one of them to another table.",
                )
    drawn = pairing.rate_pods(_pairing_field(state, number, {}), pods, byes)
    draft.emit(
        replace(
            _pairing_fact(state, number, drawn, None), by=draft.name, cause=command.cause, text=command.text
        )
    )


def _record_pairing(
    draft: TournamentDraft,
    number: int,
    drawn: RoundDraw,
    draw: Draw | None,
    seeds: tuple[int, ...] | None = None,
    position: int | None = None,
) -> None:
    """Record a pairing, with everybody in their seat and those who asked for a bye."""
    state = draft.state
    asked = [one.number for one in present_entrants(state, number) if number in one.asked]
    had, before = _count_seats(state, number)
    pods = tuple(seating.order_seats(pod, had, before) for pod in drawn.pods)
    whole = replace(drawn, pods=pods, byes=tuple(sorted({*drawn.byes, *asked})))
    fact = _pairing_fact(state, number, whole, draw)
    draft.emit(replace(fact, seeds=entrant_names(seeds) if seeds else None, position=position))


def _pairing_fact(state: Tournament, number: int, drawn: RoundDraw, draw: Draw | None) -> facts.RoundPaired:
    pods, byes = tuple(map(entrant_names, drawn.pods)), entrant_names(drawn.byes)
    return facts.RoundPaired(
        state.stage,
        number,
        pods,
        byes,
        draw,
        drawn.repeats,
        drawn.gap,
        drawn.attempts,
        sha(canonical.encode({"byes": byes, "pods": pods})).hex(),
    )


def _count_seats(state: Tournament, number: int) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Return how often each entrant had each seat, and how often one of two sat ahead of the other."""
    pods = [table.entrants for one in state.rounds[: number - 1] for table in one.tables]
    had = Counter((entrant, seat) for pod in pods for seat, entrant in enumerate(pod))
    return had, Counter(two for pod in pods for two in combinations(pod, 2))


# --- the start -----------------------------------------------------------------------------------------


def choose_seat(draft: TournamentDraft, command: asks.ChooseSeat) -> None:
    """Choose a seat in the final for the acting entrant. Raises :class:`Rejected`."""
    state = draft.state
    found = _find_final(state)
    if found is None or command.table != 1:
        raise Rejected(
            "not_your_decision",
            "Seats can be chosen only in a paired final, before it begins. Wait for the pairing of the"
            " final.",
        )
    ((pod,), _) = schedule.seat_present(state, found)
    chosen = {entrant: seat for entrant, seat in found.chosen if entrant in pod}
    free = [entrant for entrant in _sort_by_seed(state, pod) if entrant not in chosen]
    if not free or draft.number != free[0]:
        raise Rejected("not_your_decision", "The better seed chooses first. Wait for your turn.")
    if command.seat >= len(pod):
        raise Rejected("unknown_seat", f"The table has no such seat. Name a seat from 0 to {len(pod) - 1}.")
    if command.seat in chosen.values():
        raise Rejected("seat_taken", "This seat is already chosen. Choose another one.")
    draft.emit(facts.SeatChosen(found.number, 1, draft.name, command.seat))


def _find_final(state: Tournament) -> Round | None:
    """Return a final that is paired and has not begun, in which seats are chosen; None if there is none."""
    if not state.is_running or not schedule.has_stages_left(state) or state.format.seating != "choice":
        return None
    found = schedule.find_round(state, state.next_round)
    if found is None or len(found.tables) != 1 or len(schedule.seat_present(state, found)[0]) != 1:
        return None
    return found


def start_round(draft: TournamentDraft, _command: asks.StartRound) -> None:
    """Start the round that is paired, without those who have left since. Raises :class:`Rejected`."""
    state = draft.state
    _require_running(state)
    if schedule.is_waiting_for_results(state):
        raise Rejected("results_missing", "A round is still being played. Wait until it is closed.")
    found = schedule.find_round(state, state.next_round)
    if found is None:
        raise Rejected("not_paired", f"Round {state.next_round} is not paired. Pair it first.")
    seated, byes = schedule.seat_present(state, found)
    pods = [_find_chosen_order(state, found, pod) for pod in seated]
    games = tuple(draft.means.new_id() for _ in pods)
    draft.emit(facts.RoundStarted(found.number, games, tuple(map(entrant_names, pods)), entrant_names(byes)))


def _find_chosen_order(state: Tournament, found: Round, pod: Sequence[int]) -> Sequence[int]:
    """Return a pod in the seats that were chosen.

    Entrants who chose none have those that are left, the better seed first.
    """
    if not found.chosen:
        return pod
    seats = {entrant: seat for entrant, seat in found.chosen if entrant in pod}
    left = [seat for seat in range(len(found.players)) if seat not in seats.values()]
    others = [entrant for entrant in _sort_by_seed(state, pod) if entrant not in seats]
    seats |= dict(zip(others, left, strict=False))
    return sorted(pod, key=lambda entrant: seats[entrant])


def _sort_by_seed(state: Tournament, pod: Sequence[int]) -> list[int]:
    return sorted(pod, key=lambda entrant: seed_of(state, entrant))


# --- the end -------------------------------------------------------------------------------------------


def close_round(draft: TournamentDraft, command: asks.CloseRound) -> None:
    """Close a round. Raises :class:`Rejected`."""
    state = draft.state
    _require_running(state)
    running = [one for one in state.rounds if one.is_running and command.round in (None, one.number)]
    if not running:
        raise Rejected("round_open", "This round is not being played. Name the round that is.")
    found = running[0]
    if schedule.is_disputed(state, found.number, None):
        raise Rejected("disputes_open", "A dispute about this round is open. Rule on it first.")
    if not all(table.confirmed for table in found.tables):
        raise Rejected(
            "results_missing",
            "Some results of this round are not confirmed. Wait for them, or give a ruling.",
        )
    draw = None
    if "lot" in (state.settings.tie_breaks or ()):
        draw, _ = draft.draw()
    lines = make_standings(state, found.number, key_of_lots(state, draw))
    draft.emit(facts.RoundClosed(found.number, standings_digest(lines), draw))


def close_again(draft: TournamentDraft, since: int) -> None:
    """Close those rounds again, from round *since* on, whose standings have changed."""
    for one in draft.state.rounds:
        if one.number >= since and one.closed_at:
            now = standings_digest(compute_closed_standings(draft.state, one.number))
            if now != one.standings:
                draft.emit(facts.RoundClosed(one.number, now, one.lot))


def close_stage(draft: TournamentDraft, _command: asks.CloseStage) -> None:
    """Close the stage that is played. Raises :class:`Rejected`."""
    state = draft.state
    _require_running(state)
    if not schedule.has_stages_left(state) or not _may_close(draft):
        raise Rejected("results_missing", "This stage is not over. Play its remaining rounds first.")
    advancing: list[int] = []
    if state.stage < len(state.settings.stages):
        following = state.settings.stages[state.stage]
        order = [number_of(line["entrant"]) for line in compute_closed_standings(state, len(state.rounds))]
        playing = [number for number in order if state.entrants[number - 1].is_playing]
        advancing = playing[: following.cut or len(playing)]
    draft.emit(facts.StageClosed(state.stage, entrant_names(advancing)))


def _may_close(draft: TournamentDraft) -> bool:
    """Return True if the stage may be closed.

    A director may end the season of a ladder as soon as all its rounds are closed.
    """
    state = draft.state
    if state.format.format == "ladder" and draft.actor is not None:
        return all(one.closed_at for one in state.stage_rounds)
    return schedule.is_stage_over(state)


def finish_tournament(draft: TournamentDraft, _command: asks.FinishTournament) -> None:
    """Finish the tournament. Raises :class:`Rejected`."""
    state = draft.state
    if schedule.has_open_games(state):
        raise Rejected(
            "results_missing", "A game of the tournament is still running. Wait until it has ended."
        )
    if state.status != "cancelled":
        _require_running(state)
        if schedule.has_stages_left(state):
            raise Rejected("stage_open", "A stage has not been played yet. Play it first.")
        if schedule.has_open_matters(state):
            raise Rejected("disputes_open", "A dispute or an appeal is open. Rule on it first.")
    last = state.rounds[-1].lot if state.rounds else None
    lines = make_standings(state, None, key_of_lots(state, last))
    draft.emit(facts.TournamentClosed(standings_digest(lines), draft.means.disclosed()))
