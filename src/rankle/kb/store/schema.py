"""The tables of a workspace, and how an older file becomes a current one."""

from typing import Final

APPLICATION_ID: Final = 0x726E6B6C  # "rnkl": tells our files from other SQLite files
SCHEMA_VERSION: Final = 2

# unicode61 must not split our tokens: accents stay (they were folded where that is right), and combining
# marks and private use characters (encoded connectors) are parts of tokens.
_TOKENIZER: Final = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"

_FIRST: Final = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE roots (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,        -- absolute; a folder, or one file
    name TEXT,                        -- prefix of its document ids, from --as
    collection TEXT NOT NULL,
    chunker TEXT NOT NULL,            -- how its documents are cut, such as heading
    indexed_at TEXT NOT NULL
);

CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,        -- the document id that people use
    root INTEGER NOT NULL REFERENCES roots (id) ON DELETE CASCADE,
    path TEXT NOT NULL,               -- absolute path of the file
    collection TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    language TEXT,                    -- ISO 639-1
    tags TEXT NOT NULL,               -- JSON array
    n_bytes INTEGER NOT NULL,
    content_hash TEXT NOT NULL,       -- SHA-256 of the file
    pipeline TEXT NOT NULL,           -- parser, chunker and analysis that made the rows below
    stems TEXT NOT NULL,              -- JSON array: languages that the rows below are stemmed in
    text TEXT NOT NULL,               -- the stored text that offsets point into
    notices TEXT NOT NULL,            -- JSON array
    indexed_at TEXT NOT NULL
);
CREATE INDEX documents_of_root ON documents (root);
-- Every search asks for these; without an index it would read past every document's text.
CREATE INDEX documents_by_language ON documents (language);
CREATE INDEX documents_by_collection ON documents (collection);
CREATE INDEX documents_by_pipeline ON documents (pipeline);

CREATE TABLE failures (
    root INTEGER NOT NULL REFERENCES roots (id) ON DELETE CASCADE,
    path TEXT NOT NULL,               -- absolute path of the file
    message TEXT NOT NULL,
    PRIMARY KEY (root, path)
) WITHOUT ROWID;

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,           -- rowid of the full-text row
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,               -- chunk- and 12 hex digits
    start INTEGER NOT NULL,           -- characters of documents.text
    "end" INTEGER NOT NULL,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    page INTEGER,
    breadcrumb TEXT NOT NULL,         -- JSON array
    UNIQUE (document, ordinal)
);
CREATE INDEX chunks_by_name ON chunks (name);

CREATE VIRTUAL TABLE fulltext USING fts5(
    title, breadcrumb, path, body, variants,
    prefix = '1 2',
    tokenize = "{_TOKENIZER}"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(fulltext, row);
"""

# The mark tells apart two states that came to one number, as after a roll-back or with a file that was put
# back. Triggers, so that nobody who writes has to think of it.
_RAISE: Final = "BEGIN UPDATE generation SET number = number + 1, mark = random(); END"

_VECTORS: Final = """
CREATE TABLE generation (
    number INTEGER NOT NULL,          -- raised by every change of chunks, models and chunk_vectors
    mark INTEGER NOT NULL             -- random
);
INSERT INTO generation VALUES (1, random());

CREATE TABLE models (
    id INTEGER PRIMARY KEY CHECK (id = 1),  -- a workspace has one model
    name TEXT NOT NULL,               -- as users name it
    fingerprint TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    passage_version INTEGER NOT NULL  -- what of a chunk was embedded
);

CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,
    passage_hash BLOB NOT NULL UNIQUE,  -- SHA-256 of the text that was embedded
    vector BLOB NOT NULL              -- float32, little endian
);

CREATE TABLE chunk_vectors (
    chunk INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    vector INTEGER NOT NULL REFERENCES vectors (id)
);
CREATE INDEX chunk_vectors_by_vector ON chunk_vectors (vector);
""" + "".join(
    f"\nCREATE TRIGGER {table}_{event.lower()} AFTER {event} ON {table} {_RAISE};"
    for table in ("chunks", "models", "chunk_vectors")
    for event in ("INSERT", "UPDATE", "DELETE")
)


def _statements(script: str) -> tuple[str, ...]:
    return tuple(statement for part in script.split(";\n") if (statement := part.strip().rstrip(";")))


MIGRATIONS: Final = {1: _statements(_VECTORS)}
"""By the version that they start from: what makes the next version of it."""
CREATE: Final = (*_statements(_FIRST), *MIGRATIONS[1])
"""A file made afresh goes the way of one that was migrated, so the two cannot differ."""
