"""What was tried for the default of truth inference: one change at a time, on other seeds.

.venv/bin/python -m benchmarks.truth_tries

prints the section that `benchmarks.truth_quality` adds to its results.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmarks.truth_sets import PER_ITEM, Case, cases, errors_of, key_of
from benchmarks.truth_verdicts import LEAST
from ocrjury.truth import Truth, dawid_skene
from ocrjury.truth import dawid_skene_model as model
from ocrjury.truth import rating_dependence as dependence
from ocrjury.truth import rating_weight as weight
from ocrjury.truth import typical_errors as errors

FIRST_SEED, SEEDS = 5000, 6
WORSE = 0.002
BEFORE, NOW = "hierarchical", "the default"
ROOT, NOW_WEIGHTS = 0.5, weight.rating_weights


SHOWN = """### What the ratings do not show

The goals pull in two directions. Two and three ratings look alike whether raters err independently,
as on most simulated names, or together, as on the public sets. Labels of the first kind then have
too little confidence, of the second too much; a weight that helps one costs the other as much.

* **Where the excess calibration error stands**: at two and three ratings it is too much confidence
  on faces and feelings, and too little on simulated names with errors that do not depend on each
  other, most of all in crowds.
* **The likelihood of left-out ratings** chooses weights near 1 for two to five ratings on nearly
  every set, and weights of .15 to .65 fit the known labels of the public sets best: it rewards the
  prediction of what raters agree on. What does tell is how much prediction loses with lower
  weights, against the loss that independence would expect, if all raters have the *typical*
  confusion matrix. From four ratings on that ratio is .9 to 1.2 on simulated independent ratings
  and -2.4 to .6 on all others. With the raters' own matrices it told from eight on, and not on
  ordered scales.
* **Which class prior** holds is not in the ratings either. On faces and feelings the shares of the
  ratings are not those of the labels; in simulations they are too flat rather than too uneven.

### Where the default lost, and why

With a root on all scales and a power of .75 on all class priors, six cells were worse beyond two
standard errors: three against hierarchical in Brier score (alike at 5 and 10, careless at 10), one
in MAE (dog at 5), and two against majority (faces at 10 in Brier score, weather at 10 in MAE). Of
these Holm's method left faces: +.0315 ± .0097, p = .0006.

* **Faces at 10**: 193 of 584 labels are wrong for the default and for the majority alike; there the
  default had a confidence of .81, shares of votes .68. Whole crowds see the same wrong category, so
  a tenth rating tells less than the root says. With a bound on what ratings tell, n / (1 + (n - 1)
  r) independent ones on three or more categories, it has .75. r = .366 follows from the root: then
  three ratings weigh as before. Chosen from .2 to .6 by the Brier score at five and ten ratings, r
  is .25 on the simulated names alone, .37 to .40 on them with dogs and weather, .45 to .50 on them
  with faces and one other set. A set that was left out has these scores at ten ratings: faces .545
  with the root, .545 with .25, .511 with .366, .504 with .4; weather .256 with the root, .247 with
  .5; dogs .261 with the root, .252 with .45. All sets were looked at before the bound was chosen.
* **Weather at 10**: 7 of 300 labels are wrong only for the default, 3 only for the majority. Over
  draws of ratings the difference is 5.7 standard errors, over items 2.0: other ratings of the same
  300 items are not other items.
* **Alike and careless**: raters who are alike get matrices that differ by chance; one matrix for
  all is .002 better at ten ratings, and .020 to .034 worse on careless and uneven raters. About a
  quarter of the loss came from the class prior: its power is now up to 1 on ordered scales, which
  the public set of feelings does not notice, because its raters are right too seldom; so only
  simulated sets speak for it. On faces the same rule would cost .01 at two and three ratings, and
  names keep .75. Stronger shrinkage of the kinds (15 to 60 ratings
  instead of 7), of the departures (6 and 12 times instead of 3) and of the raters (100 instead of
  50) does not help there and hurts uneven raters and crowds.
* **Two categories** keep the root: with the bound hard items at ten ratings are .003 to .006 worse
  than hierarchical, and no public set with two categories was at hand.
* **What was left** with the bound and the present power was not all chance. On 30 other seeds (from
  8000) alike at 5 was worse by .0018 ± .0003 and at 10 by .0008 ± .0003; careless at 10 and the MAE
  of severe at 5 were better. The mean of the raters' mixtures of kinds was less sure than the
  typical rater, whom both estimate; raters are now centred halfway between the two (decision 43).
  What is missed since is MAE of dogs at 5 (one or two labels in 800) and of weather at 10 against
  the majority (one in 90 labels). Neither stands by Holm's method, and twelve seeds have little
  power to find losses of this size.
