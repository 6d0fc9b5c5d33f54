"""Parts of a step that takes long, told one by one as they begin."""

from collections.abc import Iterable, Iterator
from typing import Protocol


class Tick(Protocol):
    """Notes how far a step is, 0 to 1, and in words."""

    def __call__(self, share: float, words: str, /) -> None:
        """Note it; this takes no time."""


def unwatched(_share: float, _words: str, /) -> None:
    """Note nothing: nobody looks at this step."""


class Parts:
    """Parts of a step, of a number that is known before.

    Examples
    --------
    >>> parts = Parts(lambda share, words: print(f"{share:.2f} {words}"), 3)
    >>> for name in parts.each(["accuracy", "layout"], "agreement on"):
    ...     pass
    0.00 part 1 of 3: agreement on accuracy
    0.33 part 2 of 3: agreement on layout
    >>> parts.begin("truths")
    0.67 part 3 of 3: truths
    """

    def __init__(self, tick: Tick, count: int) -> None:
        self._tick, self._count, self._begun = tick, count, 0

    def begin(self, words: str) -> None:
        """Tell that the next part begins."""
        share = self._begun / self._count
        self._begun += 1
        self._tick(share, f"part {self._begun} of {self._count}: {words}")

    def each(self, names: Iterable[str], words: str) -> Iterator[str]:
        """Yield names, each with a part of its own."""
        for name in names:
            self.begin(f"{words} {name}")
            yield name
