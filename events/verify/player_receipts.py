"""Receipts that players hold, against the history that a bundle tells."""

from __future__ import annotations

from collections.abc import Sequence

from events.table.bundle import BadBundle
from events.tlog import receipts as notes
from events.tlog.notes import BadNote, NotSigned, Verifier
from events.tlog.receipts import Receipt
from events.verify import evidence
from events.verify.errors import Equivocation
from events.verify.form import SignedLines
from events.verify.report import Receipts
from events.verify.trust import Trust


def compare_receipts(
    sheet: SignedLines, hashes: Sequence[bytes], trust: Trust, keys: Sequence[Verifier]
) -> Receipts:
    """Compare the receipts of *trust* with the chain of *sheet*, and return the counts by result.

    Raises :class:`Equivocation` where one contradicts it, :class:`BadBundle` where one is falsely signed or
    tells of events that a copy lacks.
    """
    compared = Receipts()
    for note in trust.receipts:
        compared.given += 1
        try:
            receipt, signer = notes.open_receipt(note, keys)
        except NotSigned:
            compared.unknown_keys += 1
            continue
        except BadNote as error:
            raise BadBundle(None, f"a receipt that was given: {error}") from error
        if receipt.game != sheet.header.game:
            compared.other_games += 1
        elif signer in trust.revoked:
            compared.revoked += 1
        else:
            _check_receipt(sheet, hashes, note, receipt)
            compared.agree += 1
    return compared


def _check_receipt(sheet: SignedLines, hashes: Sequence[bytes], note: str, receipt: Receipt) -> None:
    n, last = receipt.n, len(hashes)
    if n < 1:
        raise BadBundle(None, "a receipt that was given is for no event")
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
