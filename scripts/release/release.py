"""Build and check everything of a release: `python scripts/release/release.py [--compiled] [FOLDER]` (default: dist).

Nothing is published.

docs/releasing.md lists what is made, and says how to publish it. `--compiled` also builds the wheel with compiled rooms
for this Python and machine, and needs a compiler of C. The tools come from the dependency group `release`, into
`build/release/tools`. pinebench with every extra is installed into `build/release/installed`, for the list of
components. Needs a network and npm.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scripts.release import listings  # noqa: E402 - of this checkout
from scripts.release.listings import Project, Resource  # noqa: E402

WORK = ROOT / "build" / "release"
MCPB = "@anthropic-ai/mcpb@2.1.2"
"""The checker of bundles, from npm."""
UNKNOWN: list[str] = []
"""The questions about known faults that nobody answered, for example without a network."""


class ReleaseError(Exception):
    """A step failed; the message names it and has its output."""


def main(arguments: list[str]) -> int:
    """Make the release in the folder. Return 1 if a step fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("dist"))
    parser.add_argument("--compiled", action="store_true", help="also build the wheel with compiled rooms")
    given = parser.parse_args(arguments)
    target = given.folder.resolve()
    about = listings.project()
    try:
        release(about, target, compiled=given.compiled)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    print(f"release: everything of pinebench {about.version} is in {target}; nothing was published")
    for reason in not_yet(about):
        print(f"release: do not publish it yet: {reason}", file=sys.stderr)
    return 0


def release(about: Project, target: Path, *, compiled: bool = False) -> None:
    """Build and check everything in `target`; with `compiled`, also the wheel with compiled rooms."""
    if others := listings.other_versions(about):
        raise ReleaseError(f"pinebench is {about.version}, but there is {', '.join(others)}")
    started = datetime.now(UTC)
    shutil.rmtree(WORK, ignore_errors=True)
    target.mkdir(parents=True, exist_ok=True)
    os.environ["SOURCE_DATE_EPOCH"] = _git("log", "-1", "--format=%ct") or "1577836800"
    tools = environment("tools", "--group", "release")
    wheel, sdist = packages(about, tools, target)
    more = [compiled_wheel(about, tools, target)] if compiled else []
    installed = environment("installed", f"{wheel}[all]")
    told = run(str(installed / "pinebench"), "--version")
    if about.version not in told:
        raise ReleaseError(f"the installed package says {told.strip()}")

    extension = target / f"pinebench-{about.version}.vsix"
    step("extension for VS Code", sys.executable, "scripts/release/build_vsix.py", str(extension))
    packed = target / f"pinebench-{about.version}.mcpb"
    pack_bundle(about, wheel, packed)
    (target / "server.json").write_text(listings.server(about, sha256(packed)), encoding="utf-8")
    formula = listings.formula(about, sha256(sdist), resources(about, tools))
    (target / "pinebench.rb").write_text(formula, encoding="utf-8")
    write_folder(target / "pre-commit-mirror", listings.mirror(about))
    write_folder(target / "linguist", listings.linguist())

    audit(installed, tools)
    components = target / f"pinebench-{about.version}.cdx.json"
    bill(installed, tools, components)
    made = [wheel, sdist, *more, extension, packed, target / "server.json", target / "pinebench.rb", components]
    write_checksums(made, target / "SHA256SUMS")
    text = provenance(about, made, started, datetime.now(UTC))
    (target / "provenance.unsigned.json").write_text(text, encoding="utf-8")


def not_yet(about: Project) -> list[str]:
    """Return the reasons why the release must not be published as it is."""
    reasons = list(UNKNOWN)
    if not about.has_home:
        reasons.append("pyproject.toml has no [project.urls] Repository, so addresses have the placeholder OWNER")
    if f"## {about.version}, not yet released" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        reasons.append(f"CHANGELOG.md calls {about.version} not yet released")
    if _git("status", "--porcelain"):
        reasons.append("the checkout has changes that are not committed")
    return reasons


