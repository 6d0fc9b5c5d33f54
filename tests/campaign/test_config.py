import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign import Campaign, read_campaign, sections
from ocrjury.campaign.rating_sections import Criterion
from ocrjury.errors import InputError
from ocrjury.gate import GatePolicy
from ocrjury.scales import Scale

SHARE = st.floats(0, 1)
NAMES = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True)
RATERS = st.integers(1, 4).flatmap(
    lambda per_item: st.tuples(
        st.fixed_dictionaries({"per_item": st.just(per_item)}, optional={"double_rated": SHARE}),
        st.fixed_dictionaries({"cap": st.integers(per_item, 9)}, optional={"explore": SHARE}),
    )
)
SIMULATED = st.dictionaries(
    st.sampled_from(["R01", "R02"]), st.fixed_dictionaries({}, optional={"careless": SHARE})
)


@st.composite
def decisions(draw):
    """Draw keys that differ from the defaults."""
    raters, adaptive = draw(RATERS)
    random = draw(SHARE)
    return {
        "name": draw(NAMES),
        "seed": draw(st.integers(0, 2**40)),
        "title": draw(st.text("보험 claims", min_size=1)),
        "raters": raters,
        "adaptive": adaptive,
        "sampling": {
            "n": draw(st.none() | st.integers(1, 10**6)),
            "shares": {"random": random, "error_focused": 1 - random},
        },
        "gate": {
            "policy": draw(st.sampled_from(["default", "strict", "kappa", "gdpval", "anytime"]))
        },
        "report": {"target": {"dimension": "layout", "mean": draw(st.floats(1, 5))}},
        "simulation": {"raters": draw(SIMULATED)},
    }


def test_the_gates_minimum_of_items_is_the_campaigns(campaign_from):
    assert campaign_from(gate={"min_items": 10}).gate.rules == GatePolicy(min_items=10)
    assert campaign_from().gate.rules == GatePolicy()
    with pytest.raises(InputError, match=r"gate\.min_items is 1; it must be a whole number of at"):
        campaign_from(gate={"min_items": 1})


def test_a_short_campaign_has_the_documented_defaults(campaign_from):
    campaign = campaign_from()

    assert (campaign.title, campaign.language, campaign.time_zone) == ("claims", "en", "UTC")
    assert campaign.seed == 0
    assert campaign.sampling.n is None
    assert campaign.sampling.shares.model_dump() == {
        "random": 0.5,
        "stratified": 0.3,
        "error_focused": 0.2,
    }
    assert (campaign.raters.per_item, campaign.adaptive.cap) == (2, 4)
    assert (campaign.gate.policy, campaign.gate.on_fail) == ("default", "hold")
    assert campaign.truth.method == "dawid_skene"
    assert campaign.report.examples == "masked"
    assert campaign.report.target is None
    assert campaign.schedule.cron is None
    assert campaign.simulated


def test_automatic_judges_name_a_column_for_each_dimension(campaign_from):
    judges = {"LLM": {"meaning": "llm_meaning", "layout": "llm_layout"}, "rules": {"layout": "r"}}

    campaign = campaign_from(pool={"path": "pool.jsonl", "judges": judges})

    assert campaign.pool.judges == judges
    assert Campaign.from_json(campaign.to_json()).pool.judges == judges
    assert campaign_from().pool.judges == {}


def test_auxiliaries_are_those_of_the_dimension_and_of_all(campaign_from):
    judges = {"LLM": {"meaning": "llm", "layout": "both"}, "rules": {"layout": "both"}}
    pool = {"path": "pool.jsonl", "judges": judges, "auxiliaries": ["fluency", "llm"]}

    campaign = campaign_from(pool=pool)

    assert campaign.auxiliaries_on(["meaning"]) == ("llm", "fluency")
    assert campaign.auxiliaries_on(["layout"]) == ("both", "fluency", "llm")
    assert campaign.auxiliaries_on(["meaning", "layout"]) == ("llm", "both", "fluency")
    assert Campaign.from_json(campaign.to_json()).pool == campaign.pool


