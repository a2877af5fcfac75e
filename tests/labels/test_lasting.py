# ruff: noqa: E501, ISC004
"""Labels that last, on a real workspace: index, label, then re-chunk, edit, move and delete.

A passage is labelled in every document, by quote and range with its chunk beside. What the verdict must be in
each case follows from what was done to the document; after the repair the labels must be those that somebody
would make afresh, who knows the passages by heart.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankle.core.evalset import EvalQuery, EvalSet, Label, Level, Span
from rankle.kb.chunk.catalog import CHUNKERS
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.labels.quotes import ALIKE_ENOUGH
from rankle.labels.repair import SetCheck, check_set, repaired_set
from rankle.labels.staleness import Verdict
from rankle.labels.stored import Stored

SENTENCES = {
    name: [f"The {name} rule number {n} asks {word} people to wait {n + 3} days, and no more." for n, word in enumerate(words)]
    for name, words in {
        "leave": ["tired", "busy", "young", "old", "new", "happy", "quiet", "careful", "honest", "brave", "calm", "eager"],
        "travel": ["tall", "short", "quick", "slow", "early", "late", "rich", "poor", "kind", "loud", "shy", "wise"],
        "money": ["green", "red", "blue", "yellow", "black", "white", "grey", "brown", "pink", "purple", "gold", "silver"],
    }.items()
}  # fmt: skip
CHUNKER_SPECS = ("heading", "heading:20", "fixed:40", "fixed:25", "sentence", "document")
LABELLED = 5
"""The sentence of each document that is labelled."""


def test_every_chunker_is_tried() -> None:
    assert {spec.partition(":")[0] for spec in CHUNKER_SPECS} == {spec.partition(":")[0] for spec in CHUNKERS}


class Bench:
    """A folder of documents in a workspace, and a set that labels a passage in each."""

    def __init__(self, folder: Path) -> None:
        self.documents = folder / "documents"
        self.documents.mkdir()
        for name, sentences in SENTENCES.items():
            self.write(name, "# " + name + "\n\n" + " ".join(sentences) + "\n")
        self.kb = KnowledgeBase(folder / "workspace", name="w", create=True)

    def write(self, name: str, text: str) -> None:
        (self.documents / f"{name}.md").write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.documents / f"{name}.md").read_text(encoding="utf-8")

    def index(self, chunker: str | None = None) -> Stored:
        self.kb.index(self.documents, chunker=chunker)
        return self.stored()

    def stored(self) -> Stored:
        return Stored(self.kb.catalog(), Source(self.kb), folder=None)


class Source:
    def __init__(self, kb: KnowledgeBase) -> None:
        self.text = kb.stored_text
        self.chunk_places = kb.chunk_places


def labelled_by_chunk(stored: Stored) -> EvalSet:
    """Each query labels the chunk that holds its sentence, and keeps the chunk's text beside."""
    queries = []
    for name, sentences in SENTENCES.items():
        at = stored.text(f"{name}.md").text.index(sentences[LABELLED])
        (chunk, place), *_ = [
            (chunk, place) for chunk, place in stored.places.items()
            if place.document == f"{name}.md" and place.start <= at < place.end
        ]  # fmt: skip
        text = stored.text(place.document).text[place.start : place.end]
        label = Label(place.document, Level.SPAN, 2, span=Span(text, place.start, place.end), chunk=chunk)
        queries.append(EvalQuery(name, f"what is the {name} rule", (label,), line=1))
    return EvalSet("set.jsonl", tuple(queries))


def labelled_by_passage(stored: Stored, *, sentences: dict[str, str] | None = None) -> EvalSet:
    """Each query labels its sentence."""
    wanted = sentences or {name: every[LABELLED] for name, every in SENTENCES.items()}
    queries = []
    for name, sentence in wanted.items():
        holding = [d.id for d in stored.catalog.documents if sentence in stored.text(d.id).text]
        labels = []
        for document in holding:
            start = stored.text(document).text.index(sentence)
            labels.append(Label(document, Level.SPAN, 2, span=Span(sentence, start, start + len(sentence))))
        queries.append(EvalQuery(name, f"what is the {name} rule", tuple(labels), line=1))
    return EvalSet("set.jsonl", tuple(queries))


def verdicts(found: SetCheck) -> dict[str, list[Verdict]]:
    by_query: dict[str, list[Verdict]] = {}
    for query, check in found.checks:
        by_query.setdefault(query.id, []).append(check.verdict)
    return by_query


