"""`rankle eval add`: names and quotes are checked, and nothing that is in a set is broken."""

import json
import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from fakes.command import GUIDE, fail, succeed, write_files
from rankle.core.evalset import EvalQuery, Label
from rankle.formats.eval_set import read_eval_set
from rankle.formats.set_append import append_query

QUOTE = "The battery voltage is below 11 V."


@pytest.fixture(autouse=True)
def guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = write_files(tmp_path / "guide", {**GUIDE, "twice.md": "Reset it.\n\nThen again:\n\nReset it.\n"})
    succeed("index", folder)
    return folder


def add(*options: str, query: str = "low battery", path: str = "set.jsonl") -> str:
    return succeed("eval", "add", path, "--query", query, *options)


def records(path: str = "set.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_a_document_a_chunk_and_nothing_are_added_line_by_line() -> None:
    chunk = json.loads(succeed("search", "voltage", "--json"))["results"][0]["chunk"]
    printed = add("--relevant", "errors.md", "--relevant", "setup.md", "--grade", "2")
    (first,) = records()
    assert printed == (
        f'Added to set.jsonl: {first["id"]} "low battery"\n  grade 2  errors.md\n  grade 2  setup.md\n'
    )
    assert first["judgments"] == [
        {"docid": "errors.md", "relevance": 2}, {"docid": "setup.md", "relevance": 2},
    ]  # fmt: skip
    add("--nothing", query="who won the cup", path="chunks.jsonl")
    add("--relevant", chunk, "--note", "why", path="chunks.jsonl")
    nothing, of_chunk = records("chunks.jsonl")
    assert nothing["answerable"] is False
    (label,) = of_chunk["relevant"]
    assert (label["document"], label["chunk"], of_chunk["note"]) == ("errors.md", chunk, "why")
    assert QUOTE in label["quote"]
    assert len(read_eval_set("chunks.jsonl").queries) == 2


def test_a_quote_is_written_as_the_document_has_it_with_its_place() -> None:
    add("--relevant", "errors.md", "--quote", "The  battery voltage is\nbelow 11 V.")
    (label,) = records()[0]["relevant"]
    text = succeed("docs", "show", "errors.md", "--text")
    assert label["quote"] == text[label["start"] : label["end"]] == QUOTE


def test_a_quote_of_several_places_needs_its_occurrence() -> None:
    said = fail("eval", "add", "set.jsonl", "--query", "x", "--relevant", "twice.md", "--quote", "Reset it.")
    assert "stands 2 times in twice.md, at lines 1, 5" in said
    assert "--occurrence N" in said
    assert not Path("set.jsonl").exists()
    add("--relevant", "twice.md", "--quote", "Reset it.", "--occurrence", "2")
    assert records()[0]["relevant"][0]["start"] > 10


def test_a_quote_of_50_kilobytes_is_taken(guide: Path) -> None:
    text = " ".join(f"word{n}" for n in range(6_000))
    assert len(text) > 50_000
    write_files(guide, {"long.md": text + "\n"})
    succeed("index")
    add("--relevant", "long.md", "--quote", text)
    assert records()[0]["relevant"][0]["quote"] == text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--relevant", "eror.md"], 'unknown document or chunk "eror.md"; did you mean "errors.md"'),
        (["--relevant", "chunk-000000000000"], 'unknown document or chunk "chunk-000000000000"'),
        (["--relevant", "errors.md", "--quote", "no such thing in it"], "errors.md holds nothing like"),
        (["--relevant", "errors.md", "--quote", "The battery voltage was below 11 V."], "; did you mean"),
        (["--relevant", "errors.md", "--relevant", "setup.md", "--quote", "x"], "a quote is of one document"),
        (["--relevant", "errors.md", "--occurrence", "2"], "an occurrence counts the places of one quote"),
        ([], "say what should be found"),
        (["--nothing", "--relevant", "errors.md"], "say what should be found"),
        (["--relevant", "errors.md", "--collection", "defalt"], 'did you mean "default"?'),
        (["--relevant", "errors.md", "--query", " "], "the query must be text that is not blank"),
    ],
    ids=lambda value: "_".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_added_makes_no_file(options: list[str], said: str) -> None:
    assert said in fail("eval", "add", "set.jsonl", "--query", "low battery", *options)
    assert not Path("set.jsonl").exists()


