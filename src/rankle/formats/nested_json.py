"""One JSON object of queries and targets, as ranx and ir_measures have it: `{query: {target: number}}`."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.formats.ambiguity import ambiguous
from rankle.formats.column_names import Role
from rankle.formats.headless import Hint, qrels_or_run
from rankle.formats.json_text import Decoded, decode_at, shown
from rankle.formats.kinds import FileKind, Hints
from rankle.formats.records import column, role_table
from rankle.formats.table_rows import Table
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run


def parse_object(text: str, *, path: str) -> dict[str, Any]:
    """The one JSON object that a text holds. Raises BadLinesError with the line where it is not JSON."""
    start = len(text) - len(text.lstrip())
    decoded: Decoded = decode_at(text, start)
    if decoded.fault is None and text[decoded.end :].strip():
        decoded = Decoded(
            None, decoded.end, f"has text behind the object: {shown(text[decoded.end :].strip())}"
        )
    if decoded.fault is not None:
        line = text.count("\n", 0, decoded.end) + 1
        raise BadLinesError(path=path, faults=[Fault(line, decoded.fault)])
    value = decoded.value
    assert isinstance(value, dict)
    return value


def nested_table(value: Mapping[str, Any], *, path: str) -> Table:
    """The rows of an object whose members are queries.

    A list of targets under a query gives rows without a number. Raises InputError on any other object,
    with what it seems to be.
    """
    if not value:
        raise InputError(f"{path} holds an empty object; expected {{query: {{target: number}}}}")
    _refuse_foreign(value, path=path)
    lists = all(isinstance(found, list) for found in value.values())
    queries, targets, numbers = [], [], []
    faults: list[Fault] = []
    for query, found in value.items():
        if lists:
            found = dict.fromkeys(found) if all(isinstance(name, str) for name in found) else {"": "a list"}
        if not isinstance(found, dict):
            faults.append(
                Fault(None, f"query {shown(query)} must hold {{target: number}}, got {shown(found)}")
            )
            continue
        for target, number in found.items():
            if not lists and (isinstance(number, bool) or not isinstance(number, (int, float, str))):
                where = f"query {shown(query)}, target {shown(target)}"
                faults.append(Fault(None, f"{where}: must be a number, got {shown(number)}"))
            queries.append(query)
            targets.append(target)
            numbers.append(number)
    if faults:
        raise BadLinesError(path=path, faults=faults)
    cells = {Role.ID: queries, Role.TARGET: targets}
    table_cells = cells if lists else {**cells, Role.SCORE: column(numbers)}
    table = role_table(path, dict(table_cells), lines=[0] * len(queries))
    whole = not lists and not any(isinstance(number, float) for number in numbers)
    return replace(table, headless=whole)  # nothing says of whole numbers that they are scores; 1.0 is one


def nested_kind(table: Table, hints: Hints) -> Hint:
    """Whether the numbers are grades or scores, and why. Raises InputError where nothing tells."""
    kinds = (FileKind.QRELS, FileKind.RUN)
    if hints.kind is not None and hints.kind not in kinds:
        raise InputError(f"{table.path} is {{query: {{target: number}}}}; it cannot be read as {hints.kind}")
    if hints.kind is not None:
        return Hint(hints.kind, f"named as {hints.kind}")
    if Role.SCORE in table.roles:
        found = qrels_or_run(table.texts(Role.SCORE), hints, what="it")
        return Hint(found.kind, f"{{query: {{target: number}}}}; {found.reason}")
    if hints.expected in kinds:
        return Hint(hints.expected, f"lists of targets, taken as {hints.expected}, as asked")
    raise ambiguous(
        table.path,
        "it has a list of targets for each query",
        {"--as qrels": "the relevant ones", "--as run": "results, best first"},
    )


def _refuse_foreign(value: Mapping[str, Any], *, path: str) -> None:
    if isinstance(value.get("schema"), str):
        raise InputError(f"{path} is a report, {value['schema']}; it holds no judgments or results to read")
    if all(isinstance(found, (str, int, float)) for found in value.values()):
        key, found = next(iter(value.items()))
        raise InputError(
            f"{path} maps names to single values, such as {shown(key)} to {shown(found)}: neither judgments, "
            "results nor queries. Qrels are {query: {target: grade}}"
        )
    queries = isinstance(value.get("queries"), list)
    if isinstance(value.get("topics"), list) or (queries and "id_field" in value):
        raise InputError(
            f"{path} holds ratings of RRE (Rated Ranking Evaluator), which are not read yet; {_CSV}"
        )
    if queries and {"case_name", "scorer", "name"} & value.keys():
        raise InputError(f"{path} is an export of Quepid, which is not read yet; {_CSV}")


_CSV = "write them as CSV: query,target,grade"


def render_qrels(qrels: Qrels) -> str:
    """`{query: {target: grade}}`, as ranx and ir_measures read it."""
    return _render(dict(zip(qrels.queries, qrels.by_query, strict=True)))


def render_run(run: Run) -> str:
    """`{query: {target: score}}`; a target that stands twice in a query keeps its best score."""
    return _render(run.distinct().results)


def _render(value: Mapping[str, Mapping[str, float]]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
