"""What several methods find for the queries of a set, and what of it is still to be judged."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from rankle.app.evaluation_options import unwatched
from rankle.app.pool_request import Pool, PoolRequest, Progress, still_open
from rankle.app.system_pool import SystemPool
from rankle.app.wiring.knowledge_base import open_knowledge_base, passage_source
from rankle.app.wiring.settings import Settings
from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, EvalSet, Level
from rankle.core.judgment import Judgment
from rankle.core.sync import run_sync
from rankle.formats.eval_set import read_eval_set
from rankle.formats.judgments import JUDGMENTS_SUFFIX, judgments_path, read_judgments
from rankle.formats.kinds import ReadOptions
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.methods import FULLTEXT, HYBRID, VECTOR
from rankle.kb.search_request import search_request
from rankle.kb.search_settings import DEFAULT_SETTINGS
from rankle.labels.finding import find_label
from rankle.labels.level import Mentioned
from rankle.labels.pooling import Labelled, Pooled, pool
from rankle.labels.stored import Stored


class WorkspacePool:
    """A set, and a workspace whose results are judged."""

    has_lines: Final = True

    def __init__(self, kb: KnowledgeBase, asked: PoolRequest) -> None:
        """Raises BadLinesError and InputError where the set cannot be read, UnknownNameError for an unknown
        method, WorkspaceError where the workspace is not ready for one."""
        reading = ReadOptions(empty_means_nothing=asked.empty_means_nothing)
        self.eval_set: EvalSet = read_eval_set(asked.set_file, options=reading)
        self.judgments: Sequence[Judgment] = read_judgments(asked.set_file)
        self.methods = asked.methods or _ready(kb)
        for method in self.methods:
            kb.prepare_to_search(method)
        self._kb = kb
        self._asked = asked
        self._stored = Stored(kb.catalog(), passage_source(kb), folder=self.eval_set.folder)
        self.by_document = _labels_documents(self.eval_set, self._stored)

    @property
    def queries(self) -> Sequence[EvalQuery]:
        """Those that should find something."""
        return [query for query in self.eval_set.queries if query.answerable]

    def pooled(self, query: EvalQuery) -> list[Pooled]:
        """What the methods find, each result once."""
        group: Literal["chunk", "document"] = "document" if self.by_document else "chunk"
        results = {}
        for method in self.methods:
            request = search_request(
                query.text,
                k=self._asked.depth,
                method=method,
                collection=query.collection,
                group=group,
                depth=None,
                explain=False,
                settings=DEFAULT_SETTINGS,
            )
            results[method] = run_sync(self._kb.answer(request)).first(self._asked.depth).hits
        return pool(query, results)

    def unjudged(
        self, query: EvalQuery, pooled: Sequence[Pooled], *, judge: str | None = None
    ) -> list[Pooled]:
        """As `app.pool_request.Pool` has it; labels are about what covers them, or is named."""
        labelled = Labelled(query.labels, self._stored, by_document=self.by_document)
        return still_open(query, pooled, judgments=self.judgments, judge=judge, is_labelled=labelled.holds)

    def text_around(self, item: Pooled, *, n_characters: int) -> tuple[str, str]:
        """What stands before and behind a passage in its document."""
        text = self._stored.text(item.document).text
        start, end = item.passage.start, item.passage.end
        return text[max(0, start - n_characters) : start], text[end : end + n_characters]


@contextmanager
def opened_pool(
    settings: Settings, asked: PoolRequest, *, on_progress: Progress = unwatched
) -> Iterator[Pool]:
    """Opens the workspace for as long as it lasts; or asks the systems that are named in its place.

    on_progress: told of queries while systems are asked.
    """
    _check_place(asked.set_file)
    if asked.systems:
        yield SystemPool(asked, on_progress=on_progress)
        return
    with open_knowledge_base(settings) as kb:
        yield WorkspacePool(kb, asked)


def _check_place(path: Path) -> None:
    if not path.is_file():
        read_eval_set(path)  # says why there is no set
        raise InputError(f"{path} is no file that labels could be written into; name a .jsonl or .json file")
    if path.name == judgments_path(path).name or path.name.endswith(JUDGMENTS_SUFFIX):
        raise InputError(f"{path} holds the judgments beside a set; name the set")


def _ready(kb: KnowledgeBase) -> tuple[str, ...]:
    state = kb.vector_state()
    return (FULLTEXT, VECTOR, HYBRID) if state is not None and state.is_complete else (FULLTEXT,)


def _labels_documents(eval_set: EvalSet, stored: Stored) -> bool:
    """Whether the labels are of documents, so that documents are judged; a set without any takes passages."""
    mentions = [
        Mentioned(label, find_label(label, stored.names).level)
        for query in eval_set.queries
        for label in query.labels
    ]
    levels = {mention.level for mention in mentions} - {None}
    if Level.DOCUMENT in levels and len(levels) > 1:
        raise InputError(
            f"{eval_set.name} labels documents and passages, and judgments are of one kind: keep the labels "
            "of one, or put the others into a set of their own. To see them: rankle eval check SET"
        )
    return Level.DOCUMENT in levels
