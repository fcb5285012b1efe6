"""The end of an account, and all that is stored about one.

Chains, bundles and results stay valid: the log holds pseudonyms only, and a digest of the account with a salt
that goes with the account.
"""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from typing import Any

from psycopg import Connection
from psycopg.rows import dict_row

from events.fact import Seat
from events.leaving import TableLeave
from events.replay import UnknownGame
from events.signed import BadSignature
from events.steps import Rejected
from projections.lobby import NOBODY
from service.accounts import Account, Accounts, give_up_handle
from service.pool import patient
from service.process import Process
from service.seats import mine


def erase(process: Process, account: Account, last_token: str) -> None:
    """Delete *account* and its programs' accounts; *last_token*, with which that is asked for, goes last.

    Each step can be repeated, so the request can be sent again until it has succeeded. Raises Rejected where
    a game of his is about to begin: a moment later it has.
    """
    for service in Accounts(process.pool).services(account):
        erase(process, service, last_token)
    process.tokens.revoke(account, keep=last_token)
    _leave_tables(process, account)
    _erase(process, account)
    process.tokens.forget(last_token)
    process.changed(account)


def _leave_tables(process: Process, account: Account) -> None:
    """Leave all seats, so that no game waits for somebody who is not there."""
    for game_id in _games_of(process, account):
        with contextlib.suppress(UnknownGame):  # a claim may be for a game that was never made
            game = process.games.load(game_id)
            for seat in mine(process.seats.holders(game), account) if not game.ended else ():
                _leave(process, game_id, seat)


def _leave(process: Process, game_id: str, seat: Seat) -> None:
    """Leave a seat, if that is still to be left. One with a key of its own is left by its key only."""
    try:
        left = process.games.table_command(game_id, seat, TableLeave())
    except BadSignature:
        return
    except Rejected as refused:
        if refused.code == "reveals_open":
            raise
        return
    process.games.proceed(left.game)


@patient
def _games_of(process: Process, account: Account) -> list[str]:
    """The games that *account* may sit in, as far as they are not known to have ended."""
    with process.pool.connection() as connection:
        rows = connection.execute(
            "SELECT DISTINCT c.game_id::text FROM seat_claim c LEFT JOIN lobby l USING (game_id)"
            " WHERE c.account_id = %s AND c.seat >= 0 AND coalesce(l.status, 'open') IN ('open', 'running')",
            (account.id,),
        ).fetchall()
    return [game_id for (game_id,) in rows]


@patient
def _erase(process: Process, account: Account) -> None:
    with process.pool.connection() as connection, connection.transaction():
        # Nobody can be found behind the pseudonym of the log any more, for the salt goes as well.
        connection.execute(
            "UPDATE seat_claim SET account_id = NULL, salt = NULL WHERE account_id = %s", (account.id,)
        )
        connection.execute("UPDATE game_director SET account_id = NULL WHERE account_id = %s", (account.id,))
        connection.execute("DELETE FROM es.text WHERE account_id = %s", (account.id,))
        connection.execute("UPDATE lobby SET owner = %s WHERE owner = %s", (NOBODY, account.id))
        connection.execute("DELETE FROM founding WHERE account_id = %s", (account.id,))
        give_up_handle(connection, account.id)
        connection.execute("DELETE FROM account WHERE id = %s", (account.id,))


@patient
def stored(process: Process, account: Account) -> dict[str, list[dict[str, Any]]]:
    """What the database holds about an account, by table, as far as it is not shown elsewhere."""
    with process.pool.connection() as connection:
        return {name: _rows(connection, query, account.id) for name, query in _STORED.items()}


_STORED = {
    "account": "SELECT id::text, name, kind, owner::text, created_at FROM account WHERE id = %s",
    "handles": "SELECT handle, since, until FROM handle WHERE account_id = %s ORDER BY since",
    "seats": "SELECT game_id::text AS game, seat, claim::text, encode(salt, 'hex') AS salt, made_at"
    " FROM seat_claim WHERE account_id = %s ORDER BY made_at, seat",
    "directs": "SELECT game_id::text AS game, claim::text, director FROM game_director"
    " WHERE account_id = %s ORDER BY game_id, director",
    "texts": "SELECT game_id::text AS game, cmd::text AS command, field, body FROM es.text"
    " WHERE account_id = %s ORDER BY game_id, cmd, field",
    "vacations": "SELECT year, used_ms, begins, ends FROM vacation WHERE account_id = %s",
    "requests": "SELECT key, game_id::text AS game FROM founding WHERE account_id = %s ORDER BY game_id, key",
    "secrets_shown": "SELECT key, shown::text AS id FROM shown_once WHERE account_id = %s ORDER BY key",
}


def _rows(connection: Connection[Any], query: str, account_id: str) -> list[dict[str, Any]]:
    with connection.cursor(row_factory=dict_row) as cursor:
        return [
            {
                name: value.astimezone(UTC) if isinstance(value, datetime) else value
                for name, value in row.items()
            }
            for row in cursor.execute(query, (account_id,))
        ]
