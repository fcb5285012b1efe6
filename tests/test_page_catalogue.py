"""The catalogues of the page: every text is in each of them, and no text of the page is in none."""

from __future__ import annotations

import json
import re

import pytest

from tests.page_catalogue import (
    CATALOGUES,
    find_holes,
    find_keys,
    find_plurals,
    find_untranslated,
    make_english,
    read_catalogue,
    read_scripts,
)

LANGUAGES = sorted(path.stem for path in CATALOGUES.glob("??.json"))
OTHERS = [each for each in LANGUAGES if each != "en"]
LETTERS = re.compile(r"[^\W\d_]{2,}")
NO_TEXTS = {
    *("Rutter", "English", "Deutsch"),
    *("Idempotency-Key", "If-Match", "Content-Type", "Last-Event-ID", "Rutter-Signature"),
    *("Notification", "asked elsewhere", "There is no catalogue .", "(prefers-reduced-motion: reduce)"),
    *("bot", "mine", "open", "running", "finished", "game", "status", "edge edge-", "more phrases"),
    *("Seat", "seat", "byes:", "e1 e4 e2 e3 byes: e5", "rutter verify --jobs 2"),
    *("px", "px px", "rem", "rotate(-15 )"),
}
"""Names, headers, keys, classes and measures: what stays of them without their expressions."""
TABLE = re.compile(r"(?ms)^(?:export )?const \w+ = (?:[\[{].*?^[\]}]|[^\n]*);$")


def find_faults(catalogue: dict[str, object], english: dict[str, object]) -> list[str]:
    """What is wrong with a catalogue, by the English one."""
    faults = [f"lacks: {key}" for key in english.keys() - catalogue.keys()]
    faults += [f"unused: {key}" for key in catalogue.keys() - english.keys()]
    for key in english.keys() & catalogue.keys():
        if isinstance(english[key], dict) != isinstance(catalogue[key], dict):
            faults.append(f"other kind: {key}")
            continue
        for form in _list_forms(catalogue[key]):
            if find_holes(form) != find_holes(key):
                faults.append(f"other places: {key}")
            if _find_margins(form) != _find_margins(key):
                faults.append(f"other spaces: {key}")
        if isinstance(catalogue[key], dict) and not {"one", "other"} <= set(_list_names(catalogue[key])):
            faults.append(f"lacks a form: {key}")
    return sorted(faults)


def _list_forms(told: object) -> list[str]:
    return [str(each) for each in told.values()] if isinstance(told, dict) else [str(told)]


def _list_names(told: object) -> list[str]:
    return list(told) if isinstance(told, dict) else []


def _find_margins(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def test_the_english_catalogue_has_the_texts_of_the_page():
    """Write it again with `python -m tests.page_catalogue` when a text has changed."""
    assert read_catalogue("en") == make_english()
    assert list(read_catalogue("en")) == sorted(read_catalogue("en"))


def test_there_are_as_many_languages_as_the_setting_offers():
    settings = read_scripts()["js/base/settings.js"]
    (offered,) = re.findall(r'language: \["auto", ([^\]]*)\]', settings)
    assert sorted(json.loads(f"[{offered}]")) == LANGUAGES


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_has_every_text_once_with_the_same_places(language):
    assert find_faults(dict(read_catalogue(language)), dict(read_catalogue("en"))) == []


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ({}, "lacks: {n} of {all}"),
        ({"{n} of {all}": "{n} von {alle}"}, "other places: {n} of {all}"),
        ({"{n} of {all}": "{n} von {all} "}, "other spaces: {n} of {all}"),
        ({"{n} of {all}": {"one": "{n}", "other": "{n}"}}, "other kind: {n} of {all}"),
        ({"{n} of {all}": "{all}: {n}", "Old": "Alt"}, "unused: Old"),
    ],
)
def test_faults_of_a_catalogue_are_found(told, fault):
    assert find_faults(told, {"{n} of {all}": "{n} of {all}"}) == [fault]


@pytest.mark.parametrize("name", sorted(read_scripts()))
def test_every_text_of_a_script_is_in_the_catalogue(name):
    """A text goes through `tr`, `plural`, `count` or `keyed`, or stands in a template: no literal is left."""
    found = find_untranslated(read_scripts()[name])
    left = [(line, text) for line, text in found if LETTERS.search(text) and text not in NO_TEXTS]
    assert left == []


@pytest.mark.parametrize("name", sorted(read_scripts()))
def test_a_constant_is_translated_where_it_is_shown(name):
    """It is made before the language is known, so it is `keyed` there."""
    early = [
        line
        for table in TABLE.finditer(read_scripts()[name])
        for line in table[0].splitlines()
        if re.search(r"\b(tr|plural|count)\(\"", line) and "=>" not in line
    ]
    assert early == []


def test_a_sentence_with_signs_is_no_selector():
    """A text with `=` or with `[` is for people if it is a sentence."""
    source = 'say(duels ? "The result: + won, = shared." : "a[href=b]");'
    assert list(find_untranslated(source)) == [(1, "The result: + won, = shared.")]


def test_keys_are_found_as_the_page_makes_them():
    source = """const A = keyed("Pace"); say(tr("Signed in as {name}.", { name }));
    html`<p title="Zoom in" class="Zoom">All ${many}
      of   <b>them</b>${count(list(a, f(b)).length, "seat")}</p><${Part} none=${x} heading="None yet"/>`;
    plural(n, "{n} is left", "{n} are left");"""
    assert sorted(find_keys(source)) == [
        "All {1}of", "None yet", "Pace", "Signed in as {name}.", "Zoom in", "them",
    ]  # fmt: skip
    assert find_plurals(source) == {
        "{n} seats": {"one": "{n} seat", "other": "{n} seats"},
        "{n} are left": {"one": "{n} is left", "other": "{n} are left"},
    }
    assert list(find_untranslated('say("Not there yet"); html`<p>There</p>`')) == [(1, "Not there yet")]
