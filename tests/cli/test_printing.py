import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ocrjury.cli import printing
from ocrjury.cli.printing import BAD, Cell, Column, right, table


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def watch(monkeypatch):
    """A function that puts a terminal in place of both streams."""

    def put():
        for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("TERM", "xterm-256color")
        screen = Terminal()
        monkeypatch.setattr("sys.stdout", screen)
        monkeypatch.setattr("sys.stderr", screen)
        return screen

    return put


COMMAND = "a\x1b]0;b\x07\x9b2J\u202e"


@pytest.mark.parametrize("terminal", [True, False])
def test_no_name_of_a_file_tells_the_terminal_anything(terminal, watch, capsys):
    screen = watch() if terminal else None
    for show in (printing.say, printing.remark, printing.heading):
        show(COMMAND)
    printing.fields([("x", COMMAND)])
    table((COMMAND, "x"), [(COMMAND, Cell(COMMAND, BAD))])
    printing.say_json({COMMAND: [COMMAND]})

    text = screen.getvalue() if terminal else "".join(capsys.readouterr())
    assert [sign for sign in ("\x1b]", "\x07", "\x9b", "\u202e") if sign in text] == []


def test_json_keeps_every_sign(capsys):
    printing.say_json({COMMAND: [COMMAND]})

    assert json.loads(capsys.readouterr().out) == {COMMAND: [COMMAND]}


def test_a_refusal_tells_the_terminal_nothing(run, tmp_path):
    path = tmp_path / "campaign.yaml"
    path.write_text('"\\e[31mkey": 1\n')

    assert "‹U+001B›[31mkey is not known" in run("campaign", "check", path).err


def test_columns_stay_aligned_under_wide_letters(capsys):
    table(("type", *right("n")), [("보험금청구서", "7"), ("form", "12")])

    lines = capsys.readouterr().out.splitlines()
    assert len({cell_len(line) for line in lines}) == 1
    assert lines[1] == "보험금청구서   7"


def test_plain_text_is_never_shortened_or_marked(capsys):
    table(("a", "b"), [("[bold]x[/]", Cell("y" * 300, BAD))])

    out = capsys.readouterr().out
    assert "[bold]x[/]" in out
    assert "y" * 300 in out
    assert "\x1b" not in out


def test_a_terminal_gets_colour_and_keeps_brackets(watch):
    terminal = watch()

    table(("a", Column("b", "right")), [("[bold]x[/]", Cell("FAIL", BAD))])

    drawn = terminal.getvalue()
    assert "[bold]x[/]" in drawn
    assert "\x1b[31m" in drawn


def test_no_color_is_honoured(watch, monkeypatch):
    terminal = watch()
    monkeypatch.setenv("NO_COLOR", "1")

    table(("a",), [(Cell("FAIL", BAD),)])

    assert "\x1b[31m" not in terminal.getvalue()


def test_progress_is_silent_where_nobody_watches(capsys):
    with printing.progress("Scoring", total=2) as tick:
        tick(2)

    assert capsys.readouterr() == ("", "")


def test_progress_and_waiting_move_on_a_terminal(watch):
    terminal = watch()

    with printing.progress("Scoring", total=2) as tick:
        tick(2)
    with printing.waiting("Waiting") as line:
        line.update("The run is Running", detail="3 s")

    assert "Scoring" in terminal.getvalue()
    assert "The run is Running  3 s" in terminal.getvalue()


def test_waiting_repeats_nothing_in_a_log(capsys):
    with printing.waiting("Waiting") as line:
        line.update("The run is Pending", detail="1 s")
        line.update("The run is Pending", detail="2 s")
        line.update("The run is Running", detail="3 s")

    assert capsys.readouterr().err == "The run is Pending\nThe run is Running\n"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(), inside, max_size=4),
)


@given(JSON)
def test_json_is_that_of_the_standard_library(value):
    text = []

    printing._append_json(text, value, "\n")

    expected = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    assert "".join(text) == expected
