"""Addresses of webhooks: public ones of the Internet, none of the operator's own network.

An address is read when a webhook is made, and again before each call. Names are looked up then, and the call
goes to the very address that was looked at.
"""

from __future__ import annotations

import ipaddress
import re
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

import msgspec

MAX_URL_LENGTH = 2000
"""Characters of an address."""

_NAME = re.compile(
    r"(?=.{1,253}\Z)([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.)+[A-Za-z][A-Za-z0-9-]*\.?"
)
_SPECIAL = ("localhost", "local", "internal", "home.arpa", "onion", "test", "invalid")
"""Names that never are those of a public host, and whose subdomains are not."""
_CLOSED = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by the customers of a carrier
        "127.0.0.0/8",  # this machine
        "168.63.129.16/32",  # a cloud's own services, behind an address that looks public
        "169.254.0.0/16",  # this link, and the services of clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments, and the services of clouds
        "192.0.2.0/24",  # examples
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # relays to IPv6
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # examples
        "203.0.113.0/24",  # examples
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
"""The registry of special-purpose IPv4 addresses (RFC 6890), with multicast and one network of a cloud.

The list stands here, for Python's own depends on its version.
"""
_PUBLIC_6 = ipaddress.IPv6Network("2000::/3")
_CLOSED_6 = tuple(
    ipaddress.IPv6Network(text)
    for text in (
        "2001::/23",  # protocol assignments, Teredo among them: addresses of IPv4 in disguise
        "2001:db8::/32",  # examples
        "2002::/16",  # 6to4: addresses of IPv4 in disguise
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # examples
    )
)
"""The networks of the registry of special-purpose IPv6 addresses within the public part.

All others lie outside, such as those that map or translate IPv4 (``::ffff:0:0/96``, ``64:ff9b::/96``).
"""


class BadWebhookUrl(ValueError):
    """No webhook may lead there; the message says what is wrong."""


class WebhookTarget(msgspec.Struct, frozen=True):
    """The address to which a webhook leads."""

    host: str
    port: int
    path: str
    tls: bool = True

    @property
    def authority(self) -> str:
        """The host and port as the field ``Host`` has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


def parse_url(url: str, *, private: bool = False) -> WebhookTarget:
    """Return where *url* leads, as far as that can be told without asking anybody.

    Raises :class:`BadWebhookUrl`.

    *private*: True if private addresses, http and any port are allowed.
    """
    if len(url) > MAX_URL_LENGTH or not re.fullmatch(r"[!#-\[\]-~]+", url):
        raise BadWebhookUrl(
            f"The address is too long or has other characters. Send at most {MAX_URL_LENGTH} visible ASCII"
            f" characters."
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadWebhookUrl("This is not an address. Send one like https://example.org/rutter.") from None
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise BadWebhookUrl("The address does not begin with https://. Send one that does.")
    if not host:
        raise BadWebhookUrl("The address has no host. Send one like https://example.org/rutter.")
    if "@" in parts.netloc or parts.fragment:
        raise BadWebhookUrl("The address has a user, a password or a fragment. Remove it.")
    tls = parts.scheme == "https"
    port = (443 if tls else 80) if port is None else port
    if not private and port != 443 and port < 1024:
        raise BadWebhookUrl("This port is not allowed. Use 443, or 1024 and above.")
    if not private:
        _check_host(host)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return WebhookTarget(host, port, path, tls)


def _check_host(host: str) -> None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        name = host.removesuffix(".").lower()
        special = any(name == one or name.endswith(f".{one}") for one in _SPECIAL)
        if special or not _NAME.fullmatch(host):
            raise BadWebhookUrl("The host is not public. Send a public name or address.") from None
        return
    if not is_public(address):
        raise BadWebhookUrl("The host is not public. Send a public name or address.")


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return True if an address belongs to a host of the Internet, and to nobody's own network."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED)
    return address in _PUBLIC_6 and not any(address in network for network in _CLOSED_6)
