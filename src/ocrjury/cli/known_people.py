"""Comparison of a campaign's raters with those of the store, before an evaluation opens."""

from typing import TYPE_CHECKING

from ocrjury.campaign.settings import Settings
from ocrjury.cli.printing import remark
from ocrjury.cli.store_access import chosen_store, where
from ocrjury.errors import InputError, OcrjuryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ocrjury.campaign.registry import RaterEntry

NO_STORE = "there is none yet, so that no pseudonym is taken"


def compare_people(people: "Sequence[RaterEntry]", settings: Settings) -> str:
    """Compare raters with those of the store; return a phrase about it.

    The store is read only: none is made, and no tables are brought to another version.

    Raises
    ------
    InputError
        If a pseudonym already belongs to somebody else, as when the evaluation opens.
    """
    from ocrjury.store.database import FAILURES, make_engine, reading, revision_of
    from ocrjury.store.migrations import HEAD
    from ocrjury.store.raters import check_pseudonyms

    if not settings.store_exists:
        return NO_STORE
    try:
        engine = make_engine(settings.database_url)
        try:
            with reading(engine) as connection:
                revision = revision_of(connection)
                if revision == HEAD:
                    check_pseudonyms(connection, people)
        finally:
            engine.dispose()
    except InputError:
        remark(f"Store: {chosen_store(settings)}")
        raise
    except FAILURES as error:
        reason = str(error) if isinstance(error, OcrjuryError) else type(error).__name__
        return (
            f"{where(settings)} could not be read, so that pseudonyms were not compared: {reason}"
        )
    if revision is None:
        return NO_STORE
    if revision != HEAD:
        return f"{where(settings)} is of another version, so that pseudonyms were not compared"
    return f"{where(settings)}, where no pseudonym belongs to another person"
