"""Make the files with which others find and install pinebench, from `pyproject.toml` and the version.

Each function returns the text of one file, or several texts by name, and does not read or write other files.
`scripts/release/release.py` writes them. While `pyproject.toml` names no repository, addresses have the placeholder
OWNER and must not be published.
"""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PLACEHOLDER = "https://github.com/OWNER/pinebench"
"""The address of the repository until `[project.urls]` has the line `Repository`."""
REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
BREW_PYTHON = "3.13"
"""The Python that the Homebrew formula depends on."""
EXTRAS = "mcp,chart,run"
"""The extras that a model's client gets with pinebench: the server, charts in a browser, and pictures of runs."""
SAMPLES = ("trend_structure.pine", "breakout_strategy.pine", "stats_library.pine", "session_clock.pine")
"""The scripts of `pine/samples/` that a proposal to Linguist shows: an indicator, a strategy, a library, drawings."""


class Project(NamedTuple):
    """The facts about pinebench in every listing."""

    version: str
    summary: str
    license: str
    python: str
    keywords: list[str]
    repository: str
    requirements: list[str]

    @property
    def has_home(self) -> bool:
        """Whether the address of the repository is known."""
        return self.repository != PLACEHOLDER

    @property
    def registry_name(self) -> str:
        """The name in the MCP registry, which only the owner of the GitHub repository may use."""
        found = re.fullmatch(r"https://github\.com/([\w.-]+)/([\w.-]+)", self.repository)
        if found is None:
            raise ValueError(f"the MCP registry needs a repository on github.com, not {self.repository}")
        return f"io.github.{found[1]}/{found[2]}"


class Resource(NamedTuple):
    """A package that the Homebrew formula installs next to pinebench: a wheel for every platform."""

    name: str
    url: str
    sha256: str


