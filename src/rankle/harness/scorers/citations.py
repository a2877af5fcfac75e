"""Whether answers cite, whether what they cite was given to them, and how much of them is cited."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rankle.core.errors import InputError
from rankle.core.evalset import Level
from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.citing import (
    SOURCES,
    Sources,
    citations_in,
    read_sources,
    sentences_of,
    stated_citations,
)
from rankle.harness.scorers.expectation import judged_at, read_expectation
from rankle.harness.scorers.making import make_scorer
from rankle.harness.scorers.members import member
from rankle.harness.scorers.selecting import Select, Selector, stable_repr
from rankle.harness.scorers.texts import text_of

SourcesOf: TypeAlias = Callable[[ScoreContext], Any] | str | None
"""A function of the context, so that traced steps can be sources too; a JMESPath text into the output; or
None for the member of the output that holds them."""
_NO_CITATION = "no citation"
_NO_SENTENCE = "no sentence"


@dataclass(frozen=True, slots=True, repr=False)
class _Reading:
    """How the citations and the sources of an output are found."""

    output: Selector
    sources: SourcesOf

    def citations(self, context: ScoreContext, sources: Sources | None) -> list[str]:
        output = self.output.needed(context.output)
        stated = None if isinstance(output, str) else member(output, ("citations",))
        return citations_in(text_of(output), sources) if stated is None else stated_citations(stated)

    def known_sources(self, context: ScoreContext) -> Sources | None:
        """None where the output does not say."""
        if callable(self.sources):
            found = self.sources(context)
        elif self.sources is not None:
            found = Selector(self.sources, "sources")(context.output)
        else:
            found = None if isinstance(context.output, str) else member(context.output, SOURCES)
        return None if found is None else read_sources(found)

    def __repr__(self) -> str:
        return f"_Reading({self.output!r}, {stable_repr(self.sources)})"


@dataclass(frozen=True, slots=True)
class _Present:
    reading: _Reading
    least: int

    def __call__(self, context: ScoreContext) -> Score:
        found = self.reading.citations(context, self.reading.known_sources(context))
        return Score(len(found) >= self.least, {"count": len(found)})


@dataclass(frozen=True, slots=True)
class _Valid:
    reading: _Reading

    def __call__(self, context: ScoreContext) -> Score:
        sources = self.reading.known_sources(context)
        if sources is None:
            raise InputError(
                f"citations_valid needs the sources that may be cited: in the output under "
                f"{', '.join(SOURCES)}, or by sources=, such as "
                'sources=lambda context: context.metadata["documents"]'
            )
        found = self.reading.citations(context, sources)
        if not found:
            return Score(None, {"count": 0}, _NO_CITATION)
        invalid = [each for each in found if sources.find(each) is None]
        valid = len(found) - len(invalid)
        return Score(valid / len(found), {"count": len(found), "valid": valid, "invalid": invalid})


@dataclass(frozen=True, slots=True)
class _CoveringSentences:
    reading: _Reading

    def __call__(self, context: ScoreContext) -> Score:
        sources = self.reading.known_sources(context)
        sentences = sentences_of(text_of(self.reading.output.needed(context.output)))
        if not sentences:
            return Score(None, {"count": 0, "sentences": 0}, _NO_SENTENCE)
        counts = [len(citations_in(sentence, sources)) for sentence in sentences]
        cited = sum(count > 0 for count in counts)
        return Score(cited / len(counts), {"count": sum(counts), "cited": cited, "sentences": len(counts)})


@dataclass(frozen=True, slots=True)
class _CoveringExpected:
    reading: _Reading
    expected: Selector

    def __call__(self, context: ScoreContext) -> Score:
        sources = self.reading.known_sources(context)
        found = self.reading.citations(context, sources)
        judged = judged_at(
            read_expectation(self.expected(context.expected), grades_decide=False), Level.DOCUMENT
        )
        graded = frozenset(name for name, grade in judged.grades.items() if grade > 0)
        relevant = graded if judged.relevant is None else judged.relevant
        if not relevant:
            return Score(None, {"count": len(found)}, "no relevant judgment")
        missing = sorted(relevant - _cited(found, sources, relevant))
        metadata = {"count": len(found), "cited": len(relevant) - len(missing), "missing": missing}
        return Score(1 - len(missing) / len(relevant), metadata)


def _cited(citations: list[str], sources: Sources | None, expected: frozenset[str]) -> set[str]:
    """What is cited, by way of the sources or by its name; a number says nothing where there are none."""
    by_name = Sources(tuple(sorted(expected)))
    found = [(sources and sources.find(each)) or by_name.named(each) for each in citations]
    return {each for each in found if each is not None}


def citations_present(
    *,
    least: int = 1,
    output: Select = None,
    sources: SourcesOf = None,
    name: str | None = None,
    weight: float = 1.0,
) -> Scorer:
    """1 where the answer has a citation, or at least so many.

    They stand in its text, as `[1]` or `[guide.md]`, or in its member `citations`.
    """
    if type(least) is not int or least < 1:
        raise InputError(f"least= of citations_present is a whole number from 1, got {least!r}")
    return make_scorer(
        _Present(_reading(output, sources), least),
        default_name="citations_present",
        description="Whether the answer has "
        + ("a citation" if least == 1 else f"{least} citations or more"),
        name=name,
        weight=weight,
    )


def citations_valid(
    *, output: Select = None, sources: SourcesOf = None, name: str | None = None, weight: float = 1.0
) -> Scorer:
    """Share of the citations that refer to a source that was given: by its id, or its place from 1.

    Without a citation it does not apply. Raises InputError where nothing says what the sources are.
    """
    return make_scorer(
        _Valid(_reading(output, sources)),
        default_name="citations_valid",
        description="Share of the citations that refer to a source that was given",
        name=name,
        weight=weight,
    )


def citations_covering(
    of: Literal["sentences", "expected"] = "sentences",
    *,
    output: Select = None,
    sources: SourcesOf = None,
    expected: Select = None,
    name: str | None = None,
    weight: float = 1.0,
) -> Scorer:
    """Share of the answer's sentences that have a citation, or of the expected documents that are cited.

    Without a sentence, or without an expected document, it does not apply.
    """
    reading = _reading(output, sources)
    if of == "sentences":
        call: Callable[[ScoreContext], Score] = _CoveringSentences(reading)
        default_name = "citations_covering"
        description = "Share of the answer's sentences that have a citation"
    elif of == "expected":
        call = _CoveringExpected(reading, Selector(expected, "expected"))
        default_name = "citations_covering(expected)"
        description = "Share of the expected documents that the answer cites"
    else:
        raise InputError(f"citations_covering is of sentences or of expected documents, got {of!r}")
    return make_scorer(call, default_name=default_name, description=description, name=name, weight=weight)


def _reading(output: Select, sources: SourcesOf) -> _Reading:
    Selector(sources, "sources")  # which refuses what is neither, before anything runs
    return _Reading(Selector(output, "output"), sources)
