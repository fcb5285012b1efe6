"""One battery for all titles: properties that hold for every title, whatever its rules."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import islice, zip_longest

import msgspec
import pytest

from events.clocks.absence_policy import SUBSTITUTE
from events.proof import canonical
from events.rules import draw_binding
from events.rules.bot_names import BOTS
from events.rules.catalogue import find_title
from events.rules.fact import type_name
from events.rules.steps import COMMON_CODES, Rejected
from events.rules.title import Title
from events.table.commands import command_rules
from events.table.lifecycle_facts import RESERVED
from service.openapi.panel_structs import Panel
from tests.titles import table
from tests.titles.table import Play, fold_all, play, tables, tried_titles


def is_plain(one: table.Table) -> bool:
    """Return True for the least and the most seats of a title as it is today, without options."""
    seats = find_title(one.title_id).seats
    return one.version is None and not one.options and one.seats in (min(seats), max(seats))


LOOKS = 2
"""How often one looks where a kind of fact follows on another: once in every run; in the CI again, where the
seats are the least or the most."""
FEW = 30
"""Covered answers of a game that are replaced in every run; all of them in the CI."""


def tier(one: table.Table) -> list[pytest.MarkDecorator]:
    """Return the mark of a table: the least and the most seats are for every run, the others for the CI."""
    return [] if is_plain(one) else [pytest.mark.slow]


TABLES = [pytest.param(t, id=t.name, marks=tier(t)) for t in tables()]


@pytest.fixture(scope="module", params=TABLES)
def game(request) -> Play:
    """A whole random game on one table, with everything that happened in it."""
    return play(request.param, seed=1, keep=True)


def test_every_title_has_tables():
    """Each title is played at every number of seats that it allows."""
    for title_id in tried_titles():
        title = find_title(title_id)
        seats = {t.seats for t in tables() if t.title_id == title_id and t.version is None}
        assert seats == set(title.seats)


def test_game_ends(game):
    """Random play ends, and the ended game waits for nothing."""
    title = game.title
    outcome = title.outcome(game.state)
    assert outcome is not None
    assert title.decisions(game.state) == ()
    assert len(outcome.places) == len(outcome.scores) == game.table.seats
    assert all(outcome.places[seat] == 1 for seat in outcome.winners)


def test_ended_game_refuses_commands(game):
    """Nothing can be done any more when the game has ended."""
    for command in game.commands[-20:]:
        with pytest.raises(Rejected) as rejected:
            game.title.decide(game.state, command.seat, command.command, table.fast(1))
        assert rejected.value.code == "game_not_running"


def test_running_game_waits_for_something(game):
    """A running game always waits for somebody, with command types that exist."""
    for moment in game.moments:
        waiting = game.title.awaited(moment.state)
        assert waiting, "a running game waits for nothing"
        assert game.title.list_awaited_seats(moment.state) == tuple(decision.seat for decision in waiting)
        kinds = [(decision.seat, decision.kind) for decision in waiting]
        assert [(one.seat, one.kind) for one in game.title.list_awaited_kinds(moment.state)] == kinds
        for decision in game.title.decisions(moment.state):
            assert decision.commands
            assert all(game.title.command_type(name) for name in decision.commands)
            assert decision.seat is None or 0 <= decision.seat < game.table.seats


def test_fold_equals_incremental_state(game):
    """Folding all facts from the blank state gives the state that the commands left."""
    assert fold_all(game) == game.state


def test_snapshot_and_tail_equal_full_fold(game):
    """A state that went through its stored form folds on to the same end."""
    title, half = game.title, game.moments[len(game.moments) // 2]
    stored = msgspec.msgpack.encode(half.state)
    state = msgspec.msgpack.decode(stored, type=title.State)
    assert state == half.state
    assert title.fold_all(state, game.facts[half.facts :]) == game.state


def test_facts_round_trip(game):
    """Every fact survives its JSON form, within the canonical profile, secrets named correctly."""
    for fact in game.facts:
        data = msgspec.to_builtins(fact, str_keys=True)
        canonical.check(data)
        again = msgspec.json.decode(canonical.encode(data), type=type(fact))
        assert again == fact
        for path, audience in fact.secrets.items():
            inner = data
            for key in path.split("."):
                assert key in inner, f"{type(fact).__name__}: no secret field {path}"
                inner = inner[key]
            for name in audience:
                assert hasattr(fact, name), f"{type(fact).__name__}: no audience field {name}"


def test_commands_round_trip(game):
    """Every command survives its JSON form."""
    for given in game.commands:
        data = msgspec.to_builtins(given.command, str_keys=True)
        canonical.check(data)
        assert msgspec.convert(data, type(given.command)) == given.command


def test_position_round_trip(game):
    """A position is readable JSON from which the same state comes back."""
    for moment in game.some_moments(25):
        data = game.title.position(moment.state)
        text = msgspec.json.encode(data)
        assert game.title.from_position(msgspec.json.decode(text)) == moment.state


def test_legal_commands_are_accepted(game):
    """Every listed command is accepted, leads to the facts' fold, and has a label."""
    title = game.title
    for moment in game.some_moments(60):
        for seat in range(game.table.seats):
            listed = list(title.legal(moment.state, seat))
            assert len(listed) <= 1000
            for command in table.spread(listed, 12):
                draft = title.decide(moment.state, seat, command, table.fast(3))
                assert draft.facts
                assert title.fold_all(moment.state, draft.facts) == draft.state
                assert title.label(moment.state, seat, command)


