"""The public data sets as folders of documents and eval sets."""

import csv
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from rankle.core.evalset import EvalQuery, EvalSet, Label, Level


@dataclass(frozen=True, slots=True)
class PublicSet:
    """One data set, ready to be written as files and measured."""

    name: str
    documents: Mapping[str, str]
    """File name to text."""
    queries: tuple[EvalQuery, ...]

    def write(self, folder: Path) -> EvalSet:
        """Writes the documents as files and returns the eval set over them."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.documents.items():
            (folder / name).write_text(text, encoding="utf-8")
        return EvalSet(name=self.name, queries=self.queries)


def cranfield(data: Path) -> PublicSet:
    """1,400 abstracts. Queries count by position; rows of grade -1 are dropped, the rest are relevant."""
    folder = data / "cran"
    abstracts = {
        f"{number}.md": f"# {_joined(fields['T'])}\n\n" + "\n".join(fields["W"]) + "\n"
        for number, fields in _smart_records(folder / "cran.all.1400")
    }
    texts = [_joined(fields["W"]) for _number, fields in _smart_records(folder / "cran.qry")]
    relevant: dict[int, list[str]] = {}
    for line in (folder / "cranqrel").read_text(encoding="ascii").splitlines():
        query, document, grade = line.split()[:3]
        if grade != "-1":
            relevant.setdefault(int(query), []).append(f"{document}.md")
    queries = (_query(str(n), text, relevant.get(n, [])) for n, text in enumerate(texts, 1))
    return PublicSet("cranfield", abstracts, tuple(queries))


def scifact(data: Path, *, split: str = "test") -> PublicSet:
    """5,183 abstracts and the claims of one split."""
    folder = data / "scifact"
    csv.field_size_limit(10_000_000)
    with zipfile.ZipFile(folder / "docs_csv.zip") as archive:
        name = next(n for n in archive.namelist() if n.endswith("corpus_train.csv") and "__MACOSX" not in n)
        with archive.open(name) as raw:
            rows = list(csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8")))
    documents = {
        f"{row['doc_id']}.md": f"# {row['title']}\n\n{_numpy_sentences(row['abstract'])}\n" for row in rows
    }
    texts = {}
    for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        texts[row["query_id"]] = row["text"]
    relevant: dict[str, list[str]] = {}
    for row in _tsv(folder / "qrels" / f"{split}.tsv"):
        if int(row["score"]) > 0:
            relevant.setdefault(row["query-id"], []).append(f"{row['corpus-id']}.md")
    queries = (_query(query, texts[query], names) for query, names in relevant.items())
    return PublicSet(f"scifact-{split}", documents, tuple(queries))


def squad(path: Path, *, name: str) -> PublicSet:
    """Paragraphs and their questions, in the format of SQuAD."""
    documents: dict[str, str] = {}
    queries: list[EvalQuery] = []
    for article in _json(path)["data"]:
        for paragraph in article["paragraphs"]:
            file = f"p{len(documents):05d}.txt"
            documents[file] = paragraph["context"]
            queries += [_query(str(qa["id"]), qa["question"], [file]) for qa in paragraph["qas"]]
    return PublicSet(name, documents, tuple(queries))


def docs_qa(data: Path) -> PublicSet:
    """232 chunks of a product's documentation, 100 questions; some chunks share a link and so a file name."""
    documents: dict[str, str] = {}
    names: dict[str, str] = {}
    for number, chunk in enumerate(_json(data / "docs_qa" / "anthropic_docs.json.gz")):
        link = chunk["chunk_link"]
        names[link] = f"{number:03d}.md"
        documents[names[link]] = f"# {chunk['chunk_heading']}\n\n{chunk['text']}\n"
    rows = _json(data / "docs_qa" / "docs_evaluation_dataset.json")
    queries = (
        _query(row["id"], row["question"], [names.get(link, link) for link in row["correct_chunks"]])
        for row in rows
    )
    return PublicSet("docs_qa", documents, tuple(queries))


def code_qa(data: Path) -> PublicSet:
    """737 chunks of Rust, Go and other code as files, 248 questions; chunks go by (document, index)."""
    documents: dict[str, str] = {}
    names: dict[tuple[str, int], str] = {}
    for number, source in enumerate(_json(data / "code_qa" / "codebase_chunks.json.gz")):
        for chunk in source["chunks"]:
            file = f"d{number:02d}c{chunk['original_index']:03d}.txt"
            names[source["original_uuid"], chunk["original_index"]] = file
            documents[file] = chunk["content"]
    lines = gzip.decompress((data / "code_qa" / "evaluation_set.jsonl.gz").read_bytes()).splitlines()
    queries = (
        _query(str(n), row["query"], [names[uuid, index] for uuid, index in row["golden_chunk_uuids"]])
        for n, row in enumerate(map(json.loads, lines), 1)
    )
    return PublicSet("code_qa", documents, tuple(queries))


XQUAD_LANGUAGES: Final = ("en", "de", "es", "zh", "ar", "th")


def xquad(data: Path, *, language: str) -> PublicSet:
    """240 paragraphs and 1,190 questions of one language; ids and file names are those of every language."""
    return squad(data / "xquad" / f"xquad.{language}.json", name=f"xquad-{language}")


SETS: Final[Mapping[str, Callable[[Path], PublicSet]]] = {
    "cranfield": cranfield,
    "scifact-test": scifact,
    "jsquad": lambda data: squad(data / "jsquad" / "valid-v1.3.json", name="jsquad"),
    "drcd": lambda data: squad(data / "drcd" / "DRCD_dev.json.gz", name="drcd"),
    "korquad": lambda data: squad(data / "korquad" / "KorQuAD_v1.0_dev.json.gz", name="korquad"),
    "docs_qa": docs_qa,
    "code_qa": code_qa,
    **{f"xquad-{language}": partial(xquad, language=language) for language in XQUAD_LANGUAGES},
}


def _query(name: str, text: str, relevant: list[str]) -> EvalQuery:
    labels = tuple(Label(name=target, level=Level.DOCUMENT, grade=1) for target in dict.fromkeys(relevant))
    return EvalQuery(id=name, text=text, labels=labels)


def _smart_records(path: Path) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Records of the SMART format: `.I number`, then fields `.T`, `.W`, ... of any number of lines."""
    for record in re.split(r"^\.I +", path.read_text(encoding="ascii"), flags=re.MULTILINE)[1:]:
        number, *lines = record.splitlines()
        fields: dict[str, list[str]] = {"T": [], "W": []}
        current: list[str] = []
        for line in lines:
            if re.fullmatch(r"\.[A-Z]\s*", line):
                current = fields.setdefault(line[1], [])
            else:
                current.append(line)
        yield number.strip(), fields


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def _numpy_sentences(printed: str) -> str:
    """A list of sentences as numpy prints it: quoted, separated by white space without commas."""
    found = re.findall(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", printed)
    return " ".join((single or double).replace("\\'", "'").replace("\\n", " ") for single, double in found)


def _json(path: Path) -> Any:
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def _tsv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))
