"""Tools for scripts without a chart: check, lint, explain, format, repair, migrate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NotRequired, TypedDict

from pinebench.errors import UsageError
from pinebench.syntax.lines import LineIndex
from pinebench.tools.arguments import Flag, ListArgument, ScriptArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import Needs, tool
from pinebench.tools.tool_calls import ToolRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pinebench.checker import ImportSymbol
    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.findings import Finding
    from pinebench.reference import Function

SOURCE = ScriptArgument()
_CODES = ListArgument(TextArgument(longest=80), "codes, prefixes of codes, rules, or ALL", most=100)


class FindingEntry(TypedDict):
    """A finding; line and column count from 1, and the end is exclusive."""

    line: int
    column: int
    end_line: NotRequired[int]
    end_column: NotRequired[int]
    severity: str
    code: NotRequired[str]
    message: str
    hint: NotRequired[str]
    fix: NotRequired[str]


class OnlineVerdict(TypedDict):
    """The verdict of TradingView's compiler, requested over the network."""

    compiled: bool
    error_count: int
    warning_count: int
    errors: list[FindingEntry]
    warnings: list[FindingEntry]
    origin: str


@tool(
    "scripts",
    "Ask TradingView's compiler about a script, over the network, without a chart or a log-in.",
    needs=Needs.NETWORK,
    untrusted=("errors", "warnings"),
)
def pine_check(at: ToolContext, source: Annotated[str, SOURCE]) -> OnlineVerdict:
    """Send the script to TradingView's check and return its verdict."""
    from pinebench import compilers

    verdict = compilers.get("online").compile(source, at.context)
    errors, warnings = entries(verdict.errors, source), entries(verdict.warnings, source)
    return {
        "compiled": verdict.ok,
        "error_count": len(errors),
        "warning_count": len(warnings),
        "errors": errors,
        "warnings": warnings,
        "origin": verdict.origin,
    }


class CheckReport(TypedDict):
    """The errors and warnings of our own checker. `passes_check` is null if the script, or a part of it, was not
    checked; `diagnostics` give the reason."""

    issue_count: int
    passes_check: bool | None
    diagnostics: list[FindingEntry]
    reference: NotRequired[str]
    """Lines about the built-ins that matter most for the script, if it has errors."""


@tool("check", "Check a script offline as TradingView's compiler would: errors and warnings only.", needs=Needs.NOTHING)
def pine_analyze(at: ToolContext, source: Annotated[str, SOURCE]) -> CheckReport:
    """Return the errors and warnings of our own checker, which follow TradingView's compiler."""
    found = of_compiler(source)
    wrong = [each["line"] for each in found if each["severity"] == "error"]
    result: CheckReport = {"issue_count": len(found), "passes_check": passes(found), "diagnostics": found}
    if wrong:
        result["reference"] = _reference(source, wrong)
    return result


def _reference(source: str, lines: list[int]) -> str:
    """Return the entries of the reference that matter most for a script; entries for lines with errors come first."""
    from pinebench.services.digest import digest, used

    rows = LineIndex(source)
    return digest(source, [name for line in lines for name in used(rows.line_text(line))])


class LintReport(TypedDict):
    """Findings with codes and hints, and whether a fix is known. `not_checked` names the libraries whose source is not
    available, so that uses of them were not checked."""

    diagnostics: list[FindingEntry]
    errors: int
    warnings: int
    infos: int
    hints: int
    not_checked: NotRequired[list[str]]


@tool(
    "check",
    "Check a script offline and add our opinions (repainting, traps, style), each with advice and fix; errors alone: "
    "pine_analyze.",
    needs=Needs.NOTHING,
)
def pine_lint(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    select: Annotated[list[str] | None, _CODES] = None,
    ignore: Annotated[list[str] | None, _CODES] = None,
) -> LintReport:
    """Report the same findings as `pinebench lint`."""
    from pinebench.linter.findings import FindingFilter, check_patterns

    check_patterns([*(select or []), *(ignore or [])])
    found = _findings(source, FindingFilter(tuple(select or ()), tuple(ignore or ())))
    counts = {name: sum(each["severity"] == name for each in found) for name in ("error", "warning", "info", "hint")}
    report: LintReport = {
        "diagnostics": found,
        "errors": counts["error"],
        "warnings": counts["warning"],
        "infos": counts["info"],
        "hints": counts["hint"],
    }
    unread = [each.path for each in _unread_imports(source)]
    if unread:
        report["not_checked"] = unread
    return report


_UNREAD = "not checked: "
"""The beginning of the entry about an imported library whose source is not available. It has no code."""


def passes(findings: Sequence[FindingEntry]) -> bool | None:
    """Return whether a script with these findings passes the check; None if it has no error but was not checked
    completely."""
    if any(each["severity"] == "error" for each in findings):
        return False
    return None if any(map(is_unchecked, findings)) else True


