"""The pages of the documentation: found, rendered and made searchable.

A page is Markdown: a file below ``service/docs/pages``, another file of the program, or a generated text.
Some are a file with a generated part after it. ``service/docs/navigation.toml`` lists them by reader.
"""

from __future__ import annotations

import html
import posixpath
import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

from service.presenters.generated_pages import GENERATED_PARTS, SUBPAGES, Source

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "service" / "docs"
SAMPLE_ADDRESS = "http://127.0.0.1:8000"
"""The address of the server in the samples of all pages."""
MAX_OUTLINED = 60
"""The most headings of a page whose outline has two levels."""
INDEXED_CHARACTERS = 2000
"""The most characters of one section that can be searched."""


class Door(msgspec.Struct, frozen=True):
    """A part of the documentation, for one kind of reader."""

    id: str
    name: str
    text: str
    pages: list[str]


class OtherFile(msgspec.Struct, frozen=True):
    """A file outside the folder of pages that is a page as well."""

    path: str
    summary: str


class Navigation(msgspec.Struct, frozen=True):
    """All doors in their order, and which pages are other files."""

    door: list[Door]
    file: dict[str, OtherFile] = {}
    download: dict[str, str] = {}
    """By file of the source its copy beside a page; by folder an archive of it."""


class Heading(msgspec.Struct, frozen=True):
    """A heading of a page, with its anchor."""

    level: int
    anchor: str
    text: str


class Section(msgspec.Struct, frozen=True):
    """A part of a page as the search finds it."""

    page: str
    title: str
    heading: str
    anchor: str
    text: str


class Page(msgspec.Struct, frozen=True):
    """A rendered page."""

    name: str
    title: str
    summary: str
    body: str
    headings: list[Heading]
    sections: list[Section]


@cache
def load_navigation() -> Navigation:
    """Return the doors with the pages that exist, see ``navigation.toml``."""
    text = (FOLDER / "navigation.toml").read_text(encoding="utf-8")
    listed = msgspec.convert(tomllib.loads(text), Navigation)
    doors = [msgspec.structs.replace(door, pages=list(_expand_pages(door, listed))) for door in listed.door]
    return msgspec.structs.replace(listed, door=[door for door in doors if door.pages])


def _expand_pages(door: Door, listed: Navigation) -> Iterable[str]:
    """Yield the names of the pages of *door* that exist, each followed by those below it.

    Pages of its folder that are not listed come last.
    """
    there = sorted(path.stem for path in (FOLDER / "pages" / door.id).glob("*.md"))
    for page in dict.fromkeys((*door.pages, *there)):
        name = f"{door.id}/{page}"
        if _find_file(name, listed) is not None or name in GENERATED_PARTS:
            yield name
        yield from SUBPAGES.get(name, dict)()


def _find_file(name: str, listed: Navigation) -> Path | None:
    other = listed.file.get(name)
    path = ROOT / other.path if other else FOLDER / "pages" / f"{name}.md"
    return path if path.is_file() else None


@cache
def list_pages() -> tuple[str, ...]:
    """Return the names of all pages, in the order of the navigation."""
    return tuple(name for door in load_navigation().door for name in door.pages)


@cache
def read_source(name: str) -> Source:
    """Return a page as Markdown. Raises KeyError for a page that does not exist."""
    if name not in list_pages():
        raise KeyError(name)
    for subpages in SUBPAGES.values():
        if name in subpages():
            return subpages()[name]()
    navigation = load_navigation()
    path, part = _find_file(name, navigation), GENERATED_PARTS.get(name)
    text = path.read_text(encoding="utf-8") if path else ""
    front, text = _split_front_matter(text)
    found = re.match(r"\s*# (.*)\n", text)
    title = front.get("title") or (found[1].strip() if found else name)
    if found:
        text = text[found.end() :]
    summary = front.get("summary") or (navigation.file[name].summary if name in navigation.file else "")
    if name in navigation.file:
        text = _resolve_links(text, navigation.file[name].path, navigation)
    for file, copy in navigation.download.items():
        text = text.replace(f"`{file}`", f"[`{file}`](/docs/{copy})")
    return Source(title, summary, f"{text}\n{part()}" if part else text)


