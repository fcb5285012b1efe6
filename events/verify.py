"""Checking a bundle offline: what ``rutter verify`` does.

A whole bundle is proved completely: chain, hidden parts, signature, commitments, every random draw, every
command decided again by the rules, the result. A seat's copy of a running game is proved as far as it
goes: chain, the parts it holds, signature, and every public draw.
"""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from events import bundle as bundles
from events import engine, opening, table
from events.bundle import BadBundle, Bundle
from events.catalogue import find_title
from events.engine import Batch
from events.fact import Seat
from events.folding import fold_one
from events.game import Game, start
from events.proof import PublicDraw, ReverseChain, Secrets, Stream, public_key, step_back
from events.record import (
    BOT_PART,
    BotRun,
    Cause,
    Envelope,
    Record,
    decode_command,
    decode_fact,
    decode_signature,
    seal,
    seat_of,
)
from events.steps import Command, Rejected
from events.tlog.notes import Verifier

RerunBot = Callable[[Game, Seat, BotRun], Command]
"""Thinks a bot's move again: ``(game before, seat, what it thought with)``."""


class Report(msgspec.Struct):
    """What was verified."""

    game: str
    title: str
    whole: bool
    events: int
    commands: int = 0
    public_draws: int = 0
    hidden_draws: int = 0
    bots: int = 0
    """Bot moves that were thought again with the same result (0 where that was not asked for)."""
    status: str = ""
    winners: tuple[int, ...] = ()
    head: str = ""
    origin: str = ""


