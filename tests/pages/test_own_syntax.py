"""No expression in a block that somebody brings makes HTML, or work without an end."""

import pytest
from jinja2 import TemplateError
from markupsafe import Markup

from ocrjury.pages import own_work
from ocrjury.pages.own_templates import sandbox

SIGNS = "{% set lt %} < {% endset %}{% set gt %} > {% endset %}{% set b %}<b>x</b>{% endset %}"
QUOTES = "{% set q %}<b title=' style=color:white '>x</b>{% endset %}"


def printed(text, **context):
    """Print a block of a template that is not ours."""
    made = sandbox("report", (("x.html.j2", f"{{% block x %}}{text}{{% endblock %}}"),))
    return made.get_template("report/x.html.j2").render({"_failures": [], **context})


@pytest.mark.parametrize(
    "expression",
    [
        "['<i>']|map('safe')|first",
        "'javascript:x'|urlize(extra_schemes=['javascript:'])",
        "'https://example.org'|urlize",
        "{'style': 'x'}|xmlattr",
        "lt|trim ~ 'i' ~ gt|trim",
        "[lt]|map('trim')|first ~ 'i>'",
        "{lt: 1}|map('trim')|first ~ 'i>'",
        "lt[1:2] ~ 'i>'",
        "lt.strip() ~ 'i>'",
        "lt['strip']() ~ 'i>'",
        "(lt|attr('strip'))() ~ 'i>'",
        "lt|replace(' ', '') ~ 'i>'",
        "'x'|replace('x', lt|trim) ~ 'i>'",
        "b[:2] ~ 'i>'",
        "b[0] ~ 'i>'",
        "b|first ~ 'i>'",
        "b|reverse",
        "b|truncate(3, true, '')",
        "b.format()",
        "b.join(['', 'i>'])",
        "(b % ())[:1] ~ 'i>'",
        "'%ci>' % 60",
        "percent % 60 ~ 'i>'",
        "b|upper|lower|center(9)|indent|wordwrap(2)",
        "[lt|trim, 'i>']|join",
        "paragraph([lt|trim, 'i>'])",
        "listing([lt[1], 'i>'])",
        "tr('{x}i>', x=lt|trim)",
        "lt|striptags ~ 'i>'",
        "b.unescape()",
        "super|default(lt)|trim ~ 'i>'",
    ],
)
def test_no_expression_makes_a_tag(expression):
    percent = "{% set percent %}%c{% endset %}"
    try:
        page = printed(SIGNS + percent + "[{{ " + expression + " }}]")
    except (TemplateError, TypeError, AttributeError):
        return  # the page keeps our block

    assert "<" not in page.replace("<b>x</b>", "")


@pytest.mark.parametrize("text", ['<p title="{{ q }}">', "<p title='{{ q }}'>"])
def test_no_markup_leaves_an_attribute(text):
    page = printed(QUOTES + text + "</p>")

    assert page.count("<") == 2
    assert page.count('"' if '"' in text else "'") == 2


def test_markup_that_stays_whole_is_printed():
    text = "{% set b %}<b>x</b>{% endset %}{% macro m() %}<i>{{ caller() }}</i>{% endmacro %}"

    page = printed(text + "{{ b ~ ', ' ~ b }}{% call m() %}{{ b }}{% endcall %} 3 < 4 & {{ '<' }}")

    assert page == "<b>x</b>, <b>x</b><i><b>x</b></i> 3 &lt; 4 & &lt;"


TURNS = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"
CALLS = "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(30) }}"
GROWS = "{% set g = namespace(x='xx') %}{% for a in range(60) %}{% set g.x = STEP %}{% endfor %}"


@pytest.mark.parametrize(
    "text",
    [
        TURNS,
        CALLS,
        GROWS.replace("STEP", "g.x ~ g.x"),
        GROWS.replace("STEP", "g.x + g.x"),
        GROWS.replace("STEP", "g.x * 9"),
        GROWS.replace("STEP", "g.x|replace('x', 'xx')"),
        GROWS.replace("STEP", "g.x.replace('x', 'xx')"),
        GROWS.replace("STEP", "[g.x, g.x]|join"),
        GROWS.replace("STEP", "'%s%s' % (g.x, g.x)"),
        GROWS.replace("STEP", "'%s%s'|format(g.x, g.x)"),
        GROWS.replace("STEP", "'{0}{0}'.format(g.x)"),
        GROWS.replace("'xx'", "[1, 2]").replace("STEP", "g.x + g.x"),
        GROWS.replace("'xx'", "[1, 2]").replace("STEP", "g.x * 2"),
        GROWS.replace("'xx'", "9").replace("STEP", "g.x * g.x"),
        "{{ 9 ** (9 ** 9) }}",
        "{{ 'x' * (9 ** 12) }}",
        "{{ 'x'.ljust(9 ** 12) }}",
        "{{ 'x'|center(9 ** 12) }}",
        "{{ 'x'|center(9999999999) }}",
        "{{ '%9999999999d'|format(1) }}",
        "{{ '%999999999999d' % 1 }}",
        "{{ '%*d'|format(9 ** 12, 1) }}",
        "{{ '{:999999999999}'.format(1) }}",
        "{{ '{:{}}'.format(1, 9 ** 12) }}",
        "{{ '\t'.expandtabs(9 ** 12) }}",
        "{{ lipsum(n=999999) }}",
    ],
)
def test_no_block_works_without_an_end(text, monkeypatch):
    monkeypatch.setattr(own_work, "MOST", 5_000_000)

    with pytest.raises(TemplateError):
        printed(text)


def test_what_a_block_is_given_counts_as_work_of_nobody_else():
    assert printed("{{ x[:9] }}", x="y" * 10**8) == "y" * 9
    assert printed("{{ x }}", x=Markup("<p>")) == "<p>"
