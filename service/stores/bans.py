"""Bans: accounts that the operator (`rutter ban`) lets take no seat any more."""

from __future__ import annotations

from events.store.event_log import Pool
from service.base.database import retry_on_disconnect
from service.base.people import Account
from service.base.store_error import StoreError


class Bans:
    """The bans in the database. They are read when a player takes a seat or talks, so they count at once."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def check(self, account: Account) -> None:
        """Raise StoreError `banned` if the account or its owner is banned."""
        if self._is_banned(account):
            detail = (
                "The operator has banned this account, so it cannot create or join games, or talk. You may "
                "finish your running games; ask the operator for the reason."
            )
            raise StoreError("banned", detail)

    @retry_on_disconnect
    def _is_banned(self, account: Account) -> bool:
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT 1 FROM ban WHERE account_id = ANY(%s::uuid[])",
                ([account.id, account.owner] if account.owner else [account.id],),
            ).fetchone()
        return row is not None
