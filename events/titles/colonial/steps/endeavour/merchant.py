"""The Merchant (COL-18): the Booming City first, then shipping by consent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.overseas.piles import controller
from events.rules.kit.words import capital
from events.rules.steps import Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import AnswerShipment, FinishAction, PlayMerchant, ShipGoods
from events.titles.colonial.data import RULES, SPACE, SPACES, TERRITORIES
from events.titles.colonial.derived import (
    abolition,
    city_spaces,
    is_city_independent,
    list_shippable,
    shipments_left,
)
from events.titles.colonial.offers import MOST, draw_percent
from events.titles.colonial.parts import Request
from events.titles.colonial.state import Shipping, State, list_acting
from events.titles.colonial.steps.endeavour.consent import FINISH, request_open
from events.titles.colonial.steps.endeavour.rounds import character, finish, use
from events.titles.colonial.words import seat_said, space_names


def find_shipping(state: State, seat: Seat) -> Shipping | None:
    """The seat's Merchant play, if one is in progress."""
    action = state.action
    return action if isinstance(action, Shipping) and state.active == seat else None


def has_something_to_ship(state: State) -> bool:
    """Return True if any space on the map may be shipped from."""
    return any(state.piles[at.number] and not is_city_independent(state, at.territory) for at in SPACES)


def play(draft: Draft, seat: Seat, command: PlayMerchant) -> None:
    """Begin a Merchant play, with the Booming City's Goods first (COL-18-01, COL-18-07)."""
    state = draft.state
    order = tuple(checks.space_number(name) for name in command.booming_city_order)
    checks.may_play(state, seat, "merchant")
    if not state.players[seat].merchant_fleets:
        raise Rejected("no_merchant_fleet", "You have no Merchant Fleet; use the Governor or forfeit.")
    if not has_something_to_ship(state):
        raise Rejected(
            "nothing_to_ship", "Nobody controls a Resource that could be shipped; choose another action."
        )
    _check_order(state, seat, order)
    use(draft, seat, "merchant")
    if order:
        _city_sequence(draft, seat, order)
    _go_on(draft, seat)


def _check_order(state: State, seat: Seat, order: tuple[int, ...]) -> None:
    """Check that the order names all controlled spaces of the city, or one a Fleet (COL-18-08)."""
    due = city_spaces(state)
    if due and not order:
        raise Rejected(
            "booming_city_order_required", "Name the Booming City's spaces in the order of shipping."
        )
    count = min(len(due), state.players[seat].merchant_fleets)
    if len(order) != count or len(set(order)) != count or not set(order) <= set(due):
        raise Rejected(
            "invalid_booming_city_order", f"Name {count} controlled spaces of the Booming City, each once."
        )


def _city_sequence(draft: Draft, seat: Seat, order: tuple[int, ...]) -> None:
    """Ship from the Booming City: sellers, pirates, Goods (COL-18-09 to COL-18-13)."""
    state = draft.state
    number = SPACES[order[0]].territory
    owners = [state.piles[space][0] for space in order]
    amounts = tuple(owners.count(other) if other != seat else 0 for other in range(state.seats))
    pay_later = state.options.pay_sellers_only_if_shipped
    if any(amounts) and not pay_later:
        draft.emit(f.SellersPaid(TERRITORIES[number].id, amounts))
    if _pirates(draft, seat, number):
        return
    if any(amounts) and pay_later:
        draft.emit(f.SellersPaid(TERRITORIES[number].id, amounts))
    for space in order:
        _ship(draft, seat, space, forced=True)


def _pirates(draft: Draft, seat: Seat, number: int) -> bool:
    """Roll for pirates; return True if they block the Territory (COL-18-10 to COL-18-12, COL-18-17)."""
    unrest, city = draft.state.lands[number].unrest, draft.state.booming_city
    if not unrest or city is None:
        return False
    dice = draft.roll(unrest)
    name = TERRITORIES[number].id
    draft.emit(f.PirateCheckRolled(seat, name, unrest, dice, sum(dice)))
    if sum(dice) >= 1:
        draft.emit(f.FleetLostToPirates(seat, name))
    if sum(dice) >= 2 and city.value > 1:
        draft.emit(f.BoomingCityPillaged(name, city.value, city.value - 1))
    return sum(dice) >= 1