def test_the_risk_goes_by_the_first_judge_or_by_the_named_one(campaign_from):
    judges = {"LLM": {"meaning": "llm", "layout": "llm_layout"}}
    pool = {"path": "pool.jsonl", "judges": judges, "auxiliaries": ["fluency"]}
    target = {"target": {"dimension": "layout", "mean": 4}}
    by = {"sampling": {"risk": "judge"}}

    assert campaign_from(pool=pool, **by).risk_judge == "llm"
    assert campaign_from(pool=pool, report=target, **by).risk_judge == "llm_layout"
    named = {"sampling": {"risk": "judge", "judge": "fluency"}}
    assert campaign_from(pool=pool, **named).risk_judge == "fluency"
    assert campaign_from().risk_judge is None


def test_a_section_without_a_line_has_its_defaults(campaign_from):
    assert campaign_from(sampling=None).sampling == sections.Sampling()


def test_paths_are_relative_to_the_file(campaign_from, tmp_path, monkeypatch):
    monkeypatch.chdir("/")

    campaign = campaign_from(pool={"path": "data/pool.jsonl"})

    assert campaign.folder == tmp_path
    assert campaign.pool_location == f"{tmp_path}/data/pool.jsonl"
    assert campaign.images_location == f"{tmp_path}/data"
    assert campaign.raters_path == tmp_path / "raters.csv"


def test_images_of_a_folder_or_a_pattern_lie_in_it(campaign_from, tmp_path):
    (tmp_path / "ocr" / "letters").mkdir(parents=True)

    assert campaign_from(pool={"path": "ocr"}).images_location == f"{tmp_path}/ocr"
    pattern = campaign_from(pool={"path": "ocr/*/*.hocr"})
    assert pattern.images_location == f"{tmp_path}/ocr"


def test_an_address_stays_an_address(campaign_from):
    campaign = campaign_from(pool={"path": "s3://bucket/pool.parquet"})

    assert campaign.pool_location == "s3://bucket/pool.parquet"
    assert campaign.images_location == "s3://bucket"


def test_a_rubric_in_a_file_of_its_own_is_the_same_campaign(campaign_from, rubric_from):
    inline = campaign_from()
    rubric_from()

    assert campaign_from(rubric="rubric.yaml").config_hash == inline.config_hash


