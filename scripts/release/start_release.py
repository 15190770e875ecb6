"""Start each artefact of a release once, in an empty environment.

Usage: python scripts/release/start_release.py DIST [NAME...]

DIST is the folder that `make release` fills. The artefacts are wheel, sdist, vsix, mcpb, image and site; NAMEs choose
some of them. Each one gets its own home folder, which is deleted afterwards. Packages come from the registries. Without
a running Docker, the image's own steps are done here instead, and its line says so. The site is the one of `make docs`.
The exit code is 1 if one of them does not start.
"""

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "docs" / "deploy" / "Dockerfile"
SCRIPT = '//@version=6\nindicator("x")\nplot(ta.sma(close, 9), "mean")\n'
SECONDS = 900
"""How long one step may take at most."""
STUB = """
const Module = require('node:module'), load = Module._load;
const anything = new Proxy(function () {}, { get: (_, name) => name === 'then' ? undefined : anything,
  apply: () => anything, construct: () => anything });
Module._load = (name, ...rest) => name === 'vscode' ? anything : load(name, ...rest);
const extension = require(process.argv[1]);
if (typeof extension.activate !== 'function') throw new Error('it has no function activate');
console.log('activates');
process.exit(0);
"""
"""Loads the extension's program as VS Code does; only the interface of the editor is not real."""


class StartError(Exception):
    """An artefact does not start; the message says what was tried and has the output."""


def main(arguments: list[str]) -> int:
    """Start the artefacts, and print a line for each."""
    if not arguments or not set(arguments[1:]) <= set(ARTEFACTS):
        print(f"usage: start_release.py DIST [{' '.join(ARTEFACTS)}]", file=sys.stderr)
        return 2
    dist, failed = Path(arguments[0]).resolve(), False
    for name, start in ARTEFACTS.items():
        if arguments[1:] and name not in arguments[1:]:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix=f"pinebench-{name}-") as folder:
            try:
                told = start(dist, Path(folder))
            except (StartError, OSError) as error:
                told, failed = f"DOES NOT START: {error}", True
        print(f"{name:6} {time.monotonic() - began:6.1f} s  {told}", flush=True)
    return int(failed)


def start_wheel(dist: Path, folder: Path) -> str:
    """Install the wheel, check a script and run it."""
    return _installed(_only(dist, "*.whl"), folder)


def start_sdist(dist: Path, folder: Path) -> str:
    """Install the source archive, without npm on the PATH, check a script and run it."""
    return _installed(_only(dist, "*.tar.gz"), folder)


def _installed(package: Path, folder: Path, extras: str = "") -> str:
    home = _home(folder, PATH="/usr/bin:/bin" if shutil.which("npm", path="/usr/bin:/bin") is None else "")
    programs = _environment(folder / "venv", home, f"{package}{extras}")
    script = folder / "script.pine"
    script.write_text(SCRIPT, encoding="utf-8")
    version = _run(home, str(programs / "pinebench"), "--version").strip()
    _run(home, str(programs / "pinebench"), "lint", str(script))
    told = json.loads(
        _run(home, str(programs / "pinebench"), "run", str(script), "--data", "sample:AAPL", "--format", "json")
    )
    if not told:
        raise StartError("a run gave nothing")
    return f"{version}: checked and ran a script"


def start_vsix(dist: Path, folder: Path) -> str:
    """Unpack the extension and load its program in Node.js."""
    with zipfile.ZipFile(_only(dist, "*.vsix")) as archive:
        archive.extractall(folder)
    about = json.loads((folder / "extension" / "package.json").read_text(encoding="utf-8"))
    program = (folder / "extension" / about["main"]).resolve()
    _run(_home(folder), _program("node"), "-e", STUB, str(program))
    return f"{about['name']} {about['version']}: its program loads and can be activated"


