"""Kinds of members that many answers have."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from events.proof.canonical import MAX_INTEGER

Seq = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Uuid = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Time = Annotated[
    str, Meta(description="A time in RFC 3339, in UTC.", extra_json_schema={"format": "date-time"})
]
SeatNumber = Annotated[int, Meta(ge=0, le=99)]
Status = Literal["open", "running", "finished"]
HEX32 = "[0-9a-f]{64}"
NO_NUL = "^[^\\x00]*$"
Hex32 = Annotated[str, Meta(pattern=f"^{HEX32}$")]
WHO = "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$"
"""The base64 of 32 bytes."""
Who = Annotated[str, Meta(pattern=WHO)]
Salt = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Object = dict[str, Any]
Scalar = bool | int | str | None
Row = dict[str, Scalar | list[Scalar] | dict[str, Scalar | list[Scalar]]]
"""Words and numbers by their names, as they are stored."""


def component_meta(component: str) -> Meta:
    """Return the mark of a member that is described by hand, or title by title.

    See :mod:`service.openapi.title_components`.
    """
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{component}"})


Options = Annotated[Object, component_meta("Options")]
View = Annotated[Object, component_meta("View")]
Given = Annotated[Object, component_meta("Command")]
Recorded = Annotated[Object, component_meta("RecordedCommand")]
Data = Annotated[Object, component_meta("Data")]
Members = Annotated[Object, component_meta("Members")]
Position = Annotated[Object, component_meta("Position")]
Board = Annotated[Object, component_meta("Board")]
Schema = Annotated[Object, component_meta("JsonSchema")]
TableOf = Annotated[Object, component_meta("Reference")]
ForkOf = Annotated[Object, component_meta("Origin")]
Kind = Literal["personal", "service"]
Percent = Annotated[int, Meta(ge=0, le=100)]
Secret = Annotated[
    str,
    Meta(
        description="Send it as `Authorization: Bearer <token>`. It is shown only once.",
        examples=["rut_5q3wVnT0yLrPzXh8kJd2GmBcFs7aEuN9tQoRiYv4W1K0x2mK9b"],
    ),
]
Within = Annotated[
    int,
    Meta(
        description="Milliseconds until every process refuses the old token: 1000, or 30000 without Redis.",
        examples=[1000],
    ),
]
CURSOR = "Send it as `after` to continue after this line."


def json_text_schema(*components: str) -> Object:
    """Return a text that holds JSON as one of *components* describes it."""
    forms = [{"$ref": f"#/components/schemas/{name}"} for name in components]
    return {"contentMediaType": "application/json", "contentSchema": {"anyOf": forms}}
