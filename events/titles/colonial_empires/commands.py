"""The commands of a seat, in the rulebook's words."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from events.rules.steps import Command

Key = Annotated[str, msgspec.Meta(max_length=64)]
Keys = Annotated[tuple[Key, ...], msgspec.Meta(max_length=98)]
SeatNumber = Annotated[int, msgspec.Meta(ge=-1, le=99)]
Fortunes = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
OfferId = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
CardCount = Annotated[int, msgspec.Meta(ge=0, le=98)]


class ChooseEmpire(Command, frozen=True):
    """Choose the empire to play (CEM-103)."""

    empire: Key


class RequestExtraCard(Command, frozen=True):
    """Buy one extra card in this round (CEM-306)."""

    sealed: ClassVar[bool] = True


class DeclineExtraCard(Command, frozen=True):
    """Stop buying in this Fate Phase (CEM-309)."""

    sealed: ClassVar[bool] = True


class PlayEventCard(Command, frozen=True):
    """Play an Event card from the hand (CEM-501)."""

    card: Key
    target_player: SeatNumber | None = None
    target_card: Key | None = None


class UseItalianPower(Command, frozen=True):
    """Draw 2 cards, then discard 2 (CEM-524)."""


class DiscardForItalianPower(Command, frozen=True):
    """Discard as many cards as the Italian power drew (CEM-525)."""

    cards: Keys


class EndEventTurn(Command, frozen=True):
    """End the own event turn; without a play it is passing (CEM-506)."""


class SubmitBuild(Command, frozen=True):
    """The cards to put into play this turn (CEM-601)."""

    sealed: ClassVar[bool] = True
    cards: Keys


# Hundreds of offers are made for one list. None can refer to itself, so the collector need not look at them.
class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One side of an offer: Fortunes, hand cards and cards in play. An empty side makes it a gift."""

    fortunes: Fortunes = 0
    hand_cards: Keys = ()
    in_play_cards: Keys = ()
    hand_card_count: CardCount = 0
    """The number of hand cards beside those named; who gives them chooses which (CEM-721)."""


class OfferTrade(Command, frozen=True, gc=False):
    """Offer another player, or everybody, a trade (CEM-703)."""

    sealed: ClassVar[bool] = True
    to: SeatNumber | None
    """The seat that may accept; null for an offer to everybody, which goes to the first who accepts."""
    give: Terms
    ask: Terms
    unnamed_cards: Keys = ()
    """Your hand cards for `hand_card_count` of `give`: nobody sees them before the trade."""


class AcceptTrade(Command, frozen=True):
    """Accept an open offer (CEM-711)."""

    sealed: ClassVar[bool] = True
    offer_id: OfferId
    unnamed_cards: Keys = ()
    """Your hand cards for `hand_card_count` of `ask`, of your choice."""


class DeclineTrade(Command, frozen=True):
    """Decline an open offer (CEM-711)."""

    offer_id: OfferId


class WithdrawTrade(Command, frozen=True):
    """Withdraw one of your open offers (CEM-711)."""

    offer_id: OfferId


class FinishTrading(Command, frozen=True):
    """Make no more offers in this Trade Phase, unless another offer comes (CEM-713)."""


class DiscardExcess(Command, frozen=True):
    """Discard down to the hand limit (CEM-717)."""

    sealed: ClassVar[bool] = True
    cards: Keys
