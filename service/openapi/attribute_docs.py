"""The sentences about the members of structs: string literals that stand under their attributes.

Python drops them, so they are read from the sources, each file once.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.inspect import StructType

from events.rules.fact import Json
from service.openapi.property_names import find_structs, read_struct_info


def add_member_docs(struct: type[Any], schemas: Mapping[str, Json]) -> None:
    """Describe in *schemas*, by class name, the members of *struct* and of all structs that it uses.

    A member that has a description keeps it.
    """
    for kind in find_structs(struct):
        schema = schemas.get(kind.cls.__name__)
        if schema is not None:
            _describe_fields(kind, schema)


def describe_members(struct: type[Any], schema: Json) -> None:
    """Describe the members of *struct* in its own *schema*."""
    _describe_fields(read_struct_info(struct), schema)


def _describe_fields(kind: StructType, schema: Json) -> None:
    docs = get_attribute_docs(kind.cls)
    for field in kind.fields:
        member = schema.get("properties", {}).get(field.encode_name)
        text = docs.get(field.name)
        if member is not None and text and "description" not in member:
            member["description"] = text


def get_attribute_docs(struct: type[Any]) -> Mapping[str, str]:
    """Return the docstring of each attribute of a struct, those of its base classes included."""
    found: dict[str, str] = {}
    for kind in reversed(struct.__mro__):
        if issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct:
            found |= _read_module(kind.__module__).get(kind.__qualname__, {})
    return found


@cache
def _read_module(name: str) -> Mapping[str, Mapping[str, str]]:
    """Return the docstrings of the attributes of all classes of a module, by class."""
    path = getattr(sys.modules.get(name), "__file__", None)
    if path is None or not Path(path).is_file():
        return {}
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    return {node.name: dict(_find_docs(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _find_docs(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for attribute, text in zip(node.body, node.body[1:], strict=False):
        if (
            isinstance(attribute, ast.AnnAssign)
            and isinstance(attribute.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        ):
            yield attribute.target.id, to_markdown(text.value.value)


def to_markdown(text: str) -> str:
    """Return the first paragraph of a docstring as one line of Markdown."""
    text = " ".join(text.strip().partition("\n\n")[0].split())
    text = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", text)
    return re.sub(r"``([^`]*)``", r"`\1`", text)
