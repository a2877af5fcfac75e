import pytest

from fakes.compared import compared_run
from rankle.reports.query_slices import Slice, length_words, n_words, query_slices


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("E-42", 1),
        ("how do I reset it", 5),
        ("  two   words ", 2),
        ("怎样撤回有问题的固件版本", 6),
        ("電池の電圧 low", 4),
        ("개인정보 삭제 요청이", 3),
        ("", 0),
    ],
)
def test_words_are_counted_and_two_characters_stand_for_one_where_no_spaces_do(text: str, n: int) -> None:
    assert n_words(text) == n


@pytest.mark.parametrize(
    ("n", "words"),
    [(1, "1-2 words"), (2, "1-2 words"), (3, "3-5 words"), (5, "3-5 words"), (6, "6-10 words"),
     (10, "6-10 words"), (11, "11+ words")],
)  # fmt: skip
def test_lengths_fall_into_four_bins(n: int, words: str) -> None:
    assert length_words(" ".join(["word"] * n)) == words


def test_slices_are_by_what_queries_have_in_common_but_never_all_of_them() -> None:
    """All are of one collection and of one length, which would be the whole again."""
    own = [
        {"language": "de", "tags": ["x", "y"], "collection": "c"},
        {"language": "en", "tags": ["x"], "collection": "c"},
        {"language": "en", "tags": ["x"], "collection": "c"},
    ]
    found = query_slices(compared_run("a", {"AP": [0.5] * 3}, queries=own).queries)
    assert {one: members.tolist() for one, members in found.items()} == {
        Slice("language", "en"): [False, True, True],
        Slice("language", "de"): [True, False, False],
        Slice("tag", "y"): [True, False, False],
    }


def test_queries_of_which_nothing_is_known_have_no_slices() -> None:
    bare = compared_run("a", {"AP": [0.5] * 2}, queries=[{"query": ""}, {"query": ""}])
    assert query_slices(bare.queries) == {}
