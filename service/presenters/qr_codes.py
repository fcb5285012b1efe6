"""QR codes: addresses that a phone reads from paper or from a screen."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

import segno


@lru_cache(maxsize=1024)
def draw_code(address: str) -> bytes:
    """Return *address* as a QR code in SVG, black on white, with the margin that readers need.

    A quarter of the code may be lost: slips are folded and stained.
    """
    picture = BytesIO()
    code = segno.make_qr(address, error="q", boost_error=False)
    code.save(
        picture, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, xmldecl=False, svgclass=None,
        lineclass=None,
    )  # fmt: skip
    return picture.getvalue()