def start_mcpb(dist: Path, folder: Path) -> str:
    """Unpack the bundle, start its server according to the manifest, and request its tools."""
    with zipfile.ZipFile(_only(dist, "*.mcpb")) as archive:
        archive.extractall(folder / "bundle")
    manifest = json.loads((folder / "bundle" / "manifest.json").read_text(encoding="utf-8"))
    config = manifest["server"]["mcp_config"]
    settings = {"__dirname": str(folder / "bundle"), "user_config.folder": str(folder), "user_config.read_only": "true"}

    def filled(text: str) -> str:
        return re.sub(r"\$\{([\w.]+)\}", lambda found: settings[found[1]], text)

    uv = _environment(folder / "uv", _home(folder), "uv")
    given = {name: filled(text) for name, text in config["env"].items()}
    home = {**_home(folder, PATH=f"{uv}{os.pathsep}{os.environ['PATH']}", UV_PYTHON=sys.executable), **given}
    command = [str(uv / config["command"]), *map(filled, config["args"])]
    tools = _tools(command, home)
    return f"{manifest['name']} {manifest['version']}: offers {len(tools)} tools"


def _tools(command: list[str], home: dict[str, str]) -> list[str]:
    """Return the names of the tools that a server over stdio offers."""
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "start", "version": "1"}}
    lines = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    )
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home
    ) as server:
        assert server.stdin is not None and server.stdout is not None and server.stderr is not None
        try:
            server.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
            server.stdin.flush()
            for line in server.stdout:
                told: dict[str, Any] = json.loads(line)
                if told.get("id") == 2:
                    return [tool["name"] for tool in told["result"]["tools"]]
        finally:
            server.kill()
        raise StartError(f"the server ended without an answer: {server.stderr.read()[-500:]}")


def start_image(_dist: Path, folder: Path) -> str:
    """Build the image and start it; without Docker, do the steps of its recipe here."""
    docker = shutil.which("docker")
    if docker is not None and subprocess.run([docker, "info"], capture_output=True, check=False).returncode == 0:
        return _image_by_docker(docker)
    recipe = RECIPE.read_text(encoding="utf-8")
    extras = re.search(r'pip install [^"]*"\.(\[[\w,]+\])"', recipe)
    if extras is None:
        raise StartError(f"{RECIPE.name}: installs no package")
    source = folder / "source"
    _copy_context(source)
    home = _home(folder)
    programs = _environment(folder / "venv", home, f"{source}{extras[1]}")
    entry = json.loads(re.findall(r"^ENTRYPOINT (\[.*\])$", recipe, re.MULTILINE)[-1])
    command = json.loads(re.findall(r"^CMD (\[.*\])$", recipe, re.MULTILINE)[-1])
    port = _free_port()
    secret = folder / "passphrase"
    secret.write_text("a passphrase of twenty letters\n", encoding="utf-8")
    secret.chmod(0o600)
    words = [str(programs / entry[0]), *entry[1:], *command, "--port", str(port), "--passphrase-file", str(secret)]
    check = json.loads(re.findall(r"^    CMD (\[.*\])$", recipe, re.MULTILINE)[-1])
    check = [str(programs / check[0]), *(word.replace("9315", str(port)) for word in check[1:])]
    # As compose.yaml starts it: a server for other computers names the address of its proxy.
    home["PINEBENCH_BASE_URL"] = "https://charts.example.org"
    with _server(words, home):
        _until(lambda: subprocess.run(check, env=home, capture_output=True, check=False).returncode == 0)
    return "without Docker: the recipe's steps install it, its command serves, its health check is content"


def _image_by_docker(docker: str) -> str:
    home = dict(os.environ)
    _run(home, docker, "build", "--quiet", "-f", str(RECIPE), "-t", "pinebench-start", str(ROOT))
    version = _run(home, docker, "run", "--rm", "--entrypoint", "pinebench", "pinebench-start", "--version")
    return f"{version.strip()}: the image is built and runs"


