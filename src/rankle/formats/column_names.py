"""What the columns of a table are for, by the names that people and tools give them."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from rankle.core.errors import InputError, UnknownNameError


class Role(StrEnum):
    """What a column is for."""

    ID = "id"
    """The query's id."""
    QUERY = "query"
    """The query's text."""
    TARGET = "target"
    GRADE = "grade"
    SCORE = "score"
    RANK = "rank"
    RELEVANT = "relevant"
    """A relevant target, or a JSON list of them."""
    QUOTE = "quote"
    """The relevant passage of the target, as it stands there."""
    START = "start"
    """Offset of the first character of the passage in the target's text."""
    END = "end"
    """Offset behind its last character."""
    OCCURRENCE = "occurrence"
    """Which of the places that hold the quote is meant, from 1."""
    SYSTEM = "system"
    """The name of the run."""
    ANSWER = "answer"
    TOPICS = "topics"
    TAGS = "tags"
    LANGUAGE = "language"
    COLLECTION = "collection"
    NOTE = "note"
    TITLE = "title"
    """A document's title."""
    BODY = "body"
    """A document's text."""


_NAMES: Final[Mapping[Role, Sequence[frozenset[str]]]] = {
    # The names of a row outrank those of the rows below it; within a row, two are a question to the user.
    Role.ID: (
        frozenset({"queryid", "qid", "topicid", "queryno", "questionid", "topicno", "searchid"}),
        frozenset({"topic"}),
        frozenset({"id"}),
    ),
    Role.QUERY: (
        frozenset({"query", "question", "querytext", "questiontext", "searchterm", "searchquery"}),
        frozenset({"text"}),
    ),
    Role.TARGET: (
        frozenset(
            {"docid", "docno", "documentid", "corpusid", "target", "targetid", "passageid", "pid", "chunkid"}
            | {"itemid", "productid"}
        ),
        frozenset({"doc", "document", "passage", "chunk", "path", "file", "filename", "url"}),
    ),
    Role.GRADE: (
        frozenset({"relevance", "grade", "rel", "relevancegrade", "judgment", "judgement", "rating"}),
        frozenset({"label", "gain", "stars", "grades", "ratings", "relevancy"}),
    ),
    Role.SCORE: (
        frozenset({"score", "sim", "similarity", "retrievalscore", "relevancescore", "prediction"}),
    ),
    Role.RANK: (frozenset({"rank", "position", "docposition", "docrank"}),),
    Role.RELEVANT: (
        frozenset({"relevant", "relevantdocs", "relevantdocuments", "relevantids", "relevantdocids"}),
        frozenset({"expectedsource", "expectedsources", "expecteddocs", "expecteddocuments"}),
    ),
    Role.QUOTE: (frozenset({"quote", "excerpt", "snippet"}),),
    Role.START: (frozenset({"start", "startindex", "startoffset", "startchar"}),),
    Role.END: (frozenset({"end", "endindex", "endoffset", "endchar"}),),
    Role.OCCURRENCE: (frozenset({"occurrence"}),),
    Role.SYSTEM: (frozenset({"system", "run", "runid", "runname", "tag", "runtag"}),),
    Role.ANSWER: (frozenset({"answer", "expectedanswer", "referenceanswer", "groundtruth", "reference"}),),
    Role.TOPICS: (frozenset({"topics", "expectedtopics", "expectedkeywords", "keywords"}),),
    Role.TAGS: (frozenset({"tags"}),),
    Role.LANGUAGE: (frozenset({"language", "lang"}),),
    Role.COLLECTION: (frozenset({"collection"}),),
    Role.NOTE: (frozenset({"note", "notes", "comment"}),),
    Role.TITLE: (frozenset({"title"}),),
    Role.BODY: (frozenset({"contents", "content", "body", "documenttext", "passagetext"}),),
}
_CHARS: Final = re.compile(r"[^0-9a-z]+")


def key(name: str) -> str:
    """A name without case, white space, signs: `Query-ID`, `query_id` and `queryId` are one."""
    return _CHARS.sub("", name.casefold())


def is_known(name: str) -> bool:
    """Whether a name is one that columns commonly have."""
    return role_of(name) is not None


def role_of(name: str) -> Role | None:
    """The role that a name alone tells; None where it tells none."""
    found = key(name)
    return next((role for role, tiers in _NAMES.items() if any(found in tier for tier in tiers)), None)


class UnknownColumnError(UnknownNameError):
    """A column that the user named for a role and the table does not have."""

    def __init__(self, role: Role, name: str, names: Sequence[str], *, path: object) -> None:
        self.role = role
        hint = f"It has: {', '.join(names)}"
        super().__init__(what=f"column of {path} for {role}", name=name, known=names, hint=hint)


def column_roles(names: Sequence[str], *, path: object, chosen: Mapping[Role, str]) -> dict[Role, int]:
    """Place of the column of each role that a table has.

    chosen: columns that the user named; they win. Raises UnknownColumnError where a chosen column is not
    there, InputError where several columns could have one role, with the flag that tells.
    """
    places = {role: _chosen_place(role, name, names, path=path) for role, name in chosen.items()}
    for role, tiers in _NAMES.items():
        if role in places:
            continue
        for tier in tiers:
            fits = [n for n, name in enumerate(names) if key(name) in tier and n not in places.values()]
            if len(fits) > 1:
                flags = " or ".join(f"--column {role}={names[n]}" for n in fits)
                raise InputError(f"{path}: {len(fits)} columns could be the {role}. Say which: {flags}")
            if fits:
                places[role] = fits[0]
                break
    return places


def _chosen_place(role: Role, name: str, names: Sequence[str], *, path: object) -> int:
    if name in names:
        return names.index(name)
    same = [n for n, known in enumerate(names) if key(known) == key(name) and key(name)]
    if len(same) == 1:
        return same[0]
    raise UnknownColumnError(role, name, names, path=path)
