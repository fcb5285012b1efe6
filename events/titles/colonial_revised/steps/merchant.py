"""The Merchant: shipping own Goods and, with consent, those of others; Privateers on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from math import comb
from typing import NamedTuple

from events.rules.chance import Chance
from events.rules.kit.overseas.offers import choose_subsets
from events.rules.kit.overseas.piles import controller
from events.rules.steps import INVALID_PARAMETERS, Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import space_numbers
from events.titles.colonial_revised.data import SLAVES, SPACE, SPACES, TABLES, TERRITORIES
from events.titles.colonial_revised.derived import (
    find_booming_territory,
    foreign,
    foreign_counters,
    list_controlled,
)
from events.titles.colonial_revised.offers import MOST, draw_percent, draw_up_to, names, subsets
from events.titles.colonial_revised.parts import SeatSpaces
from events.titles.colonial_revised.state import Shipment, State, require
from events.titles.colonial_revised.steps.cards import Character, character, use
from events.titles.colonial_revised.steps.settlement import move_diplomacy

Names = tuple[str, ...]
Spaces = tuple[int, ...]
FEW = 3
"""So many spaces are named on a button."""


def slaves_forbidden(state: State, seat: int) -> bool:
    """After abolition Slaves cost a move to the left: at the left end they cannot be shipped (REV-213)."""
    return state.abolition and state.players[seat].diplomacy <= 1


def list_booming_spaces(state: State, seat: int, *, ship_slaves: bool) -> tuple[int, ...]:
    """Return the spaces that others control in the Booming City's Territory (REV-210, REV-213).

    Nobody is forced to ship Slaves.
    """
    territory = find_booming_territory(state)
    if territory is None:
        return ()
    ship_slaves = ship_slaves and not slaves_forbidden(state, seat)
    return tuple(
        space
        for space in TERRITORIES[territory].spaces
        if controller(state.piles[space]) not in {None, seat}
        and (ship_slaves or not state.abolition or space not in SLAVES)
    )


def ship_goods(draft: Draft[State], seat: int, command: c.ShipGoods) -> None:
    """Own Goods up to the Merchant Fleets, and requests to those who control others (REV-205 to REV-213)."""
    state, fleets = draft.state, draft.state.players[seat].merchant_fleets
    own, asked = space_numbers(command.own_spaces), space_numbers(command.requests)
    _check_spaces(state, seat, own, asked)
    if len(own) > fleets:
        raise Rejected(
            "over_merchant_fleets", f"You have {fleets} Merchant Fleets: ship at most as many Goods."
        )
    if state.abolition and not SLAVES.isdisjoint([*own, *asked]):
        _check_slaves(state, seat, command)
    booming: tuple[int, ...] = ()
    if fleets == len(own):
        asked = []
    else:
        booming = list_booming_spaces(state, seat, ship_slaves=command.ship_slaves)
        asked += [space for space in booming if space not in asked]
    if not own and not asked:
        raise Rejected(INVALID_PARAMETERS, "That ships nothing: pass the card instead.")
    use(draft, seat, "merchant")
    draft.emit(
        f.GoodsRequested(
            seat=seat,
            own_spaces=command.own_spaces,
            requests_by_owner=group_by_owner(state, asked),
            booming_spaces=tuple(SPACES[space].id for space in booming),
            ship_slaves=_asks_for_slaves(state, command, [*own, *asked]),
        )
    )


def _asks_for_slaves(state: State, command: c.ShipGoods, spaces: Sequence[int]) -> bool:
    """Return True if the consent to ship Slaves matters for these spaces (REV-213)."""
    return command.ship_slaves and state.abolition and not SLAVES.isdisjoint(spaces)


def _check_slaves(state: State, seat: int, command: c.ShipGoods) -> None:
    """Slaves after abolition: only on purpose, and only by moving left (REV-213)."""
    if not command.ship_slaves:
        raise Rejected(
            "slaves_need_consent", "Slavery is abolished: set ship_slaves, or leave the Slaves out."
        )
    if slaves_forbidden(state, seat):
        raise Rejected(
            "diplomacy_at_left_end",
            "Slaves cost a move left on Diplomacy, and you are at its end: leave them out.",
        )


def _check_spaces(state: State, seat: int, own: Sequence[int], asked: Sequence[int]) -> None:
    if any(controller(state.piles[space]) != seat for space in own):
        raise Rejected("not_controller", "Ship own Goods only from spaces that you control.")
    if any(controller(state.piles[space]) is None for space in asked):
        raise Rejected("not_controller", "Nobody controls one of these spaces: ask only for Goods of others.")
    if any(controller(state.piles[space]) == seat for space in asked):
        raise Rejected(
            "own_space_in_requests", "Ask only for Goods of others; list your own under own_spaces."
        )


def group_by_owner(state: State, spaces: Sequence[int]) -> tuple[SeatSpaces, ...]:
    """Spaces grouped by their controllers, in seat order."""
    return tuple(
        SeatSpaces(seat, names)
        for seat in range(state.seats)
        if (names := tuple(SPACES[space].id for space in spaces if controller(state.piles[space]) == seat))
    )


def list_asked_spaces(deal: Shipment, seat: int) -> Names:
    """Return the spaces of which the seat was asked."""
    return next((entry.spaces for entry in deal.requests if entry.seat == seat), ())


def answer_goods_request(draft: Draft[State], seat: int, command: c.AnswerGoodsRequest) -> None:
    """Grant or refuse any Goods asked of the seat (REV-209); answers stay sealed until all are in."""
    deal = require(draft.state.shipment)
    space_numbers(command.accepted)
    if not set(command.accepted) <= set(list_asked_spaces(deal, seat)):
        raise Rejected("not_asked", "Grant only Goods that you were asked for.")
    draft.emit(f.GoodsRequestAnswered(seller=seat, accepted=command.accepted))


def list_granted(deal: Shipment) -> Names:
    """Everything that was granted, in the order of the requests."""
    return tuple(
        name for entry in deal.requests for name in entry.spaces if name in (deal.answers[entry.seat] or ())
    )


def count_owed(deal: Shipment, fleets: int) -> int:
    """Return the number of Goods of the Booming City that the Merchant must ship (REV-210)."""
    offered = sum(1 for name in list_granted(deal) if name in deal.booming_spaces)
    return min(offered, max(0, fleets - len(deal.own_spaces)))


def confirm_shipment(draft: Draft[State], seat: int, command: c.ConfirmShipment) -> None:
    """The Merchant chooses among the Goods granted, the Booming City's first (REV-209, REV-210)."""
    state, deal = draft.state, require(draft.state.shipment)
    space_numbers(command.foreign_spaces)
    fleets = state.players[seat].merchant_fleets
    if not set(command.foreign_spaces) <= set(list_granted(deal)):
        raise Rejected("not_accepted", "Ship only foreign Goods that were granted.")
    if len(deal.own_spaces) + len(command.foreign_spaces) > fleets:
        raise Rejected(
            "over_merchant_fleets", f"You have {fleets} Merchant Fleets: ship at most as many Goods."
        )
    _check_owed(deal, fleets, command.foreign_spaces)
    ship(draft, deal, seat, command.foreign_spaces)


