"""What a file can be, how it can be written, and what a user may say about it before it is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from rankle.formats.byte_source import name_of
from rankle.formats.decimal_sign import Decimal
from rankle.formats.trec import Conflicts
from rankle.formats.trec_lines import Hash

if TYPE_CHECKING:
    from pathlib import Path

    from rankle.formats.column_names import Role  # which TREC files, the quick way, never need


class FileKind(StrEnum):
    """What the content of a file is for."""

    QRELS = "qrels"
    """Judgments: a grade for a target and a query."""
    RUN = "run"
    """Results of one system, with scores or ranks."""
    SET = "set"
    """Queries with their texts, and their judgments or what answers need."""
    QUERIES = "queries"
    """Queries with their texts alone."""
    CORPUS = "corpus"
    """Documents."""


class Form(StrEnum):
    """How a file is written."""

    TREC = "TREC"
    CSV = "CSV"
    TSV = "TSV"
    JSONL = "JSONL"
    ARRAY = "JSON array"
    NESTED = "JSON of queries and targets"
    PARQUET = "Parquet"
    BEIR = "BEIR folder"


class Quotes(StrEnum):
    """What a double quote at the beginning of a cell is."""

    AUTO = "auto"
    """It quotes, unless that breaks the table; an error where both readings make a table."""
    DOUBLE = "double"
    """It quotes the cell, which may then hold separators and line breaks."""
    NONE = "none"
    """A character as any other."""


class Order(StrEnum):
    """What the order of a run's results comes from."""

    AUTO = "auto"
    """Scores, else ranks, else the order of the file; an error where a number could be a score or a rank."""
    SCORE = "score"
    RANK = "rank"
    FILE = "file"
    """Best first, as the results stand."""


class Hints(NamedTuple):
    """What is known of a file beside its content."""

    path: "str | Path"
    kind: FileKind | None = None
    """What the user says that it is."""
    expected: FileKind | None = None
    """What it is asked for; counts where its content fits that and more."""
    said: "frozenset[Role]" = frozenset()
    """Roles whose columns the user named."""

    @property
    def name(self) -> str:
        """The file's name without its folders."""
        return name_of(self.path)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a user says about a file where its content does not."""

    kind: FileKind | None = None
    expected: FileKind | None = None
    """What the file is asked for, such as by its place on the command line."""
    columns: "Mapping[Role, str]" = field(default_factory=dict)
    """The column of a role, by name, or by number from 1 in a file without a header."""
    decimal: Decimal = Decimal.AUTO
    quotes: Quotes = Quotes.AUTO
    order: Order = Order.AUTO
    hash_lines: Hash = Hash.AUTO
    gains: Mapping[str, int] | None = None
    """Grade as written to the integer that it means."""
    conflicts: Conflicts = Conflicts.ERROR
    list_separator: str | None = None
    """What stands between several targets in one cell; empty where a cell holds one target."""
    empty_means_nothing: bool = False
    """Whether a query with an empty list of targets should find nothing, where it does not say."""
    split: str | None = None
    """Which qrels of a BEIR folder: `test` for `qrels/test.tsv`."""

    def applicable(self) -> "ReadOptions":
        """The options without the columns that a file of this kind has no use for: `--column score=NAME`
        is said of all files of a command and concerns the runs.
        """
        others = {
            FileKind.QRELS: ("score", "rank", "system"),
            FileKind.RUN: ("grade", "relevant"),
        }.get(self.kind or self.expected or FileKind.SET, ())
        if not any(role in others for role in self.columns):
            return self
        return replace(self, columns={role: c for role, c in self.columns.items() if role not in others})

    def hints(self, path: "str | Path") -> Hints:
        return Hints(path, self.kind, self.expected, frozenset(self.columns))
