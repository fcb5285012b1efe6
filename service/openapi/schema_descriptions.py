"""JSON Schemas of the marshmallow schemas that check requests: what is described is what is checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, singledispatchmethod
from typing import Any

from marshmallow import fields, validate

from events.rules.fact import Json
from service.openapi import request_fields
from service.openapi.attribute_docs import describe_members
from service.openapi.property_names import INTEGER_KEY_PATTERN
from service.openapi.request_fields import ObjectSchema, Part, Pattern, UnusedMember

COMPONENTS = "#/components/schemas/"
NULL: Json = {"type": "null"}


class Describer:
    """Describes schemas, and collects the components that they use.

    Their references begin with *place*.
    """

    def __init__(self, place: str = COMPONENTS) -> None:
        self.place = place
        self.components: dict[str, Json] = {}

    def describe_schema(self, schema: ObjectSchema) -> Json:
        """Return the description of an object; a reference if it is a component."""
        if schema.component is None:
            return self.describe_object(schema)
        title = schema.component.rpartition(".")[2]
        return self._collect(schema.component, lambda: {"title": title, **self.describe_object(schema)})

    def describe_object(self, schema: ObjectSchema) -> Json:
        """Return the description of an object where it stands."""
        made: Json = {"description": schema.description} if schema.description else {}
        shown = {name: f for name, f in schema.fields.items() if not isinstance(f, UnusedMember)}
        made |= {
            "type": "object",
            "properties": {name: self.describe_field(field) for name, field in shown.items()},
            "required": [name for name, field in shown.items() if field.required],
        }
        if schema.struct is not None:
            describe_members(schema.struct, made)
        if schema.unknown == "raise":
            made["additionalProperties"] = False
        for rule in schema.rules:
            made |= rule.described
        if schema.examples:
            made["examples"] = list(schema.examples)
        return made

    def describe_field(self, field: fields.Field[Any]) -> Json:
        """Return the description of a member."""
        elsewhere = field.metadata.get("$ref")
        form = {"$ref": elsewhere} if elsewhere else self._describe(field)
        if field.allow_none and not isinstance(field, fields.Raw | request_fields.Null):
            form = {"anyOf": [*(form["anyOf"] if form.keys() == {"anyOf"} else [form]), NULL]}
        told = {key: field.metadata[key] for key in ("description", "default") if key in field.metadata}
        return {**form, **told}

    def _collect(self, name: str, describe: Callable[[], Json]) -> Json:
        """Return a reference to a component, which is described when it is first met.

        :raises ValueError: for another component of the same name.
        """
        known = self.components.get(name)
        if known is None:
            self.components[name] = {}  # it may use itself
            self.components[name] = describe()
        elif known and known != describe():
            raise ValueError(f"two components are called {name}")
        return {"$ref": f"{self.place}{name}"}

    @singledispatchmethod
    def _describe(self, field: fields.Field[Any]) -> Json:
        raise TypeError(f"nobody has said how to describe {type(field).__name__}")

    @_describe.register
    def _(self, field: request_fields.Integer) -> Json:
        return {"type": "integer", **_describe_checks(field)}

    @_describe.register
    def _(self, field: request_fields.Number) -> Json:
        return {"type": "number", **_describe_checks(field)}

    @_describe.register
    def _(self, _field: request_fields.Boolean) -> Json:
        return {"type": "boolean"}

    @_describe.register
    def _(self, field: request_fields.Text) -> Json:
        return {"type": "string", **_describe_checks(field)}

    @_describe.register
    def _(self, _field: request_fields.Moment) -> Json:
        return {"type": "string", "format": "date-time"}

    @_describe.register
    def _(self, _field: request_fields.Uuid) -> Json:
        return {"type": "string", "format": "uuid"}

    @_describe.register
    def _(self, _field: request_fields.IntegerKey) -> Json:
        return {"type": "string", "pattern": INTEGER_KEY_PATTERN}

    @_describe.register
    def _(self, _field: request_fields.Null) -> Json:
        return NULL

    @_describe.register
    def _(self, _field: fields.Raw) -> Json:
        return {}

    @_describe.register
    def _(self, field: request_fields.Enumeration) -> Json:
        return {"enum": list(field.choices)}

    @_describe.register
    def _(self, field: request_fields.Constant) -> Json:
        only = field.choices[0]
        return {"type": "string", "const": only} if isinstance(only, str) else {"const": only}

    @_describe.register
    def _(self, field: request_fields.Sequence) -> Json:
        return {
            "type": "array",
            "items": self.describe_field(field.inner),
            **_describe_checks(field, "Items"),
        }

    @_describe.register
    def _(self, field: request_fields.FixedTuple) -> Json:
        items = [self.describe_field(item) for item in field.items]
        return {
            "type": "array",
            "minItems": len(items),
            "maxItems": len(items),
            "prefixItems": items,
            "items": False,
        }

    @_describe.register
    def _(self, field: request_fields.StrictMapping) -> Json:
        made: Json = {"type": "object"}
        if field.key_field is not None:
            names = {
                name: part for name, part in self.describe_field(field.key_field).items() if name != "type"
            }
            made |= {"propertyNames": names} if names else {}
        if field.value_field is not None and (values := self.describe_field(field.value_field)):
            made["additionalProperties"] = values
        return {**made, **_describe_checks(field, "Properties")}

    @_describe.register
    def _(self, field: Part) -> Json:
        return self.describe_schema(field.schema)

    @_describe.register
    def _(self, field: request_fields.UntaggedUnion) -> Json:
        def describe() -> Json:
            kinds = [self.describe_field(kind) for kind in field.kinds]
            unions = [kind for kind in field.kinds if isinstance(kind, request_fields.TaggedUnion)]
            if field.component and len(unions) == len(kinds):
                return {**_describe_words(field), **self._describe_by_tag(field.component, unions)}
            return {**_describe_words(field), "anyOf": kinds}

        return describe() if field.component is None else self._collect(field.component, describe)

    @_describe.register
    def _(self, field: request_fields.ExclusiveChoice) -> Json:
        def describe() -> Json:
            members = [member for form in field.forms.values() for member in form.fields.values()]
            if any(isinstance(member, request_fields.Null) for member in members):
                return {**_describe_words(field), **self._describe_pair(field.forms)}
            return {**_describe_words(field), "oneOf": self._describe_forms(field.forms.values())}

        return describe() if field.component is None else self._collect(field.component, describe)

    @_describe.register
    def _(self, field: request_fields.TaggedUnion) -> Json:
        def describe() -> Json:
            made = {**_describe_words(field), "oneOf": self._describe_forms(field.forms.values())}
            if all(form.component for form in field.forms.values()):
                mapping = {tag: f"{self.place}{form.component}" for tag, form in field.forms.items()}
                made["discriminator"] = {"propertyName": field.tag, "mapping": mapping}
            return made

        return describe() if field.component is None else self._collect(field.component, describe)

    def _describe_by_tag(self, component: str, unions: Sequence[request_fields.TaggedUnion]) -> Json:
        """Return the description of several unions with one tag: a choice between their forms by that tag.

        Forms of one tag are together a component of their own: generators tell forms apart by the tag alone.
        """
        found: dict[str, list[Json]] = {}
        for union in unions:
            for tag, form in union.forms.items():
                found.setdefault(tag, []).append(self.describe_schema(form))
        mapping = {}
        for tag, [first, *others] in found.items():
            mapping[tag] = first["$ref"]
            if others:
                words = f"The command `{tag}` of one of several titles."
                made = {"description": words, "anyOf": [first, *others]}
                name = f"{component}.{first['$ref'].rpartition('.')[2]}"
                mapping[tag] = self._collect(name, partial(dict[str, Any], made))["$ref"]
        return {
            "oneOf": [{"$ref": reference} for reference in mapping.values()],
            "discriminator": {"propertyName": unions[0].tag, "mapping": mapping},
        }

    def _describe_pair(self, forms: Mapping[str, ObjectSchema]) -> Json:
        """Return the description of two forms, where each has null in the place of the other's own member.

        It is one object: generators have no type for a member that can only be null.
        """
        own = {name: self.describe_object(form) for name, form in forms.items()}
        one, other = own
        members = dict(own[one]["properties"])
        given = {}
        for name in own:
            form = dict(own[name]["properties"][name])
            words = {"description": form.pop("description")} if "description" in form else {}
            members[name] = {"anyOf": [form, NULL], **words}
            said = {"type": form["type"], "description": "The one member that you give."}
            given[name] = {"required": [name], "properties": {name: said}}
        return {
            **own[one],
            "properties": members,
            "required": [name for name in own[one]["required"] if name != one],
            "if": given[one],
            "then": {"properties": {other: {**NULL, "description": f"Null beside `{one}`."}}},
            "else": given[other],
        }

    def _describe_forms(self, forms: Iterable[ObjectSchema]) -> list[Json]:
        return [self.describe_schema(form) for form in forms]


def _describe_words(field: request_fields.Choice | request_fields.UntaggedUnion) -> Json:
    return {"description": field.description} if field.description else {}


def _describe_checks(field: fields.Field[Any], counted: str = "Length") -> Json:
    """Return what the validators of a field say; what is *counted* is `Length`, `Items` or `Properties`."""
    made: Json = {}
    for check in field.validators:
        match check:
            case validate.Range():
                least, most = ("minimum", "maximum")
                low = least if check.min_inclusive else "exclusiveMinimum"
                high = most if check.max_inclusive else "exclusiveMaximum"
                made |= {name: at for name, at in ((low, check.min), (high, check.max)) if at is not None}
            case validate.Length():
                bounds = ((f"min{counted}", check.min), (f"max{counted}", check.max))
                made |= {name: at for name, at in bounds if at is not None}
            case Pattern():
                made["pattern"] = check.pattern
            case _:
                raise TypeError(f"nobody has said how to describe {check!r}")
    return made
