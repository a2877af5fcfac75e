"""Options that say how files are read, the same in every command that reads judgments or runs."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from rankle.formats.kinds import FileKind

KINDS: Final = ("qrels", "run", "set", "queries", "corpus")

column_option: Final = click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="ROLE=NAME",
    help="The column of a role (id, query, target, grade, score, rank, …), by name, or by number "
    "in a file without a header.",
)
decimal_option: Final = click.option(
    "--decimal",
    type=click.Choice(["auto", "comma", "point"]),
    default="auto",
    show_default=True,
    help="The decimal sign of scores, where 1,234 could be more than a thousand.",
)
order_option: Final = click.option(
    "--order",
    type=click.Choice(["auto", "score", "rank", "file"]),
    default="auto",
    show_default=True,
    help="What orders the results of a run: scores, ranks, or the lines of the file, best first.",
)
quotes_option: Final = click.option(
    "--quotes",
    type=click.Choice(["auto", "double", "none"]),
    default="auto",
    show_default=True,
    help="What double quotes in CSV and TSV are.",
)
separator_option: Final = click.option(
    "--list-separator",
    metavar="SIGN",
    help="What stands between several targets in one cell; '' where a cell holds one.",
)
split_option: Final = click.option(
    "--split", metavar="NAME", help="The qrels of a BEIR folder, such as test for qrels/test.tsv."
)
hash_option: Final = click.option(
    "--hash-lines",
    type=click.Choice(["auto", "comment", "data"]),
    default="auto",
    show_default=True,
    help="What lines are that begin with # and look like data.",
)
gain_option: Final = click.option(
    "--gain", "gains", multiple=True, metavar="LABEL=N", help="The grade that a label means, such as high=3."
)
conflicts_option: Final = click.option(
    "--conflicts",
    type=click.Choice(["error", "highest", "first", "last"]),
    default="error",
    show_default=True,
    help="Which grade counts where a target is judged twice, differently.",
)
normalise_option: Final = click.option(
    "--normalise",
    "normalisations",
    multiple=True,
    metavar="ids=NAME,…",
    help="Normalise ids (or queries=, targets=): space, unicode, case, zeros, float, extension, folder, "
    "prefix:TEXT, suffix:TEXT.",
)
empty_option: Final = click.option(
    "--empty-means",
    type=click.Choice(["unknown", "nothing"]),
    default="unknown",
    show_default=True,
    help='What "relevant": [] says: that nothing is known, or that nothing should be found.',
)
relevance_option: Final = click.option(
    "--relevance",
    type=click.Choice(["relevantDocs", "judgments"]),
    default="relevantDocs",
    show_default=True,
    help="Where a query has both: what the measures without grades take as relevant.",
)
_OF_ALL: Final = (
    column_option, quotes_option, separator_option, split_option, hash_option, gain_option, conflicts_option,
)  # fmt: skip


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of reading files; it gets them as `reading`, a `ReadOptions`."""
    return _with_options(command, (decimal_option, order_option, *_OF_ALL))


def set_reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a command that reads eval sets alone, which have no scores."""
    return _with_options(command, (*_OF_ALL, empty_option))


def _with_options(command: Callable[..., Any], options: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    @wraps(command)
    def read(
        *args: Any,
        columns: tuple[str, ...],
        decimal: str = "auto",
        order: str = "auto",
        quotes: str,
        list_separator: str | None,
        split: str | None,
        hash_lines: str,
        gains: tuple[str, ...],
        conflicts: str,
        empty_means: str = "unknown",
        **kwargs: Any,
    ) -> Any:
        from rankle.formats.decimal_sign import Decimal
        from rankle.formats.kinds import Order, Quotes, ReadOptions
        from rankle.formats.trec import Conflicts
        from rankle.formats.trec_lines import Hash

        reading = ReadOptions(
            columns=dict(map(_column, columns)),
            decimal=Decimal(decimal),
            order=Order(order),
            quotes=Quotes(quotes),
            hash_lines=Hash(hash_lines),
            gains=dict(map(_gain, gains)) or None,
            conflicts=Conflicts(conflicts),
            list_separator=list_separator,
            empty_means_nothing=empty_means == "nothing",
            split=split,
        )
        return command(*args, reading=reading, **kwargs)

    for option in reversed(options):
        read = option(read)
    return read


def _column(text: str) -> tuple[Any, str]:
    from rankle.core.errors import InputError, UnknownNameError
    from rankle.formats.column_names import Role

    role, equals, name = text.partition("=")
    if not equals or not name:
        raise InputError(f'--column must be ROLE=NAME, such as target=doc_id; got "{text}"')
    if role not in list(Role):
        hint = f"There is: {', '.join(Role)}"
        raise UnknownNameError(what="role of a column", name=role, known=list(Role), hint=hint)
    return Role(role), name


def _gain(text: str) -> tuple[str, int]:
    from rankle.core.errors import InputError

    label, equals, grade = text.rpartition("=")
    if not equals or not label or not grade.strip().isascii() or not grade.strip().lstrip("-").isdigit():
        raise InputError(f'--gain must be LABEL=N with an integer N, such as high=3; got "{text}"')
    if int(grade) < 0:
        raise InputError(
            f"--gain must give a grade of 0 or more, got {text}; 0 is judged not relevant. To leave "
            "judgments out, take their lines out of the file"
        )
    return label, int(grade)


def kinds_of(texts: Sequence[str], paths: Sequence[str]) -> tuple["FileKind | None", dict[str, "FileKind"]]:
    """The kind that `--as KIND` names for all files, and those of `--as FILE=KIND` by file."""
    from rankle.core.errors import InputError, UnknownNameError
    from rankle.formats.kinds import FileKind

    of_all: FileKind | None = None
    by_file: dict[str, FileKind] = {}
    for text in texts:
        path, _, kind = text.rpartition("=")
        if kind not in KINDS:
            hint = f"There is: {', '.join(KINDS)}"
            raise UnknownNameError(what="kind of file", name=kind, known=KINDS, hint=hint)
        if not path:
            of_all = FileKind(kind)
        elif path in paths:
            by_file[path] = FileKind(kind)
        else:
            raise InputError(f"--as {text} names a file that is not inspected; the files: {', '.join(paths)}")
    return of_all, by_file
