"""How much of a pool could not be read is told wherever the pool is."""

from ocrjury.cli import evaluation, main
from tests.tasks.conftest import QUIET

UNREAD = (
    "50.0% of the pool could not be used. 30 files or rows of the pool could not be read, or are "
    "references without OCR output; no number is about them."
)


def test_what_of_the_pool_could_not_be_read_is_told_everywhere_in_the_same_words(
    small, capsys, monkeypatch
):
    for row in small.pool[::2]:
        del row["hypothesis"]
    small.write(sampling={"n": 20}, rounds={"frontend": "file"}).open()
    monkeypatch.setattr(evaluation, "require_server", lambda: "http://127.0.0.1:4200/api")
    monkeypatch.setattr(evaluation, "start", lambda *_, **__: 0)

    assert UNREAD in printed(capsys, "campaign", "check", small.path)
    assert UNREAD in printed(capsys, "evaluation", "show", small.evaluation)
    assert UNREAD in printed(capsys, "evaluation", "open", small.path)
    assert UNREAD not in printed(capsys, "evaluation", "open", small.path, "--no-wait")
    monkeypatch.setattr(evaluation, "start", lambda *_, **__: 1)
    assert UNREAD not in printed(capsys, "evaluation", "open", small.path)


def printed(capsys, *words):
    main([str(word) for word in words])
    return " ".join(capsys.readouterr().out.split())


def test_a_report_tells_how_much_of_the_pool_could_not_be_read(small):
    for row in small.pool[::2]:
        del row["hypothesis"]

    small.rated_by_people("p", sampling={"n": 20}, **QUIET)

    data, text = small.report()
    assert data.sections["counted"].documents == data.sections["counted"].unread == 30
    statement, summary = UNREAD.split(". ", 1)[::-1]
    assert statement in text
    assert summary in text
