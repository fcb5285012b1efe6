"""`rutter openapi`: write the description of the API."""

import json

import click


@click.command("openapi")
def command() -> None:
    """Write the OpenAPI 3.1 description of the API to standard output. No server is needed."""
    from ops.server.wsgi import create_app
    from service.base.settings import Settings

    app = create_app(Settings(database_url="", log_requests=False))
    answer = app.test_client().get("/openapi.json")
    click.echo(json.dumps(answer.get_json(), indent=2, ensure_ascii=False))
