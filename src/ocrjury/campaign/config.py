"""A campaign as its lead wrote it, checked as a whole."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.campaign.named_files import with_files
from ocrjury.campaign.pool_section import Pool
from ocrjury.campaign.problems import listed, nearest, problem, refuse, together
from ocrjury.campaign.rating_sections import Raters, Rounds, criterion_problems
from ocrjury.campaign.rubric import Rubric
from ocrjury.campaign.section_values import A_LANGUAGE, CampaignName, Section, Seed
from ocrjury.campaign.sections import (
    Adaptive,
    Gate,
    Privacy,
    Report,
    Sampling,
    Schedule,
    Simulation,
    TruthModel,
)
from ocrjury.campaign.yaml_source import read_yaml
from ocrjury.language import Language
from ocrjury.readers.addresses import is_address, plain_path
from ocrjury.readers.file_sets import root_of


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise PydanticCustomError("zone", "unknown time zone") from error
    return name


class Configuration(Section):
    """Everything a lead decides before an evaluation but the rubric, which may change meanwhile.

    Attributes bear the names of the YAML keys. A path in the file is relative to the file's
    folder; `pool_location`, `images_location`, `raters_path` and `located` resolve it.
    """

    name: CampaignName = Field(
        description="lower-case letters, digits and inner hyphens, such as korean-claims"
    )
    title: Annotated[str, Field(min_length=1)] = Field(
        default_factory=lambda data: str(data.get("name", "")), description="text, in quotes"
    )
    language: Language = Field(default="en", description=A_LANGUAGE)
    time_zone: Annotated[str, AfterValidator(_zone)] = Field(
        default="UTC", description="a time zone such as Asia/Seoul or UTC"
    )
    seed: Seed = Field(default=0, description="a whole number of at least 0, below 2 ** 63")
    pool: Pool = Field(description="a section with path")
    raters: Raters = Field(default=Raters(), description="a section")
    sampling: Sampling = Field(default=Sampling(), description="a section")
    rounds: Rounds = Field(default=Rounds(), description="a section")
    gate: Gate = Field(default=Gate(), description="a section")
    truth: TruthModel = Field(default=TruthModel(), description="a section")
    adaptive: Adaptive = Field(default=Adaptive(), description="a section")
    report: Report = Field(default=Report(), description="a section")
    schedule: Schedule = Field(default=Schedule(), description="a section")
    privacy: Privacy = Field(default=Privacy(), description="a section")
    simulation: Simulation = Field(default=Simulation(), description="a section")

    _source: Path | None = PrivateAttr(None)

    @property
    def source(self) -> Path | None:
        """File that the campaign was read from."""
        return self._source

    @property
    def folder(self) -> Path:
        """Folder that paths are relative to."""
        return self._source.parent if self._source else Path.cwd()

    @property
    def pool_location(self) -> str:
        """Pool's absolute path or URL."""
        return self.located(self.pool.path)

    @property
    def reference_location(self) -> str | None:
        """Absolute path or URL of the references, None if the pool holds its own."""
        return None if self.pool.reference is None else self.located(self.pool.reference)

    @property
    def images_location(self) -> str:
        """Absolute folder or URL that image names are relative to."""
        if self.pool.images is not None:
            return self.located(self.pool.images)
        return root_of(self.pool_location)

    @property
    def raters_path(self) -> Path:
        """Absolute path of the rater registry."""
        return Path(self.located(self.raters.file))

    @property
    def gold_path(self) -> Path | None:
        """Absolute path of the gold file, None where there is none."""
        return None if self.raters.gold is None else Path(self.located(self.raters.gold))

    @property
    def masks_path(self) -> Path | None:
        """Absolute path of the file of masks, None where there is none."""
        return None if self.privacy.masks is None else Path(self.located(self.privacy.masks))

    @property
    def gold_pool_location(self) -> str | None:
        """Address of the gold file's own documents, None if they are the pool's."""
        return None if self.raters.gold_pool is None else self.located(self.raters.gold_pool)

    @property
    def simulated(self) -> bool:
        """Whether all raters are simulated."""
        return self.rounds.frontend == "simulated"

    def located(self, path: str) -> str:
        """Absolute path, without ``..`` unless a link makes it mean more; URLs stay."""
        return path if is_address(path) else plain_path(str((self.folder / path).absolute()))

    def to_json(self) -> dict[str, object]:
        """Plain values from which `from_json` makes the same again."""
        source = None if self._source is None else str(self._source)
        return {**self.model_dump(mode="json", by_alias=True), "source": source}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Restore a configuration from what `to_json` wrote; that of a whole campaign will do."""
        beside = {"source", "rubric"}.difference(cls.model_fields)
        made = cls.model_validate({k: v for k, v in body.items() if k not in beside})
        source = body.get("source")
        made._source = None if source is None else Path(str(source))  # noqa: SLF001  # its own
        return made

    def with_rubric(self, rubric: Rubric) -> "Campaign":
        """Campaign of which this is the configuration."""
        return Campaign.from_json({**self.to_json(), "rubric": rubric})


class Campaign(Configuration):
    """Everything a lead decides before an evaluation; the raters themselves are in a CSV file."""

    model_config = ConfigDict(title="Campaign")

    rubric: Rubric = Field(description="a file name such as rubric.yaml, or the rubric itself")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        scales = dict.fromkeys(self.rubric.scales.values())
        by_scale = (criterion_problems(self.rounds.pilot.criterion, scale) for scale in scales)
        criterion = next(filter(None, by_scale), [])
        problems = [*_adaptive_problems(self), *_judge_problems(self), *_target_problems(self)]
        problems += _stratum_problems(self)
        together("Campaign", [*problems, *criterion])
        return self

    @property
    def target_dimension(self) -> str:
        """Dimension of the target; without one the rubric's first whose scale has an order."""
        scales, target = self.rubric.scales, self.report.target
        first = next((name for name, scale in scales.items() if scale.ordered), next(iter(scales)))
        return first if target is None else target.dimension

    @property
    def risk_judge(self) -> str | None:
        """Column by which ``risk: judge`` draws: the named one, else the first; None without."""
        known = self.auxiliaries_on([self.target_dimension])
        return self.sampling.judge or next(iter(known), None)

    def auxiliaries_on(self, dimensions: Iterable[str]) -> tuple[str, ...]:
        """Columns with numbers of machines on some dimensions, those of their judges first."""
        scales = self.rubric.scales
        judged = [
            column
            for name in dimensions
            if name in scales and scales[name].ordered
            for column in self.pool.judges_of(name).values()
        ]
        return tuple(dict.fromkeys([*judged, *self.pool.auxiliaries]))

    @property
    def config_hash(self) -> str:
        """Hash of all that was decided; where the file lies does not count."""
        return content_hash(self.model_dump(mode="json", by_alias=True))