def environment(name: str, *packages: str) -> Path:
    """Make a virtual environment with these packages; return the folder of its programs."""
    folder = WORK / name
    step(f"environment {name}", sys.executable, "-m", "venv", str(folder))
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    python = str(programs / "python")
    step("pip", python, "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1")
    step(f"packages of {name}", python, "-m", "pip", "install", "--quiet", *packages)
    return programs


def packages(about: Project, tools: Path, target: Path) -> tuple[Path, Path]:
    """Build the source archive, and the wheel from it, and check them as the package index does."""
    step("page of the studio", sys.executable, "scripts/release/build_page.py")
    step("wheel and source archive", str(tools / "python"), "-m", "build", "--outdir", str(target), str(ROOT))
    wheel = target / f"pinebench-{about.version}-py3-none-any.whl"
    sdist = target / f"pinebench-{about.version}.tar.gz"
    step("twine", str(tools / "twine"), "check", "--strict", str(wheel), str(sdist))
    step("check-wheel-contents", str(tools / "check-wheel-contents"), str(wheel))
    return wheel, sdist


def compiled_wheel(about: Project, tools: Path, target: Path) -> Path:
    """Build the wheel with compiled rooms, for this Python and machine only, and print its size and build time."""
    since = time.monotonic()
    build = (str(tools / "python"), "-m", "build", "--wheel", "--outdir", str(target), str(ROOT))
    step("wheel with compiled rooms", *build, environment={"PINEBENCH_COMPILED": "1"})
    (wheel,) = target.glob(f"pinebench-{about.version}-cp*.whl")
    step("twine", str(tools / "twine"), "check", "--strict", str(wheel))
    minutes, size = (time.monotonic() - since) / 60, wheel.stat().st_size / 2**20
    print(f"release: {wheel.name} has {size:.1f} MiB and took {minutes:.1f} minutes")
    return wheel


def pack_bundle(about: Project, wheel: Path, target: Path) -> None:
    """Pack the bundle for Claude Desktop with the wheel, and check its manifest."""
    folder = WORK / "bundle"
    write_folder(folder, listings.bundle(about, wheel.name))
    shutil.copy(wheel, folder)
    shutil.copy(ROOT / "LICENSE", folder)
    npx = shutil.which("npx")
    if npx is None:
        raise ReleaseError("npx is needed to check the bundle; it comes with Node.js")
    step("manifest of the bundle", npx, "--yes", MCPB, "validate", str(folder / "manifest.json"))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            # A fixed time, so that the same contents give the same file.
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)


def resources(about: Project, tools: Path) -> list[Resource]:
    """Return the wheels for the formula: the packages that pinebench requires, from the package index."""
    report = WORK / "resources.json"
    # Of the index itself: what this computer prefers must not come into the formula.
    pip = (str(tools / "python"), "-m", "pip", "--isolated", "install", "--index-url", "https://pypi.org/simple")
    pip += ("--quiet", "--dry-run", "--ignore-installed")
    # For the Python of the formula, which may be another one than this.
    where = ("--only-binary", ":all:", "--python-version", listings.BREW_PYTHON, "--target", str(WORK / "resources"))
    alone = {"PIP_CONFIG_FILE": os.devnull}
    step("requirements of the formula", *pip, *where, "--report", str(report), *about.requirements, environment=alone)
    found = [
        Resource(
            each["metadata"]["name"],
            each["download_info"]["url"],
            each["download_info"]["archive_info"]["hashes"]["sha256"],
        )
        for each in json.loads(report.read_text(encoding="utf-8"))["install"]
    ]
    index = "https://files.pythonhosted.org/"
    if others := [
        each.url for each in found if not (each.url.startswith(index) and each.url.endswith("-none-any.whl"))
    ]:
        raise ReleaseError(f"the formula needs wheels for every platform from the index, not {', '.join(others)}")
    return found


