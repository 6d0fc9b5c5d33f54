import pytest
from weasyprint import draw
from weasyprint.draw import border
from weasyprint.layout import background

from ocrjury.report import pdf_bare, pdf_child
from ocrjury.report.pdf_page import ShortenedPage

DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="
NAMES = [
    *("round", "now", "shadow", "dots", "clear", "columns"),
    *("line", "hidden", "image", "split", "mask", "next"),
]
PAGE = f"""<html lang="en"><title>t</title><style>
@page {{ size: 90mm; background: #eee; @top-left {{ content: "x"; border-bottom: 1pt solid }} }}
html {{ background: #fed }} .round {{ border-radius: 2mm 0 50% 1mm; background: #345 }}
.now {{ color: #963; background: currentcolor }} .shadow {{ box-shadow: 1mm 1mm #999 }}
.dots {{ background: url({DOT}) }} .clear {{ background: rgba(9, 9, 9, 0) url({DOT}) no-repeat }}
.columns {{ columns: 2; column-rule: 1pt solid }} .line {{ outline: 1pt solid red }}
.hidden {{ visibility: hidden; background: #345; border: 1pt solid; outline: 1pt solid }}
.image {{ border: 2mm solid; border-image: url({DOT}) 1 }} .split {{ border: 1pt dotted #234 }}
.mask {{ mask-border-source: url({DOT}) }} .next {{ break-before: page }}
table {{ border-collapse: collapse }} td {{ border: 1pt solid }} tr {{ background: #efe }}
.far td {{ border-radius: 1mm }} .far {{ border-collapse: separate; border: 1pt solid }}
</style>""" + "".join(
    f'<div class="{name}"><p>One <b class="{name}">two</b> <span>three</span><p>Four</div>'
    for name in NAMES
)
TABLES = '<table><tr><td class="line">1<td>2</table><table class="far"><tr><td>3<td>4</table>'


def test_bare_boxes_left_alone_leave_every_byte_of_a_pdf_as_it_was(monkeypatch):
    asked, whole = [], background.layout_box_backgrounds

    def ask(page, box, *rest, **named):
        asked.append(box)
        whole(page, box, *rest, **named)

    monkeypatch.setattr(background, "layout_box_backgrounds", ask)
    monkeypatch.setattr(draw, "draw_border", draw.draw_border)
    monkeypatch.setattr(draw, "draw_outline", draw.draw_outline)
    monkeypatch.setattr(border, "draw_outline", border.draw_outline)
    page = ShortenedPage(PAGE + TABLES)
    (plain, warnings), before = pdf_child.render(page, "pdf/ua-1", None), len(asked)

    pdf_bare.leave_bare_boxes()
    fast, again = pdf_child.render(page, "pdf/ua-1", None)

    assert fast == plain
    assert again == warnings
    assert len(asked) - before < before * 0.6


@pytest.mark.parametrize("side", ["top", "right", "bottom", "left"])
def test_a_border_on_one_side_is_drawn(side):
    drawn = []
    box = type("Box", (), {f"border_{s}_width": 0 for s in ("top", "right", "bottom", "left")})()
    box.style = {"column_rule_width": 0, "border_image_source": ("none", None)}
    draw_border = pdf_bare.borders_where_any(lambda stream, box: drawn.append(box))

    draw_border(None, box)
    setattr(box, f"border_{side}_width", 0.5)
    draw_border(None, box)

    assert drawn == [box]
