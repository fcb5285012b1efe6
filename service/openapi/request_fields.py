"""The fields of which the schemas of requests are made: each takes what JSON has, and nothing like it.

Nothing is converted on the way: ``"1"`` and ``true`` are no integers. What is loaded is JSON again, with
times and ids in the one form in which they are kept. :mod:`schema_descriptions` describes these fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import marshmallow as ma
import msgspec
from marshmallow import fields

from events.base.timestamps import FarTime, format_time, read_time
from events.rules.fact import Json


class PlainSchema(ma.Schema):
    """A schema whose own errors say what to do, in place of marshmallow's."""

    error_messages = {  # noqa: RUF012 - marshmallow's form
        "unknown": "This is unknown. Leave it out.",
        "type": "Must be an object.",
    }

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Word the errors of a member that is missing or null."""
        field_obj.error_messages |= {
            "required": "This is missing. Send it.",
            "null": "This must not be null. Send a value, or leave it out.",
        }


class Integer(fields.Integer):
    """An integer as JSON writes it."""

    default_error_messages = {"invalid": "Must be an integer."}  # noqa: RUF012

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid", input=value)
        return value


class Number(fields.Float):
    """A number as JSON writes it."""

    default_error_messages = {"invalid": "Must be a number."}  # noqa: RUF012

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        if type(value) not in (int, float):
            raise self.make_error("invalid", input=value)
        return value


class Boolean(fields.Boolean):
    """``true`` or ``false``."""

    default_error_messages = {"invalid": "Must be true or false."}  # noqa: RUF012

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


class Text(fields.String):
    """A string."""

    default_error_messages = {"invalid": "Must be a string."}  # noqa: RUF012


class Enumeration(fields.Field[Any]):
    """One of some values, compared together with their types (``true`` is not 1)."""

    default_error_messages = {"choice": "Must be one of: {choices}."}  # noqa: RUF012 - marshmallow's form

    def __init__(self, choices: tuple[Any, ...], **settings: Any) -> None:
        super().__init__(**settings)
        self.choices = choices

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        if any(type(value) is type(choice) and value == choice for choice in self.choices):
            return value
        raise self.make_error("choice", choices=", ".join(str(choice) for choice in self.choices))


class Sequence(fields.List[Any]):
    """A list; marshmallow's own would take any iterable, a string among them."""

    default_error_messages = {"invalid": "Must be a list."}  # noqa: RUF012

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)


class FixedTuple(fields.Field[Any]):
    """A list with a field of its own for each place."""

    default_error_messages = {"length": "Must be a list of {length} items."}  # noqa: RUF012

    def __init__(self, items: tuple[fields.Field[Any], ...], **settings: Any) -> None:
        super().__init__(**settings)
        self.items = items

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, list) or len(value) != len(self.items):
            raise self.make_error("length", length=len(self.items))
        errors: dict[int, Any] = {}
        made = []
        for place, (field, item) in enumerate(zip(self.items, value, strict=True)):
            try:
                made.append(field.deserialize(item))
            except ma.ValidationError as error:
                errors[place] = error.messages
        if errors:
            raise ma.ValidationError(errors)
        return made


class Constant(Enumeration):
    """One value."""

    def __init__(self, value: Any, **settings: Any) -> None:
        super().__init__((value,), **settings)


class UntaggedUnion(fields.Field[Any]):
    """A value of one of several kinds; the errors are those of the kind that came nearest."""

    def __init__(
        self,
        kinds: tuple[fields.Field[Any], ...],
        *,
        component: str | None = None,
        description: str = "",
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.kinds = kinds
        self.component, self.description = component, description

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        complaints = []
        for kind in self.kinds:
            try:
                return kind.deserialize(value)
            except ma.ValidationError as error:
                complaints.append(error.messages)
        # A dictionary of complaints speaks of the inside of the value: its outer kind did fit.
        raise ma.ValidationError(max(complaints, key=lambda c: isinstance(c, dict)))


class StrictMapping(fields.Dict):
    """An object whose keys are data; only objects are taken."""

    default_error_messages = {"invalid": "Must be an object."}  # noqa: RUF012

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)  # type: ignore[no-untyped-call]