def _check_owed(deal: Shipment, fleets: int, foreign: Names) -> None:
    """Check that the Booming City's Goods come before other foreign ones (REV-210)."""
    due = count_owed(deal, fleets)
    if sum(1 for name in foreign if name in deal.booming_spaces) < due:
        raise Rejected(
            "booming_city_first", f"Ship {due} Goods of the Booming City before other foreign Goods."
        )


def ship(draft: Draft[State], deal: Shipment, seat: int, foreign: Names) -> None:
    """The shipment is fixed, sellers are paid, Slaves cost Diplomacy after abolition (REV-206 to REV-213)."""
    counters = len(deal.own_spaces) + foreign_counters(len(foreign))
    sold = group_by_owner(draft.state, [SPACE[name] for name in foreign])
    draft.emit(f.GoodsShipped(seat, deal.own_spaces, sold, counters))
    for entry in sold:
        draft.emit(f.SellerPaid(seller=entry.seat, amount=len(entry.spaces)))
    if draft.state.abolition and any(SPACE[name] in SLAVES for name in (*deal.own_spaces, *foreign)):
        move_diplomacy(draft, seat, -1, "slaves_shipped")


def go_on(draft: Draft[State], deal: Shipment) -> None:
    """The next automatic part of the Merchant's deal."""
    state = draft.state
    seat = require(state.action).seat
    if deal.step == "answer":
        answers = tuple(SeatSpaces(e.seat, deal.answers[e.seat] or ()) for e in deal.requests)
        draft.emit(f.GoodsAnswersRevealed(answers))
    elif deal.step == "confirm":
        if deal.requests:
            draft.emit(f.DecisionSkipped(seat, "confirm_shipment", "nothing_granted"))
        ship(draft, deal, seat, ())
    elif deal.awaiting:
        draft.emit(f.DecisionSkipped(deal.awaiting[0], "attack_merchant", "nothing_to_attack"))
    else:
        draft.emit(f.GoodsReachedMarket(seat=seat, count=deal.market_counters))


