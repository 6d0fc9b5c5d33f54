"""What the keys of ``campaign.yaml`` may hold: counts, shares, words, addresses, schedules."""

import codecs
import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ocrjury.campaign.cron import cron_problem
from ocrjury.campaign.problems import shown


class Section(BaseModel):
    """Part of a campaign: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def _encoding(name: str) -> str:
    """Name of an encoding that Python knows."""
    try:
        codecs.lookup(name)
    except LookupError as error:
        raise PydanticCustomError("encoding", "unknown encoding") from error
    return name


def _address(text: str) -> str:
    """E-mail address that a mail header can hold."""
    if not re.fullmatch(r"[^@\s,;<>\"]+@[^@\s,;<>\"]+", text):
        raise PydanticCustomError("address", "not an e-mail address")
    return text


def _cron(text: str) -> str:
    """Schedule of five fields."""
    if why := cron_problem(text):
        raise PydanticCustomError(
            "rule",
            "{message}",
            {"message": f"{shown(text)} is no schedule: {why}. Every Monday at six: '0 6 * * 1'."},
        )
    return text


Encoding = Annotated[str, AfterValidator(_encoding)]
Address = Annotated[str, AfterValidator(_address)]
# YAML and JSON have lists; a frozen section keeps tuples.
Addresses = Annotated[tuple[Address, ...], Field(strict=False)]
Cron = Annotated[str, AfterValidator(_cron)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
PositiveShare = Annotated[float, Field(gt=0, le=1)]
Word = Annotated[str, Field(min_length=1)]
Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
JudgeName = Annotated[str, Field(pattern=r"^\w[\w .-]{0,29}$")]
Columns = Annotated[dict[str, Word], Field(min_length=1)]

A_COUNT, A_POSITIVE = "a whole number of at least 0", "a whole number of at least 1"
A_SHARE = "a number from 0 to 1"