def _ship(draft: Draft, seat: Seat, space: int, *, forced: bool = False) -> None:
    """Ship one of the Goods to the Market (COL-18-03, COL-18-04, COL-18-16)."""
    state = draft.state
    owner = state.piles[space][0]
    pay = int(owner != seat and not forced)
    draft.emit(f.GoodsShipped(seat, SPACES[space].id, owner, pay, forced))
    counted = state.options.abolition_per_merchant and _slaves_shipped(state.action)
    if SPACES[space].resource == RULES.slaves_resource and abolition(state) and not counted:
        draft.move_left(seat, 1, "slaves_shipped")


def _slaves_shipped(action: object) -> bool:
    """Return True if this play has shipped slaves before."""
    shipped = action.shipped if isinstance(action, Shipping) else ()
    return any(SPACES[SPACE[name]].resource == RULES.slaves_resource for name in shipped)


def _go_on(draft: Draft, seat: Seat) -> None:
    """End the play when no shipment is left (COL-18-06)."""
    action = draft.state.action
    if isinstance(action, Shipping) and not action.requests and not shipments_left(draft.state, seat):
        finish(draft, seat)


def _orders(state: State, seat: Seat) -> Iterator[PlayMerchant]:
    fleets = state.players[seat].merchant_fleets
    if not fleets or not has_something_to_ship(state):
        return
    due = [SPACES[space].id for space in city_spaces(state)]
    for order in combinations(due, min(len(due), fleets)):
        yield PlayMerchant(order)


def _sample(state: State, seat: Seat, chance: Chance) -> PlayMerchant | None:
    fleets = state.players[seat].merchant_fleets
    if not fleets or not has_something_to_ship(state):
        return None
    return PlayMerchant(chance.deal([SPACES[space].id for space in city_spaces(state)], fleets))


def _label(state: State, seat: Seat, command: PlayMerchant) -> str:
    most = f"ship at most {state.players[seat].merchant_fleets} Goods"
    if not command.booming_city_order:
        return f"Merchant: {most}"
    left = _format_slaves_cost(state, seat, command.booming_city_order)
    first = command.booming_city_order[0]
    risk = first in SPACE and state.lands[SPACES[SPACE[first]].territory].unrest
    pirates = " unless pirates come" if left and risk else ""
    return f"Merchant: {most}, first {space_names(command.booming_city_order)}{left}{pirates}"


MERCHANT = character(PlayMerchant, play, legal=_orders, label=_label, sample=_sample)


# --- shipping ----------------------------------------------------------------------------------


def ship_goods(draft: Draft, seat: Seat, command: ShipGoods) -> None:
    """Ship own Goods at once, ask the owners of others (COL-18-02, COL-18-04, COL-18-05)."""
    state = draft.state
    action = find_shipping(state, seat)
    if action is None:
        raise Rejected("no_merchant_in_progress", "Play the Merchant first.")
    spaces = tuple(checks.space_number(name) for name in command.spaces)
    _check_shipment(state, seat, action, spaces)
    asked: dict[int, list[str]] = {}
    for space in spaces:
        owner = state.piles[space][0]
        if owner == seat:
            _ship(draft, seat, space)
        else:
            asked.setdefault(owner, []).append(SPACES[space].id)
    if asked:
        requests = tuple(Request(owner, tuple(asked[owner])) for owner in sorted(asked))
        draft.emit(f.ShipmentRequested(seat, requests))
    _go_on(draft, seat)


