"""The verification, batch by batch, that whole bundles and seats' copies have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from events.base.installation import install_command
from events.proof import beacon, canonical
from events.proof.randomness import ReverseChain, Secrets
from events.rules import draw_binding
from events.rules.fact import Seat
from events.rules.steps import Command, Rejected
from events.rules.title import InvalidPosition
from events.table import command_signatures, commit_reveal, lifecycle_facts
from events.table.bundle import BadBundle
from events.table.commands import command_rules
from events.table.commands.leaving import SITTING_DOWN
from events.table.engine import Batch, fold_one
from events.table.game import Game, SeatState, initial_game
from events.table.record import (
    SIG_PART,
    SYSTEM,
    BotRun,
    Envelope,
    Record,
    Signature,
    decode_command,
    decode_signature,
    seat_of,
)
from events.verify.bodies import ENDING_TYPES, InvalidForm
from events.verify.creation import Creation
from events.verify.errors import Equivocation, UncheckableClaim, cannot_import
from events.verify.interventions import list_game_interventions
from events.verify.report import NOT_WITNESSED, BotSeat, Report

Progress = Callable[[int, int], None]
_SEATING = frozenset({"SeatTaken", "SeatGiven", "BotRaised", "SeatsSwapped"})
"""The types of event after which another bot sits at a seat, or in another version."""
_PASSED_ON = (BadBundle, UncheckableClaim, Equivocation)


class BatchVerifier:
    """A game on its way from its creation to the newest event of its bundle."""

    def __init__(
        self,
        records: Sequence[Record],
        ends: Sequence[int],
        creation: Creation,
        keys: tuple[Secrets, ReverseChain] | None,
        report: Report,
        progress: Progress,
    ) -> None:
        self.records = records
        self.creation = creation
        self.keys = keys
        self.report = report
        self._ends = ends
        self._progress = progress
        self.game: Game = initial_game(report.game)
        self._begun_with: tuple[SeatState, ...] = ()
        """The seats when the game began. Their holders at that time could contribute."""
        self.bots: dict[tuple[Seat, str], BotSeat] = {}
        """The bots that have sat at the table, by seat and name."""
        self._signed: Counter[Seat] = Counter()
        self._unsigned: Counter[Seat] = Counter()
        """By seat the commands of all people who held it: with a signature, and without one."""

    def run(self) -> None:
        """Every batch in order. Raises :class:`BadBundle` at the first event that is not what it must be."""
        begin = 0
        for end in self._ends:
            batch = self.records[begin:end]
            try:
                self._check_batch(batch, batch[0].envelope())
            except _PASSED_ON:
                raise
            except InvalidForm as problem:
                raise BadBundle(batch[0].seq, str(problem)) from problem
            except Rejected as rejected:
                raise BadBundle(batch[0].seq, f"the rules refuse this command ({rejected})") from rejected
            except InvalidPosition as error:
                raise BadBundle(batch[0].seq, f"the title refuses its position: {error}") from error
            except msgspec.MsgspecError as error:
                raise BadBundle(batch[0].seq, f"the command cannot be read: {error}") from error
            except ImportError as error:
                raise cannot_import(error) from error
            except Exception as error:  # whatever a file does to the rules, its first bad event is named
                kind = type(error).__name__
                raise BadBundle(batch[0].seq, f"cannot be checked ({kind})") from error
            self._progress(end, len(self.records))
            begin = end
        self._fill_report()

    def _check_batch(self, batch: Sequence[Record], first: Envelope) -> None:
        if first.clock is not None and self.game.clock is None:
            raise BadBundle(batch[0].seq, "this game has no clock")
        if batch[0].seq > 1 and self._is_table_command(first):
            self._check_table_command(batch[0], first)
            self.check_ruling(batch, first)
            self.report.interventions += list_game_interventions(batch, first)
        elif batch[0].seq > 1:
            opened = commit_reveal.redecide(self.game, batch, *(self.keys or (None, None)))
            if opened is not None:
                self.check_opening(batch, first, opened)
                if batch[0].type == "BeaconDrawn":
                    self._check_beacon(batch[0])
            elif self.game.status == "open":
                raise BadBundle(batch[0].seq, f"{batch[0].type} does not belong to the opening of a game")
            elif self.game.status != "running":
                raise BadBundle(batch[0].seq, "the game has ended")
            elif seat_of(first.by) is None and first.by != SYSTEM:
                raise BadBundle(batch[0].seq, "a director may only give commands about the game")
            else:
                self._check_mover(batch[0], first)
                self.check_move(batch, first)
        self._check_draws_shown(batch, first)
        self.fold(batch, first)
        if batch[0].type == "TableBegun":
            self._begun_with = self.game.seats
        if not _SEATING.isdisjoint(record.type for record in batch):
            self._note_bots()

    def check_opening(self, batch: Sequence[Record], first: Envelope, decided: Batch) -> None:
        """Check that a batch of the opening is what was *decided* again."""
        raise NotImplementedError

    def check_move(self, batch: Sequence[Record], first: Envelope) -> None:
        """Check that a batch of the running game is what its command leads to."""
        raise NotImplementedError

    def check_ruling(self, batch: Sequence[Record], first: Envelope) -> None:
        """Check that a batch of a table command is what the command leads to."""
        raise NotImplementedError

    def fold(self, batch: Sequence[Record], first: Envelope) -> None:
        """Fold *batch* into the game; *first* is the envelope of its first event."""
        for record in batch:
            self.game = fold_one(self.game, record)

    def _is_table_command(self, first: Envelope) -> bool:
        return first.command is not None and first.command.get("type") in command_rules.COMMANDS

    def _check_table_command(self, record: Record, first: Envelope) -> None:
        """Seats, directors and the server give table commands, bots never."""
        self.report.commands += 1
        if self.game.has_ended:
            raise BadBundle(record.seq, "the game has ended")
        if first.bot is not None:
            raise BadBundle(record.seq, "a bot may not give commands about the game")
        command = self.table_command(record, first)
        self.check_signature(record, first, command)
        if not isinstance(command, SITTING_DOWN):
            self._count_signature(seat_of(first.by))

    def _count_signature(self, seat: Seat | None) -> None:
        """Count a command of *seat*: it is signed exactly if the seat has a key."""
        if seat is not None:
            (self._unsigned if self.game.seats[seat].key is None else self._signed)[seat] += 1

    def table_command(self, record: Record, first: Envelope) -> Command:
        """Return the table command behind a batch, spelt as such commands are. Raises :class:`BadBundle`."""
        command = decode_command(record, first, command_rules.COMMANDS.get)
        if command is None or canonical.encode(first.command) != canonical.encode(
            msgspec.to_builtins(command, str_keys=True)
        ):
            raise BadBundle(record.seq, "its command is not in the form of table commands")
        return command

    def _check_beacon(self, record: Record) -> None:
        """Check that the chain signed the round that was settled at the close."""
        source = self.game.terms.beacon
        drawn_round = msgspec.json.decode(record.envelope().data, type=lifecycle_facts.BeaconDrawn)
        assert source is not None  # noqa: S101 - else it could not have been decided again
        holds = beacon.is_signed(source.chain, drawn_round.round, drawn_round.signature)
        if holds is None:
            self.report.unchecked.append(
                f"the beacon's signature: the library for BLS is not installed ({install_command('beacon')})"
            )
        elif not holds:
            raise BadBundle(record.seq, "the beacon's signature is not that of the round")

    def _check_mover(self, record: Record, first: Envelope) -> None:
        """A bot's seat moves by that bot, a person's seat and the server by none; in a pause nobody."""
        self.report.commands += 1
        seat = seat_of(first.by)
        if self.game.paused is not None:
            raise BadBundle(record.seq, f"the game is paused until {self.game.paused.until}")
        if seat is not None and self.game.seats[seat].vacant:
            raise BadBundle(record.seq, f"nobody holds seat {seat}")
        bot = None if seat is None else self.game.seats[seat].bot
        if bot is None:
            if first.bot is not None:
                raise BadBundle(record.seq, "a bot moves at a seat without a bot")
            self._count_signature(seat)
            return
        if first.bot is None:
            raise BadBundle(record.seq, f"seat {seat} is the bot {bot}'s, but no bot moved")
        assert seat is not None  # noqa: S101 - for the type checker
        self._check_bot(record, seat, bot, first.bot)

    def _check_bot(self, record: Record, seat: Seat, name: str, bot: Mapping[str, Any]) -> None:
        """Check that the bot that moves is the one that sits there, in the version in which it does."""
        sits = self.game.seats[seat]
        if bot["name"] != name:
            raise BadBundle(record.seq, f"the bot {bot['name']} moves at the seat of {name}")
        if not sits.is_played_by(msgspec.convert({**bot, "seed": ""}, BotRun)):
            raise BadBundle(
                record.seq,
                f"the bot {name} moves in version {bot['version']}, but sits there in version"
                f" {sits.bot_version}, or with other weights",
            )
        bot_seat = self.bots[seat, name]
        bot_seat.moves += 1
        bot_seat.fallbacks += "fallback" in bot

    def _note_bots(self) -> None:
        """Note which bots sit at the table, and in which versions."""
        for seat, sits in enumerate(self.game.seats):
            if sits.bot is None or sits.bot_version is None:
                continue
            bot_seat = self.bots.setdefault((seat, sits.bot), BotSeat(seat, sits.bot))
            if sits.bot_version not in bot_seat.versions:
                bot_seat.versions.append(sits.bot_version)

    def check_signature(self, record: Record, first: Envelope, command: Command | None) -> Signature | None:
        """Return the signature of a command, which a seat with a key must have made for this one history.

        Where the command is sealed and not shown there must be one in a hidden part.
        """
        seat = seat_of(first.by)
        if command is None:
            hidden = self._has_hidden_signature(first)
            if seat is not None and (self.game.seats[seat].key is None) == hidden:
                raise BadBundle(
                    record.seq, "a sealed command hides a signature exactly where its seat has a key"
                )
            self.report.unread_signatures += hidden
            return None
        signature = decode_signature(record, first)
        try:
            key = command_signatures.find_required_key(self.game, seat, signature)
        except command_signatures.BadSignature as problem:
            raise BadBundle(record.seq, f"its signature: {problem}") from problem
        if key is None or signature is None or seat is None:
            return None
        if self._has_hidden_signature(first) != command.sealed:
            raise BadBundle(record.seq, "the signature of a sealed command is hidden, of others open")
        given = msgspec.to_builtins(command, str_keys=True)
        head = self.records[signature.n - 1].hash
        if not command_signatures.is_valid(key, signature, first.cmd, given, self.game.id, head, seat):
            raise BadBundle(record.seq, f"seat {seat} did not sign this command on this history")
        return signature

    def _has_hidden_signature(self, first: Envelope) -> bool:
        return first.by + SIG_PART in (first.hid or {})

    def _check_draws_shown(self, batch: Sequence[Record], first: Envelope) -> None:
        """Check that the public draws of a batch are used up by what its facts show, in order."""
        draws = [(draw.of, draw.got) for draw in first.draws.public] if first.draws else []
        facts = []
        for record in batch:
            kind = lifecycle_facts.FACTS.get(record.type) or self.creation.title.fact_type(record.type)
            if kind is None:
                raise BadBundle(record.seq, f"{self.creation.title.id} has no event of type {record.type}")
            if kind.drawn:
                facts.append((record, msgspec.json.decode(record.envelope().data), kind.drawn))
        try:
            self.report.opaque_draws += draw_binding.check_draws(
                [(data, shown) for _, data, shown in facts], draws
            )
        except draw_binding.WrongDraw as wrong:
            record = facts[wrong.fact][0] if facts else batch[0]
            raise BadBundle(record.seq, f"{record.type}: {wrong}") from wrong

    def _fill_report(self) -> None:
        """Write the state of the game at its newest event into the report."""
        game, report = self.game, self.report
        report.public_draws, report.hidden_draws = game.public_draws, game.hidden_draws
        report.status = game.status
        if game.status not in ("open", "running"):
            self._report_end(msgspec.json.decode(self.records[-1].envelope().data))
        report.bot_seats = [self.bots[place] for place in sorted(self.bots)]
        report.sum_up_rethinking()
        self._report_signatures()
        self._report_randomness()

    def _report_signatures(self) -> None:
        """Report whose commands are signed: of every person who gave any, or who holds a seat at the end."""
        held = {seat: sits.key is not None for seat, sits in enumerate(self.game.seats) if sits.person}
        unsigned = self._unsigned.keys() | {seat for seat, signs in held.items() if not signs}
        signed = (self._signed.keys() | held.keys()) - unsigned
        self.report.signed, self.report.unsigned = sorted(signed), sorted(unsigned)
        self.report.signed_commands = self._signed.total()
        self.report.unsigned_commands = self._unsigned.total()

    def _report_end(self, data: Mapping[str, Any]) -> None:
        report = self.report
        report.status = "abandoned" if self.records[-1].type == ENDING_TYPES[1] else "finished"
        report.winners = tuple(data.get("winners", ()))
        report.places, report.scores = tuple(data.get("places", ())), tuple(data.get("scores", ()))
        report.reason = str(data.get("reason", ""))

    def _report_randomness(self) -> None:
        randomness, opened = self.report.randomness, self.creation.opened
        randomness.required = opened.contributions == "required"
        randomness.elsewhere = opened.tournament is not None
        randomness.begun = self.game.status in ("running", "finished")
        closed = self.game.closed
        if opened.director is not None:
            randomness.director = "revealed" if closed and closed.director else "committed"
        if opened.beacon is not None:
            randomness.beacon = NOT_WITNESSED if closed and closed.beacon else "awaited"
        for seat, sits in enumerate(self._begun_with or self.game.seats):
            if sits.taken and sits.bot is None:
                kept = randomness.none if sits.commitment is None else randomness.withheld
                (randomness.contributed if sits.contribution is not None else kept).append(seat)
