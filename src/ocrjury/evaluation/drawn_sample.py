"""The sample of an evaluation, drawn with known probabilities, and the gold beside it."""

from typing import NamedTuple

from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import sampled_items, with_image_hashes
from ocrjury.evaluation.draws import sampling_draw, sampling_pool
from ocrjury.evaluation.gold import KnownItems, known_items
from ocrjury.evaluation.pilots import plan_pilot
from ocrjury.evaluation.plans import plan_results
from ocrjury.evaluation.rounds import plan_main_round
from ocrjury.evaluation.sample_designs import describe_design
from ocrjury.findings.sampling import SampleDesign
from ocrjury.pages.numbers import plural
from ocrjury.sampling import sample_size
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.database import Connection
from ocrjury.store.documents import SampledItem, add_gold, add_items
from ocrjury.store.results import Result, add_results


class DrawnSample(NamedTuple):
    """Items that were drawn, gold beside them, their design, and the expected precision."""

    items: list[SampledItem]
    gold: KnownItems
    design: SampleDesign
    plans: list[Result]

    def keep(self, connection: Connection, case: Case) -> None:
        """Copy the texts of the items into the store, with gold and plans."""
        add_items(connection, case.name, [*self.items, *self.gold.items])
        add_gold(connection, case.name, self.gold.rows)
        add_results(connection, case.name, self.plans, now=case.work.now)


def draw_sample_of(case: Case, *, tick: Tick = unwatched) -> DrawnSample:
    """Draw the documents of an evaluation.

    Raises
    ------
    InputError
        If the pool holds too few, or the rounds could not be carried out: that is better known
        before the texts are copied.
    """
    parts = Parts(tick, 5)
    parts.begin("reading the scored pool")
    pool = sampling_pool(case)
    parts.begin("drawing documents")
    draw = sampling_draw(case, pool)
    drawn = draw.sample(_sample_count(case, len(pool)))
    parts.begin("reading their texts and images")
    sample = with_image_hashes(case, sampled_items(case, drawn))
    parts.begin("assigning them to raters")
    gold = known_items(case, pool, sample)
    plan = plan_main_round(case, sample)
    if case.campaign.rounds.pilot.items:
        plan_pilot(case, [*sample, *gold.items], gold=gold.values)
    parts.begin("computing the expected precision")
    design = describe_design(case, pool, draw=draw, drawn=drawn)
    return DrawnSample(sample, gold, design, plan_results(case, pool, plan=plan, gold=gold))


def _sample_count(case: Case, pool_size: int) -> int:
    """Documents to draw: as many as were asked for, or enough for five points."""
    n = case.campaign.sampling.n or sample_size(population=pool_size)
    if n > pool_size:
        raise InputError(
            f"sampling.n asks for {n} items, but the pool holds "
            f"{plural(pool_size, 'output')}. Lower sampling.n or leave it empty."
        )
    return n
