"""A desk in this very process, with evaluations in many states, read without a browser."""

from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.testclient import TestClient

from ocrjury.bias.findings import BiasFinding
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.progress import keep_interim_agreement
from ocrjury.findings.raters import BiasTests
from ocrjury.frontends.web.application import create_application
from ocrjury.frontends.web.site import Site
from ocrjury.step_parts import Parts, unwatched
from ocrjury.store.database import writing
from ocrjury.store.reports import NewReport, add_report
from ocrjury.store.results import Result, add_results
from tests.frontends.web.conftest import Place, item, open_place
from tests.frontends.web.desk.conftest import RATERS, desk_code, rate

ADDRESS = "http://127.0.0.1:8080"


@dataclass
class DeskSite:
    """The desk with a lead who is signed in."""

    base: Place
    client: TestClient
    token: str = ""

    @classmethod
    def on(cls, base, language=None):
        """Sign a lead in who reads in a language."""
        site = Site(store=base.store, address=ADDRESS)
        client = TestClient(create_application(site), base_url=ADDRESS, follow_redirects=False)
        desk = cls(base, client)
        if language is not None:
            client.headers["Cookie"] = f"ocrjury-language={language}"
        answer = client.post("/desk/enter", data={"code": desk_code(base)})
        cookies = [client.headers.get("Cookie", ""), answer.headers["set-cookie"].split(";")[0]]
        client.headers["Cookie"] = "; ".join(filter(None, cookies))
        desk.token = desk.page("/desk").partition('name="form_token" value="')[2].split('"')[0]
        return desk

    def page(self, path):
        """Text of a page."""
        return self.client.get(path).text

    def post(self, path, **fields):
        """Answer to a form."""
        return self.client.post(path, data={"form_token": self.token, **fields})


def rated(base, *, share=0.8, number=12):
    """Evaluation whose raters are at work; what they said so far was measured."""
    sample = [
        item(f"d{one}", hypothesis=f"금액 1.2{one:02d}윈", reference=f"금액 1,2{one:02d}원")
        for one in range(1, number + 1)
    ]
    place = open_place(base, raters=RATERS, items=sample)
    rate(place, share=share)
    with at_work() as work:
        keep_interim_agreement(work.case(place.evaluation), Parts(unwatched, 1))
    return place


def reported(place, said, kind="final"):
    """Keep a report of an evaluation."""
    files = place.store.files
    html = files.put(b"<h1>report</h1>", kind="report", suffix=".html")
    new = NewReport(
        kind=kind,
        language="en",
        html_uri=html,
        pdf_uri=None,
        sha256="0" * 64,
        inputs_hash="i",
        cover=said,
    )
    with writing(place.store.engine) as connection:
        add_report(connection, place.evaluation, new, now=datetime.now(UTC))


def suspected(place):
    """Keep a finding about a rater."""
    finding = BiasFinding("severity", "R03", "meaning", 0.5, "points", flagged=True)
    tests = BiasTests((finding,))
    result = Result(round=1, kind="bias", dimension="*", finding=tests, inputs_hash="i")
    now = datetime.now(UTC)
    with writing(place.store.engine) as connection:
        add_results(connection, place.evaluation, [result], now=now)
