"""Whose report it is: what a campaign may say of it, and what a logo may hold."""

import base64
import io
import json

import pytest
from PIL import Image

from ocrjury.campaign import Campaign, read_campaign
from ocrjury.errors import InputError

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
DRAWING = SVG.format('<path id="a" d="M0 0h9v9z" fill="url(#b)"/><use href="#a"/>')


def picture(kind, size=(8, 4), *, mode="RGB"):
    body = io.BytesIO()
    Image.new("RGB", size, "#0b5d8a").convert(mode).save(body, kind)
    return body.getvalue()


def deep_picture():
    body = io.BytesIO()
    Image.new("I;16", (8, 4)).save(body, "PNG")
    return body.getvalue()


@pytest.fixture
def branded(tmp_path, campaign_from):
    """Read a campaign with a brand; its logo is the file with the given content."""

    def read(body=None, file="logo", **brand):
        if body is not None:
            (tmp_path / file).write_bytes(body.encode() if isinstance(body, str) else body)
            brand["logo"] = file
        return campaign_from(report={"brand": {"name": "Acme Archives", **brand}})

    return read


def test_without_one_there_is_none(campaign_from):
    assert campaign_from().report.brand is None


def test_it_says_who_and_what(branded):
    brand = branded(colour="#0b5d8a", footer="Confidential").report.brand

    assert (brand.name, brand.colour, brand.logo) == ("Acme Archives", "#0b5d8a", None)
    assert brand.line == "Acme Archives · Confidential"


@pytest.mark.parametrize(
    ("body", "kind"),
    [(picture("PNG"), "png"), (picture("JPEG"), "jpeg"), (DRAWING.encode(), "svg+xml")],
)
def test_the_logo_is_kept_with_the_evaluation(body, kind, branded, tmp_path):
    campaign = branded(body)
    (tmp_path / "logo").unlink()

    again = Campaign.from_json(json.loads(json.dumps(campaign.to_json())))

    start, _, content = again.report.brand.logo.partition(",")
    assert start == f"data:image/{kind};base64"
    assert base64.b64decode(content) == body


def test_another_logo_is_another_configuration(branded):
    first = branded(picture("PNG"))

    assert branded(picture("PNG", (9, 4))).config_hash != first.config_hash
    assert branded(picture("PNG")).config_hash == first.config_hash


@pytest.mark.parametrize(
    "inner",
    [
        "<title>A &amp; B</title><g style='fill: #fff'/>",
        "<style>.a { fill: url('#b') }</style>",
        f"<metadata><r:RDF xmlns:r='{RDF}' r:about=''/></metadata>",
        "<!-- made by hand -->",
    ],
)
def test_a_drawing_is_taken(inner, branded):
    assert branded(SVG.format(inner)).report.brand.logo


@pytest.mark.parametrize(
    ("inner", "found"),
    [
        ("<script>alert(1)</script>", "the element <script>"),
        (
            "<foreignObject><b xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>",
            "foreignObject",
        ),
        ("<h:script xmlns:h='http://www.w3.org/1999/xhtml'/>", "the element <script>"),
        ("<image href='data:image/png;base64,AA'/>", "the element <image>"),
        ("<animate attributeName='href' to='x'/>", "the element <animate>"),
        ("<a href='#x'/>", "the element <a>"),
        ("<g onload='x()'/>", "the attribute onload"),
        ("<use href='other.svg#a'/>", "the attribute href"),
        (
            "<use x:href='http://example.org/a' xmlns:x='http://www.w3.org/1999/xlink'/>",
            "the attribute href",
        ),
        ("<g xml:base='http://example.org/'/>", "the attribute base"),
        ("<path fill='url( \"http://example.org/a\")'/>", "an address in the attribute fill"),
        ("<path style='fill:u\\72l(http://example.org/a)'/>", "an address in the attribute style"),
        ("<style>@import 'http://example.org/a.css';</style>", "a style with an address"),
        ("<style>.a { fill: URL(//example.org) }</style>", "a style with an address"),
        ("<style>.a { fill: u/**/rl(x) }</style>", "a style with an address"),
        ("<?xml-stylesheet href='a.css'?>", "the instruction"),
    ],
)
def test_what_could_run_or_fetch_is_refused_with_its_line(inner, found, branded):
    with pytest.raises(InputError) as refusal:
        branded(SVG.format(f"\n{inner}"), file="bad.svg")

    assert "report.brand.logo: " in str(refusal.value)
    assert "bad.svg, line 2: " in str(refusal.value)
    assert found in str(refusal.value)
    assert "has no place in a logo, which may only draw." in str(refusal.value)