def is_unchecked(finding: FindingEntry) -> bool:
    """Return whether a finding says that something was not checked."""
    from pinebench.linter.findings import NOT_CHECKED

    return finding.get("code") in NOT_CHECKED or finding["message"].startswith(_UNREAD)


def refuse_old(source: str) -> None:
    """Raise ToolRefused if a script is in an older version of Pine, which only `pine_migrate` reads."""
    from pinebench.checker import CHECKED_VERSION
    from pinebench.syntax.document import find_version

    version, _ = find_version(source)
    if (version or 1) < CHECKED_VERSION:
        raise ToolRefused(
            f"the script is Pine v{version or 1}, and this tool reads only v{CHECKED_VERSION}",
            "convert it with pine_migrate",
        )


def of_compiler(source: str) -> list[FindingEntry]:
    """Return the errors and warnings of the compiler, and the findings that something was not checked."""
    from pinebench.linter.findings import NOT_CHECKED, FindingFilter

    found = _findings(source, FindingFilter())
    own = [each for each in found if not each.get("code", "").startswith("PB") or each.get("code") in NOT_CHECKED]
    return [*own, *_unread(source)]


def _unread_imports(source: str) -> list[ImportSymbol]:
    """Return the imported libraries whose source is not available, so that uses of them were not checked."""
    from pinebench.checker import open_program

    return open_program(source, ()).unread_imports if "import" in source else []


def _unread(source: str) -> list[FindingEntry]:
    """Return an entry for each imported library whose source is not available, so that uses of it were not checked."""
    told = f"{_UNREAD}the source of this library is not available, so only TradingView can check its uses"
    return [
        {
            "line": source.count("\n", 0, each.start) + 1,
            "column": 1,
            "severity": "info",
            "message": f"{told}: {each.path}",
        }
        for each in _unread_imports(source)
    ]


def problems(source: str, select: tuple[str, ...]) -> list[FindingEntry]:
    """Return the findings about a script that have a code or a group in `select`."""
    from pinebench.linter.findings import FindingFilter

    return _findings(source, FindingFilter(select))


def defaults(source: str) -> list[FindingEntry]:
    """Return the findings about a script from the rules that are on by default."""
    from pinebench.linter.findings import FindingFilter

    return _findings(source, FindingFilter())


def _findings(source: str, view: Any) -> list[FindingEntry]:
    from pinebench.linter.engine import lint_text

    return [_entry(each) for each in lint_text(source, "script", view)]


def entries(diagnostics: Sequence[Diagnostic], source: str) -> list[FindingEntry]:
    """Return diagnostics about `source` as findings in a tool's result."""
    from pinebench.linter.engine import locate
    from pinebench.syntax.lines import LineIndex

    return [_entry(each) for each in locate(diagnostics, LineIndex(source), "")]


def _entry(finding: Finding) -> FindingEntry:
    told: FindingEntry = {
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "severity": finding.severity.label,
        "code": finding.code,
        "message": finding.message,
    }
    if finding.hint:
        told["hint"] = finding.hint
    if finding.fix is not None:
        told["fix"] = "safe" if finding.fix.safe else "unsafe"
    return told


class LintRule(TypedDict):
    """A rule of the linter."""

    code: str
    name: str
    group: str
    severity: str
    default: bool
    message: str


class LintRules(TypedDict):
    """The rules of the linter."""

    count: int
    rules: list[LintRule]


@tool("scripts", "List the lint rules.", needs=Needs.NOTHING)
def pine_rules(
    at: ToolContext,
    group: Annotated[str | None, TextArgument("only this group", longest=40, example="repainting")] = None,
) -> LintRules:
    """Return every rule, or the rules of one group."""
    from pinebench.codes import opinion_codes
    from pinebench.codes.opinions import GROUPS

    if group is not None and group not in GROUPS:
        raise UsageError(f"there is no group of rules '{group}'", f"the groups are {', '.join(GROUPS)}")
    found: list[LintRule] = []
    for code in opinion_codes().values():
        of = next(name for name, prefix in GROUPS.items() if code.name.startswith(prefix))
        if group in (None, of):
            found.append(
                {
                    "code": code.name,
                    "name": code.alias,
                    "group": of,
                    "severity": code.severity.label,
                    "default": code.default,
                    "message": code.template.replace("{{", "{").replace("}}", "}"),
                }
            )
    return {"count": len(found), "rules": found}


class Pitfall(TypedDict):
    """A common mistake, a script that demonstrates it, and the output of that script."""

    text: str
    script: str
    shows: list[str]


class Texts(TypedDict):
    """An example script with its output on sample bars, and common mistakes."""

    example: NotRequired[str]
    shows: NotRequired[list[str]]
    watch_out: NotRequired[list[Pitfall]]


