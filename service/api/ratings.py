"""Ratings of accounts and pools, their changes by a game, and an export to compute them again."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.api.titles import TITLE, find_requested_title
from service.application.game_context import load_game_context
from service.application.request_context import get_services
from service.http import query_strings
from service.http.blueprint import ACCOUNT_ID, Blueprint, path_parameter
from service.http.problems import Problem
from service.http.responses import NDJSON, PRIVATE_HEADERS, PUBLIC_HEADERS, json_response
from service.openapi import response_structs
from service.openapi.request_fields import UUID_REGEX
from service.stores.accounts import UnknownAccount

blp = Blueprint("ratings", __name__, url_prefix="/v1", description="Ratings of players and bots.")

POOL = {
    **path_parameter(
        "pool",
        "A title, a number of seats (`2`, `3-4`, `5-6`, `7+`) and a tempo, with points between.",
        {"type": "string", "pattern": response_structs.POOL},
    ),
    "example": "colonial_empires.3-4.live",
}


@blp.route("/accounts/<account>/ratings", parameters=[ACCOUNT_ID])
@blp.doc(security=[], operationId="get_ratings")
@blp.answers(200, "RatingsPage", "The ratings of the account, by pool.")
@blp.problems(404, 503)
def get_ratings(account: str) -> Response:
    """List the ratings of an account, in every pool in which one of its games counts.

    A game counts if the rules have ended it, it is `rated`, and it has a clock (games of tournaments also
    count without). At least two people must hold seats when it begins, and every seat must give two commands.
    Players who gave up a seat before the end are last. `rating` is 1500 + 40 (mu - 25) and `deviation` 40
    sigma, of the model `pl-1`: Plackett-Luce as openskill 6 computes it (mu 25, sigma 25/3, limit_sigma).
    Each month of 30 days without a game adds 0.0625 to sigma squared, but sigma never exceeds 25/3.
    `provisional` means fewer than eight games, or sigma above 4.2. The changes of a game with a delay are
    shown when its end is shown.
    """
    found = get_services().accounts.find(account.lower()) if UUID_REGEX.fullmatch(account) else None
    if found is None:
        raise UnknownAccount
    ratings = get_services().ratings.list_for_account(found.id, get_services().games.now())
    return json_response(response_structs.RatingsPage(ratings), headers=PUBLIC_HEADERS)


@blp.route("/titles/<title>/ratings", parameters=[TITLE])
@blp.doc(security=[], operationId="get_bot_ratings")
@blp.answers(200, "BotRatings", "The ratings of the bots.")
@blp.problems(404, 503)
def get_bot_ratings(title: str) -> Response:
    """List the ratings of a title's bots, by number of seats, from their games with people.

    A game counts for bots if the rules have ended it, it is `rated`, and it has a clock. At least one person
    sits at it, every seat gives two commands, and nobody holds two seats. A bot counts in the version that it
    has at the end, if it keeps its seat from beginning to end. People have a level of their own against bots,
    so bots never change the ratings of people. A bot at several seats gets the mean of the changes. The model
    is that of people.
    """
    find_requested_title(title, None)
    bots = get_services().ratings.list_bots(title, get_services().games.now())
    return json_response(response_structs.BotRatings(title, bots), headers=PUBLIC_HEADERS)


@blp.route("/leaderboards/<pool>", parameters=[POOL])
@blp.doc(security=[], operationId="get_leaderboard")
@blp.query(query_strings.LeaderboardQuery)
@blp.answers(200, "Leaderboard", "The best players, with their ranks.")
@blp.problems(400, 404, 503)
def get_leaderboard(query: dict[str, Any], pool: str) -> Response:
    """List the best players of a pool, by rating minus three deviations; equal ones share a rank.

    It lists players whose rating is not provisional and who played in the year before the pool's newest game.
    """
    _check_pool(pool)
    found = get_services().ratings.leaders(
        pool, get_services().games.now(), query["after"], query["limit"] + 1
    )
    shown = found[: query["limit"]]
    leaders = [
        response_structs.Leader(
            one.rank,
            one.account.id,
            one.account.name,
            one.account.handle,
            one.account.kind,
            one.rating.rating,
            one.rating.deviation,
            one.rating.games,
        )
        for one in shown
    ]
    more = None
    if len(found) > len(shown):
        more = f"/v1/leaderboards/{pool}?limit={query['limit']}&after={shown[-1].place}"
    return json_response(response_structs.Leaderboard(pool, leaders, more), headers=PUBLIC_HEADERS)


@blp.route("/games/<id>/rating")
@blp.doc(operationId="get_game_rating", security=[{}, {"token": []}])
@blp.answers(200, "GameRating", "The changes of the ratings.")
@blp.problems(401, 404, 503)
def get_game_rating(id: str) -> Response:
    """Return the rating changes of the players of a game, or the reason why it does not count.

    The status is `pending` until the game has ended, everybody may see the end, and the server has counted
    it. This takes a moment. It takes longer if a player has an earlier game whose end is not shown yet.
    """
    context = load_game_context(id)
    return json_response(
        get_services().ratings.get_game_rating(context.game, get_services().games.now()),
        headers=PRIVATE_HEADERS,
    )


@blp.route("/ratings/export")
@blp.doc(security=[], operationId="export_ratings")
@blp.query(query_strings.RatingPoolQuery)
@blp.response(200, "RatedGame", content_type=NDJSON, description="One game per line, in order.")
@blp.problems(400, 404, 503)
def export_ratings(query: dict[str, Any]) -> Response:
    """Export the games that count in a pool, one JSON object per line, to compute its ratings again.

    Players are in the order of their seats, under pseudonyms (`subjects`). For each line, add 0.0625 to sigma
    squared for each of `months`, up to a sigma of 25/3. Then let openskill's PlackettLuce(limit_sigma=True)
    rate `before` with `places` as ranks: the result is `after`, to 1e-6. In unlisted games `game` and `head`
    are null. Private games are left out, so `before` may differ from the `after` of the previous line. A game
    with a delay is exported when spectators see its end. A ruling that voids a game leaves it out, and all
    later levels change: `recounted` is the position of the newest one.
    """
    _check_pool(query["pool"])
    services = get_services()
    return Response(
        services.ratings.export(query["pool"], services.games.now()),
        headers=PUBLIC_HEADERS,
        content_type=NDJSON,
    )


def _check_pool(pool: str) -> None:
    """Raise a 404 problem if there is no such pool."""
    if not query_strings.POOL_REGEX.fullmatch(pool):
        detail = (
            "There is no such pool. Send a title, 2, 3-4, 5-6 or 7+, and live or correspondence, such"
            " as colonial_empires.3-4.live."
        )
        raise Problem(404, "unknown_pool", detail)