def test_legal_agrees_with_decisions(game):
    """Only command types that a decision of the seat names are legal; who is waited for has one."""
    title = game.title
    for moment in game.some_moments(60):
        waiting = {d.seat: set() for d in title.decisions(moment.state)}
        for decision in title.decisions(moment.state):
            waiting[decision.seat] |= set(decision.commands)
        for seat in range(game.table.seats):
            names = {type_name(type(c)) for c in title.legal(moment.state, seat)}
            assert names <= waiting.get(seat, set())
            sampled = title.sample(moment.state, seat, table.fast(4))
            if any(d.seat == seat for d in title.awaited(moment.state)):
                assert sampled is not None
            assert sampled is None or seat in waiting


def test_defaults_lead_on(game):
    """The default of every decision is accepted, and defaults alone bring any game to its end."""
    title = game.title
    for moment in game.some_moments(25):
        for decision in title.awaited(moment.state):
            command = title.default(moment.state, decision)
            assert title.decide(moment.state, decision.seat, command, table.fast(5)).facts
    ended = play(game.table, seed=2, defaults=True)
    assert title.outcome(ended.state) is not None


def test_wrong_commands_change_nothing(game):
    """Commands from other moments are accepted or rejected with a code; the state is left alone."""
    title = game.title
    rng = random.Random(7)
    for moment in game.some_moments(60):
        before = msgspec.msgpack.encode(moment.state)
        for _ in range(8):
            given = rng.choice(game.commands)
            seat = rng.randrange(game.table.seats)
            check_answer(title, moment.state, seat, given.command)
        assert msgspec.msgpack.encode(moment.state) == before


def check_answer(title, state, seat, command):
    """The command is accepted with at least one fact, or refused with a code and a sentence."""
    refused = None
    try:
        draft = title.decide(state, seat, command, table.fast(6))
    except Rejected as rejected:
        refused = rejected
    if refused is None:
        assert draft.facts
    else:
        assert refused.code.replace("_", "").isalnum()
        assert refused.code == refused.code.lower()
        assert refused.detail.endswith(".")


def test_undecided_seats_are_refused(game):
    """A command type that no decision of the seat names is refused."""
    title = game.title
    for moment in game.some_moments(40):
        opened = (*title.decisions(moment.state), *title.replaceable(moment.state))
        mine = {(d.seat, name) for d in opened for name in d.commands}
        for given in table.spread(game.commands, 10):
            name = type_name(type(given.command))
            for seat in range(game.table.seats):
                if (seat, name) in mine:
                    continue
                with pytest.raises(Rejected):
                    title.decide(moment.state, seat, given.command, table.fast(8))


def test_mutated_commands_are_answered(game):
    """Commands with values changed at random are accepted or rejected, never a failure."""
    title = game.title
    for number, moment in enumerate(game.some_moments(120)):
        for given in table.mutations(game, seed=number, count=6):
            for seat in range(game.table.seats):
                check_answer(title, moment.state, seat, given)


