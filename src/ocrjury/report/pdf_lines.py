"""Lines of text that WeasyPrint has measured.

WeasyPrint shapes a text anew whenever it asks how wide it is: for the least and the most width of
a table's column, and for each attempt to lay out a page.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from weasyprint.layout import inline, preferred
from weasyprint.svg.text import Style as ChartStyle
from weasyprint.text import line_break
from weasyprint.text.ffi import ffi, gobject, pango

Line = tuple[Any, int, int | None, float, float, float]
ffi.cdef("PangoLayout* pango_layout_copy(PangoLayout* layout);", override=True)
LONGEST = 200
"""Characters of a text that is remembered; longer ones rarely come again."""
_WRAPPED = ("normal", "pre-wrap", "pre-line")
_CHART_FONT = ("font_family", "font_style", "font_weight", "font_size", "direction")
_FONT = (
    *_CHART_FONT,
    "font_stretch",
    "font_kerning",
    "font_feature_settings",
    "font_variation_settings",
    "font_language_override",
    "font_variant_alternates",
    "font_variant_caps",
    "font_variant_east_asian",
    "font_variant_ligatures",
    "font_variant_numeric",
    "font_variant_position",
    "hyphenate_character",
    "hyphenate_limit_chars",
    "hyphenate_limit_zone",
    "hyphens",
    "lang",
    "letter_spacing",
    "line_height",
    "overflow_wrap",
    "tab_size",
    "text_decoration_line",
    "white_space",
    "word_break",
    "word_spacing",
)
"""All that WeasyPrint asks a style about when it shapes and breaks a text."""


class MeasuredLines:
    """``split_first_line`` of WeasyPrint, which remembers its results."""

    def __init__(self, split: Callable[..., Line]) -> None:
        self.split = split
        self.fonts: dict[int, tuple[str, Any]] = {}
        self.whole: dict[Hashable, Line] = {}
        self.broken: dict[Hashable, Line] = {}

    def __call__(  # noqa: PLR0917  # as WeasyPrint calls it
        self,
        text: str,
        style: Any,
        context: Any,
        max_width: float | None,
        justification_spacing: float,
        is_line_start: bool = True,  # noqa: FBT001, FBT002
        minimum: bool = False,  # noqa: FBT001, FBT002
    ) -> Line:
        """First line of a text, as WeasyPrint breaks it."""
        rest = (max_width, justification_spacing, is_line_start, minimum)
        if max_width == 0 and (shorter := first_word(text, style)):
            line = self(shorter, style, context, *rest)
            if line[2] is not None:
                return line
        if len(text) > LONGEST:
            return self.split(text, style, context, *rest)
        key = (text, self.font(style), justification_spacing)
        limit = max_width if style["white_space"] in _WRAPPED else None
        width = self.whole.get(key)
        # A text that fits is the same line however much room there is.
        if width is None or (limit is not None and width[3] > limit):
            width = self.broken.get((key, limit, is_line_start, minimum))
        if width is not None:
            return _with_room(width, max_width)
        line = self.split(text, style, context, *rest)
        if line[2] is None and (limit is None or line[3] <= limit):
            self.whole[key] = line
        else:
            self.broken[key, limit, is_line_start, minimum] = line
        return line

    def font(self, style: Any) -> Hashable:
        """Cache key of the lines of one look; charts make a new style for each text."""
        if isinstance(style, ChartStyle):
            font = (style[name] for name in _CHART_FONT)
            return (id(style.font_config), *(tuple(v) if isinstance(v, list) else v for v in font))
        # A style is kept with its font: its id stands for it.
        if id(style) not in self.fonts:
            self.fonts[id(style)] = (str([style[name] for name in _FONT]), style)
        return self.fonts[id(style)][0]


def copy_layouts(
    setup: Callable[[Any, Any], None], font: Callable[[Any], Hashable]
) -> Callable[[Any, Any], None]:
    """``Layout.setup`` of WeasyPrint that copies what it has set up for a font.

    A layout asks for a context, a language, a description of its font, features and metrics: those
    of the layout before, in nearly every case.
    """
    known: dict[Hashable, Mapping[str, Any]] = {}

    def set_up(layout: Any, style: Any) -> None:
        key = id(style.font_config), font(style)
        if key not in known:
            first = object.__new__(line_break.Layout)
            setup(first, style)
            known[key] = vars(first)
        own = vars(layout)
        own.update(known[key])
        own["layout"] = ffi.gc(
            pango.pango_layout_copy(known[key]["layout"]), gobject.g_object_unref
        )
        own["style"] = style

    return set_up


class Struts:
    """``_font_style_cache_key`` of WeasyPrint, asked by each line, which remembers its results."""

    def __init__(self, key: Callable[..., str]) -> None:
        self.key = key
        self.known: dict[tuple[int, bool], tuple[str, Any]] = {}

    def __call__(self, style: Any, include_size: bool = False) -> str:  # noqa: FBT001, FBT002
        """Cache key of the height of a line."""
        key_ = id(style), include_size
        if key_ not in self.known:
            self.known[key_] = self.key(style, include_size), style
        return self.known[key_][0]


def first_word(text: str, style: Any) -> str:
    """First word of a text, for a place without room: with a space and the next character.

    Empty if that is the whole text, or if lines do not end at spaces. Columns are as wide as the
    longest words of their cells: without this, what is left of a cell is measured for each word.

    Examples
    --------
    >>> first_word("some words", {"white_space": "normal", "font_size": 9})
    'some w'
    >>> first_word("words", {"white_space": "normal", "font_size": 9})
    ''
    """
    end = text.find(" ") + 2
    shorter = 2 < end < len(text) and style["white_space"] in _WRAPPED and style["font_size"] > 0
    return text[:end] if shorter else ""


def _with_room(line: Line, max_width: float | None) -> Line:
    """A line with a layout of its own, which whoever draws it may change."""
    layout = object.__new__(type(line[0]))
    vars(layout).update(vars(line[0]))
    layout.max_width = max_width
    return layout, *line[1:]


def remember_lines() -> Callable[[Any], Hashable]:
    """Let WeasyPrint measure each line once in this process; return what tells looks apart."""
    measured = MeasuredLines(line_break.split_first_line)
    for module in (line_break, inline, preferred):
        module.split_first_line = measured
    line_break.Layout.setup = copy_layouts(line_break.Layout.setup, measured.font)
    line_break._font_style_cache_key = Struts(line_break._font_style_cache_key)  # noqa: SLF001
    return measured.font
