"""Bundles: one script that computes what the files compute, or a refusal that names the place."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.projects.bundle import library_faults
from pinebench.projects.comparison import BundleComparison, compared
from pinebench.projects.refusals import NotBundled
from tests.projects.nasty import PROJECTS, library, script
from tests.projects.splitting import split, splits
from tests.projects.support import bundled, opened, request, write

ROOT = Path(__file__).parents[2]
CORPUS = os.environ.get("PINEBENCH_CORPUS", "")


@pytest.mark.slow
def test_a_bundle_computes_what_its_files_compute(tmp_path: Path) -> None:
    for number, (name, files) in enumerate(PROJECTS.items()):
        main = write(tmp_path / str(number), files)
        errors = [each for each in opened(main).diagnostics if each.severity is Severity.ERROR]
        assert errors == [], (name, errors)
        assert library_faults(opened(main), {}) == [], name
        made = bundled(main)
        alone = open_program(made.text)
        assert [each for each in alone.diagnostics if each.severity is Severity.ERROR] == [], (name, made.text)
        assert alone.libraries_read == {}, name
        assert compared(request(main), made, ("python",)).differences == [], (name, made.text)


def test_what_a_script_does_not_use_stays_behind(tmp_path: Path) -> None:
    made = bundled(write(tmp_path, PROJECTS["overloads-methods-defaults-a-type-and-an-enum"]))
    assert "unused" not in made.text
    assert made.text.count("method p_move(") == 2
    assert "// @param step The distance.\n" in made.text, "annotations are kept"


def test_licences_stay_and_versions_of_libraries_go(tmp_path: Path) -> None:
    licensed = (
        "// This Pine Script® code is subject to the terms of the Mozilla Public License 2.0\n// © me\n"
        '\n//@version=6\n// @description Tools.\nlibrary("T")\n\n// @function Twice.\nexport twice(float x) => x * 2\n'
    )
    files = {"main.pine": script("import me/T/1 as t", "plot(t.twice(close))\n"), "libs/me/T.pine": licensed}
    text = bundled(write(tmp_path, files)).text
    assert "Mozilla Public License 2.0\n// © me\n// @description Tools.\n" in text
    assert text.count("@version") == 1 and text.startswith("//@version=6\n")
    assert "library(" not in text


def test_published_libraries_stay_imports(tmp_path: Path) -> None:
    files = {
        "main.pine": script(
            "import TradingView/ta/9 as tv\nimport me/T/1 as t\nimport me/U/1 as u",
            "plot(t.dema2(close) + tv.dema(close, 3) + u.tema2(close))\n",
        ),
        "libs/me/T.pine": library("T", "import TradingView/ta/9 as other\nexport dema2(float x) => other.dema(x, 2)\n"),
        "libs/me/U.pine": library("U", "import Some/Where/3 as far\nexport tema2(float x) => far.value(x, 2)\n"),
    }
    text = bundled(write(tmp_path, files)).text
    assert text.count("import TradingView/ta/9 as tv\n") == 1 and "t_dema2(float x) => tv.dema(x, 2)" in text
    assert "import Some/Where/3 as where_library\n" in text and "=> where_library.value(x, 2)" in text


def test_imports_on_one_line(tmp_path: Path) -> None:
    files = {
        "main.pine": "",
        "libs/me/T.pine": library("T", "export twice(float x) => x * 2\n"),
        "libs/me/U.pine": library("U", "export half(float x) => x / 2\n"),
    }
    local = ["import me/T/1 as t", "import me/U/1 as u"]
    published, other = "import TradingView/ta/9 as tv", "import TradingView/ta/8 as old"
    used = "t.twice(close) + u.half(close)"
    for imports, kept in (
        (local, []),
        ([published, *local], [published]),
        ([*local, published], [published]),
        ([local[0], published, local[1], other], [published, other]),
    ):
        with_published = used + "".join(f" + {each.split()[-1]}.dema(close, 3)" for each in kept)
        files["main.pine"] = script(", ".join(imports) + " // all", f"plot({with_published})\n")
        text = bundled(write(tmp_path, files)).text
        expected = f"// {', '.join(local)}" + (f"\n{', '.join(kept)}" if kept else "") + " // all\n"
        assert expected in text, text
        assert [each for each in open_program(text).diagnostics if each.severity is Severity.ERROR] == []
    files["main.pine"] = script(f"{local[0]}, // one\n  {published}, // two\n  {local[1]}", f"plot({used})\n")
    assert f"// {', '.join(local)}\n{published}\n" in bundled(write(tmp_path, files)).text


def test_line_ends_of_the_script_are_kept(tmp_path: Path) -> None:
    files = dict(PROJECTS["the-same-names-in-two-libraries"])
    files["main.pine"] = files["main.pine"].replace("\n", "\r\n")
    made = bundled(write(tmp_path, files))
    assert made.text.count("\n") == made.text.count("\r\n") > 20
    line = made.text.split("\r\n").index("b_value(float x) => b_helper(x) - 1") + 1
    assert made.source_map.line(line) == (str(tmp_path / "libs/me/B.pine"), 5)


REFUSED = {
    "a variable that the library changes": (
        "float sum = 0\nsum += close\nexport total() => sum\n",
        "Lib.pine:3:7",
        "'sum' is changed",
    ),
    "an input of the library": (
        "int length = input.int(3)\nexport mean(float x) => x * length\n",
        "Lib.pine:3:5",
        "'length' is an input",
    ),
    "a collection of the library": (
        "array<float> kept = array.new<float>()\nexport put(float x) =>\n    kept.push(x)\n    x\n",
        "Lib.pine:3:14",
        "'kept' is an object or collection (array<float>)",
    ),
    "an error of form in the library": ("export f(float x) =>\n    x +\n", "Lib.pine:4:", "CE10"),
    "a library of an older version": ("//@version=5\n", "Lib.pine:1:1", "only Pine v6"),
    "a library that imports itself": (
        "import me/Lib/1 as again\nexport f(float x) => again.f(x)\n",
        "Lib.pine:3:1",
        "imports itself",
    ),
}


def test_what_cannot_be_bundled_is_refused_with_its_place(tmp_path: Path) -> None:
    for number, (name, (text, place, words)) in enumerate(REFUSED.items()):
        whole = text if text.startswith("//@version") else library("Lib", text)
        calls = {"sum": "lib.total()", "int": "lib.mean(close)", "array": "lib.put(close)"}
        call = next((call for start, call in calls.items() if start in text), "lib.f(close)")
        files = {"main.pine": script("import me/Lib/1 as lib", f"plot({call})\n"), "libs/me/Lib.pine": whole}
        main = write(tmp_path / str(number), files)
        with pytest.raises(NotBundled) as refused:
            bundled(main)
        told = [str(each) for each in refused.value.refusals]
        assert any(place in each and words in each for each in told), (name, told)


def test_a_method_of_an_unknown_object_is_refused(tmp_path: Path) -> None:
    files = {
        "main.pine": script("import me/P/1 as p", "never(x) => x.grown()\nplot(1.0.grown())\n"),
        "libs/me/P.pine": library("P", "export method grown(float this) => this + 1\n"),
    }
    main = write(tmp_path, files)
    with pytest.raises(NotBundled, match=r"main\.pine:4:15: 'grown' may be a method of a library"):
        bundled(main)


def test_a_method_with_several_meanings_is_refused(tmp_path: Path) -> None:
    files = {
        "main.pine": script(
            "import me/A/1 as a\nimport me/B/1 as b",
            "both(x) => x.size()\nplot(both(a.Box.new(1)) + both(b.Bag.new(2)))\n",
        ),
        "libs/me/A.pine": library("A", "export type Box\n    float n\nexport method size(Box this) => this.n\n"),
        "libs/me/B.pine": library("B", "export type Bag\n    float n\nexport method size(Bag this) => this.n * 2\n"),
    }
    main = write(tmp_path, files)
    with pytest.raises(NotBundled, match=r"main\.pine:5:14: 'size' has several meanings"):
        bundled(main)


def test_private_names_do_not_become_known(tmp_path: Path) -> None:
    files = {
        "main.pine": script("import me/P/1 as p", "plot(p.hidden(close) + p.shown(close))\n"),
        "libs/me/P.pine": library("P", "hidden(float x) => x\nexport shown(float x) => hidden(x)\n"),
    }
    made = bundled(write(tmp_path, files))
    assert "plot(p.hidden(close) + p_shown(close))" in made.text
    assert "CE10271" in [each.code for each in open_program(made.text).diagnostics]


def test_a_script_that_cannot_compile_as_one_is_refused(tmp_path: Path) -> None:
    """An exported function of a library cannot take a type that is private in the bundle."""
    files = {
        "main.pine": library("Main", "import me/P/1 as p\nexport f(p.Point at) => at.x\n"),
        "libs/me/P.pine": library("P", "export type Point\n    float x\n"),
    }
    main = write(tmp_path, files)
    assert [each for each in opened(main).diagnostics if each.severity is Severity.ERROR] == []
    with pytest.raises(NotBundled, match=r"main\.pine:4:\d+: this does not compile"):
        bundled(main)


def test_scripts_that_are_divided_into_files_compute_the_same_as_one_script_again(tmp_path: Path) -> None:
    """Own scripts, divided into a script and two libraries, and bundled. The original is what must come out."""
    found = 0
    for path in sorted((ROOT / "pine" / "cookbook").glob("*.pine")):
        files = split(path.read_text("utf-8"))
        if files is None or found == 5:
            continue
        found += 1
        main = write(tmp_path / path.stem, files)
        assert compared(request(main, path.read_text("utf-8")), bundled(main), ("python",)).differences == [], path
    assert found == 5


@pytest.mark.soak
@pytest.mark.skipif(not CORPUS, reason="PINEBENCH_CORPUS names no folder")
def test_divided_scripts_of_the_corpus_compute_the_same(tmp_path: Path) -> None:
    """Real scripts, divided and bundled, in both tiers: the script, its project and its bundle do the same."""
    paths = sorted(Path(CORPUS).rglob("*.pine"))[::11]
    texts = ((str(path), path.read_text("utf-8", "replace")) for path in paths)
    wrong: dict[str, list[str]] = {}
    found = 0
    for name, text, files in splits(each for each in texts if len(each[1]) < 60_000):
        main = write(tmp_path / str(found), files)
        made = bundled(main)
        told = [
            *compared(request(main, text), made).differences,
            *compared(request(main), made, ("python",)).differences,
        ]
        if told:
            wrong[name] = told
        found += 1
        if found == 30:
            break
    assert wrong == {}
    assert found == 30


_TWICE = {"libs/me/T.pine": library("T", "export twice(float x) => x * 2\n")}


def _compared(folder: Path, body: str, **changes: Any) -> BundleComparison:
    main = write(folder, {"main.pine": script("import me/T/1 as t", body), **_TWICE})
    return compared(replace(request(main), **changes), bundled(main))


def test_a_comparison_says_on_how_many_bars_and_in_which_form_both_ran(tmp_path: Path) -> None:
    found = _compared(tmp_path, "plot(t.twice(close))\n")
    bars = len(request(tmp_path / "main.pine").bars)
    assert found == ([], f"the results are the same on {bars} bars, bit for bit, in Python and as machine code", True)


def test_what_a_run_never_reached_is_not_told_as_the_same(tmp_path: Path) -> None:
    found = _compared(tmp_path, 'plot(t.twice(close))\nif bar_index == 2\n    runtime.error("no")\n')
    assert (found.differences, found.ran) == ([], True)
    told = "both stop with the same error (Error on bar 2: no); the results are the same on the 2 bars before it"
    assert found.account.startswith(told)
    refused = _compared(tmp_path / "b", "plot(t.twice(close))\n", inputs={"Missing": 1})
    assert (refused.differences, refused.ran) == ([], False)
    assert refused.account.startswith("neither of them runs here, so nothing was compared: ")


def test_a_difference_is_found(tmp_path: Path) -> None:
    main = write(tmp_path, PROJECTS["two-versions-of-one-library"])
    made = bundled(main)
    changed = made._replace(text=made.text.replace("x + 2", "x + 2.0000000001"))
    (told,) = compared(request(main), changed, ("python",)).differences
    assert told.startswith('plot 1 "": series: number 0 is ')
