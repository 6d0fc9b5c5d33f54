"""The fields of a form that was posted to the desk."""

from typing import Annotated
from urllib.parse import parse_qs

from fastapi import Depends, Request

from ocrjury.frontends.web.desk.leads import DeskTrouble

Form = dict[str, list[str]]
MOST_FIELDS = 500


async def posted(request: Request) -> Form:
    """Return the fields of a posted form with all their values."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return parse_qs(body, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise DeskTrouble(413, "fields", "Too many fields.") from error


Fields = Annotated[Form, Depends(posted)]


def last_values(fields: Form) -> dict[str, str]:
    """Return the last value of every field."""
    return {name: values[-1] for name, values in fields.items()}
