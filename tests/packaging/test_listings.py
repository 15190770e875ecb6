"""What others are told about a release is made from pyproject.toml and the version, and says nothing else."""

import json
import tomllib
import zipfile
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest
import yaml

import pinebench
from scripts.release import listings, release
from scripts.release.listings import PLACEHOLDER, Resource
from tests.cli.support import CHECKOUT

ABOUT = listings.project()
HOME = ABOUT._replace(repository="https://github.com/somebody/pinebench")


def test_the_version_is_the_one_of_the_package_everywhere() -> None:
    assert ABOUT.version == pinebench.__version__
    assert listings.other_versions(ABOUT) == []
    others = listings.other_versions(ABOUT._replace(version="9.9.9"))
    assert {other.partition(":")[0] for other in others} == {
        "pinebench/lsp/vscode/package.json",
        "docs/ci.md",
        "CHANGELOG.md",
    }


def test_no_address_is_invented() -> None:
    assert ABOUT.repository == PLACEHOLDER or "OWNER" not in ABOUT.repository
    assert not HOME._replace(repository=PLACEHOLDER).has_home and HOME.has_home
    manifest = listings.manifest(HOME._replace(repository=PLACEHOLDER))
    assert not {"repository", "homepage", "documentation", "support", "privacy_policies"} & manifest.keys()
    with pytest.raises(ValueError, match=r"github\.com"):
        listings.server(HOME._replace(repository="https://example.org/pinebench"), "0" * 64)


def test_a_release_that_must_not_be_published_says_why() -> None:
    assert any("OWNER" in reason for reason in release.not_yet(HOME._replace(repository=PLACEHOLDER)))
    assert not any("OWNER" in reason for reason in release.not_yet(HOME))
    assert not any("not yet released" in reason for reason in release.not_yet(HOME._replace(version="9.9.9")))


def test_the_bundle_starts_the_server_of_the_wheel_in_it() -> None:
    texts = listings.bundle(HOME, "pinebench-1.whl")
    manifest = json.loads(texts["manifest.json"])
    assert manifest["version"] == HOME.version
    assert manifest["server"]["entry_point"] in texts
    assert manifest["server"]["mcp_config"]["args"][-1] == manifest["server"]["entry_point"]
    named = {tool["name"] for tool in manifest["tools"]}
    assert {"pine_lint", "chart_get_state"} <= named and len(named) == len(manifest["tools"])
    project = tomllib.loads(texts["pyproject.toml"])
    assert project["project"]["requires-python"] == HOME.python
    assert project["tool"]["uv"]["sources"]["pinebench"] == {"path": "pinebench-1.whl"}
    extras = project["project"]["dependencies"][0].partition("[")[2].rstrip("]").split(",")
    declared = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(extras) <= declared["project"]["optional-dependencies"].keys()


