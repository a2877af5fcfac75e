"""The lines of a passage that are shown: the tellingest ones, marked, within the width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from rankle.core.search import Passage
from rankle.reports.excerpt import BOLD, QUOTED, Marking, excerpt


def _passage(text: str, *words: str) -> Passage:
    marks = []
    for word in words:
        place = text.find(word)
        while place >= 0:
            marks.append((place, place + len(word)))
            place = text.find(word, place + len(word))
    return _marked(text, tuple(sorted(marks)))


def _marked(text: str, marks: tuple[tuple[int, int], ...]) -> Passage:
    return Passage(
        chunk="chunk-0123456789ab",
        title="",
        breadcrumb=(),
        text=text,
        start=0,
        end=len(text),
        line_start=1,
        line_end=1,
        marks=marks,
    )


def _excerpt(
    text: str, *words: str, width: int = 40, n_lines: int = 3, marking: Marking = QUOTED
) -> list[str]:
    return excerpt(_passage(text, *words), width=width, n_lines=n_lines, marking=marking)


def test_a_short_passage_is_shown_whole() -> None:
    assert _excerpt("one apple\ntwo pears", "apple") == ["one «apple»", "two pears"]


def test_marks_can_be_bold() -> None:
    assert _excerpt("one apple", "apple", marking=BOLD) == ["one \x1b[1mapple\x1b[0m"]


def test_lines_around_the_matches_are_chosen_with_matches_in_the_middle() -> None:
    text = "\n".join(f"line {n}" for n in range(9)).replace("line 5", "an apple")
    assert _excerpt(text, "apple") == ["… line 4", "an «apple»", "line 6 …"]


def test_a_rare_match_outweighs_many_of_a_frequent_one() -> None:
    text = "the the the\nthe the\nx\ny\nz\nthe apple\nend"
    assert _excerpt(text, "the", "apple", n_lines=1) == ["… «the» «apple» …"]


def test_without_a_match_the_beginning_is_shown() -> None:
    assert _excerpt("one\ntwo\nthree\nfour", n_lines=2) == ["one", "two …"]


def test_lines_without_letters_are_left_out_and_indentation_is_kept() -> None:
    assert _excerpt("def f():\n    return 1\n\n---\n                deep", "return") == [
        "def f():", "    «return» 1", "        deep",
    ]  # fmt: skip


def test_long_lines_are_wrapped_at_spaces_and_words_that_are_too_long_within() -> None:
    assert _excerpt("aaaa bbbb cccc dddd " + "e" * 20, width=14, n_lines=9) == [
        "aaaa bbbb", "cccc dddd", "eeeeeeeeee", "eeeeeeeeee",
    ]  # fmt: skip


def test_wide_characters_count_two_cells_and_break_anywhere() -> None:
    assert _excerpt("公共交通機関が計画運休を", "機関", width=18) == ["公共交通«機関»", "が計画運休を"]


def test_hangul_breaks_at_spaces_and_no_line_begins_with_a_closing_mark() -> None:
    assert _excerpt("모든 장비를 한 번씩 점검한다.", width=24) == ["모든 장비를 한 번씩", "점검한다."]
    assert _excerpt("公共交通機関が。計画「運休」", width=18) == ["公共交通機関", "が。計画「運", "休」"]


def test_a_mark_that_is_cut_by_the_end_of_a_line_is_closed_and_opened_again() -> None:
    assert _excerpt("xx ab cd", "ab cd", width=11) == ["xx «ab»", "«cd»"]
    assert _excerpt("公共交通機関が計画運休を", "機関", width=16) == ["公共交通«機»", "«関»が計画運", "休を"]


def test_control_characters_are_shown_as_question_marks() -> None:
    assert _excerpt("a\x1b[2Jb\tc\u202ed\x00\u2028e") == ["a?[2Jb c?d? e"]


def test_an_empty_passage_has_no_lines() -> None:
    assert _excerpt("") == []
    assert _excerpt(" \n--\n") == []


@st.composite
def _passages(draw: st.DrawFn) -> Passage:
    text = draw(st.text(st.sampled_from("ab \n公ａ-\u0301👍\U0001f3fd\x1b\t"), max_size=120))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return _marked(text, tuple(pairs))


@given(_passages(), st.integers(12, 60), st.integers(1, 5), st.sampled_from([QUOTED, BOLD]))
def test_every_passage_fits_and_its_marks_are_closed(
    passage: Passage, width: int, n_lines: int, marking: Marking
) -> None:
    shown = excerpt(passage, width=width, n_lines=n_lines, marking=marking)
    assert len(shown) <= n_lines
    for line in shown:
        bare = line.replace("\x1b[1m", "").replace("\x1b[0m", "")
        assert cell_len(bare) <= width
        assert "\x1b" not in bare
        assert line.count(marking.opened) == line.count(marking.closed)


@given(_passages())
def test_a_passage_that_fits_is_shown_without_loss(passage: Passage) -> None:
    shown = excerpt(passage, width=1_000, n_lines=1_000, marking=Marking("", "", 0))
    kept = [line for line in passage.text.split("\n") if any(char.isalnum() for char in line)]
    assert len(shown) == len(kept)
    for line, source in zip(shown, kept, strict=True):
        assert (
            line.strip()
            == "".join("?" if char == "\x1b" else char for char in source).replace("\t", " ").strip()
        )


@pytest.mark.parametrize("n_lines", [1, 2, 5])
def test_every_line_that_is_shown_stands_in_the_passage(n_lines: int) -> None:
    text = "\n".join(f"sentence number {n} is here" for n in range(20))
    for line in _excerpt(text, "number 7", n_lines=n_lines):
        assert line.strip("… ").replace("«", "").replace("»", "") in text
