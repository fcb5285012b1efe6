"""The answers about ratings and results."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.openapi.response_structs.fields import Kind, Time, Uuid

POOL = r"^[a-z][a-z0-9_]{0,39}[.](2|3-4|5-6|7[+])[.](live|correspondence)$"
Pool = Annotated[str, Meta(pattern=POOL, examples=["colonial_empires.3-4.live"])]
RatingPoints = Annotated[int, Meta(description="1500 + 40 (mu - 25).", examples=[1612])]
Deviation = Annotated[int, Meta(ge=0, description="The uncertainty of the rating: 40 sigma.", examples=[140])]
Provisional = Annotated[
    bool, Meta(description="True if the rating says little yet, because of few games or a large deviation.")
]
CountedGames = Annotated[int, Meta(ge=0, description="The number of games that count.", examples=[31])]


class Rating(Struct, frozen=True):
    """The strength of a player in one pool: a title, a number of seats, a tempo."""

    pool: Pool
    """The pool: a title, a number of seats and a tempo."""
    rating: RatingPoints
    deviation: Deviation
    provisional: Provisional
    games: CountedGames


class RatingsPage(Struct, frozen=True):
    """The ratings of an account."""

    ratings: list[Rating]
    """The ratings, one for each pool."""


class BotRating(Struct, frozen=True):
    """The strength of a version of a bot, from its games with people."""

    bot: Annotated[str, Meta(description="The name of the bot or the engine.", examples=["strong"])]
    version: int
    """The version of the bot. Each version has a rating of its own."""
    seats: Annotated[str, Meta(description="The numbers of seats: `2`, `3-4`, `5-6` or `7+`.")]
    rating: RatingPoints
    deviation: Deviation
    provisional: Provisional
    games: CountedGames


class BotRatings(Struct, frozen=True):
    """The ratings of the bots of a title."""

    title: str
    """The id of the title."""
    bots: list[BotRating]
    """The ratings by number of seats, the best first. Versions without a game that counts are left out."""


class Leader(Struct, frozen=True):
    """A place of a leaderboard."""

    rank: Annotated[int, Meta(ge=1)]
    """The rank, from 1. Equal players share it."""
    account: Uuid
    """The id of the account."""
    name: str
    """The display name."""
    handle: str | None
    """The unique handle, or null without one."""
    kind: Kind
    """The kind of the account."""
    rating: int
    """The rating that the list is sorted by."""
    deviation: int
    """The uncertainty of the rating."""
    games: int
    """The number of games that count."""


class Leaderboard(Struct, frozen=True):
    """The best players of a pool."""

    pool: Pool
    """The pool: a title, a number of seats and a tempo."""
    ratings: list[Leader]
    """The best players, in order."""
    next: Annotated[str | None, Meta(description="The address of the next page, or null on the last page.")]


class RatingAt(Struct, frozen=True):
    """A rating before a game, or after it."""

    rating: int
    """The rating at that time."""
    deviation: int
    """The uncertainty of the rating."""
    games: int
    """The number of games that count."""


class RatingChange(Struct, frozen=True):
    """The change that a game made to the rating of one of its players."""

    seat: Annotated[int, Meta(ge=0, le=99)]
    """The number of the seat: 0, 1, 2 and so on."""
    place: Annotated[int, Meta(ge=1, description="The place among the people; bots do not count.")]
    before: RatingAt
    """The rating before the game."""
    after: RatingAt
    """The rating after the game."""


RatingStatus = Literal["pending", "rated", "unrated", "void"]
_UNRATED = (
    "The reason if it does not count: `abandoned`, `analysis`, `unrated` (by its creator), `untimed` (and in "
    "no tournament), `too_short`, `too_few_people` or `one_player` (with several seats)."
)


class GameRating(Struct, frozen=True):
    """The changes that a game made to ratings. `void` means that a ruling of its tournament excluded it."""

    game: Uuid
    """The id of the game."""
    status: RatingStatus
    """The state of the game for ratings."""
    why: Annotated[str | None, Meta(description=_UNRATED)]
    pool: Pool | None
    """The pool in which the game counts, or null."""
    changes: list[RatingChange]
    """The changes, seat by seat."""


class ModelLevel(Struct, frozen=True):
    """The strength of a player in the rating model: mean and standard deviation."""

    mu: float
    """The mean of the strength."""
    sigma: float
    """The standard deviation."""


class RatedGame(Struct, frozen=True):
    """A game that counts: a line of the export. Lists are in the order of seats."""

    position: Annotated[
        int, Meta(ge=1, description="The place of its end in the log of all games, which orders the games.")
    ]
    game: Annotated[Uuid | None, Meta(description="The id of the game, or null if it is unlisted.")]
    head: Annotated[str | None, Meta(description="The hash of the last event of the game.")]
    at: Time
    pool: Pool
    """The pool: a title, a number of seats and a tempo."""
    model: Annotated[str, Meta(examples=["pl-1"])]
    """The name of the rating model."""
    subjects: Annotated[list[Uuid], Meta(description="Pseudonyms of the players.")]
    places: list[int]
    """The place of each seat."""
    months: Annotated[
        list[int], Meta(description="For each player, the whole months of 30 days since the last game.")
    ]
    before: list[ModelLevel]
    """The level of each seat before the game."""
    after: list[ModelLevel]
    """The level of each seat after the game."""
    recounted: Annotated[
        int, Meta(ge=0, description="Position of the newest ruling that voided a game of the pool; 0: none.")
    ]


class TitleResults(Struct, frozen=True):
    """The results of a player's public games of one title, as far as everybody can see their end."""

    title: str
    """The id of the title."""
    finished: Annotated[int, Meta(ge=0, description="The number of games that the rules have ended.")]
    won: Annotated[
        int, Meta(ge=0, description="The number of these games that the player won, alone or with others.")
    ]
    abandoned: Annotated[int, Meta(ge=0)]
    """The number of games that ended without a result."""
