"""What can stand in a project file and in the environment: each name with what it means.

The code that reads a setting knows its name and checks it; the words are here, for the file that
`rankle init` writes and for the documentation. Tests hold these names against those that are read.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ProjectKey:
    """One key of a project file."""

    table: str
    """Where it stands: `""` for the top of the file, else the name of its table."""
    name: str
    example: str
    """A value, as TOML; of a key that is a table of its own, its lines."""
    default: str
    meaning: str
    """One line, without a full stop."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of the environment."""

    name: str
    default: str
    meaning: str


TOP: Final = (
    ProjectKey(
        "",
        "workspace",
        '"handbook"',
        '"default", or what `rankle workspace use` chose',
        "The workspace of this project; -w and RANKLE_WORKSPACE outrank it",
    ),
    ProjectKey(
        "",
        "model",
        '"e5-small"',
        "e5-small where it is installed, else none",
        'The embedding model of new workspaces: "e5-small", "openai:MODEL@URL", "onnx:PATH" or "none"',
    ),
    ProjectKey(
        "",
        "records",
        '".rankle/records.db"',
        '".rankle/records.db" beside this file',
        'Where runs are recorded, relative to this file; "none" leaves no record',
    ),
)
RUN: Final = (
    ProjectKey("run", "timeout_s", "30", "30", "Seconds that a task, or a scorer, may take"),
    ProjectKey("run", "data_timeout_s", "600", "600", "Seconds that reading the data of an eval may take"),
    ProjectKey("run", "concurrency", "5", "5", "Trials in flight at a time, of all evals"),
    ProjectKey("run", "trials", "1", "1", "How often each case is run"),
    ProjectKey("run", "threshold", "70", "none", "Per cent that every eval must score, 0 to 100"),
    ProjectKey("run", "cache", "true", "true", "Whether cacheable tasks and wrapped clients are cached"),
    ProjectKey("run", "max_failures", "0", "0", "Cases that may crash before the exit code is 2"),
    ProjectKey("run", "storage", '"sqlite"', '"sqlite"', 'Keep records, or leave none: "memory"'),
    ProjectKey(
        "run", "setup", '[".env"]', "nothing", "Variables and Python files to load before the first eval"
    ),
    ProjectKey(
        "run", "limits", "{ gpu = 1 }", "no limit", "Tasks in flight for each resource that evals name"
    ),
    ProjectKey("run", "port", "3006", "3006", "Of the page that shows evals while they run"),
)
GATES: Final = (
    ProjectKey("gates", "name", '"nightly"', "the file", "What reports call the gate"),
    ProjectKey("gates", "set", '"queries.jsonl"', "any", "The set, or the eval, that the gate is for"),
    ProjectKey(
        "gates",
        "baseline",
        '"main"',
        "none",
        "What runs are held against, here baselines/main.json; or a path that ends in .json",
    ),
    ProjectKey("gates", "min_queries", "6", "6", "Fewer scored queries could not be measured"),
    ProjectKey("gates", "max_failures", "0", "0", "Queries on which search may fail"),
    ProjectKey("gates", "max_stale_labels", "0", "0", "Labels that may name nothing in the index"),
    ProjectKey(
        "gates",
        "max_unjudged",
        '"30 %"',
        "no limit",
        "Share of the first 10 results without a judgment; or { share = 0.3, within = 5 }",
    ),
    ProjectKey(
        "gates", "latency_p95_ms", "200", "no limit", "Of single searches; evaluate with --one-by-one"
    ),
    ProjectKey("gates", "phase", '"beta"', "none", 'Hit@10 of at least 70 % "mvp", 80 % "beta", 90 % "ga"'),
    ProjectKey(
        "gates", "floors", '{ "nDCG@10" = 0.7 }', "none", "The least that the mean of a measure may be"
    ),
    ProjectKey(
        "gates",
        "no_regression",
        '{ "nDCG@10" = 0.02 }',
        "none",
        "The largest drop from the baseline that is accepted",
    ),
    ProjectKey(
        "gates",
        "protected",
        '{ targets = ["guide.md"], within = 10 }',
        "none",
        'Documents that every query finds; or file = "protected.txt"',
    ),
    ProjectKey(
        "gates",
        "slices",
        '[{ tag = "errors", floors = { "Hit@1" = 0.9 } }]',
        "none",
        "Floors of a part of the queries",
    ),
)
SLICES: Final = (
    ProjectKey("gates.slices", "language", '"de"', "any", "Queries of this language"),
    ProjectKey("gates.slices", "tag", '"error codes"', "any", "Queries with this tag"),
    ProjectKey("gates.slices", "collection", '"guides"', "any", "Queries of this collection"),
)


def _system(name: str, example: str, default: str, meaning: str) -> ProjectKey:
    return ProjectKey("systems.NAME", name, example, default, meaning)