def _split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Return the front matter of a page by its names, and the rest of the page."""
    found = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL)
    if not found:
        return {}, text
    lines = (line.partition(":") for line in found[1].splitlines())
    return {name.strip(): value.strip() for name, _, value in lines}, text[found.end() :]


def _resolve_links(text: str, path: str, navigation: Navigation) -> str:
    """Return *text* of the file *path*, in which links to other files lead to their pages, or are none."""
    pages = {other.path: f"/docs/{name}" for name, other in navigation.file.items()}

    def resolve(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        if re.match(r"[a-z]+:|#|/", target):
            return found[0]
        file, _, anchor = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if file.startswith("service/docs/pages/") and file.endswith(".md"):
            page: str | None = f"/docs/{file.removeprefix('service/docs/pages/').removesuffix('.md')}"
        else:
            page = pages.get(file)
        return f"[{words}]({page}{'#' + anchor if anchor else ''})" if page else words

    return re.sub(r"(?<!!)\[([^\]\n]*)\]\(([^)\s]+)\)", resolve, text)


@cache
def render_page(name: str) -> Page:
    """Return a page of the navigation as HTML. Raises KeyError for a page that does not exist."""
    source = read_source(name)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(source.text)
    headings = [Heading(1, "", source.title), *_set_anchors(tokens)]
    sections = _cut_sections(f"/docs/{name}", source, tokens, headings)
    for token in tokens:
        token.attrs.pop("style", None)  # the page's policy lets no style attribute pass
        if token.type in ("table_open", "fence", "code_block"):
            token.attrSet("tabindex", "0")  # where it is wider than the window, keys scroll it
        if file := re.search(r'title="([^"]+)"', token.info if token.type == "fence" else ""):
            token.attrSet("data-file", file[1])
    body = parser.renderer.render(tokens, parser.options, {})
    body = re.sub(r'<pre><code((?: data-file="[^"]*")?) tabindex="0"', r'<pre tabindex="0"><code\1', body)
    return Page(name, source.title, source.summary, body, headings[1:], sections)


def make_anchor(text: str) -> str:
    """Return the anchor of a heading: its words in kebab-case."""
    return re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-") or "section"


def _set_anchors(tokens: Sequence[Token]) -> Iterable[Heading]:
    """Yield the headings, and give each an id and a link to itself."""
    seen: dict[str, int] = {}
    for place, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        inline = tokens[place + 1]
        text = _join_text(inline)
        anchor = make_anchor(text)
        seen[anchor] = seen.get(anchor, 0) + 1
        if seen[anchor] > 1:
            anchor = f"{anchor}-{seen[anchor]}"
        token.attrSet("id", anchor)
        named = {"class": "anchor", "href": f"#{anchor}", "aria-label": f"Link to {text}"}
        inline.children = [
            *(inline.children or []),
            Token("link_open", "a", 1, attrs=dict(named)),
            Token("text", "", 0, content="#"),
            Token("link_close", "a", -1),
        ]
        yield Heading(int(token.tag[1:]), anchor, text)


def _join_text(inline: Token) -> str:
    """Return the words of an inline token, without those of the link to a heading."""
    kinds = ("text", "code_inline", "softbreak")
    return "".join(
        " " if child.type == "softbreak" else child.content
        for child in inline.children or []
        if child.type in kinds
    )


def _cut_sections(
    page: str, source: Source, tokens: Sequence[Token], headings: Sequence[Heading]
) -> list[Section]:
    """Return what can be searched of a page, heading by heading."""
    texts: list[list[str]] = [[source.summary]]
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            texts.append([])
        elif token.type == "inline" and tokens[place - 1].type != "heading_open":
            texts[-1].append(_join_text(token))
        elif token.type == "fence":
            texts[-1].append(token.content)
    return [
        Section(page, source.title, heading.text, heading.anchor, " ".join(words)[:INDEXED_CHARACTERS])
        for heading, words in zip(headings, texts, strict=True)
    ]


@cache
def make_search_index() -> str:
    """Return all sections of all pages as JSON."""
    sections = [section for name in list_pages() for section in render_page(name).sections]
    return msgspec.json.encode(sections).decode()


# --- pages as HTML ------------------------------------------------------------------------------------


_LAYOUT = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{summary}">
<title>{title} - Rutter documentation</title>
<link rel="icon" type="image/svg+xml" href="/static/icon.svg">
{links}<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/docs"><img src="/static/icon.svg" alt="" width="24" height="24">
Rutter documentation</a>
<div role="search" class="search">
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Search ( / )"
 aria-controls="found">
<p id="count" role="status"></p>
<ul id="found" hidden></ul>
</div>
<nav aria-label="Site"><a href="/docs/api">API</a> <a href="/">Games</a></nav>
</header>
<div class="columns">
<details class="contents" open>
<summary>Contents</summary>
<nav aria-label="Documentation">
{doors}
</nav>
</details>
{main}
</div>
</body>
</html>
"""


def _make_link(name: str, current: str) -> str:
    here = ' aria-current="page"' if name == current else ""
    below = ' class="below"' if any(name in pages() for pages in SUBPAGES.values()) else ""
    return f'<li{below}><a href="/docs/{name}"{here}>{html.escape(read_source(name).title)}</a></li>'


