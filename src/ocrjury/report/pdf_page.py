"""A page as WeasyPrint lays it out at least cost: what is long or one of a kind stands apart."""

import re
from base64 import b64decode
from collections.abc import Sequence
from typing import NamedTuple

_CROP = re.compile(rb'(?<=<img class="crop" src=")data:image/jpeg;base64,([^"]*)')
_SPOKEN = re.compile(r'(<(?!html)[a-z][^<>]*?) lang="([A-Za-z-]+)"')


class ShortenedPage(NamedTuple):
    """A page with short addresses (``crop:0``) in place of its crops, and these."""

    html: str
    crops: Sequence[bytes] = ()

    @classmethod
    def of(cls, body: bytes) -> "ShortenedPage":
        """Page of an HTML file; crops are most of its length, and nobody parses them.

        Examples
        --------
        >>> ShortenedPage.of(b'<img class="crop" src="data:image/jpeg;base64,SlBFRw==" alt="A">')
        ShortenedPage(html='<img class="crop" src="crop:0" alt="A">', crops=[b'JPEG'])
        """
        crops: list[bytes] = []

        def address(match: re.Match[bytes]) -> bytes:
            crops.append(b64decode(match[1]))
            return b"crop:%d" % (len(crops) - 1)

        body = _CROP.sub(address, body)
        return cls(share_styles(body.decode()), crops)


def share_styles(html: str) -> str:
    """Page in which elements of one language share their styles.

    WeasyPrint keeps one style for all elements that the same rules match. To it, an attribute
    ``lang`` is a rule that matches one element, so that this and all within it share with none.

    Examples
    --------
    >>> print(share_styles('<head></head><p lang="ko">문서</p>'))
    <head><style>[data-lang="ko"] { -weasy-lang: "ko" }</style></head><p data-lang="ko">문서</p>
    """
    html = _SPOKEN.sub(r'\1 data-lang="\2"', html)
    tongues = sorted(set(re.findall(r' data-lang="([A-Za-z-]+)"', html)))
    rules = "".join(f'[data-lang="{tongue}"] {{ -weasy-lang: "{tongue}" }}' for tongue in tongues)
    return html.replace("</head>", f"<style>{rules}</style></head>", 1) if rules else html
