"""The Explorer (COL-15) and the special explorations (COL-11)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.words import capital, format_count
from events.rules.steps import Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import (
    AttemptCircumnavigation,
    PlayExplorer,
    RollAgainForAustralia,
    SettleExploredTerritory,
)
from events.titles.colonial.data import RULES, SPACE, SPACES, TERRITORIES, TERRITORY, space_name
from events.titles.colonial.derived import (
    circumnavigation_required,
    continents,
    count_required_successes,
    is_explored,
    is_sea_open,
    may_place,
)
from events.titles.colonial.state import Exploring, State, list_acting
from events.titles.colonial.steps.endeavour.rounds import character, finish, use
from events.titles.colonial.steps.placing import consequences, judge, put_counter


def is_all_explored(state: State) -> bool:
    """Return True if no standard attempt is possible any more (COL-11-08)."""
    return not any(land.prestige for land in state.lands)


def find_pending(state: State, seat: Seat, step: str) -> Exploring | None:
    """The seat's Explorer play if it waits for that step."""
    action = state.action
    waits = isinstance(action, Exploring) and action.step == step
    return action if isinstance(action, Exploring) and waits and state.active == seat else None


def play(draft: Draft, seat: Seat, command: PlayExplorer) -> None:
    """Explore a Territory, or only sail around the world (COL-15-01 to COL-15-06)."""
    state = draft.state
    if command.territory is None:
        _sail_alone(draft, seat)
        return
    number = checks.territory_number(command.territory)
    checks.may_play(state, seat, "explorer")
    checks.check_not_excluded(state, number)
    if is_explored(state, number):
        name = TERRITORIES[number].name
        raise Rejected("territory_already_explored", f"{name} is Explored; choose an Unexplored Territory.")
    use(draft, seat, "explorer")
    required = count_required_successes(state, seat, number)
    dice = draft.roll(RULES.exploration_dice)
    draft.emit(f.ExplorationRolled(seat, command.territory, required, dice, sum(dice)))
    if sum(dice) < required:
        _follow_standard(draft, seat)
        return
    _success(draft, seat, number)
    if draft.state.lands[number].prestige:
        draft.emit(f.ChoiceOffered(seat, "second_roll"))
    else:
        _offer_settling(draft, seat, number)


def _sail_alone(draft: Draft, seat: Seat) -> None:
    """Offer the circumnavigation without a standard attempt (COL-11-08)."""
    state = draft.state
    checks.may_play(state, seat, "explorer")
    if not is_all_explored(state):
        raise Rejected("unexplored_territory_available", "Name an Unexplored Territory to explore.")
    if not is_sea_open(state):
        raise Rejected(
            "circumnavigation_not_open",
            "Nothing is left to explore, and nobody may sail around the world now; choose another action.",
        )
    checks.can_pay(state.players[seat], RULES.circumnavigation_cost)
    use(draft, seat, "explorer")
    _follow_standard(draft, seat)


def _success(draft: Draft, seat: Seat, number: int) -> None:
    """Take Prestige, discover America, move on Diplomacy (COL-15-05, COL-15-06, COL-11-02)."""
    land, state = TERRITORIES[number], draft.state
    draft.emit(f.TerritoryExplored(seat, land.id, 1, state.lands[number].prestige - 1))
    if land.american and not state.america_discovered:
        bonus = _america_bonus(state, number)
        draft.emit(f.AmericaDiscovered(seat, bonus, state.discovery_box - bonus))
    if land.id in RULES.diplomacy_bonus:
        draft.move_right(seat, "india_china")


def _america_bonus(state: State, number: int) -> int:
    """Return the Prestige that the discovery of America gives besides (COL-11-02)."""
    if not TERRITORIES[number].american or state.america_discovered:
        return 0
    return min(RULES.start.america_bonus, state.discovery_box)


def _explorations(state: State, seat: Seat) -> Iterator[PlayExplorer]:
    for place, land in zip(TERRITORIES, state.lands, strict=True):
        if land.prestige and not land.excluded:
            yield PlayExplorer(place.id)
    if _may_sail_alone(state, seat):
        yield PlayExplorer()


def _may_sail_alone(state: State, seat: Seat) -> bool:
    affordable = state.players[seat].treasury >= RULES.circumnavigation_cost
    return affordable and is_sea_open(state) and is_all_explored(state)


