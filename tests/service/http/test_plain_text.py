"""Texts that others read: what cannot be seen, covers others or turns lines round is refused."""

import pytest

from service.base.plain_text import LINE_PATTERN, TEXT_PATTERN, TITLE_PATTERN, find_text_fault
from tests.service.organising import DUELS

BAD = [
    " ", "\u00a0", "\u3000", "\n", "\u2800", "\u3164", "\u115f", "\uffa0", "a\u2060", "\u202eabc", "a\u200bb",
    "a\u200db", "a\u200cb", "a\u200eb", "\u2066a", "\ufeffa", "a\u00adb", "a\u034fb", "a\ufe0f", "a\x1bb",
    "\x00", "a\x7f", "a\u0085b", "a\u2028b", "a\u180eb", "a\ue000", "a\ufffe", "\U000e0041x",
    "e" + "\u0301" * 60, "e" + "\u0301" * 4, "ก" + "\u0e48" * 60, "x" + "\u20dd" * 4,
]  # fmt: skip
TEXTS = ["a\nb\n", "می‌خواهم", "ශ්‍රී", "E3 moved twice, see §4 – „so“ it is. 🎉", "Việt Nam", "e\u0302\u0301"]
TITLES = [
    "Spring Open 2026",
    "Кубок Colonial 2026",
    "Open – Round 1 ♟",
    "春の大会",
    "🎉 Party",
    "A&B: (first) cup!",
]
ALIKE = ["Рlayer Open", "Αda", "Adа Cup", "АРЕС", "ΑΝΝΑ", "ဝ၀"]


@pytest.mark.parametrize(
    "pattern", [LINE_PATTERN, TEXT_PATTERN, TITLE_PATTERN], ids=["line", "text", "title"]
)
@pytest.mark.parametrize("text", BAD, ids=ascii)
def test_what_cannot_be_seen_is_refused_with_its_name(text, pattern):
    said = find_text_fault(text, pattern)
    assert said is not None
    assert said.isprintable()


@pytest.mark.parametrize("text", [*TEXTS, *TITLES], ids=ascii)
def test_texts_of_all_writing_systems_can_be_written(text):
    assert find_text_fault(text, TEXT_PATTERN) is None


def test_names_of_things_cannot_pass_for_others():
    assert [find_text_fault(title, TITLE_PATTERN) for title in TITLES] == [None] * len(TITLES)
    assert None not in [find_text_fault(title, TITLE_PATTERN) for title in ALIKE]
    for pattern in (LINE_PATTERN, TITLE_PATTERN):
        assert None not in [find_text_fault(text, pattern) for text in (" a", "a ", "a\nb", "a\n")]
    assert find_text_fault("a  b", TITLE_PATTERN) is not None


@pytest.mark.integration
def test_every_text_that_others_read_is_checked(olga, ada):
    """Name and description of a tournament, now and later; sentences beside commands; labels of tokens."""
    event = olga.post("/v1/tournaments", {**DUELS, "name": "Кубок Colonial"}, status=201)["id"]
    give = f"/v1/tournaments/{event}/commands"
    game = ada.post("/v1/games", {"title": "example", "seats": [{"you": True}, {"open": True}]}, status=201)
    for text in BAD:
        changes = [{field: text} for field in ("name", "description")]
        bodies = [(olga, "/v1/tournaments", {**DUELS, **change}) for change in changes]
        bodies += [(olga, give, {"type": "change_settings", "changes": change}) for change in changes]
        bodies.append((olga, give, {"type": "cancel_tournament", "cause": "other", "text": text}))
        end = {"type": "table_end", "cause": "other", "text": text}
        bodies.append((ada, f"/v1/games/{game['id']}/commands", end))
        bodies.append((ada, "/v1/me/tokens", {"label": text, "scopes": ["game:read"]}))
        for who, path, body in bodies:
            answer = who.send("POST", path, body)
            assert answer.status_code == (400 if "\0" in text else 422), (path, body, answer.text)
            assert "pattern" not in answer.text
    for title in ALIKE:
        assert olga.send("POST", "/v1/tournaments", {**DUELS, "name": title}).status_code == 422
    olga.post(give, {"type": "change_settings", "changes": {"description": "Two lines\nof news 🎉"}})