def read_campaign(path: str | Path) -> Campaign:
    """Campaign in a YAML file, with its rubric, its logo and its templates.

    Raises
    ------
    InputError
        Lists every problem: file, line, key path, what was found, what is allowed.
    """
    source = read_yaml(Path(path).absolute())
    try:
        campaign = Campaign.model_validate(with_files(source))
    except ValidationError as error:
        raise refuse(source, Campaign, error) from error
    campaign._source = source.path  # noqa: SLF001  # set once, here
    return campaign


def _adaptive_problems(campaign: Campaign) -> Iterator[InitErrorDetails]:
    """Yield problems of the cap on raters per item, and of a policy that needs an ordered scale."""
    cap, per_item = campaign.adaptive.cap, campaign.raters.per_item
    if cap < per_item:
        message = (
            f"{cap} is below raters.per_item ({per_item}); the cap on raters per item must be at "
            f"least {per_item}."
        )
        yield problem(("adaptive", "cap"), message, cap)
    policy, scales = campaign.adaptive.policy, campaign.rubric.scales.values()
    scale = next((scale for scale in scales if not scale.ordered), None)
    if scale is not None and policy in {"disagreement", "under_annotated"}:
        message = (
            f"{policy} measures how far ratings lie apart; the rubric's scale ({scale}) has no "
            "order. Take gain or three_step."
        )
        yield problem(("adaptive", "policy"), message, policy)
    if len(set(scales)) > 1 and policy == "disagreement":
        message = "disagreement compares points; the dimensions' scales differ. Take gain."
        yield problem(("adaptive", "policy"), message, policy)


def _judge_problems(campaign: Campaign) -> Iterator[InitErrorDetails]:
    """Yield problems of judges of unknown dimensions, and of the one that drives the draw."""
    names = [dimension.name for dimension in campaign.rubric.dimensions]
    for judge, columns in campaign.pool.judges.items():
        for dimension in columns:
            if dimension not in names:
                message = (
                    f"the rubric has no dimension {dimension!r}; it has {listed(names)}."
                    f"{nearest(dimension, names)}"
                )
                yield problem(("pool", "judges", judge, dimension), message, dimension)
    known = campaign.auxiliaries_on(names)
    wanted = campaign.risk_judge
    if campaign.sampling.risk == "judge" and wanted is None:
        message = (
            "no judge with numbers is known; name its column under pool.judges or "
            "pool.auxiliaries, or take another risk."
        )
        yield problem(("sampling", "risk"), message, "judge")
    elif campaign.sampling.risk == "judge" and wanted not in known:
        message = (
            f"{wanted!r} is no column of pool.judges or pool.auxiliaries; there is {listed(known)}."
            if known
            else f"{wanted!r} is named neither by pool.judges nor by pool.auxiliaries."
        )
        yield problem(("sampling", "judge"), message, wanted)


def _stratum_problems(campaign: Campaign) -> list[InitErrorDetails]:
    if campaign.rounds.page.systems != "side_by_side" or campaign.sampling.stratum != "system":
        return []
    message = (
        "with rounds.page.systems side_by_side pages are drawn with the outputs of all systems, so "
        "every system has the same number already. Take another column, or systems: apart."
    )
    return [problem(("sampling", "stratum"), message, campaign.sampling.stratum)]


def _target_problems(campaign: Campaign) -> list[InitErrorDetails]:
    target, rubric = campaign.report.target, campaign.rubric
    if target is None:
        return []
    problems = []
    names = [dimension.name for dimension in rubric.dimensions]
    if target.dimension not in names:
        message = (
            f"the rubric has no dimension {target.dimension!r}; it has {listed(names)}."
            f"{nearest(target.dimension, names)}"
        )
        problems.append(problem(("report", "target", "dimension"), message, target.dimension))
    scale = rubric.scales.get(target.dimension, rubric.scale)
    for key in ("mean", "share_at_least"):
        value = getattr(target, key)
        if value is not None and not scale.low <= value <= scale.high:
            message = f"{value:g} is outside the rubric's scale ({scale})."
            problems.append(problem(("report", "target", key), message, value))
    return problems
