"""Render a template by name."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeVar

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined, pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

from ocrjury.estimate import reason_words
from ocrjury.gate.reading import short_in_unit
from ocrjury.grades import common_word
from ocrjury.language import filled, language, said, tr, translation, trn
from ocrjury.metrics import metric
from ocrjury.pages import numbers
from ocrjury.pages.action_words import action_texts
from ocrjury.pages.compiled_templates import compiled_templates
from ocrjury.pages.document_text import anchor, cut, harmless, mask, visible
from ocrjury.pages.geometry import axis, line_width
from ocrjury.pages.statistic_numbers import in_unit
from ocrjury.rounding import given
from ocrjury.statistics import grade, statistic

WORD_JOINER = "\u2060"
ADDRESS = re.compile(r":(?=//)|www(?=\.)|@", re.IGNORECASE)
"""Places where Markdown would link a bare address; an invisible joiner there stops it."""

_TYPED = re.compile(r"(?<!\w)&#39;.{,200}?&#39;(?!\w)|&#39;|(?<![\w-])-(?=\d)")
"""A quoted value, an apostrophe, or the sign of a number, in escaped text.

With a longest value, an opening quote that nobody closes costs no look at all of the rest.
"""
_TYPOGRAPHY = {"&#39;": "’", "-": "−"}

Kind = TypeVar("Kind", bound=Environment)


@cache
def environment() -> Environment:
    """Environment of our own templates."""
    made = equipped(Environment, packaged())
    made.bytecode_cache = compiled_templates()
    return made


def packaged() -> PackageLoader:
    """Loader of our own templates."""
    return PackageLoader("ocrjury", "templates")


def equipped(kind: type[Kind], loader: BaseLoader) -> Kind:
    """Environment: always escaping, never silent about a missing name.

    Only plain text (emails), in which ``&`` is not markup, turns escaping off, in the template.
    """
    made = kind(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printed,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= _filters()
    made.globals |= _names()
    return made


def render(template: str, **context: object) -> str:
    """Text of a template."""
    return environment().get_template(template).render(context)


def _filters() -> dict[str, Callable[..., object]]:
    """Filters of the templates."""
    return {
        "decimal": numbers.decimal,
        "signed": numbers.signed,
        "in_unit": in_unit,
        "short_in_unit": short_in_unit,
        "percent": numbers.percent,
        "count": numbers.count,
        "short": numbers.short,
        "given": given,
        "value": numbers.value_text,
        "interval": numbers.interval_text,
        "estimate": numbers.estimate_text,
        "reason": reason_words,
        "short_hash": numbers.short_hash,
        "long_date": numbers.long_date,
        "long_moment": numbers.long_moment,
        "visible": _saying(visible),
        "cut": _saying(cut),
        "mask": _saying(mask),
        "anchor": anchor,
        "cell": _saying(markdown_cell),
        "typeset": _saying(typeset),
        "line_width": line_width,
    }


def _names() -> dict[str, Callable[..., object]]:
    """Functions that templates call by name."""
    return {
        "action_texts": action_texts,
        "capital": numbers.capital,
        "paragraph": _of_markup(numbers.paragraph),
        "blank": numbers.blank,
        "series": _of_markup(numbers.series),
        "axis": axis,
        "grade": grade,
        "common_word": common_word,
        "statistic": statistic,
        "metric": metric,
        "plural": numbers.plural,
        "listing": _of_markup(numbers.listing),
        "language": language,
        "tr": _tr,
        "trn": _trn,
        "has_interval": numbers.has_interval,
        "isnan": math.isnan,
    }


@pass_eval_context
def _tr(context: EvalContext, pattern: str, /, **values: object) -> str:
    """`ocrjury.language.tr` for templates: sentence and values are escaped unless markup."""
    if not context.autoescape:
        return tr(pattern, **values)
    return _markup(translation(pattern, pattern), values)


@pass_eval_context
def _trn(  # noqa: PLR0917  # Jinja adds the first
    context: EvalContext, one: str, many: str, number: float, /, **values: object
) -> str:
    """`ocrjury.language.trn` for templates."""
    if not context.autoescape:
        return trn(one, many, number, **values)
    pattern = translation((one, many), one if number == 1 else many)
    return _markup(pattern, {"n": numbers.count(number), **values})


def _of_markup(join: Callable[..., str]) -> Callable[..., str]:
    """A function that joins texts, for templates: beside markup, other texts are escaped."""

    def joined(texts: Iterable[object], *options: str) -> str:
        given = list(texts)
        if not any(isinstance(text, Markup) for text in given):
            return join(given, *options)
        safe = [_escaped(text) for text in given]
        return Markup(join(safe, *options))  # noqa: S704  # escaped

    return joined


def _markup(pattern: str, values: Mapping[str, object]) -> Markup:
    safe = {name: _escaped(value) for name, value in values.items()}
    return Markup(filled(str(escape(pattern)), safe))  # noqa: S704  # escaped


def _printed(value: object) -> object:
    """Printed form of a value; markup, which most values are, was checked before."""
    return value if isinstance(value, Markup) else harmless(said(value))


def _escaped(value: object) -> object:
    return escape(harmless(said(value))) if isinstance(value, str) else value


def _saying(function: Callable[..., str]) -> Callable[..., str]:
    """A filter of texts that says phrases first."""
    return lambda text, *options, **named: function(said(text), *options, **named)


def typeset(text: str) -> Markup:
    """Text in which ``A^HH`` and ``A^HA`` have their superscripts, and symbols keep their values.

    Apostrophes are curved, and numbers below 0 have a minus; what is quoted stays as it is.

    Examples
    --------
    >>> print(typeset("A^HH < 1, R03's severity is -0.4"))
    A<sup>HH</sup> &lt; 1, R03’s severity is −0.4
    >>> print(Markup(typeset("no page 'p -4' for Fleiss' kappa")).unescape())
    no page 'p -4' for Fleiss’ kappa
    """
    plain = re.sub(r"A\^(H[HA])", r"A<sup>\1</sup>", str(escape(harmless(text))))
    plain = _TYPED.sub(lambda typed: _TYPOGRAPHY.get(typed[0], typed[0]), plain)
    plain = re.sub(r"(?<=[ακρ|≥≤]) (?=[\d≥≤−])", "\N{NO-BREAK SPACE}", plain)
    return Markup(plain)  # noqa: S704  # escaped


def markdown_cell(value: object) -> Markup:
    r"""Text that stays inside one cell of a Markdown table, and of which nothing becomes a link.

    Examples
    --------
    >>> print(markdown_cell("a|b\n<i>*c*"))
    a\|b &lt;i&gt;\*c\*
    """
    text = str(escape(" ".join(visible(str(value)).replace("⏎", " ").split())))
    text = ADDRESS.sub(lambda sign: sign[0] + WORD_JOINER, text)
    for sign in "\\|*_`[]":
        text = text.replace(sign, f"\\{sign}")
    return Markup(text)  # noqa: S704  # escaped above
