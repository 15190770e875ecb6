"""Each argument of every function that plots or draws, with two scripts that differ in it alone."""

from typing import NamedTuple

from pinebench.reference import function

_LAST = "if barstate.islast\n    "
_PLOTTED = "offset=-9 show_last=20 display=display.none force_overlay=true"
_LEGEND = "title='Other' format=format.percent precision=4"
_POINTS = "array.from(chart.point.from_index(bar_index-40,low),chart.point.from_index(bar_index-20,high),{})"


class Sample(NamedTuple):
    """One way to call a function.

    `before` are the lines before the call, `given` the arguments of both scripts, `others` what the second has in their
    place or besides; what stands behind a bar, both have besides.
    """

    function: str
    before: str
    given: str
    others: str


SAMPLES = (
    Sample(
        "plot",
        "",
        "series=close",
        f"{_PLOTTED} {_LEGEND} series=open linewidth=4 style=plot.style_columns trackprice=true color=color.red "
        "linestyle=plot.linestyle_dashed join=true|style=plot.style_circles histbase=99|style=plot.style_columns",
    ),
    Sample(
        "plotshape",
        "",
        "series=close>open?close:na",
        f"{_PLOTTED} series=close<open style=shape.flag location=location.top color=color.red size=size.huge text='A' "
        "textcolor=color.lime|text='A'",
    ),
    Sample(
        "plotchar",
        "",
        "series=close>open?close:na char='x'",
        f"{_PLOTTED} series=close<open char='Y' location=location.top color=color.red size=size.huge text='A' "
        "textcolor=color.lime|text='A'",
    ),
    Sample(
        "plotarrow",
        "",
        "series=close-open",
        f"{_PLOTTED} series=open-close colorup=color.red colordown=color.lime minheight=30 maxheight=40",
    ),
    *(
        Sample(
            name,
            "",
            "open=open high=high low=low close=close",
            f"show_last=20 display=display.none force_overlay=true color=color.red open=low high=high+5 low=low-5 "
            f"close=high {more}",
        )
        for name, more in (("plotbar", ""), ("plotcandle", "wickcolor=color.lime bordercolor=color.red"))
    ),
    Sample(
        "hline",
        "plot(close)\n",
        "price=220",
        "price=210 color=color.red linestyle=hline.style_solid linewidth=3 display=display.none",
    ),
    Sample(
        "fill",
        "a=plot(close)\nb=plot(bar_index%9<3?na:open,style=plot.style_linebr)\nc=plot(close+9)\n",
        "plot1=a plot2=b color=color.blue",
        "plot1=c plot2=c color=color.red show_last=20 display=display.none fillgaps=true",
    ),
    Sample("fill", "d=hline(200)\ne=hline(220)\nf=hline(240)\n", "hline1=d hline2=e", "hline1=f hline2=f"),
    Sample(
        "fill",
        "a=plot(close)\nb=plot(open)\n",
        "plot1=a plot2=b top_value=close bottom_value=open top_color=color.blue bottom_color=color.lime",
        "top_value=close+9 bottom_value=open-9 top_color=color.red bottom_color=color.red",
    ),
    Sample("bgcolor", "", "color=close>open?color.blue:na", f"{_PLOTTED} color=color.red"),
    Sample(
        "barcolor", "", "color=close>open?color.blue:na", "offset=-9 show_last=20 display=display.none color=color.red"
    ),
    Sample(
        "line.new",
        _LAST,
        "x1=bar_index-20 y1=low x2=bar_index y2=high",
        "extend=extend.both color=color.red style=line.style_dashed width=4 force_overlay=true xloc=xloc.bar_time "
        "x1=bar_index-30 y1=low-9 x2=bar_index-5 y2=high+9",
    ),
    Sample(
        "line.new",
        _LAST,
        "first_point=chart.point.now(low) second_point=chart.point.from_index(bar_index-9,high)",
        "first_point=chart.point.now(high+9) second_point=chart.point.from_index(bar_index-30,high)",
    ),
    Sample(
        "label.new",
        _LAST,
        "x=bar_index-20 y=high text='a\\nlonger'",
        "text='other' yloc=yloc.abovebar color=color.red style=label.style_flag textcolor=color.lime size=size.huge "
        "force_overlay=true x=bar_index-30 y=low-9 xloc=xloc.bar_time tooltip='more' "
        "textalign=text.align_left|y=low-9 "
        "text_font_family=font.family_monospace text_formatting=text.format_bold",
    ),
    Sample("label.new", _LAST, "point=chart.point.now(low) text='a'", "point=chart.point.now(high+9)"),
    Sample(
        "box.new",
        _LAST,
        "left=bar_index-20 top=high right=bar_index bottom=low-9 text='some words that go on and on until it is full'",
        "border_color=color.red border_width=4 border_style=line.style_dashed extend=extend.right bgcolor=color.lime "
        "text='other' text_size=9 text_color=color.red force_overlay=true text_halign=text.align_left "
        "text_valign=text.align_top left=bar_index-30 top=high+9 right=bar_index-5 bottom=low-30 xloc=xloc.bar_time "
        "text_wrap=text.wrap_auto|text_size=12 text_font_family=font.family_monospace "
        "text_formatting=text.format_bold",
    ),
    Sample(
        "box.new",
        _LAST,
        "top_left=chart.point.from_index(bar_index-20,high) bottom_right=chart.point.now(low)",
        "top_left=chart.point.from_index(bar_index-30,high) bottom_right=chart.point.now(low-9)",
    ),
    Sample(
        "linefill.new",
        _LAST + "a=line.new(bar_index-20,low,bar_index,low)\n    b=line.new(bar_index-20,high,bar_index,high)\n    "
        "c=line.new(bar_index-40,high,bar_index-30,low)\n    ",
        "line1=a line2=b color=color.blue",
        "line1=c line2=c color=color.red",
    ),
    Sample(
        "polyline.new",
        _LAST,
        f"points={_POINTS.format('chart.point.now(low)')}",
        f"points={_POINTS.format('chart.point.now(high+9)')} curved=true closed=true line_color=color.red "
        "line_style=line.style_dashed line_width=4 force_overlay=true xloc=xloc.bar_time fill_color=color.red",
    ),
    Sample(
        "table.new",
        _LAST + "t=",
        "position=position.top_right columns=3 rows=3 frame_color=color.blue frame_width=1 border_color=color.blue "
        "border_width=1",
        "position=position.bottom_left bgcolor=color.red frame_color=color.lime border_color=color.lime frame_width=5 "
        "border_width=5 force_overlay=true",
    ),
    Sample(
        "table.cell",
        _LAST + "t=table.new(position.top_right,2,2)\n    u=table.new(position.top_left,2,2)\n    t.cell(0,0,'w')\n    "
        "t.cell(1,1,'w')\n    ",
        "table_id=t column=0 row=1 text='said'",
        "text='other' width=40 height=40 text_color=color.red text_size=size.huge bgcolor=color.lime tooltip='more' "
        "table_id=u column=1 row=0 text_halign=text.align_left|width=40 text_valign=text.align_top|height=40 "
        "text_font_family=font.family_monospace text_formatting=text.format_bold",
    ),
    Sample(
        "table.merge_cells",
        _LAST + "t=table.new(position.top_right,3,3)\n    for i=0 to 2\n        for j=0 to 2\n            "
        "t.cell(i,j,str.tostring(i*10+j),bgcolor=color.red)\n    ",
        "table_id=t start_column=0 start_row=0 end_column=2 end_row=2",
        "start_column=1 start_row=1 end_column=1 end_row=1",
    ),
)

