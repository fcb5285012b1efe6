"""Talk at a table: the words that an account may say, their readers, and how they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from events.base.timestamps import add_milliseconds
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.store.games import ReusedKey
from events.store.stream_writer import new_command_id
from events.store.talks import TalkResult
from events.table.command_signatures import BadSignature, MissingSignature
from events.table.game import Game
from events.table.record import Record, Signature
from events.talk import phrases, rules
from events.talk.content import Content, SpeechSignature, is_signed
from events.talk.folding import read_said
from events.talk.state import talk_id
from service.application.authorization import check_may_act
from service.application.container import TALK_HINT, Services
from service.base.people import Account
from service.http.problems import Problem, invalid_parameters
from service.openapi import request_structs, response_structs
from service.presenters.game_presenter import get_seat_label
from service.stores.messages import StoredMessage

PAGE = 200
"""The most messages that are read from the log at once."""
RECENT_GAMES = 200
"""The most games of an account whose talk its live stream follows."""


class Reader(msgspec.Struct, frozen=True):
    """The reader of a game's talk."""

    account: Account | None
    seat: Seat | None = None
    """The seat through whose eyes alone they read; None: all that the account may read."""
    public: bool = False
    """True if they look as a spectator: whispers stay hidden."""

    def may_read(self, readers: Mapping[Seat, str]) -> bool:
        """Return True if a whisper to and from these accounts, by seat, is for them."""
        if self.account is None or self.public:
            return False
        if self.seat is not None:
            return readers.get(self.seat) == self.account.id
        return self.account.id in readers.values()


# --- saying ------------------------------------------------------------------------------------------------


def make_content(game: Game, body: request_structs.NewMessage) -> Content:
    """Return the words of a request, unsigned. Raises a 422 problem."""
    if (body.text is None) == (body.phrase is None):
        raise invalid_parameters({"text": ["Send either `text`, or `phrase` with its `slots`."]})
    if body.text is not None:
        if body.slots is not None:
            raise invalid_parameters({"slots": ["Send slots only with a `phrase`."]})
        return Content(body.text)
    known = phrases.load_phrases(game.title_id)
    phrase = phrases.find_phrase(known, body.phrase or "")
    if phrase is None:
        allowed = ", ".join(one.id for one in known.phrases)
        raise invalid_parameters({"phrase": [f"There is no such phrase. Send one of: {allowed}."]})
    slots = body.slots or {}
    try:
        text = phrases.fill(
            phrase,
            slots,
            range(len(game.seats)),
            phrases.list_areas(game.title, known),
            lambda seat: get_seat_label(game, seat),
        )
    except phrases.BadSlots as wrong:
        raise invalid_parameters({"slots": [str(wrong)]}) from None
    return Content(text, phrase.id, slots)


def read_recipients(to: Sequence[Seat] | None, own: Sequence[Seat]) -> tuple[Seat, ...] | None:
    """Return the seats of a whisper in order; None for what is said aloud. Raises a 422 problem."""
    if to is None:
        return None
    if not to or len(set(to)) < len(to) or set(to) & set(own):
        raise invalid_parameters(
            {"to": ["Name one or more seats of other players, each once, or leave it out."]}
        )
    return tuple(sorted(to))


class Speech(msgspec.Struct, frozen=True):
    """Something that an account says at a table."""

    account: Account
    seat: Seat
    to: tuple[Seat, ...] | None
    content: Content
    signature: Signature | None = None


def say(services: Services, game: Game, speech: Speech, cmd: str | None) -> TalkResult:
    """Append something that is said, its words beside the log.

    A repeated request (*cmd* is its id) finds what its first time stored. Raises Rejected, ReusedKey and
    BadSignature.
    """
    talk, content = talk_id(game.id), speech.content
    earlier = services.talks.find_earlier(talk, cmd) if cmd else None
    if earlier is not None:
        _check_repeated(services, talk, earlier, speech)
        return earlier
    cmd = cmd or new_command_id()
    now = max(services.games.now(), game.at)
    rules.check_said(game, speech.seat, speech.to, now, phrase=content.phrase is not None)
    content = _sign(services, game, speech, cmd)
    holders = services.seat_claims.holders(game)
    heard = () if speech.to is None else (speech.seat, *speech.to)
    readers = {seat: holders[seat].id for seat in heard if seat in holders}
    stored = services.messages.store(talk, cmd, speech.account, content, readers)
    if stored.content != content or stored.author != speech.account.id:
        raise ReusedKey
    if heard and services.messages.list_readers(talk, [cmd]).get(cmd) != readers:
        raise _seats_changed()

    def check(newest: Game) -> None:
        check_may_act(services, speech.account, speech.seat, newest)
        now = services.seat_claims.holders(newest)
        if readers != {seat: now[seat].id for seat in heard if seat in now}:
            raise _seats_changed()

    done = services.talks.say(
        game.id,
        speech.seat,
        speech.to,
        content.digest(stored.salt),
        phrase=content.phrase is not None,
        command_id=cmd,
        allowed=check,
    )
    announce(services, game, done)
    return done


