"""Searching a workspace: order, depth, passages, and many searches at once."""

import asyncio
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings

from kb.conftest import Bench
from kb.texts import ALPHABETS, mixed_texts
from rankle.core.errors import InputError, UnknownNameError, WorkspaceError
from rankle.core.evalset import Level
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.methods import MethodChoice
from rankle.kb.search_request import SearchRequest


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    """A small workspace of many scripts; its files are closed after each search."""
    folder = tmp_path_factory.mktemp("mixed")
    docs = folder / "docs"
    docs.mkdir()
    for place, alphabet in enumerate(ALPHABETS.values()):
        (docs / f"m{place}.txt").write_text(f"words {alphabet} {alphabet[::-1]}", encoding="utf-8")
    with KnowledgeBase(folder / "workspace", name="mixed", create=True) as kb:
        kb.index(docs)
    return kb


@settings(max_examples=150, deadline=None)
@given(query=mixed_texts(max_size=60))
def test_any_text_is_a_valid_query(mixed: KnowledgeBase, query: str) -> None:
    with mixed:
        result = mixed.search(query, k=3, explain=True, log=True)
    result.query.encode()
    for hit in result:
        assert hit.passage is not None
        last = -1
        for start, end in hit.passage.marks:
            assert last < start < end <= len(hit.passage.text)
            last = end
        assert 0 < len(hit.passage.terms) <= result.n_terms


@pytest.mark.parametrize("order", [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]])
def test_equal_documents_come_in_the_order_of_their_ids(bench: Bench, order: list[str]) -> None:
    for stem in order:
        bench.write(**{stem: "---\ntitle: The same\n---\nThe same words. The same words."})
        bench.kb.index(bench.docs, chunker="sentence")
    hits = bench.kb.search("words", k=100).hits
    assert len({hit.score for hit in hits}) == 1
    assert [hit.document for hit in hits] == ["a.md", "a.md", "b.md", "b.md", "c.md", "c.md"]
    places = [hit.passage.start for hit in hits if hit.passage]
    assert all(first < second for first, second in zip(places[::2], places[1::2], strict=True))


def test_scores_descend_and_ranks_count_from_one(bench: Bench) -> None:
    bench.write(**{f"d{n}": "apple " * n + "pear " * 5 for n in range(1, 9)})
    bench.kb.index(bench.docs)
    hits = bench.kb.search("apple").hits
    assert [hit.rank for hit in hits] == list(range(1, 9))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert hits[-1].score > 0


def test_a_document_stands_where_its_best_chunk_stands(bench: Bench) -> None:
    bench.write(many="Apple one. Apple two. Apple three. Pear four.", one="An apple a day. No more.")
    bench.kb.index(bench.docs, chunker="sentence")
    chunks = bench.kb.search("apple", k=100)
    documents = bench.kb.search("apple", k=100, group="document")
    best = list(dict.fromkeys(hit.document for hit in chunks))
    assert [hit.id for hit in documents] == best
    assert {hit.id: len(hit.chunks) for hit in documents} == {"many.md": 3, "one.md": 1}
    assert [hit.chunks[0] for hit in documents] == [
        next(hit.id for hit in chunks if hit.document == name) for name in best
    ]


def test_enough_documents_are_found_behind_one_with_many_chunks(bench: Bench) -> None:
    bench.write(
        long="---\ntitle: Apple\nlang: en\n---\n" + "Apple. " * 500,
        **{f"z{n}": "Apple and much else besides." for n in range(20)},
    )
    bench.kb.index(bench.docs, chunker="sentence")
    result = asyncio.run(bench.kb.run(SearchRequest(query="apple", level=Level.DOCUMENT, depth=10)))
    assert len(result.hits) == 10
    assert result.hits[0].id == "long.md"
    assert [hit.id for hit in result.hits[1:]] == sorted(f"z{n}.md" for n in range(20))[:9]


