# ruff: noqa: E501
"""Files as other tools and people wrote them: each reads, or says what a newcomer can do."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from rankle.core.errors import InputError
from rankle.formats.content import Content, read_content
from rankle.formats.kinds import FileKind, Form, Order, ReadOptions
from rankle.formats.trec import Conflicts


class Read(NamedTuple):
    """What a file must give."""

    kind: str
    form: Form
    n_queries: int
    """Of documents, how many there are."""
    n_rows: int | None = None
    """Judgments or results."""


class Refused(NamedTuple):
    """What the message about a file must say."""

    message: str


FOLDERS = ("run_fixtures", "trec_eval", "messy")
FILES: dict[str, Read | Refused] = {
    "run_fixtures/anserini/sample_docs/beir/collection1/segment1.jsonl": Read("corpus", Form.JSONL, 2),
    "run_fixtures/anserini/sample_docs/beir/collection1/segment2.jsonl": Read("corpus", Form.JSONL, 1),
    "run_fixtures/anserini/sample_docs/beir/collection2/segment1.jsonl.gz": Read("corpus", Form.JSONL, 2),
    "run_fixtures/anserini/sample_docs/beir-nfcorpus/corpus.jsonl": Read("corpus", Form.JSONL, 2),
    "run_fixtures/anserini/sample_docs/json/collection_errors/contents_missing.json": Refused(
        "its columns are id. Judgments need a query, a target and a grade"
    ),
    "run_fixtures/anserini/sample_docs/json/collection_errors/id_missing.json": Refused(
        "its columns are contents. Judgments need a query, a target and a grade"
    ),
    "run_fixtures/anserini/sample_docs/json/collection_zh/segment1.json": Read("corpus", Form.ARRAY, 3),
    "run_fixtures/anserini/sample_docs/mrtydi-1.1/ja/corpus.jsonl.gz": Read("corpus", Form.JSONL, 4),
    "run_fixtures/anserini/sample_docs/mrtydi-1.1/ko/corpus.jsonl.gz": Read("corpus", Form.JSONL, 4),
    "run_fixtures/anserini/sample_docs/mrtydi-1.1/th/corpus.jsonl.gz": Read("corpus", Form.JSONL, 4),
    "run_fixtures/anserini/sample_qrels/Microblog": Read("qrels", Form.TREC, 1, 6),
    "run_fixtures/anserini/sample_qrels/Trec": Read("qrels", Form.TREC, 1, 3),
    "run_fixtures/anserini/sample_qrels/cacm/qrels.cacm.txt": Read("qrels", Form.TREC, 52, 796),
    "run_fixtures/anserini/sample_runs/cacm/cacm-bm25.txt": Read("run", Form.TREC, 64, 1920),
    "run_fixtures/anserini/sample_runs/run.sample.beir-nfcorpus.flat.txt": Read("run", Form.TREC, 1, 1),
    "run_fixtures/anserini/sample_runs/run.sample.cacm.txt": Read("run", Form.TREC, 1, 1),
    "run_fixtures/anserini/sample_runs/run.sample.msmarco-v1-passage.txt": Read("run", Form.TREC, 1, 1),
    "run_fixtures/anserini/sample_runs/run.sample.msmarco-v2.1-doc-segmented.txt": Read(
        "run", Form.TREC, 1, 1
    ),
    "run_fixtures/anserini/sample_runs/run1": Read("run", Form.TREC, 2, 6),
    "run_fixtures/anserini/sample_runs/run2": Read("run", Form.TREC, 2, 6),
    "run_fixtures/anserini/sample_runs/run3": Read("run", Form.TREC, 2, 6),
    "run_fixtures/anserini/sample_runs/run4": Read("run", Form.TREC, 2, 4),
    "run_fixtures/anserini/sample_runs/run5": Read("run", Form.TREC, 2, 4),
    "run_fixtures/anserini/sample_runs/run_mixed_scores": Read("run", Form.TREC, 2, 6),
    "run_fixtures/anserini/sample_runs/run_same_scores": Read("run", Form.TREC, 2, 5),
    "run_fixtures/anserini/sample_topics/Microblog": Refused(
        "holds TREC topics or other markup, which is not read yet"
    ),
    "run_fixtures/anserini/sample_topics/Trec": Refused(
        "holds TREC topics or other markup, which is not read yet"
    ),
    "run_fixtures/anserini/sample_topics/acl_topics.tsv": Read("queries", Form.TSV, 2),
    "run_fixtures/anserini/sample_topics/bglinking.txt": Refused(
        "holds TREC topics or other markup, which is not read yet"
    ),
    "run_fixtures/ir_datasets_dummy/docs.tsv": Read("corpus", Form.TSV, 15),
    "run_fixtures/ir_datasets_dummy/qrels": Read("qrels", Form.TREC, 4, 55),
    "run_fixtures/ir_datasets_dummy/queries.tsv": Read("queries", Form.TSV, 4),
    "run_fixtures/ir_measures/compat.qrels": Read("qrels", Form.TREC, 2, 311),
    "run_fixtures/ir_measures/compat.run": Read("run", Form.TREC, 2, 1927),
    "run_fixtures/ir_measures/cwl.qrels": Read("qrels", Form.TREC, 3, 23),
    "run_fixtures/ir_measures/cwl.run": Read("run", Form.TREC, 3, 30),
    "run_fixtures/pyNTCIREVAL/res_test_compute.txt": Refused("is the output of an evaluation"),
    "run_fixtures/pyNTCIREVAL/res_test_compute_cutoff.txt": Refused("is the output of an evaluation"),
    "run_fixtures/pyNTCIREVAL/res_test_compute_grade.txt": Refused("is the output of an evaluation"),
    "run_fixtures/pyNTCIREVAL/res_test_compute_label_j.txt": Refused("is the output of an evaluation"),
    "run_fixtures/pyNTCIREVAL/sample.rel": Refused("holds NTCIR judgments of one query, without its id"),
    "run_fixtures/pyNTCIREVAL/sample.res": Refused("is of no kind that is read here; its first line is"),
    "run_fixtures/ranx/notebook_qrels.trec": Read("qrels", Form.TREC, 5505, 5541),
    "run_fixtures/ranx/qrels.json": Read("qrels", Form.NESTED, 2, 5),
    "run_fixtures/ranx/qrels.parquet": Read("qrels", Form.PARQUET, 2, 5),
    "run_fixtures/ranx/qrels.trec": Read("qrels", Form.TREC, 2, 5),
    "run_fixtures/ranx/qrels.trec.gz": Read("qrels", Form.TREC, 2, 5),
    "run_fixtures/ranx/run.json": Read("run", Form.NESTED, 2, 5),
    "run_fixtures/ranx/run.lz4": Refused(
        "is packed with LZ4, which is not read (gzip and Zstandard are); unpack it first"
    ),
    "run_fixtures/ranx/run.parquet": Read("run", Form.PARQUET, 2, 5),
    "run_fixtures/ranx/run.trec": Read("run", Form.TREC, 2, 5),
    "run_fixtures/ranx/run.trec.gz": Read("run", Form.TREC, 2, 5),
    "run_fixtures/ranx/small_qrels.json": Read("qrels", Form.NESTED, 2, 4),
    "run_fixtures/ranx/small_qrels.trec": Read("qrels", Form.TREC, 2, 4),
    "run_fixtures/trectools/qrel1.txt": Read("qrels", Form.TREC, 3, 30),
    "run_fixtures/trectools/r1.run": Read("run", Form.TREC, 2, 6),
    "run_fixtures/trectools/r2.run": Read("run", Form.TREC, 2, 6),
    "run_fixtures/trectools/r3.run": Read("run", Form.TREC, 2, 6),
    "run_fixtures/trectools/r4.run": Read("run", Form.TREC, 3, 9),
    "run_fixtures/umbrela/sample.qrels": Read("qrels", Form.TREC, 1, 4),
    "run_fixtures/umbrela/sample.run": Read("run", Form.TREC, 1, 4),
    "trec_eval/out.comment.test": Refused("is the output of an evaluation"),
    "trec_eval/out.test": Refused("is the output of an evaluation"),
    "trec_eval/out.test.a": Refused("is the output of an evaluation"),
    "trec_eval/out.test.aq": Refused("is the output of an evaluation"),
    "trec_eval/out.test.aqZ": Refused("is the output of an evaluation"),
    "trec_eval/out.test.aqc": Refused("is the output of an evaluation"),
    "trec_eval/out.test.aqcM": Refused("is the output of an evaluation"),
    "trec_eval/out.test.aql": Refused("is the output of an evaluation"),
    "trec_eval/out.test.meas_params": Refused("is the output of an evaluation"),
    "trec_eval/out.test.prefs": Refused("is the output of an evaluation"),
    "trec_eval/out.test.qrels_jg": Refused("is the output of an evaluation"),
    "trec_eval/out.test.qrels_prefs": Refused("is the output of an evaluation"),
    "trec_eval/prefs.comment.test": Refused("holds judgments in preference groups (trec_eval -R prefs)"),
    "trec_eval/prefs.rank20": Refused("the query id is missing: lines begin with Q0"),
    "trec_eval/prefs.results.test": Read("run", Form.TREC, 24, 480),
    "trec_eval/prefs.test": Refused("holds judgments in preference groups (trec_eval -R prefs)"),
    "trec_eval/qrels-302.test": Read("qrels", Form.TREC, 1, 1061),
    "trec_eval/qrels.123": Refused(
        ':3686: judges "CR93E-1860" for query "301" as 3, line 5 as 0. Choose one: --conflicts'
    ),
    "trec_eval/qrels.comment.test": Read("qrels", Form.TREC, 31, 5890),
    "trec_eval/qrels.comments.123": Refused(
        ':3689: judges "CR93E-1860" for query "301" as 3, line 6 as 0. Choose one: --conflicts'
    ),
    "trec_eval/qrels.rel_level": Read("qrels", Form.TREC, 3, 3681),
    "trec_eval/qrels.test": Read("qrels", Form.TREC, 3, 3681),
    "trec_eval/qrels.test.with-comments": Read("qrels", Form.TREC, 3, 3681),
    "trec_eval/results-302.test": Read("run", Form.TREC, 1, 500),
    "trec_eval/results.comment.test.gz": Read("run", Form.TREC, 301, 30100),
    "trec_eval/results.test": Read("run", Form.TREC, 3, 1500),
    "trec_eval/results.trunc": Read("run", Form.TREC, 2, 584),
    "trec_eval/zscores_file": Refused("holds means and deviations of measures"),
    "messy/clir_zh_fr_en/clir_queries.jsonl": Read("queries", Form.JSONL, 3),
    "messy/clir_zh_fr_en/corpus_en.jsonl": Read("corpus", Form.JSONL, 100),
    "messy/clir_zh_fr_en/corpus_en_cleaned.jsonl": Read("corpus", Form.JSONL, 3),
    "messy/clir_zh_fr_en/corpus_fr.jsonl": Read("corpus", Form.JSONL, 100),
    "messy/clir_zh_fr_en/corpus_fr_cleaned.jsonl": Read("corpus", Form.JSONL, 3),
    "messy/clir_zh_fr_en/corpus_zh.jsonl": Read("corpus", Form.JSONL, 100),
    "messy/clir_zh_fr_en/corpus_zh_cleaned.jsonl": Read("corpus", Form.JSONL, 3),
    "messy/clir_zh_fr_en/qrels.tsv": Read("qrels", Form.TSV, 3, 9),
    "messy/dbpedia_entity_v2/qrels-v2.txt.gz": Read("qrels", Form.TREC, 467, 49280),
    "messy/dbpedia_entity_v2/queries-v2.txt": Read("queries", Form.TSV, 467),
    "messy/elastic_ragas/ragas_evaluation.csv": Refused("is an evaluation by Ragas, which is not read yet"),
    "messy/fireworks_beir_mini/corpus.jsonl": Read("corpus", Form.JSONL, 30),
    "messy/fireworks_beir_mini/qrels.tsv": Read("qrels", Form.TSV, 30, 30),
    "messy/fireworks_beir_mini/queries.jsonl": Read("queries", Form.JSONL, 30),
    "messy/govreposearch_pairwise/judgements.csv": Refused("holds preferences between two targets"),
    "messy/objective_wikipedia/objective_and_wikipedia_pooled_data.qrels": Read(
        "qrels", Form.TREC, 100, 1506
    ),
    "messy/objective_wikipedia/queries.jsonl": Read("queries", Form.JSONL, 100),
    "messy/pdf_qrel_labeler/doc_mapping.json": Refused("maps names to single values"),
    "messy/pdf_qrel_labeler/qrels.txt": Read("qrels", Form.TREC, 5, 15),
    "messy/pdf_qrel_labeler/query_mapping.json": Refused("maps names to single values"),
    "messy/quepid/haystack_rating_party_book.json.zip": Refused(
        "is a ZIP archive, which is not read (gzip and Zstandard are); unpack it first"
    ),
    "messy/quepid/haystack_rating_party_case.json.zip": Refused(
        "is a ZIP archive, which is not read (gzip and Zstandard are); unpack it first"
    ),
    "messy/quepid/mock_rre_json.json": Refused(
        "holds ratings of RRE (Rated Ranking Evaluator), which are not read yet"
    ),
    "messy/quepid/static_queryset.csv": Read("run", Form.CSV, 1, 3),
    "messy/ragbaby_chinese/docs/01_git.txt": Refused("is of no kind that is read here; its first line is"),
    "messy/ragbaby_chinese/docs/02_testing.txt": Refused(
        "is of no kind that is read here; its first line is"
    ),
    "messy/ragbaby_chinese/docs/03_docker.txt": Refused("is of no kind that is read here; its first line is"),
    "messy/ragbaby_chinese/eval_set.jsonl": Read("set", Form.JSONL, 6, 6),
    "messy/rre_ratings/ratings_example.json": Refused(
        "holds ratings of RRE (Rated Ranking Evaluator), which are not read yet"
    ),
    "messy/vectara_open_rag_eval/csv_results.csv": Refused(
        "has queries and targets, but no grade, score or rank"
    ),
    "messy/vectara_open_rag_eval/test_csv_connector.csv": Refused(
        "has queries and targets, but no grade, score or rank"
    ),
    "messy/vespa_docsearch/qrels.tsv": Refused(':85: query "VESPA_25" has another text than on line 78'),
    "messy/wands_tab_csv/query.csv": Read("queries", Form.TSV, 480),
}


def given(content: Content) -> Read:
    kind, form = content.found.kind.value, content.found.form
    if content.qrels is not None:
        return Read(kind, form, len(content.qrels.queries), content.qrels.n_judgments)
    if content.run is not None:
        return Read(kind, form, len(content.run.queries), content.run.n_results)
    ids = content.queries if content.queries is not None else content.documents
    return Read(kind, form, len(ids or ()))


@pytest.mark.shared_data
def test_the_table_names_every_file(shared_data: Path) -> None:
    files = {
        str(path.relative_to(shared_data))
        for folder in FOLDERS
        for path in (shared_data / folder).rglob("*")
        if path.is_file()
    }
    assert files == set(FILES)


@pytest.mark.shared_data
@pytest.mark.parametrize("name", FILES)
def test_a_file_reads_or_says_what_to_do(name: str, shared_data: Path) -> None:
    expected = FILES[name]
    if isinstance(expected, Read):
        assert given(read_content(shared_data / name)) == expected
        return
    with pytest.raises(InputError) as caught:
        read_content(shared_data / name)
    assert str(shared_data / name) in str(caught.value)
    assert expected.message in str(caught.value)


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("trec_eval/qrels.123", ReadOptions(conflicts=Conflicts.LAST), Read("qrels", Form.TREC, 3, 3733)),
        ("trec_eval/qrels.comments.123", ReadOptions(conflicts=Conflicts.HIGHEST), Read("qrels", Form.TREC, 3, 3734)),
        ("messy/vespa_docsearch/qrels.tsv", ReadOptions(kind=FileKind.QRELS), Read("qrels", Form.TREC, 26, 90)),
        ("messy/vectara_open_rag_eval/csv_results.csv", ReadOptions(kind=FileKind.RUN, order=Order.FILE), Read("run", Form.CSV, 6, 16)),
        ("messy/vectara_open_rag_eval/test_csv_connector.csv", ReadOptions(kind=FileKind.RUN, order=Order.FILE), Read("run", Form.CSV, 6, 16)),
    ],
)  # fmt: skip
def test_the_flag_that_a_message_names_makes_the_file_read(
    name: str, options: ReadOptions, expected: Read, shared_data: Path
) -> None:
    assert given(read_content(shared_data / name, options)) == expected
    with pytest.raises(InputError):
        read_content(shared_data / name, replace(options, kind=None, conflicts=Conflicts.ERROR))


@pytest.mark.shared_data
def test_the_conflicts_of_a_real_file_are_all_in_one_report(shared_data: Path) -> None:
    with pytest.raises(InputError, match=r"and [0-9]+ more faults in "):
        read_content(shared_data / "trec_eval" / "qrels.123")