def _check_shipment(state: State, seat: Seat, action: Shipping, spaces: tuple[int, ...]) -> None:
    if action.requests:
        raise Rejected("request_open", "Wait for the answers, or withdraw your requests.")
    left = shipments_left(state, seat)
    if len(spaces) > left:
        raise Rejected("not_enough_fleets", f"You have {left} shipments left; choose fewer spaces.")
    if not all(state.piles[space] for space in spaces):
        raise Rejected("space_uncontrolled", "Nobody controls one of these spaces; leave it out.")
    names = [SPACES[space].id for space in spaces]
    if len(set(names)) != len(names) or not set(names).isdisjoint(action.shipped):
        raise Rejected(
            "already_shipped", "Each space yields 1 Goods in a Merchant play; leave out repetitions."
        )
    _check_refused(action, names)
    _check_pirates(action, spaces)
    _check_independence(state, spaces)


def _check_refused(action: Shipping, names: list[str]) -> None:
    """Check that nothing refused in this play is asked for again (COL-18-05)."""
    if not set(names).isdisjoint(action.refused):
        raise Rejected(
            "shipment_refused_before",
            "A shipment refused in this play cannot be asked for again; leave it out.",
        )


def _check_pirates(action: Shipping, spaces: tuple[int, ...]) -> None:
    """Check that nothing is shipped from where pirates struck in this play (COL-18-11)."""
    if any(TERRITORIES[SPACES[space].territory].id == action.blocked for space in spaces):
        raise Rejected(
            "blocked_by_pirates", "Pirates block the Booming City's Territory in this play; ship from others."
        )


def _check_independence(state: State, spaces: tuple[int, ...]) -> None:
    """Check that nothing is shipped from an independent Booming City (COL-18-15)."""
    if any(is_city_independent(state, SPACES[space].territory) for space in spaces):
        raise Rejected(
            "independent_booming_city",
            "Nothing is shipped from an independent Booming City; leave its spaces out.",
        )


def _mine_and_others(state: State, seat: Seat) -> tuple[list[int], list[int]]:
    """Return the spaces that may still be shipped from: those of the seat, then those of others."""
    possible = list_shippable(state)
    own = [at for at in possible if state.piles[at][0] == seat]
    return own, [at for at in possible if state.piles[at][0] != seat]


def _shipments(state: State, seat: Seat) -> Iterator[ShipGoods]:
    """Yield shipments: first as many own Goods as possible, then with others', then all the rest."""
    possible, left = list_shippable(state), shipments_left(state, seat)
    own, others = _mine_and_others(state, seat)
    seen: set[tuple[int, ...]] = set()
    sizes = range(min(left, len(possible)), 0, -1)
    every = (chosen for size in sizes for chosen in combinations([*own, *others], size))
    for chosen in (tuple(own[:left]), tuple([*own, *others][:left]), *((at,) for at in possible)):
        if chosen and left and chosen not in seen:
            seen.add(chosen)
            yield _shipment(chosen)
    for chosen in every:
        if chosen not in seen:
            yield _shipment(chosen)


def _shipment(spaces: tuple[int, ...]) -> ShipGoods:
    return ShipGoods(tuple(SPACES[at].id for at in spaces))


def _sample_shipment(state: State, seat: Seat, chance: Chance) -> ShipGoods | None:
    left = shipments_left(state, seat)
    own, others = _mine_and_others(state, seat)
    count = min(left, len(own))
    chosen = chance.deal(own, count)
    if left > count and others and draw_percent(chance, 70):
        chosen += chance.deal(others, 1 + chance.pick(range(min(left - count, len(others)))))
    return _shipment(chosen) if chosen else None


def _label_shipment(state: State, seat: Seat, command: ShipGoods) -> str:
    """Own Goods that are shipped at once, and whom the others are asked of."""
    owners: dict[Seat | None, list[str]] = {}
    for name in command.spaces:
        owner = controller(state.piles[SPACE[name]]) if name in SPACE else None
        owners.setdefault(owner, []).append(name)
    own = owners.pop(seat, [])
    asked = [
        f"ask {'nobody' if owner is None else seat_said(state, owner)} for {space_names(spaces)}"
        for owner, spaces in owners.items()
    ]
    left = _format_slaves_cost(state, seat, own)
    if not left and (asked_left := _format_slaves_cost(state, seat, command.spaces)):
        left = f"{asked_left} if Slaves are granted"
    return capital(", ".join([*([f"ship {space_names(own)}"] if own else []), *asked])) + left


