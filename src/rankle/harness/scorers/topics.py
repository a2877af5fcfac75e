"""How many of the topics that an answer should speak of it does speak of."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from rankle.core.errors import InputError
from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.making import make_scorer, shown
from rankle.harness.scorers.selecting import Select, Selector
from rankle.harness.scorers.texts import text_of
from rankle.labels.plain_text import PlainText

Topic: TypeAlias = str | tuple[str, ...]
"""A text, or several of which one is enough."""
_KEY: Final = "topics"
NO_TOPIC: Final = "no topic is expected"
_FIRST_WITHOUT_SPACES: Final = "\u0e00"
"""From Thai on many scripts set no spaces between words, so that words have no edges there."""


@dataclass(frozen=True, slots=True)
class _TopicsCovered:
    topics: tuple[Topic, ...] | None
    output: Selector
    expected: Selector

    def __call__(self, context: ScoreContext) -> Score:
        topics = self.topics if self.topics is not None else self._expected(context)
        if not topics:
            return Score(None, reason=NO_TOPIC)
        text = _plain(text_of(self.output.needed(context.output)))
        covered = [_label(topic) for topic in topics if _speaks_of(text, topic)]
        missing = [_label(topic) for topic in topics if not _speaks_of(text, topic)]
        metadata = {"total": len(topics), "covered": covered, "missing": missing}
        return Score(len(covered) / len(topics), metadata)

    def _expected(self, context: ScoreContext) -> tuple[Topic, ...]:
        """What is selected, else what the expectation or the metadata of the row has under `topics`."""
        if self.expected.given is not None:
            return _topics(self.expected(context.expected))
        if isinstance(context.expected, Mapping) and _KEY in context.expected:
            return _topics(context.expected[_KEY])
        return _topics(context.metadata.get(_KEY))


def topics_covered(
    topics: Sequence[str | Sequence[str]] | None = None,
    *,
    output: Select = None,
    expected: Select = None,
    name: str | None = None,
    weight: float = 1.0,
) -> Scorer:
    """Share of the topics that stand in the answer, as whole words, whatever their case and spelling.

    topics: None takes those under `topics` in what is expected, or in the metadata of the row, as rows of
        eval sets have them. A topic may be a list of texts of which one is enough: ["PTO", "paid leave"].
    Where no topic is expected it does not apply. Raises InputError on topics that are no texts, or blank.
    """
    return make_scorer(
        _TopicsCovered(
            None if topics is None else _topics(topics),
            Selector(output, "output"),
            Selector(expected, "expected"),
        ),
        default_name="topics_covered",
        description="Share of the expected topics that the answer speaks of",
        name=name,
        weight=weight,
    )


def _topics(value: Any) -> tuple[Topic, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InputError(f"topics must be a list of texts, got {shown(value)}")
    return tuple(dict.fromkeys(_topic(one) for one in value))


def _topic(value: Any) -> Topic:
    texts = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list | tuple) else ()
    if not texts or not all(isinstance(text, str) and _plain(text) for text in texts):
        raise InputError(f"a topic must be a text that is not blank, or a list of such; got {shown(value)}")
    return value if isinstance(value, str) else texts


def _label(topic: Topic) -> str:
    return topic if isinstance(topic, str) else " | ".join(topic)


def _speaks_of(text: str, topic: Topic) -> bool:
    texts = (topic,) if isinstance(topic, str) else topic
    return any(re.search(_pattern(_plain(one)), text) for one in texts)


def _pattern(topic: str) -> str:
    before = r"(?<!\w)" if _has_edge(topic[0]) else ""
    after = r"(?!\w)" if _has_edge(topic[-1]) else ""
    return f"{before}{re.escape(topic)}{after}"


def _has_edge(character: str) -> bool:
    return character.isalnum() and character < _FIRST_WITHOUT_SPACES


def _plain(text: str) -> str:
    return PlainText(text).text.casefold()
