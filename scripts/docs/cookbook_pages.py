"""Make the cookbook and the templates as pages with pictures, and the examples of the playground.

The header of a recipe describes it. `pine/cookbook/recipes.toml` has the bars and the expected results of each recipe.
"""

import json
import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pinebench import charts
from pinebench.calendars.timeframes import timeframe as timeframe_of
from pinebench.files.script_headers import header_of
from pinebench.market import Bars, SymbolInfo, sample_bars, samples
from pinebench.runtime import RequestSource
from pinebench.studio.language_words import words_json
from pinebench.workers.jobs import opened, perform
from pinebench.workers.request import Request
from scripts.docs.site_pages import Page

ROOT = Path(__file__).resolve().parents[2]
COOKBOOK = ROOT / "pine" / "cookbook"
TEMPLATES = ROOT / "pine" / "templates"
DRAWN, WIDTH, HEIGHT = 120, 860, 480
TITLE = re.compile(r'^(?:indicator|strategy)\(\s*(?:title\s*=\s*)?"([^"]+)"', re.MULTILINE)
TIMEFRAMES = ("5", "15", "60", "240", "1D", "1W")


class Recipe(NamedTuple):
    """A recipe: its script, the sentences about it, its bars, and the result of a run on these bars.

    `shorter` is a shorter timeframe of the symbol that the script requests, or "".
    """

    name: str
    group: str
    title: str
    about: str
    symbol: str
    timeframe: str
    bars: int
    shorter: str
    shows: dict[str, Any]
    source: str


@cache
def recipes() -> tuple[Recipe, ...]:
    """Return every recipe, in the order of `recipes.toml`."""
    told = tomllib.loads((COOKBOOK / "recipes.toml").read_text(encoding="utf-8"))
    return tuple(_recipe(name, one) for name, one in told.items())


def _recipe(name: str, one: dict[str, Any]) -> Recipe:
    source = (COOKBOOK / f"{name}.pine").read_text(encoding="utf-8")
    header = header_of(source)
    title = TITLE.search(source)
    return Recipe(
        name,
        header.fields["group"],
        title[1] if title else name,
        header.description,
        one.get("symbol", "NASDAQ:AAPL"),
        one.get("timeframe", "1D"),
        one.get("bars", 500),
        one.get("shorter", ""),
        one["shows"],
        source,
    )


def bars_of(symbol: str, timeframe: str, count: int) -> tuple[Bars, SymbolInfo]:
    """Return the last `count` bars of a symbol of the sample market. Raises ValueError for an unknown symbol."""
    found = samples.find(symbol)
    if found is None:
        raise ValueError(f"the sample market has no {symbol}")
    asked = timeframe_of(timeframe)
    return sample_bars(found, asked, count), found.info(asked.text)


def request(one: Recipe) -> Request:
    """Return the request to run a recipe on its bars of the sample market."""
    bars, info = bars_of(one.symbol, one.timeframe, one.bars)
    shorter = bars_of(one.symbol, one.shorter, 8 * one.bars) if one.shorter else None
    others = {} if shorter is None else {one.symbol: RequestSource(*shorter)}
    return Request(one.source, bars, info, others=others, samples=True)


def picture(asked: Request) -> str:
    """Return the chart of a run as an SVG drawing. Raises ValueError if the script stops with an error."""
    bars, ran = asked.bars, perform(asked)
    if ran.result.error is not None:
        raise ValueError(f"a script stopped: {ran.result.error}")
    view = charts.view_of(opened(asked.source, ()), max(len(bars) - DRAWN, 0), len(bars))
    fills = charts.filled(ran.tested.fills) if ran.tested is not None else ()
    view = replace(view, width=WIDTH, height=HEIGHT)
    return charts.as_svg(charts.picture(ran.result, bars, asked.symbol, view, fills))


HEAD = """\
# Cookbook

{count} short scripts for what people ask again and again. Each one is checked, linted and run by the tests, and they
hold what it shows to the numbers in `pine/cookbook/recipes.toml`.
"""


def pages(folder: Path, *, playground: bool = True) -> list[Page]:
    """Return the pages of the cookbook and of the templates, and write their pictures below `folder`.

    With `playground`, each recipe has a link that opens it there.
    """
    made = [Page("", "cookbook/index.md", _index())]
    for one in recipes():
        _write(folder / "cookbook" / f"{one.name}.svg", picture(request(one)))
        made.append(Page("", f"cookbook/{one.name}.md", _recipe_page(one, playground=playground)))
    return [*made, Page("", "templates.md", _templates(folder / "pictures" / "templates"))]


def _index() -> str:
    parts = [HEAD.format(count=len(recipes()))]
    for group in _groups():
        cards = [
            f"<div markdown>\n\n**[{one.title}]({one.name}.md)**\n\n{one.about}\n\n"
            f"[![Chart of {one.title}]({one.name}.svg){{ loading=lazy }}]({one.name}.md)\n\n</div>"
            for one in _of(group)
        ]
        parts.append(f'## {group}\n\n<div class="recipes" markdown>\n\n' + "\n\n".join(cards) + "\n\n</div>\n")
    return "\n".join(parts)


def _recipe_page(one: Recipe, *, playground: bool) -> str:
    link = f"[Open it in the playground](../playground/index.md#{one.name}){{ .md-button }}\n\n" if playground else ""
    return f"""\
# {one.title}

{one.about}

![Chart of {one.title}]({one.name}.svg)

{link}```pine title="{one.name}.pine"
{one.source}```

The picture shows {one.symbol} {one.timeframe} of the sample market, whose prices are made up.
"""


def _templates(pictures: Path) -> str:
    parts = [
        "# Templates\n\nWhole scripts to start from: `pinebench template new NAME -o FILE` writes one. The "
        "pictures show the sample market, whose prices are made up.\n"
    ]
    for path in sorted(TEMPLATES.glob("*.toml")):
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        text = f"## {told['title']}\n\n`{path.stem}`, {told['kind']}. {told['purpose']}\n\n{told['fails_when']}\n"
        if told["kind"] != "library":
            source = path.with_suffix(".pine").read_text(encoding="utf-8")
            _write(pictures / f"{path.stem}.svg", picture(Request(source, *bars_of(*_DEFAULT), samples=True)))
            text += f"\n![Chart of {told['title']}](pictures/templates/{path.stem}.svg){{ loading=lazy }}\n"
        parts.append(text)
    return "\n".join(parts)


_DEFAULT = ("NASDAQ:AAPL", "15", 600)


def _groups() -> list[str]:
    return list(dict.fromkeys(one.group for one in recipes()))


def _of(group: str) -> list[Recipe]:
    return [one for one in recipes() if one.group == group]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# the playground


def playground_data() -> str:
    """Return the JSON that the playground reads: the words of the language, and the examples to choose from."""
    examples = [
        {
            "name": one.name,
            "title": one.title,
            "group": one.group,
            "source": one.source,
            "on": [one.symbol, one.timeframe],
        }
        for one in recipes()
        if not one.shorter  # the playground has bars of the chart's timeframe alone
    ]
    data = {
        "words": json.loads(words_json()),
        "symbols": [one.full_name for one in samples.SAMPLES],
        "timeframes": TIMEFRAMES,
        "examples": examples,
    }
    return json.dumps(data, separators=(",", ":"))


def warm_scripts() -> list[str]:
    """Return the scripts to run before the snapshot of the memory is made, so that a browser's first run is fast."""
    return [one.source for one in recipes()[:3]]
