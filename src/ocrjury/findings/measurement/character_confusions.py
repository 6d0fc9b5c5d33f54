"""Most frequent confusions of characters over a pool, counted batch by batch."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ocrjury.findings.pool_metrics import CharacterConfusion, Confusions, Edit
from ocrjury.text.confusion import edits_of
from ocrjury.text.options import TextOptions

Examples = Literal["shown", "masked", "off"]
MOST = 8
"""Confusions that are kept."""
LEAST_PAGES = 5
"""Pages from which a confusion is kept where texts are masked: a rare character of a name or an
address would tell whose document it is."""

_Key = tuple[str, str, str]


class TextPair(NamedTuple):
    """The texts of one document, and what stands for its page."""

    reference: str | None
    hypothesis: str
    page: object


class ConfusionCounter:
    """Counts the edits of a pool; its memory grows with the kinds of edits, not with documents."""

    def __init__(self, options: TextOptions) -> None:
        self._options = options
        self._count: Counter[_Key] = Counter()
        self._pages: dict[_Key, set[object]] = {}

    def add(self, pairs: Iterable[TextPair]) -> None:
        """Count the edits of some documents; one without a reference adds nothing."""
        for reference, hypothesis, page in pairs:
            if reference is None or reference == hypothesis:
                continue
            for edit in edits_of(reference, hypothesis, options=self._options):
                self._count[edit] += 1
                pages = self._pages.setdefault(edit, set())
                if len(pages) < LEAST_PAGES:
                    pages.add(page)

    def confusions(self, examples: Examples) -> Confusions:
        """Totals, and the most frequent confusions as far as the campaign shows texts."""
        edits: dict[Edit, int] = {"replace": 0, "insert": 0, "delete": 0}
        for (*_, edit), n in self._count.items():
            edits[edit] += n  # type: ignore[index]  # one of the three
        least = LEAST_PAGES if examples == "masked" else 1
        kept = [] if examples == "off" else self._most_frequent(least)
        return Confusions(
            edits=edits,
            distinct=len(self._count),
            pairs=tuple(
                CharacterConfusion(
                    reference=key[0],
                    hypothesis=key[1],
                    edit=key[2],  # type: ignore[arg-type]  # one of the three
                    n=self._count[key],
                    pages=len(self._pages[key]),
                )
                for key in kept
            ),
            least_pages=least,
        )

    def _most_frequent(self, least: int) -> Sequence[_Key]:
        seen = [key for key, pages in self._pages.items() if len(pages) >= least]
        return sorted(seen, key=lambda key: (-self._count[key], key))[:MOST]