SYSTEMS: Final = (
    _system(
        "uri",
        '"http://localhost:8080/search"',
        "needed",
        "What it is, by http:, python:, command:, run: or kb:",
    ),
    _system(
        "results",
        '"hits.hits"',
        "the usual names",
        "Where the list of results stands in an answer (JMESPath)",
    ),
    _system("id", '"_source.path"', "the usual names", "The id of a result; JMESPath, or Jinja with {{ }}"),
    _system("document", '"metadata.source"', "the usual names", "The document of a result that is a chunk"),
    _system("score", '"_score"', "the usual names", "The score of a result"),
    _system("text", '"_source.text"', "the usual names", "The text of a result"),
    _system("deduplicate", '"metadata.url"', "none", "Of results that are equal in this, the best stays"),
    _system("overfetch", "1", "1", "Times the depth that is asked for, where chunks become documents"),
    _system("stages", '["bm25", "rerank"]', "none", "Stages whose lists stand in an answer, in their order"),
    _system("floor", "0.4", "none", "Up to this score a result is taken for nothing found"),
    _system("version", '"2026-11-30"', "none", "What you call its present state; part of the fingerprint"),
    _system("cacheable", "false", "false", "Whether equal options and version give equal results"),
    _system("timeout_s", "30", "30; of python none", "Seconds for one request, answer or call"),
    _system("health", '"/health"', "asks `probe`", 'Of http: what answers by 2xx; "none" checks nothing'),
    _system(
        "probe", '"health check"', '"health check"', "Of http and command: the query that is asked first"
    ),
    _system(
        "method", '"POST"', "GET with a template in the URL, else POST", "Of http; of kb how it searches"
    ),
    _system(
        "headers",
        '{ Authorization = "Bearer ${SEARCH_TOKEN}" }',
        "none",
        "Of http; ${NAME} is a variable of the environment",
    ),
    _system(
        "body",
        '{ query = "{{ query }}", size = "{{ depth }}" }',
        "query and depth",
        "Of http: what is sent, as JSON or text",
    ),
    _system("retries", "3", "3", "Of http: further tries after a failure that may pass"),
    _system("backoff_s", "0.5", "0.5", "Of http: longest wait before the first retry; it doubles each time"),
    _system("max_wait_s", "60", "60", "Of http: longest Retry-After that is waited for"),
    _system("rate_per_s", "20", "no limit", "Of http: requests that begin in a second, at most"),
    _system("max_in_flight", "16", "16", "Of http: requests at a time, at most"),
    _system(
        "page_size", "50", "no pages", "Of http: results of one request; templates know size, offset and page"
    ),
    _system("next", '"links.next"', "none", "Of http: where an answer says what comes next"),
    _system("batch_size", "1", "1", "Of http: queries of one request, which stand in queries"),
    _system(
        "answers", '"responses"', "the usual names", "Of http: where the list of answers to a batch stands"
    ),
    _system("threads", "4", "0", "Of python: threads for a function that is not async"),
    _system("processes", "1", "1", "Of command: programs that run at a time"),
    _system("start_timeout_s", "120", "120", "Of command: seconds for the first answer"),
    _system("env", '{ INDEX = "products" }', "none", "Of command: variables beside those of the environment"),
    _system("ties", '"trec"', '"trec"', 'Of run: equal scores stand by id, or as in the file: "system"'),
    _system("order", '"auto"', '"auto"', 'Of run: what the order comes from, "score", "rank" or "file"'),
    _system("columns", '{ score = "sim" }', "the usual names", "Of run: the column of a role"),
)
KEYS: Final = (*TOP, *RUN, *GATES, *SLICES, *SYSTEMS)

VARIABLES: Final = (
    Variable("RANKLE_HOME", "the platform's folder of user data", "Folder of the workspaces"),
    Variable("RANKLE_WORKSPACE", "the project file's", "The workspace; -w outranks it"),
    Variable("RANKLE_MODEL", "the project file's", "The embedding model of new workspaces; `none` for none"),
    Variable("RANKLE_RECORDS", "the project file's", "The store of records; `none` for no records"),
    Variable("RANKLE_CACHE", "the platform's cache folder", "Folder of the models"),
    Variable("RANKLE_RATER", "your login name", "Who rates and labels"),
    Variable("OPENAI_API_KEY", "none", "Sent to the server of an `openai:` model"),
    Variable("HF_ENDPOINT", "the public hub", "Address of a mirror of the model hub"),
    Variable("HF_HUB_OFFLINE", "unset", "`1`: no model is downloaded"),
    Variable("NO_COLOR", "unset", "Anything: no colour, on a terminal either"),
    Variable("FORCE_COLOR", "unset", "Anything: colour in pipes and logs too, but for what programs read"),
    Variable("GITHUB_STEP_SUMMARY", "set by GitHub Actions", "The file that `--github` adds to"),
)
