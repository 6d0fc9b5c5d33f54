"""Numbers as people read them: true minus, thousands, intervals, and reasons in words."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Literal

from ocrjury.estimate import Estimate, reason_words
from ocrjury.language import LOCALES, counted, language, said, tr
from ocrjury.rounding import MINUS, fixed, given, rounded, to_places
from ocrjury.statistics import statistic

DASH = "–"
NOTHING = "—"


def decimal(number: float | None, places: int = 2) -> str:
    """A number with a fixed count of decimals, a dash where there is none.

    Examples
    --------
    >>> decimal(-0.356), decimal(-0.001), decimal(float("nan"))
    ('−0.36', '0.00', '—')
    """
    if number is None or not math.isfinite(number):
        return NOTHING
    return fixed(number, places)


def signed(number: float | None, places: int = 2) -> str:
    """A difference with its sign; zero has none.

    Examples
    --------
    >>> signed(0.25), signed(-0.25), signed(0.001)
    ('+0.25', '−0.25', '0.00')
    """
    text = decimal(number, places)
    positive = number is not None and math.isfinite(number) and number > 0
    return f"+{text}" if positive and float(text) != 0 else text


def percent(share: float | None, places: int = 1) -> str:
    """A share as percent.

    Examples
    --------
    >>> percent(0.0364), percent(1, 0), percent(115 / 400), percent(None)
    ('3.6%', '100%', '28.8%', '—')
    """
    if share is None or not math.isfinite(share):
        return NOTHING
    return f"{decimal(100 * share, places)}%"


def count(number: float | None) -> str:
    """A whole number with thousands set apart.

    Examples
    --------
    >>> count(6240), count(0)
    ('6,240', '0')
    """
    if number is None or not math.isfinite(number):
        return NOTHING
    return f"{to_places(number, 0):,}".replace("-", MINUS)


def short(number: float) -> str:
    """A rating as people give it: no more than one decimal from 10 on, two below.

    Examples
    --------
    >>> short(4.0), short(61.9565), short(-2.77818), short(100.0)
    ('4', '62', '−2.78', '100')
    """
    return given(rounded(number, 1 if abs(number) >= 10 else 2))


def plural(number: int, one: str, many: str | None = None) -> str:
    """A count with its noun.

    Examples
    --------
    >>> plural(1, "item"), plural(1200, "item"), plural(2, "entry", "entries")
    ('1 item', '1,200 items', '2 entries')
    """
    return str(said(counted(number, one, many)))


def listing(words: Sequence[str], joiner: Literal["and", "or"] = "and") -> str:
    """Words as a list in a sentence.

    Examples
    --------
    >>> listing(["a", "b", "c"]), listing(["a"]), listing([])
    ('a, b and c', 'a', '')
    """
    shown = [said(word) for word in words]
    if len(shown) < 2:
        return "".join(shown)
    first, last = series(shown[:-1]), shown[-1]
    if joiner == "or":
        return tr("{first} or {last}", first=first, last=last)
    return tr("{first} and {last}", first=first, last=last)


def series(words: Iterable[str]) -> str:
    """Words with commas between them.

    Examples
    --------
    >>> series(["a", "b", "c"])
    'a, b, c'
    """
    return tr(", ").join(said(word) for word in words)


def clauses(words: Iterable[str]) -> str:
    """Parts of a sentence with semicolons between them.

    Examples
    --------
    >>> clauses(["a", "b, c"])
    'a; b, c'
    """
    return tr("; ").join(said(word) for word in words)


def paragraph(sentences: Iterable[str]) -> str:
    """Whole sentences one after the other; Chinese sets no blank between them.

    Examples
    --------
    >>> paragraph(["One.", "", "Two."])
    'One. Two.'
    """
    return blank().join(said(text) for text in sentences if text)


def blank() -> str:
    """Separator of two sentences: a blank, nothing in Chinese."""
    return "" if language() == "zh" else " "


def capital(text: str) -> str:
    """A sentence with a capital at its start, which Korean and Chinese do not have.

    Examples
    --------
    >>> capital("cloud is better.")
    'Cloud is better.'
    """
    shown = str(said(text))
    return f"{shown[:1].upper()}{shown[1:]}" if language() == "en" else shown


def value_text(estimate: Estimate, *, share: bool = False, places: int | None = None) -> str:
    """An estimate's value, or in words why there is none.

    Examples
    --------
    >>> value_text(Estimate(0.8153)), value_text(Estimate(0.5), share=True)
    ('0.82', '50.0%')
    >>> value_text(Estimate(float("nan"), reason="no_variation"))
    'undefined: all ratings are equal'
    """
    if not estimate.defined:
        return tr("undefined: {reason}", reason=reason_words(estimate.reason))
    if share:
        return percent(estimate.value, 1 if places is None else places)
    return decimal(estimate.value, 2 if places is None else places)


def has_interval(estimate: Estimate) -> bool:
    """Return whether both ends of the interval are known."""
    return math.isfinite(estimate.low) and math.isfinite(estimate.high)


def within(estimate: Estimate, low: float, high: float) -> Estimate:
    """An estimate whose interval ends where its statistic ends.

    A symmetric interval may reach beyond what is possible; nobody should read that. The value
    stays as it is, and inside the interval.

    Examples
    --------
    >>> interval_text(within(Estimate(0.9, -5.853, 1.2), 0, 1))
    '0.00 to 1.00'
    """
    if not has_interval(estimate):
        return estimate
    return replace(
        estimate,
        low=min(max(estimate.low, low), estimate.value),
        high=max(min(estimate.high, high), estimate.value),
    )


def bounded(key: str, estimate: Estimate) -> Estimate:
    """Estimate of a statistic with its interval cut where the statistic ends.

    Examples
    --------
    >>> wide = Estimate(0.5, -5.853, 1.4)
    >>> bounded("percent_agreement", wide).low, bounded("krippendorff_alpha", wide).low
    (0, -1)
    """
    row = statistic(key)
    return within(estimate, row.low, row.high)


def interval_text(estimate: Estimate, *, share: bool = False, places: int | None = None) -> str:
    """Interval of an estimate, or why it has none; a share lies between 0 and 1.

    Examples
    --------
    >>> interval_text(Estimate(3.76, 3.68, 3.84))
    '3.68 to 3.84'
    >>> interval_text(Estimate(0.2, 0.1, 0.3), share=True)
    '10.0% to 30.0%'
    >>> interval_text(Estimate(3.8, reason="fewer_than_two_raters"))
    'no interval: fewer than two raters'
    """
    if not has_interval(estimate):
        if not estimate.reason:
            return tr("no interval")
        return tr("no interval: {reason}", reason=reason_words(estimate.reason))
    if share:
        shown = within(estimate, 0, 1)
        ends = (percent(end, 1 if places is None else places) for end in (shown.low, shown.high))
        return range_text(*ends)
    places = 2 if places is None else places
    return range_text(decimal(estimate.low, places), decimal(estimate.high, places))


def range_text(low: str, high: str) -> str:
    """Two ends of a range.

    Examples
    --------
    >>> range_text("3.68", "3.84")
    '3.68 to 3.84'
    """
    return tr("{low} to {high}", low=low, high=high)


def estimate_text(estimate: Estimate, *, share: bool = False, places: int | None = None) -> str:
    """Value and interval in one phrase.

    Examples
    --------
    >>> estimate_text(Estimate(3.76, 3.68, 3.84))
    '3.76 (3.68 to 3.84)'
    """
    if not estimate.defined:
        return value_text(estimate)
    value = value_text(estimate, share=share, places=places)
    interval = interval_text(estimate, share=share, places=places)
    return tr("{value} ({range})", value=value, range=interval)


def short_hash(digest: str | None) -> str:
    """First twelve characters of a hash, a dash where there is none."""
    return digest.removeprefix("sha256:")[:12] if digest else NOTHING


def long_date(moment: date) -> str:
    """A date in words, in the language of the moment.

    Examples
    --------
    >>> long_date(datetime(2026, 11, 20))
    '20 November 2026'
    """
    from babel.dates import format_date  # noqa: PLC0415  # most commands print no date

    return format_date(moment, "long", locale=LOCALES[language()])


def long_moment(moment: datetime) -> str:
    """An aware date and time to the minute, with its time zone.

    Examples
    --------
    >>> from datetime import UTC
    >>> long_moment(datetime(2026, 11, 20, 11, 33, 27, 123456, tzinfo=UTC))
    '20 November 2026, 11:33 UTC'
    """
    time = f"{moment:%H:%M %Z}".rstrip()
    return tr("{date}, {time}", date=long_date(moment), time=time)