def test_the_folder_is_outside_the_hash_and_every_key_inside(campaign_body, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    found = []
    for folder, body in (
        (tmp_path, campaign_body()),
        (tmp_path / "elsewhere", campaign_body()),
        (tmp_path, campaign_body(seed=1)),
    ):
        (folder / "campaign.yaml").write_text(json.dumps(body), "utf-8")
        found.append(read_campaign(folder / "campaign.yaml").config_hash)

    assert found[0] == found[1] != found[2]


def test_off_is_a_word(campaign_from):
    text = """
name: claims
pool: {path: pool.jsonl}
rubric: {purpose: Judge., dimensions: [{name: meaning, title: M, description: D}]}
report: {examples: off}
"""

    assert campaign_from(text).report.examples == "off"


def test_a_simulated_rater_takes_the_default_for_what_is_not_said(campaign_from):
    campaign = campaign_from(
        simulation={"default": {"noise": 0.5}, "raters": {"R03": {"severity": -0.4}}}
    )

    assert campaign.simulation.rater("R03") == sections.SimulatedRater(severity=-0.4, noise=0.5)
    assert campaign.simulation.rater("R01") == sections.SimulatedRater(noise=0.5)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"name": "Korean Claims"},
            (
                r"name is 'Korean Claims'; it must be lower-case letters, digits and inner "
                r"hyphens, such as korean-claims\."
            ),
        ),
        (
            {"langauge": "en"},
            r"langauge is not known\. Did you mean 'language'\? Allowed at the top: name, title,",
        ),
        ({"language": "fr"}, r"language is 'fr'; it must be one of en, ko, zh\."),
        (
            {"time_zone": "Asia/Soul"},
            r"time_zone is 'Asia/Soul'; it must be a time zone such as Asia/Seoul or UTC\.",
        ),
        ({"time_zone": ""}, r"time_zone is ''; it must be a time zone"),
        ({"time_zone": "../etc/passwd"}, r"it must be a time zone"),
        (
            {"pool": {}},
            r"pool\.path is missing; give a path relative to the campaign's folder, or a URL\.",
        ),
        ({"pool": None}, r"pool is missing; give a section with path\."),
        ({"pool": ["x"]}, r"pool is a list; it must be a section with path\."),
        (
            {"pool": {"path": "x", "format": "josnl"}},
            (
                r"pool\.format is 'josnl'; it must be one of page, .*, azure\. "
                r"Did you mean 'jsonl'\?"
            ),
        ),
        (
            {"pool": {"path": "x", "encoding": "utf-9"}},
            r"pool\.encoding is 'utf-9'; it must be an encoding such as utf-8 or cp949, or empty\.",
        ),
        (
            {"pool": {"path": "x", "judges": {"LLM": {"meanin": "llm"}}}},
            (
                r"pool\.judges\.LLM\.meanin: the rubric has no dimension 'meanin'; it has meaning "
                r"and layout\. Did you mean 'meaning'\?"
            ),
        ),
        (
            {"pool": {"path": "x", "judges": {"LLM": {}}}},
            r"pool\.judges\.LLM is a section; it must be columns by judge and dimension, \{LLM: ",
        ),
        (
            {"pool": {"path": "x", "judges": {"LLM": {"meaning": 4}}}},
            r"pool\.judges\.LLM\.meaning is 4; it must be columns by judge and dimension, \{LLM: ",
        ),
        (
            {"sampling": {"risk": "judge"}},
            r"sampling\.risk: no judge with numbers is known; name its column under pool\.judges",
        ),
        (
            {
                "pool": {"path": "x", "auxiliaries": ["fluency", "qe"]},
                "sampling": {"risk": "judge", "judge": "fluenc"},
            },
            r"sampling\.judge: 'fluenc' is no column of .*; there is fluency and qe\.",
        ),
        (
            {"sampling": {"risk": "judge", "judge": "llm"}},
            r"sampling\.judge: 'llm' is named neither by pool\.judges nor by pool\.auxiliaries\.",
        ),
        (
            {"sampling": {"judge": "llm"}},
            r"sampling\.judge: this belongs to risk: judge; the risk is auto\.",
        ),
        (
            {"pool": {"path": "x", "auxiliaries": "fluency"}},
            r"pool\.auxiliaries is 'fluency'; it must be a list of columns with a number",
        ),
        (
            {"sampling": {"n": 0}},
            r"sampling\.n is 0; it must be a whole number of at least 1, or empty",
        ),
        ({"sampling": {"n": True}}, r"sampling\.n is true; it must be a whole number"),
        ({"sampling": {"n": "200"}}, r"sampling\.n is '200'; it must be a whole number"),
        (
            {"sampling": {"shares": {"random": 0.5, "stratified": 0.3}}},
            (
                r"sampling\.shares: random 0\.5, stratified 0\.3 and error_focused 0 add up to "
                r"0\.8; the shares must add up to 1\."
            ),
        ),
        (
            {"sampling": {"shares": {"random": 1.5, "stratified": -0.5}}},
            r"sampling\.shares\.random is 1\.5; it must be a number from 0 to 1\.",
        ),
        (
            {"sampling": {"shares": {"randm": 1}}},
            (
                r"sampling\.shares\.randm is not known\. Did you mean 'random'\? Allowed in "
                r"sampling\.shares: random, stratified, error_focused\."
            ),
        ),
        (
            {"rounds": {"frontend": "paper"}},
            (
                r"rounds\.frontend is .paper.; it must be one of "
                r"simulated, file, sheets, web, labelstudio"
            ),
        ),
        (
            {"rounds": {"pilot": {"items": 9}}},
            (
                r"rounds\.pilot\.items: a pilot of 9 items cannot bring the 10 ratings that its "
                r"criterion needs of every rater; raise items or lower criterion\.min_ratings\."
            ),
        ),
        (
            {"rounds": {"pilot": {"items": 24, "criterion": {"measure": "kappa"}}}},
            (
                r"rounds\.pilot\.criterion\.measure is 'kappa'; it must be one of share_within, "
                r"mean_absolute_error, weighted_kappa\."
            ),
        ),
        (
            {"rounds": {"pilot": {"criterion": {"tolerance": -1}}}},
            r"rounds\.pilot\.criterion\.tolerance is -1; it must be a number of at least 0 \(how",
        ),
        (
            {"raters": {"gold_every": 1}},
            r"raters\.gold_every is 1; it must be a whole number of at least 2",
        ),
        (
            {"raters": {"repeats": 2.5}},
            (
                r"raters\.repeats: 2\.5 is neither a share below 1 nor a whole number of items per "
                r"rater\."
            ),
        ),
        (
            {"raters": {"gold_pool": "known.jsonl"}},
            r"raters\.gold_pool: its documents have no known ratings; name the file that holds",
        ),
        (
            {"gate": {"on_fail": "recalibrat"}},
            (
                r"gate\.on_fail is 'recalibrat'; it must be one of hold, proceed, recalibrate, "
                r"abort\. Did you mean 'recalibrate'\?"
            ),
        ),
        (
            {"adaptive": {"cap": 1}},
            (
                r"adaptive\.cap: 1 is below raters\.per_item \(2\); the cap on raters per item "
                r"must be at least 2\."
            ),
        ),
        (
            {"report": {"costs": {"error": 1, "check": 2}}},
            r"report\.costs: check 2 is not below error 1: it would pay to check nothing",
        ),
        (
            {"report": {"costs": {"error": -1, "check": 2}}},
            r"report\.costs\.error is -1; it must be an amount above 0\.",
        ),
        (
            {"report": {"owner": {"boss": "J. Kim"}}},
            r"report\.owner\.boss is not known\. Allowed in report\.owner: decision, ocr",
        ),
        (
            {"report": {"target": {"dimension": "meanin", "mean": 4}}},
            (
                r"report\.target\.dimension: the rubric has no dimension 'meanin'; it has meaning "
                r"and layout\. Did you mean 'meaning'\?"
            ),
        ),
        (
            {"report": {"target": {"dimension": "meaning", "mean": 5.1}}},
            r"report\.target\.mean: 5\.1 is outside the rubric's scale \(likert 1 to 5\)\.",
        ),
        (
            {"report": {"target": {"dimension": "meaning", "share_at_least": 0, "share": 0.8}}},
            r"report\.target\.share_at_least: 0 is outside the rubric's scale",
        ),
        (
            {"report": {"target": {"dimension": "meaning", "mean": 4, "share": 0.8}}},
            (
                r"report\.target: a target is either `mean` \(such as 4\.0\) or both "
                r"`share_at_least` and `share` \(such as 4 and 0\.8\)\."
            ),
        ),
        ({"report": {"target": {"dimension": "meaning"}}}, r"a target is either `mean`"),
        (
            {"report": {"examples": False}},
            r"report\.examples is false; it must be one of shown, masked, off\.",
        ),
        (
            {"report": {"recipients": ["a@example.org", "nobody\r\nBcc: x@y"]}},
            r"report\.recipients\[1\] is .*; report\.recipients must be a list of email addresses",
        ),
        (
            {"schedule": {"cron": "0 26 * * 1"}},
            (
                r"schedule\.cron: '0 26 \* \* 1' is no schedule: the hour '26' is not between 0 "
                r"and 23\. Every Monday at six: '0 6 \* \* 1'\."
            ),
        ),
        (
            {"simulation": {"raters": {"R06": {"careles": 0.6}}}},
            (
                r"simulation\.raters\.R06\.careles is not known\. Did you mean 'careless'\? "
                r"Allowed in simulation\.raters\.R06: severity, noise, halo, careless\."
            ),
        ),
        (
            {"simulation": {"default": {"noise": float("nan")}}},
            r"simulation\.default\.noise is 'NaN'; it must be a number of at least 0\.",
        ),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(campaign_from, changes, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        campaign_from(**changes)

    assert "campaign.yaml" in str(caught.value)
    assert "line " in str(caught.value)


def test_every_problem_is_listed_in_the_order_of_the_file(campaign_from):
    text = """\
name: Claims
pool:
  path: pool.jsonl
  formt: csv
rubric: rubric.yaml
sampling:
  n: none
"""

    with pytest.raises(InputError) as caught:
        campaign_from(text)

    first, *rest = str(caught.value).splitlines()
    assert first.endswith("campaign.yaml has 4 problems:")
    assert [line.split(" is ")[0] for line in rest] == [
        "- line 1: name",
        "- line 4: pool.formt",
        "- line 5: rubric: There",
        "- line 7: sampling.n",
    ]


def test_a_seed_that_no_database_holds_is_refused(campaign_from):
    assert campaign_from(seed=2**63 - 1).seed == 2**63 - 1
    with pytest.raises(
        InputError, match=r"seed is 9223372036854775808; it must be .* below 2 \*\*"
    ):
        campaign_from(seed=2**63)


def test_the_problems_of_the_rubric_file_are_listed_too(campaign_from, rubric_from, rubric_body):
    with pytest.raises(InputError):
        rubric_from(purpose="", scale={"kind": "likert"})

    with pytest.raises(InputError) as caught:
        campaign_from(rubric="rubric.yaml", seed=-1)

    lines = str(caught.value).splitlines()
    assert lines[0].endswith("campaign.yaml has 2 problems:")
    assert "rubric.yaml has 2 problems:" in str(caught.value)
    assert any(line.startswith("  - line ") and "purpose" in line for line in lines)


def mail(**keys):
    return {"report": {"mail": {"host": "mail.example.org", "sender": "a@example.org", **keys}}}


def test_a_password_in_the_file_is_refused_and_not_repeated(campaign_from):
    with pytest.raises(
        InputError, match=r"report\.mail\.password has no place in this file; name the environment"
    ) as caught:
        campaign_from(**mail(password="tr0ub4dor"))

    assert "tr0ub4dor" not in str(caught.value)


def test_a_password_in_place_of_the_variable_is_not_repeated(campaign_from):
    with pytest.raises(
        InputError, match=r"report\.mail\.password_env is something else \(not shown\); it must be"
    ) as caught:
        campaign_from(**mail(username="a", password_env="tr0ub4dor&3"))

    assert "tr0ub4dor" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "PREFECT_API_AUTH_STRING",
        "PGPASSWORD",
        "AWS_SECRET_ACCESS_KEY",
        "OCRJURY_DATABASE_URL",
        "OCRJURY_PROXY_SECRET",
        "OCRJURY_METRICS_TOKEN",
    ],
)
def test_a_secret_of_the_machine_is_sent_to_no_server_of_a_campaign(campaign_from, name):
    with pytest.raises(InputError, match=f"{name} is for this machine, and no campaign may send"):
        campaign_from(**mail(username="a", password_env=name))