def _sample(state: State, seat: Seat, chance: Chance) -> PlayExplorer | None:
    """The easier of two Territories."""
    unknown = [at for at, land in enumerate(state.lands) if land.prestige and not land.excluded]
    if unknown:
        two = (chance.pick(unknown), chance.pick(unknown))
        at = min(two, key=lambda number: count_required_successes(state, seat, number))
        return PlayExplorer(TERRITORIES[at].id)
    return PlayExplorer() if _may_sail_alone(state, seat) else None


def _label(state: State, seat: Seat, command: PlayExplorer) -> str:
    if command.territory is None:
        return f"Explorer: {_label_circumnavigation(state, seat)}"
    number = TERRITORY.get(command.territory)
    if number is None:
        return f"Explorer: {command.territory}"
    gain = 1 + _america_bonus(state, number)
    return (
        f"Explorer: {TERRITORIES[number].name} ({_odds(count_required_successes(state, seat, number), gain)})"
    )


def _odds(required: int, prestige: int) -> str:
    """Return the words for the Successes needed and the Prestige they bring."""
    dice = RULES.exploration_dice
    successes = format_count(required, "Success", "Successes")
    needed = f"{successes} with {dice} dice" if required > 0 else "no Success needed"
    return f"{needed}, {prestige} Prestige"


def _label_circumnavigation(state: State, seat: Seat) -> str:
    odds = _odds(circumnavigation_required(state, seat), state.circumnavigation_box)
    return f"sail around the world for {RULES.circumnavigation_cost} Treasury ({odds})"


EXPLORER = character(PlayExplorer, play, legal=_explorations, label=_label, sample=_sample)


# --- Australia -----------------------------------------------------------------------------------


def roll_again_for_australia(draft: Draft, seat: Seat, command: RollAgainForAustralia) -> None:
    """Roll again for Australia, or decline (COL-11-09 to COL-11-11)."""
    action = find_pending(draft.state, seat, "second_roll")
    if action is None or action.territory is None:
        raise Rejected(
            "no_second_roll_pending",
            "A second roll follows the first success in Australia; give another command.",
        )
    number = TERRITORY[action.territory]
    if not command.roll:
        draft.emit(f.AustraliaSecondRollDeclined(seat))
        _follow_standard(draft, seat)
        return
    required = count_required_successes(draft.state, seat, number)
    dice = draft.roll(RULES.exploration_dice)
    draft.emit(f.AustraliaSecondRollTaken(seat, required, dice, sum(dice)))
    if sum(dice) < required:
        _follow_standard(draft, seat)
    else:
        _success(draft, seat, number)
        _offer_settling(draft, seat, number)


def _label_second_roll(state: State, seat: Seat, command: RollAgainForAustralia) -> str:
    action = state.action
    if not command.roll or not isinstance(action, Exploring) or action.territory is None:
        return "Do not roll again"
    return f"Roll again ({_odds(count_required_successes(state, seat, TERRITORY[action.territory]), 1)})"


ROLL_AGAIN = Step[State](
    kind="roll_again_for_australia",
    asked=list_acting,
    moves=(
        Move(
            command=RollAgainForAustralia,
            take=roll_again_for_australia,
            legal=lambda _state, _seat: (RollAgainForAustralia(roll=True), RollAgainForAustralia(roll=False)),
            label=_label_second_roll,
            own_words=True,
        ),
    ),
    default=lambda _state, _seat: RollAgainForAustralia(roll=True),
)


# --- settling ----------------------------------------------------------------------------------


def settling_spaces(state: State, seat: Seat, number: int) -> tuple[int, ...]:
    """Return the spaces of the Territory on which the seat may settle (COL-15-10)."""
    return tuple(space for space in TERRITORIES[number].spaces if may_place(state, seat, space))


def _offer_settling(draft: Draft, seat: Seat, number: int) -> None:
    """Offer to settle, or skip it if no space may be used (COL-15-07)."""
    if settling_spaces(draft.state, seat, number):
        draft.emit(f.ChoiceOffered(seat, "settle"))
    else:
        _follow_standard(draft, seat)


def settle_explored_territory(draft: Draft, seat: Seat, command: SettleExploredTerritory) -> None:
    """Settle the Territory just explored, or decline (COL-15-07 to COL-15-10)."""
    action = find_pending(draft.state, seat, "settle")
    if action is None or action.territory is None:
        raise Rejected("no_settle_pending", "Settling follows a successful exploration; explore first.")
    if command.option == "none":
        draft.emit(f.SettleDeclined(seat))
    else:
        _settle(draft, seat, TERRITORY[action.territory], command)
    _follow_standard(draft, seat)


