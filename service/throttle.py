"""Holds every request to the limits, and tells clients how much they have left."""

from __future__ import annotations

from typing import Literal, NoReturn

from flask import Flask, Response, g, request

from service.accounts import Account
from service.asking import asking
from service.limits import AtATime, Client, Level
from service.pool import patient
from service.process import Process, process
from service.seats import OWNER
from service.wire.addresses import client_address, household
from service.wire.problems import Problem

MAKES_ACCOUNTS = frozenset({"accounts.create_account", "me.create_service_account"})
GUESSED = frozenset({"accounts.recover_account"})
"""Where an address may have tried to guess a secret: a 403 counts as a bad token does."""
CREATIONS = {
    "games.create_game": ("create",),
    "forks.fork_game": ("create", "forks"),
    "tournaments.create_tournament": ("create",),
}
"""What counts only when something was made."""
STREAMS = frozenset({"stream.stream_game", "feeds.stream_me", "tournament log.stream_tournament"})


def install(app: Flask, here: Process) -> None:
    """Limit the requests to *app*, below `/v1`."""
    if not here.figures.on:
        return

    @app.before_request
    def _enter() -> None:
        if request.path.startswith("/v1/"):
            _admit(here)

    @app.after_request
    def _leave(answer: Response) -> Response:
        if "client" in g:
            _settle(here, answer)
            _tell(answer)
        return answer


def guessing() -> None:
    """This request sends a secret that may be guessed: refused, it counts as a bad token does.

    Raises a 429 problem for an address that has done so too often.
    """
    if "client" in g:
        _note(process().rates.look("auth", _address()))
        g.guesses = True


def client_of(account: Account | None) -> Client:
    """Whose requests are counted together with this one."""
    if account is not None:
        return Client(account.id, anonymous=False)
    return Client(household(client_address(process().proxies)), anonymous=True)


def spend(partition: str, *more: str) -> None:
    """Count one of *partition*. Raises a 429 problem if it was one too many."""
    if "client" in g:
        _note(process().rates.spend(partition, g.client, *more))


def most(allowed: AtATime, client: Client) -> int:
    """How many at a time."""
    return allowed.anonymous if client.anonymous else allowed.account


def refuse(partition: str, detail: str, seconds: int) -> NoReturn:
    """Raise the 429 problem."""
    raise Problem(
        429,
        "too_many_requests",
        detail,
        headers={"Retry-After": str(seconds)},
        more={"partition": partition},
    )


def _admit(here: Process) -> None:
    account = _who(here)
    client = client_of(account)
    g.client, g.levels = client, []
    if not here.crowd.enter(client, most(here.figures.in_flight, client)):
        refuse("in_flight", "Too many requests of yours are being answered. Wait for some of them.", 1)
    g.entered = client
    if request.endpoint in MAKES_ACCOUNTS:
        _note(here.rates.look("accounts", _address()))
    elif request.endpoint in GUESSED:
        _note(here.rates.look("auth", _address()))
    elif request.method not in ("GET", "HEAD", "OPTIONS") and account is not None:
        _count_write(here, client)
        if request.endpoint == "play.give_command":
            spend("commands", str((request.view_args or {}).get("id")).lower()[:40])
        for partition in CREATIONS.get(request.endpoint or "", ()):
            _note(here.rates.look(partition, client))
        if request.endpoint == "tournaments.create_tournament":
            _count_tournaments(here, account)
        elif request.endpoint in CREATIONS:
            _count_games(here, account)
    else:
        spend("read")


def _count_write(here: Process, client: Client) -> None:
    g.writes = True
    if here.credit.pays(client):
        g.levels += here.rates.look("write", client)
    else:
        spend("write")


def _who(here: Process) -> Account | None:
    """Who asks; a bad token is nobody, and an address that has sent many of them is not listened to."""
    try:
        return asking()
    except Problem as bad_token:
        levels = here.rates.look("auth", _address())
        if any(level.exceeded for level in levels):
            g.client, g.levels = _address(), []
            _note(levels)
        if bad_token.status != 401:
            raise
        return None