@pytest.mark.parametrize(
    ("settings", "arguments"),
    [
        ({}, ["mcp"]),
        ({"FOLDER": "", "READ_ONLY": "false"}, ["mcp"]),
        ({"FOLDER": "${user_config.folder}", "READ_ONLY": "${user_config.read_only}"}, ["mcp"]),
        ({"FOLDER": "/my scripts", "READ_ONLY": "true"}, ["mcp", "--folder", "/my scripts", "--read-only"]),
    ],
)
def test_the_bundle_passes_the_settings_of_the_host(
    settings: dict[str, str], arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr("pinebench.cli.main", lambda given: called.append(given) or 0)
    monkeypatch.setattr("sys.argv", ["server.py"])
    for name, value in settings.items():
        monkeypatch.setenv(f"PINEBENCH_BUNDLE_{name}", value)
    with pytest.raises(SystemExit):
        exec(listings.bundle(HOME, "x.whl")["server.py"], {})
    assert called == [arguments]


def test_the_registry_gets_the_package_and_the_bundle_with_its_checksum() -> None:
    server = json.loads(listings.server(HOME, "ab" * 32))
    assert server["name"] == "io.github.somebody/pinebench"
    assert len(server["description"]) <= 100
    package, bundle = server["packages"]
    assert (server["version"], package["version"], bundle["version"]) == (HOME.version,) * 3
    assert package["runtimeArguments"][0]["value"].endswith(f"=={HOME.version}")
    assert bundle["fileSha256"] == "ab" * 32
    assert bundle["identifier"].endswith(f"/v{HOME.version}/pinebench-{HOME.version}.mcpb")


def test_the_formula_has_the_checksums_and_every_requirement() -> None:
    lark = Resource("lark", "https://files.pythonhosted.org/lark-1-py3-none-any.whl", "cd" * 32)
    formula = listings.formula(HOME, "ab" * 32, [lark])
    assert f'/v{HOME.version}/pinebench-{HOME.version}.tar.gz"\n  sha256 "{"ab" * 32}"' in formula
    assert f'resource "lark" do\n    url "{lark.url}"\n    sha256 "{lark.sha256}"' in formula
    assert f'license "{HOME.license}"' in formula


def test_the_mirror_for_pre_commit_has_our_hooks_and_installs_this_version() -> None:
    texts = listings.mirror(HOME)
    ours = yaml.safe_load((CHECKOUT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert yaml.safe_load(texts[".pre-commit-hooks.yaml"]) == ours
    assert tomllib.loads(texts["pyproject.toml"])["project"]["dependencies"] == [f"pinebench=={HOME.version}"]
    shown = yaml.safe_load(texts["README.md"].partition("```yaml\n")[2].partition("```")[0])["repos"][0]
    assert {hook["id"] for hook in shown["hooks"]} == {hook["id"] for hook in ours}
    assert shown["rev"] == f"v{HOME.version}"


def test_the_proposal_to_linguist_has_samples_and_the_grammar_it_names() -> None:
    texts = listings.linguist()
    language = yaml.safe_load(texts["lib/linguist/languages.yml"])["Pine Script"]
    assert json.loads(texts["grammars/pine.tmLanguage.json"])["scopeName"] == language["tm_scope"]
    samples = [text for name, text in texts.items() if name.startswith("samples/Pine Script/")]
    assert len(samples) == len(listings.SAMPLES)
    assert all(pinebench.check(text).ok for text in samples)


def test_the_provenance_names_every_file_with_its_checksum_and_signs_nothing(tmp_path: Path) -> None:
    made = [tmp_path / "b.whl", tmp_path / "a.tar.gz"]
    for path in made:
        path.write_text(path.name)
    when = datetime(2026, 1, 2, tzinfo=UTC)
    statement = json.loads(release.provenance(HOME, made, when, when))
    # The fields that in-toto's statement and SLSA's provenance must have.
    jsonschema.validate(
        statement,
        {
            "required": ["_type", "subject", "predicateType", "predicate"],
            "properties": {
                "_type": {"const": "https://in-toto.io/Statement/v1"},
                "predicateType": {"const": "https://slsa.dev/provenance/v1"},
                "predicate": {
                    "required": ["buildDefinition", "runDetails"],
                    "properties": {
                        "buildDefinition": {"required": ["buildType", "externalParameters"]},
                        "runDetails": {"required": ["builder"], "properties": {"builder": {"required": ["id"]}}},
                    },
                },
            },
        },
    )
    subjects = {each["name"]: each["digest"]["sha256"] for each in statement["subject"]}
    assert subjects == {path.name: release.sha256(path) for path in made}
    assert "signatures" not in statement
    release.write_checksums(made, tmp_path / "SHA256SUMS")
    assert (tmp_path / "SHA256SUMS").read_text().splitlines() == [f"{subjects[n]}  {n}" for n in sorted(subjects)]


def hatch_build() -> ModuleType:
    """The build hook, which imports hatchling."""
    return import_module("hatch_build")


def test_the_long_description_leads_to_the_repository() -> None:
    text = "[docs](docs/a.md) ![Run](docs/pictures/run.png) [up](#top) [out](https://example.org/x)"
    told = hatch_build().long_description(text, "https://github.com/somebody/pinebench/", "1.2.3")
    home = "https://github.com/somebody/pinebench"
    assert told == (
        f"[docs]({home}/blob/v1.2.3/docs/a.md) ![Run]({home}/raw/v1.2.3/docs/pictures/run.png) [up](#top) "
        "[out](https://example.org/x)\n<!-- mcp-name: io.github.somebody/pinebench -->\n"
    )
    assert hatch_build().long_description(text, "", "1.2.3") == text


def test_the_bundle_is_the_same_file_for_the_same_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "WORK", tmp_path / "work")
    monkeypatch.setattr(release, "step", lambda *_, **__: None)
    wheel = tmp_path / "pinebench-1.whl"
    wheel.write_bytes(b"wheel")
    packed = [tmp_path / "one.mcpb", tmp_path / "two.mcpb"]
    for each in packed:
        release.pack_bundle(HOME, wheel, each)
    assert packed[0].read_bytes() == packed[1].read_bytes()
    names = set(zipfile.ZipFile(packed[0]).namelist())
    assert names == {"manifest.json", "pyproject.toml", "server.py", "LICENSE", wheel.name}


def test_every_requirement_has_an_oldest_version_that_is_audited() -> None:
    found = listings.lower_bounds()
    assert {"h11==0.16", "pillow==11.3", "pychrome==0.2.4", "requests==2.32.4", "starlette==0.49.1"} <= set(found)
    assert len(found) == len({each.partition("==")[0] for each in found})


def test_an_audit_that_nobody_answered_is_no_good_news() -> None:
    told = {
        "dependencies": [
            {"name": "requests", "version": "2.31", "vulns": [{"id": "CVE-2024-35195"}]},
            {"name": "lark", "version": "1.2", "vulns": []},
            {"name": "mcp", "skip_reason": "Dependency not found on PyPI and could not be audited: mcp (2.3)"},
        ]
    }
    assert release.known_faults(told) == (["requests 2.31: CVE-2024-35195"], ["mcp"])