def test_a_name_to_sign_in_needs_a_password_variable(campaign_from):
    with pytest.raises(
        InputError, match=r"report\.mail: username and password_env belong together; give both"
    ):
        campaign_from(**mail(username="a"))


def test_mail_without_a_name_signs_in_nowhere(campaign_from):
    found = campaign_from(**mail(port=1025, starttls=False)).report.mail

    assert (found.port, found.starttls, found.username) == (1025, False, None)


@given(keys=decisions())
def test_every_campaign_survives_json(campaign_body, keys):
    campaign = Campaign.model_validate(campaign_body(**keys))

    again = Campaign.from_json(json.loads(json.dumps(campaign.to_json())))

    assert again == campaign
    assert again.config_hash == campaign.config_hash


@given(keys=decisions())
def test_every_campaign_survives_its_file(campaign_body, tmp_path_factory, keys):
    path = tmp_path_factory.mktemp("campaign") / "campaign.yaml"
    path.write_text(json.dumps(campaign_body(**keys)), "utf-8")

    campaign = read_campaign(path)

    assert campaign.config_hash == Campaign.model_validate(campaign_body(**keys)).config_hash
    assert Campaign.from_json(campaign.to_json()).folder == path.parent


def test_every_key_says_what_it_may_hold():
    silent = [
        f"{model.__name__}.{name}"
        for model in (Campaign, *models(Campaign))
        for name, field in model.model_fields.items()
        if not field.description and "Literal" not in str(field.annotation)
    ]

    assert silent == []


