"""The prompts that people choose from a client's menu: write a strategy, review the script, analyse the chart, and the
skills."""

from __future__ import annotations

from typing import NamedTuple

import mcp_types as types

from pinebench.errors import UsageError


class _Prompt(NamedTuple):
    about: str
    arguments: dict[str, tuple[str, bool]]
    text: str


_PROMPTS = {
    "write_strategy": _Prompt(
        "Write a Pine v6 strategy and put it on the chart once it compiles.",
        {"idea": ("what the strategy should do", True)},
        """Write a TradingView strategy in Pine Script v6: {idea}

Look for a template with template_search and read it with template_get. State costs and position size in the
strategy() call, group the inputs, act on confirmed bars only. Check with pine_analyze until there is no error, then
pine_set_source and pine_smart_compile. If the compile has errors, correct exactly those lines and compile again,
four times at most. Then say in a few sentences what it does, its parameters, and when it will fail.""",
    ),
    "review_script": _Prompt(
        "Review the script in the Pine editor.",
        {},
        """Review the script in the Pine editor. Read it with pine_get_source, then run pine_lint on it. Report, the
most serious first: errors, repainting and looking ahead, missing costs, what stops at run time, and what makes it slow
or hard to read; each with its line and the change you propose. Change nothing before you were asked to.""",
    ),
    "analyse_chart": _Prompt(
        "Describe what the chart shows: trend, levels, readings.",
        {"focus": ("what matters to you", False)},
        """Analyse the chart that is open. {focus}

Call chart_get_state once, then quote_get, data_get_ohlcv with summary true, data_get_study_values, and what scripts
drew (data_get_pine_lines, data_get_pine_labels). Take one picture with capture_screenshot. Report trend, levels with
their distance in percent, what the studies say, and what would prove the view wrong. Give numbers only as the tools
returned them.""",
    ),
}

_FOCUS = {"focus": ("what it should be about, such as a symbol or a script", False)}


def listed() -> list[types.Prompt]:
    """Return every prompt: our own, then one for each skill."""
    return [
        types.Prompt(
            name=name,
            description=prompt.about,
            arguments=[
                types.PromptArgument(name=key, description=about, required=required)
                for key, (about, required) in prompt.arguments.items()
            ],
        )
        for name, prompt in _all().items()
    ]


def _all() -> dict[str, _Prompt]:
    """Return all prompts by name. A skill with the name of one of our prompts is left out."""
    from pinebench import skills

    found = {
        name: _Prompt(each.description, _FOCUS, f"{{focus}}\n\nFollow this skill.\n\n{skills.load(name)}")
        for name, each in skills.known().by_name.items()
    }
    return {**_PROMPTS, **{name: prompt for name, prompt in found.items() if name not in _PROMPTS}}


def get(name: str, given: dict[str, str]) -> types.GetPromptResult:
    """Return the prompt `name` with the arguments `given` filled in. Raises UsageError if the prompt or an argument is
    unknown or missing."""
    prompt = _all().get(name)
    if prompt is None:
        raise UsageError(f"there is no prompt '{name[:80]}'; the prompts are {', '.join(_all())}")
    unknown = next((key for key in given if key not in prompt.arguments), None)
    if unknown is not None:
        raise UsageError(
            f"{name} has no argument '{unknown[:80]}'; its arguments: {', '.join(prompt.arguments) or 'none'}"
        )
    values: dict[str, str] = {}
    for key, (about, required) in prompt.arguments.items():
        if required and not given.get(key, "").strip():
            raise UsageError(f"{key} is missing: {about}")
        values[key] = given.get(key, "")
    text = prompt.text
    for key, value in values.items():
        text = text.replace(f"{{{key}}}", value, 1)
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text.strip()))
    return types.GetPromptResult(description=prompt.about, messages=[message])
