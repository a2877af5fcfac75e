"""Names of measures: one canonical spelling out, everybody's spelling in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import MeasureError
from rankle.metrics.family import Cut
from rankle.metrics.measure import Measure, parse_measure, parse_measures
from rankle.metrics.table import BY_SPELLING, FAMILIES, VARIANTS


@st.composite
def measures(draw: st.DrawFn) -> Measure:
    family = draw(st.sampled_from(FAMILIES))
    cuts = st.integers(1, 2000)
    k = {Cut.NONE: st.none(), Cut.OPTIONAL: st.none() | cuts, Cut.REQUIRED: cuts}[family.cut]
    values: dict[str, st.SearchStrategy[str | int | float]] = {
        "gain": st.sampled_from(["linear", "exp2"]),
        "p": st.floats(0, 1, exclude_min=True, exclude_max=True),
        "max": st.integers(1, 60),
    }
    given_parameters = tuple(
        (parameter.name, draw(values[parameter.name])) for parameter in family.parameters
    )
    return Measure(
        family.name,
        k=draw(k),
        rel=draw(st.integers(1, 5)) if family.takes_rel else 1,
        parameters=given_parameters if draw(st.booleans()) else (),
    )


@given(measures())
def test_a_canonical_name_parses_to_an_equal_measure(measure: Measure) -> None:
    again = parse_measure(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == str(measure)


@pytest.mark.parametrize(
    "name",
    [
        "nDCG@10", "nDCG", "nDCG(gain=exp2)@10", "R@100", "P@5", "P(rel=2)@5", "RR", "RR@10", "AP", "AP@100",
        "Hit@10", "RBP(p=0.8)", "RBP(rel=2,p=0.95)@20", "RBP_resid(p=0.8)", "Bpref", "infAP", "ERR@20",
        "ERR(max=3)@20", "Rprec", "Judged@10", "F1@5", "R_cap@10", "SetP", "SetR",
    ],
)  # fmt: skip
def test_canonical_names_print_as_they_are_written(name: str) -> None:
    assert str(parse_measure(name)) == name


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        # trec_eval
        ("ndcg", "nDCG"), ("ndcg_cut_10", "nDCG@10"), ("ndcg_cut.10", "nDCG@10"), ("map", "AP"),
        ("map_cut_100", "AP@100"), ("recip_rank", "RR"), ("P_5", "P@5"), ("P.5", "P@5"),
        ("recall_100", "R@100"),
        ("recall.100", "R@100"), ("success_10", "Hit@10"), ("bpref", "Bpref"), ("infAP", "infAP"),
        ("Rprec", "Rprec"), ("set_P", "SetP"), ("set_recall", "SetR"), ("set_F", "F1"),
        # ranx
        ("ndcg@10", "nDCG@10"), ("ndcg_burges@10", "nDCG(gain=exp2)@10"), ("mrr", "RR"), ("mrr@10", "RR@10"),
        ("map@100", "AP@100"), ("precision@5", "P@5"), ("recall@5", "R@5"), ("hit_rate@10", "Hit@10"),
        ("r-precision", "Rprec"), ("rbp.95", "RBP(p=0.95)"), ("f1@5", "F1@5"),
        ("precision@5-l2", "P(rel=2)@5"), ("ndcg@10-l2", "nDCG(rel=2)@10"),
        ("ndcg_burges@10-l2", "nDCG(rel=2,gain=exp2)@10"),
        # BEIR
        ("NDCG@10", "nDCG@10"), ("MAP@100", "AP@100"), ("Recall@100", "R@100"), ("MRR@10", "RR@10"),
        ("R_cap@100", "R_cap@100"), ("Accuracy@10", "Hit@10"),
        # ir_measures
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp2)@10"), ("nDCG(dcg='log2')@10", "nDCG@10"),
        ("AP(rel=2)@100", "AP(rel=2)@100"), ("Success@5", "Hit@5"), ("Success(rel=2)@5", "Hit(rel=2)@5"),
        ("RBP(rel=1, p=0.8)", "RBP(p=0.8)"), ("MAP", "AP"), ("SetF", "F1"), ("RR(rel=1)@10", "RR@10"),
        # people
        ("Recall at 5", "R@5"), ("recall_at_5", "R@5"), (" hit rate @ 10 ", "Hit@10"), ("RBP", "RBP(p=0.8)"),
        ("MRR", "RR"), ("f1", "F1"),
    ],
)  # fmt: skip
def test_the_spellings_of_other_tools_are_read(text: str, canonical: str) -> None:
    assert str(parse_measure(text)) == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ndgc@10", 'unknown measure "ndgc@10"; did you mean "nDCG@10"?'),
        ("recal@5", 'unknown measure "recal@5"; did you mean "R@5"'),
        ("xyzzy", 'unknown measure "xyzzy"; the families are R, P, RR'),
        ("nDCG@0", "must be an integer from 1 to"),
        ("nDCG@-1", "must be an integer from 1 to"),
        ("nDCG@99999999999", "must be an integer from 1 to"),
        ("nDCG@x", 'the cut of "nDCG@x" must be an integer >= 1, got "x"'),
        ("nDCG@1.5", "must be an integer >= 1"),
        ("nDCG@", "must be an integer >= 1"),
        ("R", "R needs a cut, such as R@10; over all results it is SetR"),
        ("P(rel=0)@5", "rel of P must be an integer from 1"),
        ("P(rel=high)@5", 'rel of "P(rel=high)@5" must be an integer'),
        ("ERR(rel=2)@5", "reads grades as they are and takes no rel"),
        ("Rprec@10", "Rprec takes no cut, got @10: its cut is the number of relevant targets"),
        ("Rprec@10", "at a cut of yours it is P@10"),
        ("Bpref@5", "Bpref takes no cut, got @5: it reads all results. To cut the run itself"),
        ("infAP@5", "for every measure: --max-results 5, or max_results=5"),
        ("SetP@5", "SetP takes no cut, got @5: it is of all results; of the first 5 it is P@5"),
        ("SetR@5", "it is of all results; of the first 5 it is R@5"),
        ("hits@5", 'unknown measure "hits@5": ranx counts with it the relevant results of the first 5'),
        ("Hole@10", "the share judged for the query itself is Judged@10"),
        ("RBP(p=1)", "p of RBP must be a number between 0 and 1, got '1'"),
        ("RBP(p=nan)", "p of RBP must be a number between 0 and 1"),
        ("RBP(p=often)", "p of RBP must be a number such as 0.8, got 'often'"),
        ("ERR(max=99)", "max of ERR must be an integer from 1 to 60"),
        ("nDCG(gain=cubic)@5", "gain of nDCG must be linear or exp2, got 'cubic'"),
        ("nDCG(gamma=1)@5", 'nDCG has no parameter "gamma"; it takes rel, gain'),
        ("P(0.5)@5", "must look like name=value"),
        ("P(rel=2@5", "is no measure"),
        ("", "is no measure"),
    ],
)
def test_what_is_no_measure_says_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(MeasureError) as caught:
        parse_measure(text)
    assert message in str(caught.value)


def test_a_boolean_is_no_cut() -> None:
    with pytest.raises(MeasureError):
        Measure("P", k=True)


def test_a_family_that_does_not_exist_is_refused() -> None:
    with pytest.raises(MeasureError, match="no family"):
        Measure("Zap", k=3)


def test_a_list_is_split_at_commas_outside_brackets_and_repeats_cuts() -> None:
    read = [str(m) for m in parse_measures("P.5,10, nDCG(gain=exp2)@5,20,AP,map,RBP(p=0.8,rel=2)")]
    assert read == ["P@5", "P@10", "nDCG(gain=exp2)@5", "nDCG(gain=exp2)@20", "AP", "RBP(rel=2,p=0.8)"]


def test_an_empty_list_is_refused() -> None:
    with pytest.raises(MeasureError, match="no measure is named"):
        parse_measures(" , ")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("R@5", "Recall"),
        ("P@5", "Precision"),
        ("RR@10", "MRR"),
        ("nDCG@10", "NDCG"),
        ("nDCG(gain=exp2)@10", "NDCG (gain=exp2)"),
        ("Hit@5", "Hit Rate"),
        ("P(rel=2)@5", "Precision (rel=2)"),
    ],
)
def test_titles_are_for_people_and_tell_what_makes_another_measure(text: str, title: str) -> None:
    assert parse_measure(text).title == title


def test_no_spelling_names_two_families() -> None:
    spellings = [s for family in FAMILIES for s in (family.name.casefold(), *family.aliases)]
    spellings += [spelling for family in FAMILIES for spelling, _ in family.variants]
    assert len(spellings) == len(set(spellings)) == len(BY_SPELLING) + len(VARIANTS)
