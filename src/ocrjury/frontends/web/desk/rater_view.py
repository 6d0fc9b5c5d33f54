"""The raters of the last round: how far they are, how late, how they rate."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from ocrjury.bias.phrases import behaviour
from ocrjury.campaign.capabilities import RATING_PAGE
from ocrjury.estimate import Estimate
from ocrjury.findings.raters import Accuracies, BiasTests, Control
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.findings.severity_tolerance import is_outside, is_within, tolerance_of
from ocrjury.frontends.web.desk.agreement_view import Stored, finite
from ocrjury.frontends.web.desk.bodies import (
    LevelsBody,
    LinkState,
    MailingBody,
    Pace,
    RaterBody,
    RaterProfileBody,
    TimesBody,
)
from ocrjury.frontends.web.site import Site
from ocrjury.language import language, said, tr
from ocrjury.pages.numbers import has_interval, percent
from ocrjury.scales import Scale
from ocrjury.store.database import Engine
from ocrjury.store.link_requests import list_mailings
from ocrjury.store.links import LinkRow, list_links
from ocrjury.store.paces import RaterPace, rater_paces
from ocrjury.store.raters import Activity, list_activity
from ocrjury.store.results import latest_findings
from ocrjury.store.rounds import RoundRow, list_rounds
from ocrjury.store.single_sign_on import list_shut_out

SLACK: Final = 0.15
"""Share of the work that may be missing, relative to the time that has passed."""
_OVER = ("done", "withdrawn")


def rater_bodies(site: Site, evaluation: str) -> list[RaterBody]:
    """Raters of the last round, those who are late first."""
    engine, now = site.store.engine, site.now()
    rounds = list_rounds(engine, evaluation)
    if not rounds:
        return []
    links = list_links(engine, evaluation)
    bodies = [
        _body(row, rounds[-1], [link for link in links if link.who == row.rater], now=now)
        for row in list_activity(engine, evaluation, rounds[-1].round)
    ]
    return sorted(bodies, key=lambda body: (body.pace != "late", body.rater))


def signed_in_by_proxy(site: Site, evaluation: str, bodies: Sequence[RaterBody]) -> set[str]:
    """Raters with something open who have no link and need none, because a proxy knows them."""
    rounds = list_rounds(site.store.engine, evaluation)
    without = {body.rater for body in bodies if body.link == "none" and body.pace not in _OVER}
    if not without or rounds[-1].frontend != RATING_PAGE:
        return set()
    shut_out = list_shut_out(
        site.store.engine,
        evaluation,
        rounds[-1].round,
        now=site.now(),
        sign_on=site.sign_in_header is not None,
    )
    return without - set(shut_out)


def rater_profiles(
    site: Site, evaluation: str, bodies: Sequence[RaterBody], *, stored: Stored | None
) -> list[RaterProfileBody]:
    """Profiles of the raters, as stored with the agreement, and their pace."""
    engine = site.store.engine
    campaign = site.campaign(evaluation)
    hasty_seconds = campaign.rounds.page.hasty_seconds
    titles = campaign.rubric.titles(language())
    by_rater = {body.rater: body for body in bodies}
    levels = {} if stored is None else _levels(stored, campaign.rubric.scales)
    findings = _findings(engine, evaluation, titles)
    controls = latest_findings(engine, evaluation, Control, kind="control")
    paces = rater_paces(engine, evaluation)
    mailings = _mailings(engine, evaluation)
    return [
        RaterProfileBody(
            rater=rater,
            progress=by_rater.get(rater),
            levels=levels.get(rater, []),
            findings=findings.get(rater, []),
            on_gold=_on_gold(controls, rater, titles),
            on_repeats=_on_repeats(controls, rater, titles),
            times=_times(paces.get(rater), hasty_seconds=hasty_seconds),
            mailing=mailings.get(rater),
        )
        for rater in sorted({*by_rater, *levels})
    ]


def _mailings(engine: Engine, evaluation: str) -> dict[str, MailingBody]:
    """Outcome of the emails with links that leads asked for, in the last round."""
    rounds = list_rounds(engine, evaluation)
    mailings = list_mailings(engine, evaluation, rounds[-1].round) if rounds else {}
    return {
        rater: MailingBody.model_validate(
            {
                "state": mailing.state,
                "actor": mailing.request.actor,
                "at": mailing.at,
                "detail": mailing.detail,
            }
        )
        for rater, mailing in mailings.items()
    }


def _times(pace: RaterPace | None, *, hasty_seconds: float) -> TimesBody | None:
    """Times of a rater; None without any."""
    if pace is None:
        return None
    return TimesBody(
        items=pace.items,
        median_seconds=pace.seconds,
        hasty=pace.hasty,
        hasty_seconds=hasty_seconds,
    )


def _body(row: Activity, last: RoundRow, links: list[LinkRow], *, now: datetime) -> RaterBody:
    """Progress of one rater in the last round."""
    late = max((now - last.deadline).total_seconds() / 3600, 0.0)
    state, ends = _link(links, last.round, now=now)
    return RaterBody(
        rater=row.rater,
        done=row.done,
        asked=row.asked,
        withdrawn=row.withdrawn,
        pace=_pace(row, last, now=now),
        hours_late=late if row.open and last.state == "open" else 0.0,
        last_rating=row.last,
        link=state,
        link_ends=ends,
        last_seen=max((link.last_seen for link in links if link.last_seen), default=None),
    )


def _pace(row: Activity, last: RoundRow, *, now: datetime) -> Pace:
    """Pace of a rater, in a word."""
    if not row.open:
        return "done" if row.done else "withdrawn"
    if now > last.deadline:
        return "late"
    whole = (last.deadline - last.opened_at).total_seconds()
    gone = (now - last.opened_at).total_seconds() / whole if whole > 0 else 1.0
    if row.done / row.asked >= gone - SLACK:
        return "on pace" if row.done or gone <= SLACK else "not started"
    return "behind" if row.done else "not started"


def _link(
    links: Sequence[LinkRow], number: int, *, now: datetime
) -> tuple[LinkState, datetime | None]:
    """State of a rater's newest link for a round, and when it ends or was revoked."""
    of_round = [link for link in links if link.round in (None, number)]
    if not of_round:
        return "none", None
    newest = max(of_round, key=lambda link: (link.revoked_at is None, link.created_at))
    return newest.state(now), newest.revoked_at or newest.ends_at