def targets(eval_set: EvalSet) -> list[set[tuple[object, int]]]:
    return [{(label.target, label.grade) for label in query.labels} for query in eval_set.queries]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.kb.close()


@pytest.fixture(scope="module")
def chunked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Stored]]:
    """The documents under every chunker."""
    with ExitStack() as opened:
        stored = {}
        for spec in CHUNKER_SPECS:
            made = Bench(tmp_path_factory.mktemp("chunked"))
            opened.enter_context(made.kb)
            stored[spec] = made.index(spec)
        yield stored


@pytest.mark.parametrize("after", CHUNKER_SPECS)
@pytest.mark.parametrize("before", CHUNKER_SPECS)
def test_however_a_text_is_chunked_a_passage_stays_valid(
    chunked: dict[str, Stored], before: str, after: str
) -> None:
    labelled = labelled_by_passage(chunked[before])
    stored = chunked[after]
    found = check_set(labelled, stored)
    assert (found.level, found.faults, found.n_stale) == (Level.SPAN, (), 0)
    assert repaired_set(labelled, found, stored) == labelled


@pytest.mark.parametrize("after", CHUNKER_SPECS)
@pytest.mark.parametrize("before", CHUNKER_SPECS)
def test_what_another_chunker_made_of_a_chunk_is_told(
    chunked: dict[str, Stored], before: str, after: str
) -> None:
    """Worked out from the chunks themselves: the same range, several in it, or one around it."""
    was, stored = chunked[before], chunked[after]
    labelled = labelled_by_chunk(was)
    old = {query.id: was.places[query.labels[0].chunk or ""] for query in labelled.queries}
    found = check_set(labelled, stored, level=Level.CHUNK)
    for query, check in found.checks:
        place = old[query.id]
        here = [each for each in stored.places.values() if each.overlap(place)]
        if place in here:
            expected = Verdict.VALID
        elif len(here) > 1:
            expected = Verdict.SPLIT
        else:
            assert here[0].length > place.length
            expected = Verdict.MERGED
        assert check.verdict is expected
        assert check.then == was.text(place.document).text[place.start : place.end]
    repaired = repaired_set(labelled, found, stored)
    again = check_set(repaired, stored, level=Level.CHUNK)
    assert again.n_stale == 0
    for query in repaired.queries:
        chunks = {label.chunk for label in query.labels}
        place = old[query.id]
        afresh = {
            name for name, each in stored.places.items()
            if each.document == place.document
            and (2 * each.overlap(place) >= place.length or 2 * each.overlap(place) >= each.length)
            and each.overlap(place)
        }  # fmt: skip
        assert chunks == afresh
        assert {label.grade for label in query.labels} == {2}


def insert_before(bench: Bench) -> None:
    bench.write("leave", "A new first line.\n\n" + bench.read("leave"))


def insert_within(bench: Bench) -> None:
    bench.write("leave", bench.read("leave").replace("people to wait 8 days", "people to wait for 8 days"))


def rename(bench: Bench) -> None:
    (bench.documents / "leave.md").rename(bench.documents / "holidays.md")


def cut_passage(bench: Bench) -> None:
    bench.write("leave", bench.read("leave").replace(SENTENCES["leave"][LABELLED] + " ", ""))


def delete(bench: Bench) -> None:
    (bench.documents / "leave.md").unlink()


def copy_and_cut(bench: Bench) -> None:
    cut_passage(bench)
    bench.write("archive", f"# Archive\n\nThis is kept.\n\n{SENTENCES['leave'][LABELLED]}\n")


CASES: list[tuple[Callable[[Bench], None], Verdict, str | None]] = [
    (insert_before, Verdict.MOVED, SENTENCES["leave"][LABELLED]),
    (insert_within, Verdict.VALID, SENTENCES["leave"][LABELLED].replace("to wait 8", "to wait for 8")),
    (rename, Verdict.MOVED, SENTENCES["leave"][LABELLED]),
    (copy_and_cut, Verdict.MOVED, SENTENCES["leave"][LABELLED]),
    (cut_passage, Verdict.GONE, None),
    (delete, Verdict.GONE, None),
]


