"""Previews of links, as messengers show them, and the data of an invitation's page."""

from __future__ import annotations

import html
from collections.abc import Mapping
from pathlib import Path

import msgspec

from events.table.game import Game
from service.openapi import response_structs
from service.presenters.game_presenter import get_seat_label

STATIC = Path(__file__).parents[1] / "static"
PICTURES = "previews"
"""The folder of the page's files with a picture of each title, which every messenger can draw."""
BOARDS = "boards"
"""The folder of the page's files with a picture of each title's board."""
NO_PICTURE = "rutter"
"""The picture for a title that has none of its own."""
INVITATION = "rutter:invitation"
"""The name of the meta element that tells the page where an invitation leads."""


class InvitationTarget(msgspec.Struct, frozen=True):
    """The game to which an invitation leads, for those who hold the invitation."""

    title: str
    version: int
    host: str | None
    """The name of the account that invites; None for one without a name."""
    status: response_structs.Status
    seats: list[response_structs.Seat]
    options: Mapping[str, object]


def has_picture(title_id: str) -> bool:
    """Return True if the page has a picture of the board of a title."""
    return (STATIC / BOARDS / f"{title_id}.jpg").is_file()


def make_game_preview(game: Game, origin: str) -> str:
    """Return the meta tags for a link to *game*, which tell nothing of its end."""
    seats = ", ".join(get_seat_label(game, seat) for seat in range(len(game.seats)))
    return _make_tags(
        {
            "og:title": f"{game.title.name} on Rutter",
            "og:description": f"{seats}.",
            "og:url": f"{origin}/g/{game.id}",
            **_describe_picture(game, origin),
        }
    )


def make_invitation_preview(game: Game, invited: InvitationTarget, origin: str, *, private: bool) -> str:
    """Return the meta tags for a link that holds an invitation to *game*.

    Of a private game they tell the title only. None of them repeats the address, which holds the secret.
    """
    host = invited.host or "A player"
    there = [seat.name or seat.bot for seat in invited.seats if seat.name or seat.bot]
    free = sum(1 for seat in invited.seats if seat.open is True)
    seats = f"{free} free seat{'' if free == 1 else 's'}"
    told = (
        {"og:title": f"Invitation to {game.title.name} on Rutter"}
        if private
        else {
            "og:title": f"{host} invites you to {game.title.name} on Rutter",
            "og:description": f"At the table: {', '.join(map(str, there)) or 'nobody yet'}. {seats}.",
        }
    )
    return _make_tags({**told, **_describe_picture(game, origin)})


def make_invitation_data(invited: InvitationTarget | None) -> str:
    """Return the element by which the page knows where an invitation leads; None: it is not valid."""
    text = html.escape(msgspec.json.encode(invited).decode())
    return f'  <meta name="{INVITATION}" content="{text}">\n'


def _describe_picture(game: Game, origin: str) -> dict[str, str]:
    """Return the tags for the picture of a title, whose address names no game."""
    return {
        "og:image": f"{origin}/titles/{game.title.id}/picture.png",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": f"The board of {game.title.name}",
        "twitter:card": "summary_large_image",
    }


def _make_tags(members: Mapping[str, str]) -> str:
    all_members = {"og:type": "website", "og:site_name": "Rutter", **members}
    return "".join(
        f'  <meta property="{name}" content="{html.escape(text)}">\n' for name, text in all_members.items()
    )
