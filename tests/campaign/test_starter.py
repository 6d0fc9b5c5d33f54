from pathlib import Path

import pytest
import yaml

from ocrjury.campaign import check_campaign, read_campaign, read_raters, write_starter
from ocrjury.campaign.section_values import Section
from ocrjury.errors import InputError
from ocrjury.language import languages

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims"


def test_what_it_writes_is_a_campaign(tmp_path):
    paths = write_starter(tmp_path / "new", "my-claims", seed=7)

    campaign = read_campaign(paths[0])
    assert [path.name for path in paths] == ["campaign.yaml", "rubric.yaml", "raters.csv"]
    assert (campaign.name, campaign.seed) == ("my-claims", 7)
    assert campaign.report.examples == "masked"
    assert not campaign.simulated
    assert len(read_raters(campaign.raters_path)) == 5


def test_what_it_writes_meets_every_recommendation(tmp_path):
    campaign = read_campaign(write_starter(tmp_path, "claims")[0])

    rows = check_campaign(campaign, read_raters(campaign.raters_path))

    assert [row.topic for row in rows if not row.met] == []


def test_every_text_of_its_rubric_is_there_in_every_language(tmp_path):
    write_starter(tmp_path, "claims")

    rubric = yaml.safe_load((tmp_path / "rubric.yaml").read_text("utf-8"))

    texts = list(texts_of(rubric))
    assert len(texts) > 30
    assert [text for text in texts if set(text) != {*languages()}] == []


def texts_of(part):
    """Yield each text of a rubric, by language."""
    if isinstance(part, dict) and "en" in part:
        yield part
    else:
        for inner in part.values() if isinstance(part, dict) else part:
            if isinstance(inner, dict | list):
                yield from texts_of(inner)


def test_its_people_are_nobody_in_the_bundled_example(tmp_path):
    example = read_raters(EXAMPLE / "raters.csv")

    people = read_raters(write_starter(tmp_path, "my-claims")[2])

    assert {person.email for person in people} == {
        f"{person.pseudonym.lower()}@raters.example" for person in people
    }
    assert not {person.pseudonym for person in people} & {one.pseudonym for one in example}


def test_a_store_takes_two_new_campaigns_as_they_were_written(tmp_path):
    first, second = (write_starter(tmp_path / name, name)[2] for name in ("claims", "bills"))

    assert read_raters(first) == read_raters(second)  # a pseudonym belongs to one person


def test_every_key_is_explained(tmp_path):
    text = write_starter(tmp_path, "claims")[0].read_text("utf-8")
    campaign = read_campaign(tmp_path / "campaign.yaml")

    assert [key for key in keys(campaign) if f"{key}:" not in text] == []


def keys(section):
    for name in type(section).model_fields:
        yield name
        value = getattr(section, name)
        if isinstance(value, Section) and name not in {"rubric", "target"}:
            yield from keys(value)


@pytest.mark.parametrize("file", ["campaign.yaml", "rubric.yaml", "raters.csv"])
def test_it_overwrites_nothing(tmp_path, file):
    (tmp_path / file).write_text("mine", "utf-8")

    with pytest.raises(
        InputError, match=rf"Nothing was written, because there is already .*{file}\. Choose"
    ):
        write_starter(tmp_path, "claims")

    assert [path.name for path in tmp_path.iterdir()] == [file]
    assert (tmp_path / file).read_text("utf-8") == "mine"


@pytest.mark.parametrize("name", ["Claims", "-claims", "", "a b", "a" * 61, "x: y"])
def test_a_name_that_is_none_is_refused(tmp_path, name):
    with pytest.raises(
        InputError, match=r"A campaign cannot be named '.*'; take lower-case letters"
    ):
        write_starter(tmp_path / "new", name)

    assert not (tmp_path / "new").exists()