@pytest.mark.parametrize("chunker", ["heading", "sentence"])
@pytest.mark.parametrize(("change", "verdict", "now"), CASES, ids=[case[0].__name__ for case in CASES])
def test_what_became_of_a_passage_is_told_and_repaired_to_what_would_be_labelled_afresh(
    bench: Bench, change: Callable[[Bench], None], verdict: Verdict, now: str | None, chunker: str
) -> None:
    labelled = labelled_by_passage(bench.index(chunker))
    change(bench)
    stored = bench.index()
    found = check_set(labelled, stored)
    assert verdicts(found) == {"leave": [verdict], "travel": [Verdict.VALID], "money": [Verdict.VALID]}
    check = found.checks[0].check
    assert (check.then, check.now) == (SENTENCES["leave"][LABELLED], now)
    assert (check.likeness < 100) == (change is insert_within)
    wanted = {name: every[LABELLED] for name, every in SENTENCES.items()} | {"leave": now or "never said"}
    afresh = labelled_by_passage(stored, sentences=wanted)
    repaired = repaired_set(labelled, found, stored, drop_gone=True)
    assert targets(repaired) == targets(afresh)
    assert check_set(repaired, stored).n_stale == 0
    kept = repaired_set(labelled, found, stored)
    assert len(kept.queries[0].labels) == 1  # what is gone stays unless it is told to go
    assert [one.check.verdict for one in found.unrepaired] == [Verdict.GONE] * (verdict is Verdict.GONE)


THEN = SENTENCES["leave"][LABELLED]
NOW = THEN.replace("to wait 8", "to wait for 8")


def move_and_edit(bench: Bench) -> None:
    insert_within(bench)
    rename(bench)


def move_and_edit_to_two(bench: Bench) -> None:
    move_and_edit(bench)
    bench.write("archive", f"# Archive\n\nThis is kept.\n\n{NOW}\n")


@pytest.mark.parametrize("change", [move_and_edit, move_and_edit_to_two])
@pytest.mark.parametrize("level", [Level.SPAN, Level.CHUNK])
def test_what_both_moved_to_another_document_and_was_edited_is_told_and_never_repaired(
    bench: Bench, change: Callable[[Bench], None], level: Level
) -> None:
    before = bench.index("sentence")
    labelled = labelled_by_passage(before) if level is Level.SPAN else labelled_by_chunk(before)
    change(bench)
    stored = bench.index()
    found = check_set(labelled, stored, level=level)
    assert verdicts(found) == {"leave": [Verdict.MOVED], "travel": [Verdict.VALID], "money": [Verdict.VALID]}
    check = found.checks[0].check
    assert (check.then, check.now) == (THEN, NOW)
    assert ALIKE_ENOUGH <= check.likeness < 100
    if level is Level.SPAN:
        where = "archive.md" if change is move_and_edit_to_two else "holidays.md"
        assert check.why.startswith(f"it may stand in {where} now, in other words, at ")
        assert check.why.endswith("; or in 1 more") == (change is move_and_edit_to_two)
    assert [one.check for one in found.unrepaired] == [check]
    assert repaired_set(labelled, found, stored, drop_gone=True) == labelled


READER = "Set the timeout of the reader to 30 seconds."


@pytest.mark.parametrize(
    ("now", "sure"),
    [
        ("Set the timeout of the writer to 30 seconds.", False),  # another one, which it had before perhaps
        ("Set the timeout of the reader to 40 seconds.", True),
    ],
)
def test_what_moved_within_its_document_is_repaired_only_if_little_of_it_differs(
    bench: Bench, now: str, sure: bool
) -> None:
    bench.write("leave", f"# leave\n\n{READER}\n")
    bench.index()
    label = Label("leave.md", Level.SPAN, span=Span(READER, 9, 9 + len(READER)))
    labelled = EvalSet("s", (EvalQuery("1", "x", (label,)),))
    bench.write("leave", f"# leave\n\nThis page is new, and longer than it was before.\n\n{now}\n")
    stored = bench.index()
    found = check_set(labelled, stored)
    (check,) = [one.check for one in found.checks]
    assert (check.verdict, check.now) == (Verdict.MOVED, now)
    assert (check.repaired is not None) == sure
    assert check.why.startswith("it stands at " if sure else "it may stand in leave.md now, in other words")
    assert (repaired_set(labelled, found, stored) == labelled) != sure


CHUNK_CASES: list[tuple[Callable[[Bench], None], set[Verdict]]] = [
    (insert_before, {Verdict.VALID}),
    (insert_within, {Verdict.MOVED}),
    (rename, {Verdict.MOVED}),
    (copy_and_cut, {Verdict.MOVED}),
    (cut_passage, {Verdict.GONE}),
    (delete, {Verdict.GONE}),
]


