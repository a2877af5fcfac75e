from typing import Any

import pytest

from rankle.core.run import SystemInfo
from rankle.reports.system_changes import system_changes


def system(method: str = "hybrid", fingerprint: str = "0", **settings: Any) -> SystemInfo:
    return SystemInfo(name="kb:default", method=method, fingerprint=fingerprint, stages=[], settings=settings)


@pytest.mark.parametrize(
    ("a", "b", "changes"),
    [
        (system("fts5"), system("hybrid", fusion={"k": 60}), ["method fts5 → hybrid"]),
        (
            system(fusion={"kind": "rrf", "weight": 0.5}, collapse=False),
            system(fusion={"kind": "rrf", "weight": 0.8}, collapse=True),
            ["fusion.weight 0.5 → 0.8", "collapse no → yes"],
        ),
        (system(per_document=None), system(per_document=2), ["per_document none → 2"]),
        (system(), system(floor=0.5), ["floor none → 0.5"]),
        (system(floor=0.25, k=1), system(k=2), ["floor 0.25 → none", "k 1 → 2"]),
        (system(), system(), ["nothing: both runs are of the same system"]),
        (
            system(),
            system(fingerprint="1"),
            ["what is indexed, the model, or something else that the system does not tell"],
        ),
    ],
    ids=["method", "settings", "none", "a floor", "no floor", "nothing", "untold"],
)
def test_what_differs_is_told(a: SystemInfo, b: SystemInfo, changes: list[str]) -> None:
    assert system_changes(a, b) == changes