def project(root: Path = ROOT) -> Project:
    """Read the project's data from the checkout `root`."""
    about = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    package = (root / "pinebench" / "__init__.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'^__version__ = "([^"]+)"$', package, re.MULTILINE)
    return Project(
        version,
        about["description"],
        about["license"],
        about["requires-python"],
        about["keywords"],
        about.get("urls", {}).get("Repository", PLACEHOLDER).removesuffix("/"),
        about["dependencies"],
    )


def lower_bounds(root: Path = ROOT) -> list[str]:
    """Return the oldest version of each package that pinebench and its extras allow, as `name==version`."""
    about = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    every = [*about["dependencies"], *(one for extra in about["optional-dependencies"].values() for one in extra)]
    bounds = [re.match(r"([\w.-]+)(?:\[[\w,-]*\])?\s*(?:>=|==)\s*([\w.]+)", each) for each in every]
    named = {each[1]: each[2] for each in bounds if each is not None}
    if missing := [each for each in every if not each.startswith(("pinebench[", *named))]:
        raise ValueError(f"no lower bound: {', '.join(missing)}")
    return [f"{name}=={version}" for name, version in sorted(named.items())]


def other_versions(about: Project, root: Path = ROOT) -> list[str]:
    """Return the places that name a version other than the package's, each with that version."""
    extension = json.loads((root / "pinebench/lsp/vscode/package.json").read_text(encoding="utf-8"))["version"]
    pages = re.findall(r"OWNER/pinebench@v([\w.]+)", (root / "docs/ci.md").read_text(encoding="utf-8"))
    (changelog, *_) = re.findall(r"^## ([\w.]+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    found = [
        ("pinebench/lsp/vscode/package.json", extension),
        *(("docs/ci.md", each) for each in pages),
        ("CHANGELOG.md", changelog),
    ]
    return [f"{place}: {version}" for place, version in found if version != about.version]


# The bundle for Claude Desktop


def bundle(about: Project, wheel: str) -> dict[str, str]:
    """Return the texts of the bundle by name. The host's uv installs the file `wheel`, which is packed beside them."""
    return {
        "manifest.json": _json(manifest(about)),
        "pyproject.toml": f"""\
[project]
name = "pinebench-bundle"
version = "{about.version}"
requires-python = "{about.python}"
dependencies = ["pinebench[{EXTRAS}]"]

[tool.uv]
package = false

[tool.uv.sources]
pinebench = {{ path = "{wheel}" }}
""",
        "server.py": '''\
"""Starts pinebench's MCP server with the settings of the host."""

import os
import sys

from pinebench.cli import main

arguments = ["mcp"]
folder = os.environ.get("PINEBENCH_BUNDLE_FOLDER", "")
if folder and not folder.startswith("${"):  # a host may leave out a setting, or its name may stay as it is
    arguments += ["--folder", folder]
if os.environ.get("PINEBENCH_BUNDLE_READ_ONLY") == "true":
    arguments.append("--read-only")
sys.exit(main([*arguments, *sys.argv[1:]]))
''',
    }


def manifest(about: Project) -> dict[str, Any]:
    """Return the manifest of the bundle, in version 0.4 of its specification."""
    home: dict[str, Any] = {}
    if about.has_home:
        home = {
            "repository": {"type": "git", "url": f"{about.repository}.git"},
            "homepage": about.repository,
            "documentation": f"{about.repository}/blob/v{about.version}/docs/clients.md",
            "support": f"{about.repository}/issues",
            "privacy_policies": [f"{about.repository}/blob/v{about.version}/docs/privacy.md"],
        }
    return {
        "manifest_version": "0.4",
        "name": "pinebench",
        "display_name": "Pinebench for Pine Script",
        "version": about.version,
        "description": about.summary,
        "long_description": "Checks, runs, back-tests and writes scripts of Pine Script v6 on this computer, and works "
        "with a TradingView chart in a browser that you start. The first start installs Python packages.",
        "author": {"name": "The pinebench authors"},
        **home,
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "server.py"],
                "env": {
                    "PINEBENCH_BUNDLE_FOLDER": "${user_config.folder}",
                    "PINEBENCH_BUNDLE_READ_ONLY": "${user_config.read_only}",
                },
            },
        },
        "tools": _tools(),
        "tools_generated": True,
        "keywords": about.keywords,
        "license": about.license,
        "compatibility": {"platforms": ["darwin", "win32", "linux"], "runtimes": {"python": about.python}},
        "user_config": {
            "folder": {
                "type": "directory",
                "title": "Folder with scripts",
                "description": "Claude may list, read and save the scripts in this folder, and nothing outside of it.",
                "required": False,
            },
            "read_only": {
                "type": "boolean",
                "title": "Only read",
                "description": "Leave out every tool that changes something.",
                "default": False,
            },
        },
    }


def _tools() -> list[dict[str, str]]:
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from pinebench.tools import registry

    return [{"name": tool.name, "description": tool.summary} for tool in registry.chosen()]


# The MCP registry


def server(about: Project, bundle_sha256: str) -> str:
    """Return the registry's `server.json`: the package for uvx, and the bundle with its checksum."""
    release = f"{about.repository}/releases/download/v{about.version}"
    return _json(
        {
            "$schema": REGISTRY_SCHEMA,
            "name": about.registry_name,
            "title": "Pinebench",
            "description": "Check, run, back-test and write Pine Script v6, and work with a TradingView chart.",
            "version": about.version,
            "repository": {"url": about.repository, "source": "github"},
            "packages": [
                {
                    "registryType": "pypi",
                    "identifier": "pinebench",
                    "version": about.version,
                    "runtimeHint": "uvx",
                    "runtimeArguments": [
                        {"type": "named", "name": "--with", "value": f"pinebench[{EXTRAS}]=={about.version}"}
                    ],
                    "packageArguments": [{"type": "positional", "value": "mcp"}],
                    "transport": {"type": "stdio"},
                },
                {
                    "registryType": "mcpb",
                    "identifier": f"{release}/pinebench-{about.version}.mcpb",
                    "version": about.version,
                    "fileSha256": bundle_sha256,
                    "transport": {"type": "stdio"},
                },
            ],
        }
    )


