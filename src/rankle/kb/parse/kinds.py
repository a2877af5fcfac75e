"""Which files are read, by suffix."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_SUFFIXES: Final = {
    "markdown": ".md .markdown .mdx .mdown .mkd",
    "html": ".html .htm .xhtml",
    "text": ".txt .text .log",
    "rst": ".rst",
    "pdf": ".pdf",
    # Source and configuration; never data (.json, .csv, .xml), which has no prose to find.
    "code": (
        ".py .pyi .pyx .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .go .rs .java .kt .kts .scala"
        " .groovy .gradle .c .h .cc .cpp .cxx .hh .hpp .hxx .m .mm .cs .fs .fsx .vb .swift .dart .rb .rake"
        " .php .pl .pm .lua .r .jl .ex .exs .erl .hrl .hs .lhs .ml .mli .clj .cljs .cljc .elm .nim .zig .d"
        " .pas .f90 .f95 .sol .proto .thrift .graphql .gql .sh .bash .zsh .fish .ps1 .psm1 .bat .cmd .sql"
        " .yaml .yml .toml .ini .cfg .conf .properties .css .scss .sass .less .tf .hcl .nix .cmake .mk"
        " .dockerfile .tex .vim .el .lisp .scm"
    ),
}

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
)
"""Suffix, in lower case and with its dot, to the kind of document."""


def kind_of(name: str) -> str | None:
    """The kind of a file by its name's suffix; None for what is not read. `.md` alone is no suffix."""
    stem, dot, suffix = name.replace("\\", "/").rsplit("/", 1)[-1].rpartition(".")
    return KINDS.get(f".{suffix.lower()}") if dot and stem else None
