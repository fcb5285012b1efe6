"""The end of an account, and all that is stored about one.

Chains, bundles and results stay valid: the log holds pseudonyms only, and a digest of the account with a salt
that goes with the account.
"""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from functools import partial
from typing import Any, LiteralString

from psycopg import Connection
from psycopg.rows import dict_row

from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.store.games import UnknownGame
from events.store.tournaments import UnknownTournament
from events.table.command_signatures import BadSignature
from events.table.commands.leaving import TableLeave
from events.tournament.commands import Withdraw
from events.tournament.state import entrant_name
from projections import ratings
from projections.read_models.lobby import NOBODY
from service.application.authorization import check_may_act
from service.application.container import Services
from service.base.database import retry_on_disconnect
from service.base.people import Account
from service.stores import invitations
from service.stores.accounts import Accounts, give_up_handle
from service.stores.clubs import remove_from_all_clubs
from service.stores.seat_claims import get_own_seats

_OPEN_TOURNAMENTS: LiteralString = (
    "SELECT DISTINCT e.tournament::text FROM entrant e LEFT JOIN tournament t USING (tournament)"
    " WHERE e.account_id = %s AND NOT coalesce(t.over, false)"
)
"""The tournaments that an account may play in, as far as they are not known to be over."""
_OPEN_GAMES: LiteralString = (
    "SELECT DISTINCT c.game_id::text FROM seat_claim c LEFT JOIN lobby l USING (game_id)"
    " WHERE c.account_id = %s AND c.seat >= 0 AND coalesce(l.status, 'open') IN ('open', 'running')"
)
"""The games that an account may sit in, as far as they are not known to have ended."""


def delete_account(services: Services, account: Account, last_token: str) -> None:
    """Delete *account* and its programs' accounts; *last_token*, with which that is asked for, goes last.

    Each step can be repeated, so the request can be sent again until it has succeeded. Raises Rejected where
    a game of the account is about to begin: a moment later it has.
    """
    for service in Accounts(services.pool).service_accounts_of(account):
        delete_account(services, service, last_token)
    services.tokens.revoke(account, keep=last_token)
    services.webhooks.delete_all(account)
    _withdraw_from_tournaments(services, account)
    _leave_tables(services, account)
    _delete_rows(services, account)
    services.tokens.forget(last_token)
    services.announce_account_change(account)


def _withdraw_from_tournaments(services: Services, account: Account) -> None:
    """Withdraw from all tournaments, so that nobody is paired who is not there."""
    for tournament in _list_ids(services, _OPEN_TOURNAMENTS, account):
        with contextlib.suppress(UnknownTournament, Rejected):  # it was never made, or they are out of it
            part = services.tournament_people.get_participation(
                services.tournaments.load(tournament), account
            )
            if part.entrant is not None:
                services.tournaments.command(tournament, entrant_name(part.entrant), Withdraw())


def _leave_tables(services: Services, account: Account) -> None:
    """Leave all seats, so that no game waits for a player who is gone."""
    for game_id in _list_ids(services, _OPEN_GAMES, account):
        with contextlib.suppress(UnknownGame):  # a claim may be for a game that was never made
            game = services.games.load(game_id)
            for seat in (
                get_own_seats(services.seat_claims.holders(game), account) if not game.has_ended else ()
            ):
                _leave_seat(services, account, game_id, seat)


def _leave_seat(services: Services, account: Account, game_id: str, seat: Seat) -> None:
    """Leave a seat, if that is still to be left. One with a key of its own is left by its key only."""
    try:
        left = services.games.table_command(
            game_id, seat, TableLeave(), allowed=partial(check_may_act, services, account, seat)
        )
    except BadSignature:
        return
    except Rejected as refused:
        if refused.code == "reveals_open":
            raise
        return
    services.advance_opening(left.game)


@retry_on_disconnect
def _list_ids(services: Services, query: LiteralString, account: Account) -> list[str]:
    """Return the ids that *query* finds for *account*."""
    with services.pool.connection() as connection:
        return [found for (found,) in connection.execute(query, (account.id,))]


@retry_on_disconnect
def _delete_rows(services: Services, account: Account) -> None:
    with services.pool.connection() as connection, connection.transaction():
        ratings.unlink_account(connection, account.id)
        connection.execute("DELETE FROM note WHERE account_id = %s", (account.id,))
        # Nobody can be found behind the pseudonym of the log any more, for the salt goes as well.
        connection.execute(
            "UPDATE seat_claim SET account_id = NULL, salt = NULL WHERE account_id = %s", (account.id,)
        )
        connection.execute("UPDATE game_director SET account_id = NULL WHERE account_id = %s", (account.id,))
        connection.execute(
            "UPDATE entrant SET account_id = NULL, key = NULL WHERE account_id = %s", (account.id,)
        )
        connection.execute(
            "UPDATE tournament_director SET account_id = NULL WHERE account_id = %s", (account.id,)
        )
        connection.execute("UPDATE reliability SET account_id = NULL WHERE account_id = %s", (account.id,))
        connection.execute(
            "UPDATE seat_reservation SET account_id = NULL WHERE account_id = %s", (account.id,)
        )
        invitations.delete_invitations(connection, "account_id = %s", (account.id,))
        remove_from_all_clubs(connection, account.id)
        connection.execute("DELETE FROM es.text WHERE account_id = %s", (account.id,))
        connection.execute("DELETE FROM talk_reader WHERE account_id = %s", (account.id,))
        connection.execute("DELETE FROM message_report WHERE account_id = %s", (account.id,))
        connection.execute("UPDATE lobby SET owner = %s WHERE owner = %s", (NOBODY, account.id))
        connection.execute("DELETE FROM founding WHERE account_id = %s", (account.id,))
        give_up_handle(connection, account.id)
        connection.execute("DELETE FROM account WHERE id = %s", (account.id,))


