"""The desk for programs: evaluations, their agreement, decisions and links as JSON."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from ocrjury.frontends.web.access.leads import AtDesk, CheckedLead
from ocrjury.frontends.web.answers import REFUSALS
from ocrjury.frontends.web.bodies import RefusalBody
from ocrjury.frontends.web.desk.agreement_bodies import AgreementBody
from ocrjury.frontends.web.desk.agreement_view import agreement_view, stored_agreement
from ocrjury.frontends.web.desk.bodies import (
    DecisionBody,
    EvaluationBody,
    EvaluationDetail,
    LinkBody,
    LinkChanged,
    RaterProfileBody,
    RequestStored,
)
from ocrjury.frontends.web.desk.evaluation_view import detail, list_view, standing_of
from ocrjury.frontends.web.desk.items_bodies import DividedItemsBody
from ocrjury.frontends.web.desk.items_view import see_items
from ocrjury.frontends.web.desk.rater_view import rater_bodies, rater_profiles
from ocrjury.frontends.web.desk.remark_bodies import (
    ExcludeBody,
    ExclusionBody,
    ExclusionStored,
    RemarkAnswerBody,
    RemarkAnswered,
    RemarksBody,
    RemarkState,
)
from ocrjury.frontends.web.desk.remark_view import (
    answer_remark,
    exclude,
    list_excluded,
    see_remarks,
)
from ocrjury.frontends.web.desk.requests import ask_for, change_links
from ocrjury.frontends.web.desk.rubric_bodies import (
    CaseBody,
    RubricBody,
    RubricChanged,
    UndoCaseBody,
)
from ocrjury.frontends.web.desk.rubric_view import add_boundary_case, see_rubric, take_case_back

_REFUSALS: dict[int | str, dict[str, Any]] = REFUSALS | {
    401: {"model": RefusalBody, "description": "Nobody is signed in at the desk."},
    404: {"model": RefusalBody, "description": "There is no such evaluation."},
    409: {"model": RefusalBody, "description": "It does not fit where the evaluation stands."},
}
router = APIRouter(prefix="/api/evaluations", responses=_REFUSALS, tags=["desk"])


@router.get("")
def get_evaluations(lead: AtDesk) -> list[EvaluationBody]:
    """List every evaluation with its state, the newest first."""
    return list_view(lead).evaluations


@router.get("/{name}")
def get_evaluation(name: str, lead: AtDesk) -> EvaluationDetail:
    """Show rounds, raters, verdicts, possible decisions and reports of an evaluation."""
    return detail(lead, standing_of(lead, name))


@router.get("/{name}/agreement")
def get_agreement(name: str, lead: AtDesk) -> AgreementBody:
    """Show the agreement of the raters, as it was stored last; ``interim`` is no gate."""
    standing = standing_of(lead, name)
    return agreement_view(lead.site.store.engine, standing, lead.site.campaign(name))


@router.get("/{name}/items")
def get_items(
    name: str,
    lead: AtDesk,
    *,
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
    dimension: Annotated[str, Query(max_length=64)] = "",
) -> DividedItemsBody:
    """List the items on which raters lie farthest apart, twenty at a time."""
    evaluation = standing_of(lead, name).evaluation.evaluation
    return see_items(lead, evaluation, page=page, dimension=dimension)


@router.get("/{name}/raters")
def get_raters(name: str, lead: AtDesk) -> list[RaterProfileBody]:
    """Show the profile of each rater, as stored with the agreement, and their links."""
    evaluation = standing_of(lead, name).evaluation.evaluation
    engine = lead.site.store.engine
    stored, bodies = stored_agreement(engine, evaluation), rater_bodies(lead.site, evaluation)
    return rater_profiles(lead.site, evaluation, bodies, stored=stored)


@router.get("/{name}/remarks")
def get_remarks(
    name: str,
    lead: AtDesk,
    *,
    state: RemarkState = "open",
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
) -> RemarksBody:
    """List the flags and comments of raters on items, the newest first, twenty at a time."""
    evaluation = standing_of(lead, name).evaluation.evaluation
    return see_remarks(lead, evaluation, state=state, page=page)


@router.post("/{name}/remarks")
def post_answer(name: str, body: RemarkAnswerBody, lead: CheckedLead) -> RemarkAnswered:
    """Answer a remark; its rater reads the text at the next break, at the end and in the menu."""
    evaluation = standing_of(lead, name).evaluation.evaluation
    return RemarkAnswered(open=answer_remark(lead, evaluation, body))


@router.get("/{name}/exclusions")
def get_exclusions(name: str, lead: AtDesk) -> list[ExclusionBody]:
    """List the items that leads excluded, with the reasons."""
    return list_excluded(lead, standing_of(lead, name).evaluation.evaluation)


@router.post("/{name}/exclusions")
def post_exclusion(name: str, body: ExcludeBody, lead: CheckedLead) -> ExclusionStored:
    """Exclude an item from ratings, agreement and estimates, or take that back."""
    return ExclusionStored(rerun=exclude(lead, standing_of(lead, name), body))


@router.get("/{name}/rubric")
def get_rubric(name: str, lead: AtDesk) -> RubricBody:
    """Show the rubric that the next round takes, and its versions."""
    return see_rubric(lead, standing_of(lead, name).evaluation)


@router.post("/{name}/rubric/cases")
def post_case(name: str, body: CaseBody, lead: CheckedLead) -> RubricChanged:
    """Make an item a boundary case, in a new version of the rubric."""
    evaluation = standing_of(lead, name).evaluation.evaluation
    return RubricChanged(version=add_boundary_case(lead, evaluation, body))


@router.post("/{name}/rubric/undo")
def post_undo(name: str, body: UndoCaseBody, lead: CheckedLead) -> RubricChanged:
    """Take a boundary case back, in a further version of the rubric."""
    evaluation = standing_of(lead, name).evaluation.evaluation
    return RubricChanged(version=take_case_back(lead, evaluation, body))


@router.post("/{name}/decisions", status_code=202)
def post_decision(name: str, body: DecisionBody, lead: CheckedLead) -> RequestStored:
    """Ask for a decision to be taken; a flow does it, and the evaluation's `requests` tell."""
    return RequestStored(request=ask_for(lead, standing_of(lead, name), body))


@router.post("/{name}/links")
def post_link(name: str, body: LinkBody, lead: CheckedLead) -> LinkChanged:
    """Make, revoke or extend the personal links of a rater."""
    return change_links(lead, standing_of(lead, name), body)
