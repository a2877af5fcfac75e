"""Baselines: what is kept of a run to hold later ones against, and the file that is committed."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from rankle.core.errors import InputError, MeasureError
from rankle.core.gate import Baseline, BaselineQuery
from rankle.core.newer_file import newer_file_words
from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.formats.output import as_input_error, replace_file
from rankle.gates.floors import SAME
from rankle.gates.words import figure
from rankle.metrics.measure import parse_measure
from rankle.records.fingerprints import judgments_fingerprint, queries_fingerprint


def baseline_of(run: RunReport, *, name: str) -> Baseline:
    """The scores of a run and the fingerprints that say what they are comparable with."""
    return Baseline(
        name=name,
        run=run.id,
        created=run.created,
        rankle_version=run.rankle_version,
        set=run.set,
        queries_fingerprint=queries_fingerprint(run),
        judgments_fingerprint=judgments_fingerprint(run),
        level=run.level,
        depth=run.depth,
        ties=run.ties,
        system=run.system,
        n_failed=sum(query.status == "failed" for query in run.queries),
        measures=run.measures,
        queries=[BaselineQuery(id=query.id, scores=query.scores) for query in run.queries],
    )


def render_baseline(baseline: Baseline) -> str:
    """JSON with a line for each query, so that a change of the file can be read in a diff."""
    head = msgspec.structs.replace(baseline, queries=[])
    text = msgspec.json.format(msgspec.json.encode(head), indent=2).decode()
    lines = ",\n".join(f"    {msgspec.json.encode(query).decode()}" for query in baseline.queries)
    before, empty, after = text.rpartition('"queries": []')
    return f'{before}"queries": [\n{lines}\n  ]{after}\n' if empty and lines else f"{text}\n"


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write the file, with its folder; whole or not at all. Raises InputError where it cannot be written."""
    with as_input_error(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, render_baseline(baseline).encode())


def read_baseline(path: Path) -> Baseline:
    """Raises InputError on a file that is no baseline, MeasureError on one with unknown measures."""
    try:
        baseline = msgspec.json.decode(path.read_bytes(), type=Baseline)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        command = f"{NAME} baseline set RUN {path.stem}"
        if newer := newer_file_words(error, kinds=("baseline",)):
            raise InputError(f"{path} {newer}; or set it anew: {command}") from error
        raise InputError(f"{path} is no baseline ({error}). Set it anew: {command}") from error
    for name in baseline.measures if baseline.level != "case" else ():
        try:
            parse_measure(name)
        except MeasureError as error:
            words = str(error).removesuffix(".")
            stop = "" if words.endswith("?") else "."
            raise MeasureError(
                f"{path}: {words}{stop} It was edited, or set by a newer version; set it anew: "
                f"{NAME} baseline set RUN {baseline.name}"
            ) from error
    return baseline


def worse_than(run: RunReport, baseline: Baseline, measures: Sequence[str]) -> list[str]:
    """The measures whose mean is lower in the run than in the baseline: `nDCG@10 from 0.801 to 0.713`."""
    pairs = [(name, baseline.measures.get(name), run.measures.get(name)) for name in measures]
    return [
        f"{name} from {figure(before.mean)} to {figure(now.mean, beside=before.mean)}"
        for name, before, now in pairs
        if before is not None and now is not None and before.mean is not None and now.mean is not None
        if now.mean < before.mean - SAME
    ]