def test_same_seed_same_game(game):
    """The same seed gives the same game while the global generator is disturbed."""
    random.seed(12345)
    again = play(game.table, seed=1)
    random.seed(54321)
    assert [c.command for c in again.commands] == [c.command for c in game.commands]
    assert again.facts == game.facts


def test_facts_show_their_public_draws(game):
    """The public draws of each command are used up, in order, by what its facts declare as drawn."""
    title = game.title
    if not title.steps:
        pytest.skip("this title has not moved to steps yet")
    noted = table.Noted(99)
    draft = title.open(game.table.seats, game.options, noted)
    check_drawn(draft.facts, noted.public)
    for number, moment in enumerate(game.moments):
        given = game.commands[number]
        noted = table.Noted(number)
        check_drawn(title.decide(moment.state, given.seat, given.command, noted).facts, noted.public)


def check_drawn(facts, draws):
    """The facts show just these draws: with one more, or one less, it is noticed."""
    shown = [(msgspec.to_builtins(fact, str_keys=True), fact.drawn) for fact in facts]
    draw_binding.check_draws(shown, draws)
    for wrong in ([*draws, ((6,), (0,))], draws[:-1]):
        if wrong != draws:
            with pytest.raises(draw_binding.WrongDraw):
                draw_binding.check_draws(shown, wrong)


def test_conserved(game):
    """What the title declares conserved never changes."""
    first = dict(game.title.conserved(game.moments[0].state))
    for moment in game.moments:
        assert dict(game.title.conserved(moment.state)) == first
    assert dict(game.title.conserved(game.state)) == first


def test_view_is_what_imagination_keeps(game):
    """View, legal list and decisions of a seat are the same in the real and in an imagined state: no leak."""
    title = game.title
    for moment in game.some_moments(40):
        for seat in range(game.table.seats):
            other = title.imagine(moment.state, seat, table.fast(moment.facts + seat))
            assert title.view(other, seat) == title.view(moment.state, seat)
            assert list(title.legal(other, seat)) == list(title.legal(moment.state, seat))
            assert title.complete(other, seat) == title.complete(moment.state, seat)
            assert title.decisions(other) == title.decisions(moment.state)
            assert title.replaceable(other) == title.replaceable(moment.state)
            assert list(title.replacements(other, seat)) == list(title.replacements(moment.state, seat))
            assert title.view(other, None) == title.view(moment.state, None)
            assert dict(title.conserved(other)) == dict(title.conserved(moment.state))


def test_what_can_be_taken_back_told_nothing(game):
    """A command that may be taken back is accepted, and tells the same, in what each seat imagines before.

    Each kind of command is tried five times, wherever it stood in the game.
    """
    title = game.title
    if not title.undo:
        pytest.skip("in this title nothing is taken back")
    tried: Counter[type] = Counter()
    for number in random.Random(7).sample(range(len(game.commands)), len(game.commands)):
        before, given = game.moments[number].state, game.commands[number]
        if given.seat is None or given.command.sealed or tried[type(given.command)] == 5:
            continue
        draft = title.decide(before, given.seat, given.command, noted := table.Noted(number))
        if noted.count or title.outcome(draft.state) or any(fact.discloses for fact in draft.facts):
            continue
        tried[type(given.command)] += 1
        for seat in range(game.table.seats):
            other = title.imagine(before, seat, table.fast(number))
            again = title.decide(other, given.seat, given.command, noted)
            assert noted.count == 0
            assert table.told(again.facts, seat) == table.told(draft.facts, seat)
            assert title.view(again.state, seat) == title.view(draft.state, seat)


def test_the_last_covered_answer_counts(game):
    """An answer replaced leads to the state that the last answer alone leads to, so to all seats' views.

    Nobody waits for its seat, and only that it was replaced is told to others.
    """
    check_covered_answers(game, FEW if is_plain(game.table) else len(game.commands))


def check_covered_answers(game, most):
    """At most so many of a game are replaced, spread over it."""
    title = game.title
    sealed = [n for n, one in enumerate(game.commands) if one.seat is not None and one.command.sealed]
    for number in table.spread(sealed, most):
        moment, seat, first = game.moments[number], game.commands[number].seat, game.commands[number].command
        given = title.decide(moment.state, seat, first, table.fast(3)).state
        if not any(d.seat == seat for d in title.replaceable(given)):
            continue
        assert all(d.seat != seat or d.free for d in title.decisions(given))
        assert title.sample(given, seat, table.fast(4)) is None or any(
            d.seat == seat for d in title.decisions(given)
        )
        for latest in table.spread([first, *title.replacements(given, seat)], 4):
            check_replaced(title, moment.state, given, seat, latest)