def audit(installed: Path, tools: Path) -> None:
    """Check for known vulnerabilities in the installed packages, and in the oldest ones that pinebench allows.

    Raises ReleaseError if there is one. Packages about which the index has no information are a reason in `not_yet`.
    """
    lines = run(str(installed / "python"), "-m", "pip", "freeze", "--exclude", "pinebench").splitlines()
    for name, entries in (("newest", [each for each in lines if "==" in each]), ("oldest", listings.lower_bounds())):
        print(f"release: known faults of the {name} packages", flush=True)
        wanted, answer = WORK / f"{name}.txt", WORK / f"{name}.audit.json"
        wanted.write_text("".join(f"{each}\n" for each in entries), encoding="utf-8")
        options = ("--disable-pip", "--no-deps", "--progress-spinner=off", "--format=json", "--output", str(answer))
        command = (str(tools / "pip-audit"), *options, "--requirement", str(wanted))
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if not answer.is_file():
            UNKNOWN.append(f"pip-audit could not look for known faults of the {name} packages: {done.stderr[-300:]}")
            continue
        faults, unknown = known_faults(json.loads(answer.read_text(encoding="utf-8")))
        if faults:
            raise ReleaseError(f"the {name} packages have known faults: {', '.join(faults)}")
        if unknown:
            UNKNOWN.append(f"nobody told the known faults of {len(unknown)} of the {name} packages: {unknown[0]} ...")


def known_faults(told: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the vulnerabilities in an answer of pip-audit, and the packages that it could not check."""
    faults: list[str] = []
    unknown: list[str] = []
    for each in told["dependencies"]:
        if "skip_reason" in each:
            unknown.append(each["name"])
        faults += [f"{each['name']} {each['version']}: {fault['id']}" for fault in each.get("vulns", ())]
    return faults, unknown


def bill(installed: Path, tools: Path, target: Path) -> None:
    """Write the list of components of pinebench with every extra, in the CycloneDX format."""
    program = str(tools / "cyclonedx-py")
    about = ("--pyproject", "pyproject.toml", "--output-reproducible", "--of", "JSON", "-o", str(target))
    step("list of components", program, "environment", str(installed / "python"), *about)


def write_folder(folder: Path, texts: dict[str, str]) -> None:
    """Write the texts by name into an empty `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def write_checksums(files: list[Path], target: Path) -> None:
    """Write the checksums for `sha256sum --check`."""
    target.write_text("".join(f"{sha256(path)}  {path.name}\n" for path in sorted(files)), encoding="utf-8")


def provenance(about: Project, files: list[Path], started: datetime, finished: datetime) -> str:
    """Return a statement about which files were built from which commit: in-toto, SLSA's provenance, unsigned."""
    repository: dict[str, Any] = {"uri": f"git+{about.repository}"}
    if commit := _git("rev-parse", "HEAD"):
        repository["digest"] = {"gitCommit": commit}
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": path.name, "digest": {"sha256": sha256(path)}} for path in sorted(files)],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{about.repository}/blob/v{about.version}/docs/releasing.md",
                "externalParameters": {"version": about.version},
                "internalParameters": {
                    "python": ".".join(map(str, sys.version_info[:3])),
                    "uncommittedChanges": bool(_git("status", "--porcelain")),
                },
                "resolvedDependencies": [repository],
            },
            "runDetails": {
                # Made by hand on one computer: nothing here proves who built it.
                "builder": {"id": f"{about.repository}/blob/v{about.version}/scripts/release/release.py"},
                "metadata": {"startedOn": _moment(started), "finishedOn": _moment(finished)},
            },
        },
    }
    return json.dumps(statement, indent=2) + "\n"


def sha256(path: Path) -> str:
    """Return the checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def step(name: str, *command: str, environment: dict[str, str] | None = None) -> None:
    """Run a step of the release. If it fails, ReleaseError has its output. `environment` is added to ours."""
    print(f"release: {name}", flush=True)
    run(*command, name=name, environment=environment)


def run(*command: str, name: str = "", environment: dict[str, str] | None = None) -> str:
    """Run a command in the checkout and return its output."""
    variables = {**os.environ, **(environment or {})}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"{name or command[0]} failed\n{done.stdout}{done.stderr}")
    return done.stdout


def _git(*arguments: str) -> str:
    """Return the output of a git command in the checkout; "" in a source archive."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _moment(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