def test_a_style_sheet_before_the_drawing_is_refused(branded):
    with pytest.raises(InputError, match=r"logo, line 1: the instruction .*stylesheet"):
        branded("<?xml-stylesheet href='a.css'?>" + DRAWING)


@pytest.mark.parametrize(
    "kind",
    [
        '<!DOCTYPE svg [<!ENTITY a "b">]>',
        '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">',
    ],
)
def test_a_doctype_is_refused(kind, branded):
    with pytest.raises(InputError, match=r"logo has a DOCTYPE, which can define entities"):
        branded(kind + DRAWING)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"GIF89a", r"logo is neither PNG, JPEG nor SVG \("),
        (b"", r"logo is neither PNG, JPEG nor SVG"),
        (b"<html/>", r"logo is neither PNG, JPEG nor SVG: it holds the element html"),
        (picture("PNG")[:40], r"logo is a damaged PNG file"),
        (b"\xff\xd8\xff\xe0", r"logo is a damaged JPEG file"),
        (picture("PNG", (3000, 2000)), r"logo has 3000 x 2000 pixels; take at most 4 million"),
        (picture("JPEG", mode="CMYK"), r"logo has the colours of a printing press \(CMYK\)"),
        (deep_picture(), r"logo has 16 bits for each colour; save it with 8"),
        (SVG.replace("0 0 9 9", "a b"), r"logo: the viewBox 'a b' is not four numbers"),
        (
            SVG.format('\n<g id="a"><use href="#a"/></g>'),
            r"logo, line 2: <use> repeats #a, which has a <use> itself; draw it out",
        ),
        (SVG.format(" " * 200_000), r"logo is larger than 200 kB; make the logo smaller"),
    ],
)
def test_a_file_that_is_no_logo_is_refused_by_its_name(body, message, branded):
    with pytest.raises(InputError, match=message):
        branded(body)


@pytest.mark.parametrize("logo", ["absent.png", ".", "data:image/svg+xml;base64,PHN2Zz4=", "a\0b"])
def test_a_logo_has_to_be_a_file(logo, branded):
    with pytest.raises(InputError, match=r"report\.brand\.logo: there is no file .* that can be"):
        branded(logo=logo)


@pytest.mark.parametrize(
    ("brand", "message"),
    [
        (
            {"colour": "#ffcc00"},
            (
                r"report\.brand\.colour: #ffcc00 has a contrast of 1\.51:1 to white; text needs at "
                r"least 4\.5:1\. Take a darker colour\."
            ),
        ),
        ({"colour": "#777777"}, r"#777777 has a contrast of 4\.47:1 to white"),
        ({"colour": "red"}, r"report\.brand\.colour is 'red'; it must be a colour in quotes such"),
        ({"colour": "#fff}"}, r"report\.brand\.colour is '#fff}'; it must be a colour"),
        ({"name": "A" * 41}, r"report\.brand\.name .* it must be one line of at most 40 char"),
        ({"name": "보험" * 11}, r"it must be one line of at most 40 characters, 20 if Korean"),
        ({"name": " "}, r"report\.brand\.name is ' '; it must be one line"),
        (
            {"footer": "a\nb"},
            r"report\.brand\.footer is 'a\\nb'; it must be one line of at most 70",
        ),
        ({"slogan": "x"}, r"brand\.slogan is not known\. .*Allowed in report\.brand: name, "),
        ({"logo": 7}, r"report\.brand\.logo is 7; it must be a PNG, JPEG or SVG file, or empty"),
    ],
)
def test_a_refusal_names_the_key_and_what_is_allowed(brand, message, branded):
    with pytest.raises(InputError, match=message):
        branded(**brand)


def test_a_brand_needs_a_name(campaign_from):
    with pytest.raises(InputError, match=r"report\.brand\.name is missing; give one line of"):
        campaign_from(report={"brand": {"footer": "x"}})


def test_the_logo_lies_beside_the_campaign(tmp_path, campaign_body):
    (tmp_path / "deep").mkdir()
    (tmp_path / "logo.svg").write_text(DRAWING)
    path = tmp_path / "deep" / "campaign.yaml"
    brand = {"name": "Acme", "logo": "../logo.svg"}
    path.write_text(json.dumps(campaign_body(report={"brand": brand})))

    assert read_campaign(path).report.brand.logo.startswith("data:image/svg+xml;base64,")