* **Sets as a whole**: dogs alone has fewer right labels, one in 700 on the twelve seeds and one in
  900 on sixty others. That is 4 to 5 standard errors over draws of ratings and 1.4 to 1.7 over
  items. Other class priors were looked at on dogs and weather, which are test sets: uniform has
  +.0002 on dogs and +.0095 on weather, shares of votes +.0011 and -.0030. None was taken for one
  label.

### Public sets held out

The constants of the class prior's power and of the probability of independence, chosen on all
sets but one by the Brier score and used on that one, with a root on all scales. Three other seeds;
ECE at two, three ratings.

| set | with the constants of the others | with those of the default |
|---|--:|--:|
| n_face | .196, .221 | .181, .204 |
| dog | .042, .055 | .040, .048 |
| cf_amt | .049, .063 | .051, .065 |
| emotion5 | .263, .235 | .135, .112 |

So the gain on feelings, and .007 of the mean over all sets, rest on one rule that this set
suggested: shares count less where raters agree more by one answer to everything than by being
right. With the constants of the others the mean would be .088. On skewed simulated
ratings with random errors the rule costs nothing while raters are right in a third of the answers
beyond chance, and .01 in Brier score if they are in a fifth.

### What was tried
"""

GIVEN_UP = """
* **Shares of votes mixed in** from five dependent ratings on, one part in five: .02 better on faces
  at ten ratings with the root, .005 to .01 worse on simulated levels. With the bound one part in
  ten adds .003 on faces and .004 on weather, and the probabilities are no longer those that
  predictions of the next rating's value assume.
* **The mean of the raters' matrices and those of hierarchical** takes half of the loss on raters
  who are alike and .002 to .003 from raters who differ.
* **The other raters' truth at the weights of dependent ratings** where raters are compared: .008
  better on simulated levels at ten ratings and .03 worse on public sets; half of it, half of both.
* **Rooted weights while raters are estimated** gain .01 to .02 on faces and lose .01 on uneven
  raters, as a rater's own prior does that is worth more.
* **Counting parameters by Akaike's criterion** where equal errors are weighed against others: .001
  better on names at two ratings, .05 worse on faces if there are but 80 of them.
* **Mixing with hierarchical by left-out ratings**: each half of the items is predicted with what
  the other half says about the raters, and one weight for each set is chosen by the likelihood of
  these predictions. Measured on the simulated sets alone, 3 seeds from 7000. The likelihood
  recognises raters who are alike (weight of the default .06 to .35; elsewhere .4 to .9), and a
  mixture of posteriors is worse than hierarchical in no cell. But it gives back .001 to .002 of
  the default's gain in Brier score on levels and .002 to .004 on names, more than the losses that
  it fixes. A mixture of the raters' matrices by the same rule, 6 seeds from 7000, keeps alike
  raters from losing and gives back .001 to .002 on both; its evidence is also against the matrices
  of raters who do differ (by 2 to 3 standard errors on uneven raters, where they are .003 to .009
  better), because half of the items tell too little about a rater. The public sets were not looked
  at for this.
* **Mixing posteriors** of `dawid_skene` and `one_coin` by left-out ratings never hurt and gave one
  coin no weight on ordered or public sets.
* **Dirichlet-multinomial item difficulty** says from five ratings on whether items differ in
  difficulty if raters are alike, and little if they are not. At ten ratings the dependence that it
  implies is 1.2 on faces, where 1.8 is best, and .7 on dogs and on severe raters, where 1.2 is;
  its own posterior is up to .16 worse than the default's.
* **A weight from the ratio of the evidence for dependence** beyond its sign: the ratio is -1.9 on
  faces at ten ratings and -1.7 on raters who are alike, where weights of n ** -.9 and n ** -.5 are
  best.
* **A discretised normal error on ordered scales**, with the class prior that it implies, predicts
  left-out ratings worse than free typical errors on every set.
