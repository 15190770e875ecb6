"""Runs single modules of the studio's page by node, without a browser."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).resolve().parents[1] / "pinebench" / "studio" / "page"
_PROGRAM = """
const entryPoints = ['src/model/' + process.argv[1] + '.ts'];
const options = { entryPoints, bundle: true, format: 'cjs', platform: 'node', write: false };
const built = require('esbuild').buildSync(options);
const made = { exports: {} };
new Function('module', 'exports', 'require', built.outputFiles[0].text)(made, made.exports, require);
const f = made.exports, given = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(((f, given) => { BODY })(f, given)));
"""


def answer_of(module: str, body: str, given: object) -> Any:
    """The value that the statements `body` return. `f` is the module of `page/src/model` with all that it imports,
    and `given` is the JSON value."""
    if not (PAGE / "node_modules" / "esbuild").is_dir() and os.environ.get("CI") != "true":
        pytest.skip("the packages of the page are not installed")
    ended = subprocess.run(
        ["node", "-e", _PROGRAM.replace("BODY", body), module],
        cwd=PAGE,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)