def test_the_first_hits_do_not_depend_on_the_depth(bench: Bench) -> None:
    bench.write(**{f"d{n:02}": "apple " * (n % 7) + "pear plum" for n in range(40)})
    bench.kb.index(bench.docs)
    deep = [hit.id for hit in bench.kb.search("apple pear", k=40, depth=1_000)]
    for k in (1, 3, 20):
        assert [hit.id for hit in bench.kb.search("apple pear", k=k, depth=k)] == deep[:k]


def test_only_the_first_hits_come_back_and_the_stage_keeps_all(bench: Bench) -> None:
    bench.write(**{f"d{n}": "apple" for n in range(9)})
    bench.kb.index(bench.docs)
    result = bench.kb.search("apple", k=2)
    assert len(result) == 2
    assert len(result.stages[0].ranks) == 9
    assert len(bench.kb.search("apple", k=2, depth=4).stages[0].ranks) == 4
    assert len(bench.kb.search("apple", k=4, depth=4).hits) == 4
    assert len(bench.kb.search("apple", k=5).stages[0].ranks) == 9
    with pytest.raises(InputError, match=r"^k must not exceed depth, got k 5 and depth 1\. Raise depth"):
        bench.kb.search("apple", k=5, depth=1)


@pytest.mark.parametrize("k", [10**6, 2**40, 10**30])
@pytest.mark.parametrize("group", ["chunk", "document"])
def test_k_may_be_any_number(bench: Bench, k: int, group: str) -> None:
    bench.write(a="apple", b="apple")
    bench.kb.index(bench.docs)
    assert len(bench.kb.search("apple", k=k, group=group)) == 2  # type: ignore[arg-type]


def test_thousands_of_passages_come_with_their_text(bench: Bench) -> None:
    bench.write(long="Apple pie. " * 3_000)
    bench.kb.index(bench.docs, chunker="sentence")
    hits = bench.kb.search("apple", k=3_000).hits
    assert [hit.passage.text for hit in hits if hit.passage] == ["Apple pie."] * 3_000


def test_what_cannot_be_asked_is_refused(bench: Bench) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs)
    with pytest.raises(InputError, match="k must be an integer >= 1, got 0"):
        bench.kb.search("apple", k=0)
    with pytest.raises(InputError, match="depth must be an integer >= 1, got 0"):
        bench.kb.search("apple", depth=0)
    with pytest.raises(InputError, match='must be "chunk" or "document", got "page"'):
        bench.kb.search("apple", group="page")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match=r'method "fts".*did you mean "fts5"'):
        bench.kb.search("apple", method="fts")
    with pytest.raises(UnknownNameError, match=r'collection "defualt"; did you mean "default"'):
        bench.kb.search("apple", collection="defualt")


def test_an_empty_workspace_says_how_to_fill_it(bench: Bench) -> None:
    with pytest.raises(WorkspaceError, match="index PATH"):
        bench.kb.search("apple")


def test_a_query_without_a_term_finds_nothing_and_says_why(bench: Bench) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs)
    result = bench.kb.search("?!")
    assert (result.hits, result.notices) == ((), ("the query holds no letter or digit to search for",))
    assert bench.kb.search("apple").notices == ()


def test_terms_tell_what_is_looked_up_and_how_often_it_stands(bench: Bench) -> None:
    bench.write(a="apple pie", b="apple tart", c="pear")
    bench.kb.index(bench.docs)
    result = bench.kb.search('apple "apple pie" pe* zebra -tart', explain=True)
    told = [(term.text, term.kind, term.n_chunks, term.weightless) for term in result.terms]
    assert told == [
        ("apple", "term", 2, True),
        ('"apple pie"', "phrase", 1, False),
        ("pe*", "prefix", 1, False),
        ("zebra", "term", 0, False),
        ("-tart", "exclude", 1, False),
    ]
    assert result.n_terms == 4


