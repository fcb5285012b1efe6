"""Action rounds: ships, cards and influence."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from events.rules.draw_binding import die
from events.rules.fact import Fact, Who
from events.rules.kit.values import put
from events.rules.kit.words import capital, format_count, format_list
from events.titles.colonialism.data import D3, NAMES, TRACK, sort_in_table_order
from events.titles.colonialism.derived import region
from events.titles.colonialism.knowledge import count_drawn_since_reshuffle, note_reshuffle, note_showing
from events.titles.colonialism.parts import NO_LIMIT, ActionCard, Faction, Loss, PolicyCard, Ship
from events.titles.colonialism.state import (
    State,
    add_discs,
    add_influence,
    add_mercenaries,
    cubes_plus,
    discard_cards,
    draw_into_hand,
    regions_with,
    take_from_hand,
)
from events.titles.colonialism.words import (
    CAUSES,
    Data,
    dice_sum,
    faction_named,
    mercenaries_counted,
    says,
)


class ActionRoundStarted(Fact, frozen=True):
    """An action round, 1 to 4, begins."""

    turn: int
    round: int
    tell = says("Turn {turn}: action round {round} begins.")

    def fold(self, state: State) -> State:
        return replace(state, step="action_round")


class ActionRoundEnded(Fact, frozen=True):
    """Everybody has taken three actions; all ships become fresh (CSM-062)."""

    turn: int
    round: int
    tell = says("Turn {turn}: action round {round} ends, all ships are fresh again.")

    def fold(self, state: State) -> State:
        """The markers return to the left, too."""
        ships = tuple(tuple(Ship(ship.sea_zone) for ship in fleet) for fleet in state.ships)
        return replace(state, ships=ships, actions_taken=(0,) * state.seats)


class ActionCompleted(Fact, frozen=True):
    """A player's action, 1 to 3, is done; *next* acts then, None after the last of the round (CSM-052)."""

    seat: int
    action_number: int
    next: int | None

    def fold(self, state: State) -> State:
        return replace(state, actions_taken=put(state.actions_taken, self.seat, self.action_number))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        after = f"; {who(data['next'])} is next" if data["next"] is not None else ""
        return f"{who(data['seat'])} has taken action {data['action_number']} of {TRACK.actions}{after}."


class InfluenceCardDrawn(Fact, frozen=True):
    """A card joins the hand (CSM-053)."""

    secrets: ClassVar = {"card": ("seat",)}
    seat: int
    card: str
    deck_size: int
    tell = says("{seat:who} draws {card:name|a card}.")

    def fold(self, state: State) -> State:
        return draw_into_hand(state, self.seat, (self.card,))


class DiscardPileReshuffled(Fact, frozen=True):
    """The discard pile has become the deck (CSM-022)."""

    seat: int
    count: int
    tell = says("{seat:who} shuffles the discard pile of {count:cards} into a new deck.")

    def fold(self, state: State) -> State:
        seat = self.seat
        deck = sort_in_table_order(state.decks[seat] + state.discards[seat])
        state = replace(state, decks=put(state.decks, seat, deck), discards=put(state.discards, seat, ()))
        return note_reshuffle(state, seat)


def _with_ship(state: State, seat: int, ship: str, changed: Ship) -> State:
    fleet = put(state.ships[seat], _number(ship), changed)
    return replace(state, ships=put(state.ships, seat, fleet))


def _number(ship: str) -> int:
    return int(ship.rpartition("_")[2]) - 1


class ShipMoved(Fact, frozen=True):
    """A ship changes its sea zone and keeps its status (CSM-056)."""

    seat: int
    ship: str
    from_: str = msgspec.field(name="from")
    to: str
    tell = says("{seat:who} moves {ship:ship} from {from:name} to {to:name}.")

    def fold(self, state: State) -> State:
        fresh = state.ships[self.seat][_number(self.ship)].fresh
        return _with_ship(state, self.seat, self.ship, Ship(self.to, fresh))