def _address() -> Client:
    return client_of(None)


def _note(levels: list[Level]) -> None:
    g.levels += levels
    for level in levels:
        if level.exceeded:
            detail = f"No more than {level.quota} in {level.window} s. Wait {level.reset} s."
            refuse(level.partition.partition("-")[0], detail, level.reset)


def _count_tournaments(here: Process, account: Account) -> None:
    quota = here.figures.tournaments.account
    if _tournaments_of(here, account) >= quota:
        detail = f"You have {quota} tournaments that are not over. Finish or cancel one of them first."
        refuse("tournaments", detail, 60)


@patient
def _tournaments_of(here: Process, account: Account) -> int:
    """How many of this owner are not over; the list follows the log within a moment."""
    with here.pool.connection() as connection:
        row = connection.execute(
            "SELECT count(*) FROM tournament t JOIN tournament_director d"
            " ON (d.tournament, d.claim) = (t.tournament, t.opened) AND d.director = 1"
            " WHERE d.account_id = %s AND NOT t.over",
            (account.id,),
        ).fetchone()
    return int(row[0]) if row else 0


def _count_games(here: Process, account: Account) -> None:
    allowed = here.figures.games
    found = _games_of(here, account)
    kinds: tuple[tuple[Literal["running", "open"], int], ...] = (
        ("running", allowed.running),
        ("open", allowed.open),
    )
    for status, quota in kinds:
        if found.get(status, 0) >= quota:
            detail = f"You have {quota} games that are {status}. Bring one of them to its end first."
            refuse("games", detail, 60)


@patient
def _games_of(here: Process, account: Account) -> dict[str, int]:
    """How many games of this maker are open and running; the list follows the log within a moment."""
    with here.pool.connection() as connection:
        rows = connection.execute(
            "SELECT l.status, count(DISTINCT l.game_id) FROM seat_claim c JOIN lobby l USING (game_id)"
            " WHERE c.account_id = %s AND c.seat = %s AND l.status IN ('open', 'running') AND NOT l.analysis"
            " AND l.created_at > now() - make_interval(days => %s) GROUP BY 1",
            (account.id, OWNER, here.figures.games.days),
        ).fetchall()
    return dict(rows)


def _settle(here: Process, answer: Response) -> None:
    """Count what has come of the request."""
    guessed = answer.status_code == 403 and request.endpoint in GUESSED
    guessed = guessed or ("guesses" in g and answer.status_code in (403, 404))
    if guessed or (answer.status_code == 401 and "Authorization" in request.headers):
        here.rates.spend("auth", _address())
    if "writes" in g and 400 <= answer.status_code < 500 and answer.status_code != 429:
        here.credit.refused(g.client)
    if answer.status_code == 201 and "Idempotency-Replayed" not in answer.headers:
        if request.endpoint in MAKES_ACCOUNTS:
            g.levels = here.rates.spend("accounts", _address())
        for partition in CREATIONS.get(request.endpoint or "", ()):
            made = here.rates.spend(partition, g.client)
            g.levels = [level for level in g.levels if level.partition.partition("-")[0] != partition] + made
    if "entered" in g:
        client = g.entered
        if request.endpoint in STREAMS:  # these have a limit of their own
            here.crowd.leave(client)
        else:
            answer.call_on_close(lambda: here.crowd.leave(client))


def _tell(answer: Response) -> None:
    """The header fields of draft-ietf-httpapi-ratelimit-headers."""
    if g.levels:
        answer.headers["RateLimit-Policy"] = ", ".join(
            f'"{level.partition}";q={level.quota};w={level.window}' for level in g.levels
        )
        answer.headers["RateLimit"] = ", ".join(
            f'"{level.partition}";r={level.left};t={level.reset}' for level in g.levels
        )
