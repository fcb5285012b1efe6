"""The rules of a title as a page: each clause, ruling and heading with an anchor of its own.

The text is the title's ``RULES.md``. A clause is an item that begins with its id in bold
(``- **LFL-03** ...``). A ruling is a row of a table whose first cell is its id. Each mention of an id leads
to its place.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

from events.rules.catalogue import package_of, versions
from events.rules.title import Title
from service.openapi import response_structs

FILE = "RULES.md"
_ID = re.compile(r"[A-Z]{1,4}(?:-[A-Z])?-\d+(?:-\d+)?[a-z]?")
_MENTION = re.compile(rf"(?<![\w-]){_ID.pattern}(?![\w-])")
FOR_PROGRAMS = frozenset(
    {
        "Codes",
        "Components and data",
        "Data",
        "Decisions and default actions",
        "Lists of commands",
        "Names",
        "Names of fields",
        "Options",
        "Position",
        "Seats",
        "Sources of data",
        "Sources of the data",
        "The position",
        "Where things are",
        "Words and shapes",
    }
)
"""Chapters for those who write programs: the page leaves them out, the other forms have them."""
_FILES = "service/static/"
"""The folder of the page's files as a text names it; the page itself finds them at ``/static/``."""
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}: the rules, version {version}</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/css/rules.css">
</head>
<body>
<nav aria-label="Contents"><p>{others}</p><ul tabindex="0">
{contents}
</ul></nav>
<main>
{body}</main>
</body>
</html>
"""


class Rulebook(msgspec.Struct, frozen=True):
    """The rules of one version of a title, in each form, and the tag under which clients may keep them."""

    tag: str
    html: bytes
    markdown: bytes
    json: bytes
    ids: frozenset[str]
    """The ids that can be linked: clauses and rulings."""


@cache
def load_rulebook(title: Title[Any]) -> Rulebook | None:
    """Return the rules of a title; None where it has no text of them."""
    path = files(package_of(title)).joinpath(FILE)
    if not path.is_file():
        return None
    source = path.read_text(encoding="utf-8")
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    whole = parser.parse(source)
    clauses = list(_find_clauses(whole, source))
    tokens = list(_choose_for_players(whole))
    ids = frozenset(str(token.attrs["id"]) for token in tokens if "id" in token.attrs)
    contents = list(_find_headings(tokens))
    for token in tokens:
        _replace_style(token)
        if token.type == "table_open":  # where it is wider than the window, keys scroll it
            token.attrSet("tabindex", "0")
        if token.type == "inline":
            token.children = [_place_picture(child) for child in _link_mentions(token.children or [], ids)]
    body = parser.renderer.render(tokens, parser.options, {})
    page = _PAGE.format(
        name=html.escape(title.name),
        version=title.version,
        others=_link_versions(title),
        contents="\n".join(
            f'<li><a href="#{anchor}">{html.escape(text)}</a></li>' for anchor, text in contents
        ),
        body=body,
    ).encode()
    encoded = msgspec.json.encode(response_structs.Rules(title.id, title.version, clauses))
    tag = hashlib.sha256(page + encoded + source.encode()).hexdigest()[:24]
    return Rulebook(tag, page, source.encode(), encoded, ids)


def _choose_for_players(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens of all chapters but those for programs."""
    left_out = False
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag in {"h1", "h2"}:
            left_out = _join_text(tokens[place + 1]) in FOR_PROGRAMS
        if not left_out:
            yield token


def _place_picture(token: Token) -> Token:
    """Return *token*; a picture with the address of the page's file, or as text if it is no such file."""
    if token.type != "image":
        return token
    _, found, name = str(token.attrs["src"]).partition(_FILES)
    if not found:
        return _make_text_token(token.content)
    token.attrs |= {"src": f"/static/{name}", "loading": "lazy"}
    return token


def _link_versions(title: Title[Any]) -> str:
    """Return the names of all versions of the title, with links to the others than this one."""
    links = [
        f"version {one.version}"
        if one.version == title.version
        else f'<a href="/v1/titles/{one.id}/rules?version={one.version}">version {one.version}</a>'
        for one in versions(title.id)
    ]
    return ", ".join(links)


# --- anchors ------------------------------------------------------------------------------------------


def _find_clauses(tokens: Sequence[Token], source: str) -> Iterator[response_structs.Clause]:
    """Yield every clause and ruling, once, and give the token that opens it the id."""
    lines, heading, seen = source.splitlines(), "", set[str]()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = _join_text(tokens[place + 1])
        found = _find_id(tokens, place)
        if found is not None and found not in seen and token.map is not None:
            seen.add(found)
            token.attrSet("id", found)
            yield response_structs.Clause(found, heading, _extract_text(found, lines[slice(*token.map)]))


