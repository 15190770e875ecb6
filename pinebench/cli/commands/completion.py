"""`pinebench completion`: a completion script for a shell, made from the commands' own arguments."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pinebench.cli.table import Subparsers

_EPILOG = """\
to use it:
  bash    pinebench completion bash > ~/.local/share/bash-completion/completions/pinebench
  zsh     pinebench completion zsh > ~/.zfunc/_pinebench        (with fpath+=~/.zfunc before compinit)
  fish    pinebench completion fish > ~/.config/fish/completions/pinebench.fish
"""


class Option(NamedTuple):
    """One option of a command, as completion needs it; `choices` is empty for a free value."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    choices: tuple[str, ...]


class Entry(NamedTuple):
    """One command as completion needs it; `words` are the values of its positional, empty where files are meant."""

    name: str
    help: str
    options: tuple[Option, ...]
    words: tuple[str, ...]


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "completion",
        usage="pinebench completion SHELL",
        description="Print a completion script for your shell.",
        epilog=_EPILOG,
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def run(args: argparse.Namespace) -> int:
    """Print the script for the shell."""
    writers = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    sys.stdout.write(writers[args.shell](_entries()))
    return 0


def _entries() -> list[Entry]:
    from pinebench.cli.console import Parser
    from pinebench.cli.table import COMMANDS

    subparsers = Parser(prog="pinebench").add_subparsers(prog="pinebench", parser_class=Parser)
    entries: list[Entry] = []
    for name, command in COMMANDS.items():
        import_module(f"pinebench.cli.commands.{command.module}").add_parser(subparsers)
        actions = subparsers.choices[name]._actions
        options = tuple(_option(action) for action in actions if action.option_strings)
        positional = next((action for action in actions if not action.option_strings), None)
        words = _choices(positional) if positional else ()
        entries.append(Entry(name, command.help, options, words))
    return entries


def _option(action: argparse.Action) -> Option:
    return Option(tuple(action.option_strings), action.help or "", action.nargs != 0, _choices(action))


def _choices(action: argparse.Action) -> tuple[str, ...]:
    return tuple(str(choice) for choice in action.choices or ())


def _bash(entries: list[Entry]) -> str:
    cases = "".join(_bash_case(entry) for entry in entries)
    names = " ".join(entry.name for entry in entries)
    return f"""\
# bash completion for pinebench; made by `pinebench completion bash`
_pinebench() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} values="" options="" words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{names} --help --version" -- "$word"))
        return
    fi
    case "${{COMP_WORDS[1]}}" in
{cases}    esac
    if [ -n "$values" ]; then
        COMPREPLY=($(compgen -W "$values" -- "$word"))
    elif [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [ -n "$words" ] && [ "$COMP_CWORD" -eq 2 ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    fi
}}
complete -o default -F _pinebench pinebench
"""


def _bash_case(entry: Entry) -> str:
    options = " ".join(name for option in entry.options for name in option.names)
    values = "".join(
        f'                {"|".join(option.names)}) values="{" ".join(option.choices)}" ;;\n'
        for option in entry.options
        if option.choices
    )
    chosen = f'            case "$before" in\n{values}            esac\n' if values else ""
    words = f'            words="{" ".join(entry.words)}"\n' if entry.words else ""
    return f'        {entry.name})\n            options="{options}"\n{words}{chosen}            ;;\n'


def _zsh(entries: list[Entry]) -> str:
    commands = "".join(f"        {_zsh_quoted(f'{entry.name}:{entry.help}')}\n" for entry in entries)
    cases = "".join(_zsh_case(entry) for entry in entries)
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
    case $command in
{cases}    esac
}}
if [ "$funcstack[1]" = "_pinebench" ]; then
    _pinebench "$@"
else
    compdef _pinebench pinebench
fi
"""


def _zsh_case(entry: Entry) -> str:
    arguments = [_zsh_option(name, option) for option in entry.options for name in option.names]
    if entry.words:
        arguments.append(f"'1:value:({' '.join(entry.words)})'")
    arguments.append("'*:file:_files'")
    listed = " \\\n                ".join(arguments)
    return f"        {entry.name})\n            _arguments \\\n                {listed}\n            ;;\n"


def _zsh_option(name: str, option: Option) -> str:
    for special in "[]:":
        option = option._replace(help=option.help.replace(special, "\\" + special))
    value = ""
    if option.takes_value:
        value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files"
    return _zsh_quoted(f"{name}[{option.help}]{value}")


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _fish(entries: list[Entry]) -> str:
    lines = [
        "# fish completion for pinebench; made by `pinebench completion fish`",
        "complete -c pinebench -n __fish_use_subcommand -s h -l help -d 'show this help message and exit'",
        "complete -c pinebench -n __fish_use_subcommand -l version -d 'show the version and leave'",
    ]
    for entry in entries:
        lines.append(f"complete -c pinebench -n __fish_use_subcommand -f -a {entry.name} -d {_fish_quoted(entry.help)}")
        seen = f"-n '__fish_seen_subcommand_from {entry.name}'"
        if entry.words:
            first = f"-n '__fish_seen_subcommand_from {entry.name}; and test (count (commandline -opc)) -eq 2'"
            lines.append(f"complete -c pinebench {first} -f -a {_fish_quoted(' '.join(entry.words))}")
        for option in entry.options:
            flags = " ".join(_fish_flag(name) for name in option.names)
            value = " -r" if option.takes_value else ""
            value += f" -f -a {_fish_quoted(' '.join(option.choices))}" if option.choices else ""
            lines.append(f"complete -c pinebench {seen} {flags}{value} -d {_fish_quoted(option.help)}")
    return "\n".join(lines) + "\n"


def _fish_flag(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
