"""The answers about the health of a server, its keys, and every problem."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.openapi.response_structs.fields import Object, Seq, Time, Uuid, component_meta

_ANNOUNCED = (
    'A C2SP tlog-proof that an earlier key announced this one: the entry `{"add": vkey}` of the log, in a'
    " checkpoint that the earlier key signed. Null for the first key, and before there is such a checkpoint."
)


class Key(Struct, frozen=True):
    """A public key that signs receipts and checkpoints."""

    vkey: str
    """The key as `name+key id+base64`, for the configuration of verifiers."""
    since: int
    """The size of the log of all games at which the key begins to sign."""
    until: int | None
    """The size of the log at which the key stopped, or null for a key that signs."""
    announced: Annotated[str | None, Meta(description=_ANNOUNCED)]


class KeysPage(Struct, frozen=True):
    """The public keys of this server."""

    origin: str
    """The name under which the server signs. It never changes."""
    keys: list[Key]
    """The keys, oldest first."""


class Health(Struct, frozen=True):
    """A sign of life."""

    status: Literal["ok"]
    """Always `ok`."""


class Lack(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part that is lacking. `code` is stable, `detail` is for the operator."""

    code: Literal[
        "database_away",
        "not_migrated",
        "read_only",
        "disk_full",
        "cannot_sign",
        "another_key",
        "another_origin",
        "another_test_seed",
        "database_set_back",
        "node_away",
        "redis_away",
        "limits_local",
        "test_seed",
        "dispatcher_missing",
        "sequencer_stuck",
        "worker_missing",
        "projection_lag",
        "copy_away",
        "copy_behind",
        "copy_of_another_log",
        "projection_parked",
        "tasks_failed",
    ]
    """A stable word for what is missing."""
    detail: str
    """The fault, and what the operator can do."""
    seconds: Annotated[float | UnsetType, Meta(description="The number of seconds since it began.")] = UNSET
    count: Annotated[int | UnsetType, Meta(description="The number of affected items.")] = UNSET


class Readiness(Struct, frozen=True, kw_only=True):
    """The readiness of this host to carry out commands, and a list of what is lacking.

    `degraded`: people can play, but some other part does not work.
    """

    status: Literal["ready", "degraded", "not_ready"]
    """`ready`, `degraded` if something beside play does not work, or `not_ready`."""
    database: Literal["ok", "away", "not_migrated", "read_only"]
    """The state of the database."""
    redis: Annotated[
        Literal["ok", "away"], Meta(description="The state of Redis. Without it, bots and live updates wait.")
    ]
    lacking: Annotated[list[Lack], Meta(description="The parts that are lacking, the most serious first.")]


class MissingRules(Struct, frozen=True):
    """The rules that a game needs and the server does not have."""

    title: str
    """The id of the title."""
    version: int | None
    """The version of the title's rules."""
    data_hash: str | None
    """The hash of the title's static data (hex)."""


_CLAUSE = "The address of the rule that refuses the command, under `GET /v1/titles/{title}/rules`."
_PROBLEM_SEQ = (
    "With `version_conflict`: the number of the newest event. With `no_leaf`: the event to ask for instead."
)


class Problem(Struct, frozen=True, kw_only=True):
    """An error (RFC 9457). `code` is stable, `detail` is for people, `errors` is by field."""

    type: str
    """The address of the description of the code, relative to the server."""
    title: str
    """The name of the status, such as `Conflict`."""
    status: int
    """The status of the answer."""
    detail: str
    """The fault, and what to do about it, in plain words."""
    instance: str | UnsetType = UNSET
    """The request id, as `X-Request-ID` has it. Quote it when you report the error."""
    code: Annotated[str, component_meta("ProblemCode")]
    """A stable word for the error."""
    errors: Annotated[Object | UnsetType, component_meta("FieldErrors")] = UNSET
    """The faults by field."""
    seq: Annotated[Seq | UnsetType, Meta(description=_PROBLEM_SEQ)] = UNSET
    clause: Annotated[str | UnsetType, Meta(description=_CLAUSE)] = UNSET
    missing: MissingRules | UnsetType = UNSET
    """With `rules_missing`: the rules that are missing."""
    id: Annotated[
        Uuid | UnsetType, Meta(description="With `already_shown`: the id of the secret, to revoke it.")
    ] = UNSET
    scope: Annotated[
        str | UnsetType, Meta(description="With `missing_scope`: the scope that is missing.")
    ] = UNSET
    games: Annotated[
        list[Uuid] | UnsetType, Meta(description="With `other_games_only`: the games of the token.")
    ] = UNSET
    partition: Annotated[
        str | UnsetType, Meta(description="With `too_many_requests`: the limit, such as `commands`.")
    ] = UNSET
    until: Annotated[
        Time | UnsetType, Meta(description="With `game_paused`: the time when the game goes on by itself.")
    ] = UNSET