def _levels(stored: Stored, scales: Mapping[str, Scale]) -> dict[str, list[LevelsBody]]:
    """Use of the scale on every dimension, by rater."""
    levels: dict[str, list[LevelsBody]] = {}
    for dimension, finding in stored.findings.items():
        n_known = sum(has_interval(row.severity) for row in finding.profiles)
        for row in finding.profiles:
            tolerance = tolerance_of(scales[dimension])
            total = sum(row.counts) or 1
            body = LevelsBody(
                dimension=dimension,
                num_ratings=row.count,
                mean=finite(row.mean.value),
                mean_low=finite(row.mean.low),
                mean_high=finite(row.mean.high),
                severity=finite(row.severity.value),
                severity_low=finite(row.severity.low),
                severity_high=finite(row.severity.high),
                outside=is_outside(row.severity, tolerance, of=n_known),
                within=is_within(row.severity, tolerance),
                shares=[number / total for number in row.counts],
            )
            levels.setdefault(row.rater, []).append(body)
    return levels


def _findings(engine: Engine, evaluation: str, titles: Mapping[str, str]) -> dict[str, list[str]]:
    """Word what the tests for bias found about each rater."""
    tests = latest_findings(engine, evaluation, BiasTests, kind="bias").get(
        ALL_DIMENSIONS, BiasTests()
    )
    words: dict[str, list[str]] = {}
    for finding in tests.findings:
        if finding.flagged and finding.rater is not None:
            what = said(behaviour(finding.unit, finding.effect))
            if finding.dimension:
                what = tr(
                    "{what} ({dimension})",
                    what=what,
                    dimension=titles.get(finding.dimension, finding.dimension),
                )
            words.setdefault(str(finding.rater), []).append(what)
    return words


def _on_gold(controls: Mapping[str, Control], rater: str, titles: Mapping[str, str]) -> list[str]:
    """Share of right ratings where the rating is known, dimension by dimension."""
    return [
        tr(
            "{name}: {share} right on gold",
            name=titles.get(name, name),
            share=percent(share.value, 0),
        )
        for name, share in _shares(
            {name: control.gold for name, control in controls.items()}, rater
        )
    ]


def _on_repeats(
    controls: Mapping[str, Control], rater: str, titles: Mapping[str, str]
) -> list[str]:
    """Share of items that a rater rated alike a second time, dimension by dimension."""
    return [
        tr(
            "{name}: {share} the same when rated again",
            name=titles.get(name, name),
            share=percent(share.value, 0),
        )
        for name, share in _shares(
            {name: control.second for name, control in controls.items()}, rater
        )
    ]


def _shares(
    accuracies: Mapping[str, Accuracies | None], rater: str
) -> Iterator[tuple[str, Estimate]]:
    """Yield the share of equal ratings of a rater on each dimension where it is defined."""
    for dimension, accuracy in accuracies.items():
        if accuracy is not None and rater in accuracy.raters:
            share = accuracy.raters[rater].share_equal
            if share.defined:
                yield dimension, share