IN_WORDS = frozenset(("title", "format", "precision"))
"""What is read beside a value: in the legend of a line, for all others in the data window."""
IN_SETTINGS = frozenset(("editable",))
"""What is seen in the settings of a study: whether the Style tab has the plot."""
FREE = frozenset((("table.new", "columns"), ("table.new", "rows"), ("table.merge_cells", "table_id")))
"""Arguments that say what may be drawn, or on what, and not how."""


def pairs() -> dict[tuple[str, str], tuple[str, str]]:
    """Two scripts for each function and argument."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for sample in SAMPLES:
        for text in _words(sample.others):
            other, _, more = text.partition("|")
            both = _read(sample.given) | (_read(more) if more else {})
            [(name, value)] = _read(other).items()
            found[sample.function, name] = (_script(sample, both), _script(sample, {**both, name: value}))
    return found


def names(name: str) -> list[str]:
    """The arguments of a function, of all its forms."""
    found = function(name)
    assert found is not None
    return list(dict.fromkeys(each.name for form in found.overloads for each in form.parameters))


def _words(text: str) -> list[str]:
    """The arguments of a text, apart from each other; a text in quotes is one."""
    found: list[str] = []
    quoted = False
    for part in text.split(" "):
        if quoted:
            found[-1] += f" {part}"
        elif part:
            found.append(part)
        quoted ^= part.count("'") % 2 == 1
    return found


def _read(text: str) -> dict[str, str]:
    return {name: value for name, _, value in (word.partition("=") for word in _words(text))}


def _script(sample: Sample, arguments: dict[str, str]) -> str:
    given = ", ".join(f"{name} = {value}" for name, value in arguments.items())
    tail = "\n    t.cell(0, 0, 'one')\n    t.cell(1, 1, 'two')" if sample.function == "table.new" else ""
    return f'//@version=6\nindicator("One")\n{sample.before}{sample.function}({given}){tail}\nplot(close, "Whole")\n'
