"""One plain sentence for each fact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.fact import Who
from events.kit.words import listed
from events.titles.colonial_empires.data import CARD_NAMES, EMPIRES, REGIONS
from events.titles.colonial_empires.names import card_names, fortunes, plural, side_text

Data = Mapping[str, Any]


def _name(who: Who, seat: int) -> str:
    """A seat at the beginning of a sentence."""
    name = who(seat)
    return name[:1].upper() + name[1:]


def _seats(who: Who, seats: list[int]) -> str:
    return listed([who(seat) for seat in seats])


def _cards(data: Data) -> str:
    """The cards, or their number for who may not know them."""
    number = plural(data["count"], "card")
    return f"{number}: {card_names(data['cards'])}" if data.get("cards") else number


def _game_started(data: Data, who: Who) -> str:
    every = " with the additional empires" if data["options"]["additional_empires"] else ""
    return f"A game for {data['seats']} players began{every}."


def _lead_seat_drawn(data: Data, who: Who) -> str:
    return f"The lot made {who(data['lead_seat'])} the lead seat of turn 1."


def _empire_chosen(data: Data, who: Who) -> str:
    return f"Seat {data['seat']} chose to play the {EMPIRES[data['empire']].name}."


def _deck_shuffled(data: Data, who: Who) -> str:
    return f"The deck of {data['count']} cards was shuffled."


def _fortunes_granted(data: Data, who: Who) -> str:
    return f"{_name(who, data['seat'])} began with {fortunes(data['amount'])}."


def _starting_hand_dealt(data: Data, who: Who) -> str:
    return f"{_name(who, data['seat'])} began with {_cards(data)}."


def _turn_started(data: Data, who: Who) -> str:
    return f"Turn {data['turn']} began; the lead seat belongs to {who(data['lead_seat'])}."


def _phase_started(data: Data, who: Who) -> str:
    return f"The {data['phase'].title()} Phase of turn {data['turn']} began."


def _fate_order_set(data: Data, who: Who) -> str:
    return f"Cards were drawn in this order: {_seats(who, data['order'])}."


def _fate_cards_drawn(data: Data, who: Who) -> str:
    return f"{_name(who, data['seat'])} drew {_cards(data)}."


def _deck_ran_out(data: Data, who: Who) -> str:
    return f"The last card of the deck was drawn: turn {data['turn']} is the final turn."


def _extra_draw_round_started(data: Data, who: Who) -> str:
    return f"Round {data['round']} of buying extra cards began; asked: {_seats(who, data['seats'])}."


def _extra_card_answered(data: Data, who: Who) -> str:
    if "buys" not in data:
        return f"{_name(who, data['seat'])} answered, sealed."
    return f"{_name(who, data['seat'])} decided to {'buy an extra card' if data['buys'] else 'stop buying'}."


def _extra_card_bought(data: Data, who: Who) -> str:
    card = f", {CARD_NAMES[data['card']]}," if "card" in data else ""
    return f"{_name(who, data['seat'])} bought an extra card{card} for {fortunes(data['price'])}."


def _extra_card_unavailable(data: Data, who: Who) -> str:
    return f"{_name(who, data['seat'])} wanted an extra card, but the deck was empty."


def _extra_draw_stopped(data: Data, who: Who) -> str:
    reason = "could not pay for" if data["reason"] == "cannot_pay" else "wanted no"
    return f"{_name(who, data['seat'])} {reason} more extra cards."


_SHARES = {"most": "the most", "all": "all"}


def _revenue_collected(data: Data, who: Who) -> str:
    parts = [f"{data['base']} base"]
    parts += [
        f"{data[part]} from {word}"
        for part, word in (
            ("resources", "Resources"),
            ("industries", "Industry"),
            ("prussian_bonus", "the Prussian power"),
        )
        if data[part]
    ]
    parts += [
        f"{bonus['amount']} for {_SHARES[bonus['kind']]} of {REGIONS[bonus['region']].name}"
        for bonus in data["region_bonuses"]
    ]
    return f"{_name(who, data['seat'])} collected {fortunes(data['total'])} ({', '.join(parts)})."


def _event_order_set(data: Data, who: Who) -> str:
    return f"Event turns are taken in this order: {_seats(who, data['order'])}."


def _event_turn_started(data: Data, who: Who) -> str:
    if data["automatic"]:
        return f"{_name(who, data['seat'])} had no cards and was passed over."
    return f"The event turn of {who(data['seat'])} began."


def _event_turn_ended(data: Data, who: Who) -> str:
    return f"The event turn of {who(data['seat'])} ended."


def _event_card_played(data: Data, who: Who) -> str:
    against = ""
    if data.get("target_player") is not None:
        against = f" against {who(data['target_player'])}"
    elif data.get("target_card") is not None:
        against = f" against {CARD_NAMES[data['target_card']]}"
    return f"{_name(who, data['seat'])} played {CARD_NAMES[data['card']]}{against}."


def _colonial_resource_discarded(data: Data, who: Who) -> str:
    return f"{_name(who, data['owner'])} lost {CARD_NAMES[data['card']]} to a rebellion; it was discarded."


def _colonial_resource_stolen(data: Data, who: Who) -> str:
    return f"{_name(who, data['to'])} took {CARD_NAMES[data['card']]} from {who(data['from'])}."


def _fortunes_stolen(data: Data, who: Who) -> str:
    return f"{_name(who, data['to'])} took {fortunes(data['amount'])} from {who(data['from'])}."


def _fortunes_gained(data: Data, who: Who) -> str:
    return f"{_name(who, data['seat'])} gained {fortunes(data['amount'])}."


def _fortunes_lost(data: Data, who: Who) -> str:
    return f"{_name(who, data['seat'])} lost {fortunes(data['amount'])}."


def _cards_drawn(data: Data, who: Who) -> str:
    reason = "by Discovery" if data["reason"] == "discovery" else "by the Italian power"
    return f"{_name(who, data['seat'])} drew {_cards(data)} {reason}."


def _hand_card_stolen(data: Data, who: Who) -> str:
    card = CARD_NAMES[data["card"]] if "card" in data else "a card"
    return f"{_name(who, data['to'])} took {card} from the hand of {who(data['from'])}."


def _hand_cards_discarded_at_random(data: Data, who: Who) -> str:
    return f"{_name(who, data['seat'])} discarded {card_names(data['cards'])} at random."


def _italian_discard_required(data: Data, who: Who) -> str:
    return f"{_name(who, data['seat'])} must discard {plural(data['count'], 'card')}."


def _cards_discarded(data: Data, who: Who) -> str:
    reason = "for the Italian power" if data["reason"] == "italian" else "for the hand limit"
    return f"{_name(who, data['seat'])} discarded {card_names(data['cards'])} {reason}."


def _build_submitted(data: Data, who: Who) -> str:
    if "cards" not in data:
        return f"{_name(who, data['seat'])} submitted a build list, sealed."
    return f"{_name(who, data['seat'])} submitted a build list: {card_names(data['cards']) or 'no cards'}."


def _cards_put_into_play(data: Data, who: Who) -> str:
    if not data["cards"]:
        return f"{_name(who, data['seat'])} built nothing."
    price = f"for {fortunes(data['cost'])}" if data["cost"] else "free"
    return f"{_name(who, data['seat'])} put {card_names(data['cards'])} into play {price}."


def _trade_offered(data: Data, who: Who) -> str:
    start = f"{_name(who, data['from'])} made {who(data['to'])} a trade offer"
    if "give" not in data or "ask" not in data:
        return f"{start} (no. {data['offer_id']})."
    return f"{start} (no. {data['offer_id']}): {side_text(data['give'])} for {side_text(data['ask'])}."


def _trade_declined(data: Data, who: Who) -> str:
    return f"{_name(who, data['to'])} declined offer no. {data['offer_id']} of {who(data['from'])}."


def _trade_withdrawn(data: Data, who: Who) -> str:
    return f"{_name(who, data['from'])} withdrew offer no. {data['offer_id']} to {who(data['to'])}."


def _trade_lapsed(data: Data, who: Who) -> str:
    return f"Offer no. {data['offer_id']} of {who(data['from'])} to {who(data['to'])} lapsed."


def _trade_completed(data: Data, who: Who) -> str:
    one, other = _name(who, data["from"]), who(data["to"])
    return f"{one} traded {side_text(data['give'])} to {other} for {side_text(data['ask'])}."


def _trading_finished(data: Data, who: Who) -> str:
    return f"{_name(who, data['seat'])} finished trading."


def _hand_limit_checked(data: Data, who: Who) -> str:
    due = data["discards_due"]
    if not due:
        return "Nobody was above the hand limit."
    over = [f"{who(int(seat))} by {plural(number, 'card')}" for seat, number in due.items()]
    return f"Above the hand limit: {listed(over)}."


def _excess_discard_submitted(data: Data, who: Who) -> str:
    if "cards" not in data:
        return f"{_name(who, data['seat'])} chose the excess cards, sealed."
    return f"{_name(who, data['seat'])} chose to discard {card_names(data['cards'])}."


def _turn_ended(data: Data, who: Who) -> str:
    return f"Turn {data['turn']} ended with {plural(data['deck_count'], 'card')} in the deck."


def _game_ended(data: Data, who: Who) -> str:
    winners = data["winners"]
    best = max(data["treasuries"].values())
    verb = "won together" if len(winners) > 1 else "won"
    names = _seats(who, winners)
    return f"The game ended: {names} {verb} with {fortunes(best)}."


TELL: dict[str, Callable[[Data, Who], str]] = {
    "GameBegan": _game_started,
    "LeadSeatDrawn": _lead_seat_drawn,
    "EmpireChosen": _empire_chosen,
    "DeckShuffled": _deck_shuffled,
    "FortunesGranted": _fortunes_granted,
    "StartingHandDealt": _starting_hand_dealt,
    "TurnBegan": _turn_started,
    "PhaseBegan": _phase_started,
    "FateOrderSet": _fate_order_set,
    "FateCardsDrawn": _fate_cards_drawn,
    "DeckRanOut": _deck_ran_out,
    "ExtraDrawRoundStarted": _extra_draw_round_started,
    "ExtraCardAnswered": _extra_card_answered,
    "ExtraCardBought": _extra_card_bought,
    "ExtraCardUnavailable": _extra_card_unavailable,
    "ExtraDrawStopped": _extra_draw_stopped,
    "RevenueCollected": _revenue_collected,
    "EventOrderSet": _event_order_set,
    "EventTurnStarted": _event_turn_started,
    "EventTurnEnded": _event_turn_ended,
    "EventCardPlayed": _event_card_played,
    "ColonialResourceDiscarded": _colonial_resource_discarded,
    "ColonialResourceStolen": _colonial_resource_stolen,
    "FortunesStolen": _fortunes_stolen,
    "FortunesGained": _fortunes_gained,
    "FortunesLost": _fortunes_lost,
    "CardsDrawn": _cards_drawn,
    "HandCardStolen": _hand_card_stolen,
    "HandCardsDiscardedAtRandom": _hand_cards_discarded_at_random,
    "ItalianDiscardRequired": _italian_discard_required,
    "CardsDiscarded": _cards_discarded,
    "BuildSubmitted": _build_submitted,
    "CardsPutIntoPlay": _cards_put_into_play,
    "TradeOffered": _trade_offered,
    "TradeDeclined": _trade_declined,
    "TradeWithdrawn": _trade_withdrawn,
    "TradeLapsed": _trade_lapsed,
    "TradeCompleted": _trade_completed,
    "TradingFinished": _trading_finished,
    "HandLimitChecked": _hand_limit_checked,
    "ExcessDiscardSubmitted": _excess_discard_submitted,
    "TurnEnded": _turn_ended,
    "GameEnded": _game_ended,
}
