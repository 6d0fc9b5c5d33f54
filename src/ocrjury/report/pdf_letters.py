"""Letters that no font has: code points in their place, and who is told."""

import re
from collections.abc import Collection

PLACE = "methods-letters"
"""Address of the hidden paragraph of a page whose attributes say how to tell it of letters."""
_HIDDEN = re.compile(rf'(<p [^>]*id="{PLACE}") hidden data-one="([^"]*)" data-many="([^"]*)">')
_LINE = "No glyph: "
_MOST = 40


def with_code_points(html: str, letters: Collection[str]) -> str:
    """Page with code points in place of letters, which says of how many.

    Examples
    --------
    >>> with_code_points('<p id="methods-letters" hidden data-one="{example}" '
    ...                  'data-many="{n}, such as {example}"></p>ก', ["ก"])
    '<p id="methods-letters">‹U+0E01›</p>‹U+0E01›'
    """

    def shown(match: re.Match[str]) -> str:
        pattern = match[2] if len(letters) == 1 else match[3]
        sentence = pattern.replace("{n}", str(len(letters))).replace("{example}", min(letters))
        return f"{match[1]}>{sentence}"

    points = {ord(letter): f"‹{_point(letter)}›" for letter in letters}
    return _HIDDEN.sub(shown, html).translate(points)


def letters_line(letters: Collection[str]) -> str:
    """Line that a child process says of letters: their code points, and nothing around them."""
    return _LINE + " ".join(map(_point, sorted(letters)))


def letters_of(output: str) -> list[str]:
    """Code points in the output of a child process.

    Examples
    --------
    >>> letters_of(letters_line(["ก", "ข"]))
    ['U+0E01', 'U+0E02']
    """
    lines = [line for line in output.splitlines() if line.startswith(_LINE)]
    return lines[-1].removeprefix(_LINE).split() if lines else []


def warning_of(points: Collection[str]) -> str:
    """Sentence for the log."""
    listed = " ".join(list(points)[:_MOST]) + (" …" if len(points) > _MOST else "")
    return f"no font has {len(points)} of the characters; the PDF prints code points: {listed}"


def _point(letter: str) -> str:
    return f"U+{ord(letter):04X}"
