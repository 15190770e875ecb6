"""Decides which IP addresses belong to the public internet, by the registries of special addresses.

Every connection to an address that somebody else named follows this rule. The table is our own: Python's `is_global`
differs between versions, and it knows neither the addresses at which cloud providers offer their keys nor all forms in
which an IPv6 address contains an IPv4 address.
"""

from __future__ import annotations

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_SPECIAL_4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by a provider's customers; also metadata of Alibaba's cloud
            "127.0.0.0/8",  # this computer
            "168.63.129.16/32",  # Azure's services for its machines
            "169.254.0.0/16",  # link-local; also metadata of most clouds
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments; also metadata of Oracle's cloud
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # former relays of 6to4
            "192.168.0.0/16",  # private
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
_UNICAST_6 = ipaddress.IPv6Network("2000::/3")
"""The only part of IPv6 that is given out to the public. Private, link-local, site-local and mapped addresses, and the
other wrappings of IPv4 are outside of it."""
_SPECIAL_6 = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which wraps an IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""The prefix by which a network without IPv4 reaches IPv4 addresses; such an address is as public as the IPv4 one."""


def is_public(address: str | Address) -> bool:
    """Return whether an IP address belongs to the public internet. Raises ValueError if it is not an IP address."""
    found = ipaddress.ip_address(address.partition("%")[0]) if isinstance(address, str) else address
    if isinstance(found, ipaddress.IPv4Address):
        return not any(found in network for network in _SPECIAL_4)
    if found in _NAT64:
        return is_public(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF))
    return found in _UNICAST_6 and not any(found in network for network in _SPECIAL_6)
