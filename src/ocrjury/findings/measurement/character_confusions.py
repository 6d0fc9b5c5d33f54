"""Most frequent confusions of characters over a pool, counted batch by batch."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ocrjury.findings.pool_metrics import CharacterConfusion, Confusions, Edit
from ocrjury.report_choices import Examples
from ocrjury.text.confusion import Edit as Key
from ocrjury.text.confusion import edits_of
from ocrjury.text.options import TextOptions

MOST = 8
"""Confusions that are kept."""
LEAST_PAGES = 5
"""Pages from which a confusion is kept where texts are masked: a rare character of a name or an
address would tell whose document it is."""
AT_ONCE = 1000
"""Documents whose texts are prepared together, so that long ones do not fill the memory."""


class TextPair(NamedTuple):
    """The texts of one document, and what stands for its page."""

    reference: str | None
    hypothesis: str
    page: object


class ConfusionCounter:
    """Counts the edits of a pool; its memory grows with the kinds of edits, not with documents."""

    def __init__(self, options: TextOptions) -> None:
        self._options = options
        self._count: Counter[Key] = Counter()
        self._pages: defaultdict[Key, set[object]] = defaultdict(set)
        self._on_enough_pages: set[Key] = set()

    def add(self, pairs: Iterable[TextPair]) -> None:
        """Count the edits of some documents; one without a reference adds nothing."""
        known = [pair for pair in pairs if pair.reference is not None]
        for start in range(0, len(known), AT_ONCE):
            some = known[start : start + AT_ONCE]
            references = [pair.reference for pair in some if pair.reference is not None]
            hypotheses = [pair.hypothesis for pair in some]
            edits_of_all = edits_of(references, hypotheses, options=self._options)
            for pair, edits in zip(some, edits_of_all, strict=True):
                self._count.update(edits)
                self._note_page(edits, pair.page)

    def _note_page(self, edits: Iterable[Key], page: object) -> None:
        """Note a page of those edits that were seen on few."""
        for edit in edits:
            if edit not in self._on_enough_pages:
                pages = self._pages[edit]
                pages.add(page)
                if len(pages) == LEAST_PAGES:
                    self._on_enough_pages.add(edit)

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

    def _most_frequent(self, least: int) -> Sequence[Key]:
        seen = [key for key, pages in self._pages.items() if len(pages) >= least]
        return sorted(seen, key=lambda key: (-self._count[key], key))[:MOST]
