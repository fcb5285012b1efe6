"""Names that people can tell apart."""

import re
import unicodedata

import pytest

from service.base.display_names import NAME_PATTERN, SCRIPTS, find_name_fault, normalize_name


@pytest.mark.parametrize(
    "name",
    ["Ada", "José María", "O’Brien", "Player 03", '=HYPERLINK("x")', "Анна", "Саша", "Ελένη", "Արամ",
     "გიორგი", "דוד", "فاطمة", "नमस्ते", "மலர்", "สมชาย", "田中 さん", "张伟", "김철수", "7", "a" * 40,
     "రవి తేజ", "శ్రీనివాస్", "રવિ શાહ", "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ", "ರವಿಚಂದ್ರನ್", "രവീന്ദ്രൻ", "ମନୋଜ", "ශ්‍රීමාලි", "අනුර කුමාර",
     "አበበ በቂላ", "ትርሓስ", "សុខា ហ៊ុន", "ខ្មែរ", "အောင်ဆန်း", "ကျော်စွာ", "မြင့်မြတ်", "ສົມໄຊ", "ວົງສາ", "އަޙްމަދު",
     "བསྟན་འཛིན", "བརྒྱུད", "ৎসারু", "অৰুণ", "ئەحمەد", "رحمٰن", "ᲒᲘᲝᲠᲒᲘ", "山﨑", "ジョン・スミス", "ג׳ורג",
     "Ἀλέξανδρος", "Marçal·la", "ரவி ௧௨"],
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
     " ", "a  b", " a", "a" * 41, "नऀ\u0900\u0900\u0900\u0900", "田中 Ada",
     "ဝ၀", "ଠ", "ഠഠ", "౦", "ዐ", "༌", "་", "・", "ሀ Ada",
     "రవి Ada", "રવિ రవి", "ශ්‍",
     "క\u200dక", "క\u200bక", "న" + "\u0c4d" * 4, "ක\u200dක", "·", "A··a", "សុ\u17b4ខា"],
    ids=ascii,
)  # fmt: skip
def test_invisible_and_confusable_names_are_refused(name):
    """Letters of two alphabets, of one that passes for another, nothing to see, marks upon marks."""
    said = find_name_fault(normalize_name(name))
    assert said is not None
    assert said.isprintable()


@pytest.mark.slow
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


RECOMMENDED = {
    "ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CJK", "CYRILLIC", "DEVANAGARI", "ETHIOPIC",
    "GEORGIAN", "GREEK", "GUJARATI", "GURMUKHI", "HANGUL", "HEBREW", "HIRAGANA", "KANNADA", "KATAKANA",
    "KHMER", "LAO", "LATIN", "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA",
    "THAI", "TIBETAN",
}  # fmt: skip
"""The writing systems of UAX #31, table 5, as the names of their characters begin."""
UNUSUAL = re.compile(
    r"[\u0250-\u02ad\u03d7-\u03e1\u03f3\u0559\u0591-\u05af\u05c4\u05f0-\u05f2\u0640\u06d6-\u06ed\u0951-\u0954"
    r"\u0f18\u0f19\u0f3e\u0f3f\u0fc6\u10a0-\u10c5\u1100-\u11f9\u17b4\u17b5\u302e\u302f\ufb1e\ufe73]"
)
"""Letters and marks of these that no name of today is written with, some of them invisible."""


def test_every_recommended_alphabet_is_complete():
    """All letters and marks that Unicode has known for long, as far as NFKC keeps them."""
    old = unicodedata.ucd_3_2_0
    missing = {
        f"{ord(c):04X} {name}"
        for c in map(chr, range(0x10000))
        if (name := old.name(c, "")).split(" ")[0] in RECOMMENDED
        and old.category(c) in ("Lu", "Ll", "Lo", "Lm", "Mn", "Mc")
        and normalize_name(c) == c
        and not UNUSUAL.match(c)
        and not any(re.match(f"[{''.join((*one.letters, *one.marks))}]", c) for one in SCRIPTS)
    }
    assert missing == set()
