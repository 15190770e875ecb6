"""`pinebench completion`: print a completion script for your shell."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from pinebench.records import NamedTuple

EPILOG = """\
to use it:
  bash    pinebench completion bash > ~/.local/share/bash-completion/completions/pinebench
  zsh     pinebench completion zsh > ~/.zfunc/_pinebench        (with fpath+=~/.zfunc before compinit)
  fish    pinebench completion fish > ~/.config/fish/completions/pinebench.fish
"""


class CompletionOption(NamedTuple):
    """An option of a command, as needed for completion. `choices` is empty if any value is allowed."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    choices: tuple[str, ...]


class CommandEntry(NamedTuple):
    """A command, or a subcommand such as `template show`, as needed for completion.

    `words` has the values of its positional argument; it is empty if the argument is a file. `below` has the
    subcommands.
    """

    name: str
    help: str
    options: tuple[CompletionOption, ...]
    words: tuple[str, ...]
    below: tuple[CommandEntry, ...] = ()


USAGE = "SHELL"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def run(args: argparse.Namespace) -> int:
    """Print the script for the shell."""
    writers = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    sys.stdout.write(writers[args.shell](_entries()))
    return 0


def _entries() -> list[CommandEntry]:
    from pinebench.cli import common
    from pinebench.cli.console import Parser
    from pinebench.cli.table import COMMANDS

    subparsers = Parser(prog="pinebench").add_subparsers(prog="pinebench", parser_class=Parser)
    entries: list[CommandEntry] = []
    for name, command in COMMANDS.items():
        parser, _ = common.declare(subparsers, name)
        entries.append(_entry(name, command.help, parser))
    return entries


def _entry(name: str, words_for_it: str, parser: argparse.ArgumentParser) -> CommandEntry:
    actions = parser._actions
    options = tuple(_option(name, action) for action in actions if action.option_strings)
    positional = next((action for action in actions if not action.option_strings), None)
    words = _choices(name, positional) if positional else ()
    return CommandEntry(name, words_for_it, options, words, _below(name, positional))


def _below(name: str, positional: argparse.Action | None) -> tuple[CommandEntry, ...]:
    choices = positional.choices if positional else None
    if not isinstance(choices, dict):
        return ()
    parsers: dict[str, argparse.ArgumentParser] = choices
    return tuple(_entry(f"{name} {word}", parser.description or "", parser) for word, parser in parsers.items())


def _option(command: str, action: argparse.Action) -> CompletionOption:
    return CompletionOption(
        tuple(action.option_strings), action.help or "", action.nargs != 0, _choices(command, action)
    )


def _choices(command: str, action: argparse.Action) -> tuple[str, ...]:
    if action.choices:
        return tuple(str(choice) for choice in action.choices)
    names = _NAMES.get((command, action.dest))
    return tuple(names()) if names else ()


def _templates() -> list[str]:
    from pinebench.authoring import catalogue

    return [item.name for item in catalogue.templates()]


def _known() -> list[str]:
    from pinebench.services.explained import known

    return known()


def _levels() -> list[str]:
    from pinebench.config import FAIL_ON, UNCHECKED

    return [*FAIL_ON, UNCHECKED]


_NAMES: dict[tuple[str, str], Callable[[], list[str]]] = {
    ("explain", "name"): _known,
    ("lint", "fail_on"): _levels,
    ("template show", "name"): _templates,
    ("template new", "name"): _templates,
    ("write", "template"): lambda: ["none", *_templates()],
}
"""Functions that list the values of an argument that takes one of many names, by command and argument."""


def _with_below(entries: list[CommandEntry]) -> list[CommandEntry]:
    return [each for entry in entries for each in (entry, *entry.below)]


