"""Receipts, the bundle's own and those that players hold, against the history that the bundle tells."""

from __future__ import annotations

from collections.abc import Sequence

from events.base.timestamps import whole_seconds
from events.table.bundle import BadBundle
from events.table.record import Record
from events.tlog.notes import BadNote, Receipt, UnsignedNote, open_receipt
from events.verify import evidence
from events.verify.errors import Equivocation
from events.verify.form import SignedLines
from events.verify.report import Receipts
from events.verify.trust import Trust


def compare_receipts(
    sheet: SignedLines, hashes: Sequence[bytes], trust: Trust
) -> tuple[Receipts, list[Receipt]]:
    """Compare the receipts of *trust* with the chain of *sheet*; return the counts, and those that agree.

    Those of another log are counted only: it can say of this game what it likes. Raises
    :class:`Equivocation` where one contradicts the chain, :class:`BadBundle` where one is falsely signed or
    tells of events that a copy lacks.
    """
    compared, agreeing = Receipts(), []
    keys = list(dict.fromkeys([*trust.list_pinned_keys(), *([sheet.signer] if sheet.signer else [])]))
    names = trust.list_names(sheet.header.origin)
    for note in trust.receipts:
        compared.given += 1
        try:
            receipt, signer = open_receipt(note, keys)
        except UnsignedNote:
            compared.unknown_keys += 1
            continue
        except BadNote as error:
            raise BadBundle(None, f"a given receipt: {error}") from error
        if receipt.game != sheet.header.game:
            compared.other_games += 1
        elif receipt.origin not in names:
            compared.other_logs += 1
        elif signer in trust.revoked:
            compared.revoked += 1
        else:
            _check_receipt(sheet, hashes, note, receipt)
            compared.agree += 1
            agreeing.append(receipt)
    return compared, agreeing


def check_named_event(receipt: Receipt, record: Record, what: str) -> None:
    """Check that a receipt names the command and the time of the event *record* that it is for.

    Its time is that of the event in whole seconds, so that nobody can put its deadline off. *what* names the
    receipt. Raises :class:`BadBundle`.
    """
    if receipt.cmd != record.command_id:
        raise BadBundle(record.seq, f"{what} names another command")
    if receipt.time != whole_seconds(record.envelope().at):
        raise BadBundle(record.seq, f"{what} is not dated by the event: its time is another")


def _check_receipt(sheet: SignedLines, hashes: Sequence[bytes], note: str, receipt: Receipt) -> None:
    n, last = receipt.n, len(hashes)
    if n < 1:
        raise BadBundle(None, "a given receipt is for no event")
    if n <= last and hashes[n - 1] == receipt.hash:
        return
    if n > last and sheet.header.scope != "whole":
        raise BadBundle(last, f"the copy ends before event {n} that was acknowledged")
    reason = (
        f"was acknowledged, but the {sheet.header.stream} ends with event {last}"
        if n > last
        else ("was acknowledged with another hash")
    )
    first = min(n, last)
    before = hashes[first - 2] if first > 1 else evidence.genesis(sheet.header.game)
    proof = evidence.make_evidence(
        sheet.header.origin,
        sheet.header.game,
        first,
        before,
        ([], note),
        (sheet.events[first - 1 :], sheet.note),
    )
    raise Equivocation(n, reason, proof)
