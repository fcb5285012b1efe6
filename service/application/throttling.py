"""Holds every request to the limits, and tells clients how much they have left."""

from __future__ import annotations

from typing import Literal, NoReturn

from flask import Flask, Response, g, request

from service.application.container import Services
from service.application.event_accounts import EventAccounts
from service.application.request_context import get_account, get_services
from service.base.client_address import client_network, get_client_address
from service.base.database import retry_on_disconnect
from service.base.people import Account
from service.base.rate_limits import Client, ConcurrencyLimit, RateCheck
from service.base.rate_windows import Allowance
from service.http.problems import Problem
from service.stores.seat_claims import OWNER_SEAT

NEW_ACCOUNT = "accounts.create_account"
"""The endpoint that is held to its limit once its body is read, see :func:`admit_new_account`."""
ACCOUNT_ENDPOINTS = frozenset({NEW_ACCOUNT, "me.create_service_account"})
EVENT_DAYS = 90
"""Days over which the accounts for one event are counted."""
SECRET_ENDPOINTS = frozenset({"accounts.recover_account"})
"""Endpoints at which an address may have tried to guess a secret: a 403 counts as a bad token does."""
CREATION_PARTITIONS = {
    "games.create_game": ("create",),
    "forks.fork_game": ("create", "forks"),
    "tournaments.create_tournament": ("create",),
}
"""Limits, by endpoint, that count a request only when something was made."""
COMMAND_ENDPOINT = "play.give_command"
"""The endpoint of commands, which have a budget of their own; a refused one counts as a refused write too."""
STREAM_ENDPOINTS = frozenset({"stream.stream_game", "feeds.stream_me", "tournament log.stream_tournament"})


def install(app: Flask, services: Services) -> None:
    """Limit the requests to *app*, below `/v1`."""
    if not services.limits.on:
        return

    @app.before_request
    def _admit() -> None:
        if request.path.startswith("/v1/"):
            _admit_request(services)

    @app.after_request
    def _settle(answer: Response) -> Response:
        if "client" in g:
            _count_outcome(services, answer)
            _add_rate_limit_headers(answer)
        return answer


def mark_credential_attempt() -> None:
    """Mark a request that sends a secret which may be guessed: refused, it counts as a bad token does.

    Raises a 429 problem for an address that has done so too often.
    """
    if "client" in g:
        _check_allowances(get_services().rate_limiter.test("auth", _get_address_client()))
        g.guesses = True


def admit_new_account(event: EventAccounts | None) -> None:
    """Hold a new account to the limit of its address, or to those of the *event* for which it is made.

    Raises a 429 problem.
    """
    if "client" not in g:
        return
    services = get_services()
    if event is not None and not any(one.exceeded for one in _measure_event(services, event, spend=False)):
        g.event = event
        return
    _check_allowances(services.rate_limiter.test("accounts", _get_address_client()))


def _measure_event(services: Services, event: EventAccounts, *, spend: bool) -> list[Allowance]:
    """Return what is left to an *event* and to its organiser; with *spend*, count one account."""
    limiter, organiser = services.rate_limiter, Client(event.organiser, anonymous=False)
    by = limiter.hit if spend else limiter.test
    return [
        *by("invited_accounts", organiser),
        limiter.measure_total("event_accounts", event.tournament, event.most, EVENT_DAYS, spend=spend),
    ]


def get_client(account: Account | None) -> Client:
    """Return the client with which this request is counted: the account, or the network of the address."""
    if account is not None:
        return Client(account.id, anonymous=False)
    return Client(client_network(get_client_address(get_services().proxies)), anonymous=True)


def hit_limit(partition: str, *more: str) -> None:
    """Count one of *partition*. Raises a 429 problem if it was one too many."""
    if "client" in g:
        _check_allowances(get_services().rate_limiter.hit(partition, g.client, *more))


def get_concurrency_limit(allowed: ConcurrencyLimit, client: Client) -> int:
    """Return the number of places that *client* may have at a time."""
    return allowed.anonymous if client.anonymous else allowed.account


def raise_too_many_requests(partition: str, detail: str, seconds: int) -> NoReturn:
    """Raise the 429 problem."""
    raise Problem(
        429,
        "too_many_requests",
        detail,
        headers={"Retry-After": str(seconds)},
        more={"partition": partition},
    )


def _admit_request(services: Services) -> None:
    account = _find_account(services)
    client = get_client(account)
    g.client, g.levels = client, []
    if not services.in_flight.enter(client, get_concurrency_limit(services.limits.in_flight, client)):
        raise_too_many_requests(
            "in_flight", "Too many of your requests are being answered. Wait until some of them are done.", 1
        )
    g.entered = client
    if request.endpoint == NEW_ACCOUNT:
        return
    if request.endpoint in ACCOUNT_ENDPOINTS:
        _check_allowances(services.rate_limiter.test("accounts", _get_address_client()))
    elif request.endpoint in SECRET_ENDPOINTS:
        _check_allowances(services.rate_limiter.test("auth", _get_address_client()))
    elif request.method not in ("GET", "HEAD", "OPTIONS") and account is not None:
        if request.endpoint == COMMAND_ENDPOINT:
            _count_command(services, client, str((request.view_args or {}).get("id")).lower()[:40])
        else:
            _count_write(services, client)
        for partition in CREATION_PARTITIONS.get(request.endpoint or "", ()):
            _check_allowances(services.rate_limiter.test(partition, client))
        if request.endpoint == "tournaments.create_tournament":
            _check_tournament_quota(services, account)
        elif request.endpoint in CREATION_PARTITIONS:
            _check_game_quota(services, account)
    else:
        hit_limit("read")