def can_attack(state: State, deal: Shipment, seat: int, merchant: int) -> bool:
    """Return True if there are Goods left to take and Privateers to take them."""
    return deal.market_counters > 0 and state.players[seat].privateers[merchant] > 0


def attack_merchant(draft: Draft[State], seat: int, command: c.AttackMerchant) -> None:
    """1 die a Privateer, 1 counter a Success; then the Merchant may reply (REV-220 to REV-224)."""
    state, deal = draft.state, require(draft.state.shipment)
    merchant, used = require(state.action).seat, command.privateers
    if used > state.players[seat].privateers[merchant]:
        raise Rejected("no_privateers", "You have fewer Privateers in that box: use at most those.")
    faces = draft.chance.roll(used, TABLES.success_faces)
    taken = min(sum(faces), deal.market_counters)
    reply = min(state.players[merchant].squadrons, used)
    draft.emit(f.PrivateersAttacked(seat, merchant, used, faces, sum(faces), taken, reply))


def count_reply_dice(state: State, seat: int) -> int:
    """Dice of the Merchant's reply: a Squadron each, at most the Privateers that attacked (REV-224)."""
    return min(state.players[seat].squadrons, require(require(state.shipment).attack).count)


def reply_to_privateers(draft: Draft[State], seat: int, command: c.ReplyToPrivateers) -> None:
    """Strike back at the owner who has just attacked, or let them go (REV-224)."""
    owner = require(require(draft.state.shipment).attack).seat
    if not command.strike:
        draft.emit(f.CounterattackDeclined(seat, owner))
        return
    dice = count_reply_dice(draft.state, seat)
    faces = draft.chance.roll(dice, TABLES.success_faces)
    draft.emit(f.CounterattackRolled(seat, owner, dice, faces, sum(faces), sum(faces)))


# --- offers --------------------------------------------------------------------------------------


def list_without_slaves(state: State, spaces: Sequence[int]) -> tuple[int, ...]:
    """Return the spaces that may be shipped from without ship_slaves (REV-213)."""
    return tuple(s for s in spaces if not (state.abolition and s in SLAVES))