@pytest.mark.parametrize(
    "before",
    [
        b'{"query": "a", "relevant": ["setup.md"]}',
        b'{"query": "a",   "relevant": ["setup.md"]}\r\n',
        b'\n{"query": "a", "relevant": ["setup.md"]}\n\n',
        b'\xef\xbb\xbf{"query": "a", "relevant": ["setup.md"]}\n',
        b'[{"query": "a",\n  "relevant": ["setup.md"]}]',
        b'[\n{"query": "a", "relevant": ["setup.md"]}\n]\n\n',
        b"",
    ],
    ids=["no end", "CRLF", "blank lines", "byte order mark", "array", "array of lines", "empty"],
)
def test_what_is_in_a_set_stays_byte_for_byte(before: bytes) -> None:
    path = Path("set.jsonl")
    path.write_bytes(before)
    add("--relevant", "errors.md")
    kept = before.rstrip().removesuffix(b"]").rstrip()
    assert path.read_bytes().startswith(kept)
    texts = [query.text for query in read_eval_set(path).queries]
    assert texts == (["a", "low battery"] if before else ["low battery"])


@pytest.mark.parametrize(
    ("name", "before", "said"),
    [
        ("set.jsonl", b'{"query": "a", "relevnt": []}\n', 'unknown key "relevnt"'),
        ("set.jsonl", b'{"query": "a", "relevant": [], "of_version": 9}\n', 'unknown key "of_version"'),
        ("set.jsonl", b'{"query": "a"', "set.jsonl:1"),
        ("set.csv", b"query,relevant\na,setup.md\n", "is no JSON"),
        ("set.jsonl", b'{"query": "Low  BATTERY", "relevant": []}\n', "set.jsonl:1 has this query already"),
    ],
)
def test_a_set_that_cannot_be_added_to_stays_as_it_was(name: str, before: bytes, said: str) -> None:
    path = Path(name)
    path.write_bytes(before)
    assert said in fail("eval", "add", name, "--query", "low battery", "--relevant", "errors.md")
    assert path.read_bytes() == before


def test_a_packed_set_is_refused() -> None:
    import gzip

    data = gzip.compress(b'{"query": "a", "relevant": []}\n')
    Path("set.jsonl.gz").write_bytes(data)
    assert "is packed" in fail("eval", "add", "set.jsonl.gz", "--query", "b", "--relevant", "errors.md")
    assert Path("set.jsonl.gz").read_bytes() == data


def test_a_new_file_needs_a_telling_name_and_json_is_an_array() -> None:
    assert "let it end in .jsonl or .json" in fail("eval", "add", "set.csv", "--query", "a", "--nothing")
    assert "no such folder" in fail("eval", "add", "no/set.jsonl", "--query", "a", "--nothing")
    add("--nothing", path="set.json")
    assert isinstance(json.loads(Path("set.json").read_text(encoding="utf-8")), list)


def test_an_id_that_is_taken_is_refused() -> None:
    add("--relevant", "errors.md", "--id", "one")
    before = Path("set.jsonl").read_bytes()
    said = fail("eval", "add", "set.jsonl", "--query", "b", "--relevant", "errors.md", "--id", "one")
    assert 'the id "one" stands on line 1 already' in said
    assert Path("set.jsonl").read_bytes() == before


def test_labels_of_several_kinds_are_told_of() -> None:
    add("--relevant", "errors.md")
    assert "Note: the set labels both" in add("--relevant", "errors.md", "--quote", QUOTE, query="b")


def _add_many(path: Path, who: str) -> None:
    for n in range(20):
        append_query(path, EvalQuery(f"{who}-{n}", f"query {who} {n}", (Label("errors.md"),)))


@pytest.mark.parametrize("name", ["set.jsonl", "set.json"])
def test_two_that_add_at_once_lose_nothing(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    context = multiprocessing.get_context("spawn")
    adders = [context.Process(target=_add_many, args=(path, who)) for who in "ab"]
    for adder in adders:
        adder.start()
    for adder in adders:
        adder.join(60)
    assert [adder.exitcode for adder in adders] == [0, 0]
    assert {query.id for query in read_eval_set(path).queries} == {
        f"{who}-{n}" for who in "ab" for n in range(20)
    }
