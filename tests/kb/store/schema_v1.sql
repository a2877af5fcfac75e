-- The tables of a workspace of version 1, as they were published.
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
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(fulltext, row);
