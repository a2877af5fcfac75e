"""Records of question sets, `{id, question, expectedTopics, …}`, in the words of an eval set."""

from typing import Any, Final, NamedTuple

from rankle.formats.column_names import Role, role_of
from rankle.formats.eval_record import RECORD_KEYS

_MEMBER: Final = {
    Role.ID: "id",
    Role.QUERY: "query",
    Role.RELEVANT: "relevant",
    Role.ANSWER: "answer",
    Role.TOPICS: "topics",
    Role.TAGS: "tags",
    Role.LANGUAGE: "language",
    Role.COLLECTION: "collection",
    Role.NOTE: "note",
}
_LISTS: Final = ("relevant", "topics", "tags")


class Renamed(NamedTuple):
    """A record in the words of an eval set."""

    record: dict[str, Any]
    is_question: bool
    """Whether it says `question`: a set of another tool, whose further members are none of our business."""
    passed_over: tuple[str, ...]
    lists_targets: bool
    """Whether it lists any, be it none; a question may say nothing of what should be found."""


def renamed(record: dict[str, Any]) -> Renamed:
    """The record with common other names of its members replaced.

    A member is renamed where its own name means nothing here and the one that it stands for is absent. Of
    a question set, members without a meaning are passed over.
    """
    is_question = "query" not in record and any(role_of(name) is Role.QUERY for name in record)
    result: dict[str, Any] = {}
    passed_over: list[str] = []
    for name, value in record.items():
        role = role_of(name)
        member = _MEMBER.get(role) if role is not None and name not in RECORD_KEYS else None
        if member is not None and member not in record and member not in result:
            result[member] = [value] if member in _LISTS and isinstance(value, str) else value
        elif is_question and name not in RECORD_KEYS:
            passed_over.append(name)
        else:
            result[name] = value
    lists_targets = bool({"relevant", "relevantDocs", "judgments"} & result.keys())
    if is_question and not lists_targets:
        result["relevant"] = []
    return Renamed(result, is_question, tuple(passed_over), lists_targets)
