"""Programming and what stays secret (COL-04-02 to COL-04-06)."""

from __future__ import annotations

import msgspec

from events.rules.fast_chance import FastChance
from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from tests.titles.colonial.scene import N5, Done, code, do, fresh, kinds, row, scene

ROW = row("explorer_conqueror")
OTHER = row("trader_financier")


def test_all_program_at_once():
    """COL-04-02, COL-04-03: the turn begins with everybody's secret row."""
    assert kinds(fresh()) == [(seat, "program_cards") for seat in range(4)]


def test_row_is_five_cards_of_the_hand():
    """COL-04-03: exactly five, each card at most once."""
    assert code(fresh(), 0, c.ProgramCards(ROW[:4])) == "wrong_number_of_cards"
    assert code(fresh(), 0, c.ProgramCards((*ROW[:4], ROW[0]))) == "card_not_in_hand"
    assert code(fresh(), 0, c.ProgramCards((*ROW[:4], "admiral"))) == "card_not_in_hand"


def test_set_aside_card_is_out_of_this_turn():
    """COL-04-04: a Character of the card set aside cannot be used."""
    done = Done(fresh())
    for seat in range(4):
        done.do(seat, c.ProgramCards(ROW))
    assert done.of(f.CardsProgrammed)[0].set_aside == ("sovereign_rebel",)
    assert code(done.state, 0, c.PlaySovereign("war", 1)) == "card_not_revealed_this_round"


def test_row_may_be_replaced_until_all_are_in():
    """COL-04-05: then the rows are fixed."""
    done = do(fresh(), 1, c.ProgramCards(ROW)).do(1, c.ProgramCards(OTHER))
    assert done.state.programmes[1] == OTHER
    assert [(open_now.seat, open_now.kind) for open_now in TITLE.replaceable(done.state)] == [
        (1, "program_cards")
    ]
    assert (1, "program_cards") not in kinds(done.state)
    assert isinstance(next(TITLE.replacements(done.state, 1)), c.ProgramCards)
    for seat in (0, 2, 3):
        done.do(seat, c.ProgramCards(ROW))
    assert code(done.state, 1, c.ProgramCards(ROW)) == "programming_closed"


def test_all_reveal_the_card_of_the_round():
    """COL-04-06: round k shows everybody's k-th card."""
    done = Done(fresh())
    for seat in range(4):
        done.do(seat, c.ProgramCards(ROW if seat % 2 else OTHER))
    assert done.of(f.CardsRevealed) == [f.CardsRevealed(1, (OTHER[0], ROW[0], OTHER[0], ROW[0]))]
    assert kinds(done.state) == [(0, "play_character")]


def test_others_see_only_that_a_row_was_submitted():
    """COL-04-03: neither view nor fact shows the row to anyone else."""
    done = do(fresh(), 1, c.ProgramCards(OTHER))
    for viewer in (0, None):
        seen = msgspec.json.encode(TITLE.view_json(done.state, viewer)["players"][1]["revealed"])
        assert seen == b"[]"
    assert TITLE.view_json(done.state, 1)["own"]["row"] == list(OTHER)
    assert done.of(f.CardsProgrammed)[0].secrets == {"row": ("seat",), "set_aside": ("seat",)}
    assert TITLE.command_type("program_cards").sealed


def test_view_does_not_depend_on_hidden_cards():
    """COL-04-06: whatever lies face down, others see the same."""
    state = scene("viceroy_ambassador")
    other = msgspec.structs.replace(
        state, programmes=(state.programmes[0], *[(row[0], *row[:0:-1]) for row in state.programmes[1:]])
    )
    assert other != state
    assert TITLE.view(other, 0) == TITLE.view(state, 0)
    assert TITLE.view(other, None) == TITLE.view(state, None)


def test_imagined_rows_keep_what_was_revealed():
    """COL-04-06: an imagined row agrees with the revealed cards and with the hand."""
    state = scene("viceroy_ambassador", round=2, nations=N5)
    seen = set()
    for seed in range(30):
        other = TITLE.imagine(state, 0, FastChance(seed))
        assert other.programmes[0] == state.programmes[0]
        for seat in range(1, 5):
            imagined = other.programmes[seat]
            assert imagined[:2] == state.programmes[seat][:2]
            assert all(imagined.count(card) <= state.players[seat].cards.count(card) for card in imagined)
        seen.add(other.programmes[1])
    assert len(seen) > 5


def test_nation_hand_of_seven():
    """COL-25-04: with the extra card two cards are set aside."""
    done = do(fresh(nations=N5, seats=5), 2, c.ProgramCards(ROW))
    assert sorted(done.of(f.CardsProgrammed)[0].set_aside) == ["merchant_governor", "sovereign_rebel"]
