"""Pages that open from disk: one file, with its own style and script alone.

The policy in its head lets the browser run and style by nothing but these two texts, by their hashes, so that
text from elsewhere that looks like markup could do nothing even where an escape was forgotten.
"""

import base64
import hashlib
import re
from importlib.resources import files
from typing import Any, Final

from rankle.core.product import NAME

_FOLDER: Final = "page"
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def render_page(name: str, *, styles: tuple[str, ...] = ("report",), **context: Any) -> str:
    """The template of a name, with its script behind that of all pages, and the styles of these names.

    context: what it shows; text is escaped.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    style = "".join(_text(f"{one}.css") for one in styles)
    script = _text("tables.js") + _text(f"{name}.js")
    environment = Environment(
        loader=FunctionLoader(_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_printable,
    )
    return environment.get_template(f"{name}.html.jinja").render(
        product=NAME, style=style, script=script, policy=_policy(style, script), **context
    )


def _text(name: str) -> str:
    return files("rankle.reports").joinpath(_FOLDER, name).read_text(encoding="utf-8")


def _printable(value: Any) -> Any:
    """What a template writes, without the control characters that HTML forbids; our own markup stays."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", value) if type(value) is str else value


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
