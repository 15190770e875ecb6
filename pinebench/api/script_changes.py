"""`pinebench.format` and `pinebench.migrate`: return a changed script, and leave files alone."""

from __future__ import annotations

from pinebench import config
from pinebench.api.sources import Source, read
from pinebench.errors import PinebenchError
from pinebench.migration import Migration


def format(source: Source) -> str:
    """Return the script in the layout of Pine's style guide. Only white space changes.

    The nearest `pinebench.toml` of a file sets the width. Raises PinebenchError with the reason if the script cannot be
    formatted, for example because it has syntax errors.

    >>> import pinebench as pb
    >>> pb.format('//@version=6\\nindicator("Mean")\\nplot( ta.sma(close,20) )')
    '//@version=6\\nindicator("Mean")\\nplot(ta.sma(close, 20))\\n'
    """
    from pinebench.formatting import FormatStyle, format_text

    script = read(source)
    style = FormatStyle()
    if script.path is not None:
        settings = config.resolved("format", script.path)
        style = FormatStyle(settings["width"].value, settings["align"].value)
    done = format_text(script.text, style)
    if done.reason:
        raise PinebenchError(f"{script.name} cannot be formatted: {done.reason}")
    return done.text


def migrate(source: Source, *, libraries: tuple[str, ...] | None = None) -> Migration:
    """Return the script of Pine v3, v4 or v5 as v6, with remarks about the changes. The file is not changed.

    The result's `text` is the new script, `remarks` say what changed or behaves differently, `errors` are left to
    repair, and `refused` says why nothing was changed, if nothing could be. Raises UsageError if the file cannot be
    read.

    >>> import pinebench as pb
    >>> pb.migrate('//@version=4\\nstudy("Mean")\\nplot(sma(close, 20))').text
    '//@version=6\\nindicator("Mean")\\nplot(ta.sma(close, 20))'
    """
    from pinebench.migration import migrate as convert

    script = read(source, libraries)
    return convert(script.text, script.libraries)
