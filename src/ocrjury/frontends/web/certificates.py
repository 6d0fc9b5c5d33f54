"""Certificates of training: a rater downloads their own, a lead that of any rater who passed."""

from threading import Lock
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response

from ocrjury.campaign.settings import real_now
from ocrjury.errors import InputError, OcrjuryError
from ocrjury.evaluation.certificates import Training, certificate, read_training
from ocrjury.frontends.web.access.guests import Visitor
from ocrjury.frontends.web.access.leads import OnPage
from ocrjury.frontends.web.access.people import Person, note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.evaluation_view import standing_of
from ocrjury.frontends.web.rendering import attached_as
from ocrjury.language import said, speaking, tr
from ocrjury.store.database import writing

_PRINTING: Final = Lock()
router = APIRouter(include_in_schema=False)


@router.get("/certificate")
def download_own(visitor: Visitor) -> Response:
    """Send a rater's own certificate, with the name if the evaluation knows it."""
    with speaking(visitor.language):
        training = _training(visitor, visitor.link.evaluation, visitor.who)
        issuer = said(training.campaign.report.owner.of("raters"))
        return _printed(visitor, training, issuer=issuer, named=True)


@router.get("/desk/{name}/certificates/{rater}")
def download_for_lead(name: str, rater: str, lead: OnPage) -> Response:
    """Send the certificate of a rater, by the pseudonym."""
    evaluation = standing_of(lead, name).evaluation.evaluation
    training = _training(lead, evaluation, rater)
    return _printed(lead, training, issuer=lead.who, named=False)


def _training(person: Person, evaluation: str, rater: str) -> Training:
    """Training that a certificate is about; `Trouble` if the pilot was not passed."""
    try:
        return read_training(person.site.store.engine, evaluation, rater)
    except InputError as error:
        raise Trouble(404, "no_certificate", str(error)) from error


def _printed(person: Person, training: Training, *, issuer: str, named: bool) -> Response:
    """Certificate as a PDF; one is printed at a time, and nobody waits for another's."""
    html = certificate(training, issuer=issuer, issued_at=real_now(), named=named)
    if not _PRINTING.acquire(timeout=0):
        raise Trouble(
            503, "printing", tr("Another certificate is being made. Try again in a minute.")
        )
    try:
        body = person.site.print_pdf(html)
    except OcrjuryError as error:
        why = tr("No certificate could be made. Tell whoever leads the evaluation.")
        raise Trouble(503, "printing", why) from error
    finally:
        _PRINTING.release()
    with writing(person.site.store.engine) as connection:
        target = f"{training.evaluation} certificate {training.rater}"
        note(connection, person, "certificate", target=target)
    name = f"{training.evaluation}-{training.rater}-certificate.pdf"
    return Response(body, media_type="application/pdf", headers=attached_as(name))
