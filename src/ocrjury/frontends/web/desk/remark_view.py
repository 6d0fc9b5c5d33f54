"""Remarks of raters as the desk shows them, and the answers of leads."""

from collections.abc import Container, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlencode

from ocrjury.campaign.limits import LONGEST_CASE
from ocrjury.errors import RefusedError, StateError
from ocrjury.frontends.web.access.leads import Lead
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.item_images import image_states
from ocrjury.frontends.web.desk.live_pages import look
from ocrjury.frontends.web.desk.remark_bodies import (
    AnswerBody,
    ExcludeBody,
    ExclusionBody,
    RemarkAnswerBody,
    RemarkBody,
    RemarksBody,
    RemarkState,
)
from ocrjury.frontends.web.desk.rubric_view import decided_items
from ocrjury.frontends.web.desk.wording import FLAGS
from ocrjury.language import said, tr
from ocrjury.pages.numbers import series
from ocrjury.store.comments import with_letter
from ocrjury.store.database import reading, writing
from ocrjury.store.documents import list_gold
from ocrjury.store.exclusions import Exclusion, NewExclusion, decide_exclusion, excluded_items
from ocrjury.store.histories import Standing
from ocrjury.store.inbox import Remark, add_answer, count_open_remarks, find_remark, list_remarks
from ocrjury.store.item_ratings import list_texts

PER_PAGE: Final = 20


def see_remarks(lead: Lead, name: str, *, state: RemarkState, page: int) -> RemarksBody:
    """Page of the remarks of an evaluation; who looked at them is noted."""
    with reading(lead.site.store.engine) as connection:
        remarks = list_remarks(connection, name)
        excluded = excluded_items(connection, name)
    look(lead, "view remarks", evaluation=name)
    shown = [known for known in remarks if state == "all" or known.settled == (state == "answered")]
    pages = max(-(-len(shown) // PER_PAGE), 1)
    number = min(page, pages)
    first = (number - 1) * PER_PAGE
    some = shown[first : first + PER_PAGE]
    names = [remark.item for remark in some]
    states = image_states(lead, name, names)
    cases = _cases(lead, name, names)
    pictured = {item for item, state in states.items() if state != "gone"}
    return RemarksBody(
        open=sum(not remark.settled for remark in remarks),
        total=len(shown),
        page=number,
        pages=pages,
        remarks=[
            SeenRemark(
                **dict(_body(name, remark, pictured=pictured, exclusion=excluded.get(remark.item))),
                case=cases.get(remark.item),
            )
            for remark in some
        ],
    )


class ItemCase(NamedTuple):
    """Texts of an item that may become a boundary case; `version` is that in which it is one."""

    reference: str
    hypothesis: str
    version: int | None


class SeenRemark(RemarkBody):
    """A remark for the page; `case` is None where the item can be no boundary case."""

    case: ItemCase | None

    @property
    def quote(self) -> str:
        """The comment with the letter of its output."""
        return with_letter(self.letter, self.comment)

    def reasons(self, titles: Mapping[str, str]) -> list[str]:
        """Reasons without a rating, each with the titles of its dimensions unless it is of all."""
        sentences = []
        for flag in dict.fromkeys(self.flags.values()):
            word = said(FLAGS.get(flag, flag))
            named = [titles.get(name, name) for name, own in self.flags.items() if own == flag]
            of_all = len(named) == len(titles)
            words = {"reason": word, "dimensions": series(named)}
            sentences.append(word if of_all else tr("{reason}: {dimensions}", **words))
        return sentences


def _cases(lead: Lead, name: str, names: Sequence[str]) -> dict[str, ItemCase]:
    """Items that can be boundary cases: those without a known rating, while texts are there."""
    engine = lead.site.store.engine
    known = {row.item for row in list_gold(engine, name)}
    decided = decided_items(lead, name)
    with reading(engine) as connection:
        texts = list_texts(connection, name, names)
    return {
        text.item: ItemCase(
            (text.reference or "")[:LONGEST_CASE],
            text.hypothesis[:LONGEST_CASE],
            decided.get(text.item),
        )
        for text in texts
        if text.purged_at is None and text.item not in known
    }


def answer_remark(lead: Lead, name: str, body: RemarkAnswerBody) -> int:
    """Keep an answer, and return how many remarks are still open.

    `Trouble` if there is no such remark, or an answer says nothing.
    """
    text = body.text.strip() if body.kind == "answer" else ""
    if body.kind == "answer" and not text:
        raise Trouble(422, "shape", tr("Write what the rater should read."))
    with writing(lead.site.store.engine) as connection:
        if find_remark(connection, name, body.assignment) is None:
            raise Trouble(404, "unknown", tr("There is no such remark."))
        add_answer(
            connection,
            body.assignment,
            kind=body.kind,
            body=text,
            actor=lead.who,
            now=lead.site.now(),
        )
        note(connection, lead, f"{body.kind} remark", target=body.assignment)
        return count_open_remarks(connection, [name]).get(name, 0)


def _body(
    name: str, remark: Remark, *, pictured: Container[str], exclusion: Exclusion | None
) -> RemarkBody:
    """Remark for the page and for programs."""
    where = f"/desk/{name}/image?{urlencode({'item': remark.item})}"
    return RemarkBody(
        assignment=remark.assignment,
        item=remark.item,
        doc_type=remark.doc_type,
        kind=remark.kind,
        field=remark.field,
        round=remark.round,
        round_kind=remark.round_kind,
        rater=remark.rater,
        known=remark.purpose != "sample",
        flags=dict(remark.flags),
        flag=remark.flag,
        comment=remark.comment,
        letter=remark.letter,
        at=remark.at,
        open=not remark.settled,
        answers=[
            AnswerBody(kind=answer.kind, text=answer.body, actor=answer.actor, at=answer.at)
            for answer in remark.answers
        ],
        exclusion=None if exclusion is None else exclusion_body(exclusion),
        image=where if remark.item in pictured else None,
    )


def exclusion_body(row: Exclusion) -> ExclusionBody:
    """Exclusion for the page and for programs."""
    return ExclusionBody(
        item=row.item,
        category=row.category,
        reason=row.reason,
        after_verdict=row.after_verdict,
        actor=row.actor,
        at=row.at,
    )


def list_excluded(lead: Lead, name: str) -> list[ExclusionBody]:
    """Exclusions in force."""
    return [exclusion_body(row) for row in excluded_items(lead.site.store.engine, name).values()]


def exclude(lead: Lead, standing: Standing, body: ExcludeBody) -> bool:
    """Exclude an item or take it back; return whether the gate is asked to judge again.

    `Trouble` if the evaluation or the item does not take that now.
    """
    new = NewExclusion(body.item, body.excluded, body.category, body.reason, lead.who)
    site = lead.site
    try:
        with writing(site.store.engine) as connection:
            rerun = decide_exclusion(
                connection, standing, new, address=lead.address, now=site.now()
            )
    except (RefusedError, StateError) as error:
        raise Trouble(409, "refused", error.args[0]) from error
    site.announce()
    return rerun