def test_coverage_counts_terms_in_title_headings_path_and_body(bench: Bench) -> None:
    bench.write(invoices="# Yearly\n\n## Closing\n\nThe ledger is balanced.")
    bench.kb.index(bench.docs)
    hit = bench.kb.search("yearly closing ledger invoices zebra")[0]
    assert hit.passage is not None
    assert hit.passage.terms == ("yearly", "closing", "ledger", "invoices")


def test_a_passage_of_megabytes_is_marked_in_its_beginning_and_covered_to_its_end(bench: Bench) -> None:
    bench.write(a="apple " + "filler " * 60_000 + "zebra")
    bench.kb.index(bench.docs, chunker="document")
    hit = bench.kb.search("apple zebra quagga")[0]
    assert hit.passage is not None
    assert [hit.passage.text[start:end] for start, end in hit.passage.marks] == ["apple"]
    assert hit.passage.terms == ("apple", "zebra")


def test_marks_show_the_form_that_stands_in_the_text(bench: Bench) -> None:
    bench.write(a="---\nlang: de\n---\nDie Ｋündigungen der Häuser, real-time, im 東京都, am 5月上旬.")
    bench.kb.index(bench.docs)
    hit = bench.kb.search("Kuendigung Haus realtime 東京 上旬")[0]
    assert hit.passage is not None
    marked = [hit.passage.text[start:end] for start, end in hit.passage.marks]
    assert marked == ["Ｋündigungen", "Häuser", "real-time", "東京", "上旬"]


def test_pages_of_a_pdf_are_told(bench: Bench) -> None:
    (bench.docs / "a.pdf").write_bytes(_pdf("Alpha on the first page", "Omega on the second page"))
    bench.kb.index(bench.docs, chunker="sentence")
    for word, page in (("alpha", 1), ("omega", 2)):
        hit = bench.kb.search(word)[0]
        assert hit.passage is not None
        assert hit.passage.page == page


def _pdf(*pages: str) -> bytes:
    """A PDF with one line of Helvetica per page; readers rebuild the missing cross-reference table."""
    kids = " ".join(f"{10 + 2 * place} 0 R" for place in range(len(pages)))
    parts = [
        "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
        f"2 0 obj<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>endobj",
        "3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj",
    ]
    box = "/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>"
    for place, text in enumerate(pages):
        content = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET"
        number = 10 + 2 * place
        parts += [
            f"{number} 0 obj<</Type/Page/Parent 2 0 R{box}/Contents {number + 1} 0 R>>endobj",
            f"{number + 1} 0 obj<</Length {len(content)}>>stream\n{content}\nendstream endobj",
        ]
    return ("%PDF-1.4\n" + "\n".join(parts) + "\ntrailer<</Root 1 0 R>>\n%%EOF").encode()


def _words(bench: Bench) -> list[str]:
    words = ["apple", "pear", "plum", "fig", "quince"]
    bench.write(**{word: f"{word} " * 3 + "fruit" for word in words})
    bench.kb.index(bench.docs)
    return words


def test_threads_search_at_once(bench: Bench) -> None:
    words = _words(bench) * 40
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda word: bench.kb.search(word)[0].document, words))
    assert found == [f"{word}.md" for word in words]


def test_coroutines_search_at_once(bench: Bench) -> None:
    words = _words(bench) * 20

    async def all_at_once() -> list[str]:
        results = await asyncio.gather(*(bench.kb.asearch(word) for word in words))
        return [result[0].document for result in results]

    assert asyncio.run(all_at_once()) == [f"{word}.md" for word in words]


def test_the_sync_front_works_inside_a_running_event_loop(bench: Bench) -> None:
    _words(bench)

    async def inside() -> str:
        return bench.kb.search("apple")[0].document

    assert asyncio.run(inside()) == "apple.md"

    async def failing() -> None:
        bench.kb.search("apple", k=0)

    with pytest.raises(InputError):
        asyncio.run(failing())


