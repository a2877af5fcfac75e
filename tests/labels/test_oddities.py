"""What in a set is probably not meant."""

from rankle.core.evalset import EvalQuery, EvalSet, Label
from rankle.labels.oddities import oddities


def found(*queries: EvalQuery) -> list[tuple[int | None, str]]:
    return [(fault.line, fault.message) for fault in oddities(EvalSet("s", queries))]


def test_queries_of_one_text_and_other_labels_are_told_once() -> None:
    queries = [
        EvalQuery("1", "How is it?", (Label("a"),), line=1),
        EvalQuery("2", "how  is it?", (Label("b"),), line=2),
        EvalQuery("3", "how is it?", (Label("a"),), line=3),
        EvalQuery("4", "other", (Label("a"),), line=4),
    ]
    assert found(*queries) == [(1, "has the text of line 2, line 3, with other labels; merge them")]


def test_queries_of_one_text_and_the_same_labels_or_in_other_collections_are_fine() -> None:
    assert not found(
        EvalQuery("1", "x", (Label("a"), Label("b")), line=1),
        EvalQuery("2", "x", (Label("b"), Label("a")), line=2),
        EvalQuery("3", "x", (Label("c"),), collection="other", line=3),
    )


def test_queries_without_a_relevant_label_are_told_unless_nothing_is_right() -> None:
    queries = [
        EvalQuery("1", "a", (), line=1),
        EvalQuery("2", "b", (Label("a", None, 0),), line=2),
        EvalQuery("3", "c", (), answerable=False, line=3),
        EvalQuery("4", "d", (Label("a", None, 0, relevant=True),), line=4),
    ]
    assert found(*queries) == [
        (1, 'has no label; name its targets, or say "answerable": false if nothing is right'),
        (2, "has no relevant label, only grades of 0; it has no recall and no nDCG"),
    ]


def test_grades_that_look_like_scores_or_ids_are_told_once() -> None:
    usual = EvalQuery("1", "a", (Label("a", None, 10),), line=1)
    high = [
        EvalQuery(str(n), str(n), (Label("a", None, 2), Label("b", None, n)), line=n) for n in (11, 90, 40)
    ]
    advice = (
        "Grades beyond 10 are rather scores or ids, and outweigh all others in nDCG; map them: --gain 11=2"
    )
    assert not found(usual)
    assert found(usual, high[0]) == [(11, f"has a relevance of 11. {advice}")]
    assert found(usual, *high[:2]) == [
        (11, f"has a relevance of 11, as in 1 further query; the highest is 90. {advice}")
    ]
    assert found(*high)[0][1].startswith("has a relevance of 11, as in 2 further queries; the highest is 90.")
