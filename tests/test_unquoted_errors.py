"""No log and no state of a run quotes an error that is not ours: it may quote a document."""

import logging
import traceback

import pytest
from pydantic import BaseModel
from sqlalchemy.exc import OperationalError

from ocrjury import tasks
from ocrjury.errors import InputError
from ocrjury.signals.unquoted_errors import log_unquoted, unquoted, why

TEXT = "김철수 1,200원"  # what an error quotes


class Form(BaseModel):
    amount: int


def chained():
    try:
        int(TEXT)
    except ValueError as error:
        raise InputError("The pool has a row without an amount.") from error


def noted():
    try:
        {}[TEXT]
    except KeyError as error:
        error.add_note(f"row {TEXT}")
        raise


def raised(error):
    raise error


FAILING = {
    "ValueError": lambda: int(TEXT),
    "KeyError": noted,
    "UnicodeEncodeError": lambda: TEXT.encode("ascii"),
    "ValidationError": lambda: Form(amount=TEXT),
    "InputError": chained,
    "ExceptionGroup": lambda: raised(ExceptionGroup(TEXT, [ValueError(TEXT)])),
    "OperationalError": lambda: raised(OperationalError(TEXT, {"text": TEXT}, Exception(TEXT))),
}


def error_of(kind):
    with pytest.raises(Exception) as caught:  # noqa: PT011  # of all kinds
        FAILING[kind]()
    return caught.value


@pytest.fixture
def written(caplog):
    """What a plain log says, made without quotes."""
    before = logging.getLogRecordFactory()
    log_unquoted()
    caplog.handler.setFormatter(logging.Formatter("%(message)s"))
    yield lambda: caplog.text
    logging.setLogRecordFactory(before)


@pytest.mark.parametrize("kind", FAILING)
def test_a_plain_log_names_an_error_and_its_places(written, kind):
    logger = logging.getLogger("ocrjury.test")

    try:
        FAILING[kind]()
    except Exception as error:
        logger.exception("scoring failed: %s", error)  # noqa: TRY401  # as others write it
        logger.exception(f"scoring failed: {error}")  # noqa: G004, TRY401  # as others write it
        logger.warning("it said %r", error)
        logger.warning(error)

    assert TEXT not in written()
    assert "1,200" not in written()
    assert written().count(kind) >= 2
    assert "test_unquoted_errors.py" in written()
    assert ("The pool has a row without an amount." in written()) == (kind == "InputError")


@pytest.mark.parametrize("kind", FAILING)
def test_an_error_stays_one_of_its_kind_without_what_it_quotes(kind):
    error = error_of(kind)

    hidden = unquoted(error)

    assert type(hidden).__name__ == type(error).__name__ == kind
    assert hidden.__traceback__ is error.__traceback__
    assert TEXT not in "".join(traceback.format_exception(hidden))
    assert unquoted(hidden) is hidden
    assert kind in {"ValidationError", "ExceptionGroup"} or isinstance(hidden, type(error))


def test_an_error_of_ours_and_the_reason_of_a_system_stay():
    ours, system = InputError("Name a file."), FileNotFoundError(2, "No such file", TEXT)

    assert unquoted(ours) is ours
    assert (why(ours), why(system)) == ("Name a file.", "FileNotFoundError: No such file")
    assert str(unquoted(system)) == "No such file"


@pytest.mark.parametrize("is_run", [True, False])
def test_what_leaves_a_task_says_nothing_in_a_run(tmp_path, monkeypatch, is_run):
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path))
    monkeypatch.setattr(tasks, "is_run", lambda: is_run)

    with pytest.raises(ValueError, match=r"invalid literal|^$") as caught, tasks.at_work(new=True):
        int(TEXT)

    assert (TEXT in str(caught.value)) == (not is_run)