def check_replaced(title, before, given, seat, latest):
    """*latest* takes the place of what *seat* has *given*, and others cannot tell it from any other."""
    alone, replaced = (title.decide(s, seat, latest, table.fast(3)) for s in (before, given))
    assert replaced.state == alone.state
    assert title.fold_all(given, replaced.facts) == replaced.state
    assert title.label(given, seat, latest)
    (told,) = [table.redacted(fact, msgspec.to_builtins(fact, str_keys=True)) for fact in replaced.facts]
    again = title.decide(given, seat, next(title.replacements(given, seat)), table.fast(3))
    assert [told] == [table.redacted(f, msgspec.to_builtins(f, str_keys=True)) for f in again.facts]
    for other in (None, *range(before.seats)):
        if other != seat:
            assert title.view(replaced.state, other) == title.view(given, other)


def test_imagination_follows_from_what_the_seat_knows(game):
    """The same seed imagines the same from two states that the seat cannot tell apart: so bots repeat."""
    title = game.title
    for moment in game.some_moments(30):
        for seat in range(game.table.seats):
            other = title.imagine(moment.state, seat, table.fast(21))
            assert title.imagine(other, seat, table.fast(22)) == title.imagine(
                moment.state, seat, table.fast(22)
            )


def test_imagination_varies_and_repeats(game):
    """The same seed imagines the same; hidden parts are really drawn again (or there are none left)."""
    title = game.title
    for moment in game.some_moments(10):
        first = title.imagine(moment.state, 0, table.fast(1))
        assert title.imagine(moment.state, 0, table.fast(1)) == first
        assert title.imagine(first, 0, table.fast(2)) is not None


def test_imagined_state_can_be_played(game):
    """Play can go on from an imagined state: bots search in it."""
    title = game.title
    for moment in game.some_moments(10):
        chance = table.fast(11)
        state = title.imagine(moment.state, 0, chance)
        for _ in range(60):
            waiting = title.awaited(state)
            if not waiting:
                break
            decision = waiting[0]
            seat = decision.seat
            command = title.default(state, decision) if seat is None else title.sample(state, seat, chance)
            state = title.decide(state, seat, command, chance).state


def test_views_are_json(game):
    """Views, decisions, outcome and panels are plain JSON; panels are of the kinds that a page draws."""
    title = game.title
    for moment in game.some_moments(25):
        for seat in (None, *range(game.table.seats)):
            view = title.view_json(moment.state, seat)
            assert msgspec.json.decode(msgspec.json.encode(view)) == view
            panels = title.panels(view, seat)
            assert panels
            msgspec.json.decode(msgspec.json.encode(panels), type=list[Panel])


def test_every_event_can_be_looked_at(game):
    """After every single event, inside commands too: a page that shows it has a whole picture.

    All that a page or an analyst may ask of a state is asked, for some seat and for a spectator, wherever a
    kind of fact follows on another for the first time; over all tables it is every seat's turn.
    """
    check_events(game, range(1, 2))


def check_events(game, looks):
    """One looks where a kind of fact follows on another so many times, as *looks* says: the first is 1."""
    title = game.title
    state = title.blank(game.table.seats, game.options)
    met: Counter[tuple[type, type]] = Counter()
    for number, (fact, after) in enumerate(zip_longest([None, *game.facts], game.facts)):
        state = (
            fact.fold(state) if fact else state
        )  # first what is seen after the platform's own `TableBegun`
        met[type(fact), type(after)] += 1
        if met[type(fact), type(after)] not in looks:
            continue
        seat = number % game.table.seats
        title.outcome(state)
        title.position(state)
        assert all(d.commands for d in title.decisions(state))
        for viewer in (None, seat):
            assert title.panels(title.view_json(state, viewer), viewer)
        for command in islice(title.legal(state, seat), 5):
            assert title.label(state, seat, command)


@pytest.mark.slow
@pytest.mark.parametrize("one", [one for one in tables() if is_plain(one)], ids=lambda one: one.name)
def test_every_event_and_every_covered_answer(one):
    """What every run tries at some of them: here at the others, too."""
    game = play(one, seed=1, keep=True)
    check_events(game, range(2, LOOKS + 1))
    check_covered_answers(game, len(game.commands))


