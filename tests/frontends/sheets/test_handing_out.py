import pytest
import sqlalchemy as sa
from openpyxl import load_workbook
from PIL import Image

from ocrjury.campaign.rating_sections import RatingPage
from ocrjury.errors import InputError, StateError
from ocrjury.frontends.sheets import export_sheets, handing_out, upload
from ocrjury.frontends.sheets.assignment_sheet import read_open_assignments
from ocrjury.pages.page_images import image_folders, image_hash
from ocrjury.store.audit import list_audit
from ocrjury.store.database import writing
from ocrjury.store.rounds import NewAssignment, add_assignments, close_round
from ocrjury.store.schema.course import evaluations
from ocrjury.store.shown_images import ChangedImages, changed_images
from tests.frontends.sheets.worked_sheets import (
    FIRST,
    NAME,
    NOW,
    all_rated,
    an_item,
    columns_of,
)


def below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_every_rater_gets_a_folder(collecting, tmp_path):
    written = collecting.export()

    assert below(tmp_path / "out") == [
        f"R01/{NAME}-r1-R01.xlsx",
        f"R02/{NAME}-r1-R02.xlsx",
    ]
    assert list(written) == ["R01", "R02"]


def test_a_reference_that_raters_do_not_see_is_in_no_sheet(desk):
    desk.collect(an_item("d1", reference="A secret reference"), raters=["R01"])
    config = desk.campaign.to_json()
    config["rounds"]["page"]["reference"] = "hidden"
    with writing(desk.store.engine) as connection:
        connection.execute(sa.update(evaluations).values(config=config))

    path = desk.export(page=RatingPage(reference="hidden"))["R01"]
    [row] = read_open_assignments(desk.store, NAME).rows
    report = desk.take(desk.filled(path, {1: all_rated()}))

    book = load_workbook(path)
    cells = {cell.value for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "reference" not in columns_of(book["Ratings"])
    assert not any("A secret reference" in str(value) for value in cells)
    assert (report.new, report.findings) == (1, ())
    assert row.reference == ""


def test_what_was_handed_out_is_not_asked_again_and_never_written_over(collecting, tmp_path):
    paths = collecting.export()
    before = paths["R01"].read_bytes()

    again = collecting.export()

    assert again == {"R01": None, "R02": None}
    assert paths["R01"].read_bytes() == before
    assert len(below(tmp_path / "out")) == 2


def test_what_is_assigned_later_goes_into_a_further_sheet(collecting):
    first = collecting.export()["R01"]
    with writing(collecting.store.engine) as connection:
        add_assignments(connection, NAME, [NewAssignment("d1", "R03", 1)], number=1)
        add_assignments(connection, NAME, [NewAssignment("d2", "R01", 9, repeat=1)], number=1)

    second = collecting.export()

    assert second["R02"] is None
    assert second["R01"].name == f"{NAME}-r1-R01-2.xlsx"
    assert second["R03"].name == f"{NAME}-r1-R03.xlsx"
    assert load_workbook(second["R01"])["Ratings"].max_row == FIRST
    collecting.take(collecting.filled(first, {1: all_rated()}))
    collecting.take(collecting.filled(second["R01"], {1: all_rated()}))
    assert len(collecting.stored()) == 6


def test_another_folder_gets_everything_that_is_open(collecting):
    collecting.take(collecting.filled(collecting.export()["R01"], {1: all_rated()}))

    written = export_sheets(
        collecting.store, collecting.source(), collecting.folder / "new", now=NOW, raters=["R01"]
    )

    assert [(one.rater, one.rows) for one in written] == [("R01", 2)]


def test_a_rater_without_anything_open_is_told_who_has(collecting):
    with pytest.raises(InputError, match=r"R07 has no open assignment in round 1 .* R01, R02\."):
        export_sheets(
            collecting.store, collecting.source(), collecting.folder, now=NOW, raters=["R07"]
        )


@pytest.mark.parametrize(
    ("number", "error", "said"),
    [(7, InputError, "has no round 7; there are: 1"), (1, StateError, "has no open round")],
)
def test_only_the_open_round_is_handed_out(collecting, number, error, said):
    with writing(collecting.store.engine) as connection:
        close_round(connection, NAME, by="complete", now=NOW)

    with pytest.raises(error, match=said):
        export_sheets(
            collecting.store, collecting.source(), collecting.folder, now=NOW, number=number
        )


def test_a_round_that_is_done_is_not_handed_out(collecting):
    for path in collecting.export().values():
        collecting.take(collecting.filled(path, dict.fromkeys((1, 2, 3), all_rated())))

    with pytest.raises(StateError, match=r"every assignment of round 1 of .* is done"):
        collecting.export("more")


def test_a_file_in_the_way_that_is_no_sheet_is_named(collecting, tmp_path):
    path = tmp_path / "out" / "R01" / f"{NAME}-r1-R01.xlsx"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"?")

    with pytest.raises(InputError, match=f"{path.name} is no workbook"):
        collecting.export()


