"""Who of the open round cannot rate yet."""

from ocrjury.campaign.settings import Settings
from ocrjury.evaluation.case import Case
from ocrjury.store.single_sign_on import list_shut_out


def uninvited_raters(case: Case) -> list[str]:
    """Raters of the last round who have no way to the rating page yet."""
    last = case.rounds[-1]
    if last.frontend != "web":
        return []
    sign_on = Settings.from_environment().sign_in_header is not None
    engine, now = case.work.engine, case.work.now
    return list_shut_out(engine, case.name, last.round, now=now, sign_on=sign_on)
