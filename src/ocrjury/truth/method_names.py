"""Names of the methods that infer a truth and of their priors, without the code that infers."""

from typing import Literal

Method = Literal["dawid_skene", "one_coin", "majority_vote", "mean_rating", "median_rating"]
Prior = Literal["kinds", "hierarchical", "distance", "diagonal", "none"]
ClassPrior = Literal["tempered", "estimated", "uniform", "votes"]
