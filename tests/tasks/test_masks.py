"""What a campaign masks is black in whatever leaves the store."""

import base64
import io
import json
import re

import numpy as np
import pytest
from PIL import Image

from ocrjury.errors import InputError
from ocrjury.evaluation.case import at_work
from ocrjury.frontends.labelstudio.pictures import picture_of
from ocrjury.frontends.sheets.assigned_rows import read_assigned_rounds
from ocrjury.frontends.sheets.handing_out import SheetSource, export_sheets
from ocrjury.frontends.web.image_pages import crop_jpeg, page_jpeg
from ocrjury.store.documents import list_items
from tests.tasks.conftest import closed
from tests.tasks.test_pilots import write_gold

HIDDEN = [0.2, 0.2, 0.6, 0.6]
MARK = (255, 0, 255)


@pytest.fixture
def masked(small):
    """A campaign on pages with a place in a colour of its own, which is masked."""
    page = Image.new("RGB", (400, 300), "white")
    page.paste(MARK, (80, 60, 240, 180))
    page.save(small.path.with_name("page.png"))
    for row in small.pool:
        row |= {"image": "page.png", "page_id": "p1", "box": [0.1, 0.1, 0.7, 0.5]}
    return small


def shows_the_mark(body):
    picture = Image.open(io.BytesIO(body)).convert("RGB")
    pixels = np.asarray(picture).reshape(-1, 3).astype(int)
    return bool(((pixels[:, [0, 2]].min(axis=1) > 150) & (pixels[:, 1] < 110)).any())


def test_unmasked_pages_show_it(masked):
    masked.write(rounds={"frontend": "file"}).open()

    item = masked.stored(list_items)[0]

    assert item.masks is None
    assert shows_the_mark(crop_jpeg(masked.path.with_name("page.png"), item.box, None))


@pytest.mark.parametrize("way", ["column", "file"])
def test_no_picture_shows_what_is_masked(masked, way):
    privacy = {}
    if way == "column":
        masked.pool[7]["masks"] = [HIDDEN]
    else:
        text = f"page_id,x0,y0,x1,y1\np1,{','.join(map(str, HIDDEN))}\n"
        masked.path.with_name("masks.csv").write_text(text, "utf-8")
        privacy = {"masks": "masks.csv"}
    masked.write(rounds={"frontend": "file"}, privacy=privacy).open()

    items = masked.stored(list_items)
    assert {repr(item.masks) for item in items} == {repr([HIDDEN])}
    path, item = masked.path.with_name("page.png"), items[0]
    assert not shows_the_mark(crop_jpeg(path, item.box, item.masks))
    assert not shows_the_mark(page_jpeg(path, item.box, item.masks))
    sent = picture_of(item.image_uri, item.box, item.masks, folder=str(path.parent))
    assert not shows_the_mark(base64.b64decode(sent.partition(",")[2]))
    with at_work() as work:
        case = work.case(masked.evaluation)
        source = SheetSource(
            evaluation=case.name, rubric=case.campaign.rubric, images=[path.parent]
        )
        export_sheets(work.store, source, path.parent / "sheets", now=work.now)
    pictures = list((path.parent / "sheets").rglob("*.jpg"))
    assert pictures
    assert not any(shows_the_mark(picture.read_bytes()) for picture in pictures)


@pytest.mark.parametrize("same", ["page_id", "image"])
def test_a_mask_of_the_pool_is_on_gold_of_the_same_page(masked, same):
    masked.pool[7]["masks"] = [HIDDEN]
    other = {"page_id": "p2"} if same == "image" else {"image": None}
    known = [{**row, "doc_id": f"known {row['doc_id']}", **other} for row in masked.pool[:3]]
    masked.path.with_name("known.jsonl").write_text("\n".join(map(json.dumps, known)), "utf-8")
    gold = write_gold(masked, [(row["doc_id"], "meaning", 4, "") for row in known])

    masked.write(rounds={"frontend": "file"}, raters=gold | {"gold_pool": "known.jsonl"}).open()

    items = [item for item in masked.stored(list_items) if item.purpose == "gold"]
    assert [item.masks for item in items] == [[HIDDEN]] * 3


def test_the_report_shows_no_masked_place(masked, stored_pages):
    masked.pool[7]["masks"] = [HIDDEN]

    closed(masked, report={"examples": "shown", "worst_items": 5})

    with at_work() as work:
        (page,) = work.store.files.folder.glob("report-*.html")
    crops = re.findall(r"data:image/jpeg;base64,([\w+/=]+)", page.read_text("utf-8"))
    assert crops
    assert not any(shows_the_mark(base64.b64decode(crop)) for crop in crops)


@pytest.mark.parametrize(
    ("cell", "file", "told"),
    [
        ([[0, 0, 5, 5]], None, "the pool's column 'masks' must hold lists"),
        (None, "page_id,x0,y0,x1,y1\np2,0,0,1,1\n", "masks 'p2', which no page and no document"),
    ],
)
def test_a_mask_that_would_hide_nothing_holds_the_evaluation(masked, cell, file, told):
    masked.pool[7]["masks"] = cell
    privacy = {}
    if file:
        masked.path.with_name("masks.csv").write_text(file, "utf-8")
        privacy = {"masks": "masks.csv"}

    end = masked.write(privacy=privacy).open()

    assert end.name == "Held"
    assert told in end.message


def test_masked_images_at_an_address_are_refused():
    for places, name in (
        ({"folder": "/x", "address": "https://img.lan/a"}, "p.png"),
        ({"folder": "https://img.lan/a"}, "p.png"),
        ({"folder": "/x"}, "https://img.lan/p.png"),
    ):
        with pytest.raises(InputError, match="has masks, but raters would fetch it"):
            picture_of(name, None, [HIDDEN], **places)


def test_the_rows_of_sheets_know_the_masks(masked):
    masked.pool[7]["masks"] = [HIDDEN]
    masked.write(rounds={"frontend": "file"}).open()

    with at_work() as work:
        rounds = read_assigned_rounds(work.store, masked.evaluation, key=b"k")

    rows = [row for one in rounds.values() for rater in one.raters() for row in one.of(rater)]
    assert {repr(row.item.masks) for row in rows} == {repr([HIDDEN])}