def _settle(draft: Draft, seat: Seat, number: int, command: SettleExploredTerritory) -> None:
    space = checks.space_number(command.space or "")
    if command.option == "trading_post" and not draft.player(seat).merchant_fleets:
        raise Rejected(
            "no_merchant_fleet", "A trading post takes a Merchant Fleet; send adventurers or decline."
        )
    if command.option == "adventurers":
        checks.can_pay(draft.state.players[seat], 1)
    checks.check_placeable(draft.state, seat, number, (space,))
    before = draft.state
    put_counter(draft, seat, space, "fleets" if command.option == "trading_post" else "treasury")
    if command.option == "adventurers":
        draft.emit(f.UnrestPlaced(TERRITORIES[number].id, 1, seat, "adventurers"))
    judge(draft, seat, space, before)


def _settlements(state: State, seat: Seat) -> Iterator[SettleExploredTerritory]:
    action, player = state.action, state.players[seat]
    if isinstance(action, Exploring) and action.territory:
        for space in settling_spaces(state, seat, TERRITORY[action.territory]):
            if player.treasury:
                yield SettleExploredTerritory("adventurers", SPACES[space].id)
            if player.merchant_fleets:
                yield SettleExploredTerritory("trading_post", SPACES[space].id)
    yield SettleExploredTerritory("none")


def _label_settlement(state: State, seat: Seat, command: SettleExploredTerritory) -> str:
    if command.option == "none":
        return "Settle nothing"
    post = command.option == "trading_post"
    name, price = ("Trading post", "1 Merchant Fleet") if post else ("Adventurers", "1 Treasury and 1 Unrest")
    space = command.space or ""
    led = consequences(state, seat, (SPACE[space],)) if space in SPACE else ""
    return f"{name}: 1 on {space_name(space)} for {price}{led}"


SETTLE = Step[State](
    kind="settle_explored_territory",
    asked=list_acting,
    moves=(
        Move(
            command=SettleExploredTerritory,
            take=settle_explored_territory,
            legal=_settlements,
            label=_label_settlement,
            own_words=True,
        ),
    ),
    default=lambda _state, _seat: SettleExploredTerritory("none"),
)


# --- circumnavigation --------------------------------------------------------------------------


def _follow_standard(draft: Draft, seat: Seat) -> None:
    """Offer a circumnavigation, or finish the play (COL-11-04, COL-11-05).

    It is offered if the play began after the discovery and can be paid.
    """
    state = draft.state
    action = state.action
    may = isinstance(action, Exploring) and action.circumnavigation
    if may and state.circumnavigation_box and state.players[seat].treasury >= RULES.circumnavigation_cost:
        draft.emit(f.ChoiceOffered(seat, "circumnavigation"))
    else:
        finish(draft, seat)


def attempt_circumnavigation(draft: Draft, seat: Seat, command: AttemptCircumnavigation) -> None:
    """Roll for the circumnavigation, or decline (COL-11-05 to COL-11-07)."""
    if find_pending(draft.state, seat, "circumnavigation") is None or not draft.state.circumnavigation_box:
        raise Rejected(
            "circumnavigation_not_open",
            "An attempt follows an exploration while nobody has succeeded; explore first.",
        )
    if not command.attempt:
        draft.emit(f.CircumnavigationDeclined(seat))
        finish(draft, seat)
        return
    checks.can_pay(draft.state.players[seat], RULES.circumnavigation_cost)
    draft.emit(f.TreasuryDiscarded(seat, RULES.circumnavigation_cost, "circumnavigation"))
    required, reached = circumnavigation_required(draft.state, seat), continents(draft.state, seat)
    dice = draft.roll(RULES.exploration_dice)
    draft.emit(f.CircumnavigationRolled(seat, required, reached, dice, sum(dice)))
    if sum(dice) >= required:
        draft.emit(f.WorldCircumnavigated(seat))
    finish(draft, seat)


def _attempts(state: State, seat: Seat) -> Iterator[AttemptCircumnavigation]:
    if state.players[seat].treasury >= RULES.circumnavigation_cost and state.circumnavigation_box:
        yield AttemptCircumnavigation(attempt=True)
    yield AttemptCircumnavigation(attempt=False)


CIRCUMNAVIGATE = Step[State](
    kind="attempt_circumnavigation",
    asked=list_acting,
    moves=(
        Move(
            command=AttemptCircumnavigation,
            take=attempt_circumnavigation,
            legal=_attempts,
            label=lambda state, seat, command: (
                capital(_label_circumnavigation(state, seat)) if command.attempt else "Stay at home"
            ),
            own_words=True,
        ),
    ),
    default=lambda _state, _seat: AttemptCircumnavigation(attempt=False),
)