"""


class Change(NamedTuple):
    """A name in a module, and what stands there instead."""

    module: ModuleType
    name: str
    value: Any


def larger(factor: float, power: float = ROOT) -> Change:
    """Weights of several ratings, n to another power, times a factor."""

    def weights(
        number: npt.ArrayLike, *, dependence: float, bounded: bool
    ) -> npt.NDArray[np.floating[Any]]:
        if bounded and power == ROOT:
            plain = factor * NOW_WEIGHTS(number, dependence=dependence, bounded=True)
        else:
            plain = factor * np.maximum(number, 1.0) ** (-dependence * power)
        return np.asarray(np.minimum(plain, 1.0))

    return Change(weight, "rating_weights", weights)


def bound_if(condition: Callable[[bool], bool]) -> Change:
    """The bound, or the root, on all scales."""

    def weights(
        number: npt.ArrayLike, *, dependence: float, bounded: bool
    ) -> npt.NDArray[np.floating[Any]]:
        return NOW_WEIGHTS(number, dependence=dependence, bounded=condition(bounded))

    return Change(weight, "rating_weights", weights)


def prior_power(of: Callable[[float], float]) -> Change:
    """Power of the class prior on all scales where errors keep the shares of the categories."""

    def power(typical: errors.Typical, *, ordered: bool) -> float:
        del ordered
        trusted = max(typical.reliability, 0.0) / typical.chance
        return typical.even + (1 - typical.even) * of(trusted)

    return Change(model, "_prior_power", power)


TRIES: dict[str, Change | None] = {
    NOW: None,
    "several ratings weigh 1.15 times as much": larger(1.15),
    "n ** -.35 instead of n ** -.5": larger(1.0, 0.35),
    "n ** -.5 on names too": bound_if(lambda _: False),
    "bounded on all scales": bound_if(lambda _: True),
    "bounded with r = .3": Change(weight, "_CORRELATION", 0.3),
    "bounded with r = .45": Change(weight, "_CORRELATION", 0.45),
    "independence twice as likely": Change(dependence, "USUAL", 0.2),
    "independence half as likely": Change(dependence, "USUAL", 0.05),
    "never independent": Change(model, "independence", lambda *_: 0.0),
    "class prior as it is": Change(model, "_prior_power", lambda *_, **__: 1.0),
    "class prior to .75 everywhere": Change(model, "_prior_power", lambda *_, **__: 0.75),
    "at most to .75 on all scales": prior_power(lambda trusted: 0.75 * min(trusted, 1.0)),
    "up to 1 on all scales": prior_power(lambda trusted: min(0.75 * trusted, 1.0)),
    "equal errors a seventh as likely": Change(errors, "_SIMPLER", -2.0),
    "raters' own prior worth 150": Change(model, "_OWN_STRENGTH", 150.0),
    "raters not centred": Change(model, "centred_confusions", lambda mixed, *_: mixed),
}


def tries_section() -> str:
    """Table of all tries, with an introduction."""
    drawn = list(cases(SEEDS, first=FIRST_SEED))
    found = {BEFORE: _scores(drawn, None, lambda table: dawid_skene(table, prior="hierarchical"))}
    found |= {name: _scores(drawn, change, dawid_skene) for name, change in TRIES.items()}
    groups = list(dict.fromkeys(case.group for case in drawn))
    heads = [f"{group}, {n}" for group in groups for n in PER_ITEM]
    lines = [
        SHOWN,
        f"Mean Brier score, one change at a time, {SEEDS} seeds from {FIRST_SEED}; ECE at two and",
        f"three ratings, mean over the sets; number of cells with {LEAST} or more ratings in which",
        f"the Brier score is worse than hierarchical's by more than {WORSE:g}.\n",
        "| change | " + " | ".join(heads) + " | ECE | worse |",
        "|---" + "|--:" * (len(heads) + 2) + "|",
    ]
    plain = found[BEFORE]["Brier"]
    for name, means in found.items():
        brier = means["Brier"].groupby(["group", "per_item"], sort=False).mean()
        few = means[means.index.get_level_values("per_item") <= LEAST]["ECE"]
        cells = " | ".join(f"{brier.loc[(group, n)]:.3f}" for group in groups for n in PER_ITEM)
        change = (means["Brier"] - plain)[means.index.get_level_values("per_item") >= LEAST]
        worse = int((change > WORSE).sum())
        lines.append(f"| {name} | {cells} | {few.mean():.3f} | {worse} |")
    return "\n".join([*lines, GIVEN_UP])


def _scores(
    drawn: Iterable[Case], change: Change | None, infer: Callable[[Any], Truth]
) -> pd.DataFrame:
    """Mean errors of each set and number of ratings under a change."""
    with patch.object(*change) if change else nullcontext():
        rows = [{**key_of(case), **errors_of(case, infer(case.table)).figures()} for case in drawn]
    found = pd.DataFrame(rows).groupby(["group", "name", "per_item"], sort=False)
    return found[["Brier", "ECE"]].mean()


if __name__ == "__main__":
    sys.stdout.write(tries_section())
