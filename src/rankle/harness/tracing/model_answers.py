"""Answers of the OpenAI and Anthropic clients: as they are cached, made again, counted and shown.

They are known by their members; neither package is imported before one of its answers comes.
"""

import importlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rankle.core.cached import CachedOutput
from rankle.harness.evals.outputs import as_json
from rankle.harness.tracing.replaying import CLIENTS


def dumped(answer: Any) -> dict[str, Any]:
    """What is kept of the answer of a `create`, or of a part of its stream."""
    kind = type(answer)
    return {"class": f"{kind.__module__}:{kind.__qualname__}", "body": answer.model_dump(mode="json")}


def restored(kept: CachedOutput) -> Any:
    """The answer of a `create`; of a stream the list of its parts."""
    body = json.loads(kept.value)
    return _built(body["one"]) if "one" in body else [_built(part) for part in body["parts"]]


def sent_body(kept: CachedOutput) -> bytes:
    """The JSON that the answer of a `parse` is made from. What was parsed stands in it too, where no client
    looks."""
    return json.dumps(json.loads(kept.value)["sent"]).encode()


def _built(dumped: Mapping[str, Any]) -> Any:
    module, _, name = dumped["class"].partition(":")
    if module.partition(".")[0] not in CLIENTS:
        raise ValueError(f"the cache holds an answer of {module}, which is no client that is known")
    kind: Any = importlib.import_module(module)
    for part in name.split("."):
        kind = getattr(kind, part)
    return kind.construct(**dumped["body"])


def tokens_of(parts: Sequence[Any]) -> tuple[int, int]:
    """Read and written. A stream tells them in one of its last parts, or in its first and a later one."""
    read = written = 0
    for part in parts:
        for owner in (part, getattr(part, "message", None), getattr(part, "response", None)):
            usage = getattr(owner, "usage", None)
            if usage is not None:
                read = max(read, _count(usage, "input_tokens", "prompt_tokens"))
                written = max(written, _count(usage, "output_tokens", "completion_tokens"))
    return read, written


def _count(usage: Any, *names: str) -> int:
    return next((int(value) for name in names if (value := getattr(usage, name, None))), 0)


def shown(answer: Any) -> Any:
    """What the step shows: the text of a stream, an answer in full, of embeddings only how many and long."""
    if isinstance(answer, list):
        return "".join(_text_of(part) for part in answer)
    data = getattr(answer, "data", None)
    if isinstance(data, list) and data and hasattr(data[0], "embedding"):
        return {"n_embeddings": len(data), "dimensions": len(data[0].embedding)}
    if hasattr(answer, "model_dump"):
        return _dump(answer)
    return answer


def _dump(answer: Any) -> Any:
    """What a client parsed may be of any class: it is told as far as it can be, and without a warning."""
    from pydantic_core import PydanticSerializationError

    try:
        return answer.model_dump(mode="json", exclude_none=True, warnings=False)
    except PydanticSerializationError:
        return as_json(answer.model_dump(exclude_none=True, warnings=False))


def _text_of(part: Any) -> str:
    delta = getattr(part, "delta", None)
    if isinstance(delta, str):  # of OpenAI's responses
        return delta if str(getattr(part, "type", "")).endswith("output_text.delta") else ""
    choices: Iterable[Any] = getattr(part, "choices", None) or ()
    texts = [getattr(getattr(choice, "delta", None), "content", None) for choice in choices]
    return "".join(text for text in (*texts, getattr(delta, "text", None)) if isinstance(text, str))
