"""What HTML may stand in a block of a campaign."""

import pytest
from jinja2 import Environment

from ocrjury.pages.own_markup import markup_problems


def found(text):
    return markup_problems(Environment(autoescape=True).parse(text).body)


@pytest.mark.parametrize(
    "text",
    [
        '<p class="lead small" lang="ko">a &amp; b<br>{{ x }} &lt; 3 < 4</p>',
        '<a href="https://example.org/{{ x }}" title="{{ y }}">x</a>',
        "<ul>{% for x in y %}<li>{{ x }}</li>{% else %}<li>-</li>{% endfor %}</ul>",
        "{% if a %}<p>a</p>{% elif b %}<p>b</p>{% else %}c{% endif %}",
        "<table><tr><td colspan='2'>{% set x %}<b>y</b>{% endset %}</td></tr></table>",
        "{# <style> #}",
    ],
)
def test_words_lists_and_tables_are_taken(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\n<style>p { display: none }</style>", 2, "<style> has no place in a block; there may"),
        ("a\n\n<script>", 3, "<script> has no place in a block"),
        ("<section>", 1, "<section> has no place in a block"),
        ("<img src='x'>", 1, "<img> has no place in a block"),
        ("<{{ 'style' }}>", 1, "<{{ }}> has no place in a block"),
        ("<p{{ x }}>a</p>", 1, "<{{ }}> has no place in a block"),
        ("<p\n style='color: white'>a</p>", 1, "style of <p> has no place in a block; there may"),
        ("<p onclick='x'>a</p>", 1, "onclick of <p> has no place"),
        ("<p {{ x }}>a</p>", 1, "{{ }} of <p> has no place"),
        ("<p class={{ x }}>a</p>", 1, "{{ }} of <p> has no place"),
        ("<p class='{{ x }}'>a</p>", 1, "{{ }} is no class of a block; there may be big, "),
        ("<p class='lead mark'>a</p>", 1, "mark is no class of a block"),
        ("<a href='file:///etc/passwd'>a</a>", 1, "an address begins with #, https://, mailto:."),
        ("<a href='{{ x }}'>a</a>", 1, "an address begins with"),
        ("<p>a\n<!-- b --></p>", 2, "<!-- --> has no place in a block; write {# #}."),
        ("<!doctype html>", 1, "<!doctype html> has no place"),
        ("<?php x?>", 1, "<php x?> has no place"),
        ("<p>\n<b>a</p>", 2, "</p> closes nothing here."),
        ("\n<p>a", 2, "<p> is not closed in the same block, branch or loop."),
        ("a</section>", 1, "</section> closes nothing here."),
        ("{% if a %}<p>{% endif %}</p>", 1, "<p> is not closed in the same block, branch or loop."),
        (
            "<p {% if a %}class='lead'{% endif %}>a</p>",
            1,
            "a tag has to be complete before {% … %}.",
        ),
        ("<p title='a", 1, "a tag is not complete."),
        ("{% macro m() %}<style>{% endmacro %}", 1, "<style> has no place"),
        ("{% set x %}<style>{% endset %}", 1, "<style> has no place"),
    ],
)
def test_what_hides_moves_or_fetches_is_refused(text, line, message):
    told = [problem for problem in found(text) if message in problem.message]

    assert told
    assert told[0].line == line
