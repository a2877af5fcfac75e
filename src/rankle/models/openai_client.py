"""The client of the `openai` SDK, as an embeddings endpoint needs it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rankle.core.errors import InputError, MissingExtraError, ModelError
from rankle.models.openai_name import KEY_VARIABLE, OpenAIName

if TYPE_CHECKING:
    import openai

PLACEHOLDER_KEY: Final = "none"
"""Sent where there is no key; local servers ignore it, and some want to see one."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long one request may be silent."""

    silence_s: float = 120.0
    """Between two signs of life: a large model on a CPU needs minutes for a full request."""
    connect_s: float = 5.0


def open_client(name: OpenAIName, *, key: str | None, timeouts: Timeouts) -> "openai.OpenAI":
    """The SDK's client for the endpoint of `name`: no retries, no redirects, no words of others' environment.

    Raises MissingExtraError without the SDK, InputError where the URL cannot be asked.
    """
    bearer = key or PLACEHOLDER_KEY
    try:
        import httpx2
        import openai
    except ImportError:
        raise MissingExtraError(what=f"The embedding model {name}", extra="llm") from None
    timeout = httpx2.Timeout(timeouts.silence_s, connect=timeouts.connect_s)
    try:
        client = openai.OpenAI(
            api_key=bearer,
            base_url=name.base_url,
            max_retries=0,
            timeout=timeout,
            # Named, so that OPENAI_CUSTOM_HEADERS cannot put another key in its place.
            default_headers={"Authorization": f"Bearer {bearer}"},
            http_client=httpx2.Client(timeout=timeout, follow_redirects=False),
        )
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise InputError(f'"{name}" has a malformed URL: {error}') from error
    if not name.is_public:
        # The SDK takes these from the environment; they are nobody else's business.
        client.organization = client.project = None
    return client


def checked_key(api_key: str | None, *, name: OpenAIName) -> str | None:
    """The key without surrounding white space; checked here since the HTTP stack's error would show it.

    None stands for no key. Raises InputError on a key that no header can hold, ModelError where the public
    API is to be asked without one.
    """
    key = (api_key or "").strip()
    if not key:
        if name.is_public:
            raise ModelError(
                f"{name} is behind the public API, which needs a key: set the environment variable "
                f"{KEY_VARIABLE}, or name a server of your own with @URL"
            )
        return None
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InputError(
            f"the key in {KEY_VARIABLE} cannot be sent: it holds white space, a control character or letters "
            "beyond ASCII. It is not shown here; paste it anew."
        )
    return key