class ShipUsed(Fact, frozen=True):
    """A fresh ship is laid on its side (CSM-014)."""

    seat: int
    ship: str
    sea_zone: str
    tell = says("{seat:who} uses {ship:ship} in {sea_zone:name}.")

    def fold(self, state: State) -> State:
        return _with_ship(state, self.seat, self.ship, Ship(self.sea_zone, fresh=False))


class RegionExplored(Fact, frozen=True):
    """One disc from the reserve enters a region (CSM-057)."""

    seat: int
    region: str
    tell = says("{seat:who} explores {region:name} with one disc.")

    def fold(self, state: State) -> State:
        return add_discs(state, self.region, self.seat, 1)


class InfluenceDiscsWithdrawn(Fact, frozen=True):
    """Discs go back to the reserve (CSM-058)."""

    seat: int
    region: str
    count: int
    tell = says("{seat:who} withdraws {count:discs} from {region:name}.")

    def fold(self, state: State) -> State:
        return add_discs(state, self.region, self.seat, -self.count)


class PolicyCardPlayed(Fact, frozen=True):
    """A policy card at a region: a player's first there face-down, further ones face-up (CSM-077).

    *shown* is the card as it lies: its name, or None on its face-down back (CSM-079).
    """

    discloses = True
    secrets: ClassVar = {"card": ("known_to",)}
    seat: int
    region: str
    ship: str
    position: int
    face_up: bool
    card: str
    shown: str | None
    known_to: tuple[int, ...]

    def fold(self, state: State) -> State:
        """Face-up it is known to all from now on; face-down everybody counts what it can be (CSM-077)."""
        seat, card = self.seat, self.card
        limit = NO_LIMIT if self.face_up else count_drawn_since_reshuffle(state, seat)
        policy = region(state, self.region).policy
        stack = (*policy[seat], PolicyCard(card, self.face_up, limit))
        regions = regions_with(state, self.region, policy=put(policy, seat, stack))
        state = replace(take_from_hand(state, seat, (card,)), regions=regions)
        return note_showing(state, seat, (card,)) if self.face_up else state

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        known = data.get("card", data["shown"])
        card = NAMES[known] if known is not None else "a policy card"
        way = "face-up" if data["face_up"] else "face-down"
        return f"{who(data['seat'])} plays {card} {way} at {NAMES[data['region']]}."


class ActionCardPlayed(Fact, frozen=True):
    """An action card, its region or regions, the ship used or None, the faction aimed at or None."""

    discloses = True
    seat: int
    card: str
    regions: tuple[str, ...]
    ship: str | None
    target: Faction | None

    def fold(self, state: State) -> State:
        playing = ActionCard(self.seat, self.card, self.regions[0], self.target)
        state = replace(take_from_hand(state, self.seat, (self.card,)), action_card=playing)
        return note_showing(state, self.seat, (self.card,))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        aim = f" at {faction_named(data['target'], who)}" if data["target"] is not None else ""
        places = format_list(NAMES[key] for key in data["regions"])
        return f"{who(data['seat'])} plays {NAMES[data['card']]}{aim} in {places}."


class DieRolled(Fact, frozen=True):
    """The die of an action card."""

    drawn: ClassVar = {"face": die(D3)}
    seat: int
    purpose: str
    face: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"{who(data['seat'])} rolls {data['face']} for {NAMES[data['purpose']]}: {dice_sum(data)}."


class InfluenceAdded(Fact, frozen=True):
    """Discs of a faction enter a region: as many as wanted, or as there are (CSM-011)."""

    faction: Faction
    region: str
    wanted: int
    placed: int
    cause: str

    def fold(self, state: State) -> State:
        return add_influence(state, self.region, self.faction, self.placed)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        natives = data["faction"] == "natives"
        whose = "" if natives else f" of {who(data['faction'])}"
        piece = "native" if natives else "disc"
        count = format_count(data["placed"], piece) if data["placed"] else f"no {piece}s"
        added = f"{count}{_short(data)}{whose}"
        return f"{CAUSES[data['cause']]}: {added} in {NAMES[data['region']]}."


