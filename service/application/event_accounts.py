"""New accounts at an event, where many people share one address: an invitation allows more."""

from __future__ import annotations

import msgspec

from events.store.tournaments import UnknownTournament
from service.application.container import Services

PER_PLACE = 2
"""The most accounts for each place of an event: a player may begin twice, or come in place of another."""
OLD_DAYS = 1
"""Days after which an account counts as that of an organiser."""


class EventAccounts(msgspec.Struct, frozen=True):
    """The accounts that may be made for one event, beyond the limit of their address."""

    tournament: str
    organiser: str
    """The account that invites."""
    most: int
    """The most accounts that are made for the event."""


def find_event(services: Services, secret: str) -> EventAccounts | None:
    """Return the event to which an invitation leads; None if it lifts no limit.

    It does while it is valid, the event is not over, and its organiser is no newcomer.
    """
    held = services.invitations.find_valid(secret, services.games.now())
    if held is None or not services.accounts.is_older_than(held.by, OLD_DAYS):
        return None
    try:
        state = services.tournaments.load(held.subject)
    except UnknownTournament:  # it leads to a game or a club
        return None
    ended = state.over or state.status == "cancelled"
    return None if ended else EventAccounts(state.id, held.by, PER_PLACE * state.settings.entry.most)
