"""The commands of players, in the rulebook's words."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.rules.steps import Command
from events.titles.colonies.kept.v1.parts import AgreementStep, Amount, Positive, Removal, Side
from events.titles.colonies.kept.v1.primitives import Colour, Technology

ResourceMap = Annotated[dict[Colour, Positive], msgspec.Meta(max_length=5)]


Removals = Annotated[tuple[Removal, ...], msgspec.Meta(max_length=20)]
Steps = Annotated[tuple[AgreementStep, ...], msgspec.Meta(max_length=30)]


class ShowFingers(Command, frozen=True):
    """Show 0 to 5 fingers (CLN-010)."""

    sealed = True
    count: Amount


class ChooseDeckCard(Command, frozen=True):
    """Put a card of one's hand into the event deck (CLN-023, CLN-068)."""

    sealed = True
    card_id: Annotated[str, msgspec.Meta(max_length=32)]


class AcceptColonists(Command, frozen=True):
    """Receive this turn's colonists, rejecting some and making some citizens (CLN-036)."""

    sealed = True
    reject: Amount
    citizens: Amount


class CastVote(Command, frozen=True):
    """Vote for one side, with resources (CLN-043)."""

    sealed = True
    side: Side
    resources: ResourceMap


class DecideTiedVote(Command, frozen=True):
    """Decide which motion is carried (CLN-052)."""

    side: Side


class ChooseEventReward(Command, frozen=True):
    """Take the effect of the official proposal or 4 € (CLN-055)."""

    choice: Literal["effect", "credits"]


class ResolveEventEffect(Command, frozen=True, omit_defaults=True):
    """Answer what an event effect asks; exactly the fields of the asked shape are given."""

    resources: ResourceMap | Amount | None = None
    """Resources gained or paid; for a production peak their number."""
    count: Amount | None = None
    removals: Removals | None = None
    to_stock: Amount | None = None
    technology: Technology | None = None
    partners: Annotated[tuple[Colour, ...], msgspec.Meta(max_length=5)] | None = None
    sales: ResourceMap | None = None
    steps: Steps | None = None
    colonists: Amount | None = None
    buy: ResourceMap | None = None
    decline: bool = False


class ProvideRefuge(Command, frozen=True):
    """Community action: remove pirates, partly as colonists (CLN-093)."""

    removals: Removals
    to_stock: Amount


class HuntPirates(Command, frozen=True):
    """Military action: remove pirates for pay (CLN-098)."""

    removals: Removals


class BusinessTrip(Command, frozen=True):
    """Commerce action: sell resources (CLN-102)."""

    sales: ResourceMap


class TradeNegotiations(Command, frozen=True):
    """Influence action: adjust one's trade agreements (CLN-106)."""

    steps: Steps


class ProductionPeak(Command, frozen=True):
    """Industry action: take own resources and colonists (CLN-117)."""

    resources: Amount
    colonists: Amount


class UpgradeTechnology(Command, frozen=True):
    """Research & development: one technology, one level (CLN-119)."""

    technology: Technology
    buy: ResourceMap


class PassAction(Command, frozen=True):
    """Forfeit one action (CLN-091)."""


class PoliceSector(Command, frozen=True):
    """Remove pirates from your own routes at the start of the upkeep (CLN-130)."""

    sealed = True
    removals: Removals


class FulfilTradeAgreements(Command, frozen=True):
    """Say which substitutes go to which partner (CLN-178)."""

    sealed = True
    substitutes: Annotated[dict[Colour, ResourceMap], msgspec.Meta(max_length=5)]


SealedAnswer = (
    ShowFingers | ChooseDeckCard | AcceptColonists | CastVote | PoliceSector | FulfilTradeAgreements
)
