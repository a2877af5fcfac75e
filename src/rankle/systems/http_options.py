"""What can be said of a search behind HTTP."""

from typing import Annotated, Any, Final

import msgspec

from rankle.systems.options import Count, Reading, Seconds, Wait

NO_CHECK: Final = "none"


class HttpOptions(Reading, frozen=True, kw_only=True):
    """Options of a search behind HTTP. Texts of the URL, the headers and the body are templates, which know
    `query`, `depth`, `level` and `collection`, and what batches and pages add."""

    method: str | None = None
    """None asks by GET where the URL holds a template and there is no body, else by POST."""
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    body: Any = None
    """Text, or a table or list that is sent as JSON. None sends `{"query": …, "depth": …}`, or nothing where
    the URL holds a template."""
    timeout_s: Seconds = 30.0
    """For one request, from the connection to the last byte of the answer."""
    retries: Annotated[int, msgspec.Meta(ge=0)] = 3
    """How often a request is sent again that failed by what may pass: no connection, a connection that broke,
    no answer in time, and the status codes 408, 425, 429, 500, 502, 503 and 504."""
    backoff_s: Wait = 0.5
    """The longest wait before the first of these, which chance shortens; twice as long before each further
    one, up to ten seconds."""
    max_wait_s: Wait = 60.0
    """The longest `Retry-After` that is waited for."""
    rate_per_s: Annotated[float, msgspec.Meta(gt=0)] | None = None
    """Requests that begin in a second, at most."""
    max_in_flight: Count = 16
    """Requests at a time, at most."""
    batch_size: Count = 1
    """Queries of one request, which stand in `queries`."""
    answers: str | None = None
    """Where the list of their answers stands, by JMESPath; None looks at the usual names."""
    page_size: Count | None = None
    """Results of one request, where more are wanted than a request may give: templates know `size`, `offset`
    from 0 and `page` from 1."""
    next: str | None = None
    """Where an answer says, by JMESPath, what comes next: the URL of the next page, or the `cursor` that
    templates know."""
    health: str | None = None
    """A URL, or its path, that answers by 2xx where all is well; None asks `probe`, `none` checks nothing."""
    probe: str = "health check"
    """The query of the check before the first query of a set."""