def _seats_changed() -> Rejected:
    detail = "A seat that you whisper to has changed hands. Read the game, and send it with a new key."
    return Rejected("seats_changed", detail)


def _check_repeated(services: Services, talk: str, earlier: TalkResult, speech: Speech) -> None:
    """Raise :class:`ReusedKey` if a request with the same key says something else than the first."""
    said = read_said(earlier.last)
    kept = services.messages.find(talk, [earlier.last.command_id]).get(earlier.last.command_id)
    same = said is not None and (said.seat, said.to) == (speech.seat, speech.to)
    if not same or (kept is not None and kept.content.said != speech.content.said):
        raise ReusedKey


def _sign(services: Services, game: Game, speech: Speech, cmd: str) -> Content:
    """Return the words with the signature that a seat with a key must give. Raises BadSignature."""
    key, given = game.seats[speech.seat].key, speech.signature
    if key is None:
        if given is not None:
            raise BadSignature("This seat has no key. Send the message without a signature.")
        return speech.content
    if given is None:
        raise MissingSignature(
            "This seat was taken with a key, and the message is not signed. Send Rutter-Signature."
        )
    if not 1 <= given.n <= game.seq:
        raise BadSignature(f"The signature names the wrong event. Sign for one from 1 to {game.seq}.")
    head = services.games.records(game.id, given.n - 1, 1)[0].hash
    content = replace(speech.content, sig=SpeechSignature(head.hex(), given.n, given.s))
    if not is_signed(key, content, cmd, game.id, speech.seat, speech.to):
        raise BadSignature(
            "The signature is not valid for this message. Sign it with the Idempotency-Key as its id, for"
            " this game, your seat, `to` and the hash of the named event."
        )
    return content


def announce(services: Services, game: Game, done: TalkResult) -> None:
    """Wake the live streams of a game and of those who sit there: something was said."""
    words = [done.after.id, *{holder.id for holder in services.seat_claims.holders(game).values()}]
    for word in words:
        services.stream_hub.notify(f"{TALK_HINT}:{word}", wake=True)
        services.hints.tell(f"{TALK_HINT}:{word}", 0)


def announce_erased(services: Services, game: Game, n: int) -> None:
    """Tell the live streams of a game that the words of message *n* are gone."""
    word = f"{TALK_HINT}:{talk_id(game.id)}"
    services.stream_hub.notify(word, wake=True, detail=str(n))
    services.hints.tell(f"{word}/{n}", 0)


# --- reading -----------------------------------------------------------------------------------------------


class Sight(msgspec.Struct, frozen=True):
    """The part of a talk that a viewer may know of now."""

    until: str | None = None
    """The time up to which they see; None: everything."""
    nothing: bool = False

    def covers(self, record: Record) -> bool:
        """Return True if an event of the talk is within it."""
        if self.nothing:
            return False
        return self.until is None or record.envelope().at <= self.until


def get_sight(services: Services, game: Game, *, at_once: bool) -> Sight:
    """Return how much of the talk of *game*, the newest, is seen now; *at_once* by those without delay."""
    delay = game.terms.delay
    if delay is None or at_once:
        return Sight()
    now = services.games.now()
    if delay.until_end and not services.spectator_delay.visible_seq(game, now):
        return Sight(nothing=True)
    return Sight(until=add_milliseconds(now, -delay.ms))


def read_messages(services: Services, game: Game, sight: Sight, after: int, limit: int) -> list[Record]:
    """Return at most *limit* messages after number *after*, as far as *sight* goes."""
    if game.terms.talk == "none":
        return []
    records = services.talks.records(talk_id(game.id), max(after, 1), limit)
    return [record for record in records if sight.covers(record)]


def present_messages(
    services: Services, game: Game, records: Sequence[Record], reader: Reader
) -> list[response_structs.Message]:
    """Return messages as *reader* may see them."""
    talk, cmds = talk_id(game.id), [record.command_id for record in records]
    kept = services.messages.find(talk, cmds)
    whispers = [record.command_id for record in records if b'"to":[' in record.body]
    readers = services.messages.list_readers(talk, whispers)
    muted = (
        frozenset(services.mutes.list_muted(reader.account)) if reader.account and records else frozenset()
    )
    found = []
    for record in records:
        stored = kept.get(record.command_id)
        heard = readers.get(record.command_id, {})
        found.append(_present(record, stored, heard, reader, muted))
    return found


def _present(
    record: Record,
    stored: StoredMessage | None,
    readers: Mapping[Seat, str],
    reader: Reader,
    muted: frozenset[str],
) -> response_structs.Message:
    said = read_said(record)
    assert said is not None  # noqa: S101 - only messages are read
    reason: Any = UNSET
    if said.to is not None and not reader.may_read(readers):
        reason = "whisper"
    elif stored is None:
        reason = "erased"
    elif stored.author in muted:
        reason = "muted"
    content = stored.content if stored is not None and reason is UNSET else None
    own = stored is not None and reader.account is not None and stored.author == reader.account.id
    return response_structs.Message(
        n=record.seq,
        seat=said.seat,
        to=None if said.to is None else list(said.to),
        at=record.envelope().at,
        at_event=said.at_event,
        text=content.text if content else None,
        phrase=content.phrase if content and content.phrase else UNSET,
        slots=content.slots if content and content.slots else UNSET,
        hidden=reason,
        you=own and not reader.public,
        signed=said.key is not None,
        digest=said.digest,
    )


