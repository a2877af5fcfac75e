"""Charts of scores as SVG, drawn from figures alone: no library, no script, colours by class of the page."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup, escape

from rankle.reports.signed import signed

_WIDTH: Final = 480
_HEIGHT: Final = 200
_LEFT: Final = 56
_RIGHT: Final = 8
_TOP: Final = 10
_BOTTOM: Final = 28
_N_COLOURS: Final = 6
_SAME: Final = 1e-9
"""Scores within it differ by rounding only."""


def colour_class(place: int) -> str:
    """The class that gives the run at a place its colour and dashes; after six they begin again."""
    return f"c{place % _N_COLOURS}"


def profile_chart(scores: Sequence[Sequence[float]], *, label: str) -> Markup:
    """Each run's scores, best query first, as a falling line over all its queries.

    scores: of each run, its scored queries. label: what the chart shows, for those who do not see it.
    """
    top = max([1.0, *(value for run in scores for value in run)])
    parts = [_axis(0, "0", top), _axis(top / 2, f"{top / 2:g}", top), _axis(top, f"{top:g}", top)]
    for place, values in enumerate(scores):
        if values:
            path = _steps(sorted(values, reverse=True), top)
            if len(scores) == 1:
                area = f"{path}V{_y(0, top):.1f}H{_LEFT}Z"
                parts.append(Markup('<path class="area c0" d="{}"/>').format(area))
            parts.append(Markup('<path class="line {}" d="{}"/>').format(colour_class(place), path))
    parts += [_x_label(_LEFT, "start", "best query"), _x_label(_WIDTH - _RIGHT, "end", "worst query")]
    return _svg(parts, label)


def difference_chart(differences: Sequence[float], *, label: str) -> Markup:
    """A bar a query, largest gain first, losses below the line. Empty where there is no query."""
    if not differences:
        return Markup("")
    ordered = sorted(differences, reverse=True)
    top = max(0.1, *(abs(value) for value in ordered))
    parts = [_axis(value, signed(value), top, low=-top) for value in (top, 0.0, -top)]
    for name, wanted in (("gain", 1), ("loss", -1)):
        bars = [
            _bar(place, value, len(ordered), top)
            for place, value in enumerate(ordered)
            if value * wanted > _SAME
        ]
        parts.append(Markup('<path class="{}" d="{}"/>').format(name, "".join(bars)))
    parts += [_x_label(_LEFT, "start", "gains most"), _x_label(_WIDTH - _RIGHT, "end", "loses most")]
    return _svg(parts, label)


def interval_bar(mean: float | None, low: float | None, high: float | None) -> Markup:
    """A mean in [0, 1] as a bar, its interval as a line over it; the figures stand beside it in words."""
    if mean is None:
        return Markup("")
    bar = Markup('<rect class="mean" x="0" y="3" height="6" width="{:.1f}"/>').format(100 * min(mean, 1.0))
    whisker = Markup("")
    if low is not None and high is not None:
        whisker = Markup('<path class="whisker" d="M{0:.1f} 6H{1:.1f}M{0:.1f} 2V10M{1:.1f} 2V10"/>').format(
            100 * low, 100 * min(high, 1.0)
        )
    return Markup(
        '<svg class="interval" viewBox="-1 0 102 12" aria-hidden="true">'
        '<rect class="track" x="0" y="3" height="6" width="100"/>{}{}</svg>'
    ).format(bar, whisker)


def share_bar(share: float, *, place: int = 0) -> Markup:
    """A share in [0, 1] as a bar in the colour of a run."""
    return Markup(
        '<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="fill {}" height="8" width="{:.1f}"/></svg>'
    ).format(colour_class(place), 100 * share)


def _svg(parts: Sequence[Markup], label: str) -> Markup:
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        _WIDTH, _HEIGHT, escape(label), Markup("").join(parts)
    )


def _axis(value: float, text: str, top: float, *, low: float = 0.0) -> Markup:
    y = _y(value, top, low=low)
    return Markup(
        '<path class="grid" d="M{} {:.1f}H{}"/><text x="{}" y="{:.1f}" text-anchor="end">{}</text>'
    ).format(_LEFT, y, _WIDTH - _RIGHT, _LEFT - 5, y + 4, text)


def _x_label(x: float, anchor: str, text: str) -> Markup:
    return Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(x, _HEIGHT - 8, anchor, text)


def _steps(values: Sequence[float], top: float) -> str:
    """A line that is level over the width of each query; equal neighbours share one level."""
    n, parts, last = len(values), "", None
    for place, value in enumerate(values):
        if value != last:
            x = _x(place, n)
            parts += f"M{x:.1f} {_y(value, top):.1f}" if last is None else f"H{x:.1f}V{_y(value, top):.1f}"
            last = value
    return f"{parts}H{_x(n, n):.1f}"


def _bar(place: int, value: float, n: int, top: float) -> str:
    left, right = _x(place, n), _x(place + 1, n)
    gap = min(0.5, (right - left) / 8)
    zero, end = _y(0, top, low=-top), _y(value, top, low=-top)
    return f"M{left + gap:.2f} {zero:.1f}V{end:.1f}H{right - gap:.2f}V{zero:.1f}Z"


def _x(place: float, n: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * place / n


def _y(value: float, top: float, *, low: float = 0.0) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (top - value) / (top - low)
