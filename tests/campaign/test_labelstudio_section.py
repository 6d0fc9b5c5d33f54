import pytest
from pydantic import ValidationError

from ocrjury.campaign.labelstudio_section import LabelStudio, inside
from ocrjury.campaign.rating_sections import Rounds

HERE = "http://127.0.0.1:8080"


def refusal(model, body):
    with pytest.raises(ValidationError) as trouble:
        model.model_validate(body)
    return str(trouble.value)


def test_a_server_on_this_machine_needs_its_address_and_one_permission():
    section = LabelStudio.model_validate({"url": f"{HERE}/", "allow_degraded": True})

    assert (section.url, section.token_env) == (HERE, "OCRJURY_LABEL_STUDIO_TOKEN")


def test_without_the_permission_the_reason_is_said():
    said = refusal(LabelStudio, {"url": HERE})

    assert "lacks blind" in said
    assert "set allow_degraded: true" in said


def test_documents_leave_the_house_only_where_that_is_allowed():
    body = {"url": "https://app.humansignal.com", "allow_degraded": True}

    assert "set allow_external: true" in refusal(LabelStudio, body)
    assert LabelStudio.model_validate({**body, "allow_external": True}).allow_external


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8080",
        "http://labelstudio:8080",
        "http://[::1]:8080",
        "http://10.1.2.3",
        "https://ls.team.internal",
        "https://LS.LOCAL.",
    ],
)
def test_addresses_inside(url):
    assert inside(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://ls.example.org",
        "http://8.8.8.8",
        "http://localhost.example.org",
        "https://evil-internal.example.org",
        "https://[2001:4860:4860::8888]",
    ],
)
def test_addresses_outside(url):
    assert not inside(url)


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:8080",
        "ftp://127.0.0.1",
        "http://",
        "http://lead:secret@127.0.0.1",
        "http://127.0.0.1:99999",
        "http://127.0.0.1/?x=1",
        "http://[::1",
        "",
    ],
)
def test_what_is_no_address_of_a_server_is_refused(url):
    assert "address" in refusal(LabelStudio, {"url": url, "allow_degraded": True})


def test_the_token_itself_does_not_fit_into_the_campaign():
    body = {"url": HERE, "allow_degraded": True, "token_env": "0123-abcd"}

    assert "token_env" in refusal(LabelStudio, body)
    assert "token" in refusal(LabelStudio, {"url": HERE, "allow_degraded": True, "token": "x"})


def test_the_frontend_needs_its_server():
    assert "needs to know its server" in refusal(Rounds, {"frontend": "labelstudio"})
    section = {"url": HERE, "allow_degraded": True}
    rounds = Rounds.model_validate({"frontend": "labelstudio", "labelstudio": section})
    assert rounds.labelstudio == LabelStudio.model_validate(section)