def _find_id(tokens: Sequence[Token], place: int) -> str | None:
    """Return the id that the item or row which begins here carries."""
    token = tokens[place]
    if token.type == "list_item_open":
        children = tokens[place + 2].children or [] if place + 2 < len(tokens) else []
        bold = (
            len(children) > 1 and children[0].type in {"strong_open", "text"} and _find_bold_start(children)
        )
        return bold if isinstance(bold, str) and _ID.fullmatch(bold) else None
    if token.type == "tr_open" and tokens[place + 1].type == "td_open":
        cell = _join_text(tokens[place + 2]).strip()
        return cell if _ID.fullmatch(cell) else None
    return None


def _find_bold_start(children: Sequence[Token]) -> str | None:
    """Return the bold text with which a paragraph begins."""
    kinds = [(child.type, child.content) for child in children[:4]]
    words = [text for kind, text in kinds if kind == "text" and text]
    begins = next((kind for kind, text in kinds if (kind, text) != ("text", "")), "")
    return words[0] if begins == "strong_open" and words else None


def _join_text(inline: Token) -> str:
    return "".join(child.content for child in inline.children or [])


def _extract_text(found: str, lines: Sequence[str]) -> str:
    """Return the text of a clause or ruling in Markdown, without its id."""
    if lines and lines[0].startswith("|"):
        cells = [cell.strip() for cell in lines[0].strip().strip("|").split("|")]
        return " ".join(cells[1:])
    text = " ".join(line.strip() for line in lines)
    return text.partition(f"**{found}**")[2].strip()


def _find_headings(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Yield the anchor and text of every heading below the first, and give the heading its anchor."""
    seen: set[str] = set()
    for place, token in enumerate(tokens):
        if token.type != "heading_open" or token.tag == "h1":
            continue
        text = _join_text(tokens[place + 1])
        anchor = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
        while anchor in seen:
            anchor += "-"
        seen.add(anchor)
        token.attrSet("id", anchor)
        yield anchor, text


def _replace_style(token: Token) -> None:
    """Replace a style attribute, which the page's policy does not let pass, by a class."""
    style = token.attrs.pop("style", None)
    if style:
        token.attrSet("class", str(style).replace("text-align:", ""))


def _link_mentions(children: Sequence[Token], ids: frozenset[str]) -> Iterator[Token]:
    """Yield the parts of a text, in which every id that is mentioned leads to its clause."""
    inside = 0
    for child in children:
        inside += child.nesting if child.type.startswith("link") else 0
        if child.type == "text" and not inside:
            yield from _split_at_mentions(child.content, ids)
        else:
            yield child


def _split_at_mentions(text: str, ids: frozenset[str]) -> Iterator[Token]:
    end = 0
    for found in _MENTION.finditer(text):
        if found[0] in ids:
            yield _make_text_token(text[end : found.start()])
            yield Token("link_open", "a", 1, attrs={"href": f"#{found[0]}"})
            yield _make_text_token(found[0])
            yield Token("link_close", "a", -1)
            end = found.end()
    yield _make_text_token(text[end:])


def _make_text_token(text: str) -> Token:
    return Token("text", "", 0, content=text)


# --- which clause refuses -----------------------------------------------------------------------------


def find_clause(refused: BaseException, title: Title[Any]) -> str | None:
    """Return the address of the clause by which *refused*, an exception that the title raised, was raised.

    It is the first that the docstring of the rule names which refuses, or else of the one that called it.
    """
    book = load_rulebook(title)
    if book is None:
        return None
    package = package_of(title)
    for frame in _list_frames(refused):
        if f"{frame.f_globals.get('__name__')}.".startswith(f"{package}."):
            named = (found for found in _MENTION.findall(_find_docstring(frame)) if found in book.ids)
            clause = next(named, None)
            if clause is not None:
                return f"/v1/titles/{title.id}/rules?version={title.version}#{clause}"
    return None


def _list_frames(error: BaseException) -> list[Any]:
    frames, trace = [], error.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    return frames[::-1]


def _find_docstring(frame: Any) -> str:
    """Return the docstring of the function that runs in *frame*; for a nested one, the outer one's."""
    outer = frame.f_code.co_qualname.partition(".<locals>")[0]
    found: Any = None
    for number, name in enumerate(outer.split(".")):
        found = getattr(found, name, None) if number else frame.f_globals.get(name)
    return getattr(found, "__doc__", None) or ""