@retry_on_disconnect
def export_account(services: Services, account: Account) -> dict[str, list[dict[str, Any]]]:
    """Return what the database holds about an account, by table, unless it is shown elsewhere."""
    with services.pool.connection() as connection:
        return {name: _fetch_rows(connection, query, account.id) for name, query in _EXPORT_QUERIES.items()}


_EXPORT_QUERIES = {
    "account": "SELECT id::text, name, kind, owner::text, created_at FROM account WHERE id = %s",
    "handles": "SELECT handle, since, until FROM handle WHERE account_id = %s ORDER BY since",
    "seats": "SELECT game_id::text AS game, seat, claim::text, encode(salt, 'hex') AS salt, made_at"
    " FROM seat_claim WHERE account_id = %s ORDER BY made_at, seat",
    "directs": "SELECT game_id::text AS game, claim::text, director FROM game_director"
    " WHERE account_id = %s ORDER BY game_id, director",
    "entries": "SELECT tournament::text, claim::text, key, made_at FROM entrant"
    " WHERE account_id = %s ORDER BY made_at, tournament",
    "runs": "SELECT tournament::text, claim::text, director FROM tournament_director"
    " WHERE account_id = %s ORDER BY tournament, claim",
    "reservations": "SELECT game_id::text AS game, claim::text, seat FROM seat_reservation"
    " WHERE account_id = %s ORDER BY game_id, seat",
    "invitations": "SELECT subject::text AS to, id::text, seat, uses, made_at, expires_at FROM invitation"
    " WHERE account_id = %s ORDER BY made_at, id",
    "clubs": "SELECT c.id::text, c.name, m.role, m.since FROM club_member m JOIN club c ON c.id = m.club"
    " WHERE m.account_id = %s ORDER BY m.since, c.id",
    "texts": "SELECT game_id::text AS game, cmd::text AS command, field, body FROM es.text"
    " WHERE account_id = %s ORDER BY game_id, cmd, field",
    "heard": "SELECT game_id::text AS talk, cmd::text AS command, seat FROM talk_reader"
    " WHERE account_id = %s ORDER BY game_id, cmd, seat",
    "mutes": "SELECT muted::text AS account, since FROM mute WHERE account_id = %s ORDER BY since, muted",
    "reports": "SELECT game_id::text AS game, n, reason, made_at FROM message_report"
    " WHERE account_id = %s ORDER BY made_at, game_id, n",
    "reliability": "SELECT game_id::text AS game, seq, at, in_time FROM reliability"
    " WHERE account_id = %s ORDER BY at, game_id",
    "notes": "SELECT game_id::text AS game, version, notes, changed_at FROM note"
    " WHERE account_id = %s ORDER BY game_id",
    "bans": "SELECT since, reason FROM ban WHERE account_id = %s",
    "subjects": "SELECT subject::text FROM subject WHERE account_id = %s",
    "ratings": "SELECT g.game_id::text AS game, c.pool, c.place, c.mu_before, c.sigma_before, c.mu, c.sigma,"
    " c.games, c.at FROM subject s JOIN rating_change c USING (subject) JOIN rating_game g USING (position)"
    " WHERE s.account_id = %s ORDER BY c.position",
    "vacations": "SELECT y.year, y.used_ms, v.begins, v.ends FROM vacation_year y LEFT JOIN vacation v"
    " ON v.account_id = y.account_id AND y.year BETWEEN extract(year FROM v.begins AT TIME ZONE 'UTC')"
    " AND extract(year FROM v.ends AT TIME ZONE 'UTC') WHERE y.account_id = %s ORDER BY y.year",
    "requests": "SELECT key, game_id::text AS game FROM founding WHERE account_id = %s ORDER BY game_id, key",
    "notices": "SELECT number AS position, type, stream::text, seq, data, at FROM notice"
    " WHERE account_id = %s ORDER BY number",
    "webhooks": "SELECT id::text, url, types, game::text, tournament::text, enabled, disabled_for,"
    " failing_since, made_at"
    " FROM webhook WHERE account_id = %s AND token_id IS NULL ORDER BY made_at, id",
    "push_subscriptions": "SELECT id::text, url AS endpoint, token_id::text AS token, made_at"
    " FROM webhook WHERE account_id = %s AND token_id IS NOT NULL ORDER BY made_at, id",
    "deliveries": "SELECT webhook_id::text AS webhook, number AS position, tries, next_at, status,"
    " answer, error FROM webhook_delivery WHERE account_id = %s ORDER BY webhook_id, number",
    "secrets_shown": "SELECT key, shown::text AS id FROM shown_once WHERE account_id = %s ORDER BY key",
}


def _fetch_rows(connection: Connection[Any], query: str, account_id: str) -> list[dict[str, Any]]:
    with connection.cursor(row_factory=dict_row) as cursor:
        return [
            {
                name: value.astimezone(UTC) if isinstance(value, datetime) else value
                for name, value in row.items()
            }
            for row in cursor.execute(query, (account_id,))
        ]