def models(model):
    for field in model.model_fields.values():
        inner = inner_model(field.annotation)
        if inner is not None:
            yield inner
            yield from models(inner)


def inner_model(annotation):
    from ocrjury.campaign.problems import _inner

    return _inner(annotation)


@pytest.mark.parametrize(
    ("scale", "measure", "sentence"),
    [
        (
            {"kind": "nominal", "categories": ["a", "b"]},
            "mean_absolute_error",
            r"mean_absolute_error needs levels in order; .* \(nominal a, b\) has none\. Take share",
        ),
        (
            {"kind": "interval", "low": 0, "high": 100},
            "weighted_kappa",
            r"weighted_kappa compares categories; .* \(interval 0 to 100\) has none\. Take share",
        ),
    ],
)
def test_a_criterion_fits_the_scale(campaign_from, rubric_body, scale, measure, sentence):
    pilot = {"items": 24, "criterion": {"measure": measure}}

    with pytest.raises(InputError, match=rf"rounds\.pilot\.criterion\.measure: {sentence}"):
        campaign_from(rubric=rubric_body(scale=scale), rounds={"pilot": pilot})


@pytest.mark.parametrize("policy", ["disagreement", "under_annotated"])
def test_a_policy_fits_the_scale(campaign_from, rubric_body, policy):
    scale = {"kind": "nominal", "categories": ["a", "b"]}

    with pytest.raises(InputError, match=r"adaptive\.policy: .* has no order\. Take gain or three"):
        campaign_from(rubric=rubric_body(scale=scale), adaptive={"policy": policy})

    assert campaign_from(adaptive={"policy": policy}).adaptive.policy == policy
    with pytest.raises(InputError, match=r"adaptive\.policy is 'gains'; it must be one of gain"):
        campaign_from(adaptive={"policy": "gains"})


