"""Fields that a page posted."""

from typing import Annotated
from urllib.parse import parse_qs

from fastapi import Depends, Request

from ocrjury.frontends.web.access.doors import door_of
from ocrjury.frontends.web.answers import Trouble
from ocrjury.language import tr


async def _posted(request: Request) -> dict[str, list[str]]:
    """Fields of a posted form with all their values."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return parse_qs(body, keep_blank_values=True, max_num_fields=door_of(request).most_fields)
    except ValueError as error:
        raise Trouble(413, "fields", tr("Too many fields.")) from error


Lists = Annotated[dict[str, list[str]], Depends(_posted)]


async def _last_values(lists: Lists) -> dict[str, str]:
    """Fields of a posted form, each with its last value."""
    return last_values(lists)


Fields = Annotated[dict[str, str], Depends(_last_values)]


def last_values(lists: dict[str, list[str]]) -> dict[str, str]:
    """Fields with several values, each with its last one."""
    return {name: values[-1] for name, values in lists.items()}
