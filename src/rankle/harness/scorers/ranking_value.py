"""The value of one ranking measure for one output, with the counts that it is made of.

Common measures are computed in plain Python, so that a small case costs microseconds and imports no numpy;
the others, and passages, by the engine. Both give the same values to the last bit.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rankle.harness.evals.score import Score
from rankle.harness.scorers.asked_measure import AskedMeasure
from rankle.harness.scorers.expectation import Judged
from rankle.metrics.one_query import OF_ONE, JudgedQuery, dcg, ideal_dcg

if TYPE_CHECKING:
    from rankle.metrics.judged import JudgedRanks

NO_RELEVANT: Final = "no relevant judgment"
_NO_CUT: Final = 1 << 62
_GREATEST_EXPONENT: Final = 1000
"""Of exp2; the engine tells of grades beyond it."""
_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "R": ("k", "hits", "total"),
    "P": ("k", "hits"),
    "RR": ("k", "rank"),
    "nDCG": ("k", "dcg", "idcg"),
    "Hit": ("k", "hits"),
    "AP": ("k", "hits", "total"),
    "F1": ("k", "hits", "total", "retrieved"),
    "R_cap": ("k", "hits", "total"),
    "Rprec": ("hits", "total"),
    "Bpref": ("hits", "total", "judged"),
    "infAP": ("hits", "total", "judged"),
    "RBP": ("k", "hits"),
    "RBP_resid": ("k", "judged"),
    "ERR": ("k", "hits"),
    "Judged": ("k", "judged"),
    "SetP": ("hits", "retrieved"),
    "SetR": ("hits", "total"),
}
"""Metadata of each family; with parameters beside, which its name shows."""
_OF_TARGETS: Final = frozenset({"R", "AP", "F1", "R_cap", "SetR"})
"""Families whose hits are the targets that were found, where a result can find several."""
_GRADED: Final = frozenset({"nDCG", "ERR"})


def score_ids(asked: AskedMeasure, ids: Sequence[str], judged: Judged) -> Score:
    """The score of ranked ids.

    ids: best first; one that stands there again counts once, at its best rank.
    Without a relevant judgment it is None with a reason. Raises MeasureError on grades that the measure does
    not allow.
    """
    if _is_common(asked, judged):
        return _in_python(asked, _judged_query(asked, ids, judged))
    from rankle.metrics.judged import JudgedRanks

    return score_judged(asked, JudgedRanks.from_lists([ids], [judged.grades], relevant=[judged.relevant]))


def score_judged(asked: AskedMeasure, judged: "JudgedRanks") -> Score:
    """The score of judged ranks of one query, by the engine."""
    from rankle.metrics.engine import compute
    from rankle.metrics.measure import Measure

    measure = Measure(asked.family, k=asked.k, rel=asked.rel, parameters=asked.parameters)
    value = float(compute(judged, [measure])[measure][0])
    facts = _facts(asked, judged)
    if value != value:  # NaN
        return Score(None, {"total": facts["total"]}, NO_RELEVANT)
    return Score(value, _metadata(asked, facts))


def _is_common(asked: AskedMeasure, judged: Judged) -> bool:
    if asked.family not in OF_ONE:
        return False
    return asked.gain != "exp2" or max(judged.grades.values(), default=0) <= _GREATEST_EXPONENT


def _judged_query(asked: AskedMeasure, ids: Sequence[str], judged: Judged) -> JudgedQuery:
    """Ranks and gains as the measure sees them: 1 or 0 for a binary one."""
    gains = _gains(asked, judged)
    ranked = dict.fromkeys(ids)
    found = [(rank, gains[name]) for rank, name in enumerate(ranked, start=1) if name in gains]
    return JudgedQuery(
        [rank for rank, _ in found], [gain for _, gain in found], sorted(gains.values(), reverse=True)
    )


def _gains(asked: AskedMeasure, judged: Judged) -> dict[str, int]:
    rel = asked.rel
    if asked.family in _GRADED:
        kept = {name: grade for name, grade in judged.grades.items() if grade >= rel}
        return {name: 2**grade - 1 for name, grade in kept.items()} if asked.gain == "exp2" else kept
    if rel == 1 and judged.relevant is not None:
        return dict.fromkeys(judged.relevant, 1)
    return {name: 1 for name, grade in judged.grades.items() if grade >= rel}


def _in_python(asked: AskedMeasure, query: JudgedQuery) -> Score:
    if not query.ideal:
        return Score(None, {"total": 0}, NO_RELEVANT)
    k = _NO_CUT if asked.k is None else asked.k
    if asked.family == "nDCG":
        found, best = dcg(query, k), ideal_dcg(query, k)
        return Score(found / best, {"k": asked.k, "dcg": found, "idcg": best})
    hits = query.relevant(k)
    facts = {"hits": len(hits), "total": len(query.ideal), "rank": hits[0] if hits else None}
    return Score(OF_ONE[asked.family](query, k), _metadata(asked, facts))


def _facts(asked: AskedMeasure, judged: "JudgedRanks") -> dict[str, Any]:
    """All that metadata may tell, of one query."""
    cut, rel = _cut(asked, judged), asked.rel
    relevant = judged.is_relevant(rel) if asked.family not in _GRADED else judged.grade >= rel
    ranks = judged.rank[relevant & judged.within(cut)]
    count = judged.found if asked.family in _OF_TARGETS else None
    facts = {
        "hits": len(ranks) if count is None else int(count(rel, cut)[0]),
        "total": int(judged.n_relevant(rel)[0]),
        "retrieved": int(judged.n_retrieved[0]),
        "rank": int(ranks[0]) if len(ranks) else None,
        "judged": int(judged.count(judged.is_judged() & judged.within(cut))[0]),
    }
    return facts | (_gained(asked, judged) if asked.family == "nDCG" else {})


def _cut(asked: AskedMeasure, judged: "JudgedRanks") -> int | None:
    return int(judged.n_relevant(asked.rel)[0]) if asked.family == "Rprec" else asked.k


def _gained(asked: AskedMeasure, judged: "JudgedRanks") -> dict[str, float]:
    def gains(grades: Sequence[int]) -> list[int]:
        kept = [grade if grade >= asked.rel else 0 for grade in grades]
        return [2**grade - 1 for grade in kept] if asked.gain == "exp2" else kept

    query = JudgedQuery(
        judged.rank.tolist(), gains(judged.grade.tolist()), gains(judged.ideal_grades.tolist())
    )
    k = _NO_CUT if asked.k is None else asked.k
    return {"dcg": dcg(query, k), "idcg": ideal_dcg(query, k)}


def _metadata(asked: AskedMeasure, facts: Mapping[str, Any]) -> dict[str, Any]:
    known = {"k": asked.k, **facts}
    parameters = {name: value for name, value in asked.parameters if name != "gain"}
    return {key: known[key] for key in _KEYS[asked.family]} | parameters
