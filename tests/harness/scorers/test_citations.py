from collections.abc import Callable
from typing import Any

import pytest

from fakes.score_context import said
from rankle import scorers
from rankle.core.errors import InputError
from rankle.core.trials import SpanReport
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.citing import Sources, citations_in, sentences_of

SOURCES = ["hr/leave.md", "hr/pay.md", "team notes"]


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("14 weeks[1].", ["1"]),
        ("14 weeks. [1, 2] More [3; 1]", ["1", "2", "3", "1"]),
        ("14 weeks [^2] 【3】", ["^2", "3"]),
        ("14 weeks [hr/leave.md] [leave.md]", ["hr/leave.md", "leave.md"]),
        ("14 weeks [other.md]", ["other.md"]),
        ("14 weeks [team notes]", ["team notes"]),
        ("[the guide](hr/leave.md) ![1](x.png) [sic] [...] [x] [and/or] [e-mail] [see below]", []),
        ("`list[1]` and\n```\nlist[2]\n```\n", []),
        ("an open fence\n```\nlist[2]", []),
        ("[" * 5_000, []),
        ("", []),
    ],
    ids=range(11),
)
def test_citations_are_told_from_other_brackets(text: str, citations: list[str]) -> None:
    assert citations_in(text, Sources(tuple(SOURCES))) == citations


def test_a_name_with_spaces_is_a_citation_where_a_source_has_it() -> None:
    assert citations_in("14 weeks [team notes]") == []
    assert citations_in("14 weeks [1] [leave.md]") == ["1", "leave.md"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It is paid. [1] For how long? 14 weeks!", ["It is paid [1].", "For how long?", "14 weeks!"]),
        ("It takes 3.5 weeks, e.g. in May.", ["It takes 3.5 weeks, e.g. in May."]),
        ("# Leave\n- one [1]\n- two\n\n---\n", ["- one [1]", "- two"]),
        ("有给假期。[1]十四周。", ["有给假期[1]。", "十四周。"]),
        ("[1] [2]\n```\ncode. More.\n```", []),
    ],
)
def test_sentences_have_the_citations_behind_their_full_stops(text: str, sentences: list[str]) -> None:
    assert sentences_of(text) == sentences


ANSWER = {"answer": "It is paid [1]. For 14 weeks [pay.md]. Ask HR. See also [9].", "sources": SOURCES}


def test_citations_are_present_or_not() -> None:
    assert said(scorers.citations_present(), output=ANSWER).metadata == {"count": 3}
    assert said(scorers.citations_present(), output=ANSWER).value is True
    assert said(scorers.citations_present(least=4), output=ANSWER).value is False
    assert said(scorers.citations_present(), output="It is paid.").value is False


def test_citations_are_valid_where_they_refer_to_a_source() -> None:
    score = said(scorers.citations_valid(), output=ANSWER)
    assert (score.value, score.metadata) == (2 / 3, {"count": 3, "valid": 2, "invalid": ["9"]})


def test_without_a_citation_there_is_none_to_be_valid() -> None:
    score = said(scorers.citations_valid(), output={"answer": "Paid.", "sources": SOURCES})
    assert (score.value, score.reason, score.metadata) == (None, "no citation", {"count": 0})


def test_without_any_source_no_citation_is_valid() -> None:
    score = said(scorers.citations_valid(), output={"answer": "Paid [1] [a.md].", "sources": []})
    assert (score.value, score.metadata["invalid"]) == (0.0, ["1", "a.md"])


def step(name: str, output: Any) -> SpanReport:
    return SpanReport(name=name, parent=None, start_ms=0.0, took_ms=1.0, output=output)


@pytest.mark.parametrize(
    ("sources", "members"),
    [
        (None, {"output": {"text": "Paid [2].", "hits": [{"id": "a"}, {"id": "b"}]}}),
        (None, {"output": {"text": "Paid [b].", "citations": [2], "docids": ["a", "b"]}}),
        ("context.docs", {"output": {"text": "Paid [2].", "context": {"docs": ["a", "b"]}}}),
        (lambda context: context.metadata["docs"], {"output": "Paid [2].", "metadata": {"docs": ["a", "b"]}}),
        (
            lambda context: next(step.output for step in context.trace if step.name == "search"),
            {"output": "Paid [2].", "trace": (step("search", [{"document": "a"}, {"document": "b"}]),)},
        ),
    ],
    ids=["hits", "docids", "text", "metadata", "trace"],
)
def test_sources_are_in_the_output_or_wherever_they_are_said_to_be(sources: Any, members: Any) -> None:
    assert said(scorers.citations_valid(sources=sources), **members).value == 1.0


