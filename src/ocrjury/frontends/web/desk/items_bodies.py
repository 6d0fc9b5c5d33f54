"""Items that divide raters, as the desk answers with them."""

from pydantic import BaseModel

from ocrjury.frontends.web.desk.agreement_bodies import AgreementSource


class DividedRating(BaseModel):
    """Rating of an item by one rater on a dimension."""

    rater: str
    dimension: str
    value: float


class DividedItemBody(BaseModel):
    """An item on which raters lie apart: how far by dimension, its texts and all its ratings.

    The texts are empty after they were removed.
    """

    place: int
    item: str
    doc_type: str | None
    field: str | None
    kind: str | None
    reference: str | None
    hypothesis: str
    apart: dict[str, float]
    ratings: list[DividedRating]


class DividedItemsBody(BaseModel):
    """One page of the items that divide raters, the widest first."""

    source: AgreementSource
    total: int
    page: int
    pages: int
    items: list[DividedItemBody]