def test_paths_of_gold_start_from_the_campaigns_folder(campaign_from, tmp_path):
    own = "s3://bucket/known.jsonl"
    campaign = campaign_from(raters={"gold": "known/gold.csv", "gold_pool": own})

    assert campaign.gold_path == tmp_path / "known" / "gold.csv"
    assert campaign.gold_pool_location == own
    assert campaign_from().gold_path is None
    assert campaign_from().gold_pool_location is None


@pytest.mark.parametrize(
    ("scale", "tolerance", "error"),
    [
        (Scale.likert(1, 5), 1.0, 0.5),
        (Scale.likert(1, 3), 0.0, 0.25),
        (Scale.binary(), 0.0, 0.125),
        (Scale.interval(0, 100), 10.0, 12.5),
    ],
)
def test_what_counts_as_right_follows_from_the_scale(scale, tolerance, error):
    assert Criterion().tolerance_on(scale) == tolerance
    assert Criterion().limit_on(scale) == 0.8
    assert Criterion(measure="mean_absolute_error").limit_on(scale) == error
    assert Criterion(measure="weighted_kappa").limit_on(scale) == 0.6
    assert Criterion(tolerance=2.0, limit=0.5).tolerance_on(scale) == 2.0
    assert Criterion(tolerance=2.0, limit=0.5).limit_on(scale) == 0.5
