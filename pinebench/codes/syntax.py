"""Codes for syntax errors of TradingView's scanner and parser, and for their only warning."""

from __future__ import annotations

from pinebench.codes.model import OURS, Code
from pinebench.diagnostics import Severity

_HEAD = '//@version=6\nindicator("Example")\n'

CODES = (
    Code(
        name="CE10004",
        severity=Severity.ERROR,
        template="mismatched character {char} expecting {expecting}",
        why=(
            "A string that is opened must be closed on the same line. Nothing closes this one. Add the "
            "missing quotation mark."
        ),
        bad=_HEAD + 'label_text = "High\nplot(close)\n',
        good=_HEAD + 'label_text = "High"\nplot(close)\n',
    ),
    Code(
        name="CE10005",
        severity=Severity.ERROR,
        template="no viable alternative at character {unexpectedToken}",
        why=(
            "Pine does not know the character: often a no-break space, a typographic quote or a semicolon "
            "that came with pasted text. Remove it or write its plain form."
        ),
        bad=_HEAD + "average = (high + low) / 2;\nplot(average)\n",
        good=_HEAD + "average = (high + low) / 2\nplot(average)\n",
    ),
    Code(
        name="CE10013",
        severity=Severity.ERROR,
        template="Mismatched input {unexpectedToken} expecting set {expecting}",
        why=(
            "The statement before this place is complete, and the following text cannot continue it. Indent a line"
            " that continues a statement outside parentheses by a number of spaces that is not a multiple of four."
        ),
        bad=_HEAD + "shade = close > open\n    ? color.green\n    : color.red\nplot(close, color = shade)\n",
        good=_HEAD + "shade = close > open\n  ? color.green\n  : color.red\nplot(close, color = shade)\n",
    ),
    Code(
        name="CE10015",
        severity=Severity.ERROR,
        template="Syntax error: Missing closing parenthesis",
        why=(
            "A parenthesis in this statement is opened and never closed. Close it at the end of the call or the group."
        ),
        bad=_HEAD + "average = ta.sma(close, 14\nplot(average)\n",
        good=_HEAD + "average = ta.sma(close, 14)\nplot(average)\n",
    ),
    Code(
        name="CE10016",
        severity=Severity.ERROR,
        template="Syntax error: Extra closing parenthesis",
        why=(
            "This parenthesis closes one that was never opened. Remove it, or open one at the beginning of the group."
        ),
        bad=_HEAD + "average = (high + low)) / 2\nplot(average)\n",
        good=_HEAD + "average = (high + low) / 2\nplot(average)\n",
        text=OURS,
    ),
    Code(
        name="CE10144",
        severity=Severity.ERROR,
        template=(
            "The structure is missing a local code block. Functions, conditional structures, and loops must include"
            " expressions that define their local scopes."
        ),
        why="The block of an `if`, a loop or a function must be in the lines below it, indented by four spaces.",
        bad=_HEAD + "rising = false\nif close > open\nrising := true\nplot(rising ? 1 : 0)\n",
        good=_HEAD + "rising = false\nif close > open\n    rising := true\nplot(rising ? 1 : 0)\n",
    ),
    Code(
        name="CE10017",
        severity=Severity.ERROR,
        template=(
            "Missing enclosing character in the literal string. Enclose literal strings using a set of "
            "quotation marks (\") or apostrophes (') on the same code line."
        ),
        why=(
            "The string runs past the end of its line, and the next line begins in the first column. Close "
            "it on its line, or write a text of several lines between three quotation marks."
        ),
        bad=_HEAD + 'note = "first\nsecond"\nplot(close, title = note)\n',
        good=_HEAD + 'note = """first\nsecond"""\nplot(close, title = note)\n',
    ),
    Code(
        name="CE10150",
        severity=Severity.ERROR,
        template='"{keyword}" cannot be used as a variable or function name.',
        why="The word is a keyword of Pine, or is reserved for future versions. Choose another name.",
        bad=_HEAD + "range = high - low\nplot(range)\n",
        good=_HEAD + "barRange = high - low\nplot(barRange)\n",
    ),
    Code(
        name="CE10156",
        severity=Severity.ERROR,
        template="Syntax error at input {value}",
        why=(
            "The compiler could read the statement up to this place, and nothing in the language can follow here."
            " Check the marked word and the text just before it."
        ),
        bad=_HEAD + "width = close > open ?\n    2 : 1\nplot(width)\n",
        good=_HEAD + "width = close > open ?\n  2 : 1\nplot(width)\n",
    ),
    Code(
        name="CE10161",
        severity=Severity.ERROR,
        template='Incorrect "for" statement. Expecting "to <expression>".',
        why=(
            "A counting loop is written `for counter = first to last`, optionally with `by step`, and its "
            "body is indented by one level of four spaces."
        ),
        bad=_HEAD + "total = 0.0\nfor i = 0\n    total += close[i]\nplot(total)\n",
        good=_HEAD + "total = 0.0\nfor i = 0 to 9\n    total += close[i]\nplot(total)\n",
    ),
    Code(
        name="CE10250",
        severity=Severity.ERROR,
        template="Script doesn't contain any statements",
        why="A script needs at least its declaration, such as `indicator(...)`. Comments alone do not make a script.",
        bad="//@version=6\n// Nothing here yet.\n",
        good=_HEAD + "plot(close)\n",
    ),
    Code(
        name="CW10001",
        severity=Severity.WARNING,
        template=(
            "Defining a string enclosed in a single pair of quotation marks (\") or apostrophes (') across "
            "multiple lines is deprecated. Split the string into smaller strings and concatenate them with "
            'the `+` operator instead ("like " + "this"). Alternatively, to create a multiline string, '
            "enclose the text in three pairs of apostrophes ('''like this''') or quotation marks (\"\"\"like "
            'this""").'
        ),
        why=(
            "The line break and the indentation after it become one space, which is rarely intended. Use three"
            " quotation marks, or join strings with `+`."
        ),
        bad=_HEAD + 'note = "first\n  second"\nplot(close, title = note)\n',
        good=_HEAD + 'note = "first " + "second"\nplot(close, title = note)\n',
    ),
    Code(
        name="PB0003",
        severity=Severity.WARNING,
        template=(
            "This statement is nested more than {limit} levels deep, deeper than pinebench reads; it was not checked."
        ),
        why=(
            "Nested expressions or blocks are read up to a fixed depth, far beyond usual scripts. Split the statement"
            " with variables or functions."
        ),
        bad=_HEAD + "plot(" + "(" * 300 + "close" + ")" * 300 + ")\n",
        good=_HEAD + "plot((close))\n",
        text=OURS,
    ),
)