def verify(
    text: Iterable[bytes],
    *,
    partial: bool = False,
    key: Verifier | None = None,
    rerun_bot: RerunBot | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Report:
    """Verify a bundle. Raises :class:`BadBundle` naming the first bad event.

    *partial* accepts a seat's copy of a running game. *key* is the one that must have signed.
    *progress* is told how many events of how many are done.
    """
    bundle = bundles.read(text)
    if bundle.header.scope != "whole" and not partial:
        raise BadBundle(None, "this is a seat's copy of a running game; verify it with --partial")
    if bundle.header.format != bundles.FORMAT:
        raise BadBundle(None, f"unknown format {bundle.header.format!r}; this program reads {bundles.FORMAT}")
    bundles.check_chain(bundle)
    report = Report(
        game=bundle.header.game,
        title=f"{bundle.header.title} {bundle.header.version}",
        whole=bundle.header.scope == "whole",
        events=len(bundle.records),
        head=bundle.records[-1].hash.hex() if bundle.records else "",
        origin=bundle.header.origin,
    )
    _check_rules(bundle)
    if bundle.header.scope == "whole":
        _Whole(bundle, report, rerun_bot, progress).go()
    else:
        _partial(bundle, report)
    # Last, because a forged event is named more exactly by the checks above.
    bundles.check_receipt(bundle, key)
    return report


def _check_rules(bundle: Bundle) -> None:
    """The rules and data under which the game was played are the ones at hand."""
    created = _created(bundle)
    if (created.title, created.version) != (bundle.header.title, bundle.header.version):
        raise BadBundle(1, "the header names other rules than the first event")
    try:
        title = find_title(created.title, created.version)
    except KeyError:
        raise BadBundle(1, f"{created.title} version {created.version} is not at hand") from None
    if title.data_hash != created.data_hash:
        raise BadBundle(1, "the game was played under other data of the title than those at hand")


def _created(bundle: Bundle) -> table.TableOpened:
    first = bundle.records[0] if bundle.records else None
    if first is None or first.type != "TableOpened":
        raise BadBundle(1, "a game begins with TableOpened")
    fact = _decoded(first, first.envelope(), table.TableOpened)
    assert isinstance(fact, table.TableOpened)  # noqa: S101 - for the type checker
    return fact


def _key(bundle: Bundle) -> bytes:
    """What stands for the game in its randomness."""
    created = _created(bundle)
    try:
        return bytes.fromhex(created.key) if created.key else uuid.UUID(bundle.header.game).bytes
    except ValueError:
        raise BadBundle(1, "the game's id or key is damaged") from None


def _decoded(record: Record, envelope: Envelope, kind: type[Any]) -> Any:
    try:
        return decode_fact(record, envelope, kind)
    except msgspec.ValidationError as error:
        raise BadBundle(record.seq, f"its data do not fit its type: {error}") from error


class _Whole:
    """A complete game, decided again from its first event."""

    def __init__(
        self, bundle: Bundle, report: Report, rerun_bot: RerunBot | None, progress: Callable[[int, int], None]
    ) -> None:
        self.bundle = bundle
        self.report = report
        self.rerun_bot = rerun_bot
        self.progress = progress
        self.secrets = self._disclosed()
        self.game = start(bundle.header.game)
        self.chain = ReverseChain(self.secrets.anchor, _key(bundle), _created(bundle).draws)

    def go(self) -> None:
        for batch in _batches(self.bundle.records):
            self._check(batch)
            self.progress(batch[-1].seq, len(self.bundle.records))
        game, report = self.game, self.report
        report.status = game.status
        report.public_draws, report.hidden_draws = game.public_draws, game.hidden_draws
        if game.status != "finished" or game.result is None:
            raise BadBundle(game.seq, "a whole bundle ends with TableClosed")
        report.winners = game.result.winners

    def _disclosed(self) -> Secrets:
        last = self.bundle.records[-1]
        if last.type != "TableClosed":
            raise BadBundle(last.seq, "a whole bundle ends with TableClosed")
        disclosed = _decoded(last, last.envelope(), table.TableClosed).disclosed
        try:
            secrets = Secrets(*(bytes.fromhex(disclosed[name]) for name in ("anchor", "deal", "hide", "bot")))
        except (KeyError, ValueError) as error:
            raise BadBundle(last.seq, "the disclosed secrets are incomplete") from error
        created = _created(self.bundle)
        key = _key(self.bundle)
        if secrets.commitments(key, created.draws) != created.chance:
            raise BadBundle(last.seq, "the disclosed secrets do not fit the commitments of event 1")
        return secrets

    def _check(self, batch: list[Record]) -> None:
        first, envelope = batch[0], batch[0].envelope()
        _check_time(self.game, first)
        decided = self._decided(first, envelope, batch)
        cause = self._cause(first, envelope, decided)
        again = seal(
            decided.facts,
            cause,
            game_id=self.game.id,
            version=self.game.version or table.PROTOCOL,
            seq=self.game.seq,
            head=self.game.head,
            secrets=self.secrets,
        )
        self._compare(batch, again)
        self.game = _folded(self.game, batch)

    def _compare(self, recorded: list[Record], again: list[Record]) -> None:
        for theirs, ours in itertools.zip_longest(recorded, again):
            if theirs is None:
                raise BadBundle(
                    self.game.seq + len(recorded) + 1, f"the rules also demand {ours.type}, which is missing"
                )
            if ours is None or ours.body != theirs.body or ours.parts != theirs.parts:
                wanted = f"the rules give {ours.type} here" if ours else "the rules give no event here"
                raise BadBundle(theirs.seq, f"{theirs.type} is not what was decided by the rules ({wanted})")

    def _cause(self, first: Record, envelope: Envelope, decided: Batch) -> Cause:
        command = (
            decode_command(first, envelope, self.game.title.command_type) if self.game.title_id else None
        )
        return Cause(
            envelope.at,
            seat_of(envelope.by),
            envelope.cmd,
            command,
            decided.draws,
            self._bot(first, envelope, command),
            decode_signature(first, envelope),
        )

    def _bot(self, first: Record, envelope: Envelope, command: Command | None) -> BotRun | None:
        if envelope.bot is None:
            return None
        seat = seat_of(envelope.by)
        if seat is None:
            raise BadBundle(first.seq, "a bot moves that sits at no seat")
        seed = self.secrets.bot_seed(self.game.key, seat, self.game.seats[seat].commands).hex()
        told = first.parts.get(envelope.by + BOT_PART)
        if told is None or msgspec.json.decode(told.body) != {"seed": seed}:
            raise BadBundle(first.seq, "the bot's seed does not derive from the committed key")
        try:
            run = msgspec.convert({**envelope.bot, "seed": seed}, BotRun)
        except msgspec.ValidationError as error:
            raise BadBundle(first.seq, f"the bot's members are damaged: {error}") from error
        if run.thought_at != self.game.seq:
            raise BadBundle(first.seq, "the bot thought about another event than the one before its move")
        self._think_again(first, seat, run, command)
        return run

    def _think_again(self, first: Record, seat: Seat, run: BotRun, command: Command | None) -> None:
        title, state = self.game.title, self.game.state
        if run.fallback:
            defaults = [title.default(state, d) for d in title.awaited(state) if d.seat == seat]
            if command not in defaults:
                raise BadBundle(first.seq, f"the bot {run.name} gave up, but this is not the default move")
        elif self.rerun_bot is not None:
            if self.rerun_bot(self.game, seat, run) != command:
                raise BadBundle(first.seq, f"the bot {run.name} thinks of another move with this seed")
            self.report.bots += 1

    def _created_again(self, batch: list[Record]) -> Batch:
        """The creation as the engine makes it from what its facts ask for: nothing of it is believed."""
        asked = _created(self.bundle)
        position, seats = None, dict[Seat, str | None]()
        for record in batch[1:]:
            if record.type == "PositionSet":
                position = _decoded(record, record.envelope(), table.PositionSet).position
            elif record.type == "SeatTaken":
                taken = _decoded(record, record.envelope(), table.SeatTaken)
                seats[taken.seat] = taken.bot
            else:
                raise BadBundle(record.seq, f"{record.type} is no part of a creation")
        title = find_title(asked.title, asked.version)
        if asked.seats not in title.seats:
            raise BadBundle(1, f"{title.name} is not for {asked.seats} seats")
        options = msgspec.convert(asked.options, title.Options)
        title.check_options(asked.seats, options)
        return engine.create(
            title,
            _key(self.bundle),
            msgspec.to_builtins(options, str_keys=True),
            [seats.get(seat) for seat in range(asked.seats)],
            [seat in seats for seat in range(asked.seats)],
            self.secrets,
            service=asked.service,
            position=position,
            origin=asked.origin,
            seeded=asked.key is not None,
        )

    def _decided(self, first: Record, envelope: Envelope, batch: list[Record]) -> Batch:
        """What the engine decides for this command."""
        try:
            if first.type == "TableOpened":
                if first.seq != 1:
                    raise BadBundle(first.seq, "a table is opened once")
                return self._created_again(batch)
            opened = opening.decided_again(self.game, batch, self.secrets, self.chain)
            return self._command(first, envelope) if opened is None else opened
        except Rejected as rejected:
            raise BadBundle(first.seq, f"the rules refuse this command ({rejected})") from rejected
        except (LookupError, TypeError, ValueError, msgspec.MsgspecError) as error:
            if isinstance(error, BadBundle):
                raise
            raise BadBundle(first.seq, f"the command cannot be read: {error}") from error

    def _command(self, first: Record, envelope: Envelope) -> Batch:
        command = decode_command(first, envelope, self.game.title.command_type)
        if command is None:
            raise BadBundle(first.seq, "no command stands behind this event")
        self.report.commands += 1
        return engine.decide(self.game, seat_of(envelope.by), command, self.secrets, self.chain)


def _check_time(game: Game, record: Record) -> None:
    if record.envelope().at < game.at:
        raise BadBundle(record.seq, "at runs backwards")


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    """The events of one command after the other."""
    for _, group in itertools.groupby(records, key=lambda record: record.command_id):
        yield list(group)


def _folded(game: Game, records: list[Record]) -> Game:
    seq = game.seq
    try:
        for record in records:
            seq = record.seq
            game = fold_one(game, record)
    except (ValueError, LookupError, TypeError, AttributeError, msgspec.MsgspecError) as error:
        raise BadBundle(seq, f"the event cannot be folded: {error}") from error
    return game


def fold_all(game_id: str, records: list[Record]) -> Game:
    """A game from all its events, without any snapshot. Raises :class:`BadBundle` at the first bad event."""
    return _folded(start(game_id), records)


# --- a seat's copy ---------------------------------------------------------------------------------


def _partial(bundle: Bundle, report: Report) -> None:
    """Everything that can be checked without the secrets of others: above all the public draws."""
    created = _created(bundle)
    key = _key(bundle)
    draws = _PublicDraws(key, bytes.fromhex(created.chance["s_0"]), created.draws)
    game = start(bundle.header.game)
    for record in bundle.records:
        envelope = record.envelope()
        _check_time(game, record)
        if record.type in table.FACTS and record.type != "PositionSet":
            game = _platform_only(game, record)
            if record.type == "TableBegun":
                draws.mixed = _mixed(game, record)
        for draw in envelope.draws.public if envelope.draws else ():
            draws.check(record.seq, draw)
        if envelope.draws:
            report.hidden_draws += envelope.draws.hidden
        report.commands += envelope.command is not None
        game = msgspec.structs.replace(game, seq=record.seq, head=record.hash, at=envelope.at)
    report.public_draws = draws.k
    report.status = game.status


def _platform_only(game: Game, record: Record) -> Game:
    """Seats and status as the platform's own events tell them; the title's state stays out."""
    if record.type == "TableBegun":
        begun = _decoded(record, record.envelope(), table.TableBegun)
        return msgspec.structs.replace(
            game, status="running", closing=game.closing or game.head, mixed=bytes.fromhex(begun.mix)
        )
    return _folded(game, [record])


def _mixed(game: Game, record: Record) -> bytes:
    mixed = opening.mixed_randomness(game)
    if mixed != game.mixed:
        raise BadBundle(record.seq, "the randomness was not mixed from the seats' contributions")
    return mixed


class _PublicDraws:
    """Checks each public draw against the reverse chain that event 1 anchored."""

    def __init__(self, key: bytes, anchor: bytes, length: int) -> None:
        self.key = key
        self.last = anchor
        self.length = length
        self.k = 0
        self.mixed = b""

    def check(self, seq: int, draw: PublicDraw) -> None:
        if draw.k != self.k + 1:
            raise BadBundle(seq, f"public draw {draw.k} follows on {self.k}")
        self.k = draw.k
        if draw.k > self.length:
            return  # derives from the hidden key; checked when the game has ended
        try:
            element = bytes.fromhex(draw.s)
        except ValueError as error:
            raise BadBundle(seq, "the chain element of a public draw is no hex") from error
        if step_back(self.key, draw.k, element) != self.last:
            raise BadBundle(seq, f"the element of public draw {draw.k} does not hash to the one before")
        self.last = element
        stream = Stream(public_key(element, self.mixed, draw.k))
        if tuple(stream.below(bound) for bound in draw.of) != draw.got:
            raise BadBundle(seq, f"public draw {draw.k} gives another outcome")
