"""Texts that are markup, which tests plant wherever foreign text can stand, and a check that they stayed texts."""

from urllib.parse import urlsplit

from tests.docs.browsing import Reader

FOREIGN = "http://outside.invalid/"
"""An address that no page may ask for."""
_RUN = "window.top.__pwned=1"
MARKUP = (
    f"</script></style></title></textarea><img src=x onerror='{_RUN}'><svg onload='{_RUN}'></svg>"
    f"<script>{_RUN}</script>"
    f"<iframe srcdoc='<script>{_RUN}</script>'></iframe><a href='javascript:{_RUN}'>go</a>[go](javascript:{_RUN})"
    f"![go]({FOREIGN}a.png)<img src='{FOREIGN}b.png'><style>*{{background:url({FOREIGN}c.png)}}</style>"
    f"' onmouseover='{_RUN}' x='<!--"
)
"""Markup of every kind. It has neither double quotes nor backslashes, so that it can stand in a string of Pine."""
HIDDEN = "\u202e\u2066"
"""Bidi marks, which make a text look like another one."""

_TRACES = """(() => {
  const found = [];
  if (window.__pwned !== undefined) found.push('a script ran');
  const roots = [document];
  while (roots.length > 0) {
    for (const node of roots.pop().querySelectorAll('*')) {
      if (node.shadowRoot) roots.push(node.shadowRoot);
      for (const {name, value} of node.attributes) {
        const brought = /__pwned|outside\\.invalid/.test(value);
        if (brought && /^on|^(href|src|srcset|srcdoc|action|formaction|data|style|xlink:href)$/i.test(name)) {
          found.push(`${node.tagName} has ${name}`);
        }
      }
      if (/^(SCRIPT|STYLE|IFRAME)$/i.test(node.tagName) && node.type !== 'application/json' && node.id !== 'source') {
        if (/outside\\.invalid/.test(node.textContent) || /^window.top.__pwned/.test(node.textContent)) {
          found.push(`${node.tagName} holds what was planted`);
        }
      }
    }
  }
  return found;
})()"""


def traces(reader: Reader) -> list[str]:
    """What became of planted texts that should not have: scripts that ran, elements, and requests that left."""
    return [*reader.js(_TRACES), *(f"asked for {each}" for each in reader.asked if _leaves(each))]


def _leaves(address: str) -> bool:
    """Whether a request is for another computer than this one."""
    parts = urlsplit(address)
    return parts.scheme in ("http", "https", "ws", "wss", "ftp") and parts.hostname not in ("127.0.0.1", "localhost")
