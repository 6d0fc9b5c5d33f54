"""What one evaluation shows of each automatic metric beside the ratings."""

import lxml.html

from ocrjury.metrics import METRICS
from ocrjury.report.sections.scores import rho_cell
from ocrjury.statistics import statistic
from tests.tasks.pair_and_judge import is_of_the_table


def the_metrics_are_alike(ranks, *, data, html, exported):
    """Check the rank correlation of each metric with the ratings, in report and export."""
    label = statistic("spearman_rho").short_label
    tables = lxml.html.fromstring(html).xpath(f"//table[thead//th[normalize-space()='{label}']]")
    [table] = tables
    shown = {
        row.xpath("string(th)").strip(): row.xpath("td[last()]")[0].text_content().strip()
        for row in table.xpath("tbody/tr")
    }
    assert {"cer", "wer"} <= set(ranks[data.headline.dimension].by_metric)
    for dimension, finding in ranks.items():
        for metric, rho in finding.by_metric.items():
            [row] = [
                row
                for row in exported
                if (row["dimension"], row["statistic"], row["metric"])
                == (dimension, "spearman_rho", metric)
            ]
            is_of_the_table(row, rho)
            if dimension == data.headline.dimension:
                assert shown[str(METRICS[metric].title)] == rho_cell(rho)
