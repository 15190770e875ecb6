"""`pinebench fix`: repair a script: compile, fix, compile again."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pinebench import config, files
from pinebench.cli.compiler_option import add_compiler_arguments, compiler_of
from pinebench.cli.console import InputPath, note, output_path, print_diff, print_script, read_script
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from pinebench.authoring.author import Author

EPILOG = """\
examples:
  pinebench fix my.pine                       repair it in place; needs no key and no network
  pinebench fix my.pine --diff                show what would change, and change nothing
  pinebench fix my.pine --unsafe-fixes        also guess; lists each guess and keeps the original
  pinebench fix - < my.pine                   from standard input to standard output
  pinebench fix my.pine --author claude       let Claude repair it (needs ANTHROPIC_API_KEY)

Only safe fixes are applied; everything else stays the same. Without -o, FILE is replaced, in one step and only if the
result has fewer errors. Claude's changes are shown, and the original is kept.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("file", type=InputPath, metavar="FILE", help="the script; - reads standard input and prints the result")
    add("--author", choices=("quickfix", "claude"), default="quickfix", help="who repairs (default: quickfix)")
    add("--model", metavar="M", help="Claude's model (default: PINEBENCH_MODEL)")
    add(
        "--unsafe-fixes",
        action="store_true",
        help="also apply guesses, which may change what the script does; each is listed, and the original is kept",
    )
    add(
        "-o",
        "--output",
        type=output_path,
        metavar="FILE",
        help="write the result here (-: print it) and leave the script alone",
    )
    add("--diff", action="store_true", help="print the change and write nothing")
    add_compiler_arguments(parser)


def _refuse_contradictions(args: argparse.Namespace) -> None:
    if args.diff and args.output:
        raise UsageError("--diff writes nothing, so -o has no effect with it", "leave one of them out")
    if args.unsafe_fixes and args.author == "claude":
        raise UsageError(
            "--unsafe-fixes is for mechanical fixes, and --author claude makes none", "leave one of them out"
        )


def run(args: argparse.Namespace) -> int:
    """Repair the script, report each step on stderr, and return the exit code."""
    from pinebench.authoring import session
    from pinebench.authoring.author import AuthorBudget
    from pinebench.cli.story import exit_code, follow, progress_line
    from pinebench.context import Context
    from pinebench.files import originals

    _refuse_contradictions(args)
    is_printed = args.output == "-" or (args.file == "-" and not args.output)
    name, read = read_script(args.file, changing=True)
    before = read.text
    in_place = not args.diff and not args.output and args.file != "-"
    author = _author(args)
    may_guess = args.unsafe_fixes or args.author == "claude"
    kept = originals.keep(args.file, read.encode(before)) if may_guess and in_place else None
    events = session.fix(
        name,
        author,
        compiler_of(args, path=args.file),
        AuthorBudget(),
        Context(progress=progress_line()),
        output=None if is_printed else args.output,
        keep=not args.diff and not is_printed,
        given=read if args.file == "-" else None,
        model=getattr(author, "model", None),
        key_from=getattr(author, "key_from", None),
        model_from=getattr(author, "model_from", None),
    )
    _, finished = follow(events)
    if args.diff and finished.source is not None:
        print_diff(before, finished.source, name)
    elif is_printed:
        print_script(before if finished.source is None else finished.source)
    elif finished.source == before and not finished.success:
        note(f"{name}: not changed")
    if kept and getattr(author, "guessed", True) and files.read(args.file) != read:
        note(f"{args.file}: the original is kept as {kept}")
    return exit_code(finished)


def _author(args: argparse.Namespace) -> Author:
    libraries = config.library_folders(args.file)
    if args.author == "claude":
        from pinebench.authoring.claude import Claude

        return Claude(args.model, libraries=libraries)
    from pinebench.authoring.quickfix import QuickFix

    return QuickFix(libraries, unsafe=args.unsafe_fixes)
