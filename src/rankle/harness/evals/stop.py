"""How a run of evals is told to end early."""

from collections.abc import Callable


class Stop:
    """Asked once, a run finishes what is in flight; asked again, it ends now. May be called from any thread,
    and from a handler of signals."""

    def __init__(self) -> None:
        self._is_finishing = False
        self._is_now = False
        self._on_change: list[Callable[[], None]] = []

    @property
    def is_finishing(self) -> bool:
        """Whether no further trial is to begin."""
        return self._is_finishing

    @property
    def is_now(self) -> bool:
        """Whether what is in flight is to be given up too."""
        return self._is_now

    def finish_what_is_in_flight(self) -> None:
        """Begin no further trial."""
        self._is_finishing = True
        self._tell()

    def now(self) -> None:
        """Begin no further trial, and give up those in flight."""
        self._is_finishing = self._is_now = True
        self._tell()

    def ask(self) -> None:
        """What Ctrl-C means: finish what is in flight, and the second time end now."""
        if self._is_finishing:
            self.now()
        else:
            self.finish_what_is_in_flight()

    def on_change(self, call: Callable[[], None]) -> None:
        """Call this whenever more is asked; at once where something was asked already."""
        self._on_change.append(call)
        if self._is_finishing:
            call()

    def _tell(self) -> None:
        for call in tuple(self._on_change):
            call()
