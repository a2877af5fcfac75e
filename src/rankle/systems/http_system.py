"""`http://…` and `https://…`: a search behind HTTP as a measured system."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError, InputError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import Ask, SearchSystem, SystemDescription
from rankle.core.redaction import redacted_uri
from rankle.core.search import SearchResult
from rankle.systems import parts
from rankle.systems.expression import parse_expression
from rankle.systems.http_options import NO_CHECK, HttpOptions
from rankle.systems.http_request import Request, RequestMaker
from rankle.systems.http_sending import Sender
from rankle.systems.identity import Identity
from rankle.systems.results import EVERYWHERE, HitReader, shown
from rankle.systems.waiting import Waited

_ANSWERS: Final = ("answers", "responses", *parts.LISTS)
_MOST_PAGES: Final = 1000


def open_http(url: str, options: HttpOptions, *, identity: Identity) -> SearchSystem:
    """A system of single requests, or of batches where the options say so.

    Raises InputError on options that do not fit each other.
    """
    try:
        parts_of_url = urlsplit(url)
        _ = parts_of_url.port
    except ValueError:  # whose words may hold a part of a password
        raise InputError(
            "the URL is none: its host is no address, or its port no number up to 65535. What a user or "
            "password in it holds of / : @ is written %2F %3A %40"
        ) from None
    if not parts_of_url.hostname:
        raise InputError(f'"{redacted_uri(url)}" names no host; write http://HOST/PATH')
    if options.batch_size > 1:
        if options.page_size or options.next:
            raise InputError("batch_size asks for all results at once, so page_size and next go without it")
        return HttpBatchSystem(url, options, identity=identity)
    return HttpSystem(url, options, identity=identity)


class HttpSystem:
    """One request a query, or one a page of its results. Implements `core.ports.SearchSystem`."""

    def __init__(
        self,
        url: str,
        options: HttpOptions,
        *,
        identity: Identity,
        sender: Sender | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """sender: None makes one of the options."""
        self._url = url
        self._options = options
        self._identity = identity
        self._maker = RequestMaker(url, options)
        self._reader = HitReader(options, method=identity.method)
        self._next = None if options.next is None else parse_expression(options.next)
        self._sender = sender or Sender(options, host=urlsplit(url).hostname or "")
        self._clock = clock

    def describe(self) -> SystemDescription:
        return self._identity.describe(self._options)

    def catalog(self) -> Catalog | None:
        return None

    async def start(self) -> None:
        """Checks that somebody answers. Raises CannotMeasureError, with what the server says."""
        await self._sender.open()
        if self._options.health == NO_CHECK:
            return
        try:
            if self._options.health is None:
                await self._probe()
            else:
                await self._ask_health(self._options.health)
        except SystemFailureError as error:
            raise CannotMeasureError(
                f"the system cannot be asked, so no query was: {error}. To ask without this check: "
                f'health = "{NO_CHECK}"'
            ) from error

    async def stop(self) -> None:
        await self._sender.close()

    async def _probe(self) -> None:
        """Asks a query as those of a set are asked, and reads what comes."""
        probe = self._options.probe
        values = self._values(probe, depth=1, level=Level.DOCUMENT)
        answer = await self._sender.json(self._maker.make(values), is_check=True)
        if isinstance(self, HttpBatchSystem):
            (answer,) = self.split(answer, 1)
        self._reader.check(answer)

    async def _ask_health(self, health: str) -> None:
        made = self._maker.make(self._values(self._options.probe, depth=1, level=Level.DOCUMENT))
        headers = {name: value for name, value in made.headers.items() if name.lower() != "content-type"}
        url = urljoin(self._url.partition("?")[0], health)
        if _server(url) != _server(self._url):  # whose keys these are not
            headers = {}
        await self._sender.send(Request("GET", url, headers, None), is_check=True)

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        waited, began = Waited(clock=self._clock), self._clock()
        wanted = depth * self._options.overfetch
        values = self._values(query, depth=wanted, level=level, collection=collection)
        if self._options.page_size is None and self._next is None:
            answer, entries = await self._sender.json(self._maker.make(values), waited=waited), None
        else:
            answer, entries = await self._pages(values, wanted, waited=waited)
        took_ms = (self._clock() - began) * 1000
        notices = self._notices(collection)
        found = self._reader.read(
            answer, query, level=level, took_ms=took_ms, entries=entries, notices=notices
        )
        return waited.told_by(found)

    def _notices(self, collection: str | None) -> tuple[str, ...]:
        return () if collection is None or self._maker.tells_collection() else (EVERYWHERE,)

    def _values(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> dict[str, Any]:
        size = min(depth, self._options.page_size or depth)
        return {
            "query": query, "queries": [query], "depth": depth, "level": level.value,
            "collection": collection, "size": size, "offset": 0, "page": 1, "cursor": None,
        }  # fmt: skip

    async def _pages(self, values: dict[str, Any], wanted: int, *, waited: Waited) -> tuple[Any, list[Any]]:
        """The first answer, and the results of all pages: until there are enough, or a page has none, or
        fewer than it could have where nothing says what comes next."""
        first: Any = None
        entries: list[Any] = []
        url: str | None = None
        for page in range(1, _MOST_PAGES + 1):
            placed = {**values, "page": page, "offset": len(entries)}
            answer = await self._sender.json(self._maker.make(placed, url=url), waited=waited)
            first = answer if first is None else first
            found = self._reader.entries(answer)
            entries += found
            step = self._step(answer, n_found=len(found))
            if len(entries) >= wanted or not found or step is None:
                return first, entries
            url = step.get("url")
            values = {**values, "cursor": step.get("cursor")}
        raise SystemFailureError(f"{_MOST_PAGES} pages did not end; look at next and page_size")

    def _step(self, answer: Any, *, n_found: int) -> Mapping[str, Any] | None:
        """How the next page is asked for; None where there is none."""
        if self._next is None:
            return {} if n_found >= (self._options.page_size or 1) else None
        following = self._next(answer)
        if following in (None, "", False):
            return None
        if isinstance(following, str) and ("://" in following or following.startswith("/")):
            url = urljoin(self._url.partition("?")[0], following)
            if _server(url) != _server(self._url):
                raise SystemFailureError(f"the next page lies elsewhere: {redacted_uri(url)}")
            return {"url": url}
        if not self._maker.holds("cursor"):
            raise SystemFailureError(
                f"the answer says what comes next ({shown(following)}), which is no URL, and nothing of the "
                "request holds it; write {{ cursor }} in its URL or body"
            )
        return {"cursor": following}


class HttpBatchSystem(HttpSystem):
    """One request for several queries. Implements `core.ports.BatchSearchSystem`."""

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        waited = Waited(clock=self._clock)
        asks = [Ask(query, collection)]
        (found,) = await self._block(asks, depth=depth, level=level, waited=waited)
        return waited.told_by(found)

    async def search_batch(
        self, asks: Sequence[Ask], *, depth: int, level: Level
    ) -> list[SearchResult | SystemFailureError]:
        """Requests of a batch are in flight together, as many as are allowed. Where one fails, its queries
        are asked one by one, so that those fail that do."""
        blocks: list[list[int]] = []
        by_collection: dict[str | None, list[int]] = {}
        for place, ask in enumerate(asks):
            by_collection.setdefault(ask.collection, []).append(place)
        size = self._options.batch_size
        for places in by_collection.values():
            blocks += [places[start : start + size] for start in range(0, len(places), size)]
        answered = await asyncio.gather(
            *(self._answered([asks[place] for place in block], depth=depth, level=level) for block in blocks)
        )
        found: dict[int, SearchResult | SystemFailureError] = {}
        for block, results in zip(blocks, answered, strict=True):
            found |= dict(zip(block, results, strict=True))
        return [found[place] for place in range(len(asks))]

    async def _answered(
        self, asks: Sequence[Ask], *, depth: int, level: Level
    ) -> Sequence[SearchResult | SystemFailureError]:
        try:
            return await self._block(asks, depth=depth, level=level, waited=Waited(clock=self._clock))
        except SystemFailureError as error:
            if len(asks) == 1:
                return [error]
        return [(await self._answered([ask], depth=depth, level=level))[0] for ask in asks]

    async def _block(
        self, asks: Sequence[Ask], *, depth: int, level: Level, waited: Waited
    ) -> list[SearchResult]:
        wanted = depth * self._options.overfetch
        values = self._values(asks[0].query, depth=wanted, level=level, collection=asks[0].collection)
        began = self._clock()
        request = self._maker.make({**values, "queries": [ask.query for ask in asks]})
        answer = await self._sender.json(request, waited=waited)
        took_ms = (self._clock() - began) * 1000 / len(asks)
        return [
            self._reader.read(
                one, ask.query, level=level, took_ms=took_ms, notices=self._notices(ask.collection)
            )
            for one, ask in zip(self.split(answer, len(asks)), asks, strict=True)
        ]

    def split(self, answer: Any, n: int) -> list[Any]:
        """The answers of n queries that were asked together."""
        if self._options.answers is not None:
            found = parse_expression(self._options.answers)(answer)
        else:
            found = answer if isinstance(answer, list) else parts.member(answer, _ANSWERS)
        if not isinstance(found, list) or len(found) != n:
            got = len(found) if isinstance(found, list) else shown(found)
            raise SystemFailureError(f"{n} queries need a list of {n} answers, got {got}")
        return found


def _server(url: str) -> tuple[str, str | None, int | None]:
    """Whom a URL leads to, and by which protocol. Raises ValueError on a port that is none."""
    parts_of_url = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts_of_url.scheme)
    return parts_of_url.scheme, parts_of_url.hostname, parts_of_url.port or usual