def _short(data: Data) -> str:
    return f" (of {data['wanted']}: no more are left)" if data["placed"] < data["wanted"] else ""


class MercenariesRecruited(Fact, frozen=True):
    """Mercenaries join a player's influence (CSM-093)."""

    seat: int
    region: str
    wanted: int
    placed: int

    def fold(self, state: State) -> State:
        return add_mercenaries(state, self.region, self.seat, self.placed)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        hired = mercenaries_counted(data["placed"]) + _short(data)
        return f"{who(data['seat'])} recruits {hired} in {NAMES[data['region']]}."


class LossChoiceOpened(Fact, frozen=True):
    """An owner of discs and mercenaries has to split a loss (CSM-105)."""

    seat: int
    region: str
    loss: int
    own_discs: int
    mercenaries: int
    cause: str
    tell = says(
        "{seat:who} must lose {loss} influence in {region:name} and choose which: "
        "{own_discs:discs} and {mercenaries:mercenaries} are there."
    )

    def fold(self, state: State) -> State:
        return replace(state, losses=(*state.losses, Loss(self.seat, self.region, self.loss, self.cause)))


class MercenaryLossesChosen(Fact, frozen=True):
    """The split that an owner chose for their loss; InfluenceRemoved carries it out."""

    seat: int
    region: str
    mercenaries: int
    own_discs: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"{who(data['seat'])} gives up {_pieces(data)} in {NAMES[data['region']]}."

    def fold(self, state: State) -> State:
        return replace(state, losses=state.losses[1:])


class InfluenceRemoved(Fact, frozen=True):
    """A faction loses influence; *own_discs* are natives where the faction is the natives."""

    faction: Faction
    region: str
    own_discs: int
    mercenaries: int
    cause: str

    def fold(self, state: State) -> State:
        """Discs go back to their reserve or supply at once (CSM-010)."""
        state = add_influence(state, self.region, self.faction, -self.own_discs)
        if self.faction != "natives" and self.mercenaries:
            state = add_mercenaries(state, self.region, self.faction, -self.mercenaries)
        playing = state.action_card
        if playing is None:
            return state
        removed = playing.removed + self.own_discs + self.mercenaries
        return replace(state, action_card=replace(playing, removed=removed))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        natives = data["faction"] == "natives"
        lost = str(data["own_discs"]) if natives else _pieces(data)
        loses = f"{capital(faction_named(data['faction'], who))} {'lose' if natives else 'loses'}"
        return f"{loses} {lost} in {NAMES[data['region']]} ({CAUSES[data['cause']]})."


def _pieces(data: Data) -> str:
    """Return discs and mercenaries in words, as far as any are lost."""
    parts = [format_count(data["own_discs"], "disc")] if data["own_discs"] or not data["mercenaries"] else []
    parts += [mercenaries_counted(data["mercenaries"])] if data["mercenaries"] else []
    return format_list(parts)


class ResourcesExchanged(Fact, frozen=True):
    """Trade: one cube of each region changes places (CSM-102)."""

    seat: int
    region_a: str
    color_a: str
    region_b: str
    color_b: str
    tell = says(
        "{seat:who} exchanges a {color_a} cube of {region_a:name} with a {color_b} cube of {region_b:name}."
    )

    def fold(self, state: State) -> State:
        first, second = region(state, self.region_a).cubes, region(state, self.region_b).cubes
        first = cubes_plus(cubes_plus(first, self.color_a, -1), self.color_b, 1)
        second = cubes_plus(cubes_plus(second, self.color_b, -1), self.color_a, 1)
        state = replace(state, regions=regions_with(state, self.region_a, cubes=first))
        return replace(state, regions=regions_with(state, self.region_b, cubes=second))


class ActionCardDiscarded(Fact, frozen=True):
    """The action card has been carried out in full (CSM-075)."""

    seat: int
    card: str
    tell = says("{card:name} goes to the discard pile of {seat:who}.")

    def fold(self, state: State) -> State:
        return discard_cards(replace(state, action_card=None), self.seat, (self.card,))