def test_a_closed_workspace_opens_again_when_it_is_used(bench: Bench) -> None:
    _words(bench)
    bench.kb.close()
    bench.kb.close()
    assert bench.found("apple") == ["apple.md"]
    with bench.kb as again:
        assert len(again.documents()) == 5
    assert bench.found("pear") == ["pear.md"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts files by /proc")
def test_searches_leave_no_files_open(bench: Bench) -> None:
    _words(bench)
    bench.found("apple")
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a count
    for place in range(500):
        bench.kb.search("apple", log=place % 20 == 0)
    assert len(os.listdir("/proc/self/fd")) <= before  # noqa: PTH208 - a count
    bench.kb.close()
    open_files = {os.readlink(f"/proc/self/fd/{one}") for one in os.listdir("/proc/self/fd") if _is_open(one)}  # noqa: PTH115, PTH208
    assert not any("workspace.db" in path or "searches.db" in path for path in open_files)


def _is_open(number: str) -> bool:
    return Path("/proc/self/fd", number).is_symlink()


def test_the_catalog_names_all_that_a_search_could_return(bench: Bench) -> None:
    bench.write(a="Apple. Pear. Apple.", b="Apple.")
    bench.kb.index(bench.docs, chunker="sentence")
    catalog = bench.kb.catalog()
    assert [document.id for document in catalog.documents] == ["a.md", "b.md"]
    assert set(catalog.chunks) == {hit.id for hit in bench.kb.search("apple pear", k=100)}


@pytest.mark.parametrize(("level", "n_all"), [(Level.DOCUMENT, 6), (Level.CHUNK, 12)])
def test_a_stage_says_whether_its_list_was_cut(bench: Bench, level: Level, n_all: int) -> None:
    for number in range(6):
        bench.write(**{f"d{number}": "One apple. Two apples."})
    bench.kb.index(bench.docs, chunker="sentence")
    for depth, exhausted in [(1, False), (n_all - 1, False), (n_all + 1, True), (100, True)]:
        result = asyncio.run(bench.kb.run(SearchRequest("apple", level=level, depth=depth)))
        assert (len(result), result.stages[0].exhausted) == (min(depth, n_all), exhausted)
    assert asyncio.run(bench.kb.run(SearchRequest("zeppelin", level=level))).stages[0].exhausted


def test_what_searching_needs_is_loaded_once_before_the_first_search(tmp_path: Path) -> None:
    """So that the time of a search is that of a search; see the next test."""
    n_prepared = 0

    class Counting(KnowledgeBase):
        def prepare_to_search(self, method: str | None = None) -> MethodChoice:
            nonlocal n_prepared
            n_prepared += 1
            return super().prepare_to_search(method)

    (tmp_path / "a.md").write_text("An apple.")
    with Counting(tmp_path / "workspace", name="w", create=True) as kb:
        kb.index(tmp_path / "a.md")
        assert len(kb.search("apple")) == len(kb.search("apple")) == 1
    assert n_prepared == 1


def test_no_search_imports_anything_once_all_is_prepared(bench: Bench) -> None:
    bench.write(a="An apple, two apples, and the pear of 2024.")
    bench.kb.index(bench.docs)
    program = (
        "import sys, asyncio\n"
        "from pathlib import Path\n"
        "from rankle.kb.knowledge_base import KnowledgeBase\n"
        "from rankle.kb.search_request import SearchRequest\n"
        "async def main(kb):\n"
        "    kb.prepare_to_search()\n"
        "    await asyncio.to_thread(int)\n"
        "    before = set(sys.modules)\n"
        "    await kb.run(SearchRequest('apples -peach \"two apples\" 20*', n_passages=5, explain=True))\n"
        "    print(sorted(set(sys.modules) - before))\n"
        "    print(sorted({'numpy', 'rankle.kb.parse', 'rankle.kb.indexing'} & set(sys.modules)))\n"
        "with KnowledgeBase(Path(sys.argv[1]), name='bench') as kb:\n"
        "    asyncio.run(main(kb))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(bench.kb.folder)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n[]\n"  # and words are searched without vectors and parsers
