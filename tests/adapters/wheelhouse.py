"""Wheels of what is installed here, so that pip can install it elsewhere without a network."""

import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement


def make_wheels(folder: Path, *names: str) -> None:
    """Write a wheel of each installed package in `names`, and of what they require, into `folder`."""
    wanted, made = list(names), set[str]()
    while wanted:
        name = wanted.pop()
        if name.lower() in made:
            continue
        made.add(name.lower())
        try:
            found = distribution(name)
        except PackageNotFoundError:  # required on other systems only
            continue
        requirements = [Requirement(text) for text in found.requires or ()]
        wanted += [each.name for each in requirements if each.marker is None or each.marker.evaluate({"extra": ""})]
        version = found.version.replace("-", "_")
        stem = found.metadata["Name"].replace("-", "_").replace(".", "_")
        with zipfile.ZipFile(folder / f"{stem}-{version}-py3-none-any.whl", "w") as wheel:
            for file in found.files or ():
                path = Path(str(found.locate_file(file)))
                if ".." not in file.parts and "__pycache__" not in file.parts and path.is_file():
                    wheel.write(path, str(file))
