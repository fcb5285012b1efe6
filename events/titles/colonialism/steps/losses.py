"""Losses of influence, and who chooses between discs and mercenaries (CSM-105 to CSM-108)."""

from __future__ import annotations

from collections.abc import Mapping

from events.steps import Draft, Rejected
from events.titles.colonialism.commands import ChooseMercenaryLosses
from events.titles.colonialism.facts import InfluenceRemoved, LossChoiceOpened, MercenaryLossesChosen
from events.titles.colonialism.state import Faction, Loss, Region, State, region, turn_order


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


def loss_bounds(at: Region, seat: int, count: int) -> tuple[int, int]:
    """The fewest and the most mercenaries that can be among *count* lost (CSM-105)."""
    return max(0, count - at.discs[seat]), min(count, at.mercenaries[seat])


def due_bounds(state: State, due: Loss) -> tuple[int, int]:
    """The same for a choice that is due."""
    return loss_bounds(region(state, due.region), due.seat, due.loss)


def split_loss(draft: Draft[State], seat: int, command: ChooseMercenaryLosses) -> None:
    """The owner's choice for the loss that is due first."""
    due = draft.state.losses[0]
    least, most = due_bounds(draft.state, due)
    mercenaries = command.mercenaries
    if not least <= mercenaries <= most:
        raise Rejected("invalid_loss_split", f"Choose from {least} to {most} mercenaries to lose here.")
    discs = due.loss - mercenaries
    draft.emit(MercenaryLossesChosen(seat=seat, region=due.region, mercenaries=mercenaries, own_discs=discs))
    draft.emit(
        InfluenceRemoved(
            faction=seat, region=due.region, own_discs=discs, mercenaries=mercenaries, cause=due.cause
        )
    )
