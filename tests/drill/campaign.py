"""The campaign of the drills."""

import json
from pathlib import Path

import yaml

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims"


def small_campaign(folder):
    """The example with fewer documents, so that it goes through every round in seconds."""
    campaign = yaml.safe_load((EXAMPLE / "campaign.yaml").read_text("utf-8"))
    campaign["sampling"]["n"] = 90
    campaign["adaptive"] |= {"max_rounds": 1, "budget": 20}
    campaign["report"]["worst_items"] = 1
    campaign["simulation"]["raters"] = {"R03": {"severity": -0.4}}
    campaign["rubric"] = yaml.safe_load((EXAMPLE / "rubric.yaml").read_text("utf-8"))
    del campaign["rubric"]["dimensions"][1:]
    path = folder / "campaign.yaml"
    campaign["raters"] |= {"file": str(EXAMPLE / "raters.csv"), "gold": "gold.csv", "repeats": 3}
    campaign["rounds"]["pilot"] = {"items": 20, "criterion": {"limit": 0.2}}
    pool = (EXAMPLE / "fields.jsonl").read_text("utf-8").splitlines()[::4]
    (folder / "pool.jsonl").write_text("\n".join(pool), "utf-8")
    campaign["pool"]["path"] = "pool.jsonl"
    gold = [f"{json.loads(line)['doc_id']},meaning,4" for line in pool[::6]]
    (folder / "gold.csv").write_text("\n".join(["doc_id,dimension,value", *gold]), "utf-8")
    path.write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")
    return path


def held_campaign(folder):
    """As the small one, but no rater passes its pilot, so that it is held until a lead decides."""
    path = small_campaign(folder)
    campaign = yaml.safe_load(path.read_text("utf-8"))
    campaign["rounds"]["pilot"]["criterion"] = {"limit": 1.0}
    path.write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")
    return path
