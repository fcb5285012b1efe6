"""The texts of the page as its catalogues have them: by the English text, which is the key.

`python -m tests.page_catalogue` writes `service/static/i18n/en.json`, and names what other catalogues lack.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.page_texts import ATTRIBUTE, HOLE, SPOKEN, TAG, Literal, find_literals, keep_words

STATIC = Path(__file__).resolve().parents[1] / "service" / "static"
CATALOGUES = STATIC / "i18n"
MEANINGS = STATIC.parent / "presenters" / "tie_breaks.toml"
TERMS = (
    *("open", "running", "finished", "draft", "cancelled", "paused", "paired", "closed"),
    *("public", "unlisted", "private", "live", "correspondence", "light", "medium", "heavy"),
    *("and", "or", "then", "left", "right", "up", "down"),
    *("Playing", "Reserve", "Awaits admission", "Refused", "Withdrawn", "Disqualified"),
    *("Absence", "Conduct", "Technical", "Agreement", "Schedule", "Error", "Other"),
    *("Result", "Forfeit", "Appeal", "Assistant", "Director", "Owner"),
    "This server contradicts itself. Its answer has no valid receipt. Save your receipts as proof.",
)
"""Words of the API, and of modules that know no language: the page translates them where it shows them."""
_CALL = re.compile(r"\b(?:tr|keyed)\(\s*$")
_INSIDE = r"(?:[^()\"]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*"
_COUNT = re.compile(rf'\bcount\({_INSIDE},\s*"([^"]+)"\)')
_PLURAL = re.compile(rf'\bplural\({_INSIDE},\s*"([^"]*)",\s*"([^"]*)"')

Catalogue = dict[str, "str | dict[str, str]"]


def read_scripts() -> dict[str, str]:
    """The modules of the page by name."""
    return {
        path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(STATIC.glob("js/**/*.js"))
    }


def read_catalogue(language: str) -> Catalogue:
    """The catalogue of a language."""
    found: Catalogue = json.loads((CATALOGUES / f"{language}.json").read_text(encoding="utf-8"))
    return found


def find_holes(text: str) -> list[str]:
    """The places of a text that are filled in."""
    return sorted(re.findall(r"\{\w+\}", text))


def make_english() -> Catalogue:
    """The English catalogue: all that the page says."""
    found: Catalogue = {text: text for text in (*TERMS, *_read_meanings())}
    for source in read_scripts().values():
        found |= {text: text for text in find_keys(source)}
        found |= find_plurals(source)
    return dict(sorted(found.items()))


def _read_meanings() -> Iterator[str]:
    """The meanings of tie breaks, which the page shows as the server tells them."""
    for each in tomllib.loads(MEANINGS.read_text(encoding="utf-8")).values():
        yield each["meaning"]


def find_keys(source: str) -> Iterator[str]:
    """The keys in a script, those with forms for numbers left out."""
    for literal in find_literals(source):
        if literal.is_markup:
            yield from find_markup_keys(literal.text)
        elif _CALL.search(source, 0, literal.start) and re.search("[A-Za-z]", literal.text):
            yield literal.text


def find_plurals(source: str) -> dict[str, dict[str, str]]:
    """The texts of a script with forms for numbers, by that for many."""
    forms = [(f"{{n}} {noun}", f"{{n}} {noun}s") for noun in _COUNT.findall(source)]
    return {other: {"one": one, "other": other} for one, other in [*forms, *_PLURAL.findall(source)]}


def find_markup_keys(markup: str) -> Iterator[str]:
    """The keys in a template: the text between tags, and attributes that are read or spoken."""
    end = 0
    for tag in TAG.finditer(markup):
        yield from _key_of(markup[end : tag.start()])
        for name, *values in ATTRIBUTE.findall(tag[0]):
            if name in SPOKEN:
                yield from _key_of("".join(values))
        end = tag.end()
    yield from _key_of(markup[end:])


def _key_of(text: str) -> Iterator[str]:
    """The key of a text, if it has letters: `{1}` stands for its first expression."""
    pieces = [
        re.sub(r"\s+", " ", re.sub(r"^\s*\n\s*|\s*\n\s*$", "", each)) for each in text.strip().split(HOLE)
    ]
    key = pieces[0] + "".join(f"{{{number}}}{piece}" for number, piece in enumerate(pieces[1:], 1))
    if any(letter.isalpha() for piece in pieces for letter in piece):
        yield key


def find_untranslated(source: str) -> Iterator[tuple[int, str]]:
    """Texts of a script that no catalogue has, without their expressions: the line, and the text."""
    known = set(find_keys(source)) | {
        form for each in find_plurals(source).values() for form in each.values()
    }
    nouns = set(_COUNT.findall(source))
    for literal in find_literals(source):
        if literal.is_markup or literal.text in known or literal.text in nouns or _is_code(source, literal):
            continue
        if any(keep_words(literal.text)):
            yield literal.line, " ".join(literal.text.replace(HOLE, " ").split())


def _is_code(source: str, literal: Literal) -> bool:
    """True for the name of a module, of a property or of a value that is compared."""
    before = source[max(0, literal.start - 40) : literal.start]
    return bool(re.search(r"(from|===|!==|case|import\(|closest\(|matches\(|querySelector\()\s*$", before))


if __name__ == "__main__":
    english = make_english()
    CATALOGUES.mkdir(exist_ok=True)
    text = json.dumps(english, ensure_ascii=False, indent=1)
    (CATALOGUES / "en.json").write_text(f"{text}\n", encoding="utf-8")
    for path in sorted(CATALOGUES.glob("??.json")):
        for key in sorted(english.keys() - read_catalogue(path.stem).keys()):
            sys.stdout.write(f"{path.name} lacks: {key}\n")
