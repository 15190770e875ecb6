"""The oldest versions of libraries that may be installed have none of the known faults that could reach our users."""

import re
import tomllib
from pathlib import Path
from typing import Any

PROJECT: dict[str, Any] = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
MENDED = {
    "starlette": ((0, 49, 1), "CVE-2025-62727: a header of a range makes a request for a file take very long"),
    "pillow": ((11, 3), "CVE-2025-48379: a picture of DDS writes beyond its buffer"),
    "requests": ((2, 32, 4), "CVE-2024-35195 and CVE-2024-47081: certificates are not checked, passwords leak"),
    "cryptography": ((44, 0, 1), "CVE-2024-12797: a raw public key is not checked"),
    "h11": ((0, 16), "CVE-2025-43859: the framing of chunks is lenient, so that requests can be smuggled"),
}
"""The first versions without a fault, and the fault."""
_NAMED = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*([^;]*)")


def requirements() -> list[tuple[str, str]]:
    """The name and the range of each library that an installation or a development environment takes."""
    groups = [PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values()]
    groups += PROJECT.get("dependency-groups", {}).values()
    found = [_NAMED.match(each) for group in groups for each in group if isinstance(each, str)]
    return [(each[1].lower().replace("_", "-"), each[2]) for each in found if each is not None]


def lowest(versions: str) -> tuple[int, ...]:
    """The lowest version of a range; empty if there is none."""
    found = re.search(r"(?:>=|==|~=)\s*([0-9.]+)", versions)
    return tuple(map(int, found[1].strip(".").split("."))) if found else ()


def test_no_range_admits_a_version_with_a_known_fault() -> None:
    named = requirements()
    for name, (mended, fault) in MENDED.items():
        ranges = [versions for each, versions in named if each == name]
        assert ranges, f"{name} is not bounded: {fault}"
        assert [versions for versions in ranges if lowest(versions) < mended] == [], f"{name}: {fault}"


def test_every_library_that_is_installed_with_pinebench_has_a_tested_range() -> None:
    groups = [PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values()]
    for each in (each for group in groups for each in group if not each.startswith("pinebench")):
        assert "==" in each or ("<" in each and lowest(each)), each
