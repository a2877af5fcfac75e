"""BEIR folders: `queries.jsonl`, `qrels/SPLIT.tsv`, and a `corpus.jsonl` that may be absent."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.errors import InputError
from rankle.formats.ambiguity import ambiguous
from rankle.formats.byte_source import HeldInput
from rankle.formats.column_names import Role
from rankle.formats.jsonl import RawRecord, RawRecords, parse_jsonl
from rankle.formats.kinds import ReadOptions
from rankle.formats.records import records_table
from rankle.formats.table_file import text_table
from rankle.formats.table_rows import checked_ids, table_qrels
from rankle.formats.text_file import read_text_file
from rankle.metrics.qrels import Qrels

_PACKED: Final = ("", ".gz", ".zst")


@dataclass(frozen=True, slots=True)
class BeirFolder:
    """Where the parts of a folder are."""

    queries: Path
    qrels: Path
    corpus: Path | None


def is_beir(path: str | Path) -> bool:
    """Whether a path is a folder with queries and qrels as BEIR lays them out."""
    if isinstance(path, HeldInput) or not Path(path).is_dir():
        return False
    folder = Path(path)
    return _one(folder, "queries.jsonl") is not None and bool(_splits(folder))


def find_parts(path: str | Path, options: ReadOptions) -> BeirFolder:
    """The files of a folder that `is_beir`. Raises InputError where several qrels could be meant."""
    folder = Path(path)
    queries = _one(folder, "queries.jsonl")
    assert queries is not None
    splits = _splits(folder)
    if options.split is not None and options.split not in splits:
        raise InputError(f"{folder} has no qrels {options.split}; it has: {', '.join(splits)}")
    if options.split is None and len(splits) > 1:
        choices = {f"--split {name}": str(file.relative_to(folder)) for name, file in splits.items()}
        raise ambiguous(folder, f"it has {len(splits)} files of judgments", choices)
    qrels = splits[options.split] if options.split is not None else next(iter(splits.values()))
    return BeirFolder(queries, qrels, _one(folder, "corpus.jsonl"))


def read_queries(file: Path) -> dict[str, str]:
    """Query id to text."""
    text = read_text_file(file, what="the queries of a BEIR folder").text
    table = records_table(parse_jsonl(text), ReadOptions(), path=str(file))
    if not {Role.ID, Role.QUERY} <= table.roles.keys():
        raise InputError(f'{file} must hold {{"_id": …, "text": …}} a line; it has {", ".join(table.names)}')
    return dict(zip(checked_ids(table, Role.ID), table.texts(Role.QUERY), strict=True))


def read_documents(file: Path) -> tuple[str, ...]:
    """Ids of the documents of a corpus."""
    text = read_text_file(file, what="the corpus of a BEIR folder").text
    table = records_table(parse_jsonl(text), ReadOptions(), path=str(file))
    if not {Role.ID, Role.TARGET} & table.roles.keys():
        raise InputError(f'{file} must hold {{"_id": …, "text": …}} a line; it has {", ".join(table.names)}')
    return tuple(checked_ids(table, Role.TARGET, Role.ID))


def read_judgments(file: Path, options: ReadOptions) -> Qrels:
    text = read_text_file(file, what="the qrels of a BEIR folder").text
    table = text_table(text, options, path=file)
    if table is None or not {Role.ID, Role.TARGET} <= table.roles.keys():
        raise InputError(f"{file} must have the header query-id, corpus-id, score, with tabs between them")
    return table_qrels(table, options)


def read_beir(path: str | Path, options: ReadOptions) -> RawRecords:
    """The queries that have judgments, as records of an eval set.

    Raises InputError where judged queries have no text.
    """
    parts = find_parts(path, options)
    texts = read_queries(parts.queries)
    qrels = read_judgments(parts.qrels, options)
    untold = [query for query in qrels.queries if query not in texts]
    if untold:
        some = ", ".join(untold[:3]) + (", …" if len(untold) > 3 else "")
        raise InputError(
            f"{len(untold)} of {len(qrels.queries)} queries of {parts.qrels} are not in {parts.queries}: "
            f"{some}. To see how the ids differ: rankle inspect {path}"
        )
    return RawRecords(tuple(_records(qrels, texts)), ())


def _records(qrels: Qrels, texts: dict[str, str]) -> Iterator[RawRecord]:
    for number, (query, judged) in enumerate(zip(qrels.queries, qrels.by_query, strict=True), start=1):
        judgments = [{"docid": target, "relevance": grade} for target, grade in judged.items()]
        yield RawRecord(number, number, {"id": query, "query": texts[query], "judgments": judgments})


def _one(folder: Path, name: str) -> Path | None:
    return next((folder / f"{name}{end}" for end in _PACKED if (folder / f"{name}{end}").is_file()), None)


def _splits(folder: Path) -> dict[str, Path]:
    """Name of each file of judgments to its path: those in `qrels/`, else the folder's own `qrels.tsv`."""
    found = {
        file.name.partition(".")[0]: file
        for end in _PACKED
        for file in sorted((folder / "qrels").glob(f"*.tsv{end}"))
    }
    own = _one(folder, "qrels.tsv")
    return found or ({} if own is None else {"qrels": own})
