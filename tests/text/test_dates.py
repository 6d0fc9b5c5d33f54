import pytest

from ocrjury.text.dates import read_dates


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2024년 8월 3일", "2024-08-03"),
        ("2024年8月3日", "2024-08-03"),
        ("2024. 8. 3.", "2024-08-03"),
        ("２０２４－０８－０３", "2024-08-03"),
        ("'24/8/3", "2024-08-03"),
        ("99.12.31", "1999-12-31"),
        ("20240803", "2024-08-03"),
        ("2024-08-23~2024-09-08", "2024-08-23/2024-09-08"),
        ("2024년 2월 29일 (목)", "2024-02-29"),
    ],
)
def test_dates_have_one_spelling(text, days):
    assert read_dates(text) == days


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "미상",
            "2023-02-29",
            "2024-13-01",
            "2022년 12월 121일",
            "2024-08-03 14:30",
            "12345678",
        ),
        *("令和06年8月3日", "㍻06年8月3日", "民國 99年1月1日", "단기 91년 3월 1일"),
    ],
)
def test_what_is_no_date_has_no_value(text):
    assert read_dates(text) is None