def _copy_context(target: Path) -> None:
    """Copy the files that Docker would send, according to the recipe's list."""
    lines = Path(f"{RECIPE}.dockerignore").read_text(encoding="utf-8").splitlines()
    admitted = [line[1:] for line in lines if line.startswith("!")]
    refused = [line for line in lines if line and not line.startswith(("#", "!")) and line != "*"]

    def left_out(folder: str, names: list[str]) -> set[str]:
        paths = {name: (Path(folder) / name).relative_to(ROOT).as_posix() for name in names}
        return {name for name, path in paths.items() if any(_matches(path, pattern) for pattern in refused)}

    for name in admitted:
        place = ROOT / name
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if place.is_dir():
            shutil.copytree(place, target / name, ignore=left_out)
        else:
            shutil.copy(place, target / name)


def _matches(path: str, pattern: str) -> bool:
    return fnmatch.fnmatch(path, pattern) or (
        pattern.startswith("**/") and fnmatch.fnmatch(path.rpartition("/")[2], pattern[3:])
    )


def start_site(_dist: Path, folder: Path) -> str:
    """Serve the site of `make docs` like any web server, and fetch its first page and its playground."""
    site = ROOT / "build" / "site"
    if not (site / "index.html").is_file():
        raise StartError("build/site has no site: run 'make docs' first")
    port = _free_port()
    words = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(site)]
    with _server(words, _home(folder)):
        _until(lambda: _fetched(f"http://127.0.0.1:{port}/") is not None)
        for page, expected in (("", "pinebench"), ("playground/", "playground"), ("search/search_index.json", "docs")):
            if expected not in (_fetched(f"http://127.0.0.1:{port}/{page}") or ""):
                raise StartError(f"the page /{page} does not show {expected!r}")
    return f"{sum(1 for _ in site.rglob('*.html'))} pages; the first one, the playground and the search are served"


# steps


def _only(dist: Path, pattern: str) -> Path:
    found = sorted(dist.glob(pattern))
    if len(found) != 1:
        raise StartError(f"{dist} has {len(found)} files {pattern}, not one: run 'make release' into an empty folder")
    return found[0]


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise StartError(f"{name} is needed")
    return found


def _home(folder: Path, **more: str) -> dict[str, str]:
    """Return the variables of an empty home; only the settings for fetching packages are kept."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_", "npm_config"))}
    places = {
        "HOME": str(folder),
        "PINEBENCH_STATE_DIR": str(folder / "state"),
        "PINEBENCH_CACHE_DIR": str(folder / "c"),
    }
    return {**kept, "PATH": os.environ["PATH"], **places, **{name: value for name, value in more.items() if value}}


def _environment(folder: Path, home: dict[str, str], *packages: str) -> Path:
    """Make a virtual environment with these packages, and return the folder of its programs."""
    _run(home, sys.executable, "-m", "venv", str(folder))
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    _run(home, str(programs / "python"), "-m", "pip", "install", "--quiet", *packages)
    return programs


def _run(home: dict[str, str], *command: str) -> str:
    """Run a command and return its output. Raises StartError if it fails."""
    try:
        done = subprocess.run(
            command, cwd=home.get("HOME"), env=home, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise StartError(f"{Path(command[0]).name} did not end within {SECONDS} s") from None
    if done.returncode:
        raise StartError(f"{' '.join(command[:4])}: exit code {done.returncode}\n{(done.stdout + done.stderr)[-1500:]}")
    return done.stdout


@contextmanager
def _server(words: list[str], home: dict[str, str]) -> Generator[None]:
    process = subprocess.Popen(words, env=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def _until(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds. Raises StartError if it does not within three minutes."""
    end = time.monotonic() + 180
    while not holds():
        if time.monotonic() > end:
            raise StartError("nothing answered within three minutes")
        time.sleep(0.5)


def _fetched(address: str) -> str | None:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return answer.read().decode("utf-8")
    except OSError:
        return None


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


ARTEFACTS: dict[str, Callable[[Path, Path], str]] = {
    "wheel": start_wheel,
    "sdist": start_sdist,
    "vsix": start_vsix,
    "mcpb": start_mcpb,
    "image": start_image,
    "site": start_site,
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