def _lay_out(title: str, summary: str, main: str, current: str, links: str = "") -> str:
    parts = []
    for door in load_navigation().door:
        parts.append(f'<h2><a href="/docs/{door.id}">{html.escape(door.name)}</a></h2>\n<ul>')
        parts += [_make_link(name, current) for name in door.pages]
        if door.id == "reference":
            here = ' aria-current="page"' if current == "api" else ""
            parts.append(f'<li><a href="/docs/api"{here}>API</a></li>')
        parts.append("</ul>")
    return _LAYOUT.format(
        title=html.escape(title),
        summary=html.escape(summary, quote=True),
        doors="\n".join(parts),
        main=main,
        links=links,
    )


@cache
def render_html(name: str) -> str:
    """Return a whole page. Raises KeyError for a page that does not exist."""
    page = render_page(name)
    door = next(door for door in load_navigation().door if name in door.pages)
    place = door.pages.index(name)
    near = []
    if place:
        before = door.pages[place - 1]
        near.append(f'<a rel="prev" href="/docs/{before}">{html.escape(read_source(before).title)}</a>')
    if place + 1 < len(door.pages):
        after = door.pages[place + 1]
        near.append(f'<a rel="next" href="/docs/{after}">{html.escape(read_source(after).title)}</a>')
    deepest = 3 if len(page.headings) <= MAX_OUTLINED else 2
    outline = [
        f'<li class="level{heading.level}"><a href="#{heading.anchor}">{html.escape(heading.text)}</a></li>'
        for heading in page.headings
        if heading.level in (2, deepest)
    ]
    aside = (
        '<aside><nav aria-label="On this page"><h2>On this page</h2>\n'
        f"<ul>{''.join(outline)}</ul></nav></aside>"
        if outline
        else ""
    )
    main = (
        f'<main id="content"><p class="door">{html.escape(door.name)}</p>\n'
        f"<h1>{html.escape(page.title)}</h1>\n{page.body}"
        f'<nav class="near" aria-label="Next pages">{"".join(near)}</nav></main>\n{aside}'
    )
    return _lay_out(page.title, page.summary, main, name)


@cache
def render_start() -> str:
    """Return the start page: one door for each kind of reader."""
    ordered = sorted(load_navigation().door, key=lambda door: door.id not in MAJOR)
    doors = "\n".join(
        f'<li class="{"major" if door.id in MAJOR else "minor"}"><h2><a href="/docs/{door.id}">'
        f"{html.escape(door.name)}</a></h2><p>{html.escape(door.text)}</p>"
        f'<p class="first"><a href="/docs/{door.pages[0]}">'
        f"{html.escape(read_source(door.pages[0]).title)}</a></p></li>"
        for door in ordered
    )
    main = (
        '<main id="content" class="start"><h1>Rutter documentation</h1>\n'
        "<p>Rutter runs board games in which every move is an event in an append-only log. "
        f'Choose what you want to do.</p>\n<ul class="doors">{doors}</ul></main>'
    )
    return _lay_out("Start", "Rutter: play, build, organise and analyse board games.", main, "")


MAJOR = ("play", "build", "organise", "analyse")
"""The doors that come first on the start page."""


@cache
def render_door(id: str) -> str:
    """Return the list of the pages of a door. Raises KeyError for a door that does not exist."""
    door = {door.id: door for door in load_navigation().door}[id]
    pages = "\n".join(
        f'<li><a href="/docs/{name}">{html.escape(read_source(name).title)}</a> '
        f"{html.escape(read_source(name).summary)}</li>"
        for name in door.pages
    )
    main = (
        f'<main id="content"><h1>{html.escape(door.name)}</h1>\n<p>{html.escape(door.text)}</p>\n'
        f'<ul class="pages">{pages}</ul></main>'
    )
    return _lay_out(door.name, door.text, main, id)


@cache
def render_api() -> str:
    """Return the page on which every operation of the API can be tried."""
    links = (
        '<link rel="stylesheet" href="/docs/vendor/swagger-ui.css">\n'
        '<script src="/docs/vendor/swagger-ui-bundle.js" defer></script>\n'
        '<script type="module" src="/docs/api.js"></script>\n'
    )
    main = (
        '<main id="content" class="api"><div id="operations"><p>Loading the description …</p></div>\n'
        '<noscript><p>This page shows <a href="/openapi.json">/openapi.json</a> with JavaScript.</p>'
        "</noscript></main>"
    )
    return _lay_out("API", "Every operation of the API, with samples that you can run.", main, "api", links)


def replace_address(text: str, address: str) -> str:
    """Return HTML in which the samples call *address*."""
    return text.replace(SAMPLE_ADDRESS, html.escape(address, quote=True))


def list_anchors(name: str) -> frozenset[str]:
    """Return the anchors of a page."""
    return frozenset(heading.anchor for heading in render_page(name).headings)
