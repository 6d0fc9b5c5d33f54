"""Risk: how likely a document is to be worth a look, before anybody looked."""

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from ocrjury.sampling.frame import Floats

# A document without an error found keeps a small risk; beyond CER 1 nothing gets worse.
_LEAST, _MOST = 0.002, 1.0


def risk_scores(pool: pd.DataFrame) -> "pd.Series[float]":
    """Return the risk of each document of a scored pool, and the rule in ``attrs["rule"]``.

    Parameters
    ----------
    pool
        Frame with ``cer`` and ``confidence`` where there are such; missing values allowed.

    Returns
    -------
    Series
        Named ``risk``, indexed like the pool, at least 0. ``attrs["rule"]`` is

        * ``"cer"``: every document has a reference; CER, no lower than .002 and no higher than 1;
        * ``"confidence"``: none has; exponential scores of the rank of 1 - confidence, where a
          missing confidence ranks as most suspicious;
        * ``"cer and confidence"``: documents without a reference take the risk that stands at
          the same rank among those with one;
        * ``"none"``: neither is known, the risk is 0 for all, and `draw_sample` shares the
          error-focused part among the other two.

    Notes
    -----
    Ranks, because confidence orders documents better than it measures them. The exponential score
    of rank k among N is -log(1 - (k - 1/2) / N): 1 on average, and largest where N is.

    Examples
    --------
    >>> risk = risk_scores(pd.DataFrame({"cer": [0.0, 0.3, 1.4]}))
    >>> risk.tolist(), risk.attrs["rule"]
    ([0.002, 0.3, 1.0], 'cer')
    >>> risk_scores(pd.DataFrame({"confidence": [0.9, None, 0.5]})).round(2).tolist()
    [0.18, 1.79, 0.69]
    """
    cer, confidence = _column(pool, "cer"), _column(pool, "confidence")
    known = np.isfinite(cer)
    risk = np.clip(cer, _LEAST, _MOST)
    if known.all() and len(cer):
        rule = "cer"
    elif not np.isfinite(confidence).any() and not known.any():
        rule, risk = "none", np.zeros(len(cer))
    elif not known.any():
        rule, risk = "confidence", -np.log1p(-_suspicion(confidence))
    else:
        rule = "cer and confidence"
        risk[~known] = np.quantile(risk[known], _suspicion(confidence)[~known])
    result = pd.Series(risk, index=pool.index, name="risk")
    result.attrs["rule"] = rule
    return result


def _column(pool: pd.DataFrame, name: str) -> Floats:
    """Return a column as floats, nan where it has no number."""
    if name not in pool.columns:
        return np.full(len(pool), np.nan)
    return pd.to_numeric(pool[name], errors="coerce").to_numpy(dtype=float, na_value=np.nan)


def _suspicion(confidence: Floats) -> Floats:
    """Return each document's relative rank by lack of confidence, between 0 and 1."""
    lack = np.where(np.isfinite(confidence), 1 - confidence, np.inf)
    return np.asarray((rankdata(lack) - 0.5) / max(len(lack), 1), dtype=float)