class _Cargo(NamedTuple):
    """The Goods that one way of shipping could carry."""

    own: tuple[int, ...]
    others: tuple[int, ...]
    """The spaces that may be asked for; the Booming City's Goods are asked for anyway (REV-210)."""
    owed: bool
    slaves: bool

    def sizes(self, fleets: int) -> Iterator[tuple[int, int]]:
        """Yield the numbers of own Goods and requests, the most first; none where all Fleets are full."""
        for count in range(min(fleets, len(self.own)), -1, -1):
            for asked in range(len(self.others), -1, -1) if count < fleets else (0,):
                if count or asked or (self.owed and fleets):
                    yield count, asked

    def ways(self, fleets: int) -> int:
        """Return the number of these shipments."""
        return sum(
            comb(len(self.own), own) * comb(len(self.others), asked) for own, asked in self.sizes(fleets)
        )

    def every(self, fleets: int) -> Iterator[tuple[Spaces, Spaces]]:
        """Own Goods and requests in every way."""
        for count, size in self.sizes(fleets):
            yield from product(combinations(self.own, count), combinations(self.others, size))

    def few(self, fleets: int) -> Iterator[tuple[Spaces, Spaces]]:
        """A few of each number of own Goods, with every request, with each alone, and with none."""
        asked = dict.fromkeys((self.others, *((space,) for space in self.others), ()))
        for count in range(min(fleets, len(self.own)), -1, -1):
            for own, others in product(
                choose_subsets(self.own, count, 1), asked if count < fleets else ((),)
            ):
                if own or others or (self.owed and fleets):
                    yield own, others


_NOTHING = _Cargo((), (), owed=False, slaves=False)


def _cargoes(state: State, seat: int) -> tuple[_Cargo, ...]:
    """Without Slaves; and, where they may be shipped after abolition, with them on purpose (REV-213)."""
    own, others = list_controlled(state, seat), foreign(state, seat)
    with_slaves = state.abolition and not slaves_forbidden(state, seat)
    found = []
    for slaves in (False, True) if with_slaves and not SLAVES.isdisjoint((*own, *others)) else (False,):
        mine, theirs = (own, others) if slaves else _leave_out_slaves(state, own, others)
        booming = list_booming_spaces(state, seat, ship_slaves=slaves)
        theirs = tuple(space for space in theirs if space not in booming)
        found.append(_Cargo(mine, theirs, bool(booming), slaves))
    return tuple(found)


def _leave_out_slaves(state: State, own: Spaces, others: Spaces) -> tuple[Spaces, Spaces]:
    return list_without_slaves(state, own), list_without_slaves(state, others)


def _ways(state: State, seat: int) -> int:
    fleets = state.players[seat].merchant_fleets
    return sum(cargo.ways(fleets) for cargo in _cargoes(state, seat))


def _shipments(state: State, seat: int) -> Iterator[c.ShipGoods]:
    """The most own Goods with every request first; a selection where there are too many ways."""
    fleets, whole = state.players[seat].merchant_fleets, _ways(state, seat) <= MOST
    for cargo in _cargoes(state, seat):
        pairs = cargo.every(fleets) if whole else cargo.few(fleets)
        for own, others in pairs:
            if not cargo.slaves or carries_slaves(state, seat, own, others):
                yield c.ShipGoods(names(own), names(others), cargo.slaves)


def carries_slaves(state: State, seat: int, own: Spaces, others: Spaces) -> bool:
    """Return True if Slaves are shipped, asked for, or owed to the Booming City in such a shipment."""
    full = len(own) >= state.players[seat].merchant_fleets
    booming = () if full else list_booming_spaces(state, seat, ship_slaves=True)
    return not SLAVES.isdisjoint((*own, *others, *booming))


def _aim(command: c.ShipGoods) -> tuple[Names, bool]:
    """Return the aim of a shipment: the spaces asked for, and whether slaves may be shipped."""
    return command.requests, command.ship_slaves


def _label(state: State, seat: int, command: c.ShipGoods) -> str:
    cargo = next((one for one in _cargoes(state, seat) if one.slaves == command.ship_slaves), _NOTHING)
    own, asked = command.own_spaces, command.requests
    parts = [
        *([f"ship {_format_spaces(own, cargo.own, w.own_goods)}"] if own else []),
        *([f"ask for {_format_spaces(asked, cargo.others, w.foreign_goods)}"] if asked else []),
        *(["Slaves included for 1 left on Diplomacy"] if command.ship_slaves else []),
    ]
    return f"Merchant: {', '.join(parts) or 'ship what the Booming City owes'}"


