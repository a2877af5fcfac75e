"""CSV and TSV files as tables, by their header, or by their columns where there is none."""

from dataclasses import replace
from pathlib import Path

from rankle.formats.column_names import Role, column_roles
from rankle.formats.headless import Guess
from rankle.formats.kinds import ReadOptions
from rankle.formats.table_rows import Table
from rankle.formats.table_text import TextTable, find_separator, parse_table


def text_table(text: str, options: ReadOptions, *, path: str | Path) -> Table | None:
    """The table of a text that has a header; None where it has no separator or no header that is known.

    Raises InputError and BadLinesError as `parse_table` and `column_roles` do.
    """
    parsed = parsed_table(text, options, path=path)
    return named_table(parsed, options, path=path) if parsed is not None and parsed.header else None


def parsed_table(text: str, options: ReadOptions, *, path: str | Path) -> TextTable | None:
    """The cells of a text; None where nothing separates columns, or where its first lines do not agree."""
    separator = find_separator(text)
    return None if separator is None else parse_table(text, separator, options, path=path)


def named_table(parsed: TextTable, options: ReadOptions, *, path: str | Path) -> Table:
    """A table by the names in its header."""
    roles = column_roles(parsed.names, path=path, chosen=options.columns)
    return _table(parsed, roles, path=path)


def numbered_table(parsed: TextTable, guess: Guess, options: ReadOptions, *, path: str | Path) -> Table:
    """A table without a header, by what its columns seem to be, or what the user says they are."""
    chosen = column_roles(parsed.names, path=path, chosen=options.columns) if options.columns else {}
    guessed = {role: place for role, place in guess.columns.items() if place not in chosen.values()}
    return replace(_table(parsed, {**guessed, **chosen}, path=path), headless=Role.SCORE not in chosen)


def _table(parsed: TextTable, roles: dict[Role, int], *, path: str | Path) -> Table:
    columns = tuple([row[place] for row in parsed.rows] for place in range(len(parsed.names)))
    return Table(str(path), parsed.names, columns, parsed.lines, roles, parsed.notices, parsed.faults)