def _bash(entries: list[CommandEntry]) -> str:
    cases = "".join(_bash_case(entry) for entry in _with_below(entries))
    names = " ".join(entry.name for entry in entries)
    nested = "|".join(entry.name for entry in entries if entry.below)
    return f"""\
# bash completion for pinebench; made by `pinebench completion bash`
_pinebench() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} values="" options="" words=""
    local command=${{COMP_WORDS[1]}} place=2
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{names} --help --version" -- "$word"))
        return
    fi
    case "$command" in
        {nested})
            if [ "$COMP_CWORD" -gt 2 ]; then
                command="$command ${{COMP_WORDS[2]}}"
                place=3
            fi
            ;;
    esac
    case "$command" in
{cases}    esac
    if [ -n "$values" ]; then
        COMPREPLY=($(compgen -W "$values" -- "$word"))
    elif [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [ -n "$words" ] && [ "$COMP_CWORD" -eq "$place" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    fi
}}
complete -o default -F _pinebench pinebench
"""


def _bash_case(entry: CommandEntry) -> str:
    options = " ".join(name for option in entry.options for name in option.names)
    values = "".join(
        f'                {"|".join(option.names)}) values="{" ".join(option.choices)}" ;;\n'
        for option in entry.options
        if option.choices
    )
    chosen = f'            case "$before" in\n{values}            esac\n' if values else ""
    words = f'            words="{" ".join(entry.words)}"\n' if entry.words else ""
    return f'        "{entry.name}")\n            options="{options}"\n{words}{chosen}            ;;\n'


def _zsh(entries: list[CommandEntry]) -> str:
    commands = "".join(f"        {_zsh_quoted(f'{entry.name}:{entry.help}')}\n" for entry in entries)
    cases = "".join(_zsh_case(entry) for entry in _with_below(entries))
    nested = "|".join(entry.name for entry in entries if entry.below)
    return f"""\
#compdef pinebench
# zsh completion for pinebench; made by `pinebench completion zsh`
_pinebench() {{
    local -a commands
    commands=(
{commands}    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    if [[ $command == ({nested}) ]] && (( CURRENT > 2 )); then
        command="$command $words[2]"
        shift words
        (( CURRENT-- ))
    fi
    case $command in
{cases}    esac
}}
if [ "$funcstack[1]" = "_pinebench" ]; then
    _pinebench "$@"
else
    compdef _pinebench pinebench
fi
"""


def _zsh_case(entry: CommandEntry) -> str:
    arguments = [_zsh_option(name, option) for option in entry.options for name in option.names]
    if entry.words:
        arguments.append(f"'1:value:({' '.join(entry.words)})'")
    arguments.append("'*:file:_files'")
    listed = " \\\n                ".join(arguments)
    return f'        "{entry.name}")\n            _arguments \\\n                {listed}\n            ;;\n'


def _zsh_option(name: str, option: CompletionOption) -> str:
    for special in "[]:":
        option = option._replace(help=option.help.replace(special, "\\" + special))
    value = ""
    if option.takes_value:
        value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files"
    return _zsh_quoted(f"{name}[{option.help}]{value}")


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _fish(entries: list[CommandEntry]) -> str:
    lines = [
        "# fish completion for pinebench; made by `pinebench completion fish`",
        "complete -c pinebench -n __fish_use_subcommand -s h -l help -d 'show this help message and exit'",
        "complete -c pinebench -n __fish_use_subcommand -l version -d 'show the version and exit'",
    ]
    for entry in entries:
        lines.append(f"complete -c pinebench -n __fish_use_subcommand -f -a {entry.name} -d {_fish_quoted(entry.help)}")
    for entry in _with_below(entries):
        typed = entry.name.split()
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in typed)
        if entry.words:
            first = f"-n '{seen}; and test (count (commandline -opc)) -eq {len(typed) + 1}'"
            lines.append(f"complete -c pinebench {first} -f -a {_fish_quoted(' '.join(entry.words))}")
        for option in entry.options:
            flags = " ".join(_fish_flag(name) for name in option.names)
            value = " -r" if option.takes_value else ""
            value += f" -f -a {_fish_quoted(' '.join(option.choices))}" if option.choices else ""
            lines.append(f"complete -c pinebench -n '{seen}' {flags}{value} -d {_fish_quoted(option.help)}")
    return "\n".join(lines) + "\n"


def _fish_flag(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
