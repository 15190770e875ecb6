"""The pages that people see: consent and errors, the icon, and the HTTP headers that protect these pages."""

from __future__ import annotations

import html
from collections.abc import Iterable

from starlette.responses import HTMLResponse, Response

from pinebench.printable import printable

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#131722"/>'
    '<path d="M6 22l6-8 5 5 9-12" fill="none" stroke="#26a69a" stroke-width="3" stroke-linecap="round"'
    ' stroke-linejoin="round"/></svg>'
)

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#131722}"
    "main{border:1px solid #ccc;border-radius:8px;padding:1.5rem}h1{font-size:1.25rem;margin-top:0}"
    "code{background:#f0f3fa;padding:.1rem .3rem;overflow-wrap:anywhere}label{display:block;margin:.4rem 0}"
    "input[type=password],input[type=text]{font:inherit;width:100%;box-sizing:border-box;padding:.5rem}"
    "button{font:inherit;padding:.5rem 1.2rem;margin:1rem .5rem 0 0}.wrong{color:#b71c1c}"
)


def headers(form_target: str = "'none'") -> dict[str, str]:
    """Return the headers of a page. They forbid content from outside, scripts, frames and cached copies. Forms may only
    be sent to `form_target`."""
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
        f"form-action {form_target}"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Frame-Options": "DENY",
        "Cache-Control": "no-store",
        # With no-referrer, browsers would send the form with the origin null, as pages of other sites can.
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "publickey-credentials-get=()",
    }


def text(value: str) -> str:
    """Escape text for HTML."""
    return html.escape(printable(value))


def page(title: str, body: str, status: int = 200, form_target: str = "'none'") -> Response:
    """Return a page with the HTML `body`."""
    whole = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{text(title)}</title>'
        '<meta name="viewport" content="width=device-width"><link rel="icon" href="/favicon.svg">'
        f"<style>{_STYLE}</style></head><body><main><h1>{text(title)}</h1>{body}</main></body></html>"
    )
    return HTMLResponse(whole, status, headers(form_target))


def consent(
    *,
    client: str,
    client_id: str,
    target: str,
    address: str,
    request: str,
    token: str,
    scopes: Iterable[tuple[str, str, bool]],
    form_target: str,
    asks_name: bool = False,
    wrong: str = "",
    status: int = 200,
) -> Response:
    """Return the page on which the owner approves a client.

    `client` is the name that the client gives itself. `target` is the host or program that gets the code, at `address`.
    Each of `scopes` has a name, an explanation, and whether it is selected at first. With `asks_name`, the page also
    asks for the user's name. `wrong` says what was wrong with the last answer.
    """
    boxes = "".join(
        f'<label><input type="checkbox" name="scope" value="{text(name)}"{" checked" if chosen else ""}> {text(about)}'
        f" (<code>{text(name)}</code>)</label>"
        for name, about, chosen in scopes
    )
    problem = f'<p class="wrong" role="alert">{text(wrong)}</p>' if wrong else ""
    user = (
        '<label>Your name<input type="text" name="user" value="owner" autocomplete="username" maxlength="40"'
        ' autocapitalize="none" spellcheck="false"></label>'
        if asks_name
        else ""
    )
    whose = "Your passphrase" if asks_name else "The passphrase of this server"
    body = (
        f"<p>A program that calls itself <strong>{text(client)}</strong> asks for access. Its access code goes to "
        f"<strong>{text(target)}</strong>: <code>{text(address)}</code></p>"
        f"<p>Its id is <code>{text(client_id)}</code>. Allow it only if you have just started this yourself and know "
        f"the place above.</p>{problem}"
        '<form method="post" action="/consent" autocomplete="off">'
        f'<input type="hidden" name="request" value="{text(request)}">'
        f'<input type="hidden" name="csrf" value="{text(token)}">{boxes}{user}'
        f'<label>{whose}<input type="password" name="passphrase" autocomplete="current-password"'
        ' autofocus maxlength="1000"></label>'
        '<button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></form>'
    )
    return page("Allow access to pinebench?", body, status, form_target)
