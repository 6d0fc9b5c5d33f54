"""Content of a draft: answers that were chosen and not handed in yet."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict


class Judgement(BaseModel):
    """Answers about an item, or about all outputs of a page.

    Attributes
    ----------
    values, flags
        Chosen levels, and why there is none, by dimension; of several outputs, the name begins
        with the output's letter.
    flag
        Why the item as a whole cannot be judged.
    told
        Dimensions on which the rater was told that a field rule allows less.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    values: Mapping[str, float] = {}
    flags: Mapping[str, str] = {}
    flag: str | None = None
    comment: str = ""
    confidence: float | None = None
    told: tuple[str, ...] = ()

    def without_text(self) -> "Judgement":
        """Answers without the comment beside them."""
        return self.model_copy(update={"comment": ""})


class Draft(Judgement):
    """A draft; `first` is an adjudicator's own judgement, which no rating page sends again."""

    first: Judgement | None = None

    def without_text(self) -> "Draft":
        """Answers without the comments beside them."""
        first = None if self.first is None else self.first.without_text()
        return self.model_copy(update={"comment": "", "first": first})
