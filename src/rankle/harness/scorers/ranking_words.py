"""What each ranking measure is, in the line that reports show."""

from collections.abc import Mapping
from typing import Final

from rankle.harness.scorers.asked_measure import AskedMeasure

_LINES: Final[Mapping[str, str]] = {
    "R": "Share of all relevant targets that {first} {find}",
    "P": "Share of {places} that {hold} a relevant result",
    "RR": "1 over the rank of the first relevant result {among}",
    "nDCG": "Gain of {first}, less by rank, over the ideal ranking's",
    "Hit": "Whether anything relevant is {among}",
    "AP": "Precision at each relevant result {among}, over all relevant targets",
    "F1": "Harmonic mean of precision and recall of {first}",
    "R_cap": "Relevant targets that {first} {find}, over the most that could be",
    "Rprec": "Precision at the number of relevant targets",
    "Bpref": "Share of judged non-relevant results that stand below the relevant ones",
    "infAP": "Average precision, inferred from a judged sample",
    "RBP": "Rank-biased precision of {first}, for a reader who goes on with probability {p}",
    "RBP_resid": "How much RBP of {first} could rise by what is unjudged",
    "ERR": "Expected reciprocal rank of {first}, on grades up to {max}",
    "Judged": "Share of {places} that {hold} a judged result",
    "SetP": "Share of all results that is relevant",
    "SetR": "Share of all relevant targets that any result finds",
}


def describe(asked: AskedMeasure) -> str:
    """One line, without a full stop."""
    line = _LINES[asked.family].format(**_words(asked.k), **dict(asked.parameters))
    if asked.gain == "exp2":
        line += " (gain 2^grade - 1)"
    return line if asked.rel == 1 else f"{line}, relevant from grade {asked.rel}"


def _words(k: int | None) -> dict[str, str]:
    """What is looked at, with the verbs that go with it."""
    if k == 1:
        words = ("the first result", "at the first place", "the first place", "finds", "holds")
    elif k is None:
        words = ("all results", "among all results", "all results", "find", "hold")
    else:
        results = f"the first {k} results"
        words = (results, f"among {results}", f"the first {k} places", "find", "hold")
    return dict(zip(("first", "among", "places", "find", "hold"), words, strict=True))
