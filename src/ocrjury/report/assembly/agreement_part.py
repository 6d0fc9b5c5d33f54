"""Whether the raters agree."""

from ocrjury.report.agreement_section import Agreement
from ocrjury.report.assembly.bodies import (
    Body,
    dimension_agreement,
    divided_items,
    means_over,
    pair_kappas,
    together,
)
from ocrjury.report.assembly.stored import Stored
from ocrjury.report.composite_section import Together
from ocrjury.report.data import GateVerdict
from ocrjury.report.rating_parts import count_apart
from ocrjury.report.worst import given_ratings


def agreement_part(stored: Stored) -> Agreement:
    """Return what was measured on the first-pass ratings."""
    dimension, scale = stored.target_dimension, stored.campaign.rubric.scale
    ratings = stored.first_pass.rename(columns={"value": "rating"})
    apart, double_rated = count_apart(ratings, scale)
    bodies = stored.agreement_bodies
    return Agreement(
        dimensions=tuple(dimension_agreement(name, body) for name, body in bodies.items()),
        means=means_over(stored.agreement.get("*", {})),
        pairs=pair_kappas(
            bodies.get(dimension, {}), method="quadratic kappa" if scale.ordered else "kappa"
        ),
        pairs_dimension=dimension,
        pairs_weights="quadratic" if scale.kind == "likert" else "none",
        disagreements=apart,
        double_rated=double_rated,
        divided=divided_items(
            bodies,
            given=lambda item: given_ratings(ratings, item),
            doc_types={item.item: item.doc_type for item in stored.items},
        ),
    )


def together_part(stored: Stored, verdict: GateVerdict, *, composite: Body) -> Together | None:
    """Return what is said of all dimensions together."""
    return together(
        stored.agreement.get("*", {}),
        composite,
        findings=() if stored.bias is None else stored.bias.findings,
        trusted=verdict.agreed_on,
    )
