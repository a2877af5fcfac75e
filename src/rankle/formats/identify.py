"""Says what a file is by its content, and by its name where the content fits several kinds; with reasons."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.errors import InputError
from rankle.formats.beir import is_beir
from rankle.formats.byte_source import HeldInput, first_bytes, held, open_bytes
from rankle.formats.column_names import Role
from rankle.formats.headless import Guess, guess, not_known, refuse_foreign
from rankle.formats.json_array import parse_json_array
from rankle.formats.json_text import decode_line
from rankle.formats.jsonl import RawRecords, parse_jsonl
from rankle.formats.kinds import FileKind, Form, Order, ReadOptions
from rankle.formats.nested_json import nested_kind, nested_table, parse_object
from rankle.formats.parquet import MAGIC, read_parquet
from rankle.formats.question import renamed
from rankle.formats.records import records_table, states_judgments
from rankle.formats.table_file import named_table, numbered_table, parsed_table
from rankle.formats.table_kind import table_kind
from rankle.formats.table_rows import Table
from rankle.formats.table_text import find_separator, has_header, parse_table
from rankle.formats.text_file import read_text_file
from rankle.formats.trec_layout import is_mixed
from rankle.formats.trec_lines import Hash

_SNIFFED_BYTES: Final = 1 << 16
_LOOKED_AT: Final = 200
_ANY: Final = "qrels, a run, an eval set, queries or documents"
_PACKINGS: Final = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "Zstandard"}


@dataclass(frozen=True, slots=True, eq=False)
class Identified:
    """What a file is."""

    path: str | Path
    """What to read: the path, or standard input with its bytes."""
    kind: FileKind
    form: Form
    reason: str
    packing: str | None = None
    """`gzip` or `Zstandard`."""
    table: Table | None = None
    """Its rows, where they had to be read to tell."""
    records: RawRecords | None = None


def identify(path: str | Path, options: ReadOptions = ReadOptions()) -> Identified:  # noqa: B008 - frozen
    """What a file, folder or standard input is. Large TREC files are not read whole.

    Raises InputError on what is of no kind that is read, with what it seems to be, and on what could be
    of several kinds, with the flag that tells; BadLinesError where a table or JSON is broken.
    """
    path, options = held(path), options.applicable()
    if is_beir(path):
        return Identified(path, FileKind.SET, Form.BEIR, "a folder with queries.jsonl and qrels")
    if not isinstance(path, HeldInput) and Path(path).is_dir():
        raise _folder(path)
    head = first_bytes(path, what=_ANY)
    if head.startswith(MAGIC):
        table = read_parquet(path, options)
        kind, reason = table_kind(table, options.hints(path))
        return Identified(path, kind, Form.PARQUET, reason, table=table)
    packing = next((name for sign, name in _PACKINGS.items() if head.startswith(sign)), None)
    with open_bytes(path, what=_ANY) as stream:
        start = stream.read(_SNIFFED_BYTES)
    text = start.decode(errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise InputError(f"{path} is empty; expected {_ANY}")
    if len(start) == _SNIFFED_BYTES:
        text = text[: text.rfind("\n") + 1] or text
    first = text.lstrip()[0]
    if first == "[":
        return _records(parse_json_array(_whole(path)), Form.ARRAY, options, path=path, packing=packing)
    if first == "{":
        return _json(text, options, path=path, packing=packing)
    return _columns(text, options, path=path, packing=packing)


def _folder(path: str | Path) -> InputError:
    if str(path) == ".":
        return InputError(
            ". is a folder, the one you are in (an empty name, as of a variable that is not set, means it "
            "too); name a file"
        )
    return InputError(
        f"{path} is a folder, and no BEIR folder, which holds queries.jsonl and qrels/*.tsv; "
        "name a file in it"
    )


def _whole(path: str | Path) -> str:
    return read_text_file(path, what=_ANY).text


def _json(head: str, options: ReadOptions, *, path: str | Path, packing: str | None) -> Identified:
    """JSONL, or one object: one whose first line is a whole value, followed by others, is JSONL."""
    first, _, rest = head.strip().partition("\n")
    decoded = decode_line(first)
    text = _whole(path)
    if decoded.fault is None and (rest.strip() or not _is_nested(decoded.value)):
        return _records(parse_jsonl(text), Form.JSONL, options, path=path, packing=packing)
    if decoded.fault is not None and rest.lstrip().startswith("{"):
        return _records(parse_jsonl(text), Form.JSONL, options, path=path, packing=packing)
    table = nested_table(parse_object(text, path=str(path)), path=str(path))
    kind, reason = nested_kind(table, options.hints(path))
    return Identified(path, kind, Form.NESTED, reason, packing, table)


def _is_nested(value: object) -> bool:
    """Whether a lone object holds queries and targets, rather than being the only record of a JSONL file."""
    if not isinstance(value, dict):
        return False
    kinds = set(map(type, value.values()))
    return not value or (str not in kinds and bool(kinds & {dict, list}))


def _records(
    raw: RawRecords, form: Form, options: ReadOptions, *, path: str | Path, packing: str | None
) -> Identified:
    judged = states_judgments(raw.records)
    asked = options.kind in (None, FileKind.SET, FileKind.QRELS)
    if judged and asked:
        reason = "records of queries with the targets that are relevant"
        return Identified(path, FileKind.SET, form, reason, packing, records=raw)
    objects = [record.value for record in raw.records if isinstance(record.value, dict)]
    table = records_table(raw, options, path=str(path))
    if not table.names:
        raise InputError(f"{path} holds no record; expected {_ANY}")
    questions = sum(renamed(value).is_question for value in objects)
    if questions * 2 > len(objects) and Role.TARGET not in table.roles and asked and not _plain(table):
        return Identified(path, FileKind.SET, form, "records of questions", packing, records=raw)
    kind, reason = table_kind(table, options.hints(path))
    return Identified(path, kind, form, reason, packing, table, raw)


def _plain(table: Table) -> bool:
    """Whether records hold no more than ids and texts, such as the queries of BEIR."""
    return not {Role.RELEVANT, Role.ANSWER, Role.TOPICS} & table.roles.keys()


def _columns(head: str, options: ReadOptions, *, path: str | Path, packing: str | None) -> Identified:
    separator = find_separator(head)
    rows = _rows(head, separator, options)
    if not rows:
        raise not_known(path, head.strip().split("\n")[0])
    refuse_foreign(rows, path=path)
    form = Form.TSV if separator == "\t" else Form.CSV
    if separator is not None and has_header(rows[0], options):
        parsed = parsed_table(_whole(path), options, path=path)
        assert parsed is not None
        table = named_table(parsed, options, path=path)
        kind, reason = table_kind(table, options.hints(path))
        return Identified(path, kind, form, reason, packing, table)
    if separator is not None and separator != "\t":
        found = guess(rows, options.hints(path))
        return _numbered(found, form, separator, options, path=path, packing=packing)
    return _trec(rows, separator, options, path=path, packing=packing)


def _trec(
    tabbed: Sequence[Sequence[str]],
    separator: str | None,
    options: ReadOptions,
    *,
    path: str | Path,
    packing: str | None,
) -> Identified:
    lines = ["\t".join(row) for row in tabbed]
    if separator is not None and is_mixed([line.encode() for line in lines]):
        separator = None
    rows = tabbed if separator is not None else [line.split() for line in lines]
    found = guess(rows, options.hints(path))
    ordered = found.kind is FileKind.RUN and options.order is not Order.AUTO
    if found.kind in (FileKind.QRELS, FileKind.RUN):
        if not options.columns and not ordered:
            return Identified(path, found.kind, Form.TREC, found.reason, packing)
        return _numbered(found, Form.TREC, separator, options, path=path, packing=packing)
    if separator is None:
        raise not_known(path, " ".join(rows[0]))
    return _numbered(found, Form.TSV, separator, options, path=path, packing=packing)


def _numbered(
    found: Guess,
    form: Form,
    separator: str | None,
    options: ReadOptions,
    *,
    path: str | Path,
    packing: str | None,
) -> Identified:
    parsed = parse_table(_whole(path), separator, options, path=path)
    by_name = parsed.header and separator is None
    table = (
        named_table(parsed, options, path=path)
        if by_name
        else numbered_table(parsed, found, options, path=path)
    )
    return Identified(path, found.kind, form, found.reason, packing, table)


def _rows(head: str, separator: str | None, options: ReadOptions) -> list[list[str]]:
    """Cells of the first data lines; lines that begin with `#` only where there are no others."""
    lines = [line for line in head.split("\n")[: _LOOKED_AT * 2] if line.strip()]
    plain = [line for line in lines if not line.startswith("#")]
    if options.hash_lines is Hash.DATA:
        plain = lines
    elif not plain and options.hash_lines is Hash.AUTO:
        plain = [line for line in lines if line[1:2].strip()]
    if plain and plain[0].casefold().startswith("sep=") and len(plain[0].strip()) == 5:
        plain = plain[1:]
    if separator is None:
        return [[line.strip()] for line in plain[:_LOOKED_AT]]
    import csv

    return list(csv.reader(plain[:_LOOKED_AT], delimiter=separator))
