"""Generated questions: copied from nothing, mixed, the same for one seed, and answered where they say."""

import pytest

from rankle.core.errors import InputError
from rankle.labels.generating import SourceChunk, generate_questions
from rankle.labels.question_words import content_words, shares_run

_TOPICS = ("pump", "filter", "battery", "lamp", "hinge", "valve", "sensor", "cable")


def chunk(n: int, *, language: str | None = "en") -> SourceChunk:
    topic = _TOPICS[n % len(_TOPICS)]
    sentences = (
        f"A {topic} clamp is a device number{'abcdefgh'[n % 8]} that holds copper pipes in winter storms. ",
        f"Engineers replace worn {topic} gaskets every autumn before frost reaches the northern depot.",
    )
    text = "".join(sentences)
    first = len(sentences[0])
    return SourceChunk(
        id=f"chunk-{n:012x}", document=f"{topic}.md", language=language, collection="default",
        headings=("Handbook", f"The {topic} clamp"), text=text, start=100,
        sentences=((0, first), (first, len(text))),
    )  # fmt: skip


CHUNKS = [chunk(n) for n in range(8)]


def test_no_question_shares_three_words_in_a_row_with_its_passage() -> None:
    made = generate_questions(CHUNKS, n=30)
    by_id = {each.id: each for each in CHUNKS}
    assert len(made.queries) > 15
    for query in made.queries:
        for label in query.labels:
            assert label.chunk is not None
            assert not shares_run(query.text, by_id[label.chunk].text)


@pytest.mark.parametrize(
    ("question", "shared"),
    [
        ("replace worn pump gaskets", True),
        ("Replace the WORN pump?", True),  # words without a meaning do not part a run
        ("worn gaskets of the pump", False),
        ("What does a worn pump?", False),
        ("Where do I read about before the frost?", True),  # nor are small words free to copy
        ("What does two-person rule mean?", True),  # a hyphen joins words and hides none
        ("worn pump", False),
        ("", False),
    ],
)
def test_a_run_is_three_words_or_content_words_that_follow_one_another(question: str, shared: bool) -> None:
    passage = "Engineers replace worn pump gaskets before the frost. So says the two-person rule."
    assert shares_run(question, passage) is shared


def test_the_label_is_where_the_answer_stands() -> None:
    by_id = {each.id: each for each in CHUNKS}
    for query in generate_questions(CHUNKS, n=30).queries:
        for label in query.labels:
            assert label.chunk is not None
            assert label.span is not None
            assert label.span.range is not None
            start, end = label.span.range
            assert by_id[label.chunk].text[start - 100 : end - 100] == label.span.quote


def test_kinds_are_mixed_and_marked_and_documents_take_turns() -> None:
    queries = generate_questions(CHUNKS, n=10).queries
    assert [query.tags[0] for query in queries] == ["generated"] * 10
    assert {query.tags[1] for query in queries} == {"easy", "medium", "hard", "unanswerable"}
    documents = [query.labels[0].name for query in queries if query.labels]
    assert max(map(documents.count, documents)) == 2  # nine questions, eight documents


def test_no_two_questions_have_the_same_words() -> None:
    queries = generate_questions([*CHUNKS, *CHUNKS], n=100).queries
    words = [frozenset(content_words(query.text)) for query in queries]
    assert len(set(words)) == len(words)


def test_one_seed_gives_one_set_and_another_another() -> None:
    assert generate_questions(CHUNKS, n=10, seed=3) == generate_questions(CHUNKS, n=10, seed=3)
    assert generate_questions(CHUNKS, n=10, seed=3) != generate_questions(CHUNKS, n=10, seed=4)


@pytest.mark.parametrize(("share", "n"), [(0.0, 0), (0.1, 1), (0.5, 5), (1.0, 10)])
def test_a_share_has_no_answer(share: float, n: int) -> None:
    queries = generate_questions(CHUNKS, n=10, unanswerable=share).queries
    assert sum(not query.answerable for query in queries) == n
    assert all(bool(query.labels) == query.answerable for query in queries)


def test_a_question_that_the_documents_come_near_is_not_called_unanswerable() -> None:
    text = (
        "Bats navigate in darkness by echoes. Which planet has the most moons? Jupiter and Saturn have most."
    )
    near = SourceChunk("chunk-000000000099", "a.md", "en", "default", (), text, 0, ((0, len(text)),))
    asked = {query.text for query in generate_questions([near], n=20, unanswerable=1.0).queries}
    assert "How do bats navigate in darkness?" not in asked
    assert "Which planet has the most moons?" not in asked
    assert "Who wrote the novel about a white whale?" in asked


def test_other_languages_are_passed_over_and_counted() -> None:
    made = generate_questions([chunk(1, language="ja"), chunk(2, language=None)], n=5, unanswerable=0.0)
    assert (made.queries, made.n_passed_over) == ((), 2)


def test_what_is_no_number_or_share_is_refused() -> None:
    with pytest.raises(InputError, match="1 question or more"):
        generate_questions(CHUNKS, n=0)
    with pytest.raises(InputError, match="from 0 to 1"):
        generate_questions(CHUNKS, n=1, unanswerable=1.5)
