"""Bodies of requests, made of their JSON Schemas: such as fit, and such as nearly do."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

Json = dict[str, Any]
ODD = [
    None,
    True,
    False,
    0,
    1,
    -1,
    100,
    2**53 - 1,
    0.5,
    "",
    "a",
    "x" * 70,
    "A b",
    "abc\n",
    [],
    [1],
    {},
    {"a": 1},
]
"""Values that stand in hardly any place."""
FAR = [
    "0000-02-29T23:59:59+01:00",
    "0000-02-29t00:00:00.5z",
    "1999-12-31T23:59:59Z",
    "2999-12-31T23:59:60Z",
    "9999-12-31T23:30:00-01:00",
]
"""Times that are right, but of other years than 2000 to 2999."""
LINES = [
    "Ana",
    "Round table 4",
    "Zoë of Köln",
    "A  b",
    " a",
    "a\nb",
    "a\u200bb",
    "a\u202eb",
    "e" + "\u0301" * 4,
]
"""Lines that people write, right ones and others: to make them by their long pattern takes minutes."""
LONG_PATTERN = 900
PLACE = "#/components/schemas/"


class Bodies:
    """Strategies for values of the *components* of a description."""

    def __init__(self, components: dict[str, Json]) -> None:
        self.components = components
        self._known: dict[str, st.SearchStrategy[Any]] = {}

    def of(self, component: str) -> st.SearchStrategy[Any]:
        """Values that fit a component."""
        if component not in self._known:
            self._known[component] = st.deferred(lambda: self._of(self.components[component]))
        return self._known[component]

    def _of(self, schema: Json) -> st.SearchStrategy[Any]:
        if "$ref" in schema:
            return self.of(schema["$ref"].removeprefix(PLACE))
        if "enum" in schema:
            return st.sampled_from(schema["enum"])
        if "const" in schema:
            return st.just(schema["const"])
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                return st.one_of([self._of(one) for one in schema[choice]])
        makers = {"object": self._object, "array": self._array, "string": self._text}
        if schema.get("type") in makers:
            return makers[schema["type"]](schema)
        simple = {
            "boolean": st.booleans(),
            "null": st.none(),
            "integer": st.integers(schema.get("minimum"), schema.get("maximum")),
        }
        return simple[schema["type"]] if "type" in schema else st.sampled_from(ODD)

    def _object(self, schema: Json) -> st.SearchStrategy[Any]:
        members = {name: self._of(part) for name, part in schema.get("properties", {}).items()}
        required = {name: members.pop(name) for name in schema.get("required", ())}
        made = st.fixed_dictionaries(required, optional=members)
        if isinstance(schema.get("additionalProperties"), dict):
            keys = self._of({"type": "string", **schema.get("propertyNames", {})})
            return st.dictionaries(keys, self._of(schema["additionalProperties"]), max_size=2)
        return made

    def _array(self, schema: Json) -> st.SearchStrategy[Any]:
        least = schema.get("minItems", 0)
        most = min(schema.get("maxItems", least + 2), least + 2)
        if "prefixItems" in schema:
            return st.tuples(*map(self._of, schema["prefixItems"])).map(list)
        return st.lists(self._of(schema["items"]), min_size=least, max_size=most)

    def _text(self, schema: Json) -> st.SearchStrategy[str]:
        if schema.get("format") == "uuid":
            return st.uuids().map(str) | st.uuids().map(lambda one: str(one).upper())
        if schema.get("format") == "date-time":
            return st.datetimes().map(lambda at: f"{at.isoformat()}Z") | st.sampled_from(FAR)
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        if len(schema.get("pattern", "")) > LONG_PATTERN:
            return st.sampled_from(LINES) | st.text(min_size=least, max_size=8)
        if "pattern" in schema:
            return st.from_regex(schema["pattern"]).filter(
                lambda text: "\0" not in text and (most is None or len(text) <= most)
            )
        return st.text(min_size=least, max_size=most)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every part of a value, to itself too."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(way for key, part in inner for way in places(part, (*path, key)))]


@st.composite
def spoiled(draw: st.DrawFn, whole: st.SearchStrategy[Any]) -> Any:
    """A value in which one thing is another, lacks, or is too many: most do not fit any more."""
    value = copy.deepcopy(draw(whole))
    ways = [way for way in places(value) if way]
    change = draw(st.sampled_from(["replace", "drop", "add"]))
    if change == "add" or not ways:
        targets = [way for way in places(value) if isinstance(get(value, way), dict | list)]
        target = get(value, draw(st.sampled_from(targets)))
        extra = draw(st.sampled_from(ODD))
        target.append(extra) if isinstance(target, list) else target.update({"surplus": extra})
        return value
    *parents, last = draw(st.sampled_from(ways))
    holder = get(value, tuple(parents))
    if change == "drop":
        del holder[last]
    else:
        holder[last] = draw(st.sampled_from(ODD))
    return value


def get(value: Any, way: tuple[Any, ...]) -> Any:
    """The part of a value at the end of a way."""
    for key in way:
        value = value[key]
    return value