def test_what_could_not_be_taken_back_is_not_handed_out(collecting, tmp_path, monkeypatch):
    monkeypatch.setattr(upload, "MAX_SHEET", 1000)

    with pytest.raises(InputError, match=r"the 3 items of R01 could not be taken back: .*larger"):
        collecting.export()

    assert below(tmp_path / "out") == []


@pytest.fixture
def pages(tmp_path):
    """A folder with a page image that says more than it should, and a file that is none."""
    folder = tmp_path / "pages"
    folder.mkdir()
    exif = Image.Exif()
    exif[0x010E] = "engine-x of patient 7"
    Image.new("RGB", (400, 300), "white").save(folder / "engine-x-7.png", exif=exif)
    (folder / "broken.png").write_bytes(b"\x89PNG")
    (tmp_path / "secret.png").write_bytes((folder / "engine-x-7.png").read_bytes())
    return folder


def test_pictures_lie_beside_the_sheet_under_names_that_tell_nothing(desk, pages):
    box = [0.1, 0.2, 0.5, 0.4]
    desk.collect(
        an_item("d1", image_uri="engine-x-7.png", box=box),
        an_item("d2", image_uri="engine-x-7.png"),
        an_item("d3", image_uri="engine-x-7.png", box=box),
    )

    path = desk.export(images=[pages])["R01"]

    sheet = load_workbook(path)["Ratings"]
    place = columns_of(sheet)["image"]
    links = [sheet.cell(FIRST + n, place).hyperlink.target for n in range(3)]
    assert links[0] == links[2] != links[1]
    assert [sheet.cell(FIRST + n, place).value for n in range(3)] == ["open"] * 3
    for link in links:
        body = (path.parent / link).read_bytes()
        assert link.startswith("images/p-")
        assert body.startswith(b"\xff\xd8")
        assert b"engine-x" not in link.encode() + body
    with Image.open(path.parent / links[0]) as framed, Image.open(path.parent / links[1]) as bare:
        assert framed.size == bare.size == (400, 300)
        assert len(framed.getcolors(100_000)) > len(bare.getcolors(100_000))


@pytest.mark.parametrize("name", ["broken.png", "absent.png", "../secret.png", "/etc/passwd"])
def test_an_image_that_cannot_be_shown_is_counted(desk, pages, name):
    desk.collect(an_item("d1", image_uri=name))

    [one, _] = export_sheets(
        desk.store, desk.source(images=[pages], language="en"), desk.folder / "o", now=NOW
    )

    sheet = load_workbook(one.path)["Ratings"]
    assert one.missing_images == 1
    assert sheet.cell(FIRST, columns_of(sheet)["image"]).value is None
    assert not (one.path.parent / "images").exists()


def test_images_that_changed_since_the_draw_are_kept_and_drawn_anew(desk, pages):
    page = pages / "engine-x-7.png"
    drawn = {"image_uri": page.name, "image_sha256": image_hash(page)}
    desk.collect(an_item("d1", **drawn), an_item("d2", **{**drawn, "image_uri": "gone.png"}))
    first = desk.export(images=[pages])["R01"]
    Image.new("RGB", (400, 300), "black").save(page)

    second = desk.export("later", images=[pages])["R01"]

    assert changed_images(desk.store.engine, NAME) == ChangedImages(("d1",), ("d2",))
    copies = [list((path.parent / "images").iterdir()) for path in (first, second)]
    assert copies[0][0].name != copies[1][0].name


def test_images_are_looked_for_where_the_campaign_says(desk):
    [folder] = image_folders(desk.campaign)

    assert (folder / "pages").is_dir()


def test_no_sheet_is_without_a_line_of_the_audit_log_and_no_image_unknown(desk, monkeypatch):
    def killed(*_, **_options):
        raise KeyboardInterrupt

    desk.collect(an_item("d1", image_uri="gone.png", image_sha256="0" * 64))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(handing_out, "write_whole", killed)
        desk.export()

    lines = [line.object for line in list_audit(desk.store.engine)]
    assert lines == [f"{NAME}, sheet of R02", f"{NAME}, sheet of R01"]
    assert changed_images(desk.store.engine, NAME).none == ("d1",)
    desk.export()
    assert len(list_audit(desk.store.engine)) == 4
    desk.export()  # nothing new
    assert len(list_audit(desk.store.engine)) == 4
