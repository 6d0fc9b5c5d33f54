"""From quotas to teams: which raters rate which item, each as often as the quotas say.

Item by item, whoever has as many ratings left as items are left must be chosen (which keeps the
quotas reachable, see `ocrjury.assignment.quotas`); free places go to the raters who met the team
least often so far. Thousands of like items are laid out in cycles instead, which numpy does at
once.
"""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from ocrjury.assignment.demand import Demand, Groups, Integers

Team = list[int]
Pairs = list[list[int]]
_MANY = 5000  # like items, above which cycles pay
_WINDOW = 16  # raters looked at for one free place
_MOST_STEPS = 2000  # distinct cycles laid out before they come again


def realise_quotas(
    demand: Demand, groups: Groups, quotas: Integers, *, pairs: Pairs, rng: np.random.Generator
) -> dict[int, Team]:
    """Return the team of every item that needs ratings; ``pairs`` then counts their meetings.

    Parameters
    ----------
    quotas
        Ratings of each rater in each group, shape (C, R).
    pairs
        How often two raters met on an item before, R rows of R; updated.
    """
    teams: dict[int, Team] = {}
    for group, members in enumerate(groups.members):
        places = rng.permutation(members)
        need, quota = int(groups.need[group]), quotas[group].copy()
        cycles = _cycles(len(places), need, quota, rng=rng)
        if cycles is not None and not any(demand.partners[place] for place in places):
            teams.update(zip(places.tolist(), cycles.tolist(), strict=False))
            places = places[len(cycles) :]
            quota -= np.bincount(cycles.ravel(), minlength=len(quota))
            _count_meetings(cycles, pairs)
        partners = [demand.partners[place] for place in places]
        one_by_one = _teams(need, quota.tolist(), partners=partners, pairs=pairs, rng=rng)
        teams.update(zip(places.tolist(), one_by_one, strict=True))
    return teams


def meet(pairs: Pairs, rater: int, others: Sequence[int], *, times: int) -> int:
    """Count meetings of a rater with others, or take them back; return the change of the squares.

    The change is that of half the sum of squared pair counts, which measures how unevenly raters
    meet each other.
    """
    change = 0
    own = pairs[rater]
    for other in others:
        change += times * (2 * own[other] + times)
        own[other] += times
        pairs[other][rater] += times
    return change


def _teams(
    need: int,
    quota: list[int],
    *,
    partners: list[tuple[int, ...]],
    pairs: Pairs,
    rng: np.random.Generator,
) -> list[Team]:
    """Return one team per item, using up the quotas."""
    live = [rater for rater, number in enumerate(quota) if number]
    teams = []
    for left, before in zip(range(len(partners), 0, -1), partners, strict=True):
        team = [rater for rater in live if quota[rater] == left]
        company = [*before, *team]
        while len(team) < need:
            others = [rater for rater in live if rater not in team]
            rater = _least_met(others, company, quota=quota, pairs=pairs, rng=rng)
            team.append(rater)
            company.append(rater)
        for place, rater in enumerate(team):
            quota[rater] -= 1
            meet(pairs, rater, [*before, *team[:place]], times=1)
        if not all(quota[rater] for rater in team):
            live = [rater for rater in live if quota[rater]]
        teams.append(team)
    return teams


def _least_met(
    raters: list[int],
    company: list[int],
    *,
    quota: list[int],
    pairs: Pairs,
    rng: np.random.Generator,
) -> int:
    """Return the rater who met the company least often; then who has most left; then by chance."""
    if len(raters) > _WINDOW:
        raters = [raters[place] for place in rng.choice(len(raters), _WINDOW, replace=False)]
    chance = rng.random(len(raters)).tolist()
    ranked = [
        (sum(pairs[rater][other] for other in company), -quota[rater], luck, rater)
        for rater, luck in zip(raters, chance, strict=True)
    ]
    return min(ranked)[-1]


def _cycles(n: int, need: int, quota: Integers, *, rng: np.random.Generator) -> Integers | None:
    """Return teams for most of n like items, shape (n', need); None where cycles do not fit.

    Raters stand in a circle; a team is a rater and those at fixed steps from them, and turning it
    once around the circle gives everyone ``need`` items. The steps run over all their choices.
    """
    raters = rng.permutation(np.flatnonzero(quota))
    n_raters = len(raters)
    even = n_raters > need and np.ptp(quota[raters]) <= 1
    turns = (n - 2 * n_raters) // max(n_raters, 1)
    if n < _MANY or need < 2 or not even or turns < 1:
        return None
    steps = _steps(n_raters, need, rng=rng)
    if turns % len(steps) * n_raters <= _MANY:  # whole rounds of steps are perfectly even
        turns = max(turns - turns % len(steps), 1)
    order = np.concatenate([rng.permutation(len(steps)) for _ in range(-(-turns // len(steps)))])
    circle = (steps[order[:turns], None, :] + np.arange(n_raters)[None, :, None]) % n_raters
    return rng.permutation(raters[circle.reshape(-1, need)])


def _steps(n_raters: int, need: int, *, rng: np.random.Generator) -> Integers:
    """Return distances of team members from the first, shape (steps, need)."""
    if math.comb(n_raters - 1, need - 1) <= _MOST_STEPS:
        others = np.array(list(itertools.combinations(range(1, n_raters), need - 1)))
    else:
        others = np.array(
            [1 + rng.choice(n_raters - 1, need - 1, replace=False) for _ in range(_MOST_STEPS)]
        )
    return np.column_stack([np.zeros(len(others), dtype=np.int64), others])


def _count_meetings(teams: Integers, pairs: Pairs) -> None:
    """Add the meetings within many teams at once."""
    n_raters = len(pairs)
    for a, b in itertools.permutations(range(teams.shape[1]), 2):
        met = np.bincount(teams[:, a] * n_raters + teams[:, b], minlength=n_raters**2)
        for rater, row in enumerate(met.reshape(n_raters, n_raters).tolist()):
            pairs[rater] = [old + new for old, new in zip(pairs[rater], row, strict=True)]