def test_the_final_position_can_be_set_up_again(game):
    """What an ended game shows as its position is one that the title accepts."""
    title = game.title
    assert title.from_position(title.position(game.state)) == game.state


def test_labels_tell_choices_apart(game):
    """Within one legal list no two commands read alike."""
    for moment in game.some_moments(25):
        for seat in range(game.table.seats):
            labels = Counter(
                game.title.label(moment.state, seat, command)
                for command in game.title.legal(moment.state, seat)
            )
            assert [label for label, times in labels.items() if times > 1] == []


def test_a_list_called_complete_is(game):
    """Whatever is accepted of a seat stands in its list, in any order of its parts, or leads to the same."""
    title = game.title
    for number, moment in enumerate(game.some_moments(40)):
        tried = [given.command for given in table.spread(game.commands, 10)]
        tried += table.mutations(game, seed=number, count=12)
        for seat in range(game.table.seats):
            listed = list(title.legal(moment.state, seat))
            if not listed or not title.complete(moment.state, seat):
                continue
            known, kinds = {*map(unordered, listed)}, {type(command) for command in listed}
            for command in (*tried, *(title.sample(moment.state, seat, table.fast(n)) for n in range(3))):
                if type(command) in kinds and unordered(command) not in known:
                    check_listed(title, moment.state, seat, command, listed)


def unordered(command):
    """A command as JSON, whatever the order of the items of its lists."""

    def settled(value):
        if isinstance(value, dict):
            return {key: settled(inner) for key, inner in value.items()}
        return sorted(map(settled, value), key=repr) if isinstance(value, list | tuple) else value

    return repr(settled(msgspec.to_builtins(command, str_keys=True)))


def check_listed(title, state, seat, command, listed):
    """*command* is refused, or does what one of those *listed* does."""
    try:
        after = title.decide(state, seat, command, table.fast(6)).state
    except Rejected:
        return
    same = [title.decide(state, seat, c, table.fast(6)).state for c in listed if type(c) is type(command)]
    assert after in same or without_numbers(title, after) in [without_numbers(title, s) for s in same], (
        command
    )


def without_numbers(title, state):
    """A position in which it makes no difference which of several pieces that are alike lies where."""

    def settled(value):
        if isinstance(value, dict):
            return sorted(([settled(key), settled(inner)] for key, inner in value.items()), key=repr)
        if isinstance(value, list | tuple):
            return sorted(map(settled, value), key=repr)
        return re.sub(r"_ship_\d+$", "_ship", value) if isinstance(value, str) else value

    return settled(title.position(state))


def test_every_fact_can_be_told(game):
    """Each fact has a good sentence, also for readers who may not know its secrets."""
    title = game.title
    for fact in game.facts:
        data = msgspec.to_builtins(fact, str_keys=True)
        data.pop("type")
        tell = title.tell[type_name(type(fact))]
        full = tell(data, lambda seat: f"Seat {seat}")
        public = tell(table.redacted(fact, data), lambda seat: f"Seat {seat}")
        assert full.endswith((".", "!")), full
        assert public.endswith((".", "!")), public
        assert "None" not in public


def test_names_are_free():
    """No title takes a name of the platform's: its events, or the field that says which seat acts."""
    for title_id in tried_titles():
        title = find_title(title_id)
        assert not {type_name(f) for f in title.facts} & set(RESERVED)
        assert not [c for c in title.commands if "seat" in c.__struct_fields__]
        assert not [c for c in title.commands if type_name(c).startswith(command_rules.PREFIX)]


@pytest.mark.parametrize("title_id", table.tried_titles())
def test_bots_are_known(title_id):
    """A title has bots that there are, weakest first, and those that play on for absent players."""
    bots = find_title(title_id).bots
    assert list(bots) == [name for name in BOTS if name in bots]
    assert {"random", SUBSTITUTE} <= set(bots)


def test_tell_covers_every_fact():
    """No fact type is without a sentence, no command type without use."""
    for title_id in tried_titles():
        title: Title = find_title(title_id)
        assert {type_name(f) for f in title.facts} == set(title.tell)
        assert not set(title.codes.values()) - COMMON_CODES
