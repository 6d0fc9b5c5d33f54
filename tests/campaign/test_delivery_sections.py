import pytest

from ocrjury.campaign.delivery_sections import Receiver
from ocrjury.errors import InputError

MAIL = {"host": "mail.example.org", "sender": "o@example.org"}


def report(campaign_from, **keys):
    return campaign_from(report={"mail": MAIL, **keys}).report


def names(section, *words):
    return [receiver.name for receiver in section.receivers(words)]


def test_an_address_is_for_every_report_and_a_section_for_those_that_it_names(campaign_from):
    section = report(
        campaign_from,
        recipients=[
            "a@example.org",
            {"address": "b@example.org", "when": ["FAIL", "NOT MET"]},
            {"address": "c@example.org", "language": "ko"},
        ],
    )

    assert names(section, "PASS", "MET") == ["a@example.org", "c@example.org"]
    assert names(section, "PASS", "NOT MET") == ["a@example.org", "b@example.org", "c@example.org"]
    assert names(section, "FAIL") == ["a@example.org", "b@example.org", "c@example.org"]
    assert section.recipients[2].language == "ko"


def test_a_person_is_one_receiver_however_often_and_however_spelled(campaign_from):
    people = [
        {"address": "A@example.org", "when": ["FAIL"]},
        {"address": "a@example.org", "when": ["NOT SHOWN"]},
    ]
    section = report(campaign_from, recipients=people)

    assert names(section, "FAIL", "NOT SHOWN") == ["A@example.org"]
    assert names(section, "INCONCLUSIVE", "NOT SHOWN") == ["a@example.org"]
    assert names(section, "PASS", "MET") == []


def test_without_a_mail_server_nobody_is_mailed(campaign_from):
    section = campaign_from(report={"recipients": ["a@example.org"]}).report

    assert section.receivers({"PASS"}) == []


def test_a_folder_comes_before_people(campaign_from):
    section = report(campaign_from, recipients=["a@example.org"], publish={"to": "reports/"})

    assert section.receivers({"FAIL"}) == [
        Receiver("publication", "reports"),
        Receiver("report", "a@example.org"),
    ]


def test_a_folder_is_relative_to_the_campaign_and_an_address_stays(campaign_from):
    campaign = campaign_from()

    assert campaign.located("reports") == str(campaign.folder / "reports")
    assert campaign.located("s3://bucket/reports") == "s3://bucket/reports"


def test_a_place_beside_the_campaign_is_named_without_the_way_back(campaign_from):
    campaign = campaign_from()

    assert campaign.located("../ocr/*.hocr") == str(campaign.folder.parent / "ocr" / "*.hocr")


def test_a_way_back_through_a_link_stays_as_it_was_written(campaign_from, tmp_path):
    elsewhere = tmp_path / "elsewhere" / "inner"
    elsewhere.mkdir(parents=True)
    campaign = campaign_from()
    (campaign.folder / "linked").symlink_to(elsewhere)

    assert campaign.located("linked/../ocr") == str(campaign.folder / "linked" / ".." / "ocr")


def test_a_webhook_comes_between_folder_and_people_and_may_want_some_reports(campaign_from):
    hooks = [
        {"name": "team", "kind": "slack", "url_env": "TEAM_URL"},
        {"name": "alarm", "url_env": "ALARM_URL", "when": ["FAIL"]},
    ]
    section = report(campaign_from, recipients=["a@example.org"], webhooks=hooks)

    assert names(section, "FAIL") == ["team", "alarm", "a@example.org"]
    assert names(section, "PASS", "MET") == ["team", "a@example.org"]
    assert section.webhooks[1].kind == "json"


def test_the_address_of_a_webhook_has_no_place_in_the_file(campaign_from):
    address = "https://hooks.example.org/tr0ub4dor"
    for key in ("url", "url_env"):
        hook = {"name": "team", "url_env": "TEAM_URL", key: address}
        with pytest.raises(InputError, match=f"webhooks\\[0\\].{key} ") as caught:
            report(campaign_from, webhooks=[hook])
        assert "tr0ub4dor" not in str(caught.value)
    assert "is something else (not shown); it must be the NAME of an" in str(caught.value)


def test_a_campaign_that_was_stored_is_read_back(campaign_from):
    campaign = campaign_from(
        report={"mail": MAIL, "recipients": [{"address": "a@b.example", "when": ["MET"]}]}
    )

    assert type(campaign).from_json(campaign.to_json()).report == campaign.report


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (
            {"recipients": [{"address": "a@example.org", "when": ["FAILED"]}]},
            r"report\.recipients\[0\]\.when\[0\] is 'FAILED'; .*must be a list of PASS, FAIL",
        ),
        ({"recipients": [{"address": "a@example.org", "when": []}]}, r"when is a list; it must be"),
        ({"recipients": [{"when": ["FAIL"]}]}, r"recipients\[0\]\.address is missing"),
        ({"recipients": [{"address": "a@b", "language": "Korean"}]}, "must be one of en, ko, zh"),
        ({"recipients": [7]}, r"report\.recipients\[0\] is 7; report\.recipients must be"),
        (
            {"webhooks": [{"name": "a", "url_env": "A"}, {"name": "a", "url_env": "B"}]},
            r"report\.webhooks: 'a' names two webhooks; give each a name of its own",
        ),
        ({"webhooks": [{"name": "a b", "url_env": "A"}]}, "a short name for logs"),
        (
            {"webhooks": [{"name": "a", "url_env": "A", "kind": "chat"}]},
            "one of slack, teams, json",
        ),
        ({"webhooks": [{"name": "a"}]}, r"report\.webhooks\[0\]\.url_env is missing"),
        ({"publish": {"to": ""}}, r"report\.publish\.to is ''; it must be a folder, or an address"),
        ({"publish": {"to": "r", "keep": 0}}, r"report\.publish\.keep is 0; it must be a whole"),
        ({"publish": {"to": "r", "link": "reports.example.org"}}, "the address under which people"),
        (
            {"publish": {"to": "s3://key:tr0ub4dor@bucket/r"}},
            "Credentials never stand in this file",
        ),
        ({"publish": {"to": "az://c/r?sig=tr0ub4dor"}}, "Credentials never stand in this file"),
        ({"publish": {"to": "zip://a::s3://tr0ub4dor/b"}}, "this is no plain folder or address"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(campaign_from, keys, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        report(campaign_from, **keys)

    assert "tr0ub4dor" not in str(caught.value)