class Explanation(TypedDict):
    """The meaning of a code, a built-in or a keyword."""

    name: str
    kind: str
    text: str
    signatures: NotRequired[list[str]]
    parameters: NotRequired[dict[str, str]]
    severity: NotRequired[str]
    bad: NotRequired[str]
    good: NotRequired[str]
    members: NotRequired[list[str]]
    example: NotRequired[str]
    shows: NotRequired[list[str]]
    watch_out: NotRequired[list[Pitfall]]


@tool(
    "check",
    "Explain an error code (CE10156), a built-in (ta.sma), a keyword or a topic ('series vs simple') of Pine v6.",
    needs=Needs.NOTHING,
)
def pine_explain(
    at: ToolContext,
    name: Annotated[str, TextArgument("a built-in, an error code, a rule, or a topic", longest=100, example="ta.sma")],
) -> Explanation:
    """Explain a topic of the language, why a code is reported, or what a built-in or keyword does."""
    found = _explained(name)
    return {**found, **_texts_of(found["name"])} if found["kind"] in _WITH_TEXTS else found


_WITH_TEXTS = ("function", "variable", "keyword", "operator", "annotation")


def _texts_of(name: str) -> Texts:
    """Return the example of a built-in or keyword with its output, and the common mistakes."""
    from pinebench.reference import texts

    told = texts.text(name)
    found: Texts = {}
    if told.example is not None:
        found["example"] = told.example.text
        found["shows"] = list(told.example.shown)
    if told.watch_outs:
        found["watch_out"] = [
            {"text": each.text, "script": each.script.text, "shows": list(each.script.shown)}
            for each in told.watch_outs
        ]
    return found


def _explained(name: str) -> Explanation:
    """Return the explanation of a code, a rule, a built-in, a keyword, a type, a namespace or a topic."""
    from pinebench.services.explained import members_called, unknown
    from pinebench.services.topics import find

    wanted = name.strip().partition("(")[0].removesuffix(".")
    found = _code_explained(wanted) or _built_in_explained(wanted) or _word_explained(wanted)
    if found is not None:
        return found
    topic = find(name)
    if topic is not None:
        return {"name": topic.address, "kind": "topic", "text": topic.text}
    called = members_called(wanted)
    if len(called) == 1:
        return _explained(called[0])
    raise unknown(wanted)


def _code_explained(name: str) -> Explanation | None:
    from pinebench import codes

    code = codes.find(name)
    if code is None:
        return None
    if code.name in codes.opinion_codes():
        return _rule_explained(code.name, code.severity.label)
    words = code.template.replace("{{", "{").replace("}}", "}")
    return {
        "name": code.name,
        "kind": "code",
        "text": f"{words}\n{code.why}",
        "severity": code.severity.label,
        "bad": code.bad,
        "good": code.good,
    }


def _built_in_explained(name: str) -> Explanation | None:
    from pinebench import reference

    function = reference.function(name)
    if function is not None:
        return _function_explained(function)
    for kind, known in (("variable", reference.variable(name)), ("constant", reference.constant(name))):
        if known is not None:
            return {"name": name, "kind": kind, "text": f"{known.type}. {known.description}"}
    return None


def _function_explained(function: Function) -> Explanation:
    from pinebench.reference.texts import phrase

    parameters: dict[str, str] = {}
    for overload in function.overloads:
        for each in overload.parameters:
            default = "" if each.default is None else f", default {each.default}"
            told = phrase(function.name, each.name)
            parameters.setdefault(each.name, f"{each.type}{default}" + (f": {told}" if told else ""))
    return {
        "name": function.name,
        "kind": "function",
        "text": function.description,
        "signatures": [
            f"{function.name}({', '.join(p.name if p.required else f'[{p.name}]' for p in one.parameters)})"
            f" → {one.returns}"
            for one in function.overloads
        ],
        "parameters": parameters,
    }


def _word_explained(name: str) -> Explanation | None:
    """Return the explanation of a keyword, an operator, an annotation, a type or a namespace; else None."""
    from pinebench import reference

    wanted = reference.annotation(name) or name
    word = reference.word(wanted)
    if word is not None:
        kind = "keyword" if reference.keyword(wanted) else "operator"
        kind = "annotation" if wanted in reference.compiler_annotations() else kind
        return {"name": wanted, "kind": kind, "text": f"{word.form}\n{word.description}"}
    built_in = reference.types().get(wanted)
    members = reference.members(wanted)
    if members:
        about = f"{built_in.description} " if built_in is not None else ""
        text = f"{about}{len(members)} names"
        return {"name": wanted, "kind": "namespace", "text": text, "members": sorted(members)}
    return None if built_in is None else {"name": wanted, "kind": "type", "text": built_in.description}


