"""Division of counts where the empty case is 0."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def share(
    part: "NDArray[np.int64] | NDArray[np.float64]", whole: "NDArray[np.int64] | NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """`part / whole` in float64, element by element; 0 where the whole is 0."""
    import numpy as np

    out = np.zeros(len(whole), dtype=np.float64)
    return np.divide(part, whole, out=out, where=whole > 0)
