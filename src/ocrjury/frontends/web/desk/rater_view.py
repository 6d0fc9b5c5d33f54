"""The raters of the last round: how far they are, how late, how they rate."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from ocrjury.bias.phrases import behaviour
from ocrjury.campaign.config import Campaign
from ocrjury.estimate import Estimate
from ocrjury.findings.raters import BiasTests, Control
from ocrjury.frontends.web.desk.agreement_view import Stored
from ocrjury.frontends.web.desk.bodies import LevelsBody, RaterBody, RaterProfileBody
from ocrjury.frontends.web.site import Site
from ocrjury.store.database import Engine
from ocrjury.store.links import LinkRow, list_links
from ocrjury.store.raters import Activity, list_activity
from ocrjury.store.results import latest_findings
from ocrjury.store.rounds import RoundRow, list_rounds
from ocrjury.store.single_sign_on import list_shut_out

SLACK: Final = 0.15
"""So much of the round's work may be missing, of what its time would make one expect."""
Pace = Literal["done", "on pace", "behind", "late", "not started", "withdrawn"]
_OVER = ("done", "withdrawn")
LinkState = Literal["works", "expired", "revoked", "none"]


class Profile(NamedTuple):
    """How a rater rates on a dimension; `bars` are the shares of the levels, from 0 to 1."""

    dimension: str
    n_ratings: int
    mean: float | None
    severity: Estimate
    bars: Sequence[float]


class RaterProfile(NamedTuple):
    """A rater with the profiles of all dimensions, and what was found about them in words."""

    body: RaterBody | None
    rater: str
    profiles: Sequence[Profile]
    findings: Sequence[str]
    on_gold: Sequence[str]


def rater_bodies(site: Site, evaluation: str) -> list[RaterBody]:
    """Return the raters of the last round, those who are late first."""
    engine, now = site.store.engine, site.now()
    rounds = list_rounds(engine, evaluation)
    if not rounds:
        return []
    links = list_links(engine, evaluation)
    found = [
        _body(one, rounds[-1], [link for link in links if link.who == one.rater], now=now)
        for one in list_activity(engine, evaluation, rounds[-1].round)
    ]
    return sorted(found, key=lambda one: (one.pace != "late", one.rater))


def signed_in_by_proxy(site: Site, evaluation: str, bodies: Sequence[RaterBody]) -> set[str]:
    """Return the raters with something open who have no link, and need none: a proxy knows them."""
    rounds = list_rounds(site.store.engine, evaluation)
    without = {one.rater for one in bodies if one.link == "none" and one.pace not in _OVER}
    if not without or rounds[-1].frontend != "web":
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
    engine: Engine, evaluation: str, bodies: Sequence[RaterBody], *, stored: Stored | None
) -> list[RaterProfile]:
    """Return how everybody rates, as it was stored with the agreement."""
    by_rater = {one.rater: one for one in bodies}
    profiles = {} if stored is None else _profiles(stored)
    findings = _findings(engine, evaluation)
    gold = latest_findings(engine, evaluation, Control, kind="control")
    return [
        RaterProfile(
            by_rater.get(rater),
            rater,
            profiles.get(rater, []),
            findings.get(rater, []),
            _on_gold(gold, rater),
        )
        for rater in sorted({*by_rater, *profiles})
    ]


def profile_body(one: RaterProfile) -> RaterProfileBody:
    """Return a rater's profile for programs."""
    return RaterProfileBody(
        rater=one.rater,
        progress=one.body,
        levels=[
            LevelsBody(
                dimension=profile.dimension,
                num_ratings=profile.n_ratings,
                mean=profile.mean,
                severity=_number(profile.severity.value),
                severity_low=_number(profile.severity.low),
                severity_high=_number(profile.severity.high),
                shares=list(profile.bars),
            )
            for profile in one.profiles
        ],
        findings=list(one.findings),
        on_gold=list(one.on_gold),
    )


def dimension_titles(campaign: Campaign) -> dict[str, str]:
    """Return the title of every dimension in the campaign's language."""
    return {
        one.name: dict(one.title).get(campaign.language, one.name)
        for one in campaign.rubric.dimensions
    }


def _number(value: float) -> float | None:
    """Return a number, None where there is none."""
    return value if math.isfinite(value) else None


def _body(one: Activity, last: RoundRow, links: list[LinkRow], *, now: datetime) -> RaterBody:
    """Return one rater in the last round."""
    late = max((now - last.deadline).total_seconds() / 3600, 0.0)
    state, ends = _link(links, last.round, now=now)
    return RaterBody(
        rater=one.rater,
        done=one.done,
        asked=one.asked,
        withdrawn=one.withdrawn,
        pace=_pace(one, last, now=now),
        hours_late=late if one.open and last.state == "open" else 0.0,
        last_rating=one.last,
        link=state,
        link_ends=ends,
        last_seen=max((link.last_seen for link in links if link.last_seen), default=None),
    )


def _pace(one: Activity, last: RoundRow, *, now: datetime) -> Pace:
    """Return in a word how a rater is doing."""
    if not one.open:
        return "done" if one.done else "withdrawn"
    if now > last.deadline:
        return "late"
    whole = (last.deadline - last.opened_at).total_seconds()
    gone = (now - last.opened_at).total_seconds() / whole if whole > 0 else 1.0
    if one.done / one.asked >= gone - SLACK:
        return "on pace" if one.done or gone <= SLACK else "not started"
    return "behind" if one.done else "not started"


def _link(
    links: Sequence[LinkRow], number: int, *, now: datetime
) -> tuple[LinkState, datetime | None]:
    """State of a rater's newest link for a round, and when it ends or was revoked."""
    of_round = [link for link in links if link.round in (None, number)]
    if not of_round:
        return "none", None
    newest = max(of_round, key=lambda link: (link.revoked_at is None, link.created_at))
    return newest.state(now), newest.revoked_at or newest.ends_at


def _profiles(stored: Stored) -> dict[str, list[Profile]]:
    """Return the profiles by rater."""
    found: dict[str, list[Profile]] = {}
    for dimension, body in stored.bodies.items():
        severity = body.get("severity", {})
        for row in body.get("profiles", []):
            total = sum(row["counts"]) or 1
            found.setdefault(row["rater"], []).append(
                Profile(
                    dimension,
                    int(row["count"]),
                    row["mean"],
                    _severity(severity.get(row["rater"])),
                    [number / total for number in row["counts"]],
                )
            )
    return found


def _severity(body: Mapping[str, Any] | None) -> Estimate:
    """Return the severity that was stored, an undefined one without it."""
    if body is None:
        return Estimate(math.nan, reason="too_few_ratings")
    return Estimate.from_json(dict(body))


def _findings(engine: Engine, evaluation: str) -> dict[str, list[str]]:
    """Word what the tests for bias found about each rater."""
    tests = latest_findings(engine, evaluation, BiasTests, kind="bias").get("*", BiasTests())
    words: dict[str, list[str]] = {}
    for finding in tests.findings:
        if finding.flagged and finding.rater is not None:
            where = f" ({finding.dimension})" if finding.dimension else ""
            words.setdefault(str(finding.rater), []).append(
                f"{behaviour(finding.unit, finding.effect)}{where}"
            )
    return words


def _on_gold(controls: Mapping[str, Control], rater: str) -> list[str]:
    """Share of right ratings where the rating is known, dimension by dimension."""
    shares = {
        dimension: control.gold.raters[rater].share_equal
        for dimension, control in controls.items()
        if control.gold is not None and rater in control.gold.raters
    }
    return [f"{name}: {one.value:.0%} right on gold" for name, one in shares.items() if one.defined]
