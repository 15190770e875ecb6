"""Build and pack the extension for VS Code: `python scripts/release/build_vsix.py [TARGET]` (needs npm).

The folder `pinebench/lsp/vscode` is copied to `build/vsix`, together with the grammar and its one dependency. It is
packed in the format of VS Code's own packer: a zip archive with two lists of its contents.
"""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "pinebench" / "lsp" / "vscode"
GRAMMAR = ROOT / "pinebench" / "grammars" / "pine.tmLanguage.json"
_TYPES = {
    ".html": "text/html",
    ".js": "application/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}


def main(arguments: list[str]) -> int:
    """Build and pack."""
    package = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    target = Path(arguments[0]) if arguments else ROOT / "dist" / f"pinebench-{package['version']}.vsix"
    folder = ROOT / "build" / "vsix"
    shutil.rmtree(folder, ignore_errors=True)
    gather(folder)
    npm = shutil.which("npm")
    if npm is None:
        print("build_vsix: npm is needed to fetch the client library", file=sys.stderr)
        return 3
    subprocess.run([npm, "install", "--omit=dev", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
    pack(folder, target)
    print(target)
    return 0


def gather(folder: Path) -> None:
    """Copy the extension and its grammar to `folder`."""
    shutil.copytree(SOURCE, folder)
    shutil.copy(GRAMMAR, folder)
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    (folder / "snippets.json").write_text(json.dumps(snippets(), indent=2) + "\n", encoding="utf-8")


def snippets() -> dict[str, dict[str, object]]:
    """Return the snippets for an editor without the server, in VS Code's form, with prefixes of their own."""
    from pinebench.services.snippets import SNIPPETS

    return {
        each.label: {
            "prefix": f"pine {each.label}",
            "description": each.detail,
            "body": (("//@version=6\n" if each.begins_script else "") + each.text).replace("    ", "\t").split("\n"),
        }
        for each in SNIPPETS
    }


def pack(folder: Path, target: Path) -> None:
    """Pack the extension in `folder` into the archive `target`."""
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("extension.vsixmanifest", _manifest(package))
        archive.writestr("[Content_Types].xml", _content_types(files))
        for path in files:
            archive.write(path, f"extension/{path.relative_to(folder).as_posix()}")


def _manifest(package: dict[str, str]) -> str:
    engine = package["engines"]["vscode"]  # type: ignore[index]
    icon = package["icon"]
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])}
      Publisher={quoteattr(package["publisher"])}/>
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(engine)}/></Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/{escape(icon)}</Icon>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/{escape(icon)}" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def _content_types(files: list[Path]) -> str:
    endings = {
        ".vsixmanifest": "text/xml",
        **{path.suffix: "application/octet-stream" for path in files if path.suffix},
    }
    endings |= {ending: kind for ending, kind in _TYPES.items() if ending in endings}
    rows = "".join(
        f"<Default Extension={quoteattr(end)} ContentType={quoteattr(kind)}/>" for end, kind in endings.items()
    )
    names = "http://schemas.openxmlformats.org/package/2006/content-types"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="{names}">{rows}</Types>\n'


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
