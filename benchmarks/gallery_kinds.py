"""Ten kinds of evaluations for the gallery of reports, made of the bundled example."""

import csv
import json
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ocrjury.campaign.bundled_example import EXAMPLE

FOLDER = EXAMPLE.parent
LANGUAGES = ("en", "ko", "zh")
NAMES = ("correct", "wrong", "lost")
TITLE = {"en": "Meaning", "ko": "의미 정확성", "zh": "语义正确性"}
Row = dict[str, Any]


@dataclass
class Draft:
    """A campaign, its pool and its people before they are written."""

    campaign: dict[str, Any]
    pool: list[Row]
    people: list[dict[str, str]]

    def change(self, **sections: dict[str, Any]) -> None:
        """Change keys of sections of the campaign."""
        for section, keys in sections.items():
            self.campaign[section] = {**self.campaign.get(section, {}), **keys}

    def judge_meaning_by(self, scale: dict[str, Any]) -> None:
        """Judge one dimension, on a scale without anchors, and by no field rule."""
        says = {"en": "Does the OCR output say what the page says?"}
        dimension = {"name": "meaning", "title": TITLE, "description": says}
        self.campaign["rubric"] = {"purpose": says, "scale": scale, "dimensions": [dimension]}
        self.campaign["report"].pop("target", None)

    def write(self, folder: Path) -> Path:
        """Write the three files into a new folder; return the campaign's."""
        folder.mkdir(parents=True)
        rows = "\n".join(json.dumps(row, ensure_ascii=False) for row in self.pool)
        (folder / "pool.jsonl").write_text(rows, "utf-8")
        with (folder / "raters.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, self.people[0])
            writer.writeheader()
            writer.writerows(self.people)
        path = folder / "campaign.yaml"
        path.write_text(yaml.safe_dump(self.campaign, allow_unicode=True), "utf-8")
        return path


def example(name: str) -> Draft:
    """The bundled campaign under another name."""
    campaign = yaml.safe_load((FOLDER / "campaign.yaml").read_text("utf-8"))
    campaign["name"] = name
    campaign["pool"] |= {"path": "pool.jsonl", "images": str(FOLDER)}
    campaign["rubric"] = yaml.safe_load((FOLDER / "rubric.yaml").read_text("utf-8"))
    campaign["report"]["languages"] = list(LANGUAGES)
    lines = (FOLDER / "fields.jsonl").read_text("utf-8").splitlines()
    with (FOLDER / "raters.csv").open(encoding="utf-8", newline="") as file:
        people = list(csv.DictReader(file))
    return Draft(campaign, [json.loads(line) for line in lines], people)


def smaller(name: str) -> Draft:
    """The bundled campaign with fewer items and one adaptive round."""
    draft = example(name)
    draft.change(sampling={"n": 100}, adaptive={"max_rounds": 1, "budget": 30})
    draft.change(rounds={"top_ups": 0}, report={"worst_items": 3})
    return draft


def demo(folder: Path) -> Path:
    """What `make demo` runs."""
    return example("demo").write(folder)


def first_run(folder: Path) -> Path:
    """What `ocrjury campaign new` writes, on the first 60 fields that somebody has at hand."""
    command = [sys.executable, "-m", "ocrjury.cli", "campaign", "new", str(folder)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)  # noqa: S603  # ourselves
    path = folder / "campaign.yaml"
    campaign = yaml.safe_load(path.read_text("utf-8")) | {"name": "first-run"}
    campaign["rounds"]["frontend"] = "simulated"
    campaign["report"]["languages"] = list(LANGUAGES)
    campaign["sampling"]["n"] = 30
    campaign["rounds"]["pilot"]["items"] = 0
    kept = ("doc_id", "doc_type", "kind", "reference", "hypothesis", "confidence")
    rows = [{key: row[key] for key in kept} for row in example("first-run").pool[:60]]
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (folder / "pool.jsonl").write_text(text, "utf-8")
    path.write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")
    return path


def one_rater(folder: Path) -> Path:
    """One person, who can agree with nobody."""
    draft = smaller("one-rater")
    draft.people = draft.people[:1]
    draft.change(raters={"per_item": 1})
    return draft.write(folder)


def no_reference(folder: Path) -> Path:
    """A pool of which nobody knows what is right."""
    draft = smaller("no-reference")
    for row in draft.pool:
        del row["reference"]
    draft.campaign["rubric"].pop("field_rules")
    return draft.write(folder)


def binary(folder: Path) -> Path:
    """Right or wrong, and nothing between."""
    draft = smaller("binary")
    draft.judge_meaning_by({"kind": "binary"})
    draft.change(report={"target": {"dimension": "meaning", "share_at_least": 1, "share": 0.6}})
    return draft.write(folder)


def nominal(folder: Path) -> Path:
    """Names without an order, which no mean can be made of."""
    draft = smaller("nominal")
    draft.judge_meaning_by({"kind": "nominal", "categories": list(NAMES)})
    draft.change(rounds={"frontend": "file"}, report={"costs": None})
    return draft.write(folder)


def continuous(folder: Path) -> Path:
    """A continuous scale from 0 to 100."""
    draft = smaller("continuous")
    draft.judge_meaning_by({"kind": "interval", "low": 0, "high": 100})
    draft.change(truth={"method": "mean_rating"}, adaptive={"max_rounds": 0})
    draft.change(report={"target": {"dimension": "meaning", "mean": 60}})
    return draft.write(folder)


def two_systems(folder: Path) -> Path:
    """A second engine reads the same fields, and loses every sixth character."""
    draft = smaller("two-systems")
    draft.pool = [
        {**row, "doc_id": f"{system}/{row['doc_id']}", "system": system, "hypothesis": text}
        for row in draft.pool
        for system, text in (("tesseract", row["hypothesis"]), ("other", _worse(row["hypothesis"])))
    ]
    return draft.write(folder)


def _worse(text: str) -> str:
    return "".join(sign for place, sign in enumerate(text) if place % 6 != 3)


def failed_gate(folder: Path) -> Path:
    """Raters who mostly click at random, and a lead who wants the report all the same."""
    draft = smaller("failed-gate")
    draft.change(simulation={"default": {"careless": 0.75}})
    return draft.write(folder)


def pilot(folder: Path) -> Path:
    """Everybody practises on the same 24 fields first."""
    draft = smaller("pilot")
    draft.change(rounds={"pilot": {"items": 24}})
    return draft.write(folder)


KINDS: dict[str, Callable[[Path], Path]] = {
    "demo": demo,
    "first-run": first_run,
    "one-rater": one_rater,
    "no-reference": no_reference,
    "binary": binary,
    "nominal": nominal,
    "continuous": continuous,
    "two-systems": two_systems,
    "failed-gate": failed_gate,
    "pilot": pilot,
}
"""What writes the campaign of each kind into a new folder."""


def name_said(item: str, rater: str) -> str:
    """Category that a rater names for an item; one in twelve is a mistake."""
    mistaken = zlib.crc32(f"{item}/{rater}".encode()) % 12 == 0
    return NAMES[(zlib.crc32(item.encode()) % 7 // 3 + mistaken) % len(NAMES)]
