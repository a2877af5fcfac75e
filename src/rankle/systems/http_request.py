"""Makes the requests of a search behind HTTP from templates."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.systems.http_options import HttpOptions
from rankle.systems.templates import url_template, value_template

_TEMPLATE: Final = "{{"
_METHODS: Final = ("GET", "POST", "PUT")
_DEFAULT_BODY: Final = {"query": "{{ query }}", "depth": "{{ depth }}"}
_DEFAULT_BATCH: Final = {"queries": "{{ queries }}", "depth": "{{ depth }}"}


@dataclass(frozen=True, slots=True)
class Request:
    """One request, ready to be sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None


class RequestMaker:
    """Makes the requests of one system."""

    def __init__(self, url: str, options: HttpOptions) -> None:
        """Raises InputError on templates that are none, and where nothing of a request holds the query."""
        body = _body(url, options)
        self.method = _method(options, has_body=body is not None)
        self._url = url_template(url)
        self._headers = value_template(dict(options.headers))
        self._is_text = isinstance(body, str)
        self._body = None if body is None else value_template(body)
        self._adds_collection = body in (_DEFAULT_BODY, _DEFAULT_BATCH)
        self._texts = (url, json.dumps(body), json.dumps(options.headers))
        wanted = "queries" if options.batch_size > 1 else "query"
        if not self.holds(wanted):
            raise InputError(
                f"nothing of the request holds the query; write {{{{ {wanted} }}}} in its URL or body"
            )
        if options.page_size is not None and options.next is None and not self.holds("offset", "page"):
            raise InputError(
                "page_size asks for one page after another, and nothing of the request says which; write "
                "{{ offset }} or {{ page }} in its URL or body, or say where an answer names the next: next"
            )

    def holds(self, *names: str) -> bool:
        """Whether a template of the request may look at one of these values."""
        words = [re.compile(rf"\b{name}\b") for name in names]
        return any(word.search(text) for word in words for text in self._texts)

    def tells_collection(self) -> bool:
        """Whether the server hears of which collection a query is."""
        return self._adds_collection or self.holds("collection")

    def make(self, values: Mapping[str, Any], *, url: str | None = None) -> Request:
        """The request for some values. url: of the next page, where an answer gave one."""
        # White space around a value is none of it, and a key from a file often ends in a line break.
        headers = {name: str(value).strip() for name, value in self._headers(values).items()}
        content = None
        if self._body is not None:
            found = self._body(values)
            if self._adds_collection and values.get("collection") is not None:
                found = {**found, "collection": values["collection"]}
            text = (
                found if self._is_text and isinstance(found, str) else json.dumps(found, ensure_ascii=False)
            )
            content = text.encode()
            if not any(name.lower() == "content-type" for name in headers):
                headers["Content-Type"] = "application/json"
        return Request(self.method, url or self._url(values), headers, content)


def _body(url: str, options: HttpOptions) -> Any:
    if options.body is not None:
        return options.body
    if _TEMPLATE in url or (options.method or "").upper() == "GET":
        return None
    return _DEFAULT_BATCH if options.batch_size > 1 else _DEFAULT_BODY


def _method(options: HttpOptions, *, has_body: bool) -> str:
    if options.method is None:
        return "POST" if has_body else "GET"
    method = options.method.upper()
    if method not in _METHODS:
        raise InputError(f'method must be one of {", ".join(_METHODS)}, got "{options.method}"')
    return method
