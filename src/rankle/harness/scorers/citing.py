"""Reads the citations of an answer, and the sources that they may refer to."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.core.evalset import Level
from rankle.harness.scorers.making import shown
from rankle.harness.scorers.members import as_id, has_members, member
from rankle.harness.scorers.retrieved import ranked_ids

SOURCES: Final = ("sources", "hits", "results", "docids")
"""Members of an output that hold what its answer may cite; the first that is there is taken."""
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_MARK: Final = re.compile(r"(?<!!)\[([^\[\]\n]{1,200})\](?!\()|【([^【】\n]{1,200})】")
"""Brackets that are neither an image nor the text of a link."""
_NUMBER: Final = re.compile(r"\^?(\d{1,4})")
_NAME: Final = re.compile(r"(?=\S*(?:\d|\.\w|#|_))\S+")
"""A word that looks like the name of a file or an id, and not like a remark: [sic], [x], [and/or], [...]."""
_END: Final = ".!?…"
_END_WIDE: Final = "。！？"
_AFTER_END: Final = re.compile(rf"([{_END}{_END_WIDE}]+)((?:\s*(?:\[[^\[\]\n]+\](?!\()|【[^【】\n]+】))+)")
_SENTENCE: Final = re.compile(rf"(?<=[{_END}])\s+(?=[^\sa-z])|(?<=[{_END_WIDE}])\s*")
_HEADING: Final = re.compile(r"\s*#{1,6}\s")


@dataclass(frozen=True, slots=True)
class Sources:
    """What an answer may cite, in the order in which it was given it."""

    ids: tuple[str, ...]

    def find(self, citation: str) -> str | None:
        """The source that a citation refers to; None where it refers to none.

        It is the id of one, the last part of a path that is, or its place, from 1.
        """
        number = _NUMBER.fullmatch(citation)
        place = int(number[1]) if number else 0
        return self.named(citation) or (self.ids[place - 1] if 1 <= place <= len(self.ids) else None)

    def named(self, citation: str) -> str | None:
        """The source of this id, or at the end of whose path it stands; None where there is none."""
        if citation in self.ids:
            return citation
        return next((one for one in self.ids if one.rsplit("/", 1)[-1] == citation), None)


def citations_in(text: str, sources: Sources | None = None) -> list[str]:
    """The citations in a text, in order, repeated ones too: `[1]`, `[1, 3]`, `[^2]`, `[guide.md]`, `【1】`.

    What stands in code, links and images is none, nor is a remark such as `[sic]`, unless it is the id of a
    source.
    """
    found: list[str] = []
    for match in _MARK.finditer(_CODE.sub(" ", text)):
        inside = match[1] or match[2]
        whole = inside.strip()
        parts = [whole] if sources and sources.find(whole) else re.split(r"\s*[,;]\s*", whole)
        if all(_is_citation(part, sources) for part in parts):
            found += parts
    return found


def _is_citation(part: str, sources: Sources | None) -> bool:
    if _NUMBER.fullmatch(part) or _NAME.fullmatch(part):
        return True
    return sources is not None and sources.find(part) is not None


def stated_citations(value: Any) -> list[str]:
    """The ids or numbers of a list of citations; entries may be hits. Raises InputError on anything else."""
    bare = as_id(value)
    if bare is not None:
        return [bare]
    if has_members(value) or isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InputError(f"citations must be a list of ids, numbers or hits, got {shown(value)}")
    return [as_id(each) or _cited(each) for each in value]


def _cited(entry: Any) -> str:
    found = as_id(member(entry, ("source", "document", "docid", "doc_id", "id", "chunk", "index", "number")))
    if found is None:
        raise InputError(f"a citation must be an id, a number or a hit, got {shown(entry)}")
    return found


def read_sources(value: Any) -> Sources:
    """The ids of what a list of hits or ids holds, each once. Raises InputError where it is no such list."""
    return Sources(tuple(dict.fromkeys(ranked_ids(value, Level.DOCUMENT))))


def sentences_of(text: str) -> list[str]:
    """The sentences of a text that say something, with the citations that stand behind their full stops.

    A line is never part of the sentence of another; headings and code are passed over.
    """
    found: list[str] = []
    for line in _CODE.sub(" ", text).splitlines():
        if not _HEADING.match(line):
            moved = _AFTER_END.sub(r"\2\1", line)
            found += [part for part in _SENTENCE.split(moved) if _says_something(part)]
    return found


def _says_something(sentence: str) -> bool:
    return any(character.isalpha() for character in _MARK.sub("", sentence))
