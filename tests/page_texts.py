"""What people read on the page, out of its sources: the literals of JavaScript and the text of HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

HOLE = "\0"
"""Stands in a template where an expression gives the text."""
OPENS_REGEX = frozenset("(,=:[!&|?{};+-*%~^<>")
KEYWORDS = {"return", "typeof", "case", "in", "of", "void", "delete", "do", "else"}
INLINE = {"a", "b", "i", "em", "strong", "code", "span", "time", "kbd", "small", "abbr", "br", "wbr"}
"""Elements that a sentence runs through."""
SPOKEN = {"title", "alt", "placeholder", "heading", "summary", "none", "label", "text"} | {
    f"aria-{name}" for name in ("label", "valuetext", "description")
}
"""Attributes, and properties of components, whose value is read by people."""
NAMED = re.compile(r"\{\w+\}")
"""Stands in a text where a value of that name is put in."""
TAG = re.compile(r"""<(?:"[^"]*"|'[^']*'|[^>"'])*>""")
ATTRIBUTE = re.compile(r"""([\w-]+)=(?:"([^"]*)"|'([^']*)')""")
SELECTOR = re.compile(r"[\[\]{}=<>]|(^|\s)[.#]\w|^M\d|\btranslate\(|\d(ms|px)\b|^[\w-]+(\.[\w-]+)+$")
"""What marks a literal as a selector, a style or a path of a drawing."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A string or a template of a JavaScript source; a template's expressions are holes."""

    line: int
    text: str
    is_markup: bool
    start: int
    """Where it begins in the source."""


def find_literals(source: str) -> list[Literal]:
    """All literals of *source* outside comments, those within expressions of templates too."""
    return list(_Scanner(source).scan())


class _Scanner:
    """Reads a source once, from its beginning to its end."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.before = ""
        """The last word or sign of code: it tells a regular expression from a division."""

    def scan(self, until: str = "") -> Iterator[Literal]:
        """The literals up to the bracket *until*, which is left behind."""
        depth = 0
        while self.at < len(self.source):
            sign, two = self.source[self.at], self.source[self.at : self.at + 2]
            if two == "//":
                self._skip_to("\n")
            elif two == "/*":
                self._skip_to("*/")
            elif sign in "\"'":
                yield self._read_string(sign)
            elif sign == "`":
                yield from self._read_template()
            elif sign == "/" and self._opens_regex():
                self._skip_regex()
            elif word := re.compile(r"[\w$]+").match(self.source, self.at):
                self.before, self.at = word[0], word.end()
            else:
                if sign == until and not depth:
                    self.at += 1
                    return
                depth += {"{": 1, "}": -1}.get(sign, 0)
                if not sign.isspace():
                    self.before = sign
                self.at += 1

    def _opens_regex(self) -> bool:
        return not self.before or self.before in OPENS_REGEX or self.before in KEYWORDS

    def _skip_to(self, end: str) -> None:
        found = self.source.find(end, self.at + 1)
        self.at = len(self.source) if found < 0 else found + len(end)

    def _skip_regex(self) -> None:
        body = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[\n])+/\w*").match(self.source, self.at)
        if body is None:
            raise ValueError(f"line {self._line()}: a regular expression without an end")
        self.at, self.before = body.end(), "x"

    def _read_string(self, quote: str) -> Literal:
        body = re.compile(rf"{quote}((?:\\.|[^{quote}\\\n])*){quote}").match(self.source, self.at)
        if body is None:
            raise ValueError(f"line {self._line()}: a string without an end")
        found = Literal(self._line(), _unescape(body[1]), is_markup=False, start=self.at)
        self.at, self.before = body.end(), "x"
        return found

    def _read_template(self) -> Iterator[Literal]:
        line, is_markup, start = self._line(), self.before == "html", self.at
        text = ""
        inner: list[Literal] = []
        self.at += 1
        while self.source[self.at] != "`":
            if self.source.startswith("${", self.at):
                self.at, self.before = self.at + 2, "{"
                inner += self.scan(until="}")
                text += HOLE
            else:
                end = self.at + (2 if self.source[self.at] == "\\" else 1)
                text += self.source[self.at : end]
                self.at = end
        self.at, self.before = self.at + 1, "x"
        yield Literal(line, _unescape(text), is_markup, start)
        yield from inner

    def _line(self) -> int:
        return self.source.count("\n", 0, self.at) + 1


def _unescape(text: str) -> str:
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    return re.sub(
        r"\\(.)",
        lambda found: {"n": "\n", "t": "\t", "0": " "}.get(found[1], found[1]),
        text,
        flags=re.DOTALL,
    )


def find_texts(source: str) -> list[tuple[int, str]]:
    """What people read of a JavaScript *source*: the line, and the text with `X` for each expression."""
    return [
        (literal.line, text)
        for literal in find_literals(source)
        for text in (find_markup_texts(literal.text) if literal.is_markup else keep_words(literal.text))
    ]


def find_markup_texts(markup: str) -> Iterator[str]:
    """What people read of HTML: the text between block elements, and attributes that are shown or spoken."""
    pieces = [""]
    end = 0
    for tag in TAG.finditer(markup):
        pieces[-1] += markup[end : tag.start()]
        end = tag.end()
        yield from (
            _clean(value)
            for name, *values in ATTRIBUTE.findall(tag[0])
            if name in SPOKEN and re.search("[A-Za-z]", value := "".join(values))
        )
        name = re.match(r"</?([\w-]*)", tag[0])
        if name is None or name[1] not in INLINE:
            pieces.append("")
    pieces[-1] += markup[end:]
    yield from (_clean(piece) for piece in pieces if re.search("[A-Za-z]", piece))


def keep_words(text: str) -> Iterator[str]:
    """The text of a plain literal, if it is one for people: several words, or one with a capital."""
    words = _clean(text)
    is_selector = SELECTOR.search(words) and not re.match(r"[A-Z].*\.$", words)
    if not is_selector and re.search(r"[^\W\d_][’',.:;!?…]* +[(“]?[^\W\d_]|^[A-Z][a-z]+\b", words):
        yield words


def _clean(text: str) -> str:
    return " ".join(NAMED.sub("X", text.replace(HOLE, "X")).split())
