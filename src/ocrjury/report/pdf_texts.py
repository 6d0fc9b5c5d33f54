"""Texts that a page has drawn before: labels, names and numbers come again and again.

WeasyPrint shapes a text to measure it, and anew each time it draws it, glyph after glyph. What it
then writes depends on the text and its look alone, but for the place.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from weasyprint.draw import text as drawing
from weasyprint.text.line_break import Layout

Calls = Sequence[tuple[str, tuple[Any, ...]]]
_SHOWING = {"set_font_size", "set_text_rise", "show_text"}
"""Methods of a stream that show a text."""
_ASKED = {"add_font", "ink_rect", "logical_rect", "set_text_matrix"}
"""Other methods called on a stream, with effects that another text of this look shares."""


class ListeningStream:
    """A stream that notes what it is told about a text."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.whole = True

    def __getattr__(self, name: str) -> Any:
        """Attribute of the stream."""
        real = getattr(self.stream, name)
        if name not in _SHOWING:
            self.whole = self.whole and name in _ASKED
            return real

        def call(*given: Any) -> None:
            self.calls.append((name, given))
            real(*given)

        return call


class DrawnTexts:
    """``draw_first_line`` of WeasyPrint, which says again what it said of the same text."""

    def __init__(
        self,
        draw: Callable[..., list[Any]],
        *,
        activate: Callable[[Any, Any], None],
        look: Callable[[Any], Hashable],
    ) -> None:
        self.draw, self.activate, self.look = draw, activate, look
        self.fonts: object = None
        self.known: dict[Hashable, Calls] = {}

    def __call__(  # noqa: PLR0917  # as WeasyPrint calls it
        self, stream: Any, textbox: Any, text_overflow: str, block_ellipsis: str, matrix: Any
    ) -> list[Any]:
        """Draw a text; return its emojis."""
        layout, style = textbox.pango_layout, textbox.style
        fonts = getattr(stream, "_fonts", None)  # of one PDF: they have to know each glyph
        if fonts is not self.fonts:
            self.fonts, self.known = fonts, {}
        key = layout.text, self.look(style), layout.justification_spacing
        plain = (text_overflow, block_ellipsis) in {("clip", "none"), ("none", "none")}
        if plain and key in self.known:
            stream.set_text_matrix(*matrix.values)
            for name, given in self.known[key]:
                getattr(stream, name)(*given)
            return []
        self.activate(layout, style)
        listening = ListeningStream(stream)
        emojis = self.draw(listening, textbox, text_overflow, block_ellipsis, matrix)
        if plain and fonts is not None and listening.whole and listening.calls and not emojis:
            self.known[key] = listening.calls
        return emojis


def activate_later(layout: Any, style: Any) -> None:
    """``Layout.reactivate`` of WeasyPrint, put off until a text is drawn that was not before."""
    layout.layout = layout.language = None
    layout.style = style


def remember_texts(look: Callable[[Any], Hashable]) -> None:
    """Let WeasyPrint shape each text for drawing once in this process.

    Parameters
    ----------
    look
        What texts of one look have in common, of a style.
    """
    drawing.draw_first_line = DrawnTexts(
        drawing.draw_first_line, activate=Layout.reactivate, look=look
    )
    Layout.reactivate = activate_later
