"""`pinebench.format` and `pinebench.migrate`: return a changed script and leave its file unchanged."""

from __future__ import annotations

from pinebench import config
from pinebench.api.sources import Source, read
from pinebench.errors import PinebenchError
from pinebench.migration import Migration


def format(source: Source) -> str:
    """Return the script in the layout of Pine's style guide. Only white space changes.

    The `pinebench.toml` nearest to the file sets the line width. Raises PinebenchError with the reason if the script
    cannot be formatted, for example because of syntax errors.

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
    """Convert a script from Pine v3, v4 or v5 to v6. The file is not changed.

    The result's `text` is the new script. `remarks` explain what changed or behaves differently, and `errors` remain to
    be repaired. `refused` tells why the script was not converted; None if it was. Raises UsageError if the file cannot
    be read.

    >>> import pinebench as pb
    >>> pb.migrate('//@version=4\\nstudy("Mean")\\nplot(sma(close, 20))').text
    '//@version=6\\nindicator("Mean")\\nplot(ta.sma(close, 20))'
    """
    from pinebench.migration import migrate as convert

    script = read(source, libraries)
    return convert(script.text, script.libraries)