@pytest.mark.parametrize(
    "stated",
    [[1, "pay.md"], ["hr/leave.md", {"document": "hr/pay.md"}], [{"index": 1}, {"source": "pay.md"}]],
)
def test_citations_may_be_stated_beside_the_answer(stated: Any) -> None:
    output = {"answer": "It is paid.", "citations": stated, "sources": SOURCES}
    assert said(scorers.citations_valid(), output=output).value == 1.0
    score = said(scorers.citations_covering("expected"), output=output, expected=["hr/pay.md", "hr/x.md"])
    assert (score.value, score.metadata) == (0.5, {"count": 2, "cited": 1, "missing": ["hr/x.md"]})


def test_sentences_are_covered_that_have_a_citation() -> None:
    score = said(scorers.citations_covering(), output=ANSWER)
    assert (score.value, score.metadata) == (0.75, {"count": 3, "cited": 3, "sentences": 4})
    nothing = said(scorers.citations_covering(), output="")
    assert (nothing.value, nothing.reason) == (None, "no sentence")


@pytest.mark.parametrize(
    ("output", "expected", "value"),
    [
        (ANSWER, ["hr/leave.md", "hr/pay.md"], 1.0),
        (ANSWER, {"hr/leave.md": 2, "team notes": 1, "hr/pay.md": 0}, 0.5),
        (ANSWER, {"relevantDocs": ["team notes"], "judgments": {"hr/pay.md": 1}}, 0.0),
        ("Paid [leave.md].", ["hr/leave.md", "hr/pay.md"], 0.5),
        ("Paid [1].", ["hr/leave.md"], 0.0),
    ],
)
def test_expected_documents_are_covered_that_are_cited(output: Any, expected: Any, value: float) -> None:
    assert said(scorers.citations_covering("expected"), output=output, expected=expected).value == value


@pytest.mark.parametrize("expected", [None, [], {"a": 0}])
def test_without_an_expected_document_there_is_none_to_cite(expected: Any) -> None:
    score = said(scorers.citations_covering("expected"), output=ANSWER, expected=expected)
    assert (score.value, score.reason) == (None, "no relevant judgment")


@pytest.mark.parametrize(
    ("scorer", "output", "says"),
    [
        (scorers.citations_valid(), "Paid [1].", "needs the sources that may be cited.*or by sources="),
        (
            scorers.citations_valid(),
            {"answer": "x", "sources": "a.md"},
            "the output must be a list, best first",
        ),
        (scorers.citations_present(), {"answer": "x", "citations": 3.5}, "citations must be a list"),
        (
            scorers.citations_present(),
            {"answer": "x", "citations": [{"page": 3}]},
            "a citation must be an id",
        ),
        (scorers.citations_present(), 3, "the output must be text"),
        (scorers.citations_covering(), {"citations": [1]}, "the output must be text"),
    ],
)
def test_what_cannot_be_read_is_an_error(scorer: Scorer, output: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        said(scorer, output=output)


def odd(**options: Any) -> Any:
    """Arguments that a type checker would not let through."""
    return options


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: scorers.citations_present(least=0), "a whole number from 1, got 0"),
        (lambda: scorers.citations_covering(**odd(of="claims")), "of sentences or of expected documents"),
        (lambda: scorers.citations_valid(**odd(sources=3)), "sources= is a function"),
        (lambda: scorers.citations_valid(sources="a["), "sources= is no JMESPath"),
    ],
)
def test_options_that_make_no_sense_are_refused_when_they_are_written(
    make: Callable[[], Scorer], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        make()


def test_each_says_what_it_is() -> None:
    made = [
        scorers.citations_present(),
        scorers.citations_present(least=2),
        scorers.citations_valid(),
        scorers.citations_covering(),
        scorers.citations_covering("expected"),
    ]
    assert [(scorer.name, scorer.description) for scorer in made] == [
        ("citations_present", "Whether the answer has a citation"),
        ("citations_present", "Whether the answer has 2 citations or more"),
        ("citations_valid", "Share of the citations that refer to a source that was given"),
        ("citations_covering", "Share of the answer's sentences that have a citation"),
        ("citations_covering(expected)", "Share of the expected documents that the answer cites"),
    ]


def test_its_repr_changes_with_where_the_sources_are() -> None:
    one = scorers.citations_valid(sources=lambda context: context.metadata["a"])
    other = scorers.citations_valid(sources=lambda context: context.metadata["b"])
    assert repr(one) != repr(other)
    assert "0x" not in repr(one)
