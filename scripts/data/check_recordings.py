"""Refuse folders of `pinebench verify --save` that contain personal data, before they are shared.

usage: python scripts/data/check_recordings.py FOLDER... [--name WORD]...

Refused are: paths, addresses, ids, keys and tokens; comments; your login, your computer's name and the author of git;
every WORD (your account's name, your layouts' names); files and keys that `pinebench verify` does not write. The
remaining texts are printed, because only you can judge them. The exit code is 1 if a folder is refused.
"""

import argparse
import getpass
import json
import socket
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pinebench.errors import PinebenchError  # noqa: E402
from pinebench.syntax import parse  # noqa: E402
from pinebench.syntax.nodes import Literal  # noqa: E402
from pinebench.syntax.walk import walk  # noqa: E402
from pinebench.verification import folders  # noqa: E402
from pinebench.verification.privacy import personal, without_remarks  # noqa: E402

FILES = frozenset({folders.ABOUT, folders.SCRIPT, folders.BARS, folders.PLOTS, folders.TRADES})
MOST_BYTES = 200_000_000
_COMMON = frozenset({"root", "user", "admin", "localhost", "home", "ubuntu", "runner"})
"""Names of users and computers that say nothing about anybody."""


def main(arguments: list[str]) -> int:
    """Check folders, and print the problems and the texts that you must read."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--name", action="append", default=[], metavar="WORD", help="a name that must not be in it")
    given = parser.parse_args(arguments)
    names = [*given.name, *own_names()]
    is_refused = False
    for folder in given.folders:
        found = faults(folder, names)
        for fault in found:
            print(f"{folder}: {fault}", file=sys.stderr)
        is_refused |= bool(found)
        if not found:
            print(f"{folder}: nothing personal was found; read these texts yourself:")
            print("".join(f"  {text}\n" for text in remaining(folder)), end="")
    return int(is_refused)


def own_names() -> list[str]:
    """Return the names of this user and this computer, and of the author of git."""
    found = {socket.gethostname(), Path.home().name}
    with suppress(KeyError, OSError):  # a user without a name
        found.add(getpass.getuser())
    for key in ("user.name", "user.email"):
        try:
            done = subprocess.run(["git", "config", key], capture_output=True, text=True, check=False)
        except FileNotFoundError:
            break
        found.add(done.stdout.strip())
    return sorted(each for each in found if each and each.casefold() not in _COMMON)


def faults(folder: Path, names: Collection[str] = ()) -> list[str]:
    """Return the reasons why a folder must not be shared, without the personal texts themselves."""
    if folder.is_symlink() or not folder.is_dir():
        return ["is not a folder"]
    found = [f"has {kind}, which pinebench does not write" for kind in _strangers(folder)]
    if found:
        return found
    try:
        recording = folders.load(str(folder))
    except PinebenchError as error:
        # The message may name the path of the folder and repeat the text.
        return [f"is not a recording that can be read ({type(error).__name__})"]
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
    found = [
        f"{name} has something that pinebench does not write; save it again"
        for name, text in folders.written(recording).items()
        if _form(name, texts.get(name, "")) != _form(name, text)
    ]
    if without_remarks(recording.script) != recording.script:
        found.append(f"{folders.SCRIPT} has comments or texts of alerts")
    # JSON hides letters behind \u, so the texts are looked at as they read, too.
    plain = {name: "\n".join(_strings(json.loads(text))) for name, text in texts.items() if name.endswith(".json")}
    seen = [*personal(texts, names), *personal({folders.SCRIPT: "\n".join(_literals(recording.script))}, names)]
    found += [f"{each.file}, line {each.line}, holds {each.kind}" for each in seen]
    found += [f"{each.file} holds {each.kind}" for each in personal(plain, names)]
    return list(dict.fromkeys(found))


def remaining(folder: Path) -> list[str]:
    """Return the texts of a folder that no rule can judge: of the script, its inputs, and the titles of its plots."""
    recording = folders.load(str(folder))
    about = json.loads((folder / folders.ABOUT).read_text(encoding="utf-8"))
    texts = [*_literals(recording.script), *_strings([about["inputs"], about["plots"], about["left_out"]])]
    return sorted({json.dumps(text) for text in texts if text.strip()})


def _strangers(folder: Path) -> Iterator[str]:
    """Yield the kinds of files that do not belong in such a folder."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or not path.is_file():
            yield "a link or a folder"
        elif path.name not in FILES:
            yield "another file"
        elif path.stat().st_size > MOST_BYTES:
            yield f"a {path.name} of more than {MOST_BYTES // 1_000_000} MB"


def _form(name: str, text: str) -> Any:
    """Return the content of a file, without JSON formatting, to compare it with the file that pinebench would write."""
    return json.loads(text) if name.endswith(".json") and text else text


def _strings(value: Any) -> Iterator[str]:
    """Yield all texts in a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _literals(script: str) -> Iterator[str]:
    """Yield the texts of the strings in a script; strings joined by `+` are one text."""
    document = parse(script)
    for chunk in document.chunks:
        parts = [
            script[chunk.start + node.start : chunk.start + node.end].strip("\"'")
            for node in walk(chunk.body)
            if isinstance(node, Literal) and node.kind == "string"
        ]
        yield from parts
        if len(parts) > 1:
            yield "".join(parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