@pytest.mark.parametrize(("change", "expected"), CHUNK_CASES, ids=[case[0].__name__ for case in CHUNK_CASES])
def test_what_became_of_a_sentence_that_is_a_chunk_is_told(
    bench: Bench, change: Callable[[Bench], None], expected: set[Verdict]
) -> None:
    labelled = labelled_by_chunk(bench.index("sentence"))
    change(bench)
    stored = bench.index()
    found = check_set(labelled, stored, level=Level.CHUNK)
    assert set(verdicts(found)["leave"]) == expected
    assert verdicts(found)["travel"] == verdicts(found)["money"] == [Verdict.VALID]
    repaired = repaired_set(labelled, found, stored, drop_gone=True)
    assert check_set(repaired, stored, level=Level.CHUNK).n_stale == 0
    if Verdict.GONE not in expected:
        (label,) = repaired.queries[0].labels
        assert label.chunk in stored.places


def test_chunk_ids_alone_are_valid_or_gone_and_last_once_their_passages_stand_beside(bench: Bench) -> None:
    stored = bench.index("heading")
    beside = labelled_by_chunk(stored)
    bare = replace(
        beside,
        queries=tuple(
            replace(query, labels=tuple(Label(label.chunk or "", Level.CHUNK, 2) for label in query.labels))
            for query in beside.queries
        ),
    )
    valid = check_set(bare, stored)
    assert (valid.level, valid.n_stale) == (Level.CHUNK, 0)
    assert repaired_set(bare, valid, stored, with_passages=True) == beside
    again = bench.index("sentence")
    gone = check_set(bare, again)
    assert [one.check.verdict for one in gone.checks] == [Verdict.GONE] * 3
    assert check_set(beside, again).n_stale == 0


def test_a_quote_that_several_places_hold_is_a_fault_until_something_decides(bench: Bench) -> None:
    bench.write("leave", "# leave\n\nAsk first. Then ask. Ask first.\n")
    stored = bench.index()
    label = Label("leave.md", Level.SPAN, span=Span("Ask first."))
    found = check_set(EvalSet("s", (EvalQuery("1", "x", (label,), line=7),)), stored)
    assert [(fault.line, fault.message) for fault in found.faults] == [
        (
            7,
            'the quote "Ask first." stands 2 times in leave.md, at lines 3, 3; '
            'say which: "occurrence": 1 to 2, or "start" and "end"',
        )
    ]
    ranged = Label("leave.md", Level.SPAN, span=Span("Ask first.", 30, 40))
    assert check_set(EvalSet("s", (EvalQuery("1", "x", (ranged,)),)), stored).n_stale == 0
    moved = Label("leave.md", Level.SPAN, span=Span("Ask first.", 26, 36))
    guessed = check_set(EvalSet("s", (EvalQuery("1", "x", (moved,)),)), stored)
    assert [one.check.verdict for one in guessed.unrepaired] == [Verdict.MOVED]
    assert "several places hold the quote" in guessed.unrepaired[0].check.why


words = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon"]), min_size=3, max_size=12)
paragraphs = st.lists(words.map(" ".join), min_size=1, max_size=6)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(paragraphs, min_size=2, max_size=3), data=st.data(), chunker=st.sampled_from(["sentence", "fixed:5", "heading:20"]))  # fmt: skip
def test_ids_survive_a_reindex_and_an_edit_changes_only_the_chunks_of_its_document(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]], data: st.DataObject, chunker: str
) -> None:
    folder = tmp_path_factory.mktemp("ids")
    documents = folder / "documents"
    documents.mkdir()
    for n, parts in enumerate(texts):
        (documents / f"{n}.md").write_text("\n\n".join(parts) + "\n")
    with KnowledgeBase(folder / "one", name="one", create=True) as kb:
        kb.index(documents, chunker=chunker)
        first = kb.chunk_places()
        with KnowledgeBase(folder / "two", name="two", create=True) as other:
            other.index(documents, chunker="document")
            other.index(documents, chunker=chunker)
            assert other.chunk_places() == first
        edited = data.draw(st.integers(0, len(texts) - 1))
        at = data.draw(st.integers(0, len(texts[edited]) - 1))
        changed = [*texts[edited][:at], texts[edited][at] + " omega", *texts[edited][at + 1 :]]
        (documents / f"{edited}.md").write_text("\n\n".join(changed) + "\n")
        kb.index()
        after = kb.chunk_places()
    name = f"{edited}.md"
    assert {c: p for c, p in after.items() if p.document != name} == {
        c: p for c, p in first.items() if p.document != name
    }
    if chunker == "sentence":  # each paragraph is a sentence: only the edited one is another chunk
        assert len(after.keys() - first.keys()) <= 1
