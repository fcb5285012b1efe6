"""The generated parts of the documentation: errors, limits, settings, metrics, events and columns.

Each is made from what the program itself uses, so it cannot differ from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

import msgspec

from events.base.settings import SETTINGS
from events.rules.catalogue import find_title, title_ids
from service.base.metric_descriptions import METRICS
from service.base.rate_limits import DEFAULTS_FILE
from service.openapi import problem_codes
from service.presenters import column_pages, event_pages


class Source(msgspec.Struct, frozen=True):
    """A page in Markdown, without its first heading."""

    title: str
    summary: str
    text: str


# --- errors -------------------------------------------------------------------------------------------

_RETRIES = {
    "no": "Do not send the request again.",
    "changed": "Send the request again after you have changed it.",
    "later": "The request can succeed later, when the state has changed.",
    "wait": "Send the same request again after the seconds in `Retry-After`.",
}


def make_error_sections() -> str:
    """Return a section for each problem code, with one anchor for each."""
    parts = ["## Codes of the platform"]
    for code, problem in problem_codes.get_problems().items():
        statuses = ", ".join(map(str, problem.status))
        parts += [
            f"### {code}",
            f"Status {statuses}. {problem.meaning}",
            f"**What to do:** {problem.cure}",
            f"**Retry:** {_RETRIES[problem.retry]}",
        ]
        cases = [
            f"* {find_title(title_id).name}: {_describe_refusal(title_id, told[code])}"
            for title_id, told in _get_refusals().items()
            if code in told
        ]
        if cases:
            parts.append("Titles use this code as well:\n\n" + "\n".join(cases))
    parts.append("## Codes of the titles")
    parts.append("The rules of a title refuse a command with status 409. Nothing in the game has changed.")
    only_titles = sorted(set(problem_codes.get_all_codes()) - set(problem_codes.get_problems()))
    for code in only_titles:
        parts.append(f"### {code}")
        parts.append(
            "\n".join(
                f"* {find_title(title_id).name}: {_describe_refusal(title_id, told[code])}"
                for title_id, told in _get_refusals().items()
                if code in told
            )
        )
    return "\n\n".join(parts)


def _get_refusals() -> Mapping[str, Mapping[str, problem_codes.Refusal]]:
    """Return the refusals of the titles that this server offers."""
    known = set(title_ids())
    return {name: told for name, told in problem_codes.get_refusals().items() if name in known}


def _describe_refusal(title_id: str, refusal: problem_codes.Refusal) -> str:
    if refusal.clause is None:
        return refusal.cure
    return f"{refusal.cure} Rule: [{refusal.clause}](/v1/titles/{title_id}/rules#{refusal.clause})."


# --- limits -------------------------------------------------------------------------------------------


def make_limit_tables() -> str:
    """Return a table of each group of `limits.toml`, with its remark and its figures."""
    parts = []
    text = DEFAULTS_FILE.read_text(encoding="utf-8")
    for found in re.finditer(r"^\[(\w+)\](?:[ ]+#[ ]*(.*))?\n((?:.+\n)*)", text, re.MULTILINE):
        group, remark, lines = found[1], (found[2] or "").strip(), found[3]
        parts.append(f"## {group}")
        if remark:
            parts.append(f"{remark[:1].upper()}{remark[1:]}.".replace("..", "."))
        rows = ["| setting | default | remark |", "|---|---|---|"]
        rows += [
            f"| `{group}.{line[1]}` | `{line[2].strip(chr(34))}` | {(line[3] or '').strip()} |"
            for line in re.finditer(r"^(\w+)\s*=\s*([^#\n]*?)\s*(?:#\s*(.*))?$", lines, re.MULTILINE)
        ]
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


# --- settings -----------------------------------------------------------------------------------------

_PROGRAMS = {
    "up": "`rutter up`",
    "api": "the API",
    "workers": "the workers",
    "commands": "the other commands of `rutter`",
    "scripts": "the scripts in `ops`",
    "tests": "the tests",
}


def make_setting_sections() -> str:
    """Return a section for each environment variable."""
    parts = []
    for setting in SETTINGS:
        parts += [f"## {setting.name}", setting.text]
        facts = [f"* Takes {setting.kind.takes}."]
        if setting.default not in ("", None, ()):
            shown = int(setting.default) if isinstance(setting.default, bool) else setting.default
            facts.append(f"* Default: `{shown}`.")
        facts.append(f"* Read by {', '.join(_PROGRAMS[program] for program in setting.programs)}.")
        if setting.is_secret:
            facts.append("* Secret: no log and no error shows the value.")
        if setting.is_for_tests:
            facts.append("* For tests: it needs `RUTTER_ENV=test`.")
        parts.append("\n".join(facts))
    return "\n\n".join(parts)


# --- metrics ------------------------------------------------------------------------------------------


def make_metric_table() -> str:
    """Return all metrics of `/metrics`."""
    rows = ["| metric | type | labels | meaning |", "|---|---|---|---|"]
    for name, metric in METRICS.items():
        labels = ", ".join(f"`{label}`" for label in metric.labels)
        rows.append(f"| `{name}` | {metric.kind} | {labels} | {metric.text} |")
    return "\n".join(rows)


# --- events -------------------------------------------------------------------------------------------


def _make_title_page(title_id: str) -> Source:
    name = find_title(title_id).name
    text = (
        f"Every game of {name} has these events.\n"
        "It also has the [events of every game](/docs/reference/events).\n"
        f"The [rules of {name}](/v1/titles/{title_id}/rules) explain the words.\n\n"
    )
    summary = f"Every event type of {name} with its members, and which of them are secret."
    return Source(f"Events of {name}", summary, text + event_pages.make_title_events(title_id))


def _list_title_pages() -> Mapping[str, Callable[[], Source]]:
    return {f"reference/events-{title_id}": partial(_make_title_page, title_id) for title_id in title_ids()}


GENERATED_PARTS: Mapping[str, Callable[[], str]] = {
    "analyse/data-dictionary": column_pages.make_column_tables,
    "reference/errors": make_error_sections,
    "reference/limits": make_limit_tables,
    "reference/settings": make_setting_sections,
    "reference/metrics": make_metric_table,
    "reference/events": event_pages.make_platform_events,
}
"""The part that follows the text of a page, by the name of the page."""
SUBPAGES: Mapping[str, Callable[[], Mapping[str, Callable[[], Source]]]] = {
    "reference/events": _list_title_pages
}
"""The pages below a page, each generated as a whole."""
