"""Privileges in the database: of the service, of an auditor, and of the archiver.

The triggers of the log refuse every change of the past even to its owner; only what lies in a verified bundle
may go. Privileges keep the service from removing the triggers, and the secrets from an auditor.
"""

import psycopg
from psycopg import sql

from events.base.settings import RUTTER_OWNER_MAY_SERVE
from events.store.connection import connect
from events.store.database_owner import is_log_owner
from ops.base.addresses import ServerAddresses
from ops.base.errors import OpsError
from ops.database.migrate import hold_migration_lock, migrate

Privileges = dict[str, tuple[str, ...]]

APP_PRIVILEGES: Privileges = {
    "SELECT, INSERT": (
        "es.event",
        "es.secret",
        "es.game_secret",
        "es.log",
        "es.leaf",
        "es.tile",
        "es.checkpoint",
        "es.cosignature",
        "es.key",
        "subject_claim",
    ),
    "SELECT, INSERT, UPDATE (origin), UPDATE (test_seed)": ("es.service",),
    "SELECT, INSERT, DELETE": (
        "es.fresh",
        "es.snapshot",
        "es.text",
        "founding",
        "mute",
        "message_report",
        "shown_once",
    ),
    "SELECT, INSERT, UPDATE (expires_at), DELETE": ("recovery_code",),
    "SELECT, UPDATE": ("es.sequencer", "es.handover", "es.tree"),
    "SELECT, INSERT, UPDATE": ("es.projection",),
    "SELECT, INSERT, UPDATE, DELETE": (
        "account",
        "handle",
        "token",
        "seat_claim",
        "game_access",
        "game_director",
        "seat_reservation",
        "invitation",
        "invitation_use",
        "club",
        "club_member",
        "club_game",
        "vacation",
        "vacation_year",
        "lobby",
        "game_end",
        "game_end_counter",
        "tally",
        "reliability",
        "history",
        "note",
        "ban",
        "subject",
        "bot_subject",
        "rating_game",
        "rating_change",
        "rating",
        "rating_void",
        "rating_state",
        "es.parked",
        "es.failed",
        "es.alive",
        "house_heartbeat",
        "outage",
        "turn",
        "entrant",
        "tournament_director",
        "talk_reader",
        "tournament",
        "notice",
        "webhook",
        "webhook_delivery",
    ),
    "SELECT": (
        "schema_migrations",
        "es.archived",
        "es.succession",
        "es.former_checkpoint",
        "es.former_cosignature",
        "es.frozen",
    ),
}
"""The privileges of the service on each table, and no more."""

AUDITOR_PRIVILEGES: Privileges = {
    "SELECT": (
        "es.event",
        "es.log",
        "es.leaf",
        "es.tile",
        "es.checkpoint",
        "es.cosignature",
        "es.key",
        "es.tree",
        "es.parked",
        "es.archived",
        "es.succession",
        "es.former_checkpoint",
        "es.former_cosignature",
        "es.frozen",
    )
}
"""The log as everybody may have it: what is secret enters it as digests only."""

ARCHIVER_PRIVILEGES: Privileges = {
    "SELECT": (
        "schema_migrations",
        "es.event",
        "es.secret",
        "es.key",
        "es.leaf",
        "es.tile",
        "es.checkpoint",
        "es.cosignature",
        "es.service",
        "es.log",
        "es.fresh",
        "es.frozen",
        "lobby",
        "tournament",
    ),
    "SELECT, INSERT (game_id, url, digest, bytes, last, head, position),"
    " UPDATE (url, digest, bytes, last, head, position)": ("es.archived",),
}
"""The privileges of `rutter archive` itself; the one function that it may call drops rows of the log."""
DROP = "es.drop_archived(uuid, bytea)"


def grant(
    owner_url: str, *, app: str | None = None, auditor: str | None = None, archiver: str | None = None
) -> None:
    """Let the roles *app*, *auditor* and *archiver* do their part, and nothing else on our tables.

    May be called by several processes at once.

    Raises:
        OpsError: there is no such role.
    """
    with hold_migration_lock(owner_url), connect(owner_url) as connection:
        for role, privileges in (
            (app, APP_PRIVILEGES),
            (auditor, AUDITOR_PRIVILEGES),
            (archiver, ARCHIVER_PRIVILEGES),
        ):
            if role is not None:
                _grant(connection, role, privileges)
                _grant_drop(connection, role, allowed=privileges is ARCHIVER_PRIVILEGES)


def _grant(connection: psycopg.Connection, role: str, privileges: Privileges) -> None:
    if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
        raise OpsError(
            f'There is no role {role} in this Postgres. Make it first: CREATE ROLE "{role}" LOGIN;'
        )
    to = sql.Identifier(role)
    for schema in ("es", "public"):
        connection.execute(
            sql.SQL("REVOKE ALL ON ALL TABLES IN SCHEMA {} FROM {}").format(sql.Identifier(schema), to)
        )
    connection.execute(sql.SQL("GRANT USAGE ON SCHEMA es, public TO {}").format(to))
    for what, tables in privileges.items():
        names = sql.SQL(", ").join(sql.Identifier(*table.split(".")) for table in tables)
        connection.execute(sql.SQL(f"GRANT {what} ON {{}} TO {{}}").format(names, to))


def _grant_drop(connection: psycopg.Connection, role: str, *, allowed: bool) -> None:
    words = "GRANT ALL ON FUNCTION {} TO {}" if allowed else "REVOKE ALL ON FUNCTION {} FROM {}"
    connection.execute(sql.SQL(words).format(sql.SQL(DROP), sql.Identifier(role)))


def refuse_superuser(database_url: str) -> None:
    """Refuse a superuser's login for what answers requests: no privilege and no trigger binds it.

    Raises:
        OpsError: it would; unless `RUTTER_OWNER_MAY_SERVE=1` says that this is meant.
    """
    if RUTTER_OWNER_MAY_SERVE.read():
        return
    with connect(database_url) as connection:
        row = connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
        user = connection.info.user
    if row and row[0]:
        raise OpsError(
            f"DATABASE_URL logs in as {user}, a superuser of Postgres. Make two roles. For "
            "RUTTER_MIGRATE_URL, the owner: CREATE ROLE rutter LOGIN PASSWORD '...'; CREATE DATABASE rutter "
            "OWNER rutter; For DATABASE_URL, the login of the server: CREATE ROLE es_app LOGIN PASSWORD "
            f"'...'; To go on with one login, set {RUTTER_OWNER_MAY_SERVE.name}=1."
        )


def migrate_and_grant(addresses: ServerAddresses) -> list[str]:
    """Migrate to the newest schema, as its owner, and grant the privileges of the service's login.

    Answers the names of the migrations that were run now.

    Raises:
        OpsError: the service is to log in as the owner although it was given a login of its own.
    """
    names = migrate(addresses.owner)
    if addresses.database != addresses.owner:
        with connect(addresses.database) as connection:
            login, owner = connection.info.user, is_log_owner(connection)
        if owner:
            raise OpsError(
                f"DATABASE_URL logs in as {login}, the owner of the log, who could alter it. Make another "
                "role for the server, such as es_app, and keep the owner for RUTTER_MIGRATE_URL."
            )
        grant(addresses.owner, app=login)
    return names
