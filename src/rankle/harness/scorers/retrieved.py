"""Reads what an output ranks: ids, hits, pairs of an id and a score, or a mapping that holds one of these."""

from collections.abc import Iterable, Mapping, Sized
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.core.evalset import Level
from rankle.harness.scorers.making import shown
from rankle.harness.scorers.members import as_id, has_members, member

LISTS: Final = ("docids", "results", "hits")
"""Members of an output that hold the ranked list; the first that is there is taken."""
_DOCUMENT: Final = ("document", "docid", "doc_id", "id")
_CHUNK: Final = ("chunk", "chunk_id", "id", "docid", "doc_id")
_ALLOWED: Final = (
    "the output must be a list, best first, of ids, of hits (with id, docid, document or chunk) or of pairs "
    f"(id, score), or a mapping with one of {', '.join(LISTS)}; select the list with output="
)


def ranked_ids(output: Any, level: Level) -> list[str]:
    """The ids that an output ranks at a level, best first, repeated ones too; their order is the truth.

    Raises InputError, with what was got and what is allowed, on anything that ranks nothing.
    """
    if type(output) is list and all(type(entry) is str and entry.strip() for entry in output):
        return output
    entries = ranked_entries(output)
    return [_id_of(entry, place, level) for place, entry in enumerate(entries, start=1)]


def ranked_entries(output: Any) -> list[Any]:
    """The entries of the list that an output is or holds."""
    held = _held(output)
    if isinstance(held, str | bytes | set | frozenset | Mapping) or hasattr(held, "columns"):
        raise InputError(f"{_ALLOWED}; got {shown(held)}{_hint(held)}")
    if not isinstance(held, Iterable) or not isinstance(held, Sized):
        raise InputError(f"{_ALLOWED}; got {shown(held)}")
    return list(held)


def _held(output: Any) -> Any:
    if has_members(output):
        held = member(output, LISTS)
        return output if held is None or callable(held) else held
    return output


def _hint(held: Any) -> str:
    if isinstance(held, set | frozenset):
        return ", which has no order"
    if isinstance(held, Mapping) and held and all(isinstance(value, int | float) for value in held.values()):
        return ". Give ids with scores in order: sorted(output, key=output.get, reverse=True)"
    return ""


def _id_of(entry: Any, place: int, level: Level) -> str:
    found = as_id(entry)
    if found is not None:
        return found
    if _is_pair(entry):
        return _id_of(entry[0], place, level)
    if level is Level.CHUNK and (chunks := member(entry, ("chunks",))):
        return _id_of(chunks[0], place, level)  # of a hit of ours: its best chunk, or itself
    keys = _CHUNK if level is Level.CHUNK else _DOCUMENT
    found = as_id(member(entry, keys))
    if found is None:
        raise InputError(
            f"result {place} of the output has no id at {level} level: it needs to be an id or to have "
            f"{', '.join(keys[:-1])} or {keys[-1]}{_in_metadata(entry)}; got {shown(entry)}"
        )
    return found


def _in_metadata(entry: Any) -> str:
    """How to return the ids of documents that keep them in their metadata, as those of LangChain do."""
    metadata = member(entry, ("metadata",))
    if not isinstance(metadata, Mapping) or not metadata:
        return ""
    key = "source" if "source" in metadata else next(iter(metadata))
    return f"; return ids, such as [each.metadata[{key!r}] for each in found]"


def _is_pair(entry: Any) -> bool:
    if not isinstance(entry, tuple | list) or len(entry) != 2 or hasattr(entry, "_fields"):
        return False
    score = entry[1]
    return not isinstance(score, bool | str | bytes) and hasattr(score, "__float__")
