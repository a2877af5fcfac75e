"""Intervals, tests and the distributions they need, over arrays. Touches no file, clock or environment.

The public names of `rankle.stats`. Each is imported when it is first used.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rankle.stats.agreement import Agreement as Agreement
    from rankle.stats.agreement import cohen_kappa as cohen_kappa
    from rankle.stats.agreement import krippendorff_alpha as krippendorff_alpha
    from rankle.stats.corrections import holm as holm
    from rankle.stats.intervals import Interval as Interval
    from rankle.stats.intervals import mean_interval as mean_interval
    from rankle.stats.intervals import t_interval as t_interval
    from rankle.stats.intervals import wilson_interval as wilson_interval
    from rankle.stats.paired import PairedTest as PairedTest
    from rankle.stats.paired import paired_test as paired_test
    from rankle.stats.paired import paired_tests as paired_tests
    from rankle.stats.power_analysis import Power as Power
    from rankle.stats.power_analysis import difference_variance as difference_variance
    from rankle.stats.power_analysis import power as power
    from rankle.stats.power_analysis import queries_needed as queries_needed
    from rankle.stats.power_analysis import smallest_detectable as smallest_detectable
    from rankle.stats.rank_overlap import rank_biased_overlap as rank_biased_overlap
    from rankle.stats.slices import SliceTest as SliceTest
    from rankle.stats.slices import paired_slices as paired_slices
    from rankle.stats.trials import TrialVariance as TrialVariance
    from rankle.stats.trials import case_means as case_means
    from rankle.stats.trials import split_variance as split_variance
    from rankle.stats.tukey import TukeyPair as TukeyPair
    from rankle.stats.tukey import TukeyTest as TukeyTest
    from rankle.stats.tukey import tukey_hsd as tukey_hsd
    from rankle.stats.tukey import tukey_tests as tukey_tests

PUBLIC: Final = {
    "Agreement": "agreement",
    "Interval": "intervals",
    "PairedTest": "paired",
    "Power": "power_analysis",
    "SliceTest": "slices",
    "TrialVariance": "trials",
    "TukeyPair": "tukey",
    "TukeyTest": "tukey",
    "case_means": "trials",
    "cohen_kappa": "agreement",
    "difference_variance": "power_analysis",
    "holm": "corrections",
    "krippendorff_alpha": "agreement",
    "mean_interval": "intervals",
    "paired_slices": "slices",
    "paired_test": "paired",
    "paired_tests": "paired",
    "power": "power_analysis",
    "queries_needed": "power_analysis",
    "rank_biased_overlap": "rank_overlap",
    "smallest_detectable": "power_analysis",
    "split_variance": "trials",
    "t_interval": "intervals",
    "tukey_hsd": "tukey",
    "tukey_tests": "tukey",
    "wilson_interval": "intervals",
}
"""Public name to the module that has it; the one list, tested against the documentation."""


def __getattr__(name: str) -> Any:
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{PUBLIC[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(PUBLIC)
