"""What is said about templates of a campaign before anything is printed with them."""

import pytest

from ocrjury.pages.own_problems import Given, blocks, problems, replaced

EXTENDS = '{% extends "ocrjury/report/summary.html.j2" %}\n'


def look(path):
    return f"{path[-1]} is odd." if path[-1] == "odd" else None


def found(text, file="summary.html.j2"):
    return problems({file: text}, Given("report", ("report", "say"), look))


def in_block(text):
    return found(EXTENDS + "{% block lead %}\n" + text + "{% endblock %}")


@pytest.mark.parametrize(
    "text",
    [
        "{% block lead %}{{ super() }}<p>{{ say.x(report.y) }}</p>{% endblock %}",
        '{% block lead %}{% from "shared/gauge.svg.j2" import gauge %}{{ gauge() }}{% endblock %}',
        (
            "{% block lead %}{% set a = 1 %}{% for b in [a] if b is odd %}{{ b }}{% endfor %}\n"
            "{% endblock %}{# said elsewhere #}{% block end %}{{ self.lead() }}{% endblock %}"
        ),
        "",
    ],
)
def test_nothing_is_said_of_what_can_be_printed(text):
    assert found(EXTENDS + text) == []


def test_names_of_our_own_template_are_known_in_its_blocks():
    text = '{% extends "ocrjury/report/scores.html.j2" %}{% block end %}{{ scores }}{% endblock %}'

    assert found(text, "scores.html.j2") == []
    assert "nothing is called 'scores'" in in_block("{{ scores }}")[0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            EXTENDS + "{% block leed %}{% endblock %}",
            (
                "line 2: there is no block 'leed'; there are lead, findings, steps, end. Did you "
                "mean 'lead'?"
            ),
        ),
        (
            EXTENDS + "{% block lead %}\n{{ }}{% endblock %}",
            "line 3: this is not Jinja (Expected an expression, got 'end of print statement').",
        ),
        (
            EXTENDS + "{% block lead %}",
            (
                "line 2: this is not Jinja (Unexpected end of template. Jinja was looking for the "
                "following tags: 'endblock'. The innermost block that needs to be closed is "
                "'block')."
            ),
        ),
        (
            EXTENDS + "{% block lead %}{% endblock %}\n{% block lead %}{% endblock %}",
            "line 3: this is not Jinja (block 'lead' defined twice).",
        ),
        (
            "<p>x</p>",
            'line 1: it has to begin with {% extends "ocrjury/report/summary.html.j2" %}.',
        ),
        (
            '{% extends "ocrjury/report/cover.html.j2" %}',
            'line 1: it has to begin with {% extends "ocrjury/report/summary.html.j2" %}.',
        ),
        ("", 'line 1: it has to begin with {% extends "ocrjury/report/summary.html.j2" %}.'),
        (
            EXTENDS + "\nlost",
            "line 3: this stands outside of a block, where nothing is printed.",
        ),
        (
            EXTENDS + "{% set report = 1 %}",
            "line 2: this stands outside of a block, where nothing is printed.",
        ),
    ],
)
def test_a_refusal_has_the_file_and_the_line(text, sentence):
    (said,) = found(text)

    assert said == f"summary.html.j2, {sentence}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "{{ reprot.x }}",
            (
                "nothing is called 'reprot'; a block knows report, say and functions such as "
                "language(). Did you mean 'report'?"
            ),
        ),
        ("{{ report.a.odd }}", "odd is odd."),
        ("{{ say.f(report.odd) }}", "odd is odd."),
        ("{{ 'x'|safe }}", "escaping stays on; take |safe out."),
        ("{{ 'x'|urlize }}", "escaping stays on; take |urlize out."),
        ("{{ {}|xmlattr }}", "escaping stays on; take |xmlattr out."),
        ("{% filter upper %}x{% endfilter %}", "escaping stays on; use no filter on what tags"),
        ("{% set x|striptags %}&lt;i>{% endset %}", "escaping stays on; use no filter on what"),
        ("{% autoescape false %}{% endautoescape %}", "escaping stays on; take {% autoescape %}"),
        ("{% if 0 %}{{ 1|persent }}{% endif %}", "there is no filter 'persent'; there are "),
        ("{{ 1 is evn }}", "there is no test 'evn'; there are "),
        ("{% include '/etc/hostname' %}", "a block takes nothing but what is in shared/."),
        ("{% include report.x %}", "a block takes nothing but what is in shared/."),
        ("{% import 'shared/gauge.j2' as g %}", "Did you mean 'shared/gauge.svg.j2'?"),
        ("{% from 'report/cover.html.j2' import key %}", "a block takes nothing but what is in"),
        ("<style></style>", "<style> has no place in a block; there may be a, b, "),
    ],
)
def test_what_a_block_cannot_have_is_refused(text, sentence):
    said = in_block(text)[0]

    assert said.startswith("summary.html.j2, line 3: ")
    assert sentence in said


def test_a_file_that_replaces_nothing_of_ours_is_refused_by_its_name():
    (said,) = found(EXTENDS, "sumary.html.j2")

    assert said.startswith("sumary.html.j2, line 1: there is no template 'sumary.html.j2'; there ")
    assert said.endswith("Did you mean 'summary.html.j2'?")


def test_all_problems_of_all_files_are_listed():
    bad = EXTENDS + "{% block a %}{{ b }}{% endblock %}"

    said = problems({"summary.html.j2": bad, "x": ""}, Given("report", ("report",), look))

    assert [one.partition(":")[0] for one in said] == [
        "summary.html.j2, line 2",
        "summary.html.j2, line 2",
        "x, line 1",
    ]


def test_blocks_are_told():
    assert blocks("report")["summary.html.j2"] == ("lead", "findings", "steps", "end")
    assert "head.html.j2" not in blocks("report")
    assert replaced(EXTENDS + "{% block end %}{% endblock %}") == ("end",)
