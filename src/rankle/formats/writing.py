"""Write qrels, runs and eval sets in the form that a file's name tells, or that is asked for."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from rankle.core.errors import InputError
from rankle.core.evalset import EvalSet
from rankle.formats import nested_json, trec_text
from rankle.formats.column_names import Role
from rankle.formats.kinds import Form
from rankle.formats.output import write_bytes, write_folder
from rankle.formats.set_records import render_array, render_jsonl, render_questions
from rankle.formats.table_cells import (
    BEIR_NAMES,
    qrels_columns,
    render_parquet,
    render_table,
    run_columns,
    set_columns,
)
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

_T = TypeVar("_T")
_ENDINGS: Final[Mapping[str, Form]] = {
    ".csv": Form.CSV,
    ".tsv": Form.TSV,
    ".parquet": Form.PARQUET,
    ".json": Form.NESTED,
    ".jsonl": Form.JSONL,
    ".qrels": Form.TREC,
    ".run": Form.TREC,
    ".trec": Form.TREC,
    ".txt": Form.TREC,
}
_QRELS: Final[Mapping[Form, Callable[[Qrels], bytes]]] = {
    Form.TREC: lambda qrels: trec_text.render_qrels(qrels).encode(),
    Form.CSV: lambda qrels: render_table(qrels_columns(qrels), ",").encode(),
    Form.TSV: lambda qrels: render_table(qrels_columns(qrels), "\t").encode(),
    Form.NESTED: lambda qrels: nested_json.render_qrels(qrels).encode(),
    Form.PARQUET: lambda qrels: render_parquet(qrels_columns(qrels)),
}
_RUN: Final[Mapping[Form, Callable[[Run], bytes]]] = {
    Form.TREC: lambda run: trec_text.render_run(run).encode(),
    Form.CSV: lambda run: render_table(run_columns(run), ",").encode(),
    Form.TSV: lambda run: render_table(run_columns(run), "\t").encode(),
    Form.NESTED: lambda run: nested_json.render_run(run).encode(),
    Form.PARQUET: lambda run: render_parquet(run_columns(run)),
}
_SET: Final[Mapping[Form, Callable[[EvalSet], bytes]]] = {
    Form.JSONL: lambda eval_set: render_jsonl(eval_set).encode(),
    Form.ARRAY: lambda eval_set: render_array(eval_set).encode(),
    Form.CSV: lambda eval_set: render_table(set_columns(eval_set), ",").encode(),
    Form.TSV: lambda eval_set: render_table(set_columns(eval_set), "\t").encode(),
    Form.PARQUET: lambda eval_set: render_parquet(set_columns(eval_set)),
}


def write_qrels(qrels: Qrels, path: str | Path, *, form: Form | None = None) -> None:
    """Write judgments, whole or not at all. `.json` is what ranx and ir_measures read.

    form: what to write, whatever the name ends in. Raises InputError where the name tells no form, where
    an id cannot be written in it, and where the file cannot be written.
    """
    place = Path(path)
    form = form or _form(place, _QRELS)
    _check_packing(place, form)
    write_bytes(place, _renderer(_QRELS, form, "qrels")(qrels))


def write_run(run: Run, path: str | Path, *, form: Form | None = None) -> None:
    """Write results as `write_qrels` writes judgments; as TREC text in the order of trec_eval."""
    place = Path(path)
    form = form or _form(place, _RUN)
    _check_packing(place, form)
    write_bytes(place, _renderer(_RUN, form, "a run")(run))


def write_eval_set(eval_set: EvalSet, path: str | Path, *, form: Form | None = None) -> tuple[str, ...]:
    """Write an eval set: `.jsonl`, `.json` (an array), `.csv`, `.tsv`, `.parquet`.

    Returns what the form cannot carry, in words, one line a kind of loss. Raises as `write_qrels` does.
    """
    place = Path(path)
    if form is None:
        form = _form(place, {**_SET, Form.NESTED: None})
        form = Form.ARRAY if form is Form.NESTED else form
    _check_packing(place, form)
    write_bytes(place, _renderer(_SET, form, "an eval set")(eval_set))
    return () if form in (Form.JSONL, Form.ARRAY) else tuple(_losses(eval_set, texts_alone=False))


def write_questions(eval_set: EvalSet, path: str | Path) -> None:
    """Write a question set, `[{id, question, expectedTopics, …}]`."""
    write_bytes(Path(path), render_questions(eval_set).encode())


def write_beir(eval_set: EvalSet, path: str | Path, *, split: str = "test") -> tuple[str, ...]:
    """Write `queries.jsonl` and `qrels/SPLIT.tsv` into a new folder; the documents stay where they are.

    Returns what the form cannot carry, as `write_eval_set` does. Raises InputError where the folder is
    there already, and as `write_qrels` does.
    """
    queries = "".join(
        json.dumps({"_id": query.id, "text": query.text}, ensure_ascii=False) + "\n"
        for query in eval_set.queries
    )
    judged = [(query.id, *pair) for query in eval_set.queries for pair in query.grades.items()]
    columns: dict[Role, list[Any]] = {
        Role.ID: [row[0] for row in judged],
        Role.TARGET: [row[1] for row in judged],
        Role.GRADE: [row[2] for row in judged],
    }
    qrels = render_table(columns, "\t", names=BEIR_NAMES)
    write_folder(Path(path), {"queries.jsonl": queries.encode(), f"qrels/{split}.tsv": qrels.encode()})
    return tuple(_losses(eval_set, texts_alone=True))


def _form(path: Path, forms: Mapping[Form, object]) -> Form:
    bare = path.with_suffix("") if path.suffix in (".gz", ".zst") else path
    form = _ENDINGS.get(bare.suffix)
    if form is None or form not in forms:
        endings = ", ".join(ending for ending, known in _ENDINGS.items() if known in forms)
        raise InputError(f"the name {path.name} does not tell what to write; let it end in {endings}")
    return form


def _check_packing(path: Path, form: Form) -> None:
    """Parquet packs its own columns, and its readers look at the end of the file first."""
    if form is Form.PARQUET and path.suffix in (".gz", ".zst"):
        raise InputError(
            f"{path.name}: Parquet is packed in itself and is not read under {path.suffix}; write "
            f"{path.with_suffix('').name}"
        )


def _renderer(forms: Mapping[Form, Callable[[_T], bytes]], form: Form, what: str) -> Callable[[_T], bytes]:
    if form not in forms:
        raise InputError(f"{what} cannot be written as {form}; it can be as {', '.join(forms)}")
    return forms[form]


def _losses(eval_set: EvalSet, *, texts_alone: bool) -> list[str]:
    queries = eval_set.queries
    labels = [label for query in queries for label in query.labels]
    unlabelled = [query for query in queries if not query.labels]
    apart = sum(label.relevant is not None for label in labels)
    lost = {
        "queries marked as having no answer": sum(not query.answerable for query in queries),
        "labels that state relevance apart from the grade": apart,
        "chunk ids beside passages": sum(label.chunk is not None for label in labels),
    }
    if texts_alone:
        lost["passages, of which the document is kept"] = sum(label.span is not None for label in labels)
        members = ("answer", "topics", "tags", "language", "collection", "note")
        lost |= {f"queries with {name}": sum(bool(getattr(q, name)) for q in queries) for name in members}
        lost["queries without a label, which are not evaluated"] = len(unlabelled)
    return [f"not written: {what}: {count}" for what, count in lost.items() if count]