def _format_spaces(spaces: Names, there: Spaces, counted: Callable[[int], str]) -> str:
    """The spaces; of a long list that all are meant which are *there*."""
    if len(spaces) > FEW and set(spaces) == set(names(there)):
        return f"all {counted(len(spaces))}"
    return w.space_names(spaces)


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    fleets = state.players[seat].merchant_fleets
    slaves = draw_percent(chance, 30) and not slaves_forbidden(state, seat)
    own, others = list_controlled(state, seat), foreign(state, seat)
    if not slaves:
        own, others = list_without_slaves(state, own), list_without_slaves(state, others)
    own = own[:fleets]
    if not own and not others:
        return None
    asked = tuple(s for s in others if draw_percent(chance, 50)) if fleets > len(own) else ()
    owed = fleets > len(own) and list_booming_spaces(state, seat, ship_slaves=slaves)
    if not own and not asked and not owed:
        return None
    return c.ShipGoods(names(own), names(asked), slaves)


SHIP_GOODS = character(
    "merchant",
    c.ShipGoods,
    take=ship_goods,
    legal=_shipments,
    complete=lambda state, seat: _ways(state, seat) <= MOST,
    target=_aim,
    label=_label,
)
MERCHANT = Character("merchant", (SHIP_GOODS,), _sample)


# --- the sellers' answers ------------------------------------------------------------------------


def _has_answered(state: State, seat: int) -> bool:
    return require(state.shipment).answers[seat] is not None


def _grants(state: State, seat: int) -> Iterator[c.AnswerGoodsRequest]:
    for some in subsets(list_asked_spaces(require(state.shipment), seat)):
        yield c.AnswerGoodsRequest(some)


def _sample_grant(state: State, seat: int, chance: Chance) -> Command:
    asked = list_asked_spaces(require(state.shipment), seat)
    return c.AnswerGoodsRequest(tuple(name for name in asked if draw_percent(chance, 70)))


ANSWER_GOODS_REQUEST = Step(
    kind="answer_goods_request",
    asked=lambda state: require(state.shipment).awaiting,
    covered=_has_answered,
    default=lambda _state, _seat: c.AnswerGoodsRequest(accepted=()),
    sample=_sample_grant,
    moves=(
        Move(
            command=c.AnswerGoodsRequest,
            take=answer_goods_request,
            legal=_grants,
            most=MOST,
            target=lambda command: len(command.accepted),
            label=lambda _state, _seat, command: (
                f"Grant {w.space_names(command.accepted)} for {len(command.accepted)} T"
                if command.accepted
                else "Grant nothing"
            ),
        ),
    ),
)


# --- the choice among what is granted ------------------------------------------------------------


def _who_may_confirm(state: State) -> tuple[int, ...]:
    return (require(state.action).seat,) if list_granted(require(state.shipment)) else ()


def _own_and_owed(state: State, seat: int) -> Command:
    """For an absent player: own Goods, and the Goods owed to the Booming City (REV-210)."""
    deal = require(state.shipment)
    due = count_owed(deal, state.players[seat].merchant_fleets)
    booming = sorted(
        (name for name in list_granted(deal) if name in deal.booming_spaces), key=SPACE.__getitem__
    )
    return c.ConfirmShipment(foreign_spaces=tuple(booming[:due]))


def _confirmations(state: State, seat: int) -> Iterator[c.ConfirmShipment]:
    deal = require(state.shipment)
    fleets = state.players[seat].merchant_fleets
    due, room = count_owed(deal, fleets), fleets - len(deal.own_spaces)
    offered = sorted(list_granted(deal), key=SPACE.__getitem__)
    booming = [name for name in offered if name in deal.booming_spaces]
    others = [name for name in offered if name not in deal.booming_spaces]
    for size in range(min(room, len(offered)), due - 1, -1):
        for first in range(min(size, len(booming)), due - 1, -1):
            for city, rest in product(combinations(booming, first), combinations(others, size - first)):
                yield c.ConfirmShipment((*city, *rest))