def _rule_explained(name: str, severity: str) -> Explanation:
    """Return the page of a rule: why it exists, what to do, and its scripts."""
    from inspect import cleandoc

    from pinebench.linter.rules import rule

    about, _, scripts = cleandoc(rule(name).__doc__ or "").partition("\nBad:\n")
    bad, _, good = scripts.partition("\nGood:\n")
    return {
        "name": name,
        "kind": "code",
        "text": about.strip(),
        "severity": severity,
        "bad": f"{_script(bad)}\n",
        "good": f"{_script(good)}\n",
    }


def _script(part: str) -> str:
    """Return the script in a part of a rule's page, without its indentation."""
    from textwrap import dedent

    return dedent(part).strip()


class FormattedScript(TypedDict):
    """A script in the layout of Pine's style guide."""

    source: str
    changed: bool


@tool("check", "Format a script by Pine's style guide; only white space changes.", needs=Needs.NOTHING)
def pine_format(at: ToolContext, source: Annotated[str, SOURCE]) -> FormattedScript:
    """Return the text that `pinebench format` would write."""
    from pinebench.formatting import format_text

    done = format_text(source)
    if done.reason:
        refuse_old(source)
        raise ToolRefused(f"the script was not changed: {done.reason}", "pine_analyze shows its errors")
    return {"source": done.text, "changed": done.text != source}


class RepairedScript(TypedDict):
    """A script after mechanical repairs. `passes_check` is null if the script, or a part of it, was not checked;
    `parts_not_checked` has the findings about these parts."""

    source: str
    changed: bool
    passes_check: bool | None
    error_count: int
    applied: list[str]
    guesses: list[str]
    errors: list[FindingEntry]
    parts_not_checked: NotRequired[list[FindingEntry]]


@tool("check", "Repair a script offline with fixes that are sure; no model, no network.", needs=Needs.NOTHING)
def pine_fix(
    at: ToolContext,
    source: Annotated[str, SOURCE],
    guess: Annotated[bool, Flag("also guesses, which may change what the script does")] = False,
) -> RepairedScript:
    """Apply the safe fixes of errors, and with `guess` also the uncertain ones. Report the errors that remain."""
    from pinebench.diagnostics import Severity
    from pinebench.linter.fixes import fix_text

    done = fix_text(source, lambda finding: finding.severity is Severity.ERROR, unsafe=guess)
    found = of_compiler(done.text)
    errors = [each for each in found if each["severity"] == "error"]
    result: RepairedScript = {
        "source": done.text,
        "changed": done.text != source,
        "passes_check": passes(found),
        "error_count": len(errors),
        "applied": [f"{title} ({count}x)" if count > 1 else title for title, count in done.applied.items()],
        "guesses": [f"line {each.line}: {each.title}" for each in done.guesses],
        "errors": errors,
    }
    unknown = list(filter(is_unchecked, found))
    if unknown:
        result["parts_not_checked"] = unknown
    return result


class MigratedScript(TypedDict):
    """A script migrated to v6, with remarks that a person must read. `passes_check` is null if it was not checked."""

    source: str
    version: int | None
    changed: bool
    passes_check: bool | None
    remarks: list[str]


@tool("check", "Convert a script of Pine v3, v4 or v5 to v6, and report the differences.", needs=Needs.NOTHING)
def pine_migrate(at: ToolContext, source: Annotated[str, SOURCE]) -> MigratedScript:
    """Return the text that `pinebench migrate` would write."""
    from pinebench.migration.migration import migrate

    done = migrate(source)
    if done.refused:
        raise ToolRefused(f"the script was not changed: {done.refused}", "give its version in a //@version= line")
    return {
        "source": done.text,
        "version": done.version,
        "changed": done.text != source,
        "passes_check": False if done.errors else passes(of_compiler(done.text)),
        "remarks": [f"line {each.line}, {each.kind.value}: {each.text}" for each in done.remarks],
    }


class ScriptInput(TypedDict):
    """An input of a script."""

    title: str
    variable: str
    type: str
    default: Any
    minimum: float | None
    maximum: float | None
    options: list[Any]


class Parameters(TypedDict):
    """The inputs of a script."""

    count: int
    parameters: list[ScriptInput]


@tool("scripts", "List a script's inputs with type, default and limits.", needs=Needs.NOTHING)
def pine_parameters(at: ToolContext, source: Annotated[str, SOURCE]) -> Parameters:
    """Return the inputs in the order in which the script declares them."""
    from pinebench.checker import open_program
    from pinebench.runtime import inputs_of

    refuse_old(source)
    program = open_program(source, ())
    found: list[ScriptInput] = [
        {
            "title": each.title,
            "variable": each.variable,
            "type": each.kind,
            "default": _said(each.default),
            "minimum": each.least,
            "maximum": each.most,
            "options": [_said(one) for one in each.options],
        }
        for each in inputs_of(program)
    ]
    return {"count": len(found), "parameters": found}


def _said(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
