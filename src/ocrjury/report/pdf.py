"""HTML to PDF in a child process, so that a bad page cannot take its parent down."""

import json
import logging
import re
import signal
import subprocess
import sys
from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from ocrjury.errors import MissingDependencyError, MissingFontError, OcrjuryError
from ocrjury.report.pdf_letters import letters_of, warning_of
from ocrjury.whole_files import write_whole

Variant = Literal["pdf/ua-1", "pdf/a-3a"]
NOTHING: Mapping[str, bytes] = MappingProxyType({})
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_INSTALL = (
    "WeasyPrint needs Pango and fonts. On Debian: apt-get install libpango-1.0-0 "
    "libpangoft2-1.0-0 libharfbuzz-subset0 fonts-noto-cjk; `ocrjury doctor` checks them. "
    "HTML needs neither."
)
JOINER = "\u2060"
_TAG = re.compile(r"(<style.*?</style>|<title.*?</title>|<[^>]*>)", re.DOTALL)
_KEPT = re.compile(
    r"(?<=[\uac00-\ud7a3])(?=[\uac00-\ud7a3])"
    r"|(?:(?<=\d)|(?<=\d ))(?=[\uac00-\ud7a3\u4e00-\u9fff])"
    r"|(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff]{1,2}[。）]?\s*\Z)"
)
"""Places without a line break: in a Korean word, before a counter, in a Chinese line's end."""
_MISSING_GLYPH, _NO_FONT = "MissingGlyph: ", "PANGO_IS_FONT"
_ABSENT = ("cannot load library", "No module named 'weasyprint'")
logger = logging.getLogger(__name__)


def write_pdf(
    html: str,
    path: str | Path,
    *,
    variant: Variant = "pdf/ua-1",
    attachments: Mapping[str, bytes] = NOTHING,
    dated: datetime = EPOCH,
    timeout: float = 120,
) -> None:
    """Write an HTML page as a tagged PDF; the same page gives the same bytes.

    Parameters
    ----------
    html
        A page that needs nothing beside it; only ``data:`` addresses and the packaged templates
        (``pkg:``) are answered, anything else fails.
    path
        Where the PDF goes, in an existing folder. The file appears whole or not at all.
    variant
        Declared standard: accessible (``pdf/ua-1``) or archival (``pdf/a-3a``); both are tagged.
    attachments
        Files to embed, by name.
    dated
        When the attachments were made, as the PDF says; the clock would change its bytes.
    timeout
        Seconds after which the child is killed.

    Raises
    ------
    MissingDependencyError
        If Pango, WeasyPrint or a font for the text is absent; the sentence says what to install.
    OcrjuryError
        If the page cannot be rendered; nothing is written.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise OcrjuryError(f"no PDF was written: the folder {path.parent} does not exist.")
    # Through a pipe: the folder for temporary files would keep texts after a kill.
    order = _order(keep_words(html), variant, attachments=attachments, dated=dated)
    body = _run_child(order, timeout=timeout, target=path)
    write_whole(path, body)


def print_pdf(html: str, *, timeout: float = 120) -> bytes:
    """Print an HTML page as a tagged PDF that no file keeps; errors are those of `write_pdf`."""
    order = _order(keep_words(html), "pdf/ua-1", attachments=NOTHING, dated=EPOCH)
    return _run_child(order, timeout=timeout, target="memory")


def keep_words(html: str) -> str:
    """A page in which lines do not end within a Korean word, and no character stands alone.

    WeasyPrint ignores ``word-break: keep-all`` and ``text-wrap: pretty``, and breaks between any
    two syllables. A word joiner (U+2060) between them forbids that, and so between a number and
    what it counts, and among the last three characters of a Chinese text; it is invisible, takes
    no room, and is not found by who copies or searches text of the PDF.

    Examples
    --------
    >>> keep_words('<p title="한글">한글 문서</p>').count(JOINER)
    2
    """
    parts = _TAG.split(html)
    parts[::2] = [_KEPT.sub(JOINER, text) for text in parts[::2]]
    return "".join(parts)


def _order(
    html: str, variant: Variant, *, attachments: Mapping[str, bytes], dated: datetime
) -> bytes:
    """Order to the child: a line of JSON, then the page."""
    files = {name: b64encode(body).decode() for name, body in attachments.items()}
    utc = dated.astimezone(UTC).isoformat()
    header = json.dumps({"variant": variant, "dated": utc, "attachments": files})
    return f"{header}\n{html}".encode("utf-8", "replace")


def _run_child(order: bytes, *, timeout: float, target: Path | str) -> bytes:
    """PDF that a child process renders; raise with its last words if it fails."""
    try:
        child = subprocess.run(
            [sys.executable, "-m", "ocrjury.report.pdf_child"],
            input=order,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise OcrjuryError(
            f"no PDF was written to {target}: it took over {timeout:g} s."
        ) from error
    complaint = child.stderr.decode("utf-8", "replace").strip()
    if child.returncode == 0:
        if points := letters_of(complaint):
            logger.warning("%s: %s", target, warning_of(points))
        return child.stdout
    if any(sign in complaint for sign in _ABSENT):
        raise MissingDependencyError(f"no PDF was written to {target}. {_INSTALL}")
    last = complaint.splitlines()[-1] if complaint else _signal_name(child.returncode)
    if last.startswith(_MISSING_GLYPH) or _NO_FONT in complaint:
        lack = (
            "there is no font at all"
            if _NO_FONT in complaint
            else last.removeprefix(_MISSING_GLYPH)
        )
        raise MissingFontError(f"no PDF was written to {target}: {lack}. {_INSTALL}", lack=lack)
    raise OcrjuryError(f"no PDF was written to {target}: {last[-500:]}")


def _signal_name(code: int) -> str:
    """Cause of the end of a child that gave no error."""
    if code < 0:
        return f"the child was ended by {signal.Signals(-code).name} (time or memory limit)"
    return f"the child ended with code {code}"