def _count_write(services: Services, client: Client) -> None:
    g.writes = True
    if services.refusal_refund.take_refund(client):
        g.levels += services.rate_limiter.test("write", client)
    else:
        hit_limit("write")


def _count_command(services: Services, client: Client, game: str) -> None:
    """Count a command, unless too many of this client were refused lately."""
    refused = RateCheck("refused_commands", client)
    levels = services.rate_limiter.measure(refused, RateCheck("commands", client, (game,), spend=True))
    # The answer tells of the limit that counts this request, and of the other one where that is exceeded.
    told = [level for level in levels if level.exceeded or level.partition.startswith("commands")]
    _check_allowances(told)


def _count_refused_command(services: Services, client: Client) -> None:
    services.rate_limiter.hit("refused_commands", client)
    if not services.refusal_refund.take_refund(client):
        services.rate_limiter.hit("write", client)
    services.refusal_refund.add_refusal(client)


def _find_account(services: Services) -> Account | None:
    """Return the account that asks; None for a bad token.

    Raises a 429 problem for an address that has sent many bad tokens.
    """
    try:
        return get_account()
    except Problem as bad_token:
        levels = services.rate_limiter.test("auth", _get_address_client())
        if any(level.exceeded for level in levels):
            g.client, g.levels = _get_address_client(), []
            _check_allowances(levels)
        if bad_token.status != 401:
            raise
        return None


def _get_address_client() -> Client:
    return get_client(None)


def _check_allowances(levels: list[Allowance]) -> None:
    g.levels += levels
    for level in levels:
        if level.exceeded:
            detail = f"You may send {level.quota} such requests in {level.window} s. Wait {level.reset} s."
            raise_too_many_requests(level.partition.partition("-")[0], detail, level.reset)


def _check_tournament_quota(services: Services, account: Account) -> None:
    quota = services.limits.tournaments.account
    if _count_open_tournaments(services, account) >= quota:
        detail = f"You have {quota} unfinished tournaments, the most allowed. Finish or cancel one first."
        raise_too_many_requests("tournaments", detail, 60)


@retry_on_disconnect
def _count_open_tournaments(services: Services, account: Account) -> int:
    """Return the number of this owner's tournaments that are not over; it follows the log in a moment."""
    with services.pool.connection() as connection:
        row = connection.execute(
            "SELECT count(*) FROM tournament t JOIN tournament_director d"
            " ON (d.tournament, d.claim) = (t.tournament, t.opened) AND d.director = 1"
            " WHERE d.account_id = %s AND NOT t.over",
            (account.id,),
        ).fetchone()
    return int(row[0]) if row else 0


def _check_game_quota(services: Services, account: Account) -> None:
    allowed = services.limits.games
    found = _count_games_by_status(services, account)
    kinds: tuple[tuple[Literal["running", "open"], int], ...] = (
        ("running", allowed.running),
        ("open", allowed.open),
    )
    for status, quota in kinds:
        if found.get(status, 0) >= quota:
            detail = f"You have {quota} {status} games, the most allowed. Finish or end one of them first."
            raise_too_many_requests("games", detail, 60)


@retry_on_disconnect
def _count_games_by_status(services: Services, account: Account) -> dict[str, int]:
    """Return the numbers of this maker's open and of their running games, by status.

    The numbers follow the log within a moment. Analysis games and older games are left out.
    """
    with services.pool.connection() as connection:
        rows = connection.execute(
            "SELECT l.status, count(DISTINCT l.game_id) FROM seat_claim c JOIN lobby l USING (game_id)"
            " WHERE c.account_id = %s AND c.seat = %s AND l.status IN ('open', 'running') AND NOT l.analysis"
            " AND l.created_at > now() - make_interval(days => %s) GROUP BY 1",
            (account.id, OWNER_SEAT, services.limits.games.days),
        ).fetchall()
    return dict(rows)


def _count_outcome(services: Services, answer: Response) -> None:
    """Count what has come of the request."""
    guessed = answer.status_code == 403 and request.endpoint in SECRET_ENDPOINTS
    guessed = guessed or ("guesses" in g and answer.status_code in (403, 404))
    if guessed or (answer.status_code == 401 and "Authorization" in request.headers):
        services.rate_limiter.hit("auth", _get_address_client())
    refused = 400 <= answer.status_code < 500 and answer.status_code != 429
    if refused and request.endpoint == COMMAND_ENDPOINT and not g.client.anonymous:
        _count_refused_command(services, g.client)
    elif refused and "writes" in g:
        services.refusal_refund.add_refusal(g.client)
    if answer.status_code == 201 and "Idempotency-Replayed" not in answer.headers:
        if "event" in g:
            g.levels = _measure_event(services, g.event, spend=True)
        elif request.endpoint in ACCOUNT_ENDPOINTS:
            g.levels = services.rate_limiter.hit("accounts", _get_address_client())
        for partition in CREATION_PARTITIONS.get(request.endpoint or "", ()):
            made = services.rate_limiter.hit(partition, g.client)
            g.levels = [level for level in g.levels if level.partition.partition("-")[0] != partition] + made
    if "entered" in g:
        client = g.entered
        if request.endpoint in STREAM_ENDPOINTS:  # these have a limit of their own
            services.in_flight.leave(client)
        else:
            answer.call_on_close(lambda: services.in_flight.leave(client))


def _add_rate_limit_headers(answer: Response) -> None:
    """Add the header fields of draft-ietf-httpapi-ratelimit-headers."""
    if g.levels:
        answer.headers["RateLimit-Policy"] = ", ".join(
            f'"{level.partition}";q={level.quota};w={level.window}' for level in g.levels
        )
        answer.headers["RateLimit"] = ", ".join(
            f'"{level.partition}";r={level.left};t={level.reset}' for level in g.levels
        )
