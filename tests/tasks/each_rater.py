"""What one evaluation shows of each rater."""

import re

import lxml.html

from ocrjury.pages.numbers import decimal, estimate_text, percent, range_text
from ocrjury.statistics import statistic
from tests.tasks.pair_and_judge import is_of_the_table


def the_raters_are_alike(findings, *, data, html, desk, printed, exported):
    """Check the mean of each rater with its range, wherever it is shown."""
    whole, on_desk = lxml.html.fromstring(html), lxml.html.fromstring(desk)
    shown = data.sections["raters"].dimension
    assert len(findings[shown].profiles) > 1
    for name, finding in findings.items():
        on_line = printed.partition(f"\n{name}\n")[2].partition("rater, strictest first")[2]
        for profile in finding.profiles:
            mean, ends = profile.mean, (decimal(profile.mean.low), decimal(profile.mean.high))
            [row] = of_rater(exported, name, "rater_mean", profile.rater)
            is_of_the_table(row, mean)

            assert re.search(
                rf"^{profile.rater} +{profile.count} +{decimal(mean.value)} +{' to '.join(ends)} ",
                on_line,
                re.MULTILINE,
            )
            cells = on_desk.xpath(f"//article[@id='{profile.rater}']//td[@class='mean']")
            cell = cells[[row.name for row in data.dimensions].index(name)]
            assert cell.xpath("text() | span/text()") == [decimal(mean.value), range_text(*ends)]
            if name == shown:
                cell = cell_of_report(whole, profile.rater, "rater_mean")
                assert cell.text_content() == decimal(mean.value)
                [chart] = whole.xpath("//figure[@id='raters-means']")
                shown_there = lxml.html.tostring(chart, encoding="unicode")
                assert f"{profile.rater} {estimate_text(mean)}" in shown_there


def the_labels_are_alike(truths, *, data, html, exported):
    """Check the share of each rater's ratings that equal the label, in report and export."""
    whole, shown = lxml.html.fromstring(html), data.sections["raters"].dimension
    assert truths.dimensions[shown].equal_to_label
    for name, truth in truths.dimensions.items():
        for rater, share in truth.equal_to_label.items():
            assert 0 <= share.low <= share.value <= share.high <= 1
            [row] = of_rater(exported, name, "equal_to_label", rater)
            is_of_the_table(row, share)
            if name == shown:
                cell = cell_of_report(whole, rater, "equal_to_label")
                assert cell.text_content() == percent(share.value, 0)
                assert cell.get("title") == estimate_text(share, share=True, places=0)


def of_rater(rows, dimension, key, rater):
    """Rows of the export of one statistic of one rater."""
    wanted = (dimension, key, rater)
    return [row for row in rows if (row["dimension"], row["statistic"], row["rater"]) == wanted]


def cell_of_report(html, rater, key):
    """Cell of the report's table of raters under the short name of a statistic."""
    [table] = html.xpath("//table[@id='raters-ratings']")
    heads = [cell.text_content().strip() for cell in table.xpath("thead//th")]
    [row] = [row for row in table.xpath("tbody/tr") if row.xpath("string(th)").strip() == rater]
    return row.xpath("th|td")[heads.index(statistic(key).short_label)]
