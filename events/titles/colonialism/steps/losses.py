"""Losses of influence, and who chooses between discs and mercenaries (CSM-105 to CSM-108)."""

from __future__ import annotations

from collections.abc import Mapping

from events.rules.steps import Draft, Rejected
from events.titles.colonialism.derived import due_bounds, loss_bounds, region, turn_order
from events.titles.colonialism.facts import InfluenceRemoved, LossChoiceOpened, MercenaryLossesChosen
from events.titles.colonialism.parts import Faction
from events.titles.colonialism.state import State


def lose(draft: Draft[State], key: str, losses: Mapping[Faction, int], cause: str) -> None:
    """Ask the owners who have a choice, in turn order, and carry out what is forced (CSM-106, CSM-107)."""
    at = region(draft.state, key)
    forced: list[tuple[Faction, int, int]] = []
    if losses.get("natives"):
        forced.append(("natives", losses["natives"], 0))
    for seat in turn_order(draft.state):
        count = losses.get(seat, 0)
        least, most = loss_bounds(at, seat, count)
        if least < most:
            draft.emit(
                LossChoiceOpened(
                    seat=seat,
                    region=key,
                    loss=count,
                    own_discs=at.discs[seat],
                    mercenaries=at.mercenaries[seat],
                    cause=cause,
                )
            )
        elif count:
            forced.append((seat, count - least, least))
    for faction, discs, mercenaries in forced:
        draft.emit(
            InfluenceRemoved(
                faction=faction, region=key, own_discs=discs, mercenaries=mercenaries, cause=cause
            )
        )


def split_loss(draft: Draft[State], mercenaries: int) -> None:
    """The owner's choice for the loss that is due first: so many *mercenaries*, the rest discs (CSM-105)."""
    due = draft.state.losses[0]
    least, most = due_bounds(draft.state, due)
    if not least <= mercenaries <= most:
        raise Rejected("invalid_loss_split", f"Choose from {least} to {most} mercenaries to lose here.")
    discs = due.loss - mercenaries
    draft.emit(
        MercenaryLossesChosen(seat=due.seat, region=due.region, mercenaries=mercenaries, own_discs=discs)
    )
    draft.emit(
        InfluenceRemoved(
            faction=due.seat, region=due.region, own_discs=discs, mercenaries=mercenaries, cause=due.cause
        )
    )
