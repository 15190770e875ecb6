"""Only addresses of the public internet are public, whatever they are wrapped in, and on every version of Python."""

import ast
from pathlib import Path

import pytest

import pinebench
from pinebench.public_addresses import is_public

PUBLIC = (
    *("93.184.216.34", "1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1"),
    *("168.63.129.15", "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450:4001:81b::200e", "64:ff9b::8.8.8.8"),
)
SPECIAL = (
    *("0.0.0.0", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.255", "168.63.129.16"),
    *("169.254.169.254", "172.16.5.5", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.1.1"),
    *("198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::7f00:1", "::a9fe:a9fe", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe", "100::1", "2001::1", "2001:0:7f00:1::"),
    *("2001:2::1", "2001:10::1", "2001:db8::1", "2002:7f00:1::1", "2002:a9fe:a9fe::1", "3fff::1", "5f00::1"),
    *("0:0:0:0:0:0:0:1", "0000::0001", "::FFFF:7F00:1", "::ffff:10.0.0.1", "64:FF9B::A00:1", "64:ff9b::192.168.0.1"),
    *("64:ff9b::168.63.129.16", "64:ff9b:1:ffff::1", "2002:c0a8:101::", "2002:0a00:0001::1", "2001:0:a9fe:a9fe::1"),
    *("2001:1ff:ffff::1", "::1%1", "fe80::1%25eth0", "FEC0::1", "feff::1", "4000::1", "8000::1", "1fff::1", "ffff::1"),
    *("127.0.0.2", "0.1.2.3", "10.255.255.255", "172.20.0.1", "198.19.255.255", "239.255.255.250", "250.0.0.1"),
    *("fc00::1", "fd00:ec2::254", "fd12::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1"),
)


NAMES = (
    *(
        "localhost",
        "",
        " 8.8.8.8",
        "8.8.8.8 ",
        "8.8.8",
        "0x8.8.8.8",
        "010.8.8.8",
        "134744072",
        "8.8.8.8:80",
        "[::1]",
        "::1]",
    ),
    *("8.8.8.8\x00", "１.1.1.1", "8。8。8。8", "2606:2800:220:1:248:1893:25c8:1946:1", "::ffff:8.8.8.256", "%eth0"),
)
"""What is no address: other readers may take some of them for one, so none of them is judged."""


def test_special_addresses_are_not_public_and_others_are() -> None:
    assert [address for address in PUBLIC if not is_public(address)] == []
    assert [address for address in SPECIAL if is_public(address)] == []
    for name in NAMES:
        with pytest.raises(ValueError, match="not appear to be"):
            is_public(name)


def test_no_other_place_decides_what_is_public() -> None:
    """A second rule would drift from this one."""
    asked = {"is_global", "is_private", "is_link_local", "is_reserved", "ipv4_mapped", "sixtofour", "teredo"}
    root = Path(pinebench.__file__).parent
    found = [
        f"{path.relative_to(root)}:{node.lineno}"
        for path in root.rglob("*.py")
        if "node_modules" not in path.parts and "ipaddress" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr in asked
    ]
    assert found == []
