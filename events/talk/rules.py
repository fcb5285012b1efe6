"""The rules of talk: the seats that may speak at a table, to whom, and until when."""

from __future__ import annotations

from collections.abc import Sequence

from events.base.timestamps import add_milliseconds
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.table.engine import Batch
from events.table.game import Game
from events.talk.facts import Said, TalkOpened
from events.talk.state import CLOSE_MS, Talk

WITHOUT_WHISPERS = ("public", "phrases")
"""The ways of talk in which everything is said to all."""


def closes_at(game: Game) -> str | None:
    """Return the time at which the talk of a game that has ended closes; None while it goes on."""
    return add_milliseconds(game.at, CLOSE_MS) if game.has_ended else None


def is_open(game: Game, at: str) -> bool:
    """Return True if its players can write at the time *at*."""
    closing = closes_at(game)
    return game.terms.talk != "none" and (closing is None or at <= closing)


def open_talk(game: Game, first: bytes) -> Batch:
    """Return the batch that opens the talk of a *game*, whose first event has the hash *first*."""
    return Batch([TalkOpened(game.id, first.hex())])


def check_said(game: Game, seat: Seat, to: Sequence[Seat] | None, at: str, *, phrase: bool) -> None:
    """Check that *seat* may say something now, aloud or to the seats *to*. Raises :class:`Rejected`."""
    if game.terms.talk == "none":
        raise Rejected("no_talk", "Players do not talk in this game. Its `talk` option is `none`.")
    if not is_open(game, at):
        raise Rejected(
            "talk_closed", "The talk closed seven days after the end of the game. You can still read it."
        )
    if game.terms.talk == "phrases" and not phrase:
        raise Rejected(
            "phrases_only", "In this game you can only say phrases of the title. Send `phrase` and `slots`."
        )
    if to is not None:
        _check_whisper(game, seat, to)


def _check_whisper(game: Game, seat: Seat, to: Sequence[Seat]) -> None:
    if game.terms.talk in WITHOUT_WHISPERS:
        raise Rejected("no_whispers", "In this game everything is said to all. Leave `to` out.")
    for other in to:
        if other == seat or not 0 <= other < len(game.seats) or not game.seats[other].person:
            raise Rejected(
                "nobody_there",
                f"Nobody can be whispered to at seat {other}. Name other seats that people hold.",
            )


def say(
    talk: Talk, game: Game, seat: Seat, to: Sequence[Seat] | None, digest: str, at: str, *, phrase: bool
) -> Batch:
    """Return the batch of something that *seat* says, of which the log gets the *digest*.

    Raises :class:`Rejected`.
    """
    check_said(game, seat, to, at, phrase=phrase)
    assert game.seq >= talk.at_event  # noqa: S101 - the newest game is read after the newest talk
    return Batch(
        [
            Said(
                at_event=game.seq,
                digest=digest,
                head=game.head.hex(),
                key=game.seats[seat].key,
                seat=seat,
                to=None if to is None else tuple(to),
            )
        ]
    )
