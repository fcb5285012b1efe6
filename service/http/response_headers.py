"""Headers of every answer: security, and the permission for pages elsewhere to use the API."""

from __future__ import annotations

from flask import Flask, Response, request

ALLOWED_HEADERS = (
    "Accept, Authorization, Cache-Control, Content-Type, Idempotency-Key, If-Match, If-None-Match,"
    " Last-Event-ID, Rutter-Client, Rutter-Signature, X-Request-ID"
)
"""The request headers that pages elsewhere may send.

`Rutter-Client` is for a program's name and version: browsers let none of their pages write User-Agent.
"""
EXPOSED_HEADERS = (
    "ETag, Location, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID,"
    " WWW-Authenticate, Allow, Content-Disposition, Deprecation, Sunset, Link, Rutter-Effective-Within-Ms"
)
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
)


def install(app: Flask) -> None:
    """Give every answer of *app* its headers."""

    @app.before_request
    def _answer_preflight() -> Response | None:
        if (
            request.method == "OPTIONS"
            and "Access-Control-Request-Method" in request.headers
            and _is_open_to_other_origins()
        ):
            methods = _list_methods(app)
            if not methods:
                return None  # nothing is at this address: a 404 says so
            answer = Response(status=204)
            answer.headers["Access-Control-Allow-Methods"] = ", ".join(methods)
            answer.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
            answer.headers["Access-Control-Max-Age"] = "86400"
            return answer
        return None

    @app.after_request
    def _add_headers(answer: Response) -> Response:
        headers = answer.headers
        if request.method == "OPTIONS" and not answer.data:
            headers.pop("Content-Type", None)  # of nothing
        headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        headers.setdefault("X-Content-Type-Options", "nosniff")
        headers.setdefault("Referrer-Policy", "no-referrer")
        if _is_open_to_other_origins():
            # Tokens are sent by hand and never by the browser on its own, so any origin may ask.
            headers["Access-Control-Allow-Origin"] = "*"
            headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        return answer


def _list_methods(app: Flask) -> list[str]:
    """Return the methods that this address takes."""
    adapter = app.create_url_adapter(request)
    taken = set(adapter.allowed_methods()) if adapter else set()
    return [method for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE") if method in taken]


def _is_open_to_other_origins() -> bool:
    return request.path.startswith(("/v1", "/log/")) or request.path == "/openapi.json"
