"""Bringing a workspace in line with files: what is added, kept, followed and refused."""

import shutil
from pathlib import Path

import pytest

from kb.conftest import Bench
from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.kb.indexing import IndexProgress
from rankle.kb.knowledge_base import KnowledgeBase

BINARY = bytes(range(256)) * 4


def _everything(kb: KnowledgeBase) -> list[object]:
    """All that a workspace holds and would show."""
    documents = kb.documents()
    return [documents, [kb.text(one) for one in documents], kb.roots(), kb.failures(), kb.fingerprint()]


def test_a_second_index_changes_only_what_changed(bench: Bench) -> None:
    bench.write(same="It stays.", edited="It was.", gone="It goes.")
    assert bench.kb.index(bench.docs).added == ["edited.md", "gone.md", "same.md"]
    bench.write(edited="It is.", new="It comes.")
    (bench.docs / "gone.md").unlink()
    report = bench.kb.index(bench.docs)
    assert (report.added, report.updated, report.unchanged, report.removed) == (
        ["new.md"],
        ["edited.md"],
        ["same.md"],
        ["gone.md"],
    )
    assert bench.found("goes") == []
    assert bench.found("was") == []
    assert bench.found("comes") == ["new.md"]


def test_without_paths_all_roots_are_brought_up_to_date(bench: Bench, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.md").write_text("pears")
    bench.write(a="apples")
    bench.kb.index(bench.docs)
    bench.kb.index(other, collection="fruit")
    bench.write(a="plums")
    report = bench.kb.index()
    assert (report.updated, report.unchanged) == (["a.md"], ["b.md"])
    assert [document.collection for document in bench.kb.documents()] == ["default", "fruit"]


def test_without_paths_and_roots_it_asks_for_a_folder(bench: Bench) -> None:
    with pytest.raises(InputError, match="index PATH"):
        bench.kb.index()


def test_the_same_text_keeps_its_chunk_ids(bench: Bench, tmp_path: Path) -> None:
    bench.write(a="# One\n\nFirst words.\n\n# Two\n\nSecond words.")
    bench.kb.index(bench.docs, chunker="sentence")
    before = _chunk_names(bench.kb)
    (bench.docs / "a.md").touch()
    bench.kb.index(bench.docs, chunker="sentence")
    with KnowledgeBase(tmp_path / "again", name="again", create=True) as fresh:
        fresh.index(bench.docs, chunker="sentence")
        assert _chunk_names(bench.kb) == before == _chunk_names(fresh)


def test_an_edit_changes_only_the_chunks_it_touches(bench: Bench) -> None:
    bench.write(a="Alpha stays. Beta stays. Gamma goes.", b="Other words.")
    bench.kb.index(bench.docs, chunker="sentence")
    before = _chunk_names(bench.kb)
    bench.write(a="Alpha stays. Inserted here. Beta stays. Gamma went.")
    bench.kb.index(bench.docs, chunker="sentence")
    after = _chunk_names(bench.kb)
    assert after["b.md"] == before["b.md"]
    assert [after["a.md"][0], after["a.md"][2]] == before["a.md"][:2]
    assert len(set(after["a.md"]) & set(before["a.md"])) == 2


def test_passages_that_repeat_have_ids_of_their_own(bench: Bench) -> None:
    bench.write(a="Again and again. Again and again. Again and again.")
    bench.kb.index(bench.docs, chunker="sentence")
    names = _chunk_names(bench.kb)["a.md"]
    assert len(names) == len(set(names)) == 3


def _chunk_names(kb: KnowledgeBase) -> dict[str, list[str]]:
    return {one.name: [chunk.name for chunk in kb.chunks(one)] for one in kb.documents()}


def test_another_chunker_cuts_everything_anew(bench: Bench) -> None:
    bench.write(a="One sentence. Another sentence.")
    assert bench.kb.index(bench.docs, chunker="document").n_chunks == 1
    report = bench.kb.index(bench.docs, chunker="sentence")
    assert (report.updated, report.n_chunks) == (["a.md"], 2)


def test_offsets_give_back_the_chunk(bench: Bench) -> None:
    bench.write(a="# Title\n\nÉtude 🚀 in Ａ.\n\n" + "Words and words. " * 400)
    bench.kb.index(bench.docs)
    document = bench.kb.document("a.md")
    text = bench.kb.text(document)
    chunks = bench.kb.chunks(document)
    assert len(chunks) > 1
    for chunk in chunks:
        assert text[chunk.span.start : chunk.span.end] == chunk.text
        assert text[: chunk.span.start].count("\n") + 1 == chunk.span.line_start


def test_a_dry_run_says_all_and_writes_nothing(bench: Bench) -> None:
    bench.write(same="It stays.", edited="It was.", gone="It goes.")
    bench.kb.index(bench.docs)
    before = _everything(bench.kb)
    bench.write(edited="It is.", new="It comes.")
    (bench.docs / "gone.md").unlink()
    (bench.docs / "bad.md").write_bytes(BINARY)
    would = bench.kb.index(bench.docs, dry_run=True)
    assert _everything(bench.kb) == before
    did = bench.kb.index(bench.docs)
    assert would.dry_run
    assert (would.added, would.updated, would.unchanged, would.removed, would.failures, would.n_chunks) == (
        did.added, did.updated, did.unchanged, did.removed, did.failures, did.n_chunks,
    )  # fmt: skip


def test_a_dry_run_of_a_new_folder_leaves_no_root(bench: Bench) -> None:
    bench.write(a="alpha")
    assert bench.kb.index(bench.docs, dry_run=True).added == ["a.md"]
    assert bench.kb.roots() == []


def test_failures_are_kept_and_replaced(bench: Bench) -> None:
    bench.write(good="Fine.")
    (bench.docs / "bad.md").write_bytes(BINARY)
    (bench.docs / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    report = bench.kb.index(bench.docs)
    assert report.added == ["good.md"]
    names = [Path(failure.path).name for failure in report.failures]
    assert names == ["bad.md", "broken.pdf"]
    assert [Path(failure.path).name for failure in bench.kb.failures()] == names
    bench.write(bad="Fine now.")
    (bench.docs / "broken.pdf").unlink()
    assert bench.kb.index(bench.docs).failures == []
    assert bench.kb.failures() == []


def test_a_document_that_became_unreadable_keeps_its_last_good_state(bench: Bench) -> None:
    bench.write(a="Good words.", b="Others.")
    bench.kb.index(bench.docs)
    (bench.docs / "a.md").write_bytes(BINARY)
    report = bench.kb.index(bench.docs)
    assert report.kept_after_failure == ["a.md"]
    assert report.removed == []
    assert bench.found("good") == ["a.md"]


def test_where_every_file_fails_the_workspace_is_as_it_was(bench: Bench) -> None:
    bench.write(a="Good words.")
    bench.kb.index(bench.docs)
    before = _everything(bench.kb)
    (bench.docs / "a.md").write_bytes(BINARY)
    with pytest.raises(CannotMeasureError, match=r"none of 1 files.*as it was"):
        bench.kb.index(bench.docs)
    assert _everything(bench.kb) == before


def test_a_folder_emptied_by_accident_loses_nothing(bench: Bench) -> None:
    bench.write(a="Good words.")
    bench.kb.index(bench.docs)
    (bench.docs / "a.md").unlink()
    with pytest.raises(InputError, match=r"holds no documents.*docs remove"):
        bench.kb.index(bench.docs)
    assert bench.found("good") == ["a.md"]


def test_a_folder_without_documents_says_what_is_there(bench: Bench) -> None:
    (bench.docs / "a.png").write_bytes(b"x")
    (bench.docs / ".hidden.md").write_text("x")
    with pytest.raises(InputError, match=r"1 \.png; ignored or hidden: 1\. Known are Markdown"):
        bench.kb.index(bench.docs)


def test_a_file_over_the_limit_is_a_failure_with_the_way_out(bench: Bench) -> None:
    bench.write(small="Fine.", large="word " * 300_000)
    report = bench.kb.index(bench.docs, max_mb=1)
    assert report.added == ["small.md"]
    assert report.failures[0].message.startswith("2 MB, more than the 1 MB allowed. Raise --max-mb")


def test_progress_counts_every_file_before_it_is_read(bench: Bench) -> None:
    bench.write(a="alpha", b="beta")
    seen: list[IndexProgress] = []
    bench.kb.index(bench.docs, progress=seen.append)
    assert [(at.n_done, at.n_total, at.name) for at in seen] == [(0, 2, "a.md"), (1, 2, "b.md")]


class _Interrupted(KeyboardInterrupt):
    pass


def test_an_interrupted_index_leaves_the_last_complete_state(bench: Bench) -> None:
    bench.write(a="alpha")
    bench.kb.index(bench.docs)
    before = _everything(bench.kb)
    bench.write(a="changed", b="beta", c="gamma")

    def stop(at: IndexProgress) -> None:
        if at.n_done == 2:
            raise _Interrupted

    with pytest.raises(_Interrupted):
        bench.kb.index(bench.docs, progress=stop)
    assert _everything(bench.kb) == before
    assert bench.kb.index(bench.docs).added == ["b.md", "c.md"]


@pytest.mark.parametrize(("first", "second"), [("", "inner"), ("inner", "")])
def test_roots_that_overlap_are_refused(bench: Bench, first: str, second: str) -> None:
    (bench.docs / "inner").mkdir()
    (bench.docs / "inner" / "a.md").write_text("alpha")
    bench.kb.index(bench.docs / first)
    with pytest.raises(InputError, match=r"lies inside|contains"):
        bench.kb.index(bench.docs / second)


def test_two_paths_of_one_call_may_not_overlap_either(bench: Bench) -> None:
    bench.write(a="alpha")
    for paths in ((bench.docs, bench.docs / "a.md"), (bench.docs / "a.md", bench.docs)):
        with pytest.raises(InputError, match="Name only the outer one"):
            bench.kb.index(*paths)


def test_the_same_root_under_two_spellings_is_one(bench: Bench, tmp_path: Path) -> None:
    bench.write(a="alpha")
    link = tmp_path / "link"
    link.symlink_to(bench.docs, target_is_directory=True)
    bench.kb.index(bench.docs, tmp_path / "x" / ".." / "docs")
    assert bench.kb.index(link).unchanged == ["a.md"]
    assert len(bench.kb.roots()) == 1


def test_two_roots_with_the_same_ids_collide_until_one_is_named(bench: Bench, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(bench.docs, other)
    bench.write(a="alpha")
    (other / "a.md").write_text("beta")
    bench.kb.index(bench.docs)
    with pytest.raises(InputError, match=r"same id: a\.md.*--as NAME"):
        bench.kb.index(other)
    assert bench.kb.index(other, name="other").added == ["other/a.md"]
    assert bench.found("alpha") == ["a.md"]
    assert bench.found("beta") == ["other/a.md"]
    assert bench.kb.index(other).unchanged == ["other/a.md"]


def test_two_colliding_roots_of_one_call_are_refused_together(bench: Bench, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for folder in (bench.docs, other):
        (folder / "a.md").write_text("alpha")
    with pytest.raises(InputError, match=r"same id: a\.md"):
        bench.kb.index(bench.docs, other)
    assert bench.kb.documents() == []


def test_a_new_name_renames_the_documents(bench: Bench) -> None:
    bench.write(a="alpha")
    bench.kb.index(bench.docs)
    report = bench.kb.index(bench.docs, name="team/handbook")
    assert (report.added, report.removed) == (["team/handbook/a.md"], ["a.md"])


@pytest.mark.parametrize(
    "name", ["", " ", "/", "a/", "/a", "a//b", ".", "..", "a/../b", "a\\b", "a\nb", "a\ud800", " a"]
)
def test_a_name_that_is_no_prefix_is_refused(bench: Bench, name: str) -> None:
    bench.write(a="alpha")
    with pytest.raises(InputError, match="--as needs a name"):
        bench.kb.index(bench.docs, name=name)


def test_a_name_is_for_one_root(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="names one root"):
        bench.kb.index(bench.docs, tmp_path, name="both")


def test_single_files_are_roots_and_follow_their_deletion_in_words(bench: Bench) -> None:
    bench.write(a="alpha", b="beta")
    bench.kb.index(bench.docs / "a.md", bench.docs / "b.md")
    assert bench.found("alpha") == ["a.md"]
    (bench.docs / "a.md").unlink()
    with pytest.raises(InputError, match=r"a\.md, which was indexed, is gone.*docs remove --root"):
        bench.kb.index()
    bench.kb.remove_root(bench.docs / "a.md")
    assert bench.kb.index().unchanged == ["b.md"]


def test_a_folder_that_moved_is_told_from_a_collision(bench: Bench, tmp_path: Path) -> None:
    bench.write(a="alpha")
    bench.kb.index(bench.docs)
    moved = bench.docs.rename(tmp_path / "moved")
    with pytest.raises(InputError, match=r"docs, which is gone.*docs remove --root"):
        bench.kb.index(moved)
    assert bench.kb.remove_root(bench.docs) == 1
    assert bench.kb.index(moved).added == ["a.md"]


def test_a_root_may_change_its_collection(bench: Bench) -> None:
    bench.write(a="alpha")
    bench.kb.index(bench.docs, collection="drafts")
    assert bench.kb.index(bench.docs).unchanged == ["a.md"]
    assert bench.kb.index(bench.docs, collection="final").updated == ["a.md"]
    assert [hit.id for hit in bench.kb.search("alpha", collection="final", group="document")] == ["a.md"]
    with pytest.raises(UnknownNameError, match='unknown collection "drafts"'):
        bench.kb.search("alpha", collection="drafts")


def test_a_collection_needs_a_printable_name(bench: Bench) -> None:
    bench.write(a="alpha")
    with pytest.raises(InputError, match="printable"):
        bench.kb.index(bench.docs, collection="a\nb")


def test_a_name_that_is_not_utf_8_is_a_failure_of_that_file(bench: Bench) -> None:
    bench.write(a="alpha")
    odd = bench.docs / "odd\udcff.md"
    try:
        odd.write_text("beta")
    except (OSError, UnicodeError):
        pytest.skip("this file system takes UTF-8 only")
    report = bench.kb.index(bench.docs)
    assert report.added == ["a.md"]
    assert report.failures[0].message == "the file's name is not UTF-8. Rename it"
    assert bench.kb.failures() == report.failures


@pytest.mark.parametrize("path", ["a\0b", "a\ud800b"])
def test_a_path_that_cannot_be_is_refused_in_words(bench: Bench, path: str) -> None:
    with pytest.raises(InputError, match="is no path"):
        bench.kb.index(path)
    with pytest.raises(InputError, match="is no path"):
        bench.kb.remove_root(Path(path))
    with pytest.raises(UnknownNameError):
        bench.kb.document(path)


def test_decomposed_and_composed_names_are_one_document(bench: Bench) -> None:
    (bench.docs / "cafe\u0301.md").write_text("alpha")
    bench.kb.index(bench.docs)
    assert bench.found("alpha") == ["café.md"]
    (bench.docs / "cafe\u0301.md").rename(bench.docs / "café.md")
    report = bench.kb.index(bench.docs)
    assert (report.unchanged, report.removed) == (["café.md"], [])


def test_front_matter_gives_title_tags_and_language(bench: Bench) -> None:
    bench.write(a="---\ntitle: Urlaub\ntags: [hr, leave]\nlang: de-CH\n---\nThe leave lasts for six weeks.")
    bench.kb.index(bench.docs)
    document = bench.kb.document("a.md")
    assert (document.title, document.tags, document.language) == ("Urlaub", ("hr", "leave"), "de")
    assert "title:" not in bench.kb.chunks(document)[0].text


def test_a_language_is_detected_where_none_is_stated(bench: Bench) -> None:
    bench.write(a="Der Ausschuss tagt jeden Montag, und das Protokoll wird am selben Tag veröffentlicht.")
    bench.kb.index(bench.docs)
    assert bench.kb.document("a.md").language == "de"
    assert bench.kb.info().languages == {"de": 1}


def test_a_removed_document_comes_back_with_the_next_index(bench: Bench) -> None:
    bench.write(a="alpha", b="beta")
    bench.kb.index(bench.docs)
    document = bench.kb.document("a.md")
    bench.kb.remove([document])
    assert bench.found("alpha") == []
    bench.kb.remove([document])  # another process may have been quicker
    with pytest.raises(UnknownNameError):
        bench.kb.text(document)
    assert bench.kb.index().added == ["a.md"]


def test_an_unknown_root_cannot_be_dropped(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not an indexed root"):
        bench.kb.remove_root(tmp_path)


def test_a_document_is_named_by_id_path_or_content(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write(a="alpha", b="beta", copy="alpha")
    bench.kb.index(bench.docs)
    document = bench.kb.document("b.md")
    monkeypatch.chdir(bench.docs.parent)
    assert bench.kb.document(str(bench.docs / "b.md")) == document
    assert bench.kb.document("docs/b.md") == document
    assert bench.kb.document(f"#{document.content_hash[:8]}") == document
    with pytest.raises(InputError, match=r"fits several documents: a\.md, copy\.md"):
        bench.kb.document(f"#{bench.kb.document('a.md').content_hash[:6]}")
    with pytest.raises(UnknownNameError, match=r'did you mean "b\.md"'):
        bench.kb.document("bb.md")


def test_a_root_keeps_its_chunker_until_another_is_named(bench: Bench) -> None:
    bench.write(a="One sentence. Another one. A third.")
    assert bench.kb.index(bench.docs, chunker="sentence").n_chunks == 3
    again = bench.kb.index()
    assert (again.unchanged, again.updated) == (["a.md"], [])
    assert bench.kb.roots()[0].chunker == "sentence"
    assert bench.kb.index(bench.docs, chunker="heading").updated == ["a.md"]
    assert bench.kb.info().n_chunks == 1


def test_a_document_too_short_for_its_language_follows_the_workspace(bench: Bench) -> None:
    bench.write(short="# Rechnungen, invoices")
    bench.kb.index(bench.docs)
    assert bench.kb.document("short.md").language is None
    assert bench.found("invoice") == ["short.md"]
    assert bench.found("Rechnung") == []
    bench.write(long="---\nlang: de\n---\nDie Frist endet am letzten Tag des Monats, an dem bezahlt wurde.")
    assert bench.kb.index(bench.docs).unchanged == ["short.md"]
    assert bench.found("Rechnung") == ["short.md"]
    bench.kb.remove([bench.kb.document("long.md")])
    assert bench.found("Rechnung") == []
    assert bench.found("invoice") == ["short.md"]
