"""Messages that a guide quotes, with what to do about them, are those that the code prints."""

import ast
import errno
import os
import re
from functools import cache
from pathlib import Path

import pytest

from tests.test_house import nodes

ROOT = Path(__file__).resolve().parents[1]
HEADS = ("message", "the sentence says")
LEFT_OUT = re.compile(r"'?\.\.\.'?|\b[A-Z]{4,}\b|(?<=\.) ")
"""What differs from case to case: three dots in a guide, or a word in capitals. Sentences are
looked for one by one, because a remedy often has a place of its own."""
VALUE = re.compile(r"\{\w*\}|%[sdr]")
OF_THE_SYSTEM = [os.strerror(number) for number in errno.errorcode]


def quoted_messages():
    """Messages in the first column of tables of messages, with the guide that holds each."""
    found = set()
    for guide in (ROOT / "docs").glob("*.md"):
        explains = False
        for line in guide.read_text("utf-8").splitlines():
            first = line.split("|")[1].strip() if line.startswith("|") else ""
            explains = bool(first) and (explains or first in HEADS)
            if explains:
                found |= {(guide.name, message) for message in re.findall(r"`([^`]+)`", first)}
    return sorted(found)


def constant_parts(message):
    """What of a message is the same in every case."""
    parts = (part.strip(" .") for part in LEFT_OUT.split(message))
    return [part for part in parts if part]


@cache
def texts_by_folder():
    """Every text in the code of a folder, with a mark where a value is put in."""
    texts = {}
    for folder in ("src/ocrjury", "tasks", "flows", "deployments"):
        for path in (ROOT / folder).rglob("*.py"):
            texts.setdefault(path.parent, []).extend(filter(None, map(text_of, nodes(path))))
    return texts


def text_of(node):
    """Text of a node that is one, None of others."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) or "\0" for part in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return VALUE.sub("\0", node.value)
    return None


def are_said(parts, texts):
    return all(any(part in text for text in (*texts, *OF_THE_SYSTEM)) for part in parts)


@pytest.mark.parametrize(("guide", "message"), quoted_messages())
def test_a_message_that_a_guide_explains_is_one_that_the_code_has(guide, message):
    parts = constant_parts(message)

    assert max(map(len, parts)) > 7, guide
    assert any(are_said(parts, texts) for texts in texts_by_folder().values())


def test_a_message_in_other_words_would_be_noticed():
    assert len(quoted_messages()) > 20
    parts = constant_parts("The store at ... is filled up.")
    assert parts == ["The store at", "is filled up"]
    assert not any(are_said(parts, texts) for texts in texts_by_folder().values())
