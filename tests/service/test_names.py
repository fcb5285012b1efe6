"""Names that people can tell apart."""

import re
import unicodedata

import pytest

from service.base.display_names import NAME_PATTERN, SCRIPTS, find_name_fault, normalize_name


@pytest.mark.parametrize(
    "name",
    ["Ada", "José María", "O’Brien", "Player 03", '=HYPERLINK("x")', "Анна", "Саша", "Ελένη", "Արամ",
     "გიორგი", "דוד", "فاطمة", "नमस्ते", "மலர்", "สมชาย", "田中 さん", "张伟", "김철수", "7", "a" * 40],
)  # fmt: skip
def test_names_of_many_alphabets_can_be_had(name):
    assert find_name_fault(normalize_name(name)) is None
    assert re.search(NAME_PATTERN, normalize_name(name)), "the description says so too"


@pytest.mark.parametrize(
    ("written", "kept"),
    [("ａｄａ", "ada"), ("e\u0301ve", "éve"), ("ﬁona", "fiona"), ("Ada\u00a0L", "Ada L"), ("Ⅻ", "XII")],
)
def test_what_looks_the_same_is_the_same(written, kept):
    assert normalize_name(written) == kept
    assert find_name_fault(kept) is None


@pytest.mark.parametrize(
    "name",
    ["Рlayer 03", "Αda", "Adа", "АРЕС", "ΑΝΝΑ", "оса 1", "Ada\u200b", "A\u200dda", "\u2800",
     "\u3164", "\u115f", "Ada\ufe0f", "A\u034fda", "\u202eada", "a\u0336da", "e" + "\u0301" * 5, "😀", "",
     " ", "a  b", " a", "a" * 41, "नऀ\u0900\u0900\u0900\u0900", "田中 Ada"],
    ids=ascii,
)  # fmt: skip
def test_invisible_and_confusable_names_are_refused(name):
    """Letters of two alphabets, of one that passes for another, nothing to see, marks upon marks."""
    said = find_name_fault(normalize_name(name))
    assert said is not None
    assert said.isprintable()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_the_table_of_alphabets_is_that_of_unicode(script):
    """Letters, digits and marks only, of the writing system that is named, none of them invisible."""
    words = {
        "Japanese or Chinese": "HIRAGANA KATAKANA KATAKANA-HIRAGANA CJK IDEOGRAPHIC BOPOMOFO",
        "Korean": "HANGUL CJK",
        "Arabic": "ARABIC ARABIC-INDIC EXTENDED",
    }.get(script.name, script.name.upper())
    kinds = {"letters": {"Lu", "Ll", "Lt", "Lo", "Lm", "Nd", "Nl", "Mc"}, "marks": {"Mn", "Mc"}}
    for field, allowed in kinds.items():
        ranges = getattr(script, field)
        if not ranges:
            continue
        found = [c for c in map(chr, range(0x20000)) if re.match(f"[{''.join(ranges)}]", c)]
        assert found
        for c in found:
            if unicodedata.category(c) == "Cn":  # a gap of older versions of Unicode
                continue
            assert unicodedata.category(c) in allowed, hex(ord(c))
            assert unicodedata.name(c).split()[0] in words.split(), unicodedata.name(c)
    assert all(re.match(f"[{''.join(script.letters)}]", twin) for twin in script.twins)