# Homebrew


def formula(about: Project, sdist_sha256: str, resources: list[Resource]) -> str:
    """Return the Homebrew formula for the source archive with this checksum; `resources` are its requirements."""
    blocks = "\n".join(
        f'  resource "{each.name}" do\n    url "{each.url}"\n    sha256 "{each.sha256}"\n  end\n'
        for each in sorted(resources)
    )
    source = f"{about.repository}/releases/download/v{about.version}/pinebench-{about.version}.tar.gz"
    return f'''\
class Pinebench < Formula
  include Language::Python::Virtualenv

  desc "Workbench for Pine Script v6: check, write, mend and chart scripts"
  homepage "{about.repository}"
  url "{source}"
  sha256 "{sdist_sha256}"
  license "{about.license}"

  depends_on "python@{BREW_PYTHON}"

{blocks}
  def install
    virtualenv_install_with_resources
  end

  test do
    (testpath/"test.pine").write "//@version=6\\nindicator(\\"Test\\")\\nplot(close)\\n"
    assert_match "nothing to report", shell_output("#{{bin}}/pinebench lint test.pine")
    system bin/"pinebench", "run", "test.pine", "--data", "sample:AAPL@1Dx50"
  end
end
'''


# pre-commit


def mirror(about: Project, root: Path = ROOT) -> dict[str, str]:
    """Return the files of a repository for pre-commit, whose hooks install the released package and build nothing."""
    return {
        ".pre-commit-hooks.yaml": (root / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"),
        "LICENSE": (root / "LICENSE").read_text(encoding="utf-8"),
        "README.md": f"""\
# pinebench for pre-commit

Hooks that check and format Pine Script with [pinebench]({about.repository}). Each tag installs the release of pinebench
with the same version.

```yaml
repos:
  - repo: {about.repository}-pre-commit
    rev: v{about.version}
    hooks:
      - id: pinebench-lint
        args: [--fail-on, unchecked]
      - id: pinebench-format
```
""",
        "pyproject.toml": f"""\
[build-system]
requires = ["hatchling>=1.26,<2"]
build-backend = "hatchling.build"

[project]
name = "pinebench-pre-commit"
version = "{about.version}"
description = "Hooks of pinebench for pre-commit."
license = "{about.license}"
requires-python = "{about.python}"
dependencies = ["pinebench=={about.version}"]

[tool.hatch.build.targets.wheel]
bypass-selection = true
""",
    }


# Linguist


def linguist(root: Path = ROOT) -> dict[str, str]:
    """Return the files of a proposal to Linguist, which colours scripts and counts languages on GitHub."""
    samples = {
        f"samples/Pine Script/{name}": (root / "pine" / "samples" / name).read_text(encoding="utf-8")
        for name in SAMPLES
    }
    return {
        "lib/linguist/languages.yml": """\
Pine Script:
  type: programming
  color: "#2962ff"
  extensions:
  - ".pine"
  tm_scope: source.pine
  ace_mode: text
""",
        "grammars/pine.tmLanguage.json": (root / "pinebench/grammars/pine.tmLanguage.json").read_text(encoding="utf-8"),
        **samples,
        "PROPOSAL.md": """\
# Pine Script in Linguist

- The extension `.pine` belongs to no other language in Linguist, so there is no entry in `heuristics.yml`. If another
  language takes it, `^//@version=[1-9]` and `^(indicator|strategy|library|study)[(]` tell them apart.
- The samples were written for pinebench and are under its MIT licence.
- The grammar is the one of pinebench's extension for VS Code, scope `source.pine`, MIT licence.
- `script/update-ids` gives the language its number. The colour is a proposal.
- Before you open the pull request, search GitHub for the extension: Linguist asks for at least 200 repositories.
""",
    }


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
