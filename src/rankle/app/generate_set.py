"""Write a set of questions made of the documents of a workspace."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from rankle.app.set_output import check_free, check_set_output
from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import Settings
from rankle.core.errors import CannotMeasureError
from rankle.core.evalset import EvalSet
from rankle.formats.writing import write_eval_set
from rankle.kb.chunk.sentences import sentence_ends
from rankle.kb.store.documents import DocumentInfo, StoredChunk
from rankle.labels.asking import SourceChunk
from rankle.labels.generating import GeneratedSet, generate_questions

_CODE: Final = "code"


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What is to be written, and where."""

    output: Path
    n: int = 50
    unanswerable: float = 0.1
    seed: int = 0
    collection: str | None = None
    force: bool = False
    """Whether to write over a file that is there."""


def generate_set(settings: Settings, asked: GenerateRequest) -> GeneratedSet:
    """Write the set. Raises InputError where the file is there or is not to be JSON, CannotMeasureError where
    no text gives a question."""
    check_set_output(asked.output, what="the set")
    check_free(asked.output, force=asked.force)
    with open_knowledge_base(settings) as kb:
        documents = kb.documents(collection=asked.collection)
        chunks = [
            _source(info, chunk) for info in documents if info.kind != _CODE for chunk in kb.chunks(info)
        ]
    made = generate_questions(chunks, n=asked.n, unanswerable=asked.unanswerable, seed=asked.seed)
    if not any(query.answerable for query in made.queries):
        raise CannotMeasureError(
            f"none of {len(chunks)} chunks gives a question: it takes prose in English, German, French, "
            "Italian or Spanish, or headings in these or in Japanese, Chinese, Korean, Arabic or Thai. "
            "Label by hand: rankle rate"
        )
    write_eval_set(EvalSet(asked.output.name, made.queries), asked.output)
    return made


def _source(info: DocumentInfo, chunk: StoredChunk) -> SourceChunk:
    ends = list(sentence_ends(chunk.text, start=0, end=len(chunk.text)))
    # A heading or an entry of a list is no part of the sentence behind it.
    breaks = {at for at in range(len(chunk.text)) if chunk.text.startswith("\n\n", at)}
    borders = sorted({0, *ends, *breaks, len(chunk.text)})
    sentences = tuple((start, end) for start, end in pairwise(borders) if chunk.text[start:end].strip())
    return SourceChunk(
        id=chunk.name,
        document=chunk.document,
        language=info.language,
        collection=info.collection,
        headings=chunk.span.breadcrumb,
        text=chunk.text,
        start=chunk.span.start,
        sentences=sentences,
    )