def _label_confirmation(_state: State, _seat: int, command: c.ConfirmShipment) -> str:
    if not command.foreign_spaces:
        return "Ship only own Goods"
    counters = w.counters(foreign_counters(len(command.foreign_spaces)))
    return f"Ship {w.space_names(command.foreign_spaces)} for {counters}"


def _sample_confirmation(state: State, seat: int, chance: Chance) -> Command:
    deal = require(state.shipment)
    fleets = state.players[seat].merchant_fleets
    room, due = max(0, fleets - len(deal.own_spaces)), count_owed(deal, fleets)
    offered = list_granted(deal)
    chosen = [name for name in offered if name in deal.booming_spaces][:due]
    others = [name for name in offered if name not in chosen]
    chosen += others[: draw_up_to(chance, min(room - due, len(others)))]
    return c.ConfirmShipment(tuple(sorted(chosen, key=SPACE.__getitem__)))


CONFIRM_SHIPMENT = Step(
    kind="confirm_shipment",
    asked=_who_may_confirm,
    default=_own_and_owed,
    sample=_sample_confirmation,
    moves=(
        Move(
            command=c.ConfirmShipment,
            take=confirm_shipment,
            legal=_confirmations,
            most=MOST,
            target=lambda command: len(command.foreign_spaces),
            label=_label_confirmation,
        ),
    ),
)


# --- Privateers on the way -----------------------------------------------------------------------


def _who_may_attack(state: State) -> tuple[int, ...]:
    """One owner of Privateers after the other (REV-220)."""
    deal = require(state.shipment)
    first = deal.awaiting[:1]
    return first if first and can_attack(state, deal, first[0], require(state.action).seat) else ()


def _count_in_box(state: State, seat: int) -> int:
    return state.players[seat].privateers[require(state.action).seat]


def _attacks(state: State, seat: int) -> Iterator[c.AttackMerchant]:
    for count in range(_count_in_box(state, seat), -1, -1):
        yield c.AttackMerchant(count)


ATTACK_MERCHANT = Step(
    kind="attack_merchant",
    asked=_who_may_attack,
    default=lambda state, seat: c.AttackMerchant(_count_in_box(state, seat)),
    sample=lambda state, seat, chance: c.AttackMerchant(draw_up_to(chance, _count_in_box(state, seat))),
    moves=(
        Move(
            command=c.AttackMerchant,
            take=attack_merchant,
            legal=_attacks,
            label=lambda _state, _seat, command: (
                f"Attack with {w.privateers(command.privateers)}"
                if command.privateers
                else "Let the Merchant pass"
            ),
        ),
    ),
)


def _who_may_reply(state: State) -> tuple[int, ...]:
    return (require(state.action).seat,)


def _label_reply(state: State, seat: int, command: c.ReplyToPrivateers) -> str:
    owner = w.seat_name(require(require(state.shipment).attack).seat)
    if not command.strike:
        return f"Do not strike back at {owner}"
    return f"Strike back at the Privateers of {owner} with {w.dice(count_reply_dice(state, seat))}"


REPLY_TO_PRIVATEERS = Step(
    kind="reply_to_privateers",
    asked=_who_may_reply,
    default=lambda _state, _seat: c.ReplyToPrivateers(strike=True),
    sample=lambda _state, _seat, chance: c.ReplyToPrivateers(strike=draw_percent(chance, 90)),
    moves=(
        Move(
            command=c.ReplyToPrivateers,
            take=reply_to_privateers,
            legal=lambda _state, _seat: (c.ReplyToPrivateers(strike) for strike in (True, False)),
            label=_label_reply,
        ),
    ),
)