class IntegerKey(fields.Field[Any]):
    """An integer as the key of an object: there it stands as a string."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        if not isinstance(value, str) or not re.fullmatch(r"-?(0|[1-9][0-9]{0,15})", value):
            raise ma.ValidationError("The name is not an integer. Send an integer in quotes.")
        return value


class Pattern:
    """A check that a text matches a pattern, in which `$` is the end alone, as in JSON Schema.

    *find_fault*, if given, words what is wrong with another text.
    """

    def __init__(self, pattern: str, find_fault: Callable[[str, str], str | None] | None = None) -> None:
        self.pattern, self._find_fault = pattern, find_fault
        # In Python `$` also matches before a last line feed.
        self._compiled = re.compile(re.sub(r"(?<!\\)\$\Z", r"\\Z", pattern))

    def __call__(self, value: str) -> None:
        """Raise marshmallow.ValidationError for another text."""
        if self._compiled.search(value):
            return
        fault = self._find_fault and self._find_fault(value, self.pattern)
        raise ma.ValidationError(fault or f"Must match the pattern {self.pattern}.")


class FarMoment(str):
    """A time of another year than 2000 to 2999: a whole request is refused for it, once it is read."""

    __slots__ = ()


class Moment(fields.Field[Any]):
    """A time in RFC 3339; it is loaded as events record it, in UTC with microseconds.

    Times of other years than 2000 to 2999 have the right shape: see :class:`FarMoment`.
    """

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> str:
        text = value if isinstance(value, str) else ""
        try:
            return format_time(read_time(text))
        except FarTime:
            return FarMoment(text)
        except ValueError:
            told = "Send a time in RFC 3339, such as 2026-03-01T12:00:00Z."
            raise ma.ValidationError(told) from None


UUID_REGEX = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class Uuid(fields.Field[Any]):
    """A UUID in its usual form; it is loaded in lower case."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> str:
        if not isinstance(value, str) or not UUID_REGEX.fullmatch(value):
            raise ma.ValidationError("Send a UUID, such as 01941f29-7c00-7000-8000-000000000001.")
        return value.lower()


class Null(fields.Field[Any]):
    """Null, where another member is given."""

    def __init__(self) -> None:
        super().__init__(allow_none=True)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        raise ma.ValidationError("Leave it out.")


class UnusedMember(Null):
    """A member that this service has no use for: only null is taken. It is not described.

    For generators leave out a member that can be nothing else than null.
    """

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        raise ma.ValidationError(self.reason)


class Rule(NamedTuple):
    """A rule for an object beyond the shape of each member: its JSON Schema, and the check."""

    described: Json
    check: Callable[[Json], None]
    """Raises marshmallow.ValidationError by field, or Rejected for what is a rule of the core."""


class ObjectSchema(PlainSchema):
    """An object that has no other members than its fields."""

    class Meta:
        """See the class."""

        unknown = ma.RAISE

    component: str | None = None
    """The name of its component in the description; None: it is described where it stands."""
    description: str = ""
    struct: type[msgspec.Struct] | None = None
    """The Struct that it is made of, whose docstrings describe its members."""
    rules: tuple[Rule, ...] = ()
    examples: tuple[Json, ...] = ()

    @ma.validates_schema
    def _check_rules(self, data: Json, **_settings: Any) -> None:
        for rule in self.rules:
            rule.check(data)


def make_object(
    members: Mapping[str, fields.Field[Any]],
    *,
    component: str | None = None,
    description: str = "",
    struct: type[msgspec.Struct] | None = None,
    rules: tuple[Rule, ...] = (),
    examples: tuple[Json, ...] = (),
) -> ObjectSchema:
    """Make the schema of an object with these *members*, see :class:`ObjectSchema`."""
    made = ObjectSchema.from_dict(dict(members), name=component or "Object")()
    assert isinstance(made, ObjectSchema)  # noqa: S101 - made of it
    made.component, made.description, made.struct = component, description, struct
    made.rules, made.examples = rules, examples
    return made


class Part(fields.Nested):
    """An object inside another; its schema may be made when it is first needed."""

    schema: ObjectSchema


class Choice(fields.Field[Any]):
    """An object of one of several forms."""

    def __init__(
        self,
        forms: Mapping[str, ObjectSchema],
        *,
        component: str | None = None,
        description: str = "",
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.forms = dict(forms)
        self.component, self.description = component, description

    def choose_form(self, value: Json) -> ObjectSchema:
        """Return the form of *value*. Raises marshmallow.ValidationError for none."""
        raise NotImplementedError

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise ma.ValidationError("Must be an object.")
        return self.choose_form(value).load(value)


class TaggedUnion(Choice):
    """An object whose form the value of one member tells: *forms* by that value."""

    def __init__(self, tag: str, forms: Mapping[str, ObjectSchema], **settings: Any) -> None:
        super().__init__(forms, **settings)
        self.tag = tag

    def choose_form(self, value: Json) -> ObjectSchema:
        """Return the form that the tag names."""
        tag = value.get(self.tag)
        form = self.forms.get(tag) if isinstance(tag, str) else None
        if form is None:
            raise ma.ValidationError({self.tag: [f"Must be one of: {', '.join(self.forms)}."]})
        return form


class ExclusiveChoice(Choice):
    """An object that has exactly one of some members, which tells its form: *forms* by that member."""

    def __init__(self, forms: Mapping[str, ObjectSchema], *, error: str, **settings: Any) -> None:
        super().__init__(forms, **settings)
        self.error = error

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise ma.ValidationError(self.error)
        return super()._deserialize(value, attr, data)

    def choose_form(self, value: Json) -> ObjectSchema:
        """Return the form that the one member decides."""
        given = [name for name in self.forms if value.get(name) is not None]
        if len(given) != 1:
            raise ma.ValidationError(self.error)
        return self.forms[given[0]]
