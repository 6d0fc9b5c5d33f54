"""An evaluation whose raters work in Label Studio: gold, a second time, hostile texts, an image."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from PIL import Image

from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.history import Step
from ocrjury.campaign.registry import read_raters
from ocrjury.frontends.ingest import OpenRound
from ocrjury.store.database import writing
from ocrjury.store.documents import SampledItem, add_items
from ocrjury.store.evaluations import Opening, add_evaluation
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.raters import keep_raters
from ocrjury.store.rounds import NewAssignment, RoundPlan, open_round

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
NAME = "claims-2026w47"
HOSTILE = '<script>alert("x")</script> $reference =1+1 \x07\u202e'
DIMENSIONS = ("meaning", "layout")

CAMPAIGN = """
name: claims
pool: {path: fields.jsonl, format: jsonl, images: pages}
rubric: rubric.yaml
sampling: {n: 4}
rounds:
  frontend: labelstudio
  labelstudio: {url: "URL", allow_degraded: true}
"""
RUBRIC = """
purpose: {en: Judge <b>all</b> of it, ko: 모두 평가해 주십시오}
scale: {kind: likert, low: 1, high: 5}
dimensions:
  - name: meaning
    title: {en: 'Meaning "&" sense', ko: 의미}
    description: {en: 'Is it the same?', ko: '같습니까?'}
    criteria: {en: [Look twice], ko: [두 번 보십시오]}
    anchors:
      5: {en: 'Perfect, also over $500', ko: 완벽}
      1: {en: Lost, ko: 불량}
  - name: layout
    title: {en: Layout, ko: 레이아웃}
    description: {en: 'Is it where it was?', ko: '제자리에 있습니까?'}
field_rules:
  - {rule: amount-differs, kind: amount, when: value_differs, dimension: meaning, at_most: 4,
     sentence: {en: 'Amounts: at most 4', ko: '금액: 4점 이하'}}
boundary_cases:
  - {case: {en: O for 0, ko: 0 대신 O}, level: 4, dimension: meaning}
"""
RATERS = """pseudonym,name,email,role,languages
R01,Kim,R01@example.org,rater,en
R02,Lee,r02@example.org,rater,ko
"""


def write_campaign(folder: Path, url: str) -> Path:
    """Write the files of a campaign and return its path."""
    (folder / "pages").mkdir(parents=True)
    Image.new("RGB", (600, 800), "white").save(folder / "pages" / "p1.png")
    (folder / "fields.jsonl").write_text("")
    (folder / "rubric.yaml").write_text(RUBRIC)
    (folder / "raters.csv").write_text(RATERS)
    path = folder / "campaign.yaml"
    path.write_text(CAMPAIGN.replace("URL", url))
    return path


def sampled(name, *, purpose="sample", **changes):
    """An item whose record says things that no rater may see."""
    drawn = purpose == "sample"
    facts = {
        "item": name,
        "doc_id": name,
        "page_id": "page-1",
        "system": "tesseract-secret",
        "doc_type": "form",
        "language": None,
        "kind": "text",
        "reference": f"reference {name[-1]}",
        "hypothesis": f"output {name[-1]}",
        "confidence": 0.4321,
        "image_uri": None,
        "box": [0.1, 0.1, 0.5, 0.2],
        "scores": {"cer": 0.8765},
        "purpose": purpose,
        "inclusion_probability": 0.5 if drawn else None,
        "stratum": "stratum-secret" if drawn else None,
        "reason": "random" if drawn else None,
        "draw_number": int(name[-1]) if drawn else None,
    }
    return SampledItem(**{**facts, **changes})


ITEMS = (
    sampled("doc-1", image_uri="p1.png", kind="amount", field="Total $sum"),
    sampled("doc-2", hypothesis=HOSTILE, reference=None),
    sampled("doc-3", hypothesis=""),
    sampled("doc-4"),
    sampled("doc-9", purpose="gold"),
)
QUEUES = {
    "R01": [("doc-3", 0), ("doc-1", 0), ("doc-9", 0), ("doc-2", 0), ("doc-3", 1)],
    "R02": [("doc-2", 0), ("doc-4", 0), ("doc-1", 0)],
}


def open_worked_round(store, campaign_path, *, now=NOW) -> OpenRound:
    """Open an evaluation with a round for two raters and return the round."""
    campaign = read_campaign(campaign_path)
    people = read_raters(campaign.raters_path)
    opening = Opening(
        campaign,
        period="2026w47",
        raters=[person.pseudonym for person in people],
        seed=campaign.seed,
        package_version="0.1.0",
    )
    plan = RoundPlan(
        kind="main",
        rule="the sample",
        dimensions=DIMENSIONS,
        frontend="labelstudio",
        deadline=NOW + timedelta(days=7),
        assignments=tuple(
            NewAssignment(
                item, rater, position, repeat=repeat, reason="gold" if item == "doc-9" else "design"
            )
            for rater, queue in QUEUES.items()
            for position, (item, repeat) in enumerate(queue, start=1)
        ),
    )
    with writing(store.engine) as connection:
        keep_raters(connection, people)
        add_evaluation(connection, opening, now=now, actor="lead", run_id=None)
    step = Step("7", "collecting", "main")
    with moving(store.engine, Position(NAME, "opened", 1), step, mover=Mover(NOW)) as connection:
        add_items(connection, NAME, ITEMS)
        number = open_round(connection, NAME, plan, now=NOW)
    return OpenRound(store, NAME, number, DIMENSIONS, campaign.rubric)