def _format_slaves_cost(state: State, seat: Seat, names: Iterable[str]) -> str:
    """Return the words for a button on how far shipping these after the abolition moves left (COL-18-16)."""
    spaces = [SPACE[name] for name in names if name in SPACE]
    slaves = sum(SPACES[space].resource == RULES.slaves_resource for space in spaces)
    if state.options.abolition_per_merchant:
        slaves = 0 if _slaves_shipped(state.action) else min(slaves, 1)
    moves = min(slaves, state.players[seat].diplomacy - 1) if abolition(state) else 0
    return f", {moves} left on Diplomacy" if moves else ""


CONTINUE_MERCHANT = Step[State](
    kind="continue_merchant",
    asked=lambda state: () if request_open(state) else list_acting(state),
    moves=(
        Move(
            command=ShipGoods,
            take=ship_goods,
            legal=_shipments,
            most=MOST,
            target=lambda command: len(command.spaces),
            label=_label_shipment,
            own_words=True,
        ),
        FINISH,
    ),
    default=lambda _state, _seat: FinishAction(),
    sample=_sample_shipment,
)


# --- consent -------------------------------------------------------------------------------------


def answer_shipment(draft: Draft, seat: Seat, command: AnswerShipment) -> None:
    """Grant some of the spaces asked for; the rest is refused (COL-18-05)."""
    (shipper,) = list_acting(draft.state)
    asked = _list_asked_spaces(draft.state, seat)
    for name in command.accept:
        checks.space_number(name)
    if not set(command.accept) <= set(asked):
        raise Rejected("space_not_requested", f"Grant only what is asked for: {', '.join(asked)}.")
    accepted = tuple(name for name in asked if name in command.accept)
    refused = tuple(name for name in asked if name not in command.accept)
    draft.emit(f.ShipmentAnswered(seat, accepted, refused))
    for name in accepted:
        _ship(draft, shipper, SPACE[name])
    _go_on(draft, shipper)


def request_to(action: object, seat: Seat) -> Request | None:
    """Return the request of a Merchant to this seat, or None."""
    requests = action.requests if isinstance(action, Shipping) else ()
    return next((request for request in requests if request.owner == seat), None)


def _list_asked_spaces(state: State, seat: Seat) -> tuple[str, ...]:
    """The spaces that this seat is asked for."""
    request = request_to(state.action, seat)
    return request.spaces if request else ()


def _grants(state: State, seat: Seat) -> Iterator[AnswerShipment]:
    asked = _list_asked_spaces(state, seat)
    for count in range(len(asked), -1, -1):
        for accepted in combinations(asked, count):
            yield AnswerShipment(accepted)


def _sample_grant(state: State, seat: Seat, chance: Chance) -> AnswerShipment:
    return AnswerShipment(
        tuple(space for space in _list_asked_spaces(state, seat) if draw_percent(chance, 70))
    )


def _list_asked(state: State) -> list[Seat]:
    action = state.action
    return [request.owner for request in action.requests] if isinstance(action, Shipping) else []


ANSWER_SHIPMENT = Step[State](
    kind="answer_shipment",
    asked=_list_asked,
    moves=(
        Move(
            command=AnswerShipment,
            take=answer_shipment,
            legal=_grants,
            most=MOST,
            target=lambda command: len(command.accept),
            label=lambda _state, _seat, command: (
                f"Grant {space_names(command.accept)} for {len(command.accept)} Treasury"
                if command.accept
                else "Refuse all"
            ),
            sample=_sample_grant,
        ),
    ),
    default=lambda _state, _seat: AnswerShipment(()),
)
