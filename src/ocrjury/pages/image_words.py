"""Sentences on page images that raters saw changed since the draw, or not at all."""

from collections.abc import Sequence

from ocrjury.language import tr, trn
from ocrjury.pages.numbers import listing
from ocrjury.store.shown_images import ChangedImages

_NAMED = 5


def image_texts(images: ChangedImages) -> list[str]:
    """A sentence on other images and one on those that were not there, as far as there are any."""
    texts = []
    if images.other:
        texts.append(
            trn(
                "{n} item was shown with a page image that had changed since the draw: {names}.",
                "{n} items were shown with page images that had changed since the draw: {names}.",
                len(images.other),
                names=_few(images.other),
            )
        )
    if images.none:
        texts.append(
            trn(
                "The page image of {n} item was gone or unreadable when raters were to see it: "
                "{names}.",
                "The page images of {n} items were gone or unreadable when raters were to see "
                "them: {names}.",
                len(images.none),
                names=_few(images.none),
            )
        )
    return texts


def _few(names: Sequence[str]) -> str:
    """The first few names, and how many others there are."""
    rest = [tr("{n} more", n=len(names) - _NAMED)] if len(names) > _NAMED else []
    return listing([*names[:_NAMED], *rest])
