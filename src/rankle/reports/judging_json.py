"""What is to be judged and how far judges agree, as JSON: `rankle.pool/1` and `rankle.agreement/1`. The
published JSON Schemas are made from these types."""

from typing import Annotated, Literal

import msgspec

from rankle.core.run import Count, Rank
from rankle.labels.judges import JudgesAgreement
from rankle.stats.agreement import Agreement


class AgreementRecord(msgspec.Struct, frozen=True, kw_only=True):
    """How far judges agree beyond chance."""

    value: Annotated[float, msgspec.Meta(le=1)] | None
    """1 always, 0 as often as by chance, below 0 less often; null where all grades are one."""
    method: str
    """`kappa`, or `alpha` with its scale."""
    n_judges: Count
    """Judges whose grades it is over."""
    n_items: Count
    """What at least two of them judged."""
    observed: float
    """Disagreement as it is."""
    expected: float
    """Disagreement that chance would bring, on the same scale."""


class PairRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges."""

    judges: Annotated[list[str], msgspec.Meta(min_length=2, max_length=2)]
    """Their names."""
    kappa: AgreementRecord
    """Cohen's."""


class JudgesRecord(msgspec.Struct, frozen=True, kw_only=True):
    """All judges who judged what another did."""

    judges: list[str]
    """Their names."""
    alpha: AgreementRecord
    """Krippendorff's, ordinal."""
    pairs: list[PairRecord]
    """Those with something in common."""


class AgreementReport(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.agreement/1"
):
    """How far raters agree: `rankle.agreement/1`."""

    agreement: JudgesRecord | None
    """Null where no two rated the same."""


class PooledRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A result that nobody judged."""

    query: str
    """The query's id."""
    query_text: str
    """Its text."""
    target: str
    """What is to be judged: the chunk's id, or the document's at that level."""
    document: str
    """Id of the document that it is, or is a part of."""
    chunk: str
    """Id of the chunk that is shown."""
    start: Count
    """First character of the passage in the document's stored text; 0 for a text that a system gives."""
    end: Count
    """The one behind the last."""
    ranks: dict[str, Rank]
    """Method to rank, of those that found it."""
    information: Annotated[float, msgspec.Meta(ge=0, le=2)]
    """How much its judgment can tell of the methods."""


class PoolReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.pool/1"):
    """What of a set is still to be judged: `rankle.pool/1`."""

    methods: list[str]
    """Those that were asked."""
    level: Literal["document", "span"]
    """Whether documents are judged, or passages."""
    n_queries: Count
    """Of which results were asked for."""
    n_pooled: Count
    """All results, judged ones too."""
    n_unjudged: Count
    """Of these, results that nobody judged."""
    agreement: JudgesRecord | None
    """Of the judges of the set; null where no two judged the same."""
    unjudged: list[PooledRecord]
    """What tells most first."""


def judges_record(found: JudgesAgreement | None) -> JudgesRecord | None:
    """None where no two judged the same."""
    if found is None:
        return None
    return JudgesRecord(
        judges=list(found.judges),
        alpha=_agreement(found.alpha),
        pairs=[PairRecord(judges=list(pair.judges), kappa=_agreement(pair.kappa)) for pair in found.pairs],
    )


def _agreement(found: Agreement) -> AgreementRecord:
    return AgreementRecord(
        value=found.value, method=found.method, n_judges=found.n_judges, n_items=found.n_items,
        observed=found.observed, expected=found.expected,
    )  # fmt: skip
