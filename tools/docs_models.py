"""The folder of docs/models.md: notes, a tiny model in ONNX, and servers behind the addresses of the page."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rankle.models.fake import FakeEmbedder
from tools.docs_environment import environment

if TYPE_CHECKING:
    from fakes.search_server import Asked, Reply

REPOSITORY: Final = Path(__file__).resolve().parent.parent
MODELS: Final = "DOCS_RUN_MODELS"
"""Variable that names the folder of models of the one who calls: to make one ready takes seconds."""
_NOTES: Final = {
    "battery.md": "# Battery\n\nCharge it before the first use. A full charge lasts two weeks.\n",
    "reset.md": "# Reset\n\nHold the button for ten seconds. All settings are lost.\n",
    "warranty.md": "# Warranty\n\nRepairs are free of charge for two years.\n",
}
_KEY: Final = "key-of-the-page"
_OLLAMA: Final = range(11434, 20000)
_OTHERS: Final = range(8080, 10000)
"""Ports of as many digits as the page has, so that lines break where they do there."""


@contextmanager
def models(folder: Path) -> Iterator[Mapping[str, str]]:
    """Three notes, `my-model`, and three servers that embed, one of which wants a key."""
    sys.path.insert(0, str(REPOSITORY / "tests"))
    from fakes.onnx_files import write_model
    from fakes.search_server import search_server

    (folder / "docs").mkdir()
    for name, text in _NOTES.items():
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    write_model(folder / "my-model")
    variables = {"RANKLE_CACHE": os.environ[MODELS], "OPENAI_API_KEY": _KEY}
    with ExitStack() as opened:
        opened.enter_context(environment(variables))
        ollama, other, public = (
            opened.enter_context(search_server(ports=ports)) for ports in (_OLLAMA, _OTHERS, _OTHERS)
        )
        ollama.respond = other.respond = _embeddings
        public.respond = lambda asked: _embeddings(asked, key=_KEY)
        yield {
            "localhost:11434": ollama.url.removeprefix("http://"),
            "localhost:8080": other.url.removeprefix("http://"),
            "text-embedding-3-small": f"text-embedding-3-small@{public.url}/v1",
        }


def _embeddings(asked: "Asked", *, key: str | None = None) -> "Reply":
    """An answer of `/v1/embeddings`, by the model that takes hashes of words."""
    from fakes.search_server import Reply

    if asked.path != "/v1/embeddings":
        return Reply({"error": {"message": "not found"}}, status=404)
    if key and asked.headers.get("authorization") != f"Bearer {key}":
        return Reply({"error": {"message": "incorrect API key"}}, status=401)
    rows = FakeEmbedder(asked.body.get("dimensions", 8)).embed_passages(asked.body["input"])
    data = [{"object": "embedding", "index": n, "embedding": row.tolist()} for n, row in enumerate(rows)]
    return Reply({"object": "list", "model": asked.body["model"], "data": data})
