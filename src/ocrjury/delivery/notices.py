"""Tell a lead once, by email and webhook, that an evaluation is held, late, stuck or reported."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.decisions import LATE
from ocrjury.campaign.delivery_sections import Webhook
from ocrjury.campaign.history import FINAL_STATES
from ocrjury.campaign.settings import Settings
from ocrjury.delivery.announcements import mrkdwn, teams_message
from ocrjury.delivery.mail import compose, message_id, send_once, server_of
from ocrjury.delivery.webhooks import post
from ocrjury.evaluation.case import Case, Work
from ocrjury.language import said, speaking, tr
from ocrjury.store.moves import list_moves
from ocrjury.store.reports import list_deliveries
from ocrjury.store.sendings import Sending, claim_sending, settle

WHAT = "notice"
News = Literal["held", "overdue", "stuck", "unopened", "failed", "reported"]


class Concerned(Protocol):
    """Subject of a notice: a `Case`, or a campaign before its first evaluation."""

    @property
    def work(self) -> Work:
        """Store whose ledger has what was sent."""

    @property
    def campaign(self) -> Campaign:
        """Settings with the people to be told."""

    @property
    def name(self) -> str:
        """Name of the evaluation or campaign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Notice to a lead about an evaluation.

    `detail` is the reason. That no further one was opened is news of the newest one. One `key` of
    one `owner`, the evaluation unless given, is the same news.
    """

    news: News
    evaluation: str
    title: str
    detail: str
    key: str
    owner: str = ""
    simulated: bool = False

    @property
    def subject(self) -> str:
        """Line that says it, in the language of the moment."""
        facts = {"title": self.title, "evaluation": self.evaluation}
        subject = {
            "held": lambda: tr("{title}: {evaluation} is held and waits for a decision", **facts),
            "overdue": lambda: tr(
                "{title}: {evaluation} is overdue and waits for a decision", **facts
            ),
            "stuck": lambda: tr(
                "{title}: {evaluation} does not go on, because a run is stuck", **facts
            ),
            "unopened": lambda: tr("{title}: no new evaluation was opened", **facts),
            "failed": lambda: tr("{title}: {evaluation} failed", **facts),
            "reported": lambda: tr("{title}: {evaluation} is reported", **facts),
        }[self.news]()
        return tr("[SIMULATED] {title}", title=subject) if self.simulated else subject

    @property
    def advice(self) -> str:
        """Remedy, with the address at the desk or the command."""
        site = Settings.from_environment().rating_url
        name = "" if self.news == "unopened" else self.evaluation
        if site is not None:
            return tr("At the desk: {address}", address=f"{site}/desk/{name}".rstrip("/"))
        command = f"ocrjury evaluation show {name}" if name else "ocrjury status"
        return tr("Command: {command}", command=command)


def notice_of(case: Case, *, failure: str | None = None) -> Notice | None:
    """Notice of an evaluation's state, or of a failure; None if there is no news."""
    row, history = case.row, case.standing.history
    if failure is not None:
        news: News = "failed"
    elif history.state == "held":
        news = "overdue" if row.held_reason in LATE else "held"
    elif history.state in FINAL_STATES and history.state != "aborted":
        news = "reported"
    else:
        return None
    detail = failure or row.held_detail or row.held_reason or ""
    # An excluded item changes the version too, and is no news of this kind.
    moved = list_moves(case.work.engine, case.name)[-1]
    return make_notice(case, news, detail=detail, key=str(moved.version))


def make_notice(of: Concerned, news: News, *, detail: str, key: str, owner: str = "") -> Notice:
    """News of an evaluation; the same `key` of one `owner` is told once."""
    identity = f"{owner or of.name}\n{news}\n{key}"
    return Notice(
        news=news,
        evaluation=of.name,
        title=" ".join(of.campaign.title.split()),
        detail=detail,
        key=hashlib.sha256(identity.encode()).hexdigest(),
        owner=owner,
        simulated=of.campaign.simulated,
    )


def is_told(of: Concerned, notice: Notice) -> bool:
    """Return whether each receiver was told, or given up."""
    settled = {
        line.message_id
        for line in list_deliveries(of.work.engine, of.name)
        if line.state in ("sent", "given_up")
    }
    return all(sending.message_id in settled for sending in _sendings(of, notice))


def tell(of: Concerned, notice: Notice) -> None:
    """Tell everybody who was not told yet; what fails is tried again by the next run."""
    section, settings = of.campaign.report, Settings.from_environment()
    with speaking(of.campaign.language):
        for sending in _sendings(of, notice):
            now = settings.now()  # those before may have waited long for a mail server
            if sending.what == WHAT:
                server = server_of(section.mail)
                message = compose(
                    notice.subject,
                    "\n\n".join(filter(None, (notice.subject, said(notice.detail), notice.advice))),
                    recipient=sending.recipient,
                    identity=sending.message_id,
                    server=server,
                    now=now,
                )
                send_once(of.work.engine, sending, message, server=server, now=now)
            else:
                hook = next(
                    webhook for webhook in section.webhooks if webhook.name == sending.recipient
                )
                _post(of, notice, hook=hook, sending=sending)


def _sendings(of: Concerned, notice: Notice) -> Iterator[Sending]:
    """Messages of a notice: emails to leads, and a post to every webhook for all reports."""
    section, owner = of.campaign.report, notice.owner or of.name
    leads = section.leads_told
    if notice.news == "reported":  # whoever gets the report needs no news of it
        leads = tuple(address for address in leads if not section.is_recipient(address))
    else:
        for hook in section.webhooks:
            if hook.when is None:
                identity = message_id(owner, notice.key, hook.name, domain="webhook.invalid")
                yield Sending(of.name, identity, "webhook", hook.name, notice.key)
    if section.mail is not None:
        domain = server_of(section.mail).domain
        for lead in leads:
            identity = message_id(owner, notice.key, lead, domain=domain)
            yield Sending(of.name, identity, WHAT, lead, notice.key)


def _post(of: Concerned, notice: Notice, *, hook: Webhook, sending: Sending) -> None:
    """Post a notice to a webhook unless another process does."""
    engine, now = of.work.engine, Settings.from_environment().now()
    claim = claim_sending(engine, sending, now=now)
    if claim is not None:
        identity = sending.message_id.strip("<>")
        ended = post(hook, _body(hook, notice), identity=identity)
        settle(engine, claim, state=ended.state, detail=ended.detail, now=now)


def _body(hook: Webhook, notice: Notice) -> Mapping[str, object]:
    """Message in the form that a webhook takes; no detail, which may hold names of raters."""
    if hook.kind == "json":
        facts = {"evaluation": notice.evaluation, "title": notice.title}
        return {"event": notice.news, **facts, "simulated": notice.simulated}
    if hook.kind == "teams":
        lines = (notice.subject, notice.advice)
        return teams_message([{"type": "TextBlock", "text": text, "wrap": True} for text in lines])
    return {"text": f"{mrkdwn(notice.subject)}\n{mrkdwn(notice.advice)}"}
