"""The recipes of docs/deploy: their commands are ones that pinebench knows, and the pages show them as they are."""

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from hatch_build import LANGUAGE
from pinebench.cli import common
from pinebench.cli.console import Parser

DOCS = Path(__file__).parents[2] / "docs"
DEPLOY = DOCS / "deploy"


def understood(words: list[str]) -> dict[str, object]:
    """The options that pinebench reads from a command line. It fails for what pinebench does not know."""
    parser, _ = common.declare(Parser(prog="pinebench").add_subparsers(parser_class=Parser, prog="pinebench"), words[0])
    return vars(parser.parse_args(words[1:]))


def instruction(name: str) -> list[str]:
    """The words of an instruction of the Dockerfile, which is written as JSON; the last one counts."""
    found = re.findall(rf"^{name} (\[.*\])$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    return json.loads(found[-1])


def test_the_page_shows_the_recipes_for_proxies() -> None:
    page = (DOCS / "operation.md").read_text()
    for name, language in (("Caddyfile", "caddy"), ("nginx.conf", "nginx")):
        assert f"```{language}\n{(DEPLOY / name).read_text()}```" in page


def test_the_image_and_the_composition_start_the_server() -> None:
    entry, command = instruction("ENTRYPOINT"), instruction("CMD")
    assert entry[0] == "pinebench"
    found = understood([*entry[1:], *command])
    assert (found["host"], found["serve"], found["log"], found["port"]) == ("0.0.0.0", True, "json", None)
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    found = understood([*entry[1:], *services["pinebench"]["command"]])
    assert found["trade"] == ["BTCUSDT", "ETHUSDT"]
    assert services["pinebench"]["read_only"] is True
    assert (DEPLOY / services["pinebench"]["build"]["context"]).resolve() == DOCS.parent
    assert services["caddy"]["command"][-1] == "pinebench:9315"


def test_the_composition_of_several_engines_starts_each_part() -> None:
    entry = instruction("ENTRYPOINT")
    told = yaml.safe_load((DEPLOY / "compose-engines.yaml").read_text())
    services = told["services"]
    ours = {name: each for name, each in services.items() if "build" in each}
    begun = {name: understood([*each.get("entrypoint", entry)[1:], *each["command"]]) for name, each in ours.items()}
    assert {name: each.get("action") for name, each in begun.items()} == {
        "feed": "feed", "engine-1": "run", "engine-2": "run", "server": None,
    }  # fmt: skip
    assert begun["feed"]["symbols"] == ["BTCUSDT", "ETHUSDT"]
    assert begun["server"]["engines"] is True
    # Each has a state of its own, the password of the broker as a file, and no port but the proxy's.
    states = [each["volumes"] for each in ours.values()]
    assert len({state[0] for state in states}) == len(ours)
    assert all("broker-password" in each["secrets"] for each in (*ours.values(), services["broker"]))
    assert [name for name, each in services.items() if "ports" in each] == ["caddy"]
    settings = services["broker"]["command"][-1]
    assert all(word in settings for word in ("requirepass", "appendonly yes", "appendfsync always", "noeviction"))
    assert told["networks"]["inside"]["internal"] is True


CLUSTER = DEPLOY / "cluster"


@pytest.fixture
def members_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with files in the place of the keys, because Dask looks whether they are there."""
    for name in ("ca.pem", "member.pem", "member.key"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_composition_of_a_cluster_starts_a_scheduler_and_workers_with_tls(members_keys: Path) -> None:
    """Dask itself reads the commands. Each part gets three files of keys and never the key of the authority."""
    from distributed.cli import dask_scheduler, dask_worker

    told = yaml.safe_load((CLUSTER / "compose.yaml").read_text())
    begun: dict[str, dict[str, object]] = {}
    for name, program in (("scheduler", dask_scheduler.main), ("worker", dask_worker.main)):
        service = told["services"][name]
        dask, part, *words = service["command"]
        assert (dask, part) == ("dask", name)
        here = [word.replace("/keys/", f"{members_keys}/") for word in words]
        begun[name] = program.make_context(name, here).params
        keys = {volume.split(":")[1]: volume.split(":")[0] for volume in service["volumes"]}
        files = [Path(str(begun[name][key])).name for key in ("tls_ca_file", "tls_cert", "tls_key")]
        assert [keys[f"/keys/{file}"] for file in files] == ["./keys/ca.pem", "./keys/member.pem", "./keys/member.key"]
        assert all(volume.endswith(":ro") for volume in service["volumes"]) and len(keys) == 3
        assert service["read_only"] is True and service["cap_drop"] == ["ALL"] and service["user"] != "0"
        assert (CLUSTER / service["build"]["context"]).resolve() == DOCS.parent
        assert (DOCS.parent / service["build"]["dockerfile"]).exists()
        assert begun[name]["dashboard"] is False
    assert (begun["scheduler"]["protocol"], begun["scheduler"]["port"]) == ("tls", "8786")
    assert (begun["worker"]["scheduler"], begun["worker"]["nthreads"]) == ("tls://scheduler:8786", 1)
    # Only the scheduler is reached from outside, and only from this machine.
    assert told["services"]["scheduler"]["ports"] == ["127.0.0.1:8786:8786"]
    assert "ports" not in told["services"]["worker"]


def test_the_image_of_a_cluster_is_made_of_the_files_of_a_wheel() -> None:
    assert (CLUSTER / "Dockerfile.dockerignore").read_text() == (DEPLOY / "Dockerfile.dockerignore").read_text()
    extras = re.search(r"/src\[([a-z,]+)\]", (CLUSTER / "Dockerfile").read_text())
    assert extras is not None and set(extras[1].split(",")) == {"cluster", "fast"}


@pytest.mark.usefixtures("members_keys")
def test_the_commands_of_a_cluster_by_hand_are_ones_of_dask() -> None:
    from distributed.cli import dask_scheduler, dask_worker

    page = (DOCS / "clusters.md").read_text()
    found = [shlex.split(line) for line in page.splitlines() if line.startswith("dask ")]
    assert [words[1] for words in found] == ["scheduler", "worker"]
    dask_scheduler.main.make_context("scheduler", found[0][2:])
    dask_worker.main.make_context("worker", found[1][2:])
    called = re.search(r"^pinebench optimize (.*\\\n.*)$", page, re.MULTILINE)
    assert called is not None
    assert understood(["optimize", *shlex.split(called[1].replace("\\\n", " "))])["scheduler"] == "tls://127.0.0.1:8786"


def test_the_image_runs_without_root_and_needs_only_what_is_there() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    users = re.findall(r"^USER (\S+)$", text, re.MULTILINE)
    assert users == ["10001"]
    assert text.index("USER") < text.index("ENTRYPOINT")
    kept = [line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"]
    assert all((DOCS.parent / name).exists() for name in kept)
    build = tomllib.loads((DOCS.parent / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    sources = {*wheel["packages"], *wheel["force-include"], LANGUAGE, build["hooks"]["custom"]["path"]}
    assert {"pyproject.toml", "README.md", "LICENSE", "scripts", *sources} <= {*kept}


def test_the_health_check_of_the_image_is_a_program() -> None:
    found = re.search(r"^HEALTHCHECK .*\\\n\s+CMD (\[.*\])$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert found is not None
    python, option, program = json.loads(found[1])
    assert (python, option) == ("python", "-c")
    compile(program, "health", "exec")
    assert "127.0.0.1:9315" in program


def test_the_unit_starts_the_server(tmp_path: Path) -> None:
    unit = (DEPLOY / "pinebench.service").read_text()
    line = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    assert line is not None
    words = shlex.split(line[1])
    assert words[0].endswith("/bin/pinebench")
    found = understood(words[1:])
    assert (found["base_url"], found["log"]) == ("https://charts.example.org", "json")
    # Scripts of alerts are limited by setrlimit, which a narrower filter would end with a signal.
    assert "~@privileged\n" in unit and "@resources" not in unit


@pytest.mark.soak
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    assert shutil.which("systemd-analyze") is not None, "this test needs systemd-analyze"
    unit = (DEPLOY / "pinebench.service").read_text().replace("/opt/pinebench/bin/pinebench", "/bin/true")
    (tmp_path / "pinebench.service").write_text(unit)
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "pinebench.service")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "pinebench.service:" not in ended.stderr, ended.stderr
