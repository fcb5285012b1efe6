"""The client address of a request, where proxies stand before the service."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from flask import request

IpAddress = IPv4Address | IPv6Address


@dataclass(frozen=True)
class TrustedProxies:
    """The trusted proxies: *hops* of them, whatever their addresses, and those in *networks*."""

    hops: int = 0
    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    def find_client(self, peer: str, forwarded: str) -> str:
        """Return the nearest address that is no trusted proxy; *forwarded* is X-Forwarded-For."""
        nearest = _parse_address(peer)
        chain = [entry.strip() for entry in forwarded.split(",")] if forwarded else []
        for hop, entry in enumerate(reversed(chain)):
            if nearest is None or not self._is_proxy(nearest, hop):
                break
            further = _parse_address(entry)
            if further is None:
                break
            nearest = further
        return peer if nearest is None else str(nearest)

    def _is_proxy(self, address: IpAddress, hop: int) -> bool:
        return hop < self.hops or any(address in network for network in self.networks)


NO_TRUSTED_PROXIES = TrustedProxies()


def _parse_address(text: str) -> IpAddress | None:
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def get_client_address(proxies: TrustedProxies) -> str:
    """Return the address of the client of this request."""
    return proxies.find_client(request.remote_addr or "", request.headers.get("X-Forwarded-For", ""))


def client_network(address: str) -> str:
    """Return the name that counts as one client: an IPv4 address, or the /64 network of an IPv6 address."""
    found = _parse_address(address)
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address


def is_local_client(proxies: TrustedProxies) -> bool:
    """Return True if the request comes from this machine itself, and no unknown proxy forwards it."""
    found = _parse_address(get_client_address(proxies))
    known = bool(proxies.hops or proxies.networks)
    return found is not None and found.is_loopback and (known or "X-Forwarded-For" not in request.headers)
