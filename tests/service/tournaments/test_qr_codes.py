"""QR codes of tournaments: pictures of addresses, for paper and for screens."""

from __future__ import annotations

import pytest

from service.presenters.qr_codes import draw_code

ID = "00000000-0000-7000-8000-00000000000a"


def test_a_code_is_black_on_white_with_a_margin():
    """It is as large as the place it is shown in, and says the same for the same address."""
    drawn = draw_code("https://play.example/t/1").decode()
    assert drawn.startswith("<svg")
    assert 'fill="#fff"' in drawn
    assert 'stroke="#000" d="M4 4.5' in drawn
    assert "viewBox" in drawn
    assert not {"width=", "<script", "<?xml"} & set(drawn.split())
    assert draw_code("https://play.example/t/1").decode() == drawn
    assert draw_code("https://play.example/t/2").decode() != drawn


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [(f"/t/{ID}/code.svg", f"/t/{ID}"), (f"/t/{ID}/2/3/code.svg", f"/t/{ID}?round=2&table=3")],
)
def test_a_code_leads_to_a_tournament_or_a_table(app, path, leads_to):
    """It is the same for everybody, so a cache may keep it, and it asks no database."""
    answer = app.test_client().get(path, headers={"Host": "play.example"})
    assert answer.status_code == 200
    assert answer.content_type.startswith("image/svg+xml")
    assert answer.headers["Cache-Control"].startswith("public")
    assert answer.data == draw_code("http://play.example" + leads_to)


@pytest.mark.parametrize(
    "path", ["/t/nothing/code.svg", f"/t/{ID}/2/x/code.svg", f"/t/{ID}/99999/1/code.svg"]
)
def test_other_addresses_have_no_code(app, path):
    assert app.test_client().get(path, headers={"Accept": "application/json"}).status_code == 404
