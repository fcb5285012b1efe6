"""The server with one more endpoint: the trivial validated POST that HTTP commands compare with."""

from dataclasses import replace

from flask import Flask, Response, jsonify, request
from marshmallow import Schema, fields

from ops.server import wsgi
from service.base.settings import Settings


class Echo(Schema):
    """About as much to validate as in a command."""

    type = fields.String(required=True)
    card = fields.String(required=True)
    target_player = fields.Integer(required=True, strict=True)


def create_app() -> Flask:
    """Return the service with `POST /bench/echo`; one client may ask for as much as they can."""
    app = wsgi.create_app(replace(Settings.from_environment(), limits="off"))
    schema = Echo()

    def echo() -> Response:
        return jsonify(schema.load(request.get_json()))

    app.add_url_rule("/bench/echo", "bench_echo", echo, methods=["POST"])
    return app