def present_page(
    services: Services, game: Game, seen: Game, sight: Sight, reader: Reader, after: int, limit: int
) -> response_structs.MessagesPage:
    """Return a page of the messages of *game* as *reader* may see them, who sees the game as *seen*."""
    records = read_messages(services, game, sight, after, limit)
    closing = rules.closes_at(seen) if seen.terms.talk != "none" else None
    full = len(records) == limit
    more = f"/v1/games/{game.id}/messages?after={records[-1].seq}&limit={limit}" if full else None
    return response_structs.MessagesPage(
        messages=present_messages(services, game, records, reader),
        next=more,
        talk=game.terms.talk,
        open=rules.is_open(seen, max(services.games.now(), seen.at)),
        closes_at=closing,
    )


def read_whole_talk(services: Services, game: Game, sight: Sight) -> list[Record]:
    """Return all events of the talk of a game, the one that opened it included, as far as *sight* goes."""
    found: list[Record] = []
    if game.terms.talk == "none":
        return found
    while page := services.talks.records(talk_id(game.id), len(found), PAGE):
        found += page
    return [record for record in found if sight.covers(record)]


def read_words(
    services: Services, game: Game, records: Sequence[Record], reader: Reader
) -> dict[str, tuple[bytes, Content]]:
    """Return by command the salts and words of the messages among *records* that *reader* may read."""
    talk, cmds = talk_id(game.id), [record.command_id for record in records]
    whispers = {record.command_id for record in records if b'"to":[' in record.body}
    readers = services.messages.list_readers(talk, list(whispers))
    return {
        cmd: (stored.salt, stored.content)
        for cmd, stored in services.messages.find(talk, cmds).items()
        if cmd not in whispers or reader.may_read(readers.get(cmd, {}))
    }


def require_message(services: Services, game: Game, sight: Sight, n: int) -> Record:
    """Return message *n* of a game. Raises a 404 problem."""
    found = read_messages(services, game, sight, n - 1, 1) if n > 1 else []
    if not found or found[0].seq != n:
        raise Problem(
            404, "no_such_message", "There is no message with this number. GET .../messages lists them."
        )
    return found[0]


def new_messages(
    services: Services, game: Game, sight: Sight, reader: Reader, after: int, *, hinted: bool
) -> Iterator[response_structs.Message]:
    """Yield the messages after number *after*, for a live stream, without those of muted accounts.

    They are read once for all streams; *hinted*: True if a hint is the reason to look.
    """
    talk, after = talk_id(game.id), max(after, 1)
    while records := services.event_cache.records_after(talk, after, hinted=hinted):
        seen = [record for record in records if sight.covers(record)]
        shown = present_messages(services, game, seen, reader)
        yield from (replace(one, game=game.id) for one in shown if one.hidden != "muted")
        if len(seen) < len(records):
            return
        after = records[-1].seq


def read_erased_messages(
    services: Services, game: Game, sight: Sight, reader: Reader, numbers: Iterable[int]
) -> Iterator[response_structs.Message]:
    """Yield again, for a live stream, the messages of which *reader* had the words, now without them."""
    for n in numbers:
        shown = present_messages(services, game, read_messages(services, game, sight, n - 1, 1), reader)
        yield from (replace(one, game=game.id) for one in shown if one.hidden == "erased")


def find_due(services: Services, game: Game, after: int) -> str | None:
    """Return the time at which spectators see the message after number *after*; None where none is known."""
    delay = game.terms.delay
    if delay is None or (delay.until_end and not game.has_ended):
        return None
    records = read_messages(services, game, Sight(), after, 1)
    return add_milliseconds(max(records[0].envelope().at, _visible_from(game)), delay.ms) if records else None


def _visible_from(game: Game) -> str:
    """Return the time before which nothing of a game's talk is shown to spectators, but for its delay."""
    return game.at if game.terms.delay is not None and game.terms.delay.until_end else ""


def newest_number(services: Services, game: Game, sight: Sight) -> int:
    """Return the number of the newest message that is seen now; 0 where none is."""
    talk = services.talks.find(game.id) if game.terms.talk != "none" else None
    if talk is None or sight.nothing:
        return 0
    if sight.until is None:
        return talk.seq
    after = 0
    while records := read_messages(services, game, sight, after, PAGE):
        after = records[-1].seq
        if len(records) < PAGE:
            break
    return after


def list_talking_games(services: Services, account: Account) -> dict[str, str]:
    """Return by id of their talk the games in which *account* took a seat last."""
    return {talk_id(game): game for game in services.messages.list_recent_games(account, RECENT_GAMES)}


def count_talks(services: Services, talks: Iterable[str]) -> dict[str, int]:
    """Return by talk the number of its newest message."""
    return services.messages.newest_numbers(talks)
