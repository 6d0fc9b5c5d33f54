"""Changes of the guide since a rater rated last, shown before the first item of a round.

A round keeps its rubric, so that nothing changes between two of its sessions.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ocrjury.campaign.guideline import CaseGuide, guideline
from ocrjury.frontends.web.access.guests import Guest
from ocrjury.store.database import Connection
from ocrjury.store.rubric_counts import rubric_known_last
from ocrjury.store.rubric_versions import list_rubric_versions


class RubricNews(NamedTuple):
    """Boundary cases that a rater does not know yet, and known ones that were taken back.

    `version` names the rubric in the address by which the rater goes on, `titles` dimensions.
    """

    version: str
    titles: Mapping[str | None, str]
    added: Sequence[CaseGuide]
    taken_back: Sequence[CaseGuide]


def version_word(guest: Guest) -> str:
    """Short name of the rubric of the open round."""
    return guest.campaign.rubric.rubric_hash[:12]


def rubric_news(
    connection: Connection, guest: Guest, dimensions: Sequence[str]
) -> RubricNews | None:
    """Changes on the `dimensions` of a round since the rater's newest rating; None without any."""
    rubric = guest.campaign.rubric
    known = rubric_known_last(connection, guest.link.evaluation, guest.who)
    if known in {None, rubric.rubric_hash}:
        return None
    versions = list_rubric_versions(connection, guest.link.evaluation)
    former = next((row.rubric for row in versions if row.rubric_hash == known), None)
    if former is None:
        return None
    before = guideline(former, dimensions, language=guest.language).cases
    after = guideline(rubric, dimensions, language=guest.language)
    added = [case for case in after.cases if case not in before]
    taken_back = [case for case in before if case not in after.cases]
    if not (added or taken_back):
        return None
    titles: dict[str | None, str] = {about.name: about.title for about in after.dimensions}
    return RubricNews(version_word(guest), titles, added, taken_back)
