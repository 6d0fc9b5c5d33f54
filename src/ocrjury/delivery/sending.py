"""Send an email once, however many processes want to: the one that claims it in the store sends."""

from collections.abc import Callable
from datetime import datetime

from ocrjury.delivery.mail import Delivery
from ocrjury.store.database import Engine
from ocrjury.store.sendings import ATTEMPTS, Mail, claim_mail, settle


def send_once(
    engine: Engine,
    mail: Mail,
    send: Callable[[], Delivery],
    *,
    now: datetime,
    limit: int | None = ATTEMPTS,
) -> Delivery | None:
    """Send an email and keep in the ledger what became of it.

    A process that is killed between the two leaves a claim behind; once that is old enough, the
    next process sends again, with the same id of the message, by which mail programs know a second
    copy. So an email may come twice after a crash, but is never lost.

    Parameters
    ----------
    send
        What hands the email in; it is ready, so that nothing but the mail server can fail.
    now, limit
        As in `ocrjury.store.sendings.claim_mail`.

    Returns
    -------
    Delivery or None
        None if it was sent before, another process is sending it, or it was given up.

    Raises
    ------
    LostRaceError
        If it took so long that another process sent it meanwhile.
    """
    claim = claim_mail(engine, mail, now=now, limit=limit)
    if claim is None:
        return None
    sent = send()
    settle(engine, claim, state=sent.state, detail=sent.detail, now=now)
    return sent
