"""Announcement of a report to a webhook, as on its cover; without document, rater or lead."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ocrjury.campaign.delivery_sections import Webhook
from ocrjury.estimate import Estimate
from ocrjury.findings.cover import Cover
from ocrjury.gate.verdict import VERDICT_WORDS
from ocrjury.language import said, tr
from ocrjury.pages.headline_words import headline_text

Body = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """A report and where it is; `link` is a web address, `published` a folder, if there is one."""

    campaign: str
    evaluation: str
    period: str
    version: int
    cover: Cover
    link: str | None = None
    published: str | None = None

    @property
    def title(self) -> str:
        """Title with the mark of a rehearsal."""
        title = self.cover.title
        return tr("[SIMULATED] {title}", title=title) if self.cover.simulated else title

    @property
    def facts(self) -> dict[str, str]:
        """Facts of the message by their label."""
        headline = self.cover.headline
        if headline is None:
            number = str(self.cover.withheld)
        else:
            number = tr("{name}: {text}", name=headline.caption, text=headline_text(headline))
        version = tr(
            "{evaluation}, version {version}", evaluation=self.evaluation, version=self.version
        )
        lines = {
            tr("Evaluation"): version,
            tr("Gate"): said(VERDICT_WORDS[self.cover.verdict]),
            tr("Headline"): number,
        }
        return {**lines, tr("Published"): self.published} if self.published else lines


def body_for(hook: Webhook, announcement: Announcement) -> Body:
    """Message in the form that a webhook takes, in the language of the moment."""
    return _FORMS[hook.kind](announcement)


def _slack(announcement: Announcement) -> Body:
    lines = [f"*{mrkdwn(announcement.title)}*", mrkdwn(announcement.cover.sentence)]
    lines += [
        tr("{name}: {text}", name=name, text=mrkdwn(text))
        for name, text in announcement.facts.items()
    ]
    lines += [f"<{announcement.link}|{tr('Open the report')}>"] if announcement.link else []
    return {"text": "\n".join(lines)}


def mrkdwn(text: str) -> str:
    """Text in which nothing is a link, a mention or a tag."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _teams(announcement: Announcement) -> Body:
    action = {"type": "Action.OpenUrl", "title": tr("Open the report"), "url": announcement.link}
    return teams_message(
        [
            {"type": "TextBlock", "text": announcement.title, "weight": "Bolder", "wrap": True},
            {"type": "TextBlock", "text": announcement.cover.sentence, "wrap": True},
            {
                "type": "FactSet",
                "facts": [
                    {"title": name, "value": text} for name, text in announcement.facts.items()
                ],
            },
        ],
        [action] if announcement.link else [],
    )


def teams_message(body: Sequence[object], actions: Sequence[object] = ()) -> Body:
    """Message to Teams: one card."""
    card: dict[str, object] = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": list(body),
    }
    if actions:
        card["actions"] = list(actions)
    kind = "application/vnd.microsoft.card.adaptive"
    return {"type": "message", "attachments": [{"contentType": kind, "content": card}]}


def _plain(announcement: Announcement) -> Body:
    cover, headline = announcement.cover, announcement.cover.headline
    estimate = None if headline is None else headline.estimate
    return {
        "event": "report",
        "campaign": announcement.campaign,
        "title": cover.title,
        "evaluation": announcement.evaluation,
        "period": announcement.period,
        "version": announcement.version,
        "simulated": cover.simulated,
        "verdict": cover.verdict,
        "outcome": cover.word,
        "sentence": cover.sentence,
        "headline": headline
        and estimate
        and {
            "dimension": headline.dimension,
            "caption": headline.caption,
            "share": headline.is_share,
            **_range_of(estimate),
            "without_gold": headline.uncorrected and _range_of(headline.uncorrected),
        },
        "withheld": cover.withheld,
        "link": announcement.link,
        "published": announcement.published,
    }


def _range_of(estimate: Estimate) -> Body:
    """Value and interval; null where there is none."""
    return {
        name: value if math.isfinite(value) else None
        for name in ("value", "low", "high")
        for value in [getattr(estimate, name)]
    }


_FORMS: Mapping[str, Callable[[Announcement], Body]] = {
    "slack": _slack,
    "teams": _teams,
    "json": _plain,
}
